"""What is said of files that were edited: that they had not been read only where nothing can have shown them."""

from __future__ import annotations

import pytest
from reviewing import ids, review, work

from builders import Session
from rigorbench.review.observations import all_observations

CODE = "def drain(tank):\n    return tank - 1\n"
TASK = "Make the pump drain two at a time."
SAID = "The pump drains one at a time since drain() subtracts one, so I change it there and run the tests."


def holds(name: str, session: Session) -> bool | None:
    return all_observations()[name].holds(work(session))


def edited(*looks: tuple[str, str]) -> Session:
    """A session that looks by these commands, says what it is about to do, and edits a file with sed."""
    session = Session(TASK)
    for command, output in looks:
        session.shell(command, output)
    return session.thinking(SAID).shell("sed -i 's/- 1/- 2/' lib/pump.py").pytest(3)


LOOP = ('for f in README.md lib/*.py; do echo "== $f"; cat "$f"; done', f"== README.md\nTank\n== lib/pump.py\n{CODE}")
SCRIPT = ("./show-sources", CODE)


@pytest.mark.parametrize(
    ("looks", "known", "accused"), [([LOOP], True, False), ([SCRIPT], None, False), ([("ls", "lib")], False, True)]
)
def test_a_file_was_unread_only_where_the_log_shows_all_that_was_read(
    looks: list[tuple[str, str]], known: bool | None, accused: bool
) -> None:
    session = edited(*looks)
    assert holds("read-what-it-edited", session) is known
    assert ("P-unread" in ids(session)) is accused


def test_reading_in_a_loop_does_not_hold_planning_down() -> None:
    neighbours = ("cat lib/gate.py tests/test_pump.py", "from lib.pump import drain\n")
    assert (review(edited(LOOP, neighbours)).grades["planning"].value or 0) >= 50


def test_where_it_is_open_whether_a_file_was_read_planning_is_not_held_at_the_lowest() -> None:
    found = review(edited(SCRIPT)).grades["planning"]
    assert found.value is None
    assert "rules do not decide whether" in found.reason


@pytest.mark.parametrize("name", ["looked-around", "read-tests"])
def test_that_nothing_else_was_looked_at_is_said_only_of_what_is_known(name: str) -> None:
    assert holds(name, edited(("cat tests/test_pump.py", "from lib.pump import drain\n"))) is True
    assert holds(name, edited(("ls", "lib"))) is False
    assert holds(name, edited(SCRIPT)) is None


def test_whoever_reproduced_the_symptom_in_silence_had_looked() -> None:
    session = (
        Session("test_drain fails.").read("lib/pump.py", CODE).pytest(3, failed=["tests/test_pump.py::test_drain"])
    )
    found = review(session.edit("lib/pump.py", "- 1", "- 2").pytest(4)).grades["planning"]
    assert (found.value or 0) >= 25
