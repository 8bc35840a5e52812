"""Runs of tests that were there before the change, and runs of the new ones alone."""

from __future__ import annotations

import pytest
from pairs import ASSERTS, TEST, fixed
from reviewing import work

from builders import Session
from rigorbench.review import observations as see


def with_test() -> Session:
    return (
        fixed().read(TEST, ASSERTS).edit(TEST, ASSERTS, ASSERTS + "\n\ndef test_new():\n    assert total([1]) == 1\n")
    )


@pytest.mark.parametrize(
    ("session", "known"),
    [
        (with_test().pytest(9), True),
        (with_test().pytest(3, command=f"python -m pytest -q {TEST}"), True),  # with the tests that it had
        (with_test().pytest(1, command=f"python -m pytest -q {TEST}::test_new"), False),  # only the new one
        (with_test().pytest(1, command=f"python -m pytest -q {TEST} -k new"), False),
        (fixed().pytest(9), True),
    ],
)
def test_tests_that_were_there_ran_after_the_change(session: Session, known: bool) -> None:
    assert bool(see.existing_tests_after_last_edit(work(session))) is known
