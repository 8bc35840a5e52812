"""A program that ends its turn with a question goes on with the scripted user's reply, in the same recorded run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

from rigorbench.base import journal
from rigorbench.bench.agents.readiness import readiness
from rigorbench.bench.agents.registry import AGENTS
from rigorbench.bench.agents.user import converse
from rigorbench.bench.run.experiment import run_experiment
from rigorbench.bench.run.planning.plan import ExperimentRequest, make_plan
from rigorbench.bench.tasks.user import YOUR_CALL, ScriptedUser
from rigorbench.session.logfile import LogFile
from rigorbench.session.registry import read_log
from rigorbench.session.task import Ambiguity

RESUMED = ("claude-code", "codex")
QUESTION = "I changed nothing yet. Should it be calendar quarters or fiscal quarters?"
POINT = Ambiguity("which?", QUESTION, ["fiscal"], answer="Fiscal quarters, please.", answered="fiscal")


@pytest.mark.parametrize(
    ("answers", "prompts"),
    [
        ([QUESTION, "Done."], ["A report", "Fiscal quarters, please."]),
        ([QUESTION, QUESTION, "Done."], ["A report", "Fiscal quarters, please.", YOUR_CALL]),
        (["Done."], ["A report"]),
    ],
)
def test_the_reply_is_the_prompt_of_the_next_turn(answers: list[str], prompts: list[str]) -> None:
    sent, left = [], list(answers)

    @agent
    def program() -> Agent:
        async def execute(state: AgentState) -> AgentState:
            sent.append(state.messages[-1].text)
            state.messages.append(ChatMessageAssistant(content=left.pop(0)))
            return state

        return execute

    state = AgentState(messages=[ChatMessageUser(content="A report")])
    asyncio.run(converse(program(), state, ScriptedUser(POINT)))
    assert (sent, left) == (prompts, [])


def test_without_a_user_a_question_ends_the_run() -> None:
    @agent
    def program() -> Agent:
        async def execute(state: AgentState) -> AgentState:
            state.messages.append(ChatMessageAssistant(content=QUESTION))
            return state

        return execute

    state = asyncio.run(converse(program(), AgentState(messages=[ChatMessageUser(content="A report")]), None))
    assert [m.text for m in state.messages] == ["A report", QUESTION]


@pytest.mark.slow(reason="whole runs of two real programs, if they are installed: a minute on two loaded cores")
@pytest.mark.bwrap
@pytest.mark.parametrize("name", RESUMED)
def test_a_real_program_asks_is_answered_and_goes_on(tmp_path: Path, name: str) -> None:
    if not readiness(AGENTS[name]).ok:
        pytest.skip(f"{name} is not installed (RIGOR_AGENTS)")
    plan = make_plan(
        ExperimentRequest("rigor", agents=(name,), models=("scripted/disciplined",), tasks=("top-accounts",))
    )
    (result,) = run_experiment(plan, tmp_path / "out", replay=False).results
    directory = tmp_path / "out" / "runs" / result.cell.id
    notes = [r for _, r in journal.read_records(directory / journal.JOURNAL, "note") if isinstance(r, journal.Note)]
    replies = [note.data["text"] for note in notes if note.name == "reply"]
    assert len(replies) == 1
    assert "fiscal" in replies[0].lower()
    (trajectory,) = read_log(LogFile(directory))
    said = [step.text for step in trajectory.steps if step.role == "user"]
    assert said[-1] == replies[0], "the review sees the reply as the user's word"
    assert result.status == "completed"
    assert result.outcome.solved, "the work after the answer is that of the chosen reading"
    assert result.breaches == []
