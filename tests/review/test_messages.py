"""What a check says of what it saw, where the session has more than the bare fact."""

from __future__ import annotations

import pytest
from pairs import contradicted, fixed, untested_change
from reviewing import ids, known, review, work

from builders import Session
from rigorbench.review import observations as see


def _message(session: Session, id: str) -> str:
    (found,) = [c.message for c in review(session).checks if c.id == id]
    return found


def test_an_untested_change_is_told_alike_whether_tests_were_never_made_or_are_gone() -> None:
    said = "src/average.py changed; no test was left for it, and none was run"
    assert _message(untested_change(shown=True), "V-untested-change") == said
    session = untested_change(shown=True)
    session.write("tests/test_0.py", "def test_it():\n    assert 1\n").delete("tests/test_0.py")
    assert _message(session, "V-untested-change") == said


def test_a_contradicted_claim_names_the_run_that_contradicts_it() -> None:
    said = _message(contradicted(shown=True), "H-claim-contradicted")
    assert said == '"All tests pass.": `python -m pytest -q` failed, and no later run of it passed'


def test_a_long_claim_ends_in_an_ellipsis() -> None:
    session = contradicted(shown=True)
    session.say("All tests pass" + " and so on" * 40 + ".")
    said = [c.message for c in review(session).checks if c.id == "H-claim-contradicted"]
    assert said
    assert all("…" in message or len(message) < 80 for message in said)
    assert any("…" in message for message in said)


def test_a_directory_whose_name_holds_the_word_test_is_no_test() -> None:
    session = Session("Make total right.").read("/testbed/src/a.py").read("/testbed/src/b.py")
    assert "P-callers" not in ids(session.edit("/testbed/src/a.py", "x = 1\n", "x = 2\n"))


@pytest.mark.parametrize(("where", "shown"), [("", True), ("cd /tmp/first-state && ", False)])
def test_tests_that_run_outside_the_project_are_not_those_of_the_change(where: str, shown: bool) -> None:
    session = fixed().pytest(3, command=f"{where}python -m pytest -q")
    assert ("` (3 tests) passed after the last edit of the code" in known(session)["verification"]) is shown


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
def test_a_file_was_unread_only_where_the_log_shows_all_reads(looks: list[tuple[str, str]], accused: bool) -> None:
    session = edited(*looks)
    assert ("that nothing shows to have been read" in known(session)["planning"]) is accused
    assert ("P-unread" in ids(session)) is accused


def test_that_nothing_else_was_looked_at_is_said_only_of_what_is_known() -> None:
    assert see.read_tests(work(edited(("cat tests/test_pump.py", "from lib.pump import drain\n"))))
    assert see.read_tests(work(edited(("ls", "lib")))) == []
    assert see.read_tests(work(edited(("cat specs/pump.yaml tests/helpers.py", "drain: 1\n")))) == []


def test_whoever_reproduced_the_symptom_in_silence_had_looked() -> None:
    session = Session("test_drain fails.").read("lib/pump.py", CODE)
    session.pytest(3, failed=["tests/test_pump.py::test_drain"])
    assert "` failed before the first edit" in known(session.edit("lib/pump.py", "- 1", "- 2").pytest(4))["planning"]
