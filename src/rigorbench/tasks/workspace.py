"""The repository in which an agent finds itself: the starter of a task, freshly built.

Only ``environment/repo`` and ``environment/commits.toml`` of a task are read; nothing else of it (hidden tests,
solution, near misses, policies, the task file) can get into the result. Of a project: its attachments and what the
agent is told.
"""

from __future__ import annotations

from pathlib import Path

from rigorbench.tasks.build_repo import RepositoryError, build, commit, git

from .projects import environment_of, is_project, load_project
from .task import TaskError

__all__ = ["RepositoryError", "build_repository", "commit_files", "head", "tree_of"]


def build_repository(task_dir: Path, dest: Path) -> str:
    """Build the starter repository of the task in `task_dir` into `dest` and return the id of its last commit.

    `dest` must be missing or empty. The same task gives the same commit and tree hashes everywhere and always.

    Raises:
        RepositoryError: one line that names the file and the key which cannot be used.
    """
    task_dir = Path(task_dir)
    if not is_project(task_dir):
        return build(task_dir / "environment", Path(dest))
    try:
        with environment_of(task_dir, load_project(task_dir).instruction or "") as environment:
            return build(environment, Path(dest))
    except TaskError as error:
        raise RepositoryError(str(error)) from None


def commit_files(repository: Path, names: list[str], message: str, author: str, date: str) -> str:
    """Commit the files `names` (relative paths) as `author` at `date`; returns the commit's id."""
    return commit(repository, names, message, author, date)


def head(repository: Path) -> str:
    """Id of the commit that is checked out."""
    return git(repository, "rev-parse", "HEAD").strip()


def tree_of(repository: Path, commit_id: str = "HEAD") -> str:
    """Hash of the tree of a commit."""
    return git(repository, "rev-parse", f"{commit_id}^{{tree}}").strip()
