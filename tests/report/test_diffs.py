"""Diffs of file changes: right, short, and never slow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rigorbench.review.pages.diffs import LINE_LENGTH, diff, shorten
from rigorbench.session.model import FileChange

LINES = st.lists(st.sampled_from(["a", "b", "", "  c", "d"]), max_size=30)


def text(change: FileChange, most: int = 10_000) -> str:
    return "".join(run.text for run in diff(change, most).runs)


def test_hunks_are_shown_with_their_context() -> None:
    change = FileChange("f", hunks=[("a\nb\nc\n", "a\nB\nc\n")])
    assert text(change) == " a\n-b\n+B\n c\n"
    assert (diff(change, 100).added, diff(change, 100).removed) == (1, 1)


def test_whole_files_show_three_lines_of_context() -> None:
    old = [f"line {i}" for i in range(100)]
    new = [*old[:50], "new", *old[51:]]
    shown = text(FileChange("f", before="\n".join(old), after="\n".join(new)))
    assert shown.splitlines() == [
        "@@ -48 +48 @@", " line 47", " line 48", " line 49", "-line 50", "+new", " line 51", " line 52", " line 53",
    ]  # fmt: skip


def test_created_and_deleted_files() -> None:
    assert text(FileChange("f", "create", after="a\nb\n")) == "+a\n+b\n"
    assert text(FileChange("f", "delete", before="a\n")) == "-a\n"
    assert text(FileChange("f", "delete")) == ""


def test_inserted_text_says_where() -> None:
    assert text(FileChange("f", hunks=[("", "x")], at_line=12)) == "@@ after line 12 @@\n+x\n"


def test_a_long_diff_counts_what_it_leaves_out() -> None:
    made = diff(FileChange("f", "create", after="x" * 8 + "\n" + "yyyyyyyy\n" * 99), 100)
    assert made.added == 100
    assert sum(run.text.count("\n") for run in made.runs) + made.cut == 100
    assert made.cut == 90


def test_a_long_line_is_cut() -> None:
    shown = text(FileChange("f", "create", after="x" * 5_000))
    assert shown == f"+{'x' * LINE_LENGTH} … 4,000 more characters\n"


def test_large_unlike_files_are_shown_as_blocks() -> None:
    old = "\n".join(f"a{i}" for i in range(3_000))
    new = "\n".join(f"b{i}" for i in range(3_000))
    made = diff(FileChange("f", before=old, after=new), 10**6)
    assert [run.sign for run in made.runs] == ["@", "-", "+"]


@given(LINES, LINES)
def test_a_diff_holds_both_sides(old: list[str], new: list[str]) -> None:
    made = diff(FileChange("f", hunks=[("\n".join(old), "\n".join(new))]), 10**6)
    lines = [(run.sign, line[1:]) for run in made.runs for line in run.text.splitlines()]
    assert [line for sign, line in lines if sign != "+"] == "\n".join(old).splitlines()
    assert [line for sign, line in lines if sign != "-"] == "\n".join(new).splitlines()


@given(LINES, LINES)
def test_whole_files_differ_where_the_diff_says(old: list[str], new: list[str]) -> None:
    made = diff(FileChange("f", before="\n".join(old), after="\n".join(new)), 10**6)
    before, after = "\n".join(old).splitlines(), "\n".join(new).splitlines()
    assert made.added - made.removed == len(after) - len(before)


@given(LINES, st.integers(0, 60))
def test_shortened_diffs_count_every_line(lines: list[str], room: int) -> None:
    made = diff(FileChange("f", hunks=[("a\nb", "\n".join(lines))]), 10**6)
    before = sum(run.text.count("\n") for run in made.runs)
    shorten(made, room)
    assert sum(run.text.count("\n") for run in made.runs) + made.cut == before
    assert all(run.text.endswith("\n") for run in made.runs)
    if made.cut:
        assert sum(len(run.text) for run in made.runs) >= room
