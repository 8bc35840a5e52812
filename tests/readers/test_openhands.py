"""OpenHands: V0 instances and event lists, V1 conversation folders and event streams."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from log_checks import agent_steps, cut_and_spoiled, damaged, read, survives, totals, write

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, Finish, Other, Plan, Read, Search, Shell, ShellOutput, Spawn
from rigorbench.session.readers.openhands.reader import READERS
from rigorbench.session.readers.openhands.v0 import ipython_action
from rigorbench.session.registry import discover, read_log
from rigorbench.session.usage import TokenUsage

CONVERSATIONS, INSTANCES = READERS
DATA = Path(__file__).parents[1] / "data" / "openhands"


def conversation(shared: Path, scenario: str) -> Path:
    return next((shared / "cli" / "openhands" / scenario / "session/.openhands/conversations").iterdir())


# V1 ------------------------------------------------------------------------------------------------------------------


def event(kind: str, second: int, source: str = "agent", **fields: Any) -> dict[str, Any]:
    stamp = f"2026-05-01T10:00:{second:02}.000000"
    return {"id": f"e{second}", "timestamp": stamp, "source": source, "kind": kind, **fields}


def act(second: int, tool: str, call: str, answer: str, action: dict[str, Any], **fields: Any) -> dict[str, Any]:
    asked = {"id": call, "name": tool, "arguments": json.dumps({k: v for k, v in action.items() if k != "kind"})}
    names = {"tool_name": tool, "tool_call_id": call, "llm_response_id": answer}
    return event("ActionEvent", second, action=action, tool_call=asked, thought=[], **names, **fields)


def observe(second: int, tool: str, call: str, text: str, **observation: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    observed = {"content": content, "is_error": False, **observation}
    return event("ObservationEvent", second, "environment", tool_name=tool, tool_call_id=call, observation=observed)


def words(second: int, text: str, source: str = "user", **fields: Any) -> dict[str, Any]:
    message = {"role": source, "content": [{"type": "text", "text": text}]}
    return event("MessageEvent", second, source, llm_message=message, **fields)


def counts(answer: str, prompt: int = 100, output: int = 10, read: int = 40) -> dict[str, Any]:
    spent = {"prompt_tokens": prompt, "completion_tokens": output, "cache_read_tokens": read}
    return {"response_id": answer, **spent, "cache_write_tokens": 5, "reasoning_tokens": 3}


def folder(root: Path, events: list[Any], usages: dict[str, list[Any]], **state: Any) -> Path:
    (root / "events").mkdir(parents=True)
    for number, value in enumerate(events):
        text = value if isinstance(value, str) else json.dumps(value)
        (root / "events" / f"event-{number:05}-x.json").write_text(text, "utf-8")
    stats = {"usage_to_metrics": {name: {"token_usages": rows} for name, rows in usages.items()}}
    base = {"id": root.name, "agent": {"llm": {"model": "m"}}, "workspace": {"working_dir": "/repo"}, "stats": stats}
    (root / "base_state.json").write_text(json.dumps({**base, **state}), "utf-8")
    return root


def test_bundled_conversation() -> None:
    (found,) = read(READERS, DATA / "cli-1.16-reckless")
    assert totals(found) == {"input": 175109, "cached": 157760, "output": 657, "calls": 13, "steps": 13}
    assert (found.model, found.cwd, found.end) == ("openai/gpt-4o", "/home/dev/repo", "completed")


def test_parallel_calls_are_one_step_and_keep_their_results(shared_data: Path) -> None:
    (found,) = read(READERS, conversation(shared_data, "disciplined"))
    both = next(s for s in found.steps if len(s.calls) == 2)
    changes = [c.action.changes[0] for c in both.calls if isinstance(c.action, Edit)]
    assert changes[0].after == changes[1].before
    for change in changes:
        old, new = change.hunks[0]
        assert change.after == change.before.replace(old, new)
    plans = [c.action for s in found.steps for c in s.calls if isinstance(c.action, Plan)]
    assert [[i.status for i in p.items] for p in plans][-1] == ["completed"] * 4
    created = next(c.action for s in found.steps for c in s.calls if isinstance(c.action, Edit))
    assert created.changes[0].operation == "create"
    assert isinstance(found.steps[-1].calls[-1].action, Finish)
    codes = [c.result.exit_status for s in found.steps for c in s.calls if isinstance(c.action, Shell) and c.result]
    assert codes == [0, 1, 1, 0, 0, 0]


def test_unknown_exit_rejection_error_pause_and_condensation(tmp_path: Path) -> None:
    soft = {"exit_code": -1, "suffix": "\n[The command has no new output after 30 seconds. You may wait longer]"}
    root = folder(
        tmp_path / "abc",
        [
            words(0, "do it", extended_content=[{"type": "text", "text": "skill"}]),
            act(1, "terminal", "c1", "r1", {"command": "exit 3", "kind": "TerminalAction"}, reasoning_content="why"),
            observe(2, "terminal", "c1", "", exit_code=-1, metadata={"exit_code": -1, "suffix": ""}),
            act(3, "terminal", "c2", "r2", {"command": "sleep 99", "kind": "TerminalAction"}),
            observe(4, "terminal", "c2", "..", exit_code=-1, metadata=soft),
            act(5, "terminal", "c3", "r3", {"command": "", "is_input": False, "kind": "TerminalAction"}),
            observe(6, "terminal", "c3", "done", exit_code=0),
            act(7, "terminal", "c4", "r4", {"command": "rm -rf /", "kind": "TerminalAction"}),
            event("UserRejectObservation", 8, "user", tool_name="terminal", tool_call_id="c4", rejection_reason="no"),
            act(9, "file_editor", "c5", "r5", {"command": "view", "path": "/x", "kind": "FileEditorAction"}),
            event("AgentErrorEvent", 10, tool_name="file_editor", tool_call_id="c5", error="bad arguments"),
            event("Condensation", 11, "environment", summary="so far", forgotten_event_ids=["e1"]),
            observe(12, "terminal", "gone", "?"),
            event("PauseEvent", 13, "user"),
            words(14, "over and out", "agent", llm_response_id="r6"),
            "{ broken",
            "[1, 2]",
        ],
        {"agent": [counts(f"r{n}") for n in range(1, 7)], "condenser": [counts("k1", 50, 5, 0)]},
        execution_status="paused",
    )
    log = LogFile(root)
    (found,) = read(READERS, log)
    assert [s.role for s in found.steps] == ["user", "harness", *["agent"] * 5, "compaction", "interrupt", "agent"]
    calls = [c for s in found.steps for c in s.calls]
    one, two, three, four, five = (c.result for c in calls)
    assert (one.exit_status, one.timed_out) == (None, False)
    assert (two.exit_status, two.timed_out) == (None, True)
    assert isinstance(calls[2].action, ShellOutput)
    assert three.exit_status == 0
    assert (four.denied, four.text) == (True, "no")
    assert (five.is_error, five.text) == (True, "bad arguments")
    assert found.end == "interrupted"
    assert found.steps[2].reasoning == "why"
    usage = found.steps[2].usage
    assert (usage.input, usage.cache_read, usage.cache_write, usage.output, usage.reasoning) == (55, 40, 5, 10, 3)
    # The condenser's call has no step: the log's own total counts it.
    assert totals(found)["input"] == 6 * 100 + 50
    assert len(log.skipped) == 3


def test_sub_agents_are_lanes_told_by_their_prompt(tmp_path: Path) -> None:
    root = folder(
        tmp_path / "conversations" / "main",
        [
            words(0, "go"),
            act(1, "task", "c1", "r1", {"prompt": "second job", "subagent_type": "bash", "kind": "TaskAction"}),
            observe(2, "task", "c1", "ok", task_id="task_00000001"),
            act(3, "task", "c2", "r2", {"prompt": "first job", "subagent_type": "explore", "kind": "TaskAction"}),
            observe(4, "task", "c2", "ok"),
        ],
        {"agent": [counts("r1"), counts("r2")], "task:task_00000001": [counts("s1")]},
    )
    for name, prompt, answer in (("aaa", "first job", "s2"), ("bbb", "second job", "s1")):
        events = [words(5, prompt), words(6, "did it", "agent", llm_response_id=answer)]
        folder(root / "subagents" / name, events, {"agent": [counts(answer)]})
    (found,) = read(READERS, root)
    assert [s.lane for s in found.steps] == ["main", "main", "bbb", "bbb", "main", "aaa", "aaa"]
    assert [s.role for s in found.steps] == ["user", "agent", "harness", "agent", "agent", "harness", "agent"]
    assert found.lanes["bbb"].parent_call == "c1"
    assert found.lanes["aaa"].agent_type == "explore"
    action = found.steps[1].calls[0].action
    assert action.lane == "bbb"
    assert totals(found)["input"] == 400
    # Any file of the conversation stands for all of it.
    inner = root / "subagents" / "aaa" / "events" / "event-00000-x.json"
    assert CONVERSATIONS.owner(inner) == root
    logs = list(discover([str(tmp_path), str(root), str(root / "events")]))
    assert [log.path for log in logs if isinstance(log, LogFile)] == [root]
    (again,) = read(READERS, root / "base_state.json")
    assert len(again.steps) == len(found.steps)


def test_events_by_number_and_a_folder_without_state(shared_data: Path, tmp_path: Path) -> None:
    shutil.copytree(conversation(shared_data, "reckless"), tmp_path / "c")
    (tmp_path / "c" / "base_state.json").unlink()
    first = next((tmp_path / "c" / "events").glob("event-00002-*"))
    first.rename(first.with_name("event-2-late.json"))
    (found,) = read(READERS, tmp_path / "c")
    (whole,) = read(READERS, conversation(shared_data, "reckless"))
    assert [s.text for s in found.steps] == [s.text for s in whole.steps]
    assert found.total_usage() is None


# V0 ------------------------------------------------------------------------------------------------------------------


def old_action(number: int, kind: str, source: str = "agent", **args: Any) -> dict[str, Any]:
    stamp = f"2024-05-01T10:00:{number:02}.000000"
    return {"id": number, "timestamp": stamp, "source": source, "message": "m", "action": kind, "args": args}


def old_result(number: int, cause: int | None, kind: str, content: str, **extras: Any) -> dict[str, Any]:
    stamp = f"2024-05-01T10:00:{number:02}.000000"
    found = {"id": number, "timestamp": stamp, "source": "agent", "observation": kind, "content": content}
    return {**found, "extras": extras} | ({} if cause is None else {"cause": cause})


def test_real_instances(shared_data: Path) -> None:
    path = shared_data / "sessions/openhands-output/fb994904aa-open_hands_trajectory.jsonl"
    found = read(READERS, path)
    assert found[0].id == "spotbugs__spotbugs-2844"
    assert [len(agent_steps(t)) for t in found] == [50, 39, 26, 50]
    for trajectory, line in zip(found, path.read_text("utf-8").splitlines(), strict=True):
        instance = json.loads(line)
        stated = instance["metrics"]["accumulated_token_usage"]
        assert totals(trajectory)["input"] == stated["prompt_tokens"]
        assert totals(trajectory)["output"] == stated["completion_tokens"]
        made = [e["action"] for e in instance["history"] if e.get("source") == "agent" and e.get("action")]
        assert totals(trajectory)["calls"] == len([kind for kind in made if kind not in ("system", "message")])
        codes = [e["extras"]["metadata"]["exit_code"] for e in instance["history"] if e.get("observation") == "run"]
        ran = [c for s in trajectory.steps for c in s.calls if isinstance(c.action, Shell | ShellOutput) and c.result]
        assert [c.result.exit_status for c in ran] == [None if code == -1 else code for code in codes]
        assert trajectory.start_commit == instance["instance"]["base_commit"]
    edits = [c for t in found for s in t.steps for c in s.calls if isinstance(c.action, Edit)]
    assert edits[0].action.changes[0].after is not None
    assert all(c.result.text.startswith("ERROR:") for c in edits if c.result and c.result.is_error)


def test_failed_instances_keep_their_task_and_their_error(shared_data: Path) -> None:
    found = read(READERS, shared_data / "sessions/openhands-output/ad4719616d-output_backup_065059.jsonl")
    assert [t.end for t in found] == [*["error"] * 4, *["limit"] * 3, "error"][: len(found)]
    assert all(any(s.role == "user" for s in t.steps) for t in found)
    assert found[4].steps[-2].text.startswith("Please continue")
    assert found[4].steps[-2].role == "harness"


HISTORY = [
    old_action(0, "message", "user", content="Fix it"),
    old_action(1, "run", command="ls", thought="Looking."),
    old_result(2, 1, "run", "a b", exit_code=0, command_id=-1, metadata={"working_dir": "/repo/back"}),
    old_action(3, "run_ipython", code="print(file_editor(command='str_replace', path='/a', old_str='x', new_str='y'))"),
    old_result(4, 3, "run_ipython", "edited"),
    old_action(5, "delegate", agent="BrowsingAgent", inputs={"task": "find"}),
    old_action(6, "browse", url="http://example.org"),
    old_result(7, 6, "browse", "page"),
    old_action(8, "finish", outputs={"content": "found"}),
    old_result(9, 5, "delegate", "found"),
    old_action(10, "run", command="make", llm="x"),
    old_result(11, 10, "run", "", metadata={"exit_code": -1, "suffix": "[The command timed out after 5 seconds]"}),
    old_action(12, "run", "user", command="git status", hidden=True),
    old_action(13, "finish", final_thought="All done"),
]


def layouts() -> dict[str, str]:
    pairs = [[HISTORY[0], {}], *([HISTORY[i], HISTORY[i + 1]] for i in range(1, 5, 2)), *([e, {}] for e in HISTORY[5:])]
    about = {"instance_id": "x__y-1", "instruction": "Fix it", "metadata": {"llm_config": {"model": "m"}}}
    instance = {**about, "history": HISTORY}
    return {
        "lines": json.dumps(instance),
        "pretty": json.dumps([instance], indent=2),
        "pairs": json.dumps({**instance, "history": pairs}),
        "data set": json.dumps({"instance_id": "x__y-1", "resolved": True, "messages": [], "trajectory": HISTORY}),
        "events": json.dumps(HISTORY),
        "pretty events": json.dumps(HISTORY, indent=1),
    }


@pytest.mark.parametrize("layout", layouts())
def test_layouts(layout: str) -> None:
    log = LogFile(None, content=layouts()[layout].encode())
    (found,) = read(READERS, log)
    assert found.format == "openhands-v0"
    assert found.id == ("x__y-1" if "events" not in layout else "<stdin>")
    spoken = [(s.role, s.lane) for s in found.steps if s.role != "harness"]
    main, delegate = [("agent", "main")], [("agent", "delegate-1")]
    assert spoken == [("user", "main"), *main * 3, *delegate * 2, *main * 2]
    calls = [c for s in found.steps for c in s.calls]
    assert [type(c.action) for c in calls] == [Shell, Edit, Spawn, Other, Finish, Shell, Finish]
    assert (calls[0].result.exit_status, calls[0].action.cwd, calls[5].action.cwd) == (0, None, "/repo/back")
    assert calls[2].result.text == "found"
    assert (calls[5].result.exit_status, calls[5].result.timed_out) == (None, True)
    assert found.lanes["delegate-1"].parent_call == calls[2].id
    assert found.steps[1].text == "Looking."
    assert found.end == "completed"


@pytest.mark.parametrize(("there", "operation"), [(True, "modify"), (False, "create"), (None, "modify")])
def test_a_file_written_to_a_path_without_one_makes_it(tmp_path: Path, there: bool | None, operation: str) -> None:
    """As the editor that takes a range of lines reports it."""
    given = {"path": "pump/style.css", "content": "a {}\n", "start": 1, "end": -1}
    seen = {"path": "pump/style.css", "old_content": "", "new_content": "a {}\n", "prev_exist": there}
    events = [
        {"id": 0, "source": "user", "action": "message", "args": {"content": "Style the page"}},
        {"id": 1, "source": "agent", "action": "edit", "args": given},
        {"id": 2, "source": "agent", "observation": "edit", "cause": 1, "content": "", "extras": seen},
    ]
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(events), "utf-8")
    (call,) = [call for step in read(READERS, path)[0].steps for call in step.calls]
    assert [c.operation for c in call.action.changes] == [operation]


def test_answers_with_several_calls_and_accumulated_counts() -> None:
    def call(number: int, answer: str, command: str) -> dict[str, Any]:
        function = {"name": "execute_bash", "arguments": json.dumps({"command": command})}
        asked = {"id": f"c{number}", "function": function}
        response = {"id": answer, "model": "m-1", "choices": [{"message": {"content": "text", "tool_calls": [asked]}}]}
        metadata = {"function_name": "execute_bash", "tool_call_id": f"c{number}", "model_response": response}
        return {**old_action(number, "run", command=command), "tool_call_metadata": metadata}

    def spent(prompt: int, output: int, **model: str) -> dict[str, Any]:
        counts = {"prompt_tokens": prompt, "completion_tokens": output, **model}
        return {"llm_metrics": {"accumulated_token_usage": counts}}

    history = [
        {**call(1, "r1", "a"), **spent(100, 10)},
        call(2, "r1", "b"),
        old_result(3, 1, "run", "A", metadata={"exit_code": 0}),
        old_result(4, 2, "run", "B", metadata={"exit_code": 2}),
        {**call(5, "r2", "c"), **spent(250, 30)},
    ]
    (found,) = read(READERS, LogFile(None, content=json.dumps(history).encode()))
    first, second = found.steps
    assert [c.name for c in first.calls] == ["execute_bash", "execute_bash"]
    assert [c.result.exit_status for c in first.calls if c.result] == [0, 2]
    assert (first.usage.input, first.usage.output) == (100, 10)
    assert (second.usage.input, second.usage.output) == (150, 20)
    assert (first.model, first.text) == ("m-1", "text")
    assert found.usage_complete
    # The counts of another model, such as the one that drafts edits, are not in those of the answers.
    drafted = [*history, {**call(6, "r3", "d"), **spent(20, 3, model="draft_editor:m-1")}]
    (found,) = read(READERS, LogFile(None, content=json.dumps(drafted).encode()))
    assert not found.usage_complete


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("edit_file_by_replace('a.py', to_replace='x', new_content='y')", Edit),
        ("print(file_editor(**{'command': 'view', 'path': '/a'}))", Read),
        ("open_file('a.py', 10)", Read),
        ("search_dir('needle', 'src')", Search),
        ("!pytest -q\n!ls", Shell),
        ("import os\nopen('a', 'w').write('x')", Shell),
        ("def broken(:", Shell),
        ("a" + "(" * 5000, Shell),
        ("file_editor(command=undefined)", Shell),
        ("create_file('new.py')", Edit),
    ],
)
def test_notebook_cells(code: str, kind: type) -> None:
    action = ipython_action(code)
    assert isinstance(action, kind)
    if isinstance(action, Shell) and code.startswith("!"):
        assert action.command == "pytest -q\nls"


def test_v1_events_inside_an_instance() -> None:
    instance = {
        "instance_id": "a-1",
        "instruction": "go",
        "metadata": {"llm": {"model": "m"}},
        "history": [words(0, "go"), act(1, "terminal", "c1", "r1", {"command": "ls", "kind": "TerminalAction"})],
        "metrics": {"token_usages": [counts("r1")], "accumulated_token_usage": counts("")},
    }
    (found,) = read(READERS, LogFile(None, content=json.dumps(instance).encode() + b"\n"))
    assert (found.id, found.format) == ("a-1", "openhands")
    assert totals(found)["input"] == 100
    assert found.usage is None


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), rate=st.sampled_from([0.02, 0.2]))
def test_survives_a_damaged_folder(
    tmp_path_factory: pytest.TempPathFactory, shared_data: Path, seed: int, rate: float
) -> None:
    dice = random.Random(seed)
    root = tmp_path_factory.mktemp("damaged") / "c"
    shutil.copytree(DATA / "cli-1.16-reckless", root)
    for path in root.rglob("*.json"):
        path.chmod(0o644)
        content = json.dumps(damaged(json.loads(path.read_text("utf-8")), dice, rate)).encode()
        path.write_bytes(cut_and_spoiled(content, dice) if dice.random() < rate else content)
    survives(READERS, LogFile(root))


def test_one_spoiled_line_costs_one_instance(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "sessions/openhands-output/fb994904aa-open_hands_trajectory.jsonl"
    lines = path.read_text("utf-8").splitlines()
    log = LogFile(write(tmp_path / "o.jsonl", lines[0], lines[1][:-5000], lines[2]))
    found = read(READERS, log)
    assert len(found) == 2
    assert [s.line for s in log.skipped] == [2]


def test_the_resolver_of_issues_writes_the_fields_of_an_event_beside_its_kind() -> None:
    events = [
        {"content": "Fix it.", "action": "message", "wait_for_response": False},
        {"command": "go test", "thought": "", "action": "run"},
        {
            "content": "PASS\nok      a     0.001s",
            "command": "go test",
            "observation": "run",
            "metadata": {"exit_code": 0},
        },
        {"final_thought": "Fixed.", "task_completed": "true", "outputs": {}, "action": "finish"},
    ]
    resolved = {"issue": {"number": 5}, "instruction": "Fix it.", "git_patch": "", "history": events, "success": True}
    (found,) = read(READERS, LogFile(None, content=json.dumps(resolved).encode()))
    said = [("user", []), ("agent", ["execute_bash"]), ("agent", ["finish"])]
    assert [(s.role, [c.name for c in s.calls]) for s in found.steps] == said
    assert found.steps[1].calls[0].result.exit_status == 0
    assert (found.steps[2].calls[0].action, found.end) == (Finish("Fixed."), "completed")


def test_the_folder_of_a_session_with_a_file_for_each_event_is_one_log(tmp_path: Path) -> None:
    folder = tmp_path / "abc"
    response = {"id": "r", "usage": {"prompt_tokens": 0, "completion_tokens": 5}}
    events = [
        old_action(0, "message", "user", content="Fix it."),
        {**old_action(1, "run", command="ls"), "tool_call_metadata": {"model_response": response}},
        old_result(2, 1, "run", "a.py", metadata={"exit_code": 0}),
    ]
    for number, event in enumerate(events):
        write(folder / "events" / f"{number}.json", json.dumps(event))
    write(folder / "event_cache" / "0-25.json", json.dumps(events))
    (log,) = discover([str(tmp_path)])
    (found,) = read_log(log)
    assert (found.id, [s.role for s in found.steps]) == ("abc", ["user", "agent"])
    assert found.steps[1].calls[0].result.text == "a.py"
    assert found.total_usage() == TokenUsage(output=5)
