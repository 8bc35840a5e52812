"""Builds the repository from which an agent starts: the starter of a task.

Only ``environment/repo`` and ``environment/commits.toml`` of a task are read, so nothing else of it (hidden tests,
solution, near misses, policies, the task file) can get into the result. Of a project, its attachments and its
instruction are read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from ...session.task import TaskError
from .build_repo import RepositoryError, build, git
from .projects import environment_of, is_project, load_project

__all__ = ["ROOT", "RepositoryError", "apply_change", "build_repository", "tree_of"]

# Path of the repository in a sandbox.
ROOT = "/work"


def build_repository(task_dir: Path, dest: Path) -> str:
    """Build the starter repository of the task in ``task_dir`` into ``dest``; returns the id of its last commit.

    ``dest`` must be missing or empty. The same task always gives the same commit and tree hashes.

    Raises:
        RepositoryError: one line that names the file and the key that cannot be used.
    """
    task_dir = Path(task_dir)
    if not is_project(task_dir):
        return build(task_dir / "environment", Path(dest))
    try:
        with environment_of(task_dir, load_project(task_dir).instruction or "") as environment:
            return build(environment, Path(dest))
    except TaskError as error:
        raise RepositoryError(str(error)) from None


def tree_of(repository: Path, commit_id: str = "HEAD") -> str:
    """Hash of the tree of a commit."""
    return git(repository, "rev-parse", f"{commit_id}^{{tree}}").strip()


def apply_change(change: Path, repository: Path) -> str | None:
    """Apply a patch, or copy a directory of files over a repository; returns why git refuses the patch, or None."""
    if change.is_dir():
        shutil.copytree(change, repository, dirs_exist_ok=True)
        return None
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-p1", str(change.absolute())],
        cwd=repository,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        # If the directory has no history, git must not use a repository above it.
        env={"PATH": os.environ.get("PATH", os.defpath), "GIT_CEILING_DIRECTORIES": str(repository.parent)},
    )
    return " ".join(done.stderr.split()) if done.returncode else None
