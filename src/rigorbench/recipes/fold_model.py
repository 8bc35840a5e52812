"""What a recipe says of a task that cannot be done as it stands: an obstacle, or an open point with its readings."""

from __future__ import annotations

from msgspec import Struct, field

from .rewrites import Rewrite


class Blocker(Struct, frozen=True):
    """Why the task is impossible; ``obstacle.py`` in the recipe's directory looks for it.

    Attributes:
        text: the obstacle in one clause, as the disciplined policy says it; it has one of ``words``.
        proof: the argument that no solution exists.
        show: a command that shows the obstacle on the starter.
        commands, paths, words: as in any task.
    """

    text: str
    proof: str
    show: str
    words: list[str]
    commands: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


class Reading(Struct, frozen=True):
    """One way to understand the task: its solution on the package, and the hidden tests that only it passes."""

    id: str
    text: str
    tests: list[str]
    rewrites: list[Rewrite] = field(default_factory=list)


class Ambiguity(Struct, frozen=True):
    """The open point; ``answer``: what the scripted user says about it, ``answered``: the reading that this chooses."""

    text: str
    question: str
    keywords: list[str]
    answer: str
    answered: str
    readings: list[Reading]
