"""What a check speaks of is what its sentence says: a test is a test, and a run outside the project is none of it."""

from __future__ import annotations

import pytest
from pairs import fixed
from reviewing import ids, known

from builders import Session


def test_a_directory_whose_name_holds_the_word_test_is_no_test() -> None:
    session = Session("Make total right.").read("/testbed/src/a.py").read("/testbed/src/b.py")
    assert "P-callers" not in ids(session.edit("/testbed/src/a.py", "x = 1\n", "x = 2\n"))


@pytest.mark.parametrize(("where", "shown"), [("", True), ("cd /tmp/first-state && ", False)])
def test_tests_that_run_outside_the_project_are_not_those_of_the_change(where: str, shown: bool) -> None:
    session = fixed().pytest(3, command=f"{where}python -m pytest -q")
    assert ("` (3 tests) passed after the last edit of the code" in known(session)["verification"]) is shown
