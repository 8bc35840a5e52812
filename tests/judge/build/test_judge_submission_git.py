"""Revisions of repositories that are in their author's hands."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.judge.submission import SubmissionError, from_git, take

pytestmark = [pytest.mark.bwrap, pytest.mark.usefixtures("cells")]
if shutil.which("git") is None:
    pytest.skip("git is not installed", allow_module_level=True)

ENV = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
    "GIT_ALLOW_PROTOCOL": "file",
}
Git = Callable[..., str]


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, Git]:
    place = tmp_path / "repository"
    place.mkdir()

    def git(*words: str, at: Path = place) -> str:
        done = subprocess.run(["git", *words], cwd=at, env=ENV, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q", "-b", "main")
    (place / "main.c").write_text("int main(void) { return 1; }\n")
    (place / "run.sh").write_text("$Format:%H$ $Id$\n")
    (place / "run.sh").chmod(0o755)
    (place / ".gitattributes").write_text("* export-subst ident filter=evil text eol=crlf\nmain.c export-ignore\n")
    git("add", ".")
    git("commit", "-qm", "one")
    (place / "main.c").write_text("int main(void) { return 2; }\n")
    git("commit", "-qam", "two")
    return place, git


def read(repository: Path, place: Path, revision: str = "HEAD", limit: int = 1 << 20) -> dict[str, bytes]:
    made = from_git(repository, revision, place / "tree", language="auto", limit=limit)
    assert made.history == place / "tree.git"
    return {p.relative_to(made.root).as_posix(): p.read_bytes() for p in sorted(made.root.rglob("*")) if p.is_file()}


def test_a_revision_comes_as_it_was_committed_with_its_history(repository: tuple[Path, Git], tmp_path: Path) -> None:
    place, git = repository
    (place / "main.c").write_text("not committed")
    bare = tmp_path / "bare.git"
    git("clone", "-q", "--bare", str(place), str(bare))
    git("tag", "-am", "first", "v1", "HEAD~1")
    git("bundle", "create", "-q", str(tmp_path / "b.bundle"), "--all")
    found = {
        name: from_git(source, revision, tmp_path / "taken" / name, language="auto")
        for name, source, revision in (
            ("bare", bare, "HEAD"), ("branch", bare, "main"), ("tree", place, "HEAD"),
            ("id", bare, git("rev-parse", "HEAD")), ("bundle", tmp_path / "b.bundle", "main"),
            ("head", tmp_path / "b.bundle", "HEAD"),
        )
    }  # fmt: skip
    assert len({made.digest for made in found.values()}) == 1
    made = found["bundle"]
    assert made.revision == git("rev-parse", "HEAD")
    assert (made.root / "main.c").read_text() == "int main(void) { return 2; }\n"
    assert (made.root / "run.sh").read_bytes() == b"$Format:%H$ $Id$\n", "no attribute of the repository takes effect"
    assert (made.root / "run.sh").stat().st_mode & 0o777 == 0o755
    assert git("log", "--format=%s", at=made.history).split() == ["two", "one"]
    assert git("fsck", "--strict", at=made.history) == ""
    for name, source in (("older", place), ("tag", tmp_path / "b.bundle")):
        older = from_git(source, "v1", tmp_path / name, language="auto")
        assert (older.root / "main.c").read_text() == "int main(void) { return 1; }\n"
    assert take(f"{bare}@main~1", tmp_path / "again").digest == older.digest


@pytest.mark.parametrize(
    "revision", ["--help", "-x", "a..b", "none", "main:main.c", "@{1}", "a b", "", "x" * 300, "main^{tree}"]
)
def test_a_revision_that_is_none(repository: tuple[Path, Git], tmp_path: Path, revision: str) -> None:
    with pytest.raises(SubmissionError, match="revision"):
        read(repository[0], tmp_path, revision)


def test_nothing_of_the_repository_runs_or_points_elsewhere(repository: tuple[Path, Git], tmp_path: Path) -> None:
    place, git = repository
    witness = tmp_path / "witness"
    other = tmp_path / "other"
    other.mkdir()
    git("init", "-q", "-b", "main", at=other)
    (other / "secret").write_text("secret")
    git("add", ".", at=other)
    git("commit", "-qm", "secret", at=other)
    secret = git("rev-parse", "HEAD", at=other)
    script = f"#!/bin/sh\ntouch {witness}\n"
    for name in ("pre-commit", "post-checkout", "reference-transaction", "post-index-change"):
        hook = place / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(script)
        hook.chmod(0o755)
    run = tmp_path / "run"
    run.write_text(script)
    run.chmod(0o755)
    with open(place / ".git" / "config", "a") as config:
        config.write(
            f"[core]\n\tfsmonitor = {run}\n\tpager = {run}\n\tsshCommand = {run}\n\thooksPath = {tmp_path}\n"
            f"[include]\n\tpath = {tmp_path}/none\n[filter \"evil\"]\n\tsmudge = {run}\n\tclean = {run}\n"
            f"[alias]\n\trev-parse = !{run}\n[uploadpack]\n\tpackObjectsHook = {run}\n"
            "[extensions]\n\tpartialClone = evil\n[remote \"evil\"]\n\turl = ext::sh -c false\n\tpromisor = true\n"
        )  # fmt: skip
    (place / ".git" / "objects" / "info").mkdir(exist_ok=True)
    (place / ".git" / "objects" / "info" / "alternates").write_text(f"{other}/.git/objects\n")
    one, two = git_raw(place, "main~1"), git_raw(place, "main")
    replaced = place / ".git" / "refs" / "replace" / two
    replaced.parent.mkdir()
    replaced.write_text(one + "\n")
    (place / ".git" / "info" / "grafts").write_text(f"{two}\n")
    assert read(place, tmp_path / "a")["main.c"] == b"int main(void) { return 2; }\n"
    history = tmp_path / "a" / "tree.git"
    assert git("log", "--format=%s", at=history).split() == ["two", "one"]
    with pytest.raises(SubmissionError, match="no revision"):
        read(place, tmp_path / "b", secret)
    assert not witness.exists()


def git_raw(place: Path, name: str) -> str:
    """The id of a revision, read without the repository's (by now bad) configuration."""
    words = ["git", f"--git-dir={place}/.git", "--work-tree=/nonexistent", "rev-parse", name]
    raw = place / ".git" / "config"
    kept = raw.read_text()
    raw.write_text("[core]\n\trepositoryformatversion = 0\n")
    try:
        return subprocess.run(words, env=ENV, check=True, capture_output=True, text=True).stdout.strip()
    finally:
        raw.write_text(kept)


def test_links_below_the_repository_are_not_followed(repository: tuple[Path, Git], tmp_path: Path) -> None:
    place = repository[0]
    moved = tmp_path / "moved"
    shutil.move(place / ".git" / "objects", moved)
    (place / ".git" / "objects").symlink_to(moved)
    with pytest.raises(SubmissionError, match=r"not a git repository|no revision"):
        read(place, tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(SubmissionError, match="not a git repository"):
        read(tmp_path / "empty", tmp_path)


def test_submodules_are_left_out_and_links_are_checked(repository: tuple[Path, Git], tmp_path: Path) -> None:
    place, git = repository
    git("update-index", "--add", "--cacheinfo", f"160000,{git('rev-parse', 'HEAD')},sub")
    (place / "same.c").symlink_to("main.c")
    git("add", "same.c")
    git("commit", "-qm", "module")
    made = from_git(place, "HEAD", tmp_path / "tree", language="auto")
    assert made.notes == ("the submodule sub is left out",)
    assert (made.root / "same.c").read_text() == "int main(void) { return 2; }\n"
    (place / "out").symlink_to("/etc/passwd")
    git("add", "out")
    git("commit", "-qm", "out")
    with pytest.raises(SubmissionError, match="symbolic link out does not lead"):
        read(place, tmp_path / "b")


def test_sizes_are_looked_at_before_anything_is_read(repository: tuple[Path, Git], tmp_path: Path) -> None:
    place, git = repository
    (place / "big").write_bytes(bytes(5000))
    git("add", ".")
    git("commit", "-qm", "big")
    with pytest.raises(SubmissionError, match=r"more than the 4,000 bytes allowed \(at big\)"):
        read(place, tmp_path, limit=4000)


def test_damage_is_the_submission_s_fault(repository: tuple[Path, Git], tmp_path: Path) -> None:
    place, git = repository
    blob = git("rev-parse", "HEAD:main.c")
    path = place / ".git" / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(b"damaged")
    with pytest.raises(SubmissionError, match=r"missing or damaged|cannot be"):
        read(place, tmp_path)
    bundle = tmp_path / "b.bundle"
    bundle.write_bytes(b"# v2 git bundle\n" + b"0" * 40 + b" refs/heads/main\n\nPACKgarbage")
    with pytest.raises(SubmissionError, match="the bundle cannot be read: git: "):
        take(str(bundle), tmp_path / "c")


def test_a_shallow_clone_is_enough(repository: tuple[Path, Git], tmp_path: Path) -> None:
    place, git = repository
    git("clone", "-q", "--depth", "1", f"file://{place}", str(tmp_path / "shallow"))
    assert read(tmp_path / "shallow", tmp_path / "a")["main.c"] == b"int main(void) { return 2; }\n"
    assert git("log", "--format=%s", at=tmp_path / "a" / "tree.git") == "two"
