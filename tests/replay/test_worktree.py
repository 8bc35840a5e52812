"""The checked-out directory: exactly the tree, whatever the run before did to it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rigorbench.bench.replay.store import Entry, ObjectStore, ObjectStoreError, ReplayTree

from .conftest import git, write

MakeRepo = Callable[[dict[str, str]], Path]
FILES = {"a.py": "x = 1\n", "pkg/b.py": "y = 1\n", "pkg/deep/c.py": "z = 1\n", "run.sh": "#!/bin/sh\n"}


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    repo = make_repo(FILES)
    (repo / "run.sh").chmod(0o755)
    (repo / "link").symlink_to("pkg/b.py")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "modes")
    return repo


@pytest.fixture
def store(repo: Path, tmp_path: Path) -> Iterator[ObjectStore]:
    with ObjectStore(repo / ".git", repo, tmp_path) as store:
        yield store


def tree(repo: Path) -> str:
    return git(repo, "rev-parse", "HEAD^{tree}")


def snapshot(directory: Path) -> dict[str, tuple[str, bytes]]:
    found = {}
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if path.is_symlink():
            found[name] = "link", os.readlink(path).encode()
        elif path.is_dir():
            found[name] = "directory", b""
        else:
            found[name] = oct(path.stat().st_mode), path.read_bytes()
    return found


def by_git(store: ObjectStore, tree: str, directory: Path) -> dict[str, tuple[str, bytes]]:
    directory.mkdir()
    env = {**os.environ, "GIT_WORK_TREE": str(directory), "GIT_INDEX_FILE": str(directory) + ".index"}
    subprocess.run(["git", "--git-dir", store.path, "read-tree", "--reset", "-u", tree], env=env, check=True)
    return snapshot(directory)


def test_listings_and_differences_are_gits(repo: Path, store: ObjectStore) -> None:
    old = tree(repo)
    write(repo, {"pkg/b.py": "y = 2\n", "new/d.py": "", "a.py": FILES["a.py"]})
    (repo / "pkg/deep/c.py").unlink()
    (repo / "run.sh").chmod(0o644)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "next")
    new = tree(repo)
    listed = git(repo, "ls-tree", "-r", new).splitlines()
    expected = {line.split("\t")[1]: Entry(line.split()[0], line.split()[2]) for line in listed}
    assert store.files(new) == expected
    named = git(repo, "diff-tree", "-r", "--name-status", "--no-renames", old, new).splitlines()
    kinds = {line.split("\t")[1]: line[0] for line in named}
    changed = store.changed(old, new)
    assert {p: "A" if a is None else "D" if b is None else "M" for p, (a, b) in changed.items()} == kinds
    assert kinds == {"new/d.py": "A", "pkg/b.py": "M", "pkg/deep/c.py": "D", "run.sh": "M"}


def test_whatever_a_run_did_is_put_right(repo: Path, store: ObjectStore, tmp_path: Path) -> None:
    at = tree(repo)
    work = ReplayTree(store, tmp_path / "work")
    work.switch(at)
    expected = by_git(store, at, tmp_path / "plain")
    assert snapshot(work.path) == expected
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.py").write_text("not ours")
    # Same size, and the old time put back: only the kernel's own time of change tells.
    before = (work.path / "a.py").stat()
    (work.path / "a.py").write_text("x = 2\n")
    os.utime(work.path / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    (work.path / "run.sh").chmod(0o644)
    (work.path / "pkg/b.py").unlink()
    (work.path / "pkg/deep/c.py").unlink()
    (work.path / "pkg/deep").rmdir()
    (work.path / "pkg").rmdir()
    (work.path / "pkg").symlink_to(outside)
    (work.path / "link").unlink()
    (work.path / "link").mkdir()
    (work.path / "link/left.pyc").write_bytes(b"stale")
    (work.path / "__pycache__").mkdir()
    (work.path / "__pycache__/a.pyc").write_bytes(b"stale")
    work.switch(at)
    assert snapshot(work.path) == expected
    assert [p.name for p in outside.iterdir()] == ["b.py"]
    assert (outside / "b.py").read_text() == "not ours"


def test_a_file_that_makes_room_for_a_directory_and_back(repo: Path, store: ObjectStore, tmp_path: Path) -> None:
    first = tree(repo)
    (repo / "a.py").unlink()
    write(repo, {"a.py/inner.py": "i\n"})
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "directory")
    second = tree(repo)
    work = ReplayTree(store, tmp_path / "work")
    for number, at in enumerate((first, second, first)):
        work.switch(at)
        assert snapshot(work.path) == by_git(store, at, tmp_path / f"plain{number}")


def test_untouched_files_keep_their_time_and_no_git_process_is_started(
    repo: Path, store: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tree(repo)
    write(repo, {"pkg/b.py": "y = 2\n"})
    git(repo, "commit", "-q", "-a", "-m", "next")
    second = tree(repo)
    work = ReplayTree(store, tmp_path / "work")
    work.switch(first)
    times = {p: (work.path / p).stat().st_ctime_ns for p in FILES}
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: pytest.fail("a process was started"))
    work.switch(second)
    assert [p for p in FILES if (work.path / p).stat().st_ctime_ns != times[p]] == ["pkg/b.py"]


def test_a_tree_with_a_repository_of_its_own_is_refused(repo: Path, store: ObjectStore, tmp_path: Path) -> None:
    blob = git(repo, "rev-parse", "HEAD:a.py")
    inner = subprocess.run(
        ["git", "-C", str(repo), "mktree"], input=f"100644 blob {blob}\thooks\n", text=True, capture_output=True
    ).stdout.strip()
    # git's own commands refuse to make such a tree: it is written as an object.
    content = b"40000 .git\0" + bytes.fromhex(inner)
    made = subprocess.run(
        ["git", "-C", str(repo), "hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        input=content,
        capture_output=True,
        check=True,
    )
    with pytest.raises(ObjectStoreError, match="may not be checked out"):
        ReplayTree(store, tmp_path / "work").switch(made.stdout.decode().strip())
