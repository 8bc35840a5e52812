"""Model calls in the journal: every one, once, with the messages that are new."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import msgspec
import pytest

from sources import text_file

pytest.importorskip("inspect_ai")

from inspect_ai import Task, eval
from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams
from inspect_ai.util import LimitExceededError

from rigorbench.base import journal
from rigorbench.bench.recording import calls as recording
from rigorbench.bench.recording.context import fact, identity, set_recorder
from rigorbench.bench.recording.threads import Threads


def said(text: str, *calls: tuple[str, str]) -> ChatMessageAssistant:
    made = [ToolCall(id=i, function=f, arguments={"n": i}) for i, f in calls]
    return ChatMessageAssistant(content=text, tool_calls=made or None)


SYSTEM, USER = ChatMessageSystem(content="s"), ChatMessageUser(content="task")


def test_a_conversation_shows_each_message_once() -> None:
    threads = Threads()
    one, two = said("a", ("1", "bash")), said("b", ("2", "bash"), ("3", "read"))
    name, new, dropped, repeated = threads.assign([SYSTEM, USER], one, 5)
    assert (name, [m["role"] for m in new], dropped, repeated) == ("main", ["system", "user"], 0, 0)
    result = ChatMessageTool(content="r", tool_call_id="1")
    assert threads.assign([SYSTEM, USER, one, result], two, 5)[1] == [
        {"role": "tool", "content": "r", "tool_call_id": "1"}
    ]
    # The answer comes back with its calls in another order, in two messages, and its text reworded.
    back: list[ChatMessage] = [said("B!"), said("", ("3", "read"), ("2", "bash"))]
    name, new, dropped, repeated = threads.assign(
        [SYSTEM, USER, one, result, *back, ChatMessageUser(content="x")], None, 5
    )
    assert (name, [m["content"] for m in new], dropped, repeated) == ("main", ["x"], 0, 4)


def test_completed_arguments_are_no_new_message() -> None:
    threads = Threads()
    one = said("a", ("1", "Edit"))
    threads.assign([SYSTEM, USER], one, 5)
    back = one.model_copy(deep=True)
    back.tool_calls[0].arguments["replace_all"] = False
    name, new, dropped, repeated = threads.assign(
        [SYSTEM, USER, back, ChatMessageTool(content="r", tool_call_id="1")], None, 5
    )
    assert (name, [m["role"] for m in new], dropped, repeated) == ("main", ["tool"], 0, 2)


def test_a_retry_shows_nothing_again() -> None:
    threads = Threads()
    threads.assign([SYSTEM, USER], None, 5)
    assert threads.assign([SYSTEM, USER], said("a"), 5) == ("main", [], 0, 2)


def test_sub_agents_and_side_calls_have_threads_of_their_own() -> None:
    threads = Threads()
    title = threads.assign([ChatMessageSystem(content="title"), USER], said("T"), 0)
    one = said("a", ("1", "task"))
    main = threads.assign([SYSTEM, USER], one, 5)
    other = ChatMessageUser(content="sub task")
    sub = threads.assign([SYSTEM, other], said("sub", ("9", "bash")), 5)
    assert [title[0], main[0], sub[0]] == ["text-1", "main", "agent-2"]
    result = ChatMessageTool(content="done", tool_call_id="9")
    assert threads.assign([SYSTEM, other, said("sub", ("9", "bash")), result], said("end"), 5)[0] == "agent-2"
    assert (
        threads.assign([SYSTEM, USER, one, ChatMessageTool(content="end", tool_call_id="1")], said("z"), 5)[0] == "main"
    )


def test_what_is_no_longer_sent_is_counted() -> None:
    threads = Threads()
    one, two = said("a", ("1", "bash")), said("b", ("2", "bash"))
    first = ChatMessageTool(content="long", tool_call_id="1")
    threads.assign([SYSTEM, USER], one, 5)
    threads.assign([SYSTEM, USER, one, first], two, 5)
    cut = ChatMessageTool(content="[cut]", tool_call_id="1")
    name, new, dropped, repeated = threads.assign([SYSTEM, USER, one, cut, two], said("c"), 5)
    assert (name, [m["content"] for m in new], dropped, repeated) == ("main", ["[cut]"], 1, 3)


class Kept:
    def __init__(self) -> None:
        self.records: list[journal.JournalRecord] = []

    async def record(self, record: journal.JournalRecord) -> None:
        self.records.append(record)

    async def snapshot(self, cause: str) -> str | None:
        self.records.append(journal.TreeRecord(0.0, tree=cause, cause="model"))
        return cause


def outputs(number: int) -> list[ModelOutput]:
    made = []
    for n in range(number):
        output = ModelOutput.from_content("mockllm/model", f"answer {n}")
        output.usage = ModelUsage(
            input_tokens=10,
            output_tokens=5,
            total_tokens=120,
            input_tokens_cache_read=100,
            input_tokens_cache_write=5,
            reasoning_tokens=2,
        )
        made.append(output)
    return made


KEPT: dict[str, Kept] = {}
TOOLS = [ToolInfo(name="bash", description="", parameters=ToolParams())]


@agent
def talks(turns: int, limit: int | None = None) -> Agent:
    async def execute(state: AgentState) -> AgentState:
        kept = KEPT[str(fact("name"))] = Kept()
        set_recorder(str(identity()), kept)
        messages = list(state.messages)
        try:
            for _turn in range(turns):
                output = await get_model().generate(messages, tools=TOOLS)
                messages += [output.message, ChatMessageUser(content=f"{fact('name')} goes on")]
                if limit is not None and _turn + 1 == limit:
                    raise LimitExceededError("token", value=2, limit=1)
        finally:
            await recording.flush()
        return state

    return execute


def run(turns: int, samples: int, number: int, limit: int | None = None) -> str:
    log = eval(
        Task(
            dataset=[Sample(input=f"task {n}", metadata={"name": f"s{n}"}) for n in range(samples)],
            solver=talks(turns, limit),
        ),
        model=get_model("mockllm/model", custom_outputs=outputs(number), memoize=False),
        log_dir="logs",
        display="none",
        max_retries=0,
    )[0]
    return log.status


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    KEPT.clear()


def test_samples_at_once_do_not_mix() -> None:
    assert run(3, 4, 12) == "success"
    for name, kept in KEPT.items():
        calls = [r for r in kept.records if isinstance(r, journal.Model)]
        assert [type(r).__name__ for r in kept.records] == ["TreeRecord", "Model"] * 3
        assert [[m["content"] for m in c.input] for c in calls][1:] == [[f"{name} goes on"]] * 2
        assert calls[0].input[-1]["content"] == f"task {name[1:]}"
        assert {c.conversation for c in calls} == {"main"}
        assert all(c.started is not None and c.started <= c.time and c.tools == 1 for c in calls)
        assert calls[0].usage == {"input": 10, "cache_read": 100, "cache_write": 5, "output": 5, "reasoning": 2}
        assert calls[0].output == {"role": "assistant", "content": (calls[0].output or {})["content"]}


def test_a_call_that_fails_is_recorded_with_its_error() -> None:
    assert run(3, 1, 2) == "error"
    calls = [r for r in KEPT["s0"].records if isinstance(r, journal.Model)]
    assert [c.error is None for c in calls] == [True, True, False]
    assert "ran out" in str(calls[2].error)
    assert (calls[2].output, calls[2].usage) == (None, None)


def test_a_limit_loses_no_call() -> None:
    assert run(5, 1, 5, limit=2) == "success"
    assert sum(isinstance(r, journal.Model) for r in KEPT["s0"].records) == 2


KILLED = text_file("model_recording.killed.txt")


def test_a_killed_run_has_every_call_that_had_completed(tmp_path: Path) -> None:
    script = textwrap.dedent(KILLED).format(tests=str(Path(__file__).parent))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=tmp_path, text=True) as process:
        assert process.stdout is not None
        answered = 0
        for line in process.stdout:
            answered += line == "answered\n"
            if answered == 25:
                os.kill(process.pid, signal.SIGKILL)
                break
        answered += process.stdout.read().count("answered\n")
    lines = (tmp_path / "run" / journal.JOURNAL).read_bytes().splitlines(keepends=True)
    whole = [msgspec.json.decode(line, type=journal.AnyRecord) for line in lines if line.endswith(b"\n")]
    assert sum(isinstance(r, journal.Model) for r in whole) >= answered >= 25
