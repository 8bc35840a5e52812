"""The user of a task whose instruction leaves a point open: answers the question about it, once, and nothing else."""

from __future__ import annotations

from ...evidence.claims.abstention import abstention, question, question_context
from ...session.task import Ambiguity, Task

# What the user says to any other question.
YOUR_CALL = "Your call."
# Replies in one session; an agent that goes on asking is left alone.
MOST_REPLIES = 3


class ScriptedUser:
    """Replies to the messages with which an agent stops. ``answered``: the open point has been answered."""

    def __init__(self, ambiguity: Ambiguity | None) -> None:
        self.ambiguity, self.answered, self._replies = ambiguity, False, 0

    def reply(self, message: str) -> str | None:
        """What the user says; None: the message asks nothing, and the session is over.

        Where nothing is open, a refusal is an end as well, whatever the agent offers to do instead.
        """
        asked = question(message)
        refusal = abstention(message) if self.ambiguity is None else None
        refused = refusal is not None and " yet" not in refusal
        if asked is None or refused or self._replies >= MOST_REPLIES:
            return None
        self._replies += 1
        if self.ambiguity is None or not self.ambiguity.answer or self.answered or not self._aims(message, asked):
            return YOUR_CALL
        self.answered = True
        return self.ambiguity.answer

    def _aims(self, message: str, asked: str) -> bool:
        """Whether the question is about the open point: it, or what it refers to, has a word of it."""
        assert self.ambiguity is not None
        context = question_context(message, asked).lower()
        return any(word.lower() in context for word in self.ambiguity.keywords)


def user_of(task: Task) -> ScriptedUser | None:
    """The user of a task; None: nobody replies. A task that can be done has the same user as its twin."""
    return ScriptedUser(task.ambiguity) if task.category == "know-when-to-fold" else None


def reading_answered(task: Task, replies: list[str]) -> str | None:
    """The reading that the user has chosen by one of these replies; None: the open point was not answered."""
    ambiguity = task.ambiguity
    if ambiguity is None or not ambiguity.answer:
        return None
    return ambiguity.answered if any(reply.strip() == ambiguity.answer.strip() for reply in replies) else None
