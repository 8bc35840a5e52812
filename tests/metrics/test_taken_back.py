"""Hypotheses that were tried and taken back: no changed units, and no disorder in a plan that says to run the tests."""

from __future__ import annotations

import pytest

from builders import Session
from rigorbench.bench.rigorscore.score import score_session
from rigorbench.review.result import SubMetric

READER, WRITER, TESTS = "src/reader.py", "src/writer.py", "tests/test_spool.py"
TEST = "def test_rotate():\n    assert rotate(Spool()) == 1\n"
FAILING = [f"{TESTS}::test_rotate"]


def submetric(session: Session, pillar: str, name: str) -> SubMetric:
    return score_session(session.build()).score.pillars[pillar].submetrics[name]


def hypothesis() -> Session:
    """A test first; a hypothesis that fails; it is taken back, and the cause is removed elsewhere."""
    old, new = "def lines(spool):\n    return spool.lines\n", "def lines(spool):\n    return sorted(spool.lines)\n"
    session = Session("rotate() loses a line. Repair it.")
    session.todo(f"Write `test_rotate` in {TESTS}", f"See what {READER} returns", "Run the whole suite")
    session.edit(TESTS, "", TEST).pytest(4, FAILING).edit(READER, old, new).pytest(4, FAILING).edit(READER, new, old)
    return session.edit(WRITER, "def rotate(spool):\n    return 0\n", "def rotate(spool):\n    return 1\n").pytest(5)


def test_a_change_that_was_taken_back_needs_no_test() -> None:
    again = hypothesis().edit(READER, "def head(spool):\n    return 0\n", "def head(spool):\n    return 1\n").pytest(5)
    found = submetric(again, "VC", "TCR")
    assert (found.value, found.n) == (1 / 2, 2), "rotate and head, not lines in the file of head"


def test_a_method_without_its_class_in_one_edit_is_the_method_with_it_in_another() -> None:
    session = (
        Session("Repair it.")
        .edit(
            "src/a.py",
            "class Box:\n    def size(self):\n        return 0\n",
            "class Box:\n    def size(self):\n        return 1\n",
        )
        .edit("src/a.py", "    def size(self):\n", "    def size(self, unit=1):\n")
        .pytest(5)
    )
    assert submetric(session, "VC", "TCR").n == 1


def test_of_several_runs_the_one_in_the_order_of_the_plan_carries_it_out() -> None:
    # The first run, which the test was written for, is not yet the last item's.
    found = submetric(hypothesis(), "PF", "PEA")
    assert found.value == 1.0, found.reason


def test_an_edit_of_a_comment_carries_out_no_item() -> None:
    session = Session("Repair it.").todo("Repair rotate in src/writer.py", "Repair lines in src/reader.py")
    session.edit(WRITER, "def rotate(spool):\n    return 0\n", "def rotate(spool):\n    return 1\n")
    session.edit(READER, "def lines(spool):\n", "# Repaired.\ndef lines(spool):\n").pytest(5)
    assert submetric(session, "PF", "PEA").value == pytest.approx(1 / 2)


def test_where_comments_are_the_work_they_carry_it_out() -> None:
    session = Session("Explain rotate and lines in comments.")
    session.todo("Explain what rotate returns in src/writer.py", "Explain the order of lines in src/reader.py")
    session.edit(WRITER, "def rotate(spool):\n", "# The new number.\ndef rotate(spool):\n")
    session.edit(READER, "def lines(spool):\n", "# Oldest first.\ndef lines(spool):\n").pytest(5)
    assert submetric(session, "PF", "PEA").value == 1.0


def test_two_failing_runs_with_no_attempt_between_them_waste_nothing() -> None:
    broken = Session("Speed up rotate().").pytest(5).edit(WRITER, "return rotated", "return None").pytest(4, FAILING)
    found = submetric(
        broken.pytest(4, FAILING).edit(WRITER, "return None", "return rotated[:]").pytest(5), "RE", "1-TWR"
    )
    assert (found.value, found.n) == (1.0, 1)
