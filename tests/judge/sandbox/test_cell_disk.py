"""Counting and clearing what programs leave, whatever tree it is."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.sandbox.cell import disk
from rigorbench.sandbox.kit import trees
from rigorbench.sandbox.kit.proc import deleted

NAMES = st.text(
    st.characters(blacklist_categories=("Cs",), blacklist_characters="/\0"), min_size=1, max_size=20
).filter(lambda name: name not in (".", "..") and len(os.fsencode(name)) < 200)
TREES = st.recursive(
    st.one_of(st.integers(0, 5000), st.sampled_from(["link", "fifo", "locked"])),
    lambda inner: st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=15,
)


def plant(place: Path, tree: object) -> tuple[int, int]:
    """(bytes, entries) that were made at ``place``."""
    if isinstance(tree, dict):
        place.mkdir(exist_ok=True)
        made = [plant(place / name, inner) for name, inner in tree.items()]
        place.chmod(0o700 if len(made) % 2 else 0)
        return sum(size for size, _ in made), sum(number for _, number in made) + 1
    if tree == "link":
        place.symlink_to("/etc")
        return len("/etc"), 1
    if tree == "fifo":
        os.mkfifo(place)
        return 0, 1
    if tree == "locked":
        place.mkdir(mode=0)
        return 0, 1
    assert isinstance(tree, int)
    place.write_bytes(b"x" * tree)
    return tree, 1


@settings(max_examples=25)
@given(tree=st.dictionaries(NAMES, TREES, max_size=4))
def test_every_tree_is_counted_and_cleared(tree: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name, "w")
        size, entries = plant(place, tree)
        place.chmod(0o700)
        held = disk.count(str(place), 10_000, unlock=True)
        assert (held.bytes, held.files, held.incomplete) == (size, entries - 1, False)
        if entries > 2:
            assert disk.count(str(place), entries - 2).incomplete
        trees.clear(str(place))
        assert list(place.iterdir()) == []
        assert len(os.listdir("/etc")) > 0


def test_a_tree_deeper_than_any_path_is_cleared(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(150):
        os.mkdir("d" * 150, dir_fd=here)
        deeper = os.open("d" * 150, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    assert disk.count(str(tmp_path), 1000).incomplete
    trees.clear(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_deleted_files_count_while_they_are_open_or_mapped(tmp_path: Path) -> None:
    import mmap

    device = {tmp_path.stat().st_dev}
    before = deleted([os.getpid()], device)
    with open(tmp_path / "a", "w+b") as file:
        file.write(b"x" * 100_000)
        file.flush()
        os.unlink(tmp_path / "a")
        assert deleted([os.getpid()], device) - before == 100_000
        view = mmap.mmap(file.fileno(), 0)
    assert deleted([os.getpid()], device) - before >= 100_000
    view.close()
    assert deleted([os.getpid()], device) == before
