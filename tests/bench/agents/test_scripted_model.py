"""The scripted model: turns of a policy on the tools that agents offer."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams
from inspect_ai.util import JSONSchema, json_schema
from pydantic import BaseModel

import rigorbench.bench.run.models.scripted as scripted
from rigorbench.bench.run.models.play import SUBMIT, ModelAnswer, Player, Toolset, edit_command, heredoc, write_command
from rigorbench.bench.run.models.scripted import position
from rigorbench.bench.tasks.policies.policy import Policy, PolicyCall, PolicyError, PolicyItem, Turn, load_policy

PLAN = (PolicyItem("Look", "completed"), PolicyItem("Fix", "in_progress"), PolicyItem("Commit"))
POLICY = Policy(
    "p",
    turns=(
        Turn("I plan.", (PolicyCall("plan", items=(PolicyItem("Look"), PolicyItem("Fix"), PolicyItem("Commit"))),)),
        Turn("I look.", (PolicyCall("read", path="a.py"), PolicyCall("shell", command="pytest -q"))),
        Turn("I fix.", (PolicyCall("edit", path="a.py", old="1", new="2"), PolicyCall("plan", items=PLAN))),
        Turn("I test.", (PolicyCall("write", path="t/test_a.py", content="x = 'EOF'\nEOF\n"),)),
        Turn("Done."),
    ),
)


def schema(*names: str, required: tuple[str, ...] = (), **more: dict[str, Any]) -> dict[str, Any]:
    return {"properties": {**{n: {"type": "string"} for n in names}, **more}, "required": list(required)}


TODO = {"type": "object", "properties": {"content": {}, "status": {}, "activeForm": {}}}
CLAUDE = Toolset(
    {
        "Bash": schema("command", "description", "timeout"),
        "Read": schema("file_path"),
        "Edit": schema("file_path", "old_string", "new_string"),
        "Write": schema("file_path", "content"),
        "TaskCreate": schema("subject", "description", required=("subject", "description")),
        "TaskUpdate": schema("taskId", "status"),
    }
)
CLAUDE_OLD = Toolset({**CLAUDE.tools, "TodoWrite": schema(todos={"type": "array", "items": TODO})})
CODEX = Toolset({"exec_command": schema("cmd", "workdir"), "update_plan": schema(plan={"type": "array"})})
CODEX_OLD = Toolset({"shell": schema("workdir", command={"type": "array"})})
GEMINI = Toolset(
    {
        "run_shell_command": schema("command", "description"),
        "write_file": schema("file_path", "content"),
        "replace": schema("file_path", "old_string", "new_string", "instruction", required=("instruction",)),
        "read_file": schema("file_path"),
        "write_todos": schema(todos={"type": "array", "items": {"properties": {"description": {}, "status": {}}}}),
    }
)
OPENHANDS = Toolset(
    {
        "terminal": schema("command", security_risk={"enum": ["LOW", "HIGH"]}, required=("security_risk",)),
        "file_editor": schema("command", "path", "old_str", "new_str", "file_text"),
        "task_tracker": schema("command", task_list={"type": "array"}),
    }
)
BARE = Toolset({"bash": schema("command")})


def calls(toolset: Toolset, turn: int, **more: Any) -> list[tuple[str, dict[str, Any]]]:
    return list(Player(POLICY, toolset, "/work", **more).play(turn).calls)


def test_claude_code() -> None:
    made = calls(CLAUDE, 0)
    assert [name for name, _ in made] == ["TaskCreate"] * 3
    assert made[0][1] == {"subject": "Look", "description": "Look"}
    assert calls(CLAUDE, 1) == [
        ("Read", {"file_path": "/work/a.py"}),
        ("Bash", {"command": "pytest -q", "description": "Run pytest -q"}),
    ]
    # A command ran since the file was read, and Claude Code would refuse the edit.
    assert calls(CLAUDE, 2) == [
        ("Read", {"file_path": "/work/a.py"}),
        ("Edit", {"file_path": "/work/a.py", "old_string": "1", "new_string": "2"}),
        ("TaskUpdate", {"taskId": "1", "status": "completed"}),
        ("TaskUpdate", {"taskId": "2", "status": "in_progress"}),
    ]
    assert [name for name, _ in calls(CLAUDE, 3)] == ["Write"]
    assert [name for name, _ in calls(CLAUDE, 3, exists=lambda path: path == "t/test_a.py")] == ["Read", "Write"]
    assert calls(CLAUDE, 4) == []
    todos = calls(CLAUDE_OLD, 0)[0][1]["todos"]
    assert todos[0] == {"content": "Look", "status": "pending", "activeForm": "Look"}


def test_codex() -> None:
    assert calls(CODEX, 0) == [
        ("update_plan", {"plan": [{"step": i, "status": "pending"} for i in ("Look", "Fix", "Commit")]})
    ]
    # Codex would run the calls of one answer side by side: they are made in answers of their own.
    assert Player(POLICY, CODEX).play(1) == ModelAnswer("I look.", (("exec_command", {"cmd": "cat a.py"}),))
    assert Player(POLICY, CODEX).play(2) == ModelAnswer("", (("exec_command", {"cmd": "pytest -q"}),))
    assert Player(POLICY, CODEX).play(3).text == "I fix."
    assert Player(POLICY, CODEX).steps()[-1] == ModelAnswer("Done.")
    assert calls(CODEX_OLD, 2) == [("shell", {"command": ["bash", "-lc", "pytest -q"]})]


def test_gemini() -> None:
    assert calls(GEMINI, 0)[0][1]["todos"][1] == {"description": "Fix", "status": "pending"}
    assert calls(GEMINI, 2)[0] == (
        "replace",
        {"file_path": "/work/a.py", "old_string": "1", "new_string": "2", "instruction": "Edit a.py"},
    )


def test_required_arguments_are_filled_in() -> None:
    assert calls(OPENHANDS, 2) == [("terminal", {"command": "pytest -q", "security_risk": "LOW"})]
    assert calls(OPENHANDS, 3)[0][1]["command"] == "str_replace"
    assert calls(OPENHANDS, 4)[0][1]["task_list"][0] == {"title": "Look", "status": "done", "notes": ""}


def test_an_agent_with_nothing_but_a_shell(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    for turn in range(4):
        for name, arguments in calls(BARE, turn):
            assert name == "bash"
            command = arguments["command"]
            if command != "pytest -q":
                subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "a.py").read_text() == "x = 2\n"
    assert (tmp_path / "t/test_a.py").read_text() == "x = 'EOF'\nEOF\n"
    # Without a plan tool the plan is said, and shown, so that the session goes on.
    played = Player(POLICY, BARE).play(0)
    assert "- [ ] Look\n- [ ] Fix" in played.text
    assert played.calls[0][1]["command"].startswith("cat <<'EOF'\n- [ ] Look")


@pytest.mark.parametrize("text", ["", "no line end", "one\n", "two\n\n", 'EOF\nit\'s "$x" `y` \\ é\n'])
def test_files_are_written_exactly(tmp_path: Path, text: str) -> None:
    subprocess.run(["bash", "-c", write_command("d d/f", text)], cwd=tmp_path, check=True)
    assert (tmp_path / "d d/f").read_bytes() == text.encode()


def test_an_edit_by_shell_fails_as_an_edit_tool_does(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x x")
    for old in ("x", "y"):
        done = subprocess.run(["bash", "-c", edit_command("a", old, "z")], cwd=tmp_path, capture_output=True)
        assert done.returncode != 0
    assert (tmp_path / "a").read_text() == "x x"
    assert heredoc("cat", "EOF").count("<<'EOF'") == 0


def test_questions_are_text_and_end_the_turn() -> None:
    policy = Policy("q", turns=(Turn("Hm.", (PolicyCall("ask", text="Which unit?"),)),))
    played = Player(policy, CLAUDE).play(0)
    assert (played.text, played.calls) == ("Hm.\n\nWhich unit?", ())


def test_an_agent_that_ends_by_a_command() -> None:
    assert Player(POLICY, BARE, submits=True).play(4).calls == (("bash", {"command": f"echo {SUBMIT}"}),)
    # After the end the last text is said again, and nothing done.
    assert Player(POLICY, BARE).play(9) == Player(POLICY, BARE).play(4)


# -- where a conversation stands -------------------------------------------------------------------------------------


TEXTS = [turn.text for turn in POLICY.turns]


def said(text: str, *ids: str) -> ChatMessageAssistant:
    made = [ToolCall(id=i, function="bash", arguments={}) for i in ids]
    return ChatMessageAssistant(content=text, tool_calls=made or None)


def test_the_turn_follows_from_the_messages() -> None:
    start: list[ChatMessage] = [ChatMessageSystem(content="s"), ChatMessageUser(content="u")]
    assert position(start, TEXTS) == 0
    one = [*start, said("I plan.", "call_000_0_aaaaaaaa"), ChatMessageTool(content="ok")]
    assert position(one, TEXTS) == 1
    # The same request again is the same turn.
    assert position(one, TEXTS) == 1
    # Ids of the client's own making, and an answer that the client made up.
    two = [
        *start,
        said("Understood."),
        ChatMessageUser(content="u"),
        said("I plan.", "x1"),
        ChatMessageTool(content=""),
    ]
    assert position(two, TEXTS) == 1
    # One answer in two messages; ids that tell more than the number of answers (history cut by a compaction).
    split = [*start, said("I plan."), said("", "x1"), ChatMessageTool(content="ok")]
    assert position(split, TEXTS) == 1
    assert position([*start, said("I fix.", "call_002_0_aaaaaaaa")], TEXTS) == 3


# -- as a model of the engine ------------------------------------------------------------------------------------


def tool(name: str, *parameters: str) -> ToolInfo:
    return ToolInfo(
        name=name,
        description=name,
        parameters=ToolParams(properties={p: JSONSchema(type="string") for p in parameters}),
    )


@pytest.fixture
def policy_file(tmp_path: Path) -> Path:
    file = tmp_path / "two.toml"
    file.write_text(
        '[[turn]]\ntext = "Look."\n[[turn.call]]\ntool = "shell"\ncommand = "ls"\n[[turn]]\ntext = "Done."\n'
    )
    return file


def ask(name: str, messages: list[ChatMessage], tools: list[ToolInfo], **config: Any) -> ModelOutput:
    model = get_model(f"scripted/{name}", memoize=False)
    return asyncio.run(model.api.generate(messages, tools, "auto", GenerateConfig(**config)))  # type: ignore[arg-type]


def test_usage_is_counted_and_repeats(policy_file: Path) -> None:
    messages: list[ChatMessage] = [ChatMessageUser(content="x" * 400)]
    bash = [tool("bash", "command")]
    first = ask(str(policy_file), messages, bash)
    again = ask(str(policy_file), messages, bash)
    assert first.usage == again.usage
    assert first.message.tool_calls == again.message.tool_calls
    assert first.usage.input_tokens > 100
    assert first.usage.input_tokens_cache_read == 0
    result = ChatMessageTool(content="y" * 40, tool_call_id=(first.message.tool_calls or [])[0].id)
    second = ask(str(policy_file), [*messages, first.message, result], bash)
    assert second.usage is not None
    assert second.completion == "Done."
    assert second.stop_reason == "stop"
    assert second.usage.input_tokens_cache_read == first.usage.input_tokens
    assert second.usage.input_tokens == 10 + first.usage.output_tokens
    assert second.usage.total_tokens == (
        second.usage.input_tokens + (second.usage.input_tokens_cache_read or 0) + second.usage.output_tokens
    )


def test_side_calls_are_answered_and_do_not_advance(policy_file: Path) -> None:
    messages: list[ChatMessage] = [ChatMessageUser(content="Write a title.")]
    assert ask(str(policy_file), messages, []).completion == scripted.SIDE_ANSWER
    assert ask(str(policy_file), messages, [tool("WebSearch", "query")]).message.tool_calls is None

    class Title(BaseModel):
        title: str
        number: int

    wanted = ResponseSchema(name="title", json_schema=json_schema(Title))
    assert json.loads(ask(str(policy_file), messages, [], response_schema=wanted).completion) == {
        "title": "Scripted",
        "number": 0,
    }


def test_an_agent_that_reads_commands_from_text(policy_file: Path) -> None:
    system = ChatMessageSystem(content=f"Answer with one block:\n```mswea_bash_command\nls\n```\nEnd: echo {SUBMIT}")
    messages: list[ChatMessage] = [system, ChatMessageUser(content="Go.")]
    first = ask(str(policy_file), messages, [])
    assert first.completion == "Look.\n\n```mswea_bash_command\nls\n```"
    done = ask(str(policy_file), [*messages, first.message, ChatMessageUser(content="a.py")], [])
    assert f"echo {SUBMIT}" in done.completion


def test_a_policy_that_is_not_there() -> None:
    with pytest.raises(PolicyError, match="does not say which task"):
        scripted.find_policy("disciplined", None)
    with pytest.raises(PolicyError, match=r"nowhere\.toml"):
        scripted.find_policy("nowhere.toml", None)
    assert scripted.find_policy("do-nothing", None).name == "do-nothing"
    assert [scripted.is_told(h) for h in ("agents-md=A.md", "nudge", "placebo=400", "baseline", None)] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_policies_of_the_suite_can_be_played() -> None:
    """Every policy that comes with a task, on every vocabulary: nothing is left out but questions."""
    from rigorbench.base.data import data_path

    files = sorted(data_path("suites").glob("*/*/*/policies/*.toml"))
    assert files
    for file in files:
        policy = load_policy(file)
        for toolset in (CLAUDE, CODEX, GEMINI, BARE):
            wanted = [c for turn in policy.turns for c in turn.call if c.tool not in ("ask", "plan")]
            steps = Player(policy, toolset).steps()
            assert sum(len(step.calls) for step in steps) >= len(wanted), file
            assert not steps[-1].calls or policy.turns[-1].call, file
