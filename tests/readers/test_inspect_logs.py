"""Inspect logs of a real run (a react agent with a scripted model), as archive and as JSON."""

from __future__ import annotations

import gzip
import random
import sys
from pathlib import Path

import pytest
from log_checks import cut_and_spoiled, read

from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.model import MAIN_LANE, Finish, Shell, ToolCall, Trajectory
from rigorbench.session.readers.inspect import READERS
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "inspect"
LOGS = (DATA / "tiny.eval", DATA / "tiny.json")


def needs_inspect() -> None:
    pytest.importorskip("inspect_ai", reason="Inspect logs are read through Inspect's own reader (extra: inspect)")


def calls(trajectory: Trajectory) -> dict[str, ToolCall]:
    return {call.id: call for step in trajectory.steps for call in step.calls}


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.suffix)
def test_detection_needs_no_inspect(path: Path) -> None:
    assert READERS[0].matches(LogFile(path))


def test_other_documents_are_not_inspect_s() -> None:
    others = b'{"eval": {"task": 1}, "status": "x"}', b'{"eval": "text", "plan": {}}', b"PK\x03\x04 something else"
    for content in others:
        assert not READERS[0].matches(LogFile(None, content=content))


def test_without_inspect_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    with pytest.raises(LogError, match=r"pip install '\.\[inspect\]'"):
        list(READERS[0].read(LogFile(LOGS[0])))


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.suffix)
def test_a_sample_is_a_trajectory(path: Path) -> None:
    needs_inspect()
    (trajectory,) = read(READERS, path)
    assert (trajectory.agent, trajectory.model, trajectory.end) == ("react", "mockllm/model", "completed")
    assert trajectory.extra["inspect"]["sample_id"] == "s-1"
    assert trajectory.extra["inspect"]["scores"] == {"includes": "C"}
    main = [s for s in trajectory.steps if s.lane == MAIN_LANE]
    roles = [s.role for s in main]
    assert roles == ["harness", "user", "agent", "agent", "agent", "agent", "agent", "agent", "harness", "agent"]
    assert main[1].text == "Make the test pass."
    assert (main[2].text, main[2].reasoning) == ("Let me write a test first.", "A red test first.")
    assert main[2].usage == TokenUsage(12, 100, 5, 31, 7)
    assert trajectory.total_usage() == TokenUsage(12 * 9, 100 * 9, 5 * 9, sum(range(31, 40)), 7 * 9)


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.suffix)
def test_results_have_status_times_and_errors(path: Path) -> None:
    needs_inspect()
    (trajectory,) = read(READERS, path)
    known = calls(trajectory)
    red, fix, code, slow = known["call_1_0"], known["call_2_0"], known["call_2_1"], known["call_3_0"]
    assert red.action == Shell("echo 'assert 1 == 2' > t.py && python3 t.py")
    assert red.result.exit_status == 1
    assert "AssertionError" in red.result.text
    assert red.result.time is not None
    assert red.time < red.result.time
    # Parallel calls end in another order than they began; each has its own command's status.
    assert [c.result.exit_status if c.result else None for c in (fix, code)] == [0, 0]
    assert isinstance(code.action, Shell)
    assert (slow.result.timed_out, slow.result.exit_status, slow.result.is_error) == (True, None, True)
    assert known["call_9_0"].action == Finish("42")


def test_a_sub_agent_has_a_lane() -> None:
    needs_inspect()
    (trajectory,) = read(READERS, LOGS[0])
    (_, lane) = trajectory.lanes.values()
    assert (lane.parent, lane.parent_call, lane.agent_type) == (MAIN_LANE, "call_4_0", "helper")
    assert lane.prompt == "Look at t.py and tell what it says."
    action = calls(trajectory)["call_4_0"].action
    assert action.lane == lane.id
    inside = [s for s in trajectory.steps if s.lane == lane.id]
    assert [s.role for s in inside] == ["harness", "harness", "agent", "agent"]


def test_compressed_logs_and_standard_input(tmp_path: Path) -> None:
    needs_inspect()
    packed = tmp_path / "log.json.gz"
    packed.write_bytes(gzip.compress(LOGS[1].read_bytes()))
    for log in (LogFile(packed), LogFile(None, content=LOGS[0].read_bytes())):
        assert len(read(READERS, log)[0].steps) == 14


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.suffix)
def test_damaged_logs_give_one_line(path: Path, tmp_path: Path) -> None:
    needs_inspect()
    dice = random.Random(1)
    for number in range(4):
        target = tmp_path / f"{number}{path.suffix}"
        target.write_bytes(cut_and_spoiled(path.read_bytes(), dice))
        told = ""
        try:
            found = list(READERS[0].read(LogFile(target)))
        except LogError as error:
            found, told = [], str(error)
        assert found or told
        assert "\n" not in told
