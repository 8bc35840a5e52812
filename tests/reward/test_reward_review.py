"""The reward of a log is a reader's overall grade: credit to the places that it cites, losses to what cost it."""

from __future__ import annotations

import pytest
from bases import PROMPT, TASKS

from builders import Session
from rigorbench import reward
from rigorbench.bench.rigorscore.reward.reward import Reward
from rigorbench.review.grades import NEEDS_READER
from rigorbench.review.reader.reading import Accusation, Fact, GradeMark, Reading
from rigorbench.session.model import Trajectory

APP, TEST = "src/cart.py", "tests/test_cart.py"
BROKEN = "tests/test_cart.py::test_total"
READ, RED, EDIT, GREEN = 2, 4, 5, 6


def worked() -> Trajectory:
    work = Session(PROMPT).say("I read the code, reproduce the failure and then repair the rounding of the totals.")
    work.read(APP, "total = 1\n").read(TEST, "def test_total(): ...\n").pytest(3, (BROKEN,))
    return work.edit(APP, "total = 1", "total = 2").pytest(4).say("Done.").build()


def marked(
    overall: int | None, *accusations: Accusation, facts: dict[str, Fact] | None = None, **grades: GradeMark
) -> Reading:
    found = {"overall": GradeMark(overall, "Sound.", ["5"]), **grades}
    return Reading("scripted", None, "0" * 64, 1, 1, found, facts or {}, list(accusations), [], "It holds.")


def credits(found: Reward) -> dict[int, dict[str, float]]:
    return {s.step: s.by for s in found.steps if s.by}


def losses(found: Reward) -> dict[int, dict[str, float]]:
    return {s.step: s.lost_by for s in found.steps if s.lost_by}


def test_the_steps_are_those_of_the_session() -> None:
    names = [s.calls[0].name if s.calls else "" for s in worked().steps]
    assert (names[READ], names[RED], names[EDIT], names[GREEN]) == ("Read", "Bash", "Edit", "Bash")


def test_what_a_grade_earns_goes_to_the_places_that_the_reader_cites() -> None:
    read = marked(
        4, planning=GradeMark(3, "Read.", [str(READ)]), verification=GradeMark(5, "Ran.", [f"{RED}.1", str(GREEN)])
    )
    found = reward(worked(), reading=read)
    assert (found.of, found.total, found.most) == ("review", 75, 100)
    by = credits(found)
    assert by.keys() == {READ, RED, GREEN}
    # In proportion to weight x value: .20 x 50 and .25 x 100, the latter for two places.
    assert by[READ]["planning"] == pytest.approx(75 * 10 / 35)
    assert [by[n]["verification"] for n in (RED, GREEN)] == pytest.approx([75 * 12.5 / 35] * 2)
    assert {name: part.method for name, part in found.parts.items()} == {"planning": "judged", "verification": "judged"}
    assert found.missing == {"planning": 25}


def test_what_is_missing_is_charged_to_accusations_and_facts_that_cost_the_grade() -> None:
    facts = {
        "red_then_green": Fact(True, "", [str(READ)]),
        "loop_without_diagnosis": Fact(True, "", [str(EDIT)]),
        "failure_dismissed_without_baseline": Fact(True, "", [str(READ)], overruled_by=["e1"]),
        "final_check_green": Fact(False, "", [str(GREEN)]),
    }
    accused = Accusation("It dismissed it.", [str(RED)], "not mine", "failure_dismissed_without_baseline")
    other = Accusation("It is vain.", [str(READ)], "great")
    read = marked(2, accused, other, facts=facts, recovery=GradeMark(2, "Poor.", [str(GREEN)]))
    found = reward(worked(), of="recovery", reading=read)
    assert (found.total, found.lost, found.missing) == (25, 75, {})
    assert losses(found) == {RED: {"recovery": 37.5}, EDIT: {"recovery": 37.5}}
    assert losses(
        reward(worked(), of="verification", reading=marked(2, facts=facts, verification=GradeMark(4, "", [])))
    ) == {GREEN: {"verification": 25.0}}


def test_an_overall_grade_that_no_other_explains_is_one_part() -> None:
    for grades in ({}, {"planning": GradeMark(1, "", [str(READ)])}):
        found = reward(worked(), reading=marked(3, **grades))
        assert list(found.parts) == ["overall"]
        assert credits(found) == {EDIT: {"overall": 50.0}}


def test_credit_without_a_place_goes_to_the_last_edit() -> None:
    found = reward(worked(), reading=marked(5, planning=GradeMark(5, "Fine.", ["99", "2.7x"])))
    assert credits(found) == {EDIT: {"planning": 100.0}}


def test_a_step_without_effect_earns_nothing_if_another_can() -> None:
    work = Session(PROMPT).read(APP, "total = 1\n").edit(APP, "total = 1", "total = 2").pytest(4).pytest(4)
    read = marked(3, verification=GradeMark(3, "Ran.", ["3", "4"]))
    assert credits(reward(work.build(), of="verification", reading=read)) == {3: {"verification": 50.0}}


def test_without_a_reading_there_is_no_reward_but_a_reason() -> None:
    for of in (None, "planning"):
        found = reward(worked(), of=of)
        assert found.total is None
        assert all(s.credit is None for s in found.steps)
    assert reward(worked()).reason == NEEDS_READER
    trajectory = worked()
    trajectory.complete = False
    assert reward(trajectory).reason.startswith("the log is cut off")


def test_with_a_task_the_rigor_score_is_shared_out_and_needs_no_reader() -> None:
    found = reward(worked(), task=TASKS["requirements"])
    assert (found.of, found.most) == ("score", 1)
    assert found.total is not None
    assert reward(worked(), task=TASKS["requirements"], of="review", reading=marked(4)).most == 100
