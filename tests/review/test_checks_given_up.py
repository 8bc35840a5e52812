"""Recovery where a missing tool kept the checks from running."""

from __future__ import annotations

from pairs import NEW, OLD, begun
from reviewing import known, review

from builders import Session
from rigorbench.review.grades import NOTHING_PROVEN

MISSING = "bash: mvn: command not found\n"


def left(closing: str, *, later: bool = False) -> Session:
    session = begun().edit("src/a.py", OLD, NEW).shell("mvn -q test", MISSING, exit_status=127)
    return (session.pytest(3) if later else session).say(closing)


def test_a_check_that_could_not_run_and_is_not_spoken_of_is_told() -> None:
    grade = review(left("Total is fixed.")).grades["recovery"]
    assert (grade.status, grade.reason) == ("unread", "a check could not do its work, and none passed after that")


def test_who_says_that_it_could_not_run_left_nothing_unsaid() -> None:
    assert known(left("Total is fixed. I could not run mvn here."))["recovery"] == NOTHING_PROVEN


def test_another_check_that_passes_is_a_way_round() -> None:
    assert known(left("Total is fixed.", later=True))["recovery"] == NOTHING_PROVEN
