"""What the user takes back (a rewind, a rollback) is in a lane of its own, and is neither left nor done."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import test_claude_code as claude_code
import test_codex as rollouts
import test_copilot as events
import test_gemini as chats
from log_checks import read, write

from rigorbench.api import extract
from rigorbench.review.session import Session
from rigorbench.session.model import Trajectory

RED = "F\nFAILED tests/test_a.py::test_a - assert 1 == 2\n1 failed in 0.1s\n"


def claude(path: Path, parent: str) -> Trajectory:
    """A question, an answer, a red run, and a second question that goes on from the line ``parent``."""
    lines = [
        claude_code.user("Say hello", "1"),
        claude_code.agent([{"type": "text", "text": "Hello."}], "m2", "2"),
        claude_code.user("Make it two", "3"),
        claude_code.agent([claude_code.tool("t0", "Bash", command="sed -i s/1/2/ a.py")], "m4", "4"),
        claude_code.result("t0", "ok", "5", toolUseResult={"stdout": "ok"}),
        claude_code.agent([claude_code.tool("t1", "Bash", command="pytest -q")], "m6", "6"),
        claude_code.result("t1", RED, "7", toolUseResult={"stdout": RED}),
        claude_code.user("Make it three", "8"),
        claude_code.agent([{"type": "text", "text": "It is three."}], "m9", "9"),
    ]
    for before, line in pairwise(lines):
        line["parentUuid"] = before["uuid"]
    lines[-2]["parentUuid"] = parent
    return claude_code.read_lines(*lines)


def codex(path: Path, turns: int) -> Trajectory:
    return rollouts.rollout(
        path / "rollout-a.jsonl",
        rollouts.meta(),
        rollouts.said(1, "user", "Say hello"),
        rollouts.said(2, "assistant", "Hello."),
        rollouts.said(3, "user", "Make it two"),
        rollouts.called(4, "c1", "exec_command", cmd="pytest -q"),
        rollouts.returned(5, "c1", RED),
        *([rollouts.record(6, "event_msg/thread_rolled_back", num_turns=turns)] if turns else []),
        rollouts.said(7, "user", "Make it three"),
        rollouts.said(8, "assistant", "It is three."),
    )


def copilot(path: Path, rewound: bool) -> Trajectory:
    return events.session(
        path,
        events.event(0, "session.start", sessionId="s", context={"cwd": "/repo"}),
        events.event(1, "user.message", content="Make it two"),
        events.asked(2, "c1", "bash", command="pytest -q"),
        events.ended(3, "c1", RED),
        *([events.event(4, "session.snapshot_rewind", upToEventId="user.message-1")] if rewound else []),
        events.event(5, "user.message", content="Make it three"),
        events.event(6, "assistant.message", messageId="m6", content="It is three.", toolRequests=[]),
    )


def gemini(path: Path, rewound: bool) -> Trajectory:
    lines = [
        chats.HEADER,
        chats.message("m1", 1, type="user", content="Make it two"),
        chats.message("m2", 2, toolCalls=[chats.shell("c", f"Output: {RED}", args={"command": "pytest -q"})]),
        *([{"$rewindTo": "m1"}] if rewound else []),
        chats.message("m3", 3, type="user", content="Make it three"),
        chats.message("m4", 4, content="It is three."),
    ]
    return read(chats.READERS, write(path / "session-a.jsonl", *lines))[0]


def shown(trajectory: Trajectory) -> tuple[list[str], set[str], bool]:
    """What the user asks in the main lane; the kinds of events of calls; whether an edit may be there unseen."""
    found = extract(trajectory)
    asked = [s.text for s in trajectory.steps if s.role == "user" and s.lane == "main"]
    return asked, {type(e).__name__ for e in found.events if e.call is not None}, bool(found.unplaced)


TAKEN_BACK = [partial(claude, parent="2"), partial(claude, parent="1"), partial(codex, turns=1)]
TAKEN_BACK += [partial(agent, rewound=True) for agent in (copilot, gemini)]


@pytest.mark.parametrize("trajectory", TAKEN_BACK)
def test_what_was_taken_back_is_neither_left_nor_done(trajectory: Any, tmp_path: Path) -> None:
    log = trajectory(tmp_path)
    asked, kinds, unknown = shown(log)
    assert asked[-1] == "Make it three"
    assert "Make it two" not in asked
    assert (kinds, unknown) == (set(), True)
    assert Session(extract(log)).episodes == []
    assert [lane.taken_back for lane in log.lanes.values() if lane.id != "main"] == [True]


@pytest.mark.parametrize(
    "trajectory",
    [lambda p: claude(p, "7"), lambda p: codex(p, 0), lambda p: copilot(p, False), lambda p: gemini(p, False)],
)
def test_without_that_all_is_done(trajectory: Any, tmp_path: Path) -> None:
    asked, kinds, _ = shown(trajectory(tmp_path))
    assert asked[-2:] == ["Make it two", "Make it three"]
    assert "TestRunEvent" in kinds


def test_several_turns_at_once(tmp_path: Path) -> None:
    assert shown(codex(tmp_path, 2))[0] == ["Make it three"]
    assert shown(codex(tmp_path, 9))[0] == ["Make it three"]
