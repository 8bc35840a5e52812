"""Small git repositories and hand-made sessions on them, whose truth is known."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from builders_capture import Store as TreeWriter
from rigorbench.bench.replay import sandbox
from rigorbench.evidence.events import AnyEvent
from rigorbench.evidence.walk.extract import extract
from rigorbench.session import model

START = 1_700_000_000.0
CWD = "/home/dev/shop"


def git(repo: Path, *arguments: str) -> str:
    stamp = f"{int(START) - 3600} +0000"
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

    def __init__(self) -> None:
        self.trajectory = model.Trajectory(
            "s", "test", model.Source("test.jsonl"), [], cwd=CWD, started_at=START, states_failure=False
        )

    def _call(self, name: str, action: model.Action, text: str, exit_status: int | None = None) -> Session:
        number = len(self.trajectory.steps)
        source = model.Source("test.jsonl", number + 1)
        call = model.ToolCall(
            f"c{number}", name, {}, action, source, model.Result(text, exit_status=exit_status, is_error=False)
        )
        self.trajectory.steps.append(model.Step("agent", source, calls=[call]))
        return self

    def write(self, path: str, text: str) -> Session:
        return self._call("Write", model.Edit([model.FileChange(path, "create", after=text)]), "ok")

    def edit(self, path: str, old: str, new: str) -> Session:
        return self._call("Edit", model.Edit([model.FileChange(path, "modify", hunks=[(old, new)])]), "ok")

    def delete(self, path: str) -> Session:
        return self._call("Delete", model.Edit([model.FileChange(path, "delete")]), "ok")

    def read(self, path: str) -> Session:
        return self._call("Read", model.Read(path), "text")

    def run(self, command: str, text: str = "", exit_status: int = 0) -> Session:
        return self._call("Bash", model.Shell(command), text, exit_status)

    @property
    def events(self) -> list[AnyEvent]:
        return extract(self.trajectory).events


def record(session: Session, repo: Path) -> None:
    """Make the session one that was recorded: the states of the repository after each of its edits."""
    trajectory = session.trajectory
    trees = TreeWriter(repo.parent / "recorded.git")
    names = git(repo, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    files: dict[str, str | bytes] = {name: (repo / name).read_bytes() for name in names}
    start = trees.tree(files)
    states: list[model.TreeState] = []
    for number, step in enumerate(trajectory.steps):
        for call in step.calls:
            call.observed = []
            if not isinstance(call.action, model.Edit):
                continue
            for change in call.action.changes:
                before = files.pop(change.path, None)
                old = before.decode() if isinstance(before, bytes) else before
                new = change.after if change.after is not None else old
                for was, now in change.hunks:
                    new = new.replace(was, now, 1)
                after = None if change.operation == "delete" else new
                if after is not None:
                    files[change.path] = after
                call.observed.append(model.FileChange(change.path, change.operation, before=old, after=after))
            states.append(model.TreeState(trees.tree(files), "after", call.source, step=number, call=call.id))
    trajectory.recording = model.RecordedRun(
        str(trees.path), ["trees"], start_tree=start, base_tree=start, snapshots=states, final_tree=trees.tree(files)
    )


def needs_bwrap() -> None:
    reason = sandbox.unavailable()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture
def bwrap() -> None:
    needs_bwrap()
