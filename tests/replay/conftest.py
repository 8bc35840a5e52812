"""Small git repositories and hand-made sessions on them, whose truth is known."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.evidence.events import AnyEvent
from rigorbench.evidence.walk.extract import extract
from rigorbench.replay import sandbox
from rigorbench.trajectory.model import Edit, FileChange, Read, Result, Shell, Source, Step, ToolCall, Trajectory

START = 1_700_000_000.0
CWD = "/home/dev/shop"


def git(repo: Path, *arguments: str, at: float = START - 3600) -> str:
    stamp = f"{int(at)} +0000"
    env = {
        **os.environ,
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_DATE": stamp,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    command = ["git", "-C", str(repo), "-c", "user.name=T", "-c", "user.email=t@example.com", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout.strip()


def write(repo: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    def make(files: dict[str, str]) -> Path:
        repo = tmp_path / "repo"
        repo.mkdir()
        git(repo, "init", "-q", "-b", "main")
        write(repo, files)
        git(repo, "add", "-A")
        git(repo, "commit", "-q", "-m", "start")
        return repo

    return make


class Session:
    """Builds a trajectory call by call; every call is a step of its own."""

    def __init__(self, cwd: str | None = CWD) -> None:
        self.trajectory = Trajectory(
            "s", "test", Source("test.jsonl"), [], cwd=cwd, started_at=START, states_failure=False
        )

    def _add(self, call: ToolCall) -> Session:
        self.trajectory.steps.append(Step("agent", call.source, calls=[call]))
        return self

    def _call(
        self, name: str, action: object, text: str, exit_status: int | None = None, error: bool = False
    ) -> Session:
        number = len(self.trajectory.steps)
        source = Source("test.jsonl", number + 1)
        result = Result(text, exit_status=exit_status, is_error=error)
        return self._add(ToolCall(f"c{number}", name, {}, action, source, result))  # type: ignore[arg-type]

    def write(self, path: str, text: str) -> Session:
        return self._call("Write", Edit([FileChange(path, "create", after=text)]), "ok")

    def edit(self, path: str, old: str, new: str, *, replace_all: bool = False, error: bool = False) -> Session:
        change = FileChange(path, "modify", hunks=[(old, new)], replace_all=replace_all)
        return self._call("Edit", Edit([change]), "ok", error=error)

    def change(self, change: FileChange, name: str = "Edit") -> Session:
        return self._call(name, Edit([change]), "ok")

    def delete(self, path: str) -> Session:
        return self._call("Delete", Edit([FileChange(path, "delete")]), "ok")

    def read(self, path: str) -> Session:
        return self._call("Read", Read(path), "text")

    def run(self, command: str, text: str = "", exit_status: int = 0) -> Session:
        return self._call("Bash", Shell(command), text, exit_status)

    @property
    def events(self) -> list[AnyEvent]:
        return extract(self.trajectory).events


def needs_bwrap() -> None:
    reason = sandbox.unavailable()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture
def bwrap() -> None:
    needs_bwrap()
