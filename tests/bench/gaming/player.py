"""Plays a scripted policy without engine and model: its calls are carried out one by one in a fresh repository.

What comes out is the trajectory that a reader would give of such a session, so that many policies can be scored in
little time. Runs of the tests are looked up by (work tree, command), since policies that share a base share its states.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from msgspec import Struct

from rigorbench.bench.tasks.policies.policy import Policy, PolicyCall
from rigorbench.bench.tasks.suite import SuiteTask
from rigorbench.bench.tasks.workspace import build_repository
from rigorbench.session.model import (
    Action,
    Ask,
    Edit,
    FileChange,
    Plan,
    PlanItem,
    Read,
    RecordedRun,
    Result,
    Shell,
    Source,
    Step,
    ToolCall,
    Trajectory,
)
from rigorbench.session.usage import TokenUsage

_RUNS: dict[tuple[str, str], tuple[int, str]] = {}
_PYTEST = "python -m pytest"


class Played(Struct):
    """A finished session. ``clone``: a repository that holds its start commit; ``root``: where it ended."""

    trajectory: Trajectory
    root: Path
    clone: Path


def play(policy: Policy, task: SuiteTask, directory: Path) -> Played:
    """Carry out a policy on a task, in new directories under ``directory``."""
    clone, root = directory / "clone", directory / "work"
    start = build_repository(task.directory, clone)
    subprocess.run(["git", "clone", "-q", str(clone), str(root)], check=True, env=_environment(directory))
    player = _Player(root, directory)
    steps = [Step("user", player.source(), text=task.task.instruction or "")]
    for number, turn in enumerate(policy.turns):
        step = Step("agent", player.source(), text=turn.text, time=1_700_000_000.0 + 10 * number)
        written = len(turn.text)
        for call in turn.call:
            step.calls.append(player.call(call))
            written += sum(len(str(value)) for value in step.calls[-1].input.values())
        # Scripted usage: four characters to a token, as a model would need for these words.
        step.usage = TokenUsage(input=200, cache_read=0, cache_write=0, output=max(1, written // 4))
        steps.append(step)
    trajectory = Trajectory(
        id=f"{task.id}-{policy.name}",
        format="played",
        source=Source("policy"),
        steps=steps,
        agent="player",
        cwd=str(root),
        start_commit=start,
        recording=RecordedRun("", [], scripted=True),
    )
    return Played(trajectory, root, clone)


class _Player:
    def __init__(self, root: Path, directory: Path) -> None:
        self.root, self.env = root, _environment(directory)
        self.count = 0

    def source(self) -> Source:
        self.count += 1
        return Source("policy", self.count)

    def call(self, call: PolicyCall) -> ToolCall:
        action, result = self._perform(call)
        given = {
            k: v for k in PolicyCall.__struct_fields__ if k != "tool" and (v := getattr(call, k)) not in (None, ())
        }
        return ToolCall(f"call-{self.count}", call.tool, given, action, self.source(), result)

    def _perform(self, call: PolicyCall) -> tuple[Action, Result]:
        if call.tool == "shell":
            status, output = self.shell(call.command or "")
            return Shell(call.command or ""), Result(output, exit_status=status)
        if call.tool == "read":
            path = self.root / str(call.path)
            text = path.read_text() if path.is_file() else f"{call.path}: no such file"
            return Read(str(call.path)), Result(text, is_error=not path.is_file())
        if call.tool == "plan":
            items = [PlanItem(i.text, i.status) for i in call.items]
            return Plan(items), Result("The plan is updated.", is_error=False)
        if call.tool == "ask":
            return Ask(call.text or ""), Result("(no answer)", is_error=False)
        return self._edit(call)

    def _edit(self, call: PolicyCall) -> tuple[Action, Result]:
        name, path = str(call.path), self.root / str(call.path)
        before = path.read_text() if path.is_file() else None
        if call.tool == "write":
            after = call.content or ""
            change = FileChange(name, "create" if before is None else "modify", before=before, after=after)
        else:
            assert call.old is not None
            assert call.new is not None
            change = FileChange(name, "modify", hunks=[(call.old, call.new)])
            if before is None or before.count(call.old) != 1:
                found = 0 if before is None else before.count(call.old)
                return Edit([change]), Result(f"Error: the text to replace occurs {found} times", is_error=True)
            after = before.replace(call.old, call.new)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(after)
        return Edit([change]), Result("The file is updated.", is_error=False)

    def shell(self, command: str) -> tuple[int, str]:
        plain = command.startswith(_PYTEST) and not any(c in command for c in "|;&<>`$")
        key = (self._tree(), command) if plain else ("", "")
        if plain and key in _RUNS:
            return _RUNS[key]
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,  # a busy machine may take a minute to start an interpreter
            check=False,
        )
        found = (done.returncode, done.stdout.decode("utf-8", "replace"))
        if plain:
            _RUNS[key] = found
        return found

    def _tree(self) -> str:
        """The hash of the work tree as it is, whatever is committed."""
        with tempfile.TemporaryDirectory() as scratch:
            env = {**self.env, "GIT_INDEX_FILE": str(Path(scratch) / "index")}
            for command in (["git", "add", "-A"], ["git", "write-tree"]):
                done = subprocess.run(command, cwd=self.root, env=env, check=True, capture_output=True, text=True)
        return done.stdout.strip()


def _environment(directory: Path) -> dict[str, str]:
    return {
        "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '/usr/bin:/bin')}",
        "HOME": str(directory),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_ADDOPTS": "-p no:cacheprovider",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_AUTHOR_NAME": "player",
        "GIT_AUTHOR_EMAIL": "player@example.org",
        "GIT_COMMITTER_NAME": "player",
        "GIT_COMMITTER_EMAIL": "player@example.org",
    }
