"""The repository's git directory as something hostile: read as data, nothing in it is run, followed or believed."""

from __future__ import annotations

import os
import shutil
import zlib
from pathlib import Path

import pytest

from rigorbench.sandbox.record import gitobjects
from rigorbench.sandbox.record.gitwatch import GitWatch, News
from rigorbench.sandbox.record.treestore import TreeWriter

from .conftest import git


class RecordedRepository:
    def __init__(self, root: Path, store: Path) -> None:
        self.root = root
        self.path = store
        self.watch = GitWatch(root, TreeWriter(store))
        self.watch.start()

    def look(self) -> News:
        return self.watch.look() or News()

    def commits(self) -> list[str]:
        return [data["message"].strip() for name, data in self.look().notes if name == "commit"]


@pytest.fixture
def recorded(tmp_path: Path, repository: Path) -> RecordedRepository:
    return RecordedRepository(repository, tmp_path / "store.git")


def commit(root: Path, message: str) -> str:
    (root / "f").write_text(message)
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)
    return git(root, "rev-parse", "HEAD")


def test_the_store_has_the_history_of_the_start(recorded: RecordedRepository) -> None:
    head = git(recorded.root, "rev-parse", "HEAD")
    shutil.rmtree(recorded.root / ".git")
    assert git(recorded.path, "show", f"{head}:README") == "read"
    git(recorded.path, "fsck", "--full", "--strict")


def test_a_history_in_packs_at_the_start(tmp_path: Path, repository: Path) -> None:
    commit(repository, "second")
    git(repository, "gc", "-q")
    recorded = RecordedRepository(repository, tmp_path / "store.git")
    commit(repository, "third")
    assert recorded.commits() == ["third"]
    git(recorded.path, "fsck", "--full", "--strict")


def test_commits_come_once_and_parents_first(recorded: RecordedRepository) -> None:
    assert recorded.look() == News()
    for number in range(5):
        commit(recorded.root, f"c{number}")
    assert recorded.commits() == [f"c{number}" for number in range(5)]
    assert recorded.commits() == []


def test_commits_outlive_a_clean_up_of_the_store(recorded: RecordedRepository) -> None:
    lost = commit(recorded.root, "lost")
    recorded.look()
    git(recorded.root, "reset", "-q", "--hard", "HEAD~1")
    recorded.look()
    git(recorded.path, "gc", "-q", "--prune=now")
    assert git(recorded.path, "show", f"{lost}:f") == "lost"


def test_moves_of_branches(recorded: RecordedRepository) -> None:
    root = recorded.root
    first = commit(root, "first")
    (note,) = (data for name, data in recorded.look().notes if name == "git")
    assert note["head"] == "refs/heads/main"
    assert note["refs"]["refs/heads/main"][1] == first
    assert not note["rewritten"]
    git(root, "branch", "side")
    git(root, "pack-refs", "--all")
    (note,) = (data for name, data in recorded.look().notes if name == "git")
    assert note["refs"] == {"refs/heads/side": [None, first]}
    git(root, "branch", "-m", "side", "renamed")
    (note,) = (data for name, data in recorded.look().notes if name == "git")
    assert not note["rewritten"]
    git(root, "reset", "-q", "--hard", "HEAD~1")
    (note,) = (data for name, data in recorded.look().notes if name == "git")
    assert (note["rewritten"], note["lost"]) == (True, False)
    git(root, "branch", "-D", "renamed")
    (note,) = (data for name, data in recorded.look().notes if name == "git")
    assert (note["rewritten"], note["lost"]) == (True, True)
    git(root, "checkout", "-q", "--detach")
    (note,) = (data for name, data in recorded.look().notes if name == "git")
    assert len(note["head"]) == 40
    assert not note["rewritten"]


def test_hooks_and_settings(recorded: RecordedRepository) -> None:
    hook = recorded.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n")
    hook.chmod(0o755)
    git(recorded.root, "config", "core.hooksPath", "elsewhere")
    (note,) = (data for name, data in recorded.look().notes if name == "git")
    assert note["hooks"] == ["pre-commit"]
    before, after = note["config"]
    assert before != after


def test_nothing_of_it_is_run(recorded: RecordedRepository, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    run = f"touch {mark}; false"
    root = recorded.root
    commit(root, "first")
    for setting in ("core.fsmonitor", "core.sshCommand", "core.gitProxy", "diff.external", "core.alternateRefsCommand"):
        git(root, "config", setting, run)
    with (root / ".git" / "config").open("a") as file:
        file.write(
            f'[extensions]\n\tpartialClone = x\n[remote "x"]\n\turl = "ext::sh -c \'{run}\'"\n\tpromisor = true\n'
        )
    hooks = root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "reference-transaction", "pre-auto-gc", "post-checkout", "fsmonitor-watchman"):
        (hooks / name).write_text(f"#!/bin/sh\n{run}\n")
        (hooks / name).chmod(0o755)
    objects = root / ".git" / "objects"
    (objects / "info").mkdir(exist_ok=True)
    (objects / "info" / "alternates").write_text("/nonexistent\n")
    head = (root / ".git" / "refs" / "heads" / "main").read_text().strip()
    os.remove(objects / head[:2] / head[2:])
    (root / ".git" / "refs" / "heads" / "main").write_text("1" * 40 + "\n")
    recorded.look()
    assert not mark.exists()


def test_links_are_not_followed(recorded: RecordedRepository, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the host's own\n")
    root = recorded.root
    (root / ".git" / "HEAD").unlink()
    (root / ".git" / "HEAD").symlink_to(secret)
    (root / ".git" / "refs" / "heads" / "x").symlink_to(secret)
    shutil.rmtree(root / ".git" / "hooks", ignore_errors=True)
    (root / ".git" / "hooks").symlink_to("/usr/bin")
    news = recorded.look()
    assert "host's own" not in str(news)
    assert (recorded.watch.state.head, recorded.watch.state.hooks) == (None, [])
    shutil.move(root / ".git", tmp_path / "moved")
    (root / ".git").symlink_to(tmp_path / "moved")
    assert any("a link" in gap for gap in recorded.look().gaps)
    (root / ".git").unlink()
    (root / ".git").write_text(f"gitdir: {tmp_path}/moved\n")
    assert any("a file" in gap for gap in recorded.look().gaps)


def test_objects_that_are_not_what_they_say(recorded: RecordedRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gitobjects, "_MAX_OBJECT", 1 << 20)
    root = recorded.root
    objects = root / ".git" / "objects"
    for number, content in enumerate(
        (b"no zlib at all", zlib.compress(b"commit 3\0abc"), zlib.compress(b"\0" * (8 << 20)))
    ):
        path = objects / "ab" / f"{number:038d}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    os.mkfifo(objects / "ab" / "9".zfill(38))
    (objects / "ab" / "8".zfill(38)).symlink_to("/etc/passwd")
    commit(root, "first")
    news = recorded.look()
    assert [data["message"].strip() for name, data in news.notes if name == "commit"] == ["first"]
    assert any("5 objects" in gap for gap in news.gaps)
    git(recorded.path, "fsck", "--full", "--strict")


def test_a_commit_without_its_content_is_a_gap(recorded: RecordedRepository) -> None:
    root = recorded.root
    tree = "0" * 38 + "12"
    content = f"tree {tree}\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\nempty\n".encode()
    store = TreeWriter(root / ".git")  # writes a loose object
    id_ = store.put("commit", content).hex()
    (root / ".git" / "refs" / "heads" / "odd").write_text(id_ + "\n")
    news = recorded.look()
    assert any(id_ in gap for gap in news.gaps)
    assert [data["sha"] for name, data in news.notes if name == "commit"] == [id_]
    git(recorded.path, "fsck", "--full", "--strict")


def test_a_damaged_pack_is_a_gap(recorded: RecordedRepository) -> None:
    packs = recorded.root / ".git" / "objects" / "pack"
    packs.mkdir(exist_ok=True)
    (packs / "pack-1.pack").write_bytes(b"PACK" + b"\0" * 100)
    commit(recorded.root, "first")
    news = recorded.look()
    assert any("pack" in gap for gap in news.gaps)
    assert [data["message"].strip() for name, data in news.notes if name == "commit"] == ["first"]


def test_no_repository_at_all(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    recorded = RecordedRepository(root, tmp_path / "store.git")
    assert recorded.look() == News()
    git(root, "init", "-q")
    commit(root, "late")
    assert recorded.commits() == ["late"]
