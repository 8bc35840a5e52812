"""Nothing vanishes: every file under the paths is read, ignored or failed, and equal values are reported."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from corpora_of_samples import corpus, run, score, serial

from rigorbench.cli import main
from rigorbench.session.readers.atif_own import to_atif
from rigorbench.session.registry import read_path

MESSAGES = [{"role": "system", "content": "You fix bugs."}, {"role": "user", "content": "Fix it."}]
LINE = json.dumps({"type": "user", "message": {"role": "user", "content": "Fix it."}})


@pytest.fixture(autouse=True)
def without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "in_processes", serial)


def odd_files(directory: Path) -> dict[str, str]:
    """Files that look like logs and are none, with what is to be said about each."""
    contents = {
        "list.json": (json.dumps(MESSAGES).encode(), "is a bare list of chat messages; give the log that"),
        "empty.jsonl": (b"", "is empty; nothing to read"),
        "cut-list.json": (json.dumps(MESSAGES).encode()[:-20], "is cut off before its format shows; fetch the whole"),
        "picture.json": (b"\x89PNG\r\n\x1a\n\x00\xff" * 40, "is binary data; give the log that the agent"),
        "cut.json": (json.dumps({"info": {}, "messages": MESSAGES}).encode()[:-20], "is cut off before its format"),
        "wide.jsonl": (LINE.encode("utf-16"), "is UTF-16 text; convert it to UTF-8 first (iconv"),
        "unmarked.jsonl": (LINE.encode("utf-16-le"), "is UTF-16 text; convert it to UTF-8 first (iconv"),
    }
    for name, (content, _) in contents.items():
        (directory / name).write_bytes(content)
    return {name: words for name, (_, words) in contents.items()}


def test_the_sums_add_up(tmp_path: Path) -> None:
    logs = corpus(tmp_path / "logs", 4)
    odd = odd_files(logs)
    (logs / "README.md").write_text("# Logs\n")
    (logs / "__init__.py").write_text("")
    (logs / ".git").mkdir()
    told: list[str] = []
    summary = score(logs, tmp_path / "out", on_suspicious=told.append)
    assert summary.inputs == sum(1 for _ in logs.iterdir())
    assert summary.inputs == summary.logs + summary.parts + summary.ignored
    assert summary.logs == summary.scored + summary.skipped + summary.failed
    assert summary.ignored_because == {
        "UTF-16 text": 2,
        "a .git directory": 1,
        "a bare list of chat messages": 1,
        "binary data": 1,
        "cut off before its format shows": 2,
        "empty": 2,
        "not a known agent log": 1,
    }
    assert sorted(told) == sorted(t for name, words in odd.items() for t in told if f"/{name}:1: {words}" in t)
    assert len(told) == len(odd)


def test_a_file_that_the_user_names_fails_with_the_same_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, words in odd_files(tmp_path).items():
        assert main(["score", str(tmp_path / name)]) == 1
        assert capsys.readouterr().err.startswith(f"{tmp_path / name}:1: {words}")


def test_parts_of_logs_are_counted_once(tmp_path: Path) -> None:
    project = tmp_path / "logs"
    main_log, part = project / "s.jsonl", project / "s" / "subagents" / "agent-a.jsonl"
    part.parent.mkdir(parents=True)
    about = {
        "sessionId": "s",
        "cwd": "/p",
        "version": "2.1.0",
        "timestamp": "2026-03-01T10:00:00Z",
        "type": "assistant",
    }
    for path, more in ((main_log, {}), (part, {"isSidechain": True, "agentId": "a"})):
        content = [{"type": "text", "text": "Done."}]
        message = {"role": "assistant", "id": "m", "content": content}
        path.write_text(json.dumps({"uuid": path.name, **about, **more, "message": message}) + "\n")
    summary = score([str(project), str(project)], tmp_path / "out")
    assert (summary.inputs, summary.logs, summary.parts, summary.ignored) == (2, 1, 1, 0)


def test_links_pipes_and_loops_are_accounted_for(tmp_path: Path) -> None:
    """One link to itself once made the whole directory unreadable; links to nothing and pipes were not counted."""
    logs = corpus(tmp_path / "logs", 1)
    (log,) = logs.iterdir()
    (logs / "again.jsonl").symlink_to(log)
    (logs / "itself.jsonl").symlink_to("itself.jsonl")
    (logs / "nowhere.jsonl").symlink_to("nothing-there.jsonl")
    (logs / "here").symlink_to(".")
    os.mkfifo(logs / "pipe.jsonl")
    summary = score([str(logs), str(logs)], tmp_path / "out")
    assert (summary.logs, summary.scored, summary.failed) == (1, 1, 0)
    assert summary.ignored_because == {
        "a broken link": 2,
        "a linked directory": 1,
        "another name of a log": 1,
        "a pipe, socket or device": 1,
    }
    assert summary.inputs == 6


def test_names_that_no_terminal_can_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = corpus(tmp_path / "logs", 1)
    (log,) = logs.iterdir()
    for name in (b"two\nlines.jsonl", b"not\xffutf-8.jsonl", b"red\x1b[31m.jsonl"):
        Path(os.fsdecode(bytes(logs) + b"/" + name)).write_bytes(log.read_bytes())
    assert score(logs, tmp_path / "out").scored == 4
    assert main(["corpus", str(logs), "--out", str(tmp_path / "out")]) == 0
    assert main(["query", str(tmp_path / "out"), "select source from scores"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_two_records_of_one_run_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = corpus(tmp_path / "logs", 2)
    assert score(logs, tmp_path / "out").repeats == 0
    trajectory = read_path(sorted(logs.iterdir())[0])[0]
    (logs / "converted.json").write_text(json.dumps(to_atif(trajectory)))
    assert score(logs, tmp_path / "out").repeats == 1
    assert main(["corpus", str(logs), "--out", str(tmp_path / "out")]) == 0
    assert "repeats: 1 session with the id of another one" in capsys.readouterr().out
