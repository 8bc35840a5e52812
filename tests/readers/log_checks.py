"""What several reader tests check in the same way: totals against the model server's record, and hostile input."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.model import Step, ToolCall, Trajectory
from rigorbench.session.reader import Reader
from rigorbench.session.registry import sessions

_OTHER_TYPES: tuple[Any, ...] = (None, True, -1, 1e300, "", "text", [], {}, [[]], {"id": 1}, ["x", 3], "2026-13-45T99")


def read(readers: tuple[Reader, ...], log: LogFile | Path) -> list[Trajectory]:
    """All trajectories by the first of the readers that matches."""
    log = log if isinstance(log, LogFile) else LogFile(log)
    reader = next(r for r in readers if r.matches(log))
    return sessions(reader, log)


def write(path: Path, *lines: Any) -> Path:
    """JSON lines (a str as it is)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), "utf-8")
    return path


def agent_steps(trajectory: Trajectory) -> list[Step]:
    return [step for step in trajectory.steps if step.role == "agent"]


def calls(trajectory: Trajectory) -> list[ToolCall]:
    return [call for step in trajectory.steps for call in step.calls]


def calls_of(trajectory: Trajectory) -> dict[str, ToolCall]:
    """The calls by id."""
    return {call.id: call for call in calls(trajectory)}


def totals(trajectory: Trajectory) -> dict[str, int]:
    """What the server's record counts too: the whole prompt, its cached part, the output, calls and steps."""
    usage = trajectory.total_usage()
    assert usage is not None
    return {
        "input": (usage.input or 0) + (usage.cache_read or 0) + (usage.cache_write or 0),
        "cached": usage.cache_read or 0,
        "output": usage.output or 0,
        "calls": sum(len(step.calls) for step in trajectory.steps),
        "steps": len(agent_steps(trajectory)),
    }


def damaged(value: Any, dice: random.Random, rate: float) -> Any:
    """The value with some of what is inside it replaced by something of another type, dropped or doubled."""
    if dice.random() < rate:
        return dice.choice(_OTHER_TYPES)
    if isinstance(value, dict):
        return {k: damaged(v, dice, rate) for k, v in value.items() if dice.random() > rate / 4}
    if isinstance(value, list):
        items = [damaged(v, dice, rate) for v in value for _ in range(2 if dice.random() < rate / 4 else 1)]
        if dice.random() < rate:
            dice.shuffle(items)
        return items
    return value


def cut_and_spoiled(content: bytes, dice: random.Random) -> bytes:
    """The bytes cut somewhere, with a NUL, an invalid byte and a lost stretch in them."""
    content = content[: dice.randrange(1, len(content))]
    for junk in (b"\x00", b"\xff", b'"', b"\n"):
        if dice.random() < 0.5:
            at = dice.randrange(len(content) + 1)
            content = content[:at] + junk + content[at + dice.randrange(3) :]
    return content


def survives(readers: tuple[Reader, ...], log: LogFile) -> int:
    """Steps read from the log; every reader reads it, matching or not, and nothing but LogError may come out."""
    steps = 0
    for reader in readers:
        try:
            matched = reader.matches(log)
            found = sessions(reader, log)
        except LogError:
            continue
        steps += sum(len(t.steps) for t in found) if matched else 0
        for trajectory in found:
            check_types(trajectory)
    return steps


def check_types(trajectory: Trajectory) -> None:
    """Every text is a str and every number a number, whatever stood in the log."""
    assert isinstance(trajectory.id, str)
    assert trajectory.model is None or isinstance(trajectory.model, str)
    assert trajectory.cwd is None or isinstance(trajectory.cwd, str)
    for step in trajectory.steps:
        assert isinstance(step.text, str)
        assert isinstance(step.reasoning, str)
        assert step.time is None or isinstance(step.time, int | float)
        for number in () if step.usage is None else (step.usage.input, step.usage.output, step.usage.cache_read):
            assert number is None or isinstance(number, int)
        for call in step.calls:
            assert isinstance(call.id, str)
            assert isinstance(call.name, str)
            if call.result is not None:
                assert isinstance(call.result.text, str)
                assert call.result.exit_status is None or isinstance(call.result.exit_status, int)
