"""mini-swe-agent trajectories of both versions, from the real program and from its public runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from log_checks import agent_steps, calls, read, survives

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, FileChange, Finish, Other, Shell, Trajectory
from rigorbench.session.readers.mini_swe_agent import READERS

DATA = Path(__file__).parents[1] / "data" / "mini-swe-agent"
V2 = DATA / "cli-2.4.6-features.traj.json"
LIST = DATA / "0893806343-github_issue.traj.json"


def one(value: Any) -> Trajectory:
    (trajectory,) = read(READERS, LogFile(None, content=json.dumps(value).encode()))
    return trajectory


def run(*messages: dict[str, Any], **info: Any) -> Trajectory:
    opening = [{"role": "system", "content": "You are an agent."}, {"role": "user", "content": "Fix it."}]
    info = {"mini_version": "2.0.0", "config": {"model": {"model_name": "m"}}, **info}
    return one({"info": info, "messages": [*opening, *messages], "trajectory_format": "mini-swe-agent-1.1"})


def test_version_2_keeps_status_output_times_and_usage() -> None:
    assert (
        one({"info": {"mini_version": "2", "config": {}, "submission": "+x\n" * 40_000}, "messages": []}).steps == []
    )  # it may hide the messages
    (trajectory,) = read(READERS, V2)
    assert (trajectory.agent, trajectory.agent_version, trajectory.end) == ("mini-swe-agent", "2.4.6", "completed")
    assert trajectory.model == "openai/gpt-5-mini"
    assert [s.role for s in trajectory.steps[:3]] == ["harness", "user", "agent"]
    first = trajectory.steps[2]
    assert first.reasoning == "Run both in parallel."
    assert [c.id for c in first.calls] == ["call_fake0001e003295730", "call_fake0002ebaf070240"]
    assert (first.usage.input, first.usage.cache_read, first.usage.output) == (850, 0, 37)
    result = first.calls[1].result
    assert result.exit_status == 0
    assert result.text.startswith('{\n  "returncode": 0')
    assert result.stdout.startswith('"""Parse human durations')
    assert result.time is not None
    assert trajectory.ended_at is not None
    assert trajectory.started_at < result.time < trajectory.ended_at
    assert {c.result.exit_status for c in calls(trajectory) if c.result} == {0, 1, 3, None}
    # The submit command is the end, and no failure.
    last = calls(trajectory)[-1]
    assert isinstance(last.action, Finish)
    assert (last.result.exit_status, last.result.is_error) == (None, None)


def test_submitting_together_with_work_stays_a_command() -> None:
    done = "git commit -qam x && echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
    trajectory = run(
        {"role": "assistant", "content": f"Done.\n\n```bash\n{done}\n```"},
        {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted"}},
    )
    (call,) = calls(trajectory)
    assert call.action == Shell(done)
    assert call.result.text == "diff"
    assert trajectory.end == "completed"


def test_bare_list_with_text_fences() -> None:
    (trajectory,) = read(READERS, LIST)
    assert trajectory.id == "0893806343-github_issue"
    first, second = calls(trajectory)[:2]
    assert first.action == Shell("cat /Users/fuchur/Documents/24/git_sync/swe-agent-test-repo/tests/./missing_colon.py")
    assert first.result.exit_status == 1
    assert first.result.stdout.endswith("No such file or directory\n")
    assert "```" not in agent_steps(trajectory)[0].text
    assert second.result.exit_status == 0
    assert trajectory.end == "completed"
    assert trajectory.total_usage() is None
    assert (trajectory.model, trajectory.started_at) == (None, None)


def test_timeouts_and_format_errors_of_version_1() -> None:
    timed_out = (
        "The last command <command>sleep 99</command> timed out and has been killed.\n"
        "The output of the command was:\n <output>\npart\n</output>\nPlease try another command"
    )
    trajectory = run(
        {"role": "assistant", "content": "```bash\nsleep 99\n```"},
        {"role": "user", "content": timed_out},
        {"role": "assistant", "content": "```bash\nls\n```\nand\n```bash\npwd\n```"},
        {"role": "user", "content": "Please always provide EXACTLY ONE action in triple backticks, found 2 actions."},
        exit_status="LimitsExceeded",
    )
    (call,) = calls(trajectory)
    assert (call.result.timed_out, call.result.exit_status, call.result.stdout) == (True, None, "part\n")
    assert [s.role for s in trajectory.steps[-2:]] == ["agent", "harness"]
    assert trajectory.end == "limit"


def test_exceptions_are_the_harness_s_minus_one_not_the_command_s() -> None:
    called = {"id": "a", "type": "function", "function": {"name": "bash", "arguments": '{"command": "sleep 99"}'}}
    told = "An error occurred while executing the command: Command 'x' timed out after 60 seconds"
    extra = {"returncode": -1, "raw_output": "", "exception_info": told, "exception_type": "TimeoutExpired"}
    trajectory = run(
        {"role": "assistant", "content": None, "tool_calls": [called]},
        {"role": "tool", "tool_call_id": "a", "content": f"<exception>{told}</exception>", "extra": extra},
        exit_status="InternalServerError",
    )
    (call,) = calls(trajectory)
    assert (call.result.exit_status, call.result.timed_out, call.result.is_error) == (None, True, True)
    assert trajectory.end == "error"
    gone = f"<exception>{told[:45]} [Errno 2] No such file or directory: '/testbed'</exception>"
    reply = {"role": "assistant", "content": None, "tool_calls": [called]}
    (call,) = calls(run(reply, {"role": "tool", "tool_call_id": "a", "content": gone}))
    assert call.result.not_observed  # it did not start


def test_a_reply_without_a_command_counts_with_its_tokens() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 4}
    reply = {"created": 1763511747, "usage": usage, "choices": [{"message": {"content": "I am done."}}]}
    extra = {"interrupt_type": "FormatError", "response": reply}
    trajectory = run({"role": "user", "content": "No tool calls found.", "extra": extra})
    (step,) = agent_steps(trajectory)
    assert step.text == "I am done."
    assert (step.usage.input, step.usage.output, step.time) == (10, 4, 1763511747.0)
    assert trajectory.steps[-1].role == "harness"


def test_refusals_and_interruptions_are_the_human_s() -> None:
    called = {"id": "a", "type": "function", "function": {"name": "bash", "arguments": '{"command": "rm -rf /"}'}}
    held = {"returncode": -1, "raw_output": "", "exception_info": "action was not executed"}
    refused = "Commands not executed. The user rejected your commands with the following message: no"
    trajectory = run(
        {"role": "assistant", "content": "", "tool_calls": [called]},
        {"role": "tool", "tool_call_id": "a", "content": "{}", "extra": held},
        {"role": "user", "content": refused, "extra": {"interrupt_type": "UserRejection"}},
        {"role": "user", "content": "Interrupted by user: stop", "extra": {"interrupt_type": "UserInterruption"}},
    )
    (call,) = calls(trajectory)
    assert call.result.denied
    assert call.result.exit_status is None
    assert [s.role for s in trajectory.steps[-2:]] == ["user", "interrupt"]


def test_responses_api_messages() -> None:
    reply = {
        "object": "response",
        "model": "gpt-5",
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
            {"type": "message", "content": [{"type": "output_text", "text": "Look."}]},
            {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'},
        ],
        "usage": {"input_tokens": 90, "output_tokens": 9},
    }
    reply["usage"] |= {"input_tokens_details": {"cached_tokens": 40}, "output_tokens_details": {"reasoning_tokens": 3}}
    answer = {"type": "function_call_output", "call_id": "c1", "output": '{"returncode": 2, "output": "no"}'}
    trajectory = run(reply, {**answer, "extra": {"returncode": 2, "raw_output": "no"}})
    (step,) = agent_steps(trajectory)
    assert (step.text, step.reasoning, step.model) == ("Look.", "Hm.", "gpt-5")
    assert (step.usage.input, step.usage.cache_read, step.usage.output, step.usage.reasoning) == (50, 40, 9, 3)
    result = step.calls[0].result
    assert (result.exit_status, result.stdout) == (2, "no")


def test_every_public_run_is_read_whole(shared_data: Path) -> None:
    paths = sorted((shared_data / "sessions" / "mini-swe").iterdir())
    assert paths
    for path in paths:
        (trajectory,) = read(READERS, path)
        value = json.loads(path.read_bytes())
        messages = value if isinstance(value, list) else value["messages"]
        assert len(agent_steps(trajectory)) == sum(m["role"] == "assistant" for m in messages)
        wanted = sum(m["content"].count("<returncode>") for m in messages[2:] if m["role"] in ("tool", "user"))
        stated = [c.result.exit_status for c in calls(trajectory) if c.result is not None]
        assert len(stated) == len(calls(trajectory))
        assert sum(status is not None for status in stated) <= wanted
        assert not trajectory.skipped


def test_a_cut_log_is_read_as_far_as_it_goes() -> None:
    content = LIST.read_bytes()
    log = LogFile(None, content=content[: len(content) * 3 // 4])
    assert survives(READERS, log) > 4
    assert log.skipped


OFFER = "Tools:\n1. sh(line: str): runs a line\n2. store(file_path: str, code: str,): writes a file\n3. submit(): ends"


def python(*messages: str, offer: str = OFFER) -> Trajectory:
    """Replies and what came back, in turns."""
    roles = ("assistant", "user")
    said = [{"role": roles[n % 2], "content": text} for n, text in enumerate(messages)]
    opening = [{"role": "system", "content": offer}, {"role": "user", "content": "Fix it."}]
    return one({"info": {"mini_version": "1.17.3"}, "messages": [*opening, *said]})


OBSERVED = "<returncode>0</returncode>\n<output>\n1 failed\n</output>"


def test_calls_in_python_are_calls() -> None:
    reply = """# Thoughts: try it
@check
def write_and_try():
    text = '''print(1)\n'''
    store(code=text, file_path="t.py")
    sh("python t.py")
    sh("pytest -q")
    return "done"
"""
    trajectory = python(
        reply.replace("sh(", "run_shell("), OBSERVED, "submit()", offer=OFFER.replace("sh(line", "run_shell(command")
    )
    write, run_it, end = calls(trajectory)
    assert write.action == Edit([FileChange("t.py", "create", after="print(1)\n")])
    assert run_it.action == Shell("python t.py\npytest -q")
    assert (run_it.result.stdout, run_it.result.exit_status) == ("1 failed\n", None)
    assert isinstance(end.action, Finish)
    assert trajectory.unread_calls == 0


def test_what_a_reply_in_python_computes_is_not_known() -> None:
    (call, other) = calls(python("import os\nstore(os.getenv('F'), 'x = 1')", OBSERVED))
    assert (call.name, call.action) == ("store", Other())
    assert (other.name, other.action) == ("python", Other())


def test_an_action_that_cannot_be_read_is_an_unread_call() -> None:
    trajectory = python("launch --fast 'pytest -q'", OBSERVED)
    assert (calls(trajectory), trajectory.unread_calls) == ([], 1)
    # Nothing ran: the harness complains about the form of the reply.
    assert python("I think it rounds.", "Please always provide EXACTLY ONE action.").unread_calls == 0
