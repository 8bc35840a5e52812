"""Logs that name the edited files and not what was written: nothing is concluded about what the edits say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from builders import Session as Log
from rigorbench.api import read
from rigorbench.bench.rigorscore.extended import tampering
from rigorbench.bench.rigorscore.recovery import sd
from rigorbench.bench.rigorscore.verification import dc, tcr
from rigorbench.evidence.facts import Unplaced
from rigorbench.evidence.walk.extract import extract
from rigorbench.review.session import Session

GREEN = "\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n"
RED = "\n FAIL  src/sum.test.ts > adds\nAssertionError: 1\n\n Test Files  1 failed (1)\n      Tests  1 failed (1)\n"


def stream(tmp_path: Path, *items: dict[str, Any]) -> Session:
    """The stream of ``codex exec``, whose ``file_change`` items have only paths."""
    events: list[dict[str, Any]] = [{"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}]
    for number, item in enumerate(items):
        events.append({"type": "item.completed", "item": {"id": f"item_{number}", "status": "completed", **item}})
    events.append(
        {"type": "turn.completed", "usage": {"input_tokens": 900, "cached_input_tokens": 700, "output_tokens": 50}}
    )
    path = tmp_path / "codex.txt"
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    (trajectory,) = read(path)
    return Session(extract(trajectory))


def changed(**kinds: str) -> dict[str, Any]:
    changes = [{"path": f"/app/src/{name.replace('_', '.')}.ts", "kind": kind} for name, kind in kinds.items()]
    return {"type": "file_change", "changes": changes}


def ran(output: str, code: int) -> dict[str, Any]:
    command = "/bin/bash -lc 'cd /app && npx vitest run'"
    return {"type": "command_execution", "command": command, "aggregated_output": output, "exit_code": code}


def test_whether_unseen_tests_test_the_change_is_unknown(tmp_path: Path) -> None:
    session = stream(tmp_path, changed(sum="update", sum_test="add"), ran(GREEN, 0))
    assert [e.path for e in session.edits] == ["src/sum.ts", "src/sum.test.ts"]
    for metric in (tcr, dc):
        result = metric(session)
        assert (result.value, result.status) == (None, "unscorable")
        assert result.reason == "the log names 1 edited test file and does not state what was written"


def test_without_a_test_file_there_is_no_test(tmp_path: Path) -> None:
    session = stream(tmp_path, changed(sum="update"), ran(GREEN, 0))
    assert [metric(session).value for metric in (tcr, dc)] == [0.0, 0.0]


def test_whether_an_existing_test_was_weakened_is_unknown(tmp_path: Path) -> None:
    assert tampering(stream(tmp_path, changed(sum="update", sum_test="update"), ran(GREEN, 0))).status == "unscorable"
    assert tampering(stream(tmp_path, changed(sum="update", sum_test="add"), ran(GREEN, 0))).value == 1.0


def test_whether_an_unseen_attempt_repeats_another_is_unknown(tmp_path: Path) -> None:
    fix, red = changed(sum="update"), ran(RED, 1)
    session = stream(tmp_path, fix, red, fix, red, fix, red, fix, ran(GREEN, 0))
    (episode,) = session.episodes
    assert (episode.failed_attempts, episode.repeats) == (2, 0)
    assert sd(session).status == "unscorable"


def test_the_usage_of_the_turn_is_the_usage_of_the_session(tmp_path: Path) -> None:
    usage = stream(tmp_path, ran(GREEN, 0)).evidence.trajectory.total_usage()
    assert (usage.input, usage.cache_read, usage.output) == (200, 700, 50)


def test_who_may_have_changed_something_is_not_idle(tmp_path: Path) -> None:
    session = stream(tmp_path, ran(GREEN, 0))
    session.evidence.prompt.asks_change = True
    assert session.idle
    session.evidence.unplaced.append(Unplaced("the tool mcp__x__apply", frozenset(("edit",))))
    unread = Session(session.evidence)
    assert not unread.idle
    wanted = "the log shows no edit in the project, and what was done to files by the tool mcp__x__apply is not known"
    assert unread.why_unscorable == wanted


# -- an agent's check of the program as a whole, in any form: what it covers is unknown, and it is no missing


SOURCE = "int main() { return 1; }\n"
CHECKS = {
    "tests/check.py": ("import subprocess, sys\nsys.exit(subprocess.call(['./code']))\n", "python3 tests/check.py"),
    "tests/check.sh": ('test "$(./code < in.txt)" = 3\n', "sh tests/check.sh"),
    "tests/check.cpp": ('#include "../q.hpp"\nint main() { return q(); }\n', "g++ -o /tmp/check tests/check.cpp"),
}


def session(path: str, *statuses: int) -> Session:
    text, command = CHECKS[path]
    log = Log("Write main.cpp").write(path, text)
    for status in statuses:
        log = log.write("main.cpp", f"{SOURCE}// {status}\n").shell(command, exit_status=status)
    return Session(extract(log.say("Done.").build()))


@pytest.mark.parametrize("path", CHECKS)
def test_a_check_that_was_red_and_green_is_a_test(path: str) -> None:
    for metric in (tcr, dc):
        found = metric(session(path, 1, 0))
        assert found.status == "unscorable"
        assert path in found.reason


@pytest.mark.parametrize("path", CHECKS)
@pytest.mark.parametrize("statuses", [(), (0,), (1,), (0, 0)])
def test_a_file_that_was_never_seen_failing_and_passing_is_none(path: str, statuses: tuple[int, ...]) -> None:
    assert [metric(session(path, *statuses)).value for metric in (tcr, dc)] == [0.0, 0.0]


def test_a_compiled_check_is_seen_in_the_runs_of_its_program() -> None:
    text = '#include "../q.hpp"\n#include <cassert>\nint main() { assert(q() == 1); return 0; }\n'
    build = CHECKS["tests/check.cpp"][1]
    log = Log("Write q.hpp").write("tests/check.cpp", text).write("q.hpp", "int q() { return 2; }\n")
    log = log.shell(build, exit_status=0).shell("/tmp/check", exit_status=1).write("q.hpp", "int q() { return 1; }\n")
    log = log.shell(build, exit_status=0).shell("/tmp/check", exit_status=0)
    found = tcr(Session(extract(log.say("Done.").build())))
    assert found.status == "unscorable"
    assert "tests/check.cpp" in found.reason
