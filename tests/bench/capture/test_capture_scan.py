"""The work tree as git trees: the same as git's own, nothing missed, nothing followed, the agent's rules ignored."""

from __future__ import annotations

import mmap
import os
import random
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rigorbench.base import journal
from rigorbench.sandbox.record import scan
from rigorbench.sandbox.record.ignoring import Ignoring
from rigorbench.sandbox.record.scan import Scanner
from rigorbench.sandbox.record.treestore import TreeWriter
from rigorbench.sandbox.record.worktree import RecordedTree
from sources import text_file

from .conftest import git


class RecordedRepository:
    def __init__(self, root: Path, store: Path) -> None:
        self.root = root
        self.store = TreeWriter(store)
        self.ignoring = Ignoring(root, store / "ignore")
        self.scanner = Scanner(str(root), self.store, self.ignoring.ignored)
        self.path = store

    def files(self, tree: str) -> dict[str, str]:
        listed = git(self.path, "ls-tree", "-r", "-z", tree)
        return {row.split("\t")[1]: row.split("\t")[0] for row in listed.split("\0") if row}


@pytest.fixture
def recorded(tmp_path: Path, repository: Path) -> RecordedRepository:
    return RecordedRepository(repository, tmp_path / "store.git")


def git_says(root: Path) -> str:
    git(root, "add", "-A")
    return git(root, "write-tree")


def test_the_start_is_the_commit(recorded: RecordedRepository) -> None:
    assert recorded.scanner.look().tree == git(recorded.root, "rev-parse", "HEAD^{tree}")


def test_random_changes_give_the_tree_that_git_gives(recorded: RecordedRepository) -> None:
    rng = random.Random(7)
    names = ["a", "a.b", "a-b", "ab", "B", "é", "z z", "0", "a\nb", "ü.py"]
    recorded.scanner.look()
    for _ in range(60):
        parts = [rng.choice(names) for _ in range(rng.randint(1, 3))]
        path = recorded.root.joinpath(*parts)
        action = rng.randrange(6)
        if action == 0 and path.exists():
            subprocess.run(["rm", "-rf", str(path)], check=True)
        elif action == 1 and path.is_file():
            path.chmod(rng.choice([0o755, 0o644]))
        else:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                if action == 2:
                    path.symlink_to(rng.choice(["/etc/passwd", "..", "nowhere"]))
                else:
                    path.write_bytes(rng.randbytes(rng.randrange(40)))
            except OSError:
                continue
        seen = recorded.scanner.look()
        assert seen.tree == git_says(recorded.root), path
    git(recorded.path, "fsck", "--full", "--strict")


def test_paths_name_what_changed_and_nothing_else(recorded: RecordedRepository) -> None:
    root = recorded.root
    recorded.scanner.look()
    assert recorded.scanner.look().paths == []
    (root / "new").mkdir()
    (root / "new" / "x").write_text("1")
    (root / "pkg" / "core.py").write_text("changed\n")
    (root / "README").unlink()
    assert recorded.scanner.look().paths == ["README", "new/x", "pkg/core.py"]
    (root / "new" / "x").unlink()
    (root / "new").rmdir()
    (root / "new").write_text("a file now")
    assert recorded.scanner.look().paths == ["new", "new/x"]


def test_a_file_rewritten_within_one_tick_of_the_clock_is_not_missed(recorded: RecordedRepository) -> None:
    path = recorded.root / "pkg" / "core.py"
    trees = set()
    for number in range(50):  # same size, same inode, and often the same times
        with path.open("r+") as file:
            file.write(f"{number:04d}")
        trees.add(recorded.scanner.look().tree)
    assert len(trees) == 50


def test_a_file_just_written_is_read_again(recorded: RecordedRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    real = scan._content

    def counting(fd: int, size: int) -> bytes:
        reads.append(size)
        return real(fd, size)

    monkeypatch.setattr(scan, "_content", counting)
    monkeypatch.setattr(scan, "_TICK", 3600 * 10**9)  # a clock that ticks once an hour
    for _ in range(3):
        reads.clear()
        recorded.scanner.look()
        assert len(reads) == 4
    monkeypatch.setattr(scan, "_TICK", 0)
    for expected in (4, 0):
        reads.clear()
        recorded.scanner.look()
        assert len(reads) == expected


def test_a_forged_time_stamp_hides_nothing(recorded: RecordedRepository) -> None:
    path = recorded.root / "pkg" / "core.py"
    first = recorded.scanner.look().tree
    before = path.stat()
    path.write_text(path.read_text()[::-1])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert recorded.scanner.look().tree != first


def test_ignored_is_what_the_start_ignores(recorded: RecordedRepository) -> None:
    root = recorded.root
    recorded.scanner.look()
    (root / "build").mkdir()
    (root / "build" / "out.c").write_text("1")
    (root / "x.log").write_text("1")
    (root / "keep.log").write_text("1")
    (root / "pkg" / ".gitignore").write_text("*\n")
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "exclude").write_text("*\n")
    (root / "pkg" / "hidden.py").write_text("1")
    (root / ":magic").write_text("1")
    (root / "logs").mkdir()
    (root / "logs" / "x.log").write_text("1")
    assert recorded.scanner.look().paths == [":magic", "keep.log", "pkg/.gitignore", "pkg/hidden.py"]
    assert recorded.ignoring.problem is None


def test_what_is_committed_is_seen_though_a_rule_ignores_it(tmp_path: Path, repository: Path) -> None:
    (repository / "build").mkdir()
    (repository / "build" / "kept.txt").write_text("1")
    (repository / "__pycache__").mkdir()
    (repository / "__pycache__" / "kept.txt").write_text("1")
    git(repository, "add", "-f", "build/kept.txt", "__pycache__/kept.txt")
    git(repository, "commit", "-qm", "kept")
    recorded = RecordedRepository(repository, tmp_path / "store.git")
    assert {"build/kept.txt", "__pycache__/kept.txt"} <= recorded.files(recorded.scanner.look().tree).keys()
    (repository / "build" / "kept.txt").write_text("2")
    (repository / "build" / "other.txt").write_text("2")
    (repository / "__pycache__" / "other.txt").write_text("2")
    assert recorded.scanner.look().paths == ["__pycache__/other.txt", "build/kept.txt"]


def test_caches_of_tools_are_left_out_and_told_of(recorded: RecordedRepository) -> None:
    root = recorded.root
    recorded.scanner.look()
    for name in ("__pycache__", "node_modules", "pkg/.pytest_cache", "target"):
        (root / name).mkdir()
        (root / name / "x.py").write_text("1")
    assert recorded.scanner.look().paths == ["target/x.py"]  # nothing beside it says that it is Rust's or Java's
    assert sorted(recorded.ignoring.newly_left_out()) == ["__pycache__", "node_modules", "pkg/.pytest_cache"]
    assert recorded.ignoring.newly_left_out() == []


def test_nested_repositories_are_plain_files(recorded: RecordedRepository) -> None:
    inner = recorded.root / "vendor"
    inner.mkdir()
    git(inner, "init", "-q")
    (inner / "code.py").write_text("1")
    files = recorded.files(recorded.scanner.look().tree)
    assert files["vendor/code.py"].startswith("100644 blob")
    assert not any(".git/" in path for path in files)


def test_names_that_git_refuses_are_in_no_tree(recorded: RecordedRepository) -> None:
    before = recorded.scanner.look().tree
    (recorded.root / "pkg" / ".GIT").mkdir()
    (recorded.root / "pkg" / ".GIT" / "note").write_text("no tree with it can be written down again")
    (recorded.root / ".Git").write_text("a file")
    assert recorded.scanner.look().tree == before


def test_links_are_stored_and_never_followed(recorded: RecordedRepository, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (recorded.root / "door").symlink_to(outside)
    (recorded.root / "secret").symlink_to(outside / "secret")
    files = recorded.files(recorded.scanner.look().tree)
    assert files["door"].startswith("120000")
    assert files["secret"].startswith("120000")
    assert "door/secret" not in files


def test_what_cannot_be_stored_is_named(recorded: RecordedRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    root = recorded.root
    monkeypatch.setattr(scan, "MAX_FILE", 1000)
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(root / "sock"))
    (root / "big").write_bytes(b"x" * 1001)
    deep = root
    for _ in range(105):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "bottom").write_text("1")
    seen = recorded.scanner.look()
    assert seen.skipped["fifo"] == "a FIFO"
    assert seen.skipped["sock"] == "a socket"
    assert seen.skipped["big"].startswith("larger than")
    assert "directories deep" in seen.skipped["/".join("d" * 101)]
    assert not {"fifo", "sock", "big"} & recorded.files(seen.tree).keys()


def test_too_many_files_are_named(recorded: RecordedRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    before = recorded.files(recorded.scanner.look().tree)
    monkeypatch.setattr(scan, "MAX_FILES", len(before) + 5)
    for number in range(20):
        place = recorded.root / f"{'' if number % 2 else 'pkg/'}f{number}"
        place.write_text("1")
    for _ in range(2):
        seen = recorded.scanner.look()
        assert scan.TOO_MANY in seen.skipped.values()
        found = recorded.files(seen.tree)
        # What was there before is not taken for deleted because of what came.
        assert before.items() <= found.items()
        assert len(found) == len(before) + 5
    for name in found.keys() - before.keys():
        (recorded.root / name).unlink()
    recorded.scanner.look()
    again = recorded.files(recorded.scanner.look().tree)
    assert len(again) == len(found)
    assert not (again.keys() & found.keys()) - before.keys()


def test_nothing_is_trusted_when_everything_is_asked_for(recorded: RecordedRepository) -> None:
    path = recorded.root / "pkg" / "core.py"
    recorded.scanner.look()
    os.utime(path, ns=(1, 1))
    recorded.scanner.look()
    node = recorded.scanner._top.directories["pkg"].files["core.py"]
    path.write_text("through a mapping that changed no time stamp\n")
    info = path.stat()
    node.key = (info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino, info.st_mode)
    assert recorded.scanner.look().paths == []
    assert recorded.scanner.look(everything=True).paths == ["pkg/core.py"]


def test_a_full_disk_is_a_gap_and_the_next_look_is_whole(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records: list[journal.JournalRecord] = []
    tree = RecordedTree(repository, tmp_path / "store.git", records.append)
    assert tree.look("start", None) is not None
    (repository / "pkg" / "new.py").write_text("1")

    def full(self: TreeWriter, id_: bytes, compressed: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(TreeWriter, "put_raw", full)
        assert tree.look("background", None) is None
        assert tree.look("background", None) is None
    gaps = [record for record in records if isinstance(record, journal.Gap)]
    assert [gap.reason for gap in gaps] == ["the work tree could not be recorded: No space left on device"]
    last = tree.look("background", None)
    tree.close()
    assert last == git_says(repository)
    git(tmp_path / "store.git", "fsck", "--full", "--strict")


def test_the_store_keeps_every_recorded_tree_through_a_clean_up(tmp_path: Path, repository: Path) -> None:
    records: list[journal.JournalRecord] = []
    store = tmp_path / "store.git"
    tree = RecordedTree(repository, store, records.append)
    tree.look("start", None)
    for number in range(5):
        (repository / "pkg" / "core.py").write_text(f"{number}\n")
        tree.look("background", None)
    tree.close()
    git(store, "gc", "-q", "--prune=now")
    trees = [record.tree for record in records if isinstance(record, journal.TreeRecord)]
    assert len(trees) == 6
    for number, id_ in enumerate(trees[1:]):
        assert git(store, "show", f"{id_}:pkg/core.py") == str(number)


# -- files that are being written ------------------------------------------------------------------------------------


def content(recorded: RecordedRepository, snapshot: scan.TreeLook, path: str) -> str | None:
    if path not in recorded.files(snapshot.tree):
        return None
    return git(recorded.path, "cat-file", "blob", f"{snapshot.tree}:{path}")


def test_a_file_changed_through_a_memory_map_is_read_at_each_look(recorded: RecordedRepository) -> None:
    """Only the first change through a map sets the times of a file."""
    path = recorded.root / "mapped.bin"
    path.write_bytes(b"0" * 100)
    recorded.scanner.look()
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        for digit in b"1234":
            mapped[:] = bytes([digit]) * 100
            time.sleep(0.05)
            assert content(recorded, recorded.scanner.look(), "mapped.bin") == chr(digit) * 100
        mapped[:] = b"5" * 100
    assert content(recorded, recorded.scanner.look(), "mapped.bin") == "5" * 100


# The arguments: a work tree with a file "notes.txt", and where to store. Prints what each look sees of the file.
CLOSED_MAP = text_file("capture_scan.closed_map.txt")


@pytest.mark.parametrize("overlay", [False, True], ids=["on the host's file system", "on an overlay"])
def test_a_map_whose_file_is_closed_is_seen_at_each_look(tmp_path: Path, overlay: bool) -> None:
    """A container's file system is an overlay, and the kernel does not tell of such a map there."""
    root, store = tmp_path / "work", tmp_path / "store.git"
    for name in ("work", "lower", "upper", "own"):
        (tmp_path / name).mkdir()
    (tmp_path / "lower" / "notes.txt").write_text("0" * 9)
    (root / "notes.txt").write_text("0" * 9)
    command = [sys.executable, "-c", CLOSED_MAP, str(root), str(store)]
    if overlay:
        layers = f"lowerdir={tmp_path}/lower,upperdir={tmp_path}/upper,workdir={tmp_path}/own"
        mount = ["unshare", "-Urm", "sh", "-c", f'mount -t overlay none -o {layers} {root} || exit 77; exec "$@"', "sh"]
        command = [*mount, *command]
        if subprocess.run([*mount, "true"], capture_output=True, check=False).returncode:
            pytest.skip("no overlay can be mounted here")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["3", "True"]


def test_a_look_waits_for_a_file_that_is_being_written(recorded: RecordedRepository) -> None:
    recorded.scanner.look()
    path = recorded.root / "a.py"
    file = path.open("w")
    writer = threading.Timer(0.1, lambda: (file.write("x = 1\n"), file.close()))
    writer.start()
    assert content(recorded, recorded.scanner.look(), "a.py") == "x = 1"
    writer.join()


def test_a_passing_look_leaves_a_half_written_file_as_it_was(recorded: RecordedRepository) -> None:
    path = recorded.root / "a.py"
    path.write_text("x = 1\n")
    recorded.scanner.look()
    with path.open("w") as file:
        assert content(recorded, recorded.scanner.look(passing=True), "a.py") == "x = 1"
        file.write("y = ")
        file.flush()
        (recorded.root / "new.py").open("w").close()
        between = recorded.scanner.look(passing=True)
        assert (content(recorded, between, "a.py"), content(recorded, between, "new.py")) == ("x = 1", None)
        file.write("2\n")
    assert content(recorded, recorded.scanner.look(passing=True), "a.py") == "y = 2"
    assert content(recorded, recorded.scanner.look(), "new.py") == ""


def test_a_log_that_stays_open_is_waited_for_once_and_recorded(recorded: RecordedRepository) -> None:
    recorded.scanner.look()
    with (recorded.root / "server.txt").open("w") as log:
        took = []
        for line in range(4):
            log.write(f"{line}\n")
            log.flush()
            start = time.monotonic()
            assert str(line) in (content(recorded, recorded.scanner.look(), "server.txt") or "")
            took.append(time.monotonic() - start)
    assert max(took[1:]) < 0.4
