"""The starter repository: built with its history, always with the same hashes, and refused when it is no good."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rigorbench.bench.tasks import build_repo
from rigorbench.bench.tasks.workspace import RepositoryError, build_repository, tree_of
from sources import text_file

COMMITS = text_file("build_repository.commits.toml")

FILES = {"src/amounts.py": "x = 1\n", "src/deep/er/more.py": "y = 2\n", "pyproject.toml": "[project]\n",
    "sub/other.toml": "a = 1\n", "docs/format.md": "# Format\n", "README.md": "# Amounts\n", ".gitignore": "*.log\n",
    "kept.log": "kept\n"}  # fmt: skip


def task(directory: Path, commits: str | None = COMMITS, files: dict[str, str] = FILES) -> Path:
    for name, text in files.items():
        path = directory / "environment" / "repo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if commits is not None:
        (directory / "environment" / "commits.toml").write_text(commits)
    return directory


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=repository, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_every_commit_has_its_files_author_and_date(tmp_path: Path) -> None:
    build_repository(task(tmp_path / "t"), tmp_path / "r")
    log = git(tmp_path / "r", "log", "--reverse", "--format=%s|%an|%ae|%aI|%cI|%cn")
    assert log.splitlines() == [
        "Parse amounts|Dana Reyes|dana@example.org|2024-03-04T09:12:00+01:00|2024-03-04T09:12:00+01:00|Dana Reyes",
        "Describe the format|Lee Ong|lee@example.org|2024-03-05T10:00:00+00:00|2024-03-05T10:00:00+00:00|Lee Ong",
        "The rest|Dana Reyes|dana@example.org|2024-03-06T09:12:00+01:00|2024-03-06T09:12:00+01:00|Dana Reyes",
    ]
    changed = [git(tmp_path / "r", "show", "--format=", "--name-only", f"HEAD~{n}").split() for n in (2, 1, 0)]
    assert changed == [
        ["pyproject.toml", "src/amounts.py", "src/deep/er/more.py"],
        ["docs/format.md"],
        [".gitignore", "README.md", "kept.log", "sub/other.toml"],
    ]
    assert git(tmp_path / "r", "status", "--porcelain", "--ignored") == ""
    assert git(tmp_path / "r", "symbolic-ref", "HEAD") == "refs/heads/main"


def test_the_hashes_are_the_same_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build_repository(task(tmp_path / "t"), tmp_path / "a" / "deep")
    for name, value in {
        "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
        "GIT_COMMITTER_EMAIL": "x@example.org",
        "GIT_DIR": str(tmp_path / "elsewhere"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.autocrlf",
        "GIT_CONFIG_VALUE_0": "true",
        "TZ": "America/Lima",
        "LC_ALL": "C",
    }.items():
        monkeypatch.setenv(name, value)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        "[commit]\ngpgsign = true\n[init]\ndefaultBranch = trunk\n[core]\nautocrlf = true\n"
    )
    monkeypatch.setenv("HOME", str(home))
    old = os.umask(0o077)
    try:
        again = task(tmp_path / "u")
        assert build_repository(again, tmp_path / "b") == first
    finally:
        os.umask(old)
    # A change of one byte is a change of the hash: the equality above is no accident.
    (again / "environment/repo/README.md").write_text("# Amount\n")
    assert build_repository(again, tmp_path / "c") != first


def test_this_repository_never_changes_its_hash(tmp_path: Path) -> None:
    """Hashes of starters are published with results; a change of the builder must not move them unseen."""
    assert build_repository(task(tmp_path / "t"), tmp_path / "r") == "ad254c4fbc8cf9c28c5986c6234dcdfda36ec158"
    assert tree_of(tmp_path / "r") == "f97d33c7c765b54eaa7921fa3545864da07661f8"


def test_the_script_that_tasks_carry_builds_the_same(tmp_path: Path) -> None:
    directory = task(tmp_path / "t")
    expected = build_repository(directory, tmp_path / "r")
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(build_repo.__file__), str(directory / "environment"), str(tmp_path / "s")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == expected + "\n"


def test_without_a_history_there_is_one_commit(tmp_path: Path) -> None:
    build_repository(task(tmp_path / "t", commits=None), tmp_path / "r")
    assert git(tmp_path / "r", "rev-list", "--count", "HEAD") == "1"


def test_whoever_works_there_can_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_repository(task(tmp_path / "t"), tmp_path / "r")
    for name in [n for n in os.environ if n.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (tmp_path / "r" / "README.md").write_text("changed\n")
    git(tmp_path / "r", "commit", "-q", "-am", "Change")
    assert git(tmp_path / "r", "log", "-1", "--format=%an") == "Developer"


def test_litter_is_left_out_and_modes_are_kept(tmp_path: Path) -> None:
    directory = task(tmp_path / "t", files={**FILES, "src/__pycache__/a.pyc": "x", ".pytest_cache/v": "x", "run": "#!"})
    (directory / "environment/repo/run").chmod(0o700)
    build_repository(directory, tmp_path / "r")
    assert not list((tmp_path / "r").rglob("__pycache__"))
    assert git(tmp_path / "r", "ls-files", "-s", "run").startswith("100755")
    assert git(tmp_path / "r", "ls-files", "-s", "README.md").startswith("100644")


HEAD = '[[commit]]\nmessage = "m"\nauthor = "A <a@b.c>"\ndate = "2024-03-04T09:12:00Z"\n'


@pytest.mark.parametrize(
    ("commits", "complaint"),
    [
        ("[[commit]\n", "commits.toml: "),
        ("", "commits.toml: commit: expected at least one [[commit]] table"),
        ('commit = ["x"]\n', "commit: expected at least one"),
        ("[[commits]]\n", "commits: unknown key"),
        (HEAD + 'when = "x"\n', "commit[0].when: unknown key; allowed are message"),
        (HEAD.replace("A <a@b.c>", "A"), "commit[0].author: expected NAME <MAIL>, not 'A'"),
        (HEAD.replace('"m"', '" "'), "commit[0].message: expected a text"),
        (HEAD.replace("Z", ""), "commit[0].date: expected a date and time with zone"),
        (HEAD.replace("2024", "last year"), "commit[0].date: expected a date"),
        (HEAD + 'paths = "x"\n', "commit[0].paths: expected a list"),
        (HEAD + HEAD, "commit[0].paths: required in every commit but the last"),
        (HEAD + 'paths = ["nothing/**"]\n' + HEAD, "'nothing/**' matches no file"),
        (HEAD + 'paths = ["**"]\n' + HEAD, "commit[1]: no file is left for it"),
    ],
)
def test_a_bad_history_is_one_line_with_file_and_key(tmp_path: Path, commits: str, complaint: str) -> None:
    directory = task(tmp_path / "t", commits)
    with pytest.raises(RepositoryError, match=r"\A[^\n]*\Z") as caught:
        build_repository(directory, tmp_path / "r")
    assert "commits.toml" in str(caught.value)
    assert complaint in str(caught.value)
    assert not (tmp_path / "r").exists()


def test_links_nested_repositories_and_empty_starters_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match=r"repo: no such directory"):
        build_repository(tmp_path / "none", tmp_path / "r")
    (tmp_path / "empty/environment/repo").mkdir(parents=True)
    with pytest.raises(RepositoryError, match="holds no file"):
        build_repository(tmp_path / "empty", tmp_path / "r")
    directory = task(tmp_path / "t")
    repo = directory / "environment" / "repo"
    (repo / "link").symlink_to("/etc")
    with pytest.raises(RepositoryError, match="link: neither a file nor a directory"):
        build_repository(directory, tmp_path / "r")
    (repo / "link").unlink()
    (repo / "vendor" / ".git").mkdir(parents=True)
    with pytest.raises(RepositoryError, match="a repository within the starter"):
        build_repository(directory, tmp_path / "r")


def test_a_destination_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "mine").write_text("x")
    with pytest.raises(RepositoryError, match="is not an empty directory"):
        build_repository(task(tmp_path / "t"), tmp_path / "r")
    assert [p.name for p in (tmp_path / "r").iterdir()] == ["mine"]
