"""Whether the agent looked at its own change."""

from __future__ import annotations

import pytest
from pairs import NEW, fixed
from reviewing import ids, values

from builders import Session

NOW = f"def total(items):\n{NEW}"


@pytest.mark.parametrize(
    ("session", "fires"),
    [
        (fixed().read("src/a.py", NOW).say("Done."), True),
        (fixed().pytest(3).read("src/a.py", NOW).say("Done."), True),
        (fixed().read("src/b.py", "x = 1\n").say("Done."), False),  # another file
        (fixed().read("src/a.py", NOW).edit("src/b.py", "x = 1\n", "x = 2\n"), False),  # it read on, and edited
        (fixed().say("Done.").user("Where is total?").read("src/a.py", NOW).say("There."), False),  # for the answer
    ],
)
def test_a_changed_file_that_is_read_once_more_after_the_last_edit(session: Session, fires: bool) -> None:
    assert ("I-own-diff" in ids(session)) == fires


def test_a_look_raises_no_grade() -> None:
    assert values(fixed().pytest(3).read("src/a.py", NOW)) == values(fixed().pytest(3))
