"""What differs between two texts, also where they repeat one line for ever."""

from __future__ import annotations

from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from rigorbench.base.text import differences
from rigorbench.bench.replay.measure import changed_lines

lines = st.lists(st.sampled_from("ab-"), max_size=12)


@given(lines, lines)
def test_what_is_between_the_regions_is_equal(old: list[str], new: list[str]) -> None:
    found = differences(old, new)
    at, other = 0, 0
    for i1, i2, j1, j2 in [*found, (len(old), len(old), len(new), len(new))]:
        assert old[at:i1] == new[other:j1]
        at, other = i2, j2
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    assert [code[1:] for code in codes if code[0] != "equal"] == found


def test_texts_that_repeat_a_line_take_no_time_without_an_end() -> None:
    """Line by line these would be 90,000,000,000 comparisons."""
    many = ["-"] * 150_000
    assert differences([*many, "x", *many], [*many, *many]) == [(150_000, 150_001, 150_000, 150_000)]
    assert differences([*many, *many], [*many, *many]) == []
    assert differences(["x", *many, "y"], ["y", *many, "x"]) == [(0, 150_002, 0, 150_002)]
    assert changed_lines("-\n" * 300_000, "-\n" * 150_000 + "x = 1\n" + "-\n" * 150_000) == {150_001}
