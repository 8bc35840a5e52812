"""What is said of a session in which no error of the change is known: "nothing failed" only where that is certain."""

from __future__ import annotations

import pytest

from builders import Session
from rigorbench.metrics.score import open_session
from rigorbench.trajectory.model import Other, Result

LIMIT = "def limit(n):\n    return min(n, 10)\n"
TEST = "from limits import limit\n\n\ndef test_limit():\n    assert limit(12) == {}\n"
RED = "tests/test_limits.py::test_limit"


def capped() -> Session:
    return Session("Cap limit() at 10").read("limits.py").write("limits.py", LIMIT)


def why(session: Session) -> str:
    found = open_session(session.build())
    assert found.episodes == []
    return found.why_no_error


def test_nothing_failed_where_every_call_ended_well() -> None:
    assert why(capped().pytest(3)) == "nothing failed"


def test_a_test_of_its_own_that_was_wrong_is_told() -> None:
    session = capped().pytest(3).write("tests/test_limits.py", TEST.format(12)).pytest(3, [RED])
    session.edit("tests/test_limits.py", "== 12", "== 10").pytest(4)
    assert why(session) == "no error of the change is known; seen: 1 failure of tests of its own, repaired in these"


@pytest.mark.parametrize(
    ("session", "told"),
    [
        (capped().shell("python -m limits --max x", "invalid value", exit_status=2), "1 program with an exit status"),
        (capped().edit("limits.py", "max(", "min(", applied=False), "1 failed tool call"),
        (
            capped()
            .write("/tmp/try.py", "import limits\nassert limits.limit(12) == 12\n")
            .shell("python /tmp/try.py", "AssertionError", exit_status=1),
            "1 failed check",
        ),
    ],
)
def test_what_else_failed_is_told(session: Session, told: str) -> None:
    assert told in why(session)


@pytest.mark.parametrize(
    "session",
    [
        capped().shell("python /tmp/compare.py | tail -1", "mismatches: 1"),
        capped().shell("python -m limits 12; true", "10", exit_status=None),
        capped().call("deploy_preview", Other(), Result("ok")),
        capped().shell("python -m pytest -q", "....", exit_status=None, timed_out=True),
    ],
)
def test_what_may_have_failed_unseen_is_not_called_well(session: Session) -> None:
    assert why(session) == "no failure is known"
