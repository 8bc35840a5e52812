"""What is said of a session without an error episode: "nothing failed" only where that is certain."""

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
    assert why(session) == "no failed check of the change is known; 1 failure of tests of its own, repaired in these"


@pytest.mark.parametrize(
    "session",
    [
        capped().shell("python -m limits --max x", "invalid value", exit_status=2),
        capped().edit("limits.py", "max(", "min(", applied=False),
        capped().shell("python /tmp/compare.py | tail -1", "mismatches: 1"),
        capped().shell("python -m limits 12; true", "10", exit_status=None),
        capped().call("deploy_preview", Other(), Result("ok")),
        capped().shell("python -m pytest -q", "....", exit_status=None, timed_out=True),
    ],
)
def test_what_may_have_failed_unseen_is_not_called_well(session: Session) -> None:
    assert why(session) == "no failed check of the change is known"
