"""Cline's sessions, and the tasks that it, Roo Code and Kilo Code wrote before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_checks import agent_steps, calls, calls_of, read, totals

from rigorbench.session.cost import stated_cost
from rigorbench.session.model import Edit, Shell, Spawn, Trajectory
from rigorbench.session.readers import cline, cline_task
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data" / "cline"
READERS = (*cline.READERS, *cline_task.READERS)
TASK = DATA / "1796084500000" / "api_conversation_history.json"


def real(name: str) -> Trajectory:
    (session,) = read(READERS, DATA / name / f"{name}.messages.json")
    return session


def test_a_real_session() -> None:
    session = real("1796084324377_tnsh5")
    assert (session.agent_version, session.model, session.cwd) == ("3.0.65", "fake-coder", "/home/dev/repo")
    assert (session.branch, session.end, session.states_failure) == ("main", "completed", True)
    assert totals(session) == {"input": 118377, "cached": 108992, "output": 1071, "calls": 16, "steps": 16}
    tests = [call.result for call in calls(session) if getattr(call.action, "command", "") == "python -m pytest -q"]
    assert [(r.exit_status, r.is_error) for r in tests if r] == [(1, True), (1, True), (None, False)]
    assert tests[0] is not None
    assert str(tests[0].stdout).startswith(".FF.")


def test_the_sub_agent_of_a_real_session() -> None:
    session = real("1796084409585_ndyzx")
    (call,) = [call for call in calls(session) if isinstance(call.action, Spawn)]
    (lane,) = [lane for lane in session.lanes.values() if lane.parent]
    assert (lane.id, lane.parent_call) == ("agent_1796084413061_suqo2d", call.id)
    assert call.result.text == "One risk: only the first token is used, so `1h30m` gives 3600."
    part = DATA / "1796084409585_ndyzx" / "agent_1796084413061_suqo2d.messages.json"
    assert cline.READERS[0].owner(part).name == "1796084409585_ndyzx.messages.json"


def test_a_task_whose_calls_are_text() -> None:
    (session,) = read(READERS, TASK)
    assert (session.id, session.cwd, session.model) == ("1796084500000", "/home/dev/repo", "anthropic/claude-sonnet-4")
    assert [call.name for call in calls(session)] == [
        *("read_file", "execute_command", "apply_diff", "execute_command", "execute_command", "attempt_completion")
    ]
    commands = [call.result for call in calls(session) if isinstance(call.action, Shell)]
    assert [(r.exit_status, r.denied) for r in commands if r] == [(1, False), (0, False), (None, True)]
    assert commands[1] is not None
    assert commands[1].stdout == "4 passed in 0.10s"
    (edit,) = [call.action for call in calls(session) if isinstance(call.action, Edit)]
    assert edit.changes[0].hunks[0][0] == "    return int(value) * UNITS[unit]"
    assert agent_steps(session)[0].text == "<thinking>Look first.</thinking>\n\nI'll read the code."
    assert totals(session)["cached"] == 5400
    assert stated_cost(session) == pytest.approx(0.06)
    assert [step.text for step in session.steps if step.role == "user"] == ["The suite fails. Fix the code."]


@pytest.mark.parametrize(
    ("folder", "agent"),
    [("rooveterinaryinc.roo-cline", "roo-code"), ("kilocode.kilo-code", "kilo-code"), ("x", "cline")],
)
def test_the_program_is_known_by_its_folder(tmp_path: Path, folder: str, agent: str) -> None:
    path = tmp_path / folder / "tasks" / "1" / TASK.name
    path.parent.mkdir(parents=True)
    path.write_bytes(TASK.read_bytes())
    (session,) = read(READERS, path)
    assert (session.agent, session.usage_complete) == (agent, False)  # nothing beside it states the tokens


def session_of(path: Path, *blocks: dict[str, Any], result: Any = None) -> Trajectory:
    answer = {"role": "assistant", "content": list(blocks), "metrics": {"tokens": {"prompt": 9, "completion": 2}}}
    back = [{"type": "tool_result", "tool_use_id": "c", "content": result}]
    said = [{"role": "user", "content": "Go"}, answer, {"role": "user", "content": back}]
    path.write_text(json.dumps({"version": 1, "messages": [{"role": "user", "content": []}, *said]}))
    (session,) = read(READERS, path)
    return session


def test_a_count_of_what_was_read_from_the_cache_and_what_was_written_is_neither() -> None:
    assert cline._usage({"tokens": {"prompt": 10, "completion": 5, "cached": 90}}) == TokenUsage(100, None, None, 5)


def test_each_of_several_commands_has_its_own_result(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "c", "name": "run_commands", "input": {"commands": ["make", "make test"]}}
    outcomes = [
        {"query": "make", "result": "ok", "success": True},
        {"query": "make test", "result": "[Command exited with code 2]\nno rule", "error": "...", "success": False},
    ]
    session = session_of(tmp_path / "s.messages.json", call, result=outcomes)
    found = calls_of(session)
    assert [c.action for c in found.values()] == [Shell("make"), Shell("make test")]
    assert [c.result and (c.result.exit_status, c.result.is_error) for c in found.values()] == [
        (None, False),
        (2, True),
    ]
    assert totals(session)["input"] == 9
