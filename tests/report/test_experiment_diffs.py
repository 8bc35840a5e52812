"""Diffs between captured states: right, cut to size, and told where the store does not hold them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_experiment import write_store
from rigorbench.bench.pages.experiment.run import FILES_SHOWN, TreeChange, tree_changes


def changes(run: Path, *states: dict[str, bytes], room: int = 100_000) -> list[TreeChange]:
    trees = write_store(run, *states)
    first, *rest = tree_changes(run / "store.git", trees, room)
    assert first is None
    return [change for change in rest if change is not None]


def test_each_state_against_the_one_before(tmp_path: Path) -> None:
    one, two = changes(
        tmp_path,
        {"a/b.py": b"x = 1\ny = 2\n", "keep.txt": b"k"},
        {"a/b.py": b"x = 1\ny = 3\n", "keep.txt": b"k", "new/file.md": b"hello\n"},
        {"a/b.py/now_a_directory": b"!", "keep.txt": b"k"},
    )
    assert [(f.operation, f.path) for f in one.files] == [("modify", "a/b.py"), ("create", "new/file.md")]
    assert (one.added, one.removed, one.more, one.problem) == (2, 1, 0, "")
    first = one.files[0].diff
    assert [(run.sign, run.text) for run in first.runs] == [
        ("@", "@@ -1 +1 @@\n"), (" ", " x = 1\n"), ("-", "-y = 2\n"), ("+", "+y = 3\n"),
    ]  # fmt: skip
    assert [(f.operation, f.path) for f in two.files] == [
        ("delete", "a/b.py"), ("create", "a/b.py/now_a_directory"), ("delete", "new/file.md"),
    ]  # fmt: skip


def test_what_is_no_text_or_too_large_is_named_only(tmp_path: Path) -> None:
    (one,) = changes(tmp_path, {"z": b""}, {"z": b"", "big.txt": b"x\n" * 300_000, "blob": b"a\0b", "empty": b""})
    assert {f.path: (f.note, f.diff is None) for f in one.files} == {
        "big.txt": ("600,000 bytes: too large to show", True),
        "blob": ("not text, 3 bytes", True),
        "empty": ("empty", True),
    }


def test_many_files_are_counted(tmp_path: Path) -> None:
    (one,) = changes(tmp_path, {}, {f"f{n:03}": b"line\n" for n in range(FILES_SHOWN + 7)})
    assert (len(one.files), one.more) == (FILES_SHOWN, 7)


def test_long_changes_are_cut_and_counted(tmp_path: Path) -> None:
    long = b"".join(b"row %d\n" % n for n in range(9_000))
    one, two = changes(tmp_path, {}, {"long": long}, {"long": long, "more": long}, room=15_000)
    (first,), (second,) = one.files, two.files
    assert first.diff is not None
    assert first.diff.added == second.diff.added == 9_000
    sizes = [sum(len(run.text) for run in diff.runs) for diff in (first.diff, second.diff)]
    assert 11_000 < sizes[0] < 13_000
    assert sizes[1] < 4_000
    assert first.diff.cut > 7_000


def test_without_room_files_are_named(tmp_path: Path) -> None:
    (one,) = changes(tmp_path, {"a": b"1\n"}, {"a": b"2\n"}, room=0)
    assert (one.files[0].path, one.files[0].note) == ("a", "not shown: the page is long enough")


def test_a_store_that_is_missing_or_damaged_is_told(tmp_path: Path) -> None:
    tree = "a" * 40
    assert [c and c.problem for c in tree_changes(tmp_path / "store.git", [tree, tree])] == [
        None, "store.git is missing",
    ]  # fmt: skip
    trees = write_store(tmp_path, {"a": b"1"}, {"a": b"2"})
    missing = "store.git does not contain this state or the one before it"
    found = tree_changes(tmp_path / "store.git", [trees[0], tree, trees[1], "-x", trees[0]])
    assert [c and c.problem for c in found] == [None, missing, missing, missing, missing]
    found = tree_changes(tmp_path / "store.git", [trees[0], tree, trees[0], trees[1]])
    assert found[3] is not None
    assert [f.path for f in found[3].files] == ["a"]


def test_no_git_is_needed_for_loose_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trees = write_store(tmp_path, {"a": b"1"}, {"a": b"2"})
    monkeypatch.setenv("PATH", str(tmp_path))
    (_, change) = tree_changes(tmp_path / "store.git", trees)
    assert [f.path for f in change.files] == ["a"]
