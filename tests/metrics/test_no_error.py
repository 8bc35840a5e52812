"""What is said of a session without an error episode: "nothing failed" only where that is certain."""

from __future__ import annotations

import pytest

from builders import Session
from rigorbench.bench.rigorscore.recovery import rac
from rigorbench.bench.rigorscore.score import open_session
from rigorbench.review.failures import open_failure, why_no_error
from rigorbench.session.model import Other, Result

LIMIT = "def limit(n):\n    return min(n, 10)\n"
TEST = "from limits import limit\n\n\ndef test_limit():\n    assert limit(12) == {}\n"
RED = "tests/test_limits.py::test_limit"
OPEN = "whether there was a failure to recover from is for a reader"


def capped() -> Session:
    return Session("Cap limit() at 10").read("limits.py").write("limits.py", LIMIT)


def why(session: Session) -> str:
    found = open_session(session.build())
    assert found.episodes == []
    assert open_failure(found) == (why_no_error(found) == OPEN)
    return why_no_error(found)


NONE = "no failed check of the change is known"
NO_CHECK = "no test, build or lint of the change by the agent is known"


@pytest.mark.parametrize(
    ("session", "said"),
    [
        (capped().pytest(3), NONE),
        (capped(), NO_CHECK),
        (Session("Which limit does limit() have?").read("limits.py").pytest(3).say("None."), NO_CHECK),
        # What failed before the first edit, or only looked, was no check of the change.
        (Session("Cap limit() at 10").fails("python -m limits 12", "ValueError").write("limits.py", LIMIT)
         .fails("grep -n max limits.py").pytest(3), NONE),
        (capped().pytest(3).write("tests/test_limits.py", TEST.format(12)).pytest(3, [RED])
         .edit("tests/test_limits.py", "== 12", "== 10").pytest(4),
         f"{NONE}, besides what had failed before, by the environment, or in tests that were wrong or ahead of their "
         "code"),
    ],
)  # fmt: skip
def test_that_nothing_failed_is_said_where_every_check_ended_well(session: Session, said: str) -> None:
    assert why(session) == said


@pytest.mark.parametrize(
    "session",
    [
        capped().shell("python -m limits --max x", "invalid value", exit_status=2),
        capped().shell("python /tmp/compare.py | tail -1", "mismatches: 1"),
        capped().shell("python -m limits 12; true", "10", exit_status=None),
        capped().shell("engine --headless .", "SCRIPT ERROR: no such node", exit_status=0),
        capped().call("deploy_preview", Other(), Result("ok")),
        capped().shell("python -m pytest -q", "....", exit_status=None, timed_out=True),
    ],
)
def test_what_may_have_failed_unseen_is_not_called_well(session: Session) -> None:
    assert why(session) == OPEN
    assert rac(open_session(session.build())).status == "unscorable"
