"""Recorded runs: which command belongs to a call, and which tests a script ran."""

from __future__ import annotations

import pytest

from builders import Session
from rigorbench.base.journal import CommandRecord
from rigorbench.evidence import events
from rigorbench.evidence.walk.extract import extract
from rigorbench.session.model import ObservedProcess, Result, Shell, Source, ToolCall
from rigorbench.session.readers.capture.commands import Span, match
from rigorbench.session.readers.capture.records import ObservedCommand


@pytest.mark.parametrize("ran_in", ["/srv/shop", "/srv", None])
def test_a_call_is_matched_without_the_change_of_directory_that_was_dropped(ran_in: str | None) -> None:
    """Claude Code drops one to where it believes to be; the command ran where it was seen to run."""
    started = CommandRecord(time=5.0, id="c1", pid=7, argv=["bash", "-c", "make lint && make"], cwd=ran_in)
    action = Shell("cd /srv/shop && make lint && make")
    call = ToolCall("t1", "Bash", {}, action, Source("journal.jsonl", 1))
    span = Span(call, 0, 4.0, 6.0)
    match([span], [ObservedCommand(started, 1)], {})
    assert span.command is not None
    assert (action.command, action.cwd) == ("make lint && make", ran_in)


@pytest.mark.parametrize(("status", "outcome"), [(0, "passed"), (1, "error")])
def test_the_tests_that_a_script_started_are_a_test_run(status: int, outcome: str) -> None:
    ran = [
        ObservedProcess(["sh", "./release.sh"], status),
        ObservedProcess(["python", "-m", "pytest", "-q", "tests"], status),
        ObservedProcess(["tee", "out.txt"], 0),
    ]
    session = Session("Release it").edit("shop.py", "a", "b")
    session.call("Bash", Shell("./release.sh 'Round the totals'"), Result("ready", exit_status=status, programs=ran))
    runs = [e for e in extract(session.build()).events if isinstance(e, events.TestRunEvent)]
    assert [(e.command, e.outcome) for e in runs] == [("python -m pytest -q tests", outcome)]


def test_a_script_without_a_record_of_its_programs_is_no_test_run() -> None:
    session = Session("Release it").edit("shop.py", "a", "b").shell("./release.sh", "ready")
    assert not any(isinstance(e, events.TestRunEvent) for e in extract(session.build()).events)
