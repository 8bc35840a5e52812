"""Harbor trials: a directory with ``config.json``, ``result.json``, ``agent/`` and ``verifier/``.

An agent may leave several logs of one session under ``agent/``: its own, its output stream, and the ATIF that Harbor
made of it. Only one kind is read: the agent's own log has the most facts (above all exit codes), a stream the fewest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..logfile import LogError, LogFile
from ..model import Trajectory
from ..reader import ContainerReader, Nested
from .shared.values import arguments, iso_time, mapping, optional, sequence

_STREAMS = ("claude-code-stream", "codex-exec", "gemini-stream", "cursor-stream")


class HarborTrialReader(ContainerReader):
    """A trial directory as one log, so that the several logs of one session in it are not read as several."""

    format = "atif"

    def matches(self, log: LogFile) -> bool:
        return log.is_directory and log.path is not None and is_trial(log.path)

    def read_container(self, log: LogFile, nested: Nested) -> Iterator[Trajectory]:
        """The sessions of a trial, from one kind of the logs that the agent left."""
        assert log.path is not None
        for directory in [log.path / "agent", *sorted((log.path / "steps").glob("*/agent"))]:
            kinds: dict[str, list[Callable[[], list[Trajectory]]]] = {}
            for kind, read in nested(directory) if directory.is_dir() else ():
                kinds.setdefault(kind, []).append(read)
            for kind in sorted(kinds, key=lambda k: 2 if k in _STREAMS else 1 if k == "atif" else 0):
                sessions: list[Trajectory] = []
                for read in kinds[kind]:
                    try:
                        sessions.extend(read())
                    except LogError as error:
                        log.skip(error.line, error.reason, file=error.file)
                if sessions:
                    for trajectory in sessions:
                        describe(trajectory, log.path)
                    yield from sessions
                    break


def is_trial(directory: Path) -> bool:
    if not (directory / "agent").is_dir() and not (directory / "steps").is_dir():
        return False
    return any(b'"trial_name"' in _bytes(directory / name) for name in ("result.json", "config.json"))


def trial_of(log: LogFile) -> Path | None:
    """The trial directory that a log belongs to, or None."""
    if log.path is None:
        return None
    for parent in list(log.path.parents)[:8]:
        trial = parent.parents[2] if parent.parent.parent.name == "steps" else parent.parent
        if parent.name == "agent" and is_trial(trial):
            return trial
    return None


def describe(trajectory: Trajectory, trial: Path) -> None:
    """Adds what the trial's ``result.json`` states: agent, times, how it ended, and the reward under ``extra``."""
    if "trial" in trajectory.extra:
        return
    result = _json(trial / "result.json")
    config = _json(trial / "config.json")
    name = optional(result.get("trial_name")) or optional(config.get("trial_name")) or trial.name
    agent = mapping(result.get("agent_info"))
    model = mapping(agent.get("model_info"))
    if not trajectory.id or trajectory.id in ("trajectory", "unknown"):
        trajectory.id = name
    trajectory.agent = trajectory.agent or optional(agent.get("name"))
    if trajectory.agent_version is None and agent.get("version") != "unknown":
        trajectory.agent_version = optional(agent.get("version"))
    trajectory.model = trajectory.model or optional(model.get("name"))
    ran = mapping(result.get("agent_execution"))
    if trajectory.started_at is None:
        trajectory.started_at = iso_time(ran.get("started_at")) or iso_time(result.get("started_at"))
    if trajectory.ended_at is None:
        trajectory.ended_at = iso_time(ran.get("finished_at")) or iso_time(result.get("finished_at"))
    # The exception that ended the agent's work: of the trial, or of a step (its own, where each has its log).
    file = Path(trajectory.source.file).parts
    steps = [mapping(s) for s in sequence(result.get("step_results"))]
    own = [s for s in steps if s.get("step_name") in file] or steps
    raised = [optional(mapping(p.get("exception_info")).get("exception_type")) for p in (result, *own)]
    failure = next((name for name in raised if name is not None and not name.startswith("Verifier")), None)
    if failure is not None:
        # The agent's own log may end like a finished one: what ended the trial has the last word.
        if "Timeout" in failure or "Limit" in failure:
            trajectory.end = "limit"
        else:
            trajectory.end = "interrupted" if "Cancel" in failure or "KeyboardInterrupt" in failure else "error"
    elif trajectory.end is None and result.get("agent_result"):
        trajectory.end = "completed"
    about = {
        "trial_name": name,
        "task_name": optional(result.get("task_name")),
        "rewards": mapping(result.get("verifier_result")).get("rewards"),
        "exception": failure,
        "started_at": result.get("started_at"),
        "finished_at": result.get("finished_at"),
    }
    trajectory.extra = {**trajectory.extra, "trial": {k: v for k, v in about.items() if v is not None}}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _json(path: Path) -> dict[str, Any]:
    return mapping(arguments(_bytes(path).decode("utf-8", "replace")))
