"""A plan is worth the same wherever it is kept: in a todo list, or in a message of an agent that has no such tool."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from builders import Session
from rigorbench.bench.rigorscore.reviewing import score_and_review

ITEMS = ("Read shop/codes.py for the rate", "Change Cart.total in shop/cart.py", "Run tests/test_cart.py")
TICKED = [f"- [x] {ITEMS[0]}", *(f"- [ ] {item}" for item in ITEMS[1:])]

Write = Callable[[Session, int], Session]


def in_a_tool(session: Session, done: int) -> Session:
    return session.say("This is what I do.").todo(*ITEMS, done=done)


def in_boxes(session: Session, done: int) -> Session:
    lines = TICKED if done else [f"- [ ] {item}" for item in ITEMS]
    return session.say("This is what I do.\n\n" + "\n".join(lines))


def in_a_list(session: Session, done: int) -> Session:
    lines = [] if done else ["My plan:", *(f"{n}. {item}" for n, item in enumerate(ITEMS, 1))]
    return session.say("\n".join(["This is what I do.", *lines]))


def in_a_printed_list(session: Session, done: int) -> Session:
    """As our scripted policies do for an agent that takes a message without a call for the end."""
    text = "\n".join(TICKED if done else [f"- [ ] {item}" for item in ITEMS])
    return in_boxes(session, done).shell(f"cat <<'EOF'\n{text}\nEOF", text)


def played(write: Write) -> dict[str, object]:
    session = write(Session("Make Cart.total in shop/cart.py apply the rate."), 0)
    session.read("shop/codes.py", "RATE = 2\n\n\ndef total(): ...\n")
    session.read("shop/cart.py", "def total():\n    return 1\n")
    write(session, 1)
    session.edit("shop/cart.py", "def total():\n    return 1\n", "def total():\n    return RATE\n")
    session.pytest(3, command="python -m pytest -q tests/test_cart.py").commit("Apply the rate", "shop/cart.py")
    report = score_and_review(session.say("Cart.total applies the rate.").build())
    measures = {name: m.value for name, m in report.score.pillars["PF"].submetrics.items()}
    return {**measures, "planning": report.review.grades["planning"].reason.replace("in a message", "of steps")}


@pytest.mark.parametrize("write", [in_boxes, in_a_list, in_a_printed_list])
def test_the_same_session_without_a_todo_tool(write: Write) -> None:
    found = played(write)
    assert found["PAC"] == 1
    assert found == played(in_a_tool)


def test_without_a_plan_none_is_told() -> None:
    none = played(lambda session, done: session.say("This is what I do."))
    assert none["PAC"] == 0
    assert "a list" not in str(none["planning"])
    assert "a list of steps before the first edit" in str(played(in_a_tool)["planning"])


def test_text_that_a_command_prints_of_its_own_is_no_look_at_the_project() -> None:
    def looked(*commands: tuple[str, str]) -> bool:
        session = Session("Make Cart.total in shop/cart.py apply the rate.").read("shop/cart.py", "def total(): ...\n")
        for command, output in commands:
            session.shell(command, output)
        session.edit("shop/cart.py", "def total(): ...\n", "def total():\n    return RATE\n")
        said = score_and_review(session.say("Done.").build()).review.grades["planning"].reason
        return "before the first edit" in said

    assert not looked()
    assert not looked(("echo 'def total'", "def total"))
    assert not looked(("cat <<'EOF'\ndef total\nEOF", "def total"))
    assert looked(("cat shop/tests.py", "from cart import total\n"))
