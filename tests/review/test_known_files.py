"""What is said of files that were edited: that they had not been read only where nothing can have shown them."""

from __future__ import annotations

import pytest
from reviewing import ids, known, work

from builders import Session
from rigorbench.review import observations as see

CODE = "def drain(tank):\n    return tank - 1\n"
TASK = "Make the pump drain two at a time."
SAID = "The pump drains one at a time since drain() subtracts one, so I change it there and run the tests."


def edited(*looks: tuple[str, str]) -> Session:
    """A session that looks by these commands, says what it is about to do, and edits a file with sed."""
    session = Session(TASK)
    for command, output in looks:
        session.shell(command, output)
    return session.thinking(SAID).shell("sed -i 's/- 1/- 2/' lib/pump.py").pytest(3)


LOOP = ('for f in README.md lib/*.py; do echo "== $f"; cat "$f"; done', f"== README.md\nTank\n== lib/pump.py\n{CODE}")
SCRIPT = ("./show-sources", CODE)


@pytest.mark.parametrize(("looks", "accused"), [([LOOP], False), ([SCRIPT], False), ([("ls", "lib")], True)])
def test_a_file_was_unread_only_where_the_log_shows_all_that_was_read(
    looks: list[tuple[str, str]], accused: bool
) -> None:
    session = edited(*looks)
    assert ("that nothing shows to have been read" in known(session)["planning"]) is accused
    assert ("P-unread" in ids(session)) is accused


def test_that_nothing_else_was_looked_at_is_said_only_of_what_is_known() -> None:
    assert see.read_tests(work(edited(("cat tests/test_pump.py", "from lib.pump import drain\n"))))
    assert see.read_tests(work(edited(("ls", "lib")))) == ()
    assert see.read_tests(work(edited(SCRIPT))) is None


def test_whoever_reproduced_the_symptom_in_silence_had_looked() -> None:
    session = (
        Session("test_drain fails.").read("lib/pump.py", CODE).pytest(3, failed=["tests/test_pump.py::test_drain"])
    )
    assert "` failed before the first edit" in known(session.edit("lib/pump.py", "- 1", "- 2").pytest(4))["planning"]
