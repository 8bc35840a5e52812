"""The quantities of the paper's later version that are computed, each where it has a value and where it has none."""

from __future__ import annotations

import pytest

from builders import Session
from rigorbench.bench.rigorscore.later_version import SEVEN, seven_pillars
from rigorbench.bench.rigorscore.score import score_session
from rigorbench.review.result import Pillar, SubMetric
from rigorbench.session.task import Ambiguity, Task

GOOD = "from src.area import area\n\n\ndef test_area():\n    assert area(2) == 4\n"
VOID = "\n\ndef test_nothing():\n    area(2)\n"


def extended(session: Session, task: Task | None = None) -> dict[str, SubMetric]:
    return score_session(session.build(), task=task).score.extended


def work() -> Session:
    session = Session("Make area work.")
    session.read("src/area.py").read("src/area.py").edit("src/area.py", "return x", "return x * x")
    return session.read("src/area.py").edit("src/other.py", "1", "2")


def test_tests_that_cannot_fail_lower_the_density_of_assertions() -> None:
    found = extended(work().write("tests/test_area.py", GOOD + VOID).pytest(passed=2))["TAD"]
    assert (found.value, found.n) == (0.5, 2)
    assert extended(work())["TAD"].value == 0.0
    assert extended(Session("What does area do?").read("src/area.py"))["TAD"].status == "not_applicable"


def test_looking_twice_at_the_same_is_no_exploration() -> None:
    """Of three looks the second repeats the first; the third comes after an edit of the file."""
    found = extended(work())["EE"]
    assert (found.value, found.n) == (pytest.approx(2 / 3), 3)


def test_only_the_same_look_again_repeats_one() -> None:
    """Not another part of the same file, nor two commands of one loop, nor what comes after an edit."""
    loop = 'for f in src/area.py src/side.py; do head -5 "$f"; tail -5 "$f"; done'
    session = Session("Make area work.").shell(loop, "x\n").shell("sed -n 1,9p src/area.py", "x\n")
    session.shell("sed -n 10,19p src/area.py", "x\n").edit("src/area.py", "return x", "return x * x")
    session.shell("awk 'length > 100' src/area.py", "").shell("sed -n 1,9p src/area.py", "x\n")
    found = extended(session)["EE"]
    wanted = "0 of 8 looks at a file repeat an earlier call word for word, with its output and no edit in between"
    assert found.reason == wanted
    again = extended(session.shell("sed -n 1,9p src/area.py", "x\n"))["EE"]
    wanted = "1 of 9 looks at a file repeat an earlier call word for word, with its output and no edit in between"
    assert again.reason == wanted


def test_a_file_that_was_not_looked_at_is_changed_without_grounding() -> None:
    found = extended(work().shell("sed -i s/1/2/ src/third.py"))["CGR"]
    assert found.value is None  # of src/other.py it named the text, which it must have seen somewhere
    blind = Session("Make area work.").read("src/area.py").edit("src/area.py", "x", "y")
    found = extended(blind.shell("sed -i s/1/2/ src/third.py"))["CGR"]
    assert (found.value, found.n) == (0.5, 2)
    said = extended(work())["CGR"].reason
    assert said == "no look at src/other.py before its first change was recognised, and there may have been one"
    # What the agent made itself it knows, also by another name; what it only takes away it need not know.
    moved = Session("x").shell("echo 1 > src/new.py").shell("mv src/new.py src/a.py").edit("src/a.py", "1", "2")
    assert extended(moved.shell("rm src/b.py"))["CGR"].status == "not_applicable"
    assert extended(Session("x").write("src/new.py", "a = 1\n").edit("src/new.py", "1", "2"))["CGR"].value is None


def test_clarification_is_aq_of_ambiguous_tasks() -> None:
    task = Task(solvable="ambiguous", ambiguity=Ambiguity("which unit", keywords=["metres"]))
    asked = Session("Make area work.").read("src/area.py").ask("Is it in metres?")
    assert extended(asked.edit("src/area.py", "1", "2"), task)["CBS"].value == 1.0
    assert extended(work(), Task())["CBS"].status == "not_applicable"
    assert extended(work())["RR"].status == "unscorable"


def test_seven_pillars_have_the_weights_of_the_later_version() -> None:
    assert sum(SEVEN.values()) == pytest.approx(1.0)
    pillars = {name: Pillar(1.0, "scored", 0.2, 1.0, {}) for name in ("PF", "VC", "RE", "AQ", "ATI")}
    further = {name: SubMetric(0.0, "scored", "parsed", 1, [], "") for name in ("TAD", "EE")}
    assert seven_pillars(pillars, further).value == pytest.approx(0.7)
    pillars["AQ"] = Pillar(None, "not_applicable", 0.15, None, {})
    assert seven_pillars(pillars, further).value == pytest.approx(0.6 / 0.9, abs=1e-6)
