"""The old behaviour exercised beside the new."""

from __future__ import annotations

import pytest
from pairs import ASSERTS, TEST, fixed
from reviewing import ids

from builders import Session


def restored() -> Session:
    """No code is written: a file comes back from git, and an existing test is rewritten."""
    session = Session("Fix total in src/a.py").read(TEST, ASSERTS).shell("git checkout src/a.py")
    return session.edit(TEST, ASSERTS, ASSERTS + "\n\ndef test_new():\n    assert total([1]) == 1\n")


def with_test() -> Session:
    return (
        fixed().read(TEST, ASSERTS).edit(TEST, ASSERTS, ASSERTS + "\n\ndef test_new():\n    assert total([1]) == 1\n")
    )


@pytest.mark.parametrize(
    ("session", "fires"),
    [
        (with_test().pytest(9), True),
        (with_test().pytest(3, command=f"python -m pytest -q {TEST}"), True),  # with the tests that it had
        (with_test().pytest(1, command=f"python -m pytest -q {TEST}::test_new"), False),  # only the new one
        (with_test().pytest(1, command=f"python -m pytest -q {TEST} -k new"), False),
        (fixed().pytest(9), False),  # the new behaviour was not tried
        (restored().pytest(9), False),
    ],
)
def test_it_takes_existing_tests_and_a_check_of_the_new(session: Session, fires: bool) -> None:
    assert ("V-neighbour" in ids(session)) == fires
