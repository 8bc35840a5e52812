"""The scripted user of a task: where an agent ends its turn with a question, a reply begins the next one."""

from __future__ import annotations

import time

from inspect_ai.agent import Agent, AgentState
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

from ...base import journal
from ..recording.context import fact, identity, recorder_of
from ..tasks.suite import load_suite
from ..tasks.user import ScriptedUser, user_of


def scripted_user() -> ScriptedUser | None:
    """The user of the sample's task; None: nobody replies."""
    directory = fact("task_directory")
    return user_of(load_suite(str(directory)).tasks[0].task) if directory else None


async def converse(inner: Agent, state: AgentState, user: ScriptedUser | None) -> AgentState:
    """The turns of an agent that, called again, continues its session with the messages after its last answer."""
    state = await inner(state)
    while await was_answered(state, user):
        state = await inner(state)
    return state


async def was_answered(state: AgentState, user: ScriptedUser | None) -> bool:
    """Whether the user replied to the message that ended the agent's turn; the reply is recorded and the last message.

    The session is over without one.
    """
    last = state.messages[-1] if state.messages else None
    reply = user.reply(last.text) if user is not None and isinstance(last, ChatMessageAssistant) else None
    if reply is None:
        return False
    recorder = recorder_of(identity())
    if recorder is not None:
        await recorder.record(journal.Note(time.time(), "reply", {"text": reply}))
    state.messages.append(ChatMessageUser(content=reply))
    return True
