"""An attempt answers a failure that the agent has seen, and what ran on another tree is no failure of the change."""

from __future__ import annotations

from builders import Session, pytest_output
from rigorbench.api import extract
from rigorbench.evidence.events import EpisodeEvent
from rigorbench.session.model import Trajectory

A = "src/a.py"
RED = "tests/test_a.py::test_total"


def episodes(trajectory: Trajectory) -> list[EpisodeEvent]:
    return [e for e in extract(trajectory).events if isinstance(e, EpisodeEvent)]


def in_one_message(session: Session, first: int, last: int) -> Trajectory:
    """The calls of these steps as the agent had sent them together."""
    trajectory = session.build()
    steps = trajectory.steps
    steps[first].calls = [c for s in steps[first : last + 1] for c in s.calls]
    del steps[first + 1 : last + 1]
    return trajectory


def broken() -> Session:
    return Session("Add a discount to total().").pytest(4).edit(A, "sum(x)", "sum(x) - 1").pytest(3, [RED])


def test_an_edit_sent_along_with_the_failing_run_is_no_attempt() -> None:
    session = broken().edit(A, "a", "b").pytest(3, [RED]).edit(A, " - 1", "").pytest(4)
    assert [e.attempts for e in episodes(session.build())] == [2]
    (found,) = episodes(in_one_message(session, 3, 5))
    assert (found.attempts, found.failed_attempts, found.resolved) == (1, 0, "green")


def test_a_copy_that_is_broken_on_purpose_is_no_failure_of_the_change() -> None:
    work = Session("Add a discount to total().").pytest(4).edit(A, "sum(x)", "sum(x) - 1").pytest(4)
    control = "cp -r src tests /tmp/old && cd /tmp/old && git show HEAD:src/a.py > src/a.py && python -m pytest -q"
    assert episodes(work.shell(control, pytest_output(3, [RED]), exit_status=1).build()) == []


def test_what_a_change_of_the_project_repairs_is_its_failure_wherever_it_ran() -> None:
    build, broke = "cd /tmp/out && cmake --build .", "src/a.c:3:5: error: expected ';'\n"
    work = Session("Add a discount.").edit("src/a.c", "x", "y").shell(build, broke, exit_status=2)
    work.edit("src/a.c", "y", "y;").shell(build, "[100%] Built target a\n", exit_status=0)
    (found,) = episodes(work.build())
    assert (found.resolved, found.attempts, found.attributed) == ("green", 1, "own")
