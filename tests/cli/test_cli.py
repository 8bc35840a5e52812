"""The command as a user runs it: outputs, exit statuses, streams."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from rigorbench.cli import COMMANDS
from running import ENVIRONMENT, PROGRAM, RIGOR, rigor

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
CLAUDE = DATA / "claude-code" / "e18b5815c7-full.jsonl"
CODEX = DATA / "codex" / "exec-0.169.jsonl"
FLAGGED = DATA / "codex" / "rollout-2026-11-21T21-05-02-01a1ffed-4489-7083-a1d9-7ce1928c35f0.jsonl"


def test_help_names_every_command_and_no_command_is_wrong_usage() -> None:
    done = rigor("--help")
    assert done.returncode == 0
    for command in ("score", "sessions", "advise", "hook", "explain", "demo", "doctor", "bench", "judge", "research"):
        assert f"\n  {command} " in done.stdout
        assert rigor(command, "--help").returncode == 0
    assert rigor().returncode == 2
    wrong = rigor("scroe")
    assert wrong.returncode == 2
    assert "no command 'scroe'" in wrong.stderr


def test_score_json_keeps_the_contract() -> None:
    done = rigor("score", CLAUDE, "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert document["schema"] == "rigor-score/2"
    assert set(document) == {"schema", "trajectory", "review", "benchmark"}
    assert document["benchmark"] is None  # there is no RigorScore without a task
    assert list(document["review"]["grades"]) == ["planning", "verification", "recovery", "abstention", "integrity"]
    paper = json.loads(rigor("score", CLAUDE, "--json", "--paper").stdout)["benchmark"]
    assert paper["rigor_score"] is None
    assert set(document["trajectory"]) >= {
        "id", "source", "format", "agent", "agent_version", "model",
        "started_at", "ended_at", "steps", "events", "tokens",
    }  # fmt: skip
    assert document["trajectory"]["format"] == "claude-code"
    assert set(document["trajectory"]["tokens"]) == {"input", "cache_read", "cache_write", "output"}
    assert list(paper["pillars"]) == ["PF", "VC", "RE", "AQ", "ATI"]
    for pillar in paper["pillars"].values():
        assert set(pillar) == {"value", "status", "weight", "evidence_share", "submetrics"}
        for sub in pillar["submetrics"].values():
            assert set(sub) == {"value", "status", "method", "n", "evidence", "reason"}
            assert (sub["value"] is None) == (sub["status"] != "scored")
    assert sum(len(p["submetrics"]) for p in paper["pillars"].values()) == 13


def test_events_json_is_one_object_a_line_with_its_place() -> None:
    done = rigor("events", CODEX, "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert events
    ids = [e["id"] for e in events]
    assert len(set(ids)) == len(ids)
    for event in events:
        assert set(event) >= {"id", "step", "call", "lane", "time", "source", "kind"}
        assert event["source"]["file"] == str(CODEX)
        assert event["source"]["line"] >= 1
    for stage, kinds in {"edits": {"edit"}, "runs": {"test_run", "run"}}.items():
        alone = [json.loads(line) for line in rigor("events", CODEX, "--json", "--stage", stage).stdout.splitlines()]
        assert alone == [e for e in events if e["kind"] in kinds]
    assert "test_run" in {e["kind"] for e in events}
    calls = [json.loads(line) for line in rigor("events", CODEX, "--stage", "calls").stdout.splitlines()]
    assert [c["at"]["call"] for c in calls] == list(range(len(calls)))


def test_one_bad_input_fails_alone(tmp_path: Path) -> None:
    bad = tmp_path / "notes.txt"
    bad.write_text("nothing of the kind\n")
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    done = rigor("score", bad, CLAUDE, empty, tmp_path / "missing.jsonl", "--json")
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1
    errors = done.stderr.splitlines()
    assert len(errors) == 3
    assert all("Traceback" not in e for e in errors)
    assert errors[0].startswith(f"{bad}:1: is not a known agent log")
    assert errors[1].startswith(f"{empty}:1: is empty")
    assert "does not exist" in errors[2]


def test_standard_input_directories_globs_and_duplicates(tmp_path: Path) -> None:
    assert (
        json.loads(rigor("score", "-", "--json", stdin=CODEX.read_bytes()).stdout)["trajectory"]["source"] == "<stdin>"
    )
    logs = tmp_path / "logs" / "deep"
    logs.mkdir(parents=True)
    for source in (CLAUDE, CODEX):
        shutil.copy(source, logs)
    (logs / "README.md").write_text("# not a log\n")
    (logs / "data.json").write_text('{"name": "not a log"}')
    assert len(rigor("score", tmp_path, "--json").stdout.splitlines()) == 2
    assert len(rigor("score", f"{tmp_path}/**/*.jsonl", "--json").stdout.splitlines()) == 2
    assert len(rigor("score", logs, tmp_path, logs / CODEX.name, "--json").stdout.splitlines()) == 2
    empty = tmp_path / "none"
    empty.mkdir()
    done = rigor("score", empty)
    assert done.returncode == 1
    assert "contains no agent log" in done.stderr


def test_of_several_sessions_a_table_and_what_is_found_most_often() -> None:
    one, both = rigor("score", CLAUDE), rigor("score", CLAUDE, CODEX)
    assert (one.returncode, both.returncode) == (0, 0)
    assert "grades need a reader: `rigor score LOG --reader claude`" in one.stdout
    assert "grade" not in both.stdout
    assert both.stdout.startswith("started ")
    assert str(CLAUDE.name) in both.stdout
    assert "Not shown: `rigor score LOG` shows one session" in both.stdout


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("missing/page.html", "there is no folder {0}/missing; make it first"),
        ("file/page.html", "there is no folder {0}/file; make it first"),
        ("folder.html", "is a folder; name a file in it"),
        ("file/site", "{0}/file is a file, not a folder"),
    ],
)
def test_a_page_that_cannot_be_written_is_no_fault_of_the_log(tmp_path: Path, target: str, said: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.html").mkdir()
    done = rigor("score", CLAUDE, "--html", tmp_path / target)
    assert done.returncode == 2
    assert done.stderr == f"rigor score: --html {tmp_path / target}: {said.format(tmp_path)}\n"
    assert done.stdout == ""


def test_html_of_one_session_is_a_file_and_of_many_a_site(tmp_path: Path) -> None:
    page = tmp_path / "one.html"
    assert rigor("score", CLAUDE, "--html", page).returncode == 0
    assert page.read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html>")
    site = tmp_path / "site"
    assert rigor("score", CLAUDE, CODEX, "--html", site).returncode == 0
    pages = sorted(p.name for p in site.iterdir())
    assert "index.html" in pages
    assert len(pages) == 3
    both = rigor("score", CLAUDE, CODEX, "--html", tmp_path / "two.html")
    assert both.returncode == 2
    assert "need a directory" in both.stderr


def test_a_bad_task_file_is_wrong_usage(tmp_path: Path) -> None:
    task = tmp_path / "task.toml"
    task.write_text("solvable = 7\n")
    done = rigor("score", CLAUDE, "--task", task)
    assert done.returncode == 2
    assert str(task) in done.stderr
    assert "Traceback" not in done.stderr


def test_convert_writes_what_score_reads_again(tmp_path: Path) -> None:
    out = tmp_path / "atif"
    assert rigor("convert", CLAUDE, "--to", "atif", "--out", out).returncode == 0
    (converted,) = out.iterdir()
    original = json.loads(rigor("score", CLAUDE, "--json", "--paper").stdout)
    again = json.loads(rigor("score", converted, "--json", "--paper").stdout)
    assert again["benchmark"]["pillars"] == original["benchmark"]["pillars"]
    assert again["review"]["grades"] == original["review"]["grades"]
    assert again["trajectory"]["tokens"] == original["trajectory"]["tokens"]


def test_doctor_tells_what_works_and_which_formats() -> None:
    done = rigor("doctor", "--json")
    assert done.returncode == 0
    names = {c["name"] for c in json.loads(done.stdout)["checks"]}
    assert {"python", "replay sandbox (bwrap)", "git", "Inspect logs", "reports, queries", "readers by API"} <= names
    listed = rigor("doctor", "--formats").stdout
    from rigorbench.session.registry import readers

    assert {r.format for r in readers()} <= {line.split()[0] for line in listed.splitlines()}


@pytest.mark.parametrize("command", ["score", "events"])
def test_escapes_in_a_log_do_not_reach_the_terminal(command: str, tmp_path: Path) -> None:
    hostile = CODEX.read_bytes().replace(
        b"python -m pytest -q", b"python -m pytest -q # \\u001b]0;owned\\u0007\\u001b[2J"
    )
    assert hostile != CODEX.read_bytes()
    log = tmp_path / "x\x1b[31m.jsonl"
    log.write_bytes(hostile)
    done = rigor(command, log, tmp_path / "\x1b[2Jmissing")
    assert "\x1b" not in done.stdout
    assert "\x1b" not in done.stderr
    assert "\x07" not in done.stdout


def test_a_closed_pipe_ends_quietly() -> None:
    script = f"{sys.executable} -c '{PROGRAM}' events {CLAUDE} --json | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        command = [*RIGOR, "score", str(CLAUDE)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 1
    assert done.stderr == "rigor score: No space left on device (RIGOR_DEBUG=1 shows where)\n"


@pytest.mark.parametrize("package", ["", ".suite"])
def test_every_command_that_is_listed_can_be_called(package: str) -> None:
    group = import_module(f"rigorbench.cli{package}")
    for command in group.COMMANDS:
        module = import_module(f".{command.module or command.name}", group.__name__)
        assert callable(module.command)


@pytest.mark.parametrize("group", ["bench", "judge", "research"])
def test_a_group_lists_its_commands(group: str) -> None:
    done = rigor(group, "--help")
    assert (done.returncode, rigor(group).returncode) == (0, 2)
    for command in COMMANDS:
        listed = f"\n  {command.name} {command.arguments}".rstrip() in done.stdout
        assert listed == (command.group == group != command.name), command


def test_a_command_of_a_group_has_a_short_form() -> None:
    assert rigor("bench", "power", "--tasks", 9).stdout == rigor("power", "--tasks", 9).stdout
    assert "one of: run, suite, report" in rigor("bench", "events").stderr
    assert rigor("research", "events", CODEX).stdout == rigor("events", CODEX).stdout
    assert "RESULTS" in rigor("verify", "--help").stdout
    assert "PACKAGE" in rigor("judge", "verify", "--help").stdout


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ((), "codex-exec log <stdin>"),
        (("--json",), '"rigor-score/2"'),
        (("--html", "{tmp}/page.html"), None),
        (("--format", "markdown"), "1 session reviewed"),
        (("--format", "junit"), "<testsuite"),
        (("--format", "sarif"), '"runs"'),
        (("--format", "github"), None),
    ],
)
def test_every_kind_of_output_reads_standard_input(tmp_path: Path, options: tuple[str, ...], part: str | None) -> None:
    words = [word.replace("{tmp}", str(tmp_path)) for word in options]
    log = FLAGGED if "github" in options else CODEX
    piped = rigor("score", "-", *words, stdin=log.read_bytes())
    named = rigor("score", log, *words)
    assert piped.returncode == named.returncode == 0, piped.stderr
    assert part is None or part in piped.stdout
    assert len(piped.stdout) > len(named.stdout) / 2
    assert "github" not in options or "::error" in piped.stdout
    if "--html" in options:
        assert "<html" in (tmp_path / "page.html").read_text()


def test_nothing_on_standard_input_meets_no_requirement() -> None:
    done = rigor("score", "-", "--format", "markdown", "--fail-on", "flag")
    assert done.returncode == 1
    assert "No session was read" in done.stdout
    assert "meet" not in done.stdout
