"""Codex's code mode (scripts that call tools) in rollouts and in ATIF, and processes that go on after their call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_checks import calls, read, write

from rigorbench.evidence import events
from rigorbench.evidence.events import EditEvent
from rigorbench.evidence.walk.extract import extract
from rigorbench.session.model import Edit, Plan, Shell, Trajectory
from rigorbench.session.readers.atif import READERS as ATIF
from rigorbench.session.readers.codex.batches import CallShare, share_out
from rigorbench.session.readers.codex.reader import READERS as CODEX
from rigorbench.session.readers.codex.scripts import UNKNOWN, read_script

DONE = "Script completed\nWall time 0.4 seconds\nOutput:\n"
FAILED = "Script failed\nWall time 0.0 seconds\nOutput:\n"
PATCH = "*** Begin Patch\n*** Update File: /repo/a.py\n@@\n-x = 1\n+x = 2\n*** End Patch"
GREEN = "\n 3 passed in 0.12s\n"


def commands(script: str) -> list[Any]:
    return [UNKNOWN if c.given is UNKNOWN else c.given["cmd"] for c in read_script(script).calls]


@pytest.mark.parametrize(
    ("script", "expected", "undecided"),
    [
        ('const r = await tools.exec_command({"cmd":"ls"}); text(r.output);', ["ls"], 0),
        (
            "await Promise.all([tools.exec_command({cmd:'a'}), tools.exec_command({cmd:`b ${1 + 1}`})]);",
            ["a", "b 2"],
            0,
        ),
        (
            'for (const f of ["x", "y"]) text((await tools.exec_command({cmd: "cat " + f})).output);',
            ["cat x", "cat y"],
            0,
        ),
        ("for (let i = 0; i < 2; i++) await tools.exec_command({cmd: `n${i}`});", [], 1),
        ("const c = ['p', 'q']; await Promise.all(c.map(cmd => tools.exec_command({cmd})));", ["p", "q"], 0),
        ("const run = async c => (await tools.exec_command({cmd: c})).output; text(await run('z'));", ["z"], 0),
        (
            "const {exec_command: sh} = tools; const o = {cmd: 'v', workdir: '/w'}; await sh({...o, cmd: 'w'});",
            ["w"],
            0,
        ),
        ("await tools.exec_command({cmd: String.raw`grep '\\n' a`});", ["grep '\\n' a"], 0),
        ("if (false) await tools.exec_command({cmd: 'never'});", [], 0),
        ("const unused = () => tools.exec_command({cmd: 'never'});", [], 0),
        ("// tools.exec_command({cmd:'no'})\ntext(\"tools.exec_command({cmd:'no'})\");", [], 0),
        (
            "const r = await tools.exec_command({cmd:'a'}); if (!r.exit_code) await tools.exec_command({cmd:'b'});",
            ["a"],
            1,
        ),
        ("for (const f of list) await tools.exec_command({cmd: f});", [], 1),
        ("await tools.exec_command({cmd: process.env.CMD});", [UNKNOWN], 0),
        ("const r = await tools.exec_command({cmd: 'a' ; npm test", [], 1),
        ("const f = () => f(); f();", [], 1),
    ],
)
def test_what_a_script_runs(script: str, expected: list[Any], undecided: int) -> None:
    assert commands(script) == expected
    assert read_script(script).undecided == undecided


@pytest.mark.parametrize(
    ("script", "shown", "expected"),
    [
        ("text(r.output)", ["one\n"], [CallShare("one\n")]),
        ("text(r)", ['{"exit_code":1,"output":"one"}'], [CallShare("one", 1)]),
        ("text(JSON.stringify(r))", ['{"session_id":7,"output":"one"}'], [CallShare("one", session="7")]),
        ("text(`exit ${r.exit_code}\\n${r.output}`)", ["exit 2\none"], [CallShare("one", 2)]),
        ("text(r.output.slice(-9))", ["one"], [CallShare("one", cut=True)]),
        ("text(r.output); if (r.session_id) text(`S=${r.session_id}`)", ["one"], [CallShare("one")]),
        ("text(r.output); if (r.session_id) text(`S=${r.session_id}`)", ["one", "S=5"],
         [CallShare("one", session="5")]),
        ("const q = await tools.exec_command({cmd:'b'}); text(`A\\n${r.output}B\\n${q.output}`)", ["A\n1\nB\n2\n"],
         [CallShare("1\n"), CallShare("2\n")]),
        ("const q = await tools.exec_command({cmd:'b'}); text([r, q])", ['[{"exit_code":0},{"output":"2"}]'],
         [CallShare(None, 0), CallShare("2")]),
        # Where one output ends and the other begins is not decided.
        ("const q = await tools.exec_command({cmd:'b'}); text(r.output + '\\n' + q.output)", ["1\n2\n3"],
         [CallShare(), CallShare()]),
        ("let all = r.output, s = r; while (s.session_id) { s = await tools.write_stdin({session_id: s.session_id}); "
         "all += s.output; } text(all)", ["one"], [CallShare("one", cut=True)]),
    ],
)  # fmt: skip
def test_whose_output_a_script_shows(script: str, shown: list[str], expected: list[CallShare]) -> None:
    whole = "const r = await tools.exec_command({cmd:'a'}); " + script
    assert share_out(read_script(whole), shown) == expected


# The same session as ATIF and as a rollout


def as_atif(tmp_path: Path, *turns: tuple[str, Any, Any]) -> Trajectory:
    steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": "Set x to 2 and run the tests."}]
    for number, (name, given, output) in enumerate(turns):
        arguments = {"input": given} if isinstance(given, str) else given
        call = {"tool_call_id": f"c{number}", "function_name": name, "arguments": arguments}
        # As the converter writes a list of parts.
        content = str([{"type": "input_text", "text": part} for part in output])
        result = {"results": [{"source_call_id": f"c{number}", "content": content}]}
        steps.append(
            {"step_id": number + 2, "source": "agent", "message": "", "tool_calls": [call], "observation": result}
        )
    document = {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": {"name": "codex"}, "steps": steps}
    (trajectory,) = read(ATIF, write(tmp_path / "t.json", json.dumps(document)))
    return trajectory


def as_rollout(tmp_path: Path, *turns: tuple[str, Any, Any]) -> Trajectory:
    lines = [{"type": "session_meta", "payload": {"id": "s", "cwd": "/repo"}}]
    for number, (name, given, output) in enumerate(turns):
        parts = [{"type": "input_text", "text": part} for part in output]
        kind = "custom_tool_call" if isinstance(given, str) else "function_call"
        value = {"input": given} if isinstance(given, str) else {"arguments": json.dumps(given)}
        lines += [
            {"type": "response_item", "payload": {"type": kind, "call_id": f"c{number}", "name": name, **value}},
            {"type": "response_item", "payload": {"type": f"{kind}_output", "call_id": f"c{number}", "output": parts}},
        ]
    stamped = [json.dumps({"timestamp": "2026-03-01T10:00:00.000Z", **line}, separators=(",", ":")) for line in lines]
    (trajectory,) = read(CODEX, write(tmp_path / "r.jsonl", *stamped))
    return trajectory


RECORDS = pytest.mark.parametrize("recorded", [as_atif, as_rollout])


def outcomes(trajectory: Trajectory) -> list[tuple[str, str]]:
    return [(e.command, e.outcome) for e in extract(trajectory).events if isinstance(e, events.TestRunEvent)]


def edited(trajectory: Trajectory) -> list[str]:
    return [e.path for e in extract(trajectory).events if isinstance(e, EditEvent)]


@RECORDS
def test_the_calls_of_scripts_are_calls_of_the_session(tmp_path: Path, recorded: Any) -> None:
    plan = json.dumps({"plan": [{"step": "Change x", "status": "pending"}]})
    trajectory = recorded(
        tmp_path,
        ("exec", f"await tools.update_plan({plan});", [DONE]),
        ("exec", f"text(await tools.apply_patch({json.dumps(PATCH)}));", [DONE, "{}"]),
        (
            "exec",
            'const r = await tools.exec_command({"cmd":"pytest -q","workdir":"/repo"}); text(r.output);',
            [DONE, GREEN],
        ),
    )
    planned, patched, ran = calls(trajectory)
    assert isinstance(planned.action, Plan)
    assert isinstance(patched.action, Edit)
    assert ran.action == Shell("pytest -q", "/repo")
    assert [path.rsplit("/", 1)[-1] for path in edited(trajectory)] == ["a.py"]
    assert outcomes(trajectory) == [("pytest -q", "passed")]
    assert trajectory.unread_calls == 0


@RECORDS
def test_a_refused_patch_is_no_edit_and_what_follows_it_is_not_known(tmp_path: Path, recorded: Any) -> None:
    script = (
        f"text(await tools.apply_patch({json.dumps(PATCH)})); text(await tools.exec_command({{cmd: 'pytest -q'}}));"
    )
    error = "Script error:\napply_patch verification failed: Failed to find expected lines in /repo/a.py"
    trajectory = recorded(tmp_path, ("exec", script, [FAILED, error]))
    assert edited(trajectory) == []
    assert outcomes(trajectory) == []
    assert trajectory.unread_calls == 1


@RECORDS
def test_a_refused_patch_did_nothing_whatever_it_is(tmp_path: Path, recorded: Any) -> None:
    error = "Script error:\napply_patch verification failed: Failed to find expected lines in /repo/a.py"
    trajectory = recorded(tmp_path, ("exec", "await tools.apply_patch(p.replace('a', later()));", [FAILED, error]))
    assert (trajectory.unread_calls, edited(trajectory)) == (0, [])


@RECORDS
def test_a_script_that_goes_on_shows_its_output_when_waited_for(tmp_path: Path, recorded: Any) -> None:
    script = "const r = await tools.exec_command({cmd: 'pytest -q'}); text(r.output);"
    running = "Script running with cell ID 4\nWall time 10.0 seconds\nOutput:\n"
    trajectory = recorded(
        tmp_path, ("exec", script, [running]), ("wait", {"cell_id": "4"}, [DONE, "2 failed, 1 passed in 9s\n"])
    )
    assert outcomes(trajectory) == [("pytest -q", "failed")]
    assert outcomes(recorded(tmp_path, ("exec", script, [running]))) == [("pytest -q", "unknown")]


@RECORDS
def test_a_call_that_is_not_decided_is_counted_and_makes_nobody_idle(tmp_path: Path, recorded: Any) -> None:
    trajectory = recorded(tmp_path, ("exec", "await tools.apply_patch(await build());", [DONE, "{}"]))
    assert trajectory.unread_calls == 1
    assert edited(trajectory) == []


def test_the_record_of_an_execution_belongs_to_the_call_of_the_script(tmp_path: Path) -> None:
    script = "for (const c of ['pytest -q', later()]) text((await tools.exec_command({cmd: c})).output);"
    ran = {"type": "CommandExecution", "exit_code": 0}
    ended = [
        {**ran, "id": line, "command": ["/bin/bash", "-lc", line], "aggregated_output": out}
        for line, out in (("pytest -q", GREEN), ("ls", "a.py\n"))
    ]
    records = [
        ("session_meta", {"id": "s", "cwd": "/repo"}),
        ("response_item", {"type": "custom_tool_call", "call_id": "c", "name": "exec", "input": script}),
        *(("event_msg", {"type": "item_completed", "item": item}) for item in ended),
        ("response_item", {"type": "custom_tool_call_output", "call_id": "c", "output": DONE + "..."}),
    ]
    lines = [
        json.dumps({"timestamp": "2026-03-01T10:00:00.000Z", "type": kind, "payload": body}, separators=(",", ":"))
        for kind, body in records
    ]
    (trajectory,) = read(CODEX, write(tmp_path / "r.jsonl", *lines))
    made = [c for c in calls(trajectory) if isinstance(c.action, Shell)]
    assert [(c.action.command, c.result.exit_status) for c in made] == [("pytest -q", 0), ("ls", 0)]
    assert outcomes(trajectory) == [("pytest -q", "passed")]
    assert trajectory.unread_calls == 0


# Processes that outlive their call


def session(state: str, output: str) -> list[str]:
    return [f"Chunk ID: 1\nWall time: 1.0 seconds\n{state}\nOutput:\n{output}"]


RUNNING = "Process running with session ID 7"
START = ("exec_command", {"cmd": "pytest -q", "workdir": "/repo"}, session(RUNNING, "tests ...\n"))


def polled(output: str, state: str = RUNNING, **given: Any) -> tuple[str, Any, Any]:
    return "write_stdin", {"session_id": 7, **given}, session(state, output)


def as_texts(tmp_path: Path, *turns: tuple[str, Any, Any]) -> Trajectory:
    """ATIF with the text as it is."""
    document = json.loads((tmp_path / "t.json").read_text()) if as_atif(tmp_path, *turns) else {}
    for step, (_, _, output) in zip(document["steps"][1:], turns, strict=True):
        step["observation"]["results"][0]["content"] = output[0]
    (trajectory,) = read(ATIF, write(tmp_path / "t.json", json.dumps(document)))
    return trajectory


@pytest.mark.parametrize("recorded", [as_texts, as_rollout])
@pytest.mark.parametrize(
    ("polls", "outcome"),
    [
        ([], "unknown"),
        ([polled("")], "unknown"),
        ([polled(""), polled(GREEN, "Process exited with code 0")], "passed"),
        ([polled("2 failed in 3s\n", "Process exited with code 1")], "failed"),
        ([polled("", "Process exited with code 0", chars="\x03")], "unknown"),
        ([polled(GREEN), polled("", "Process exited with code 130", chars="\x03")], "passed"),
    ],
)
def test_the_outcome_belongs_to_the_command_that_started_the_process(
    tmp_path: Path, recorded: Any, polls: list[Any], outcome: str
) -> None:
    assert outcomes(recorded(tmp_path, START, *polls)) == [("pytest -q", outcome)]


@pytest.mark.parametrize("recorded", [as_texts, as_rollout])
def test_a_call_that_codex_does_not_understand_runs_nothing(tmp_path: Path, recorded: Any) -> None:
    call = ("exec_command", {"cmd": "pytest -q"}, ["failed to parse function arguments: duplicate field `cmd`"])
    assert outcomes(recorded(tmp_path, call)) == []


def test_silence_of_a_check_that_still_runs_is_no_pass(tmp_path: Path) -> None:
    start = ("exec_command", {"cmd": "npx tsc --noEmit"}, session(RUNNING, ""))
    ended = [polled("", "Process exited with code 0")]
    for polls, outcome in (([polled("")], "unknown"), (ended, "passed")):
        found = extract(as_rollout(tmp_path, start, *polls)).events
        assert [e.outcome for e in found if isinstance(e, events.BuildEvent | events.LintEvent)] == [outcome]


def test_a_run_that_ends_after_an_edit_did_not_see_it(tmp_path: Path) -> None:
    patch = ("apply_patch", PATCH, ["Success. Updated the following files:\nM a.py\n"])
    evidence = extract(as_rollout(tmp_path, START, patch, polled(GREEN, "Process exited with code 0")))
    kinds = [type(e) for e in evidence.events if isinstance(e, EditEvent | events.TestRunEvent)]
    assert kinds == [events.TestRunEvent, EditEvent]
