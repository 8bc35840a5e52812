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


def test_no_check_failed_where_every_check_ended_well() -> None:
    assert why(capped().pytest(3)) == "no failed check of the change is known"


def test_where_no_check_ran_none_is_said_not_to_have_failed() -> None:
    assert why(capped()) == "no test, build or lint of the change by the agent is known"
    asked = Session("Which limit does limit() have?").read("limits.py").pytest(3).say("None.")
    assert why(asked) == "no test, build or lint of the change by the agent is known"


def test_what_failed_before_the_first_edit_or_only_looked_was_no_check_of_the_change() -> None:
    session = Session("Cap limit() at 10").shell("python -m limits 12", "ValueError", exit_status=1)
    session.write("limits.py", LIMIT).shell("grep -n max limits.py", "", exit_status=1).pytest(3)
    assert why(session) == "no failed check of the change is known"


def test_a_test_of_its_own_that_was_wrong_is_told() -> None:
    session = capped().pytest(3).write("tests/test_limits.py", TEST.format(12)).pytest(3, [RED])
    session.edit("tests/test_limits.py", "== 12", "== 10").pytest(4)
    assert why(session) == (
        "no failed check of the change is known, "
        "besides what had failed before, by the environment, or in tests that were wrong or ahead of their code"
    )


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
