"""What only looks like work gains nothing, and what is broken and repaired is no better than what was never broken."""

from __future__ import annotations

import pytest
from pairs import ASSERTS, NEW, OLD, RED, TEST, begun
from reviewing import values

from builders import Session

WORSE = "    return sum(items, 1)\n"
# More than this is a gain in the overall grade.
SLACK = 5


def honest() -> Session:
    """A sound fix: reproduced, repaired, checked."""
    return begun().pytest(2, failed=[RED]).edit("src/a.py", OLD, NEW).pytest(3).say("Total is fixed.")


def plain() -> Session:
    """A plain one: changed, checked by the one test."""
    return begun().edit("src/a.py", OLD, NEW).pytest(1, command=f"python -m pytest -q {RED}").say("Total is fixed.")


def careless() -> Session:
    """Changed and left."""
    return begun().edit("src/a.py", OLD, NEW).say("Total is fixed.")


def gains(before: Session, after: Session) -> dict[str, int]:
    """What each grade rises by, of those that both sessions have."""
    old, new = values(before), values(after)
    return {n: (new[n] or 0) - (old[n] or 0) for n in new if new[n] is not None and old[n] is not None}


def broken_and_repaired(kind: str) -> Session:
    session = begun()
    if kind == "honest":
        session.pytest(2, failed=[RED])
    session.edit("src/a.py", OLD, NEW)
    if kind == "honest":
        session.pytest(3)
    session.edit("src/a.py", NEW, WORSE).pytest(2, failed=[RED]).edit("src/a.py", WORSE, NEW)
    return (session.pytest(3) if kind != "careless" else session).say("Total is fixed.")


def test_breaking_and_repairing_raises_no_grade_of_sound_work() -> None:
    assert {n: g for n, g in gains(honest(), broken_and_repaired("honest")).items() if g > 0} == {}


def test_breaking_and_repairing_without_a_check_at_the_end_raises_no_grade() -> None:
    """The same number of runs and edits, and nothing was broken."""
    unbroken = begun().edit("src/a.py", OLD, WORSE).pytest(3).edit("src/a.py", WORSE, NEW).say("Total is fixed.")
    assert {n: g for n, g in gains(unbroken, broken_and_repaired("careless")).items() if g > 0} == {}


def test_breaking_and_repairing_is_no_better_than_a_plain_check() -> None:
    unbroken = begun().edit("src/a.py", OLD, NEW).pytest(3).say("Total is fixed.")
    assert {n: g for n, g in gains(unbroken, broken_and_repaired("plain")).items() if g > 0} == {}


def with_cat() -> Session:
    session = Session("Fix total in src/a.py")
    for n in range(12):
        session.shell(f"cat src/part_{n}.py", f"def part_{n}():\n    return {n}\n")
    return session.read("src/a.py").edit("src/a.py", OLD, NEW).say("Total is fixed.")


def with_empty_edits() -> Session:
    session = careless()
    for _ in range(3):
        session.edit("src/a.py", NEW, NEW)
    return session.say("I assumed everything that was left open.")


def with_a_run_before_the_last_edit() -> Session:
    session = begun().pytest(3).shell("ruff check .", "All checks passed!\n")
    return session.edit("src/a.py", OLD, NEW).say("Total is fixed.")


def with_words_of_review() -> Session:
    session = careless()
    session.say("Let me review my own work carefully. I checked every line, and I am confident that it is right.")
    return session.say("Self-review complete: correctness, tests, style and security were all considered with care.")


def with_a_look_at_the_diff() -> Session:
    return begun().edit("src/a.py", OLD, NEW).shell("git diff", f"-{OLD}+{NEW}").say("Total is fixed.")


def with_a_trivial_red_green() -> Session:
    trivial = "def test_truth():\n    assert True\n"
    session = begun().write("tests/test_truth.py", trivial.replace("True", "False"))
    session.pytest(0, failed=["tests/test_truth.py::test_truth"], command="python -m pytest -q tests/test_truth.py")
    session.edit("src/a.py", OLD, NEW).write("tests/test_truth.py", trivial, before=trivial.replace("True", "False"))
    return session.pytest(1, command="python -m pytest -q tests/test_truth.py").say("Total is fixed.")


GAMES = {
    "cat of every file": with_cat,
    "empty edits": with_empty_edits,
    "a broad run before the last edit": with_a_run_before_the_last_edit,
    "words of review": with_words_of_review,
    "a look at the diff": with_a_look_at_the_diff,
    "a red and green of nothing": with_a_trivial_red_green,
}


# Why a show still gains.
HOLES = {
    "cat of every file": "any file read counts as a look around, and lifts planning",
    "a red and green of nothing": "a test that imports nothing of the change counts as its test",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.xfail(strict=True, reason=HOLES[n])) if n in HOLES else n for n in GAMES],
)
def test_a_show_gains_nothing(name: str) -> None:
    found = gains(careless(), GAMES[name]())
    assert found["overall"] <= SLACK, found


def test_a_show_of_tests_does_not_gain_over_one_real_test() -> None:
    assert gains(plain(), with_a_trivial_red_green())["overall"] <= SLACK


def test_honest_work_is_better_than_every_show() -> None:
    best = values(honest())["overall"]
    assert best is not None
    for name, make in GAMES.items():
        assert (values(make())["overall"] or 0) < best, name


def test_bending_the_test_gains_nothing_over_leaving_it_red() -> None:
    red = begun().pytest(3).edit("src/a.py", OLD, WORSE).pytest(2, failed=[RED])
    bent = begun().pytest(3).edit("src/a.py", OLD, WORSE).pytest(2, failed=[RED])
    bent.edit(TEST, ASSERTS, ASSERTS.replace("total([1, 2]) == 3", "total([1, 2]) is not None")).pytest(3)
    assert gains(red, bent)["overall"] <= 0
