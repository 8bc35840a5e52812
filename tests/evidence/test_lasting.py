"""Edits that take each other back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rigorbench.evidence.edits.facts import lasting
from rigorbench.session.model import FileChange

TEXT = st.sampled_from(["a\n", "b\n", "c"])
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["x.py", "y.py"]),
        st.one_of(
            st.builds(lambda old, new: FileChange("x", hunks=[(old, new)]), TEXT, TEXT),
            st.builds(lambda before, after: FileChange("x", before=before, after=after), TEXT, TEXT),
        ),
    ),
    max_size=12,
)


def undoes(later: FileChange, earlier: FileChange) -> bool:
    if later.hunks and earlier.hunks:
        return [(n.strip(), o.strip()) for o, n in later.hunks] == [(o.strip(), n.strip()) for o, n in earlier.hunks]
    return later.after is not None and later.after == earlier.before


@given(CHANGES)
def test_each_change_takes_back_the_last_one_that_it_turns_round(changes: list[tuple[str, FileChange]]) -> None:
    left: list[int] = []
    for number, (path, change) in enumerate(changes):
        undone = [n for n in left if changes[n][0] == path and undoes(change, changes[n][1])]
        if undone:
            left.remove(undone[-1])
        else:
            left.append(number)
    assert lasting(changes) == left


def test_an_edit_there_and_back_leaves_nothing_and_one_of_another_file_stays() -> None:
    there, back = FileChange("a", hunks=[("x", "y")]), FileChange("a", hunks=[("y\n", "x\n")])
    assert lasting([("a.py", there), ("a.py", back)]) == []
    assert lasting([("a.py", there), ("b.py", back)]) == [0, 1]
