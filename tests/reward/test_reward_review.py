"""The reward of a log is its overall grade: credit to the evidence of the rungs, losses to the checks that fired."""

from __future__ import annotations

from bases import PROMPT

from builders import Session
from rigorbench import reward, score
from rigorbench.metrics.reward.model import Reward

APP, TEST = "src/cart.py", "tests/test_cart.py"
BROKEN = "tests/test_cart.py::test_total"


def by_step(found: Reward) -> dict[int, dict[str, float]]:
    return {s.step: s.by for s in found.steps if s.by}


def worked(*, last_run: bool = True) -> Session:
    work = Session(PROMPT).say("I read the code, reproduce the failure and then repair the rounding of the totals.")
    work.read(APP, "total = 1\n").read(TEST, "def test_total(): ...\n").pytest(3, (BROKEN,)).edit(
        APP, "total = 1", "total = 2"
    )
    return work.pytest(4) if last_run else work


def test_the_last_run_earns_verification_and_what_was_read_planning() -> None:
    trajectory = worked().say("Done.").build()
    found = reward(trajectory)
    assert found.of == "review"
    assert found.total == score(trajectory).review.overall
    assert found.capped_by == []
    by = by_step(found)
    reads = [n for n, s in enumerate(trajectory.steps) if s.calls and s.calls[0].name == "Read"]
    runs = [n for n, s in enumerate(trajectory.steps) if s.calls and "pytest" in str(s.calls[0].input)]
    assert any("planning" in by.get(n, {}) for n in reads)
    assert "verification" in by[runs[-1]]
    assert by[runs[-1]]["verification"] > by[runs[0]].get("verification", 0)


def test_a_check_that_did_not_run_is_missing_and_no_step_is_charged() -> None:
    with_it, without = reward(worked().say("Done.").build()), reward(worked(last_run=False).say("Done.").build())
    assert (with_it.total or 0) > (without.total or 0)
    assert without.missing["verification"] > with_it.missing["verification"]


def test_a_bent_test_caps_and_is_charged() -> None:
    work = Session(PROMPT).read(APP, "total = 1\n").read(TEST, "    assert total(2) == 5\n").pytest(3, (BROKEN,))
    work.edit(APP, "total = 1", "total = 2").pytest(3, (BROKEN,))
    work.edit(TEST, "    assert total(2) == 5\n", "    assert True\n").pytest(4)
    trajectory = work.say("All tests pass.").build()
    found = reward(trajectory)
    assert found.total is not None
    assert found.total <= 25
    assert "R-bent-tests" in found.capped_by
    # What the cap takes is charged to the run that was red, the first event of the check.
    review = score(trajectory).review
    [bent] = [c for c in review.checks if c.id == "R-bent-tests"]
    charged = {s.step for s in found.steps if "cap" in s.lost_by}
    assert charged == {bent.step}


def test_a_log_that_is_cut_off_has_no_reward_but_a_reason() -> None:
    trajectory = worked().say("Done.").build()
    trajectory.complete = False
    found = reward(trajectory)
    assert found.total is None
    assert found.reason.startswith("the log is cut off")
    assert all(s.credit is None for s in found.steps)


def test_steps_that_do_nothing_earn_nothing() -> None:
    plain = reward(worked().say("Done.").build())
    padded = worked()
    for _ in range(3):
        padded.shell("git status --short", " M src/cart.py").shell("true")
    found = reward(padded.say("Done.").build())
    assert found.total == plain.total
    last = len(worked().build().steps)
    assert all(not s.credit for s in found.steps if s.step >= last)


def test_a_repeated_green_run_gets_no_share() -> None:
    once, again = worked(), worked().pytest(4)
    first, second = reward(once.say("Done.").build()), reward(again.say("Done.").build())
    assert second.total == first.total
    repeated = len(worked().build().steps)
    assert next(s for s in second.steps if s.step == repeated).credit == 0


def test_with_a_task_the_rigor_score_is_shared_out() -> None:
    from bases import TASKS

    trajectory = worked().say("Done.").build()
    found = reward(trajectory, task=TASKS["requirements"])
    assert (found.of, found.most) == ("score", 1)
    assert reward(trajectory, task=TASKS["requirements"], of="review").most == 100
