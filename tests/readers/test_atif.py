"""ATIF documents by others, and Harbor's job directories."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from log_checks import agent_steps, calls, read

from rigorbench.session.logfile import LogError, LogFile
from rigorbench.session.model import MAIN_LANE, Edit, Finish, Shell, ShellOutput, Trajectory
from rigorbench.session.readers.atif import READERS, HarborTrialReader, stated_status
from rigorbench.session.registry import discover
from rigorbench.session.usage import TokenUsage

DATA = Path(__file__).parents[1] / "data"
JOB = DATA / "atif" / "job"
TRIAL = JOB / "fix-parser__Ab12Cd"
DOCUMENT = TRIAL / "agent" / "trajectory.json"


def one(*steps: dict[str, Any], version: str = "ATIF-v1.6", agent: str = "an-agent", **rest: Any) -> Trajectory:
    numbered = [{"step_id": n, **step} for n, step in enumerate(steps, 1)]
    value = {"schema_version": version, "session_id": "s", "agent": {"name": agent, "version": "1"}, "steps": numbered}
    (trajectory,) = read(READERS, LogFile(None, content=json.dumps({**value, **rest}).encode()))
    return trajectory


def bash(call_id: str, command: str, content: Any, **extra: Any) -> dict[str, Any]:
    result = {"source_call_id": call_id, "content": content, **({"extra": extra} if extra else {})}
    return {
        "source": "agent",
        "message": "m",
        "tool_calls": [{"tool_call_id": call_id, "function_name": "Bash", "arguments": {"command": command}}],
        "observation": {"results": [result]},
    }


def statuses(trajectory: Trajectory) -> list[int | None]:
    return [c.result.exit_status for c in calls(trajectory) if c.result is not None]


def test_harbor_s_claude_code_document() -> None:
    (trajectory,) = read(READERS, DOCUMENT)
    assert (trajectory.agent, trajectory.agent_version, trajectory.cwd) == ("claude-code", "2.1.34", "/app")
    assert (trajectory.branch, trajectory.model, trajectory.states_failure) == ("main", "claude-opus-4-6", True)
    red, task, _, edit, green, last = calls(trajectory)
    # The text before Harbor rewrote it, and the status that this text states.
    assert (red.result.text, red.result.exit_status, red.result.is_error) == ("Exit code 1\n1 failed", 1, True)
    assert task.action.lane == "a9d2c"
    assert trajectory.lanes["a9d2c"].parent_call == "toolu_2"
    assert trajectory.lanes["a9d2c"].agent_type == "Explore"
    assert [s.role for s in trajectory.steps if s.lane == "a9d2c"] == ["harness", "agent", "agent"]
    assert edit.action.changes[0].before == "def parse(text):\n    return int(text)\n"
    assert (green.result.text, green.result.stdout, green.result.exit_status) == ("1 passed", "1 passed", None)
    assert last.result is None
    assert agent_steps(trajectory)[0].usage == TokenUsage(50, 900, 150, 60, None)
    assert trajectory.total_usage() == TokenUsage(760, 4690, 190, 260, None)
    # The trial beside the document.
    trial = trajectory.extra["trial"]
    assert (trial["trial_name"], trial["rewards"]) == ("fix-parser__Ab12Cd", {"reward": 1.0})
    assert trajectory.end == "completed"


@pytest.mark.parametrize(
    ("content", "text", "stdout", "failed"),
    [
        ('2 passed\n\n[stdout]\n2 passed\n[metadata] {"noOutputExpected": false}', "2 passed", "2 passed", False),
        ('1\n2\n\n[stdout]\n1\n[stderr]\n2\n[metadata] {"interrupted": false}', "1\n2", "1\n2", False),
        ('slow\n\n[stderr]\nslow\n[metadata] {"interrupted": false}', "slow", "slow", False),
        ('(no output)\n\n[metadata] {"noOutputExpected": true}', "(no output)", None, False),
        ("Exit code 1\n1 failed\n\n[error] tool reported failure", "Exit code 1\n1 failed", None, True),
        ("[metadata] is missing", "[metadata] is missing", None, None),
    ],
)
def test_what_harbor_appends_to_the_output_of_claude_code(
    content: str, text: str, stdout: str | None, failed: bool | None
) -> None:
    """The output is there twice: as the model saw it, and as the tool returned it."""
    trajectory = one(bash("c1", "pytest", content), agent="claude-code")
    (made,) = calls(trajectory)
    assert (made.result.text, made.result.stdout, made.result.is_error) == (text, stdout, failed)
    assert trajectory.states_failure == (failed is not None)


def test_a_job_directory_gives_one_session_a_trial() -> None:
    (log,) = discover([str(JOB)])
    assert isinstance(log, LogFile)
    assert log.path == TRIAL
    (trajectory,) = read(READERS, log)
    assert trajectory.source.file.endswith("trajectory.json")
    assert len(calls(trajectory)) == 6


def test_the_agent_s_own_log_is_preferred_to_harbor_s(tmp_path: Path) -> None:
    trial = tmp_path / "job" / "t__1"
    shutil.copytree(TRIAL, trial)
    shutil.copy(
        DATA / "mini-swe-agent" / "cli-2.4.6-features.traj.json", trial / "agent" / "mini-swe-agent.trajectory.json"
    )
    assert HarborTrialReader().matches(LogFile(trial))
    (trajectory,) = read(READERS, LogFile(trial))
    assert trajectory.format == "mini-swe-agent"
    assert trajectory.extra["trial"]["rewards"] == {"reward": 1.0}


def test_a_trial_whose_document_names_nothing_gets_its_names(tmp_path: Path) -> None:
    trial = tmp_path / "t__1"
    shutil.copytree(TRIAL, trial)
    result = json.loads((trial / "result.json").read_text())
    result["exception_info"] = {"exception_type": "AgentTimeoutError"}
    (trial / "result.json").write_text(json.dumps(result))
    (trial / "agent" / "trajectory.json").write_text(
        json.dumps({"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "unknown"}, "steps": []})
    )
    (trajectory,) = read(READERS, LogFile(trial))
    assert (trajectory.id, trajectory.agent_version, trajectory.end) == ("fix-parser__Ab12Cd", "2.1.34", "limit")
    assert trajectory.started_at == 1772445610.0


@pytest.mark.parametrize(
    ("change", "end"),
    [
        ({"exception_info": {"exception_type": "AgentTimeoutError"}}, "limit"),
        ({"step_results": [{"step_name": "a"}, {"exception_info": {"exception_type": "AgentTimeoutError"}}]}, "limit"),
        ({"exception_info": {"exception_type": "AgentSetupError"}, "agent_result": None}, "error"),
        ({"exception_info": {"exception_type": "VerifierTimeoutError"}}, "completed"),
    ],
)  # fmt: skip
def test_what_ended_a_trial_has_the_last_word(tmp_path: Path, change: dict[str, Any], end: str) -> None:
    trial = tmp_path / "t__2"
    shutil.copytree(TRIAL, trial)
    result = json.loads((trial / "result.json").read_text())
    (trial / "result.json").write_text(json.dumps({**result, **change}))
    (trajectory,) = read(READERS, LogFile(trial))
    assert trajectory.end == end


def test_a_step_that_timed_out_ends_its_own_log_only(tmp_path: Path) -> None:
    trial = tmp_path / "t__3"
    for step in ("one", "two"):
        shutil.copytree(TRIAL / "agent", trial / "steps" / step / "agent")
    steps = [{"step_name": "one"}, {"step_name": "two", "exception_info": {"exception_type": "AgentTimeoutError"}}]
    result = {"trial_name": "t", "agent_result": {"n": 1}, "step_results": steps}
    (trial / "result.json").write_text(json.dumps(result))
    assert [t.end for t in read(READERS, LogFile(trial))] == ["completed", "limit"]


def test_results_and_configurations_are_no_documents() -> None:
    for name in ("result.json", "config.json"):
        for path in (JOB / name, TRIAL / name):
            assert not any(r.matches(LogFile(path)) for r in READERS)


@pytest.mark.parametrize("version", [f"ATIF-v1.{n}" for n in range(9)] + ["1.4", "v1.4"])
def test_every_version(version: str) -> None:
    trajectory = one({"source": "user", "message": "Do it."}, bash("c", "ls", "a.py"), version=version)
    assert [s.role for s in trajectory.steps] == ["user", "agent"]
    assert calls(trajectory)[0].action == Shell("ls")
    assert trajectory.total_usage() is None


@pytest.mark.parametrize(
    "extra",
    [
        {"exit_code": 2},
        {"returncode": 2},
        {"tool_result_metadata": {"exit_code": 2}},
        {"tool_result_metadata": {"tool_use_result": {"exitCode": 2}}},
        {"tool_result_metadata": {"raw_tool_result": {"content": "Exit code 2\nno", "is_error": True}}},
    ],
)
def test_where_converters_put_the_exit_status(extra: dict[str, Any]) -> None:
    assert statuses(one(bash("c", "ls x", "no", **extra))) == [2]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Exit code 2\nno such file", 2),
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nok", 0),
        ("<returncode>127</returncode>\n<output>\n</output>", 127),
        ("out\n[The command completed with exit code 1.]\n[Current working directory: /]", 1),
        ("out\n\n[stdout]\nout\n[exit_code] 3", 3),
        ("Output: x\nExit Code: 4\nProcess Group PGID: 7", 4),
        ("the program says: exit code 5 means trouble", None),
        ("", None),
    ],
)
def test_exit_status_as_text(text: str, status: int | None) -> None:
    assert stated_status(text) == status


def test_no_status_is_taken_from_other_tools_texts() -> None:
    step = bash("c", "x", "Exit code 2\n")
    step["tool_calls"][0] |= {"function_name": "Read", "arguments": {"file_path": "notes.txt"}}
    assert statuses(one(step)) == [None]
    assert calls(one(bash("c", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "")))[0].action == Finish()
    assert calls(one(bash("c", "make", 'exec_command failed: CreateProcess { "Rejected(no)" }')))[0].result.denied


def test_older_converters_one_call_a_step() -> None:
    first = {"source": "agent", "message": "Look.", "metrics": {"prompt_tokens": 9, "completion_tokens": 3}}
    second = bash("toolu_1", "ls", "a\n\n[metadata] {}")
    raw = {"content": "a", "is_error": False}
    second |= {"message": "Executed Bash toolu_1", "extra": {"tool_result_metadata": {"raw_tool_result": raw}}}
    trajectory = one(first, second, bash("toolu_2", "pwd", "/"))
    (looked, after) = agent_steps(trajectory)
    assert (looked.text, len(looked.calls), len(after.calls)) == ("Look.", 1, 1)
    assert looked.calls[0].result.text == "a"


def test_terminus_types_into_a_terminal() -> None:
    def typed(keys: str) -> dict[str, Any]:
        return {"tool_call_id": keys, "function_name": "bash_command", "arguments": {"keystrokes": keys, "duration": 1}}

    step = {"source": "agent", "message": "Analysis: x", "tool_calls": [typed("cd /app\n"), typed("make test\n")]}
    step["observation"] = {"results": [{"content": "$ make test\nok"}]}
    done = {"tool_call_id": "d", "function_name": "mark_task_complete", "arguments": {}}
    trajectory = one(
        {"source": "user", "message": "Task"},
        step,
        {"source": "user", "message": "Here are the answers the other agent provided."},
        {**step, "message": "", "tool_calls": [typed("C-c"), done], "observation": {"results": [{"content": "^C"}]}},
        agent="terminus-2",
    )
    # One terminal, one output: what is typed line by line is one call.
    made, stop, end = calls(trajectory)
    assert (made.action, made.result and made.result.text) == (Shell("cd /app\nmake test"), "$ make test\nok")
    assert isinstance(stop.action, ShellOutput)
    assert isinstance(end.action, Finish)
    assert [s.role for s in trajectory.steps] == ["user", "agent", "harness", "agent"]


def test_terminus_replies_kept_raw() -> None:
    said = {"analysis": "A", "plan": "P", "commands": [{"keystrokes": "ls\n", "duration": 0.1}], "task_complete": True}
    trajectory = one({"source": "agent", "message": json.dumps(said)}, agent="terminus-2")
    assert [c.action for c in calls(trajectory)] == [Shell("ls"), Finish()]
    assert trajectory.steps[0].text == "Analysis: A\nPlan: P"
    assert one({"source": "agent", "message": '{"role":"assistant","tool_calls":[{"id":"a"}]}'}).unread_calls == 1


def test_harbor_s_swe_agent_has_no_times_and_its_own_command_language() -> None:
    action = {"tool_call_id": "c", "function_name": "swe_agent_action", "arguments": {"raw_action": "edit 'a' 'b'"}}
    step = {"source": "agent", "message": "Think.\n```\nedit\n```", "reasoning_content": "Think."}
    trajectory = one({**step, "tool_calls": [action], "timestamp": "2026-01-01T00:00:00Z"}, agent="swe-agent")
    assert trajectory.started_at is None
    assert (trajectory.steps[0].text, trajectory.steps[0].reasoning) == ("Think.", "")
    assert isinstance(calls(trajectory)[0].action, Edit)


def test_embedded_sub_agents_become_lanes() -> None:
    spawn = bash("t", "x", None)
    spawn["tool_calls"][0] |= {"function_name": "Task", "arguments": {"prompt": "Look."}}
    spawn["observation"]["results"][0] = {"source_call_id": "t", "subagent_trajectory_ref": [{"trajectory_id": "sub"}]}
    sub = {
        "schema_version": "ATIF-v1.7",
        "trajectory_id": "sub",
        "agent": {"name": "explorer", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": "Look."}, {"step_id": 2, **bash("g", "ls", "a")}],
    }
    lost = {**sub, "trajectory_id": "lost"}
    trajectory = one(spawn, version="ATIF-v1.7", subagent_trajectories=[sub, lost])
    action = calls(trajectory)[0].action
    assert action.lane == "sub"
    assert calls(trajectory)[0].result is None
    lane = trajectory.lanes["sub"]
    assert (lane.parent, lane.parent_call, lane.agent_type, lane.prompt) == (MAIN_LANE, "t", "explorer", "Look.")
    assert [s.role for s in trajectory.steps if s.lane == "sub"] == ["harness", "agent"]
    assert "lost" in trajectory.lanes


def test_sub_agents_and_continuations_in_other_files(tmp_path: Path) -> None:
    base = {"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "terminus-2", "version": "2"}}
    handoff = {"session_id": "sum", "trajectory_path": "trajectory.summary.json"}
    step = {
        "step_id": 2,
        "source": "system",
        "message": "Performed context summarization and handoff to continue task.",
        "observation": {"results": [{"subagent_trajectory_ref": [handoff]}]},
    }
    files = {
        "trajectory.json": {**base, "steps": [{"step_id": 1, **bash("a", "ls", "x")}, step]},
        "trajectory.summary.json": {**base, "steps": [{"step_id": 1, "source": "agent", "message": "All so far."}]},
        "trajectory.cont-1.json": {
            **base,
            "steps": [
                {"step_id": 1, "source": "user", "message": "Task", "is_copied_context": True},
                {"step_id": 2, **bash("b", "pwd", "/")},
            ],
        },
    }
    files["trajectory.json"]["continued_trajectory_ref"] = "trajectory.cont-1.json"
    for name, value in files.items():
        (tmp_path / name).write_text(json.dumps(value))
    (log,) = discover([str(tmp_path)])
    assert isinstance(log, LogFile)
    (trajectory,) = read(READERS, log)
    assert [s.role for s in trajectory.steps] == ["agent", "compaction", "agent", "agent"]
    assert [s.lane for s in trajectory.steps] == ["main", "main", "sum", "main"]
    assert [c.id for c in calls(trajectory)] == ["a", "b"]
    assert trajectory.steps[2].source.file.endswith("trajectory.summary.json")
    assert any("copies" in skipped.reason for skipped in log.skipped)


def test_usage_is_normalised() -> None:
    cached = {"prompt_tokens": 100, "completion_tokens": 7, "cached_tokens": 60}
    written = {**cached, "extra": {"cache_creation_input_tokens": 30, "reasoning_tokens": 2}}
    apart = {**cached, "extra": {"cache_creation_input_tokens": 300}}
    trajectory = one(*({"source": "agent", "message": "", "metrics": m} for m in (cached, written, apart)))
    assert [s.usage for s in trajectory.steps] == [
        TokenUsage(40, 60, None, 7, None),
        TokenUsage(10, 60, 30, 7, 2),
        TokenUsage(40, 60, 300, 7, None),
    ]


def test_totals_stand_in_for_missing_metrics() -> None:
    final = {"total_prompt_tokens": 50, "total_completion_tokens": 5, "total_cached_tokens": 20}
    assert one(bash("c", "ls", "a"), final_metrics=final).total_usage() == TokenUsage(30, 20, None, 5, None)


def test_lines_of_documents_and_lines_of_steps() -> None:
    head = {"schema_version": "ATIF-v1.6", "session_id": "a", "agent": {"name": "x", "version": "1"}}
    whole = {**head, "session_id": "b", "steps": [{"step_id": 1, **bash("c", "ls", "")}]}
    lines = [head, {"step_id": 1, **bash("c", "ls", "a")}, {"step_id": 2, **bash("d", "pwd", "/")}, whole]
    found = read(READERS, LogFile(None, content="\n".join(map(json.dumps, lines)).encode()))
    assert [(t.id, len(t.steps)) for t in found] == [("a", 2), ("b", 1)]


def test_results_that_are_steps_of_their_own() -> None:
    def result(text: str, **extra: Any) -> dict[str, Any]:
        return {"source": "agent", "message": text, "observation": {"results": [{"content": text}]}, "extra": extra}

    def call(name: str, **arguments: Any) -> dict[str, Any]:
        made = {"tool_call_id": str(arguments), "function_name": name, "arguments": arguments}
        return {"source": "agent", "message": "", "tool_calls": [made]}

    trajectory = one(
        call("exec", command="go build ./x"),
        result("x.go:1: no\n\n(Command exited with code 1)"),
        call("exec", command="go vet ./x"),
        result("Command still running (session sea, pid 7). Use process.", tool_call_id="{'command': 'go vet ./x'}"),
        call("process", action="poll", sessionId="sea"),
        result("ok", exec_exit_code=0),
    )
    assert len(agent_steps(trajectory)) == 3
    build, vet, polled = calls(trajectory)
    assert (build.result.exit_status, vet.result.running, vet.result.shell_id) == (1, True, "sea")
    assert (polled.action, polled.result.exit_status) == (ShellOutput("sea"), 0)


def test_a_result_without_its_call_is_not_lost() -> None:
    step = {"source": "agent", "message": "m", "observation": {"results": [{"content": "what came"}]}}
    assert [(s.role, s.text) for s in one(step).steps] == [("agent", "m"), ("harness", "what came")]


def test_documents_that_are_none() -> None:
    for value in ({"schema_version": "2.0", "steps": []}, {"schema_version": "1.4", "steps": "x"}, {"x": "ATIF-v1.6"}):
        assert not READERS[1].matches(LogFile(None, content=json.dumps(value).encode()))
    with pytest.raises(LogError):
        list(READERS[1].read(LogFile(None, content=b'["x"]')))


def test_what_codex_says_in_the_user_s_place_is_the_harness_s() -> None:
    steps = [{"source": "user", "message": m} for m in ("<recommended_plugins>\nA list.", "Fix total")]
    assert [s.role for s in one(*steps, bash("c", "ls", "a"), agent="codex").steps] == ["harness", "user", "agent"]


def test_a_call_that_is_there_twice_was_made_once() -> None:
    step = bash("c1", "pytest", "1 passed")
    step["tool_calls"] *= 2
    step["observation"]["results"] *= 2
    [call] = calls(one(step))
    assert call.result.text == "1 passed"


@pytest.mark.parametrize(("output", "answers"), [(7, 1), (9, 2)])
def test_the_blocks_of_one_answer_have_its_counts_each(output: int, answers: int) -> None:
    def block(made: int, **more: Any) -> dict[str, Any]:
        return {"source": "agent", "metrics": {"prompt_tokens": 100, "completion_tokens": made}, **more}

    call = {"tool_call_id": "a", "function_name": "Bash", "arguments": {"command": "ls"}}
    shown = {"results": [{"source_call_id": "a", "content": "a.py"}]}
    second = block(output, message="Executed Bash a", tool_calls=[call], observation=shown)
    found = one({"source": "user", "message": "Look"}, block(7, message="I look."), second, agent="claude-code")
    said = [s for s in found.steps if s.role == "agent"]
    assert len(said) == answers
    assert (said[0].text, said[-1].calls[0].result.text) == ("I look.", "a.py")
    assert found.total_usage().output == 7 + output * (answers - 1)


def test_a_lone_side_chain_is_that_of_the_lone_call() -> None:
    inner = {"source": "agent", "message": "I look.", "extra": {"is_sidechain": True}}
    task = {"tool_call_id": "t", "function_name": "Task", "arguments": {"prompt": "Find it"}}
    found = one(inner, {"source": "user", "message": "Fix"}, {"source": "agent", "tool_calls": [task]})
    assert (calls(found)[0].action.lane, found.lanes["sidechain"].parent_call) == ("sidechain", "t")
