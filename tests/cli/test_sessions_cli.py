"""`rigor sessions` with `--trends` and `--diff`, and `rigor advise` on small homes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rigorbench.cli import main
from rigorbench.session import formats

DATA = Path(__file__).resolve().parents[1] / "data"


class Done(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Rigor = Callable[..., Done]


@pytest.fixture
def rigor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Rigor:
    """The command with a home directory and a cache of its own."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "MSWEA_GLOBAL_CONFIG_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")

    def run(*words: object) -> Done:
        capfd.readouterr()
        local = words[0] in ("sessions", "advise") and "--home" not in words
        status = main([*map(str, words), *(["--home", str(tmp_path / "home")] if local else [])])
        out, err = capfd.readouterr()
        return Done(status, out, err)

    return run


def _log(home: Path, name: str, day: str, request: str, *, cwd: str = "/work/api", red: bool = False) -> Path:
    """A small session of Claude Code: an edit, and the tests after it; ``red``: nothing ran."""
    lines: list[dict[str, Any]] = []

    def add(kind: str, content: Any, **more: Any) -> None:
        said = {"role": kind, "content": content, "id": f"m{len(lines)}", "model": "opus"}
        lines.append(
            {
                "type": kind, "uuid": f"u{len(lines)}", "sessionId": name, "cwd": cwd, "version": "2.0.0",
                "timestamp": f"{day}T09:{len(lines):02}:00.000Z", "message": said, **more,
            }
        )  # fmt: skip

    def call(tool: str, given: dict[str, Any], output: str, *, error: bool = False) -> None:
        key = f"t{len(lines)}"
        add("assistant", [{"type": "tool_use", "id": key, "name": tool, "input": given}])
        add("user", [{"type": "tool_result", "tool_use_id": key, "content": output, "is_error": error}])

    add("user", request)
    call("Edit", {"file_path": f"{cwd}/app.py", "old_string": "a = 1\n", "new_string": "a = 2\n"}, "updated")
    if not red:
        call("Bash", {"command": "pytest -q"}, "1 passed in 0.1s")
    add("assistant", [{"type": "text", "text": "I changed the value."}])
    path = home / ".claude" / "projects" / "-work-api" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    os.utime(path, (2_000_000_000, 2_000_000_000))
    return path


@pytest.fixture
def home(tmp_path: Path, rigor: Rigor) -> Path:
    """Three sessions of one repository and one of another. All files were changed at the same time."""
    home = tmp_path / "home"
    _log(home, "one", "2026-10-05", "Sort the keys of the index", red=True)
    _log(home, "two", "2026-10-13", "Read the file once", red=True)
    _log(home, "three", "2026-10-20", "Name the unit of each value")
    _log(home, "four", "2026-10-14", "Draw the chart", cwd="/work/web/.claude/worktrees/chart")
    return home


def test_sessions_are_listed_by_their_own_time_with_their_request(rigor: Rigor, home: Path) -> None:
    done = rigor("sessions")
    assert done.status == 0, done.err
    assert done.out.startswith("4 sessions · 2026-10-05 to 2026-10-20 · ")
    assert "grade" not in done.out
    listed = [line for line in done.out.splitlines() if line.startswith(" ") and "2026-" in line]
    assert [line.split(None, 2)[1] for line in listed] == ["2026-10-20", "2026-10-14", "2026-10-13", "2026-10-05"]
    assert "Name the unit of each value" in listed[0]
    assert " web " in listed[1]  # the work tree of an agent belongs to the repository
    latest = rigor("sessions", "--limit", 1)
    assert "Name the unit of each value" in latest.out
    assert "--limit lists more (there are 4 logs)" in latest.out


def test_sessions_as_json_are_one_document(rigor: Rigor, home: Path) -> None:
    found = rigor("sessions", "--json").json
    assert found["schema"] == "rigor-sessions/1"
    assert [s["id"] for s in found["sessions"]] == ["three", "four", "two", "one"]
    assert found["summary"]["tally"]["sessions"] == 4
    assert found["sessions"][0]["cost"] is None
    assert found["sessions"][0]["seconds"] == 300
    worst = rigor("sessions", "--json", "--sort", "flags", "--limit", 3).json["sessions"]
    faults = [(len(set(s["flags"])), s["weak"]) for s in worst]
    assert faults == sorted(faults, reverse=True)
    assert faults[0] > faults[-1]


def test_a_folder_has_a_page_for_each_session_of_the_list(rigor: Rigor, home: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    for number, options in ((2, ("--limit", "2")), (4, ("--sort", "flags"))):
        done = rigor("sessions", "--html", site, *options)
        said = f"pages: {site / 'index.html'} ({number} sessions written)\n"
        assert (done.status, done.out, done.err) == (0, "", said)
        index = (site / "index.html").read_text()
        pages = [page.name for page in site.glob("claude-code-*.html")]
        assert len(pages) == number
        assert all(f'href="{name}"' in index for name in pages)
    assert index.index("Read the file once") < index.index("Name the unit of each value")
    assert "Name the unit of each value" in (site / "claude-code-three.html").read_text()


def test_a_page_of_the_list_links_to_nothing(rigor: Rigor, home: Path, tmp_path: Path) -> None:
    assert rigor("sessions", "--html", tmp_path / "list.html").status == 0
    assert "<a href" not in (tmp_path / "list.html").read_text()
    (tmp_path / "file").write_text("")
    refused = rigor("sessions", "--html", tmp_path / "file")
    assert (refused.status, "is a file, not a folder" in refused.err) == (2, True)


def test_sessions_are_chosen_by_options(rigor: Rigor, home: Path) -> None:
    def ids(*options: str) -> list[str]:
        done = rigor("sessions", "--json", *options)
        return [s["id"] for s in done.json["sessions"]]

    assert ids("--since", "2026-10-14") == ["three", "four"]
    assert ids("--project", "WEB") == ["four"]
    assert ids("--model", "opus", "--agent", "claude", "--limit", "1") == ["three"]
    assert [ids("--grep", words) for words in ("UNIT pyt", "pytest", "x y")] == [["three"], ["three", "four"], []]
    assert ids("--flag", "v-final-check") == ["two", "one"]
    assert rigor("sessions", "--model", "gpt").status == 1
    assert "leave out an option" in rigor("sessions", home, "--model", "gpt").err
    wrong = rigor("sessions", "--flag", "V-final-chek")
    assert (wrong.status, "(did you mean V-final-check?)" in wrong.err) == (2, True)


def test_a_number_means_a_session_of_the_last_list(rigor: Rigor, home: Path) -> None:
    none = rigor("score", "2")
    assert (none.status, none.err) == (
        2,
        "rigor score: 2: no such file, and there is no list of sessions yet; `rigor sessions` makes one\n",
    )
    rigor("sessions")
    scored = rigor("score", "2", "--json")
    assert scored.json["trajectory"]["id"] == "four"
    assert scored.err.startswith("2: Draw the chart (/")
    assert rigor("events", "2").out.count("\n") > 1
    assert "numbers 1 to 4" in rigor("score", "5").err
    (home / ".claude" / "projects" / "-work-api" / "four.jsonl").unlink()
    gone = rigor("score", "2")
    assert (gone.status, "is gone; run `rigor sessions` again" in gone.err) == (2, True)


def test_a_number_means_one_session_of_a_log_with_several(rigor: Rigor, home: Path) -> None:
    events = [
        {"id": 0, "source": "user", "action": "message", "args": {"content": "Fix it now"}, "message": "Fix it now"},
        {
            "id": 1,
            "source": "agent",
            "action": "run",
            "args": {"command": "ls", "thought": "Looking."},
            "message": "ls",
        },
        {"id": 2, "source": "agent", "observation": "run", "cause": 1, "content": "a b", "extras": {"exit_code": 0}},
    ]
    log = home / "output.jsonl"
    several = [{"instance_id": id, "instruction": "Fix it now", "history": events} for id in ("x-1", "x-2")]
    log.write_text("".join(json.dumps(each) + "\n" for each in several))
    listed = rigor("sessions", log, "--json").json["sessions"]
    assert [row["id"] for row in listed] == ["x-1", "x-2"]
    rigor("sessions", log)
    assert rigor("score", "2", "--json").json["trajectory"]["id"] == "x-2"
    assert rigor("sessions", "--diff", "1", "2", "--json").json["difference"]["b"]["id"] == "x-2"
    refused = rigor("sessions", "--diff", log, "1")
    assert (refused.status, "holds 2 sessions; list them" in refused.err) == (2, True)


def test_only_logs_that_changed_are_read_again(rigor: Rigor, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rigorbench.bench.rigorscore import reviewing as score

    first = rigor("sessions", "--json")
    read: list[str] = []
    review = score.score_and_review

    def counted(trajectory: Any, **options: Any) -> Any:
        read.append(trajectory.id)
        return review(trajectory, **options)

    monkeypatch.setattr(score, "score_and_review", counted)
    assert rigor("sessions", "--json").out == first.out
    assert read == []
    _log(home, "one", "2026-10-05", "Sort the keys of the index and the values", red=True)
    again = rigor("sessions", "--json", "--jobs", 1)
    assert read == ["one"]
    assert again.json["sessions"][-1]["title"] == "Sort the keys of the index and the values"
    (home / "rigor.toml").write_text('ignore = ["V"]\n')  # a row shows what its configuration shows
    assert all(
        c["id"][0] != "V" for s in rigor("sessions", "--json", "--jobs", 1).json["sessions"] for c in s["checks"]
    )


def test_a_cut_log_and_one_without_a_session_stop_nothing(rigor: Rigor, home: Path) -> None:
    folder = home / ".claude" / "projects" / "-work-api"
    whole = (folder / "one.jsonl").read_bytes()
    (folder / "cut.jsonl").write_bytes(whole[: len(whole) // 2])
    (folder / "empty.jsonl").write_bytes(b"")
    done = rigor("sessions", "--json")
    assert (done.status, done.err) == (0, "")
    assert (len(done.json["sessions"]), done.json["logs"], done.json["logs_without_session"]) == (5, 6, 1)
    (folder / "broken.jsonl").write_text("nothing that is a log\n" * 5)
    failed = rigor("sessions")
    assert failed.status == 1
    assert failed.err.count("\n") == 1
    assert "broken.jsonl" in failed.err
    assert "5 sessions" in failed.out


def test_a_home_without_sessions_and_a_folder_that_cannot_be_read(
    rigor: Rigor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in (["sessions"], ["sessions", "--trends"], ["advise"]):
        done = rigor(*command)
        assert done.status == 1
        assert "no agent sessions found in" in done.err
    assert rigor("sessions", "--json").json["sessions"] == []
    closed = tmp_path / "home" / ".claude" / "projects" / "-work-closed"
    closed.mkdir(parents=True)
    may = os.access
    monkeypatch.setattr(formats.os, "access", lambda path, mode: Path(path) != closed and may(path, mode))
    done = rigor("sessions")
    assert done.status == 1
    assert f"{closed}: cannot be read; give yourself access to it (chmod u+rx)" in done.err


def test_the_list_as_a_page(rigor: Rigor, home: Path, tmp_path: Path) -> None:
    done = rigor("sessions", "--html", tmp_path / "list.html")
    assert (done.status, done.err) == (0, f"page: {tmp_path / 'list.html'}\n")
    assert "Name the unit of each value" in (tmp_path / "list.html").read_text()
    rigor("sessions", "--html", tmp_path / "worst.html", "--sort", "flags")
    page = (tmp_path / "worst.html").read_text()
    assert page.index("Read the file once") < page.index("Name the unit of each value")
    missing = rigor("sessions", "--html", tmp_path / "no" / "list.html")
    assert (missing.status, f"there is no folder {tmp_path / 'no'}; make it first" in missing.err) == (2, True)
    assert "is a folder; name a file in it" in rigor("sessions", "--trends", "--html", tmp_path).err
    assert "--open needs --html FILE" in rigor("sessions", "--open").err
    assert rigor("sessions", "--trends", "--html", tmp_path / "trends.html").status == 0
    assert "By week" in (tmp_path / "trends.html").read_text()


def test_trends_of_this_machine_and_of_logs(rigor: Rigor, home: Path) -> None:
    done = rigor("sessions", "--trends", "--json")
    found = done.json["trends"]
    assert [week["start"] for week in found["summary"]["weeks"]] == ["2026-10-05", "2026-10-12", "2026-10-19"]
    assert [(g["name"], g["tally"]["sessions"]) for g in found["groups"]["project"]] == [("api", 3), ("web", 1)]
    some = rigor("sessions", "--trends", home / ".claude", "--by", "project", "--since", "2026-10-13")
    assert some.status == 0
    assert "week of" in some.out
    assert "\nproject" in some.out
    assert "\nmodel" not in some.out
    assert rigor("sessions", "--trends", home / "nowhere").status == 1
    assert "--by KIND needs --trends" in rigor("sessions", "--by", "project").err


def test_advice_for_the_repository_that_one_is_in(rigor: Rigor, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = rigor("advise")
    assert (elsewhere.status, "name a project with --project: api (3), web (1)" in elsewhere.err) == (1, True)
    asked = rigor("advise", "--project", "api")
    assert asked.status == 0
    assert asked.out.startswith("## How to work in this repository\n\n- ")
    assert "V-final-check, in 2 of 3 sessions:" in asked.out
    assert "Sort the keys of the index" in asked.out
    repository = home / "api"
    (repository / ".git").mkdir(parents=True)
    _log(home, "five", "2026-10-21", "Close the file", cwd=str(repository), red=True)
    _log(
        home, "six", "2026-10-22", "Close the other file", cwd=str(repository / ".claude" / "worktrees" / "x"), red=True
    )
    monkeypatch.chdir(repository)
    own = rigor("advise", "--json").json
    assert [(s["sessions"], s["root"]) for s in own["sections"]] == [(2, str(repository))]
    never = rigor("advise", "--project", "web")
    assert (never.status, never.out) == (0, "")
    assert "no finding" in never.err


def test_the_difference_of_two_logs(rigor: Rigor, home: Path) -> None:
    rigor("sessions")
    done = rigor("sessions", "--diff", "4", "1")
    assert done.status == 0
    assert "Sort the keys of the index" in done.out
    assert "V-final-check" in done.out.split("only in A", 1)[1]
    found = rigor("sessions", "--diff", "4", "1", "--json").json
    assert found["schema"] == "rigor-diff/1"
    assert found["difference"]["grades"] == []  # nobody read them
    assert set(found["difference"]["a"]["facts"]) >= {"verification", "recovery"}
    missing = rigor("sessions", "--diff", "4", home / "nowhere.jsonl")
    assert (missing.status, "nowhere.jsonl: does not exist" in missing.err) == (1, True)


def test_a_cache_that_cannot_be_written_costs_only_the_numbers(rigor: Rigor, home: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    done = rigor("sessions")
    assert done.status == 0
    assert "4 sessions" in done.out
    assert "rigor score" not in done.out
    assert "last-list.json: cannot be written (" in done.err
