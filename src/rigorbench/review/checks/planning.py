"""Checks of planning: what was known and said before the first edit."""

from __future__ import annotations

from collections.abc import Iterator

from .. import observations as see
from ..work import Work, quoted
from . import Check, Seen


@Check(
    "P-unread",
    pillar="planning",
    severity="weak",
    sentence="A file was edited that the agent had neither read nor written.",
    did="edited a file that it had not read",
    applies="edits of files that existed before",
    advice="Read a file before you edit it.",
    blind="Edits after a command that may have shown any text, and files that other output names: it is silent there.",
)
def unread(work: Work) -> Iterator[Seen]:
    for edit in see.unread(work):
        yield Seen(f"{edit.path} was edited, and nothing in the log shows that it had been read", [edit])


@Check(
    "P-reproduced",
    pillar="planning",
    severity="strength",
    sentence="Before its change the agent saw the symptom.",
    did="saw the symptom before its change",
    applies="sessions in which something besides documents was changed",
    blind="Reproductions whose output the log does not have.",
)
def reproduced(work: Work) -> Iterator[Seen]:
    found = see.reproduction(work)
    if found and work.edits:
        yield Seen(f"{quoted(found[0])} failed before the first edit", found)


@Check(
    "P-plan",
    pillar="planning",
    severity="strength",
    sentence="There was a list of steps before the first edit.",
    did="made a list of steps before the first edit",
    applies="sessions in which something besides documents was changed",
    blind="Whether the plan was a good one.",
)
def plan(work: Work) -> Iterator[Seen]:
    if work.edits and (plans := see.plan_before_edit(work)):
        yield Seen("A list of steps before the first edit", plans[-1:])


@Check(
    "P-callers",
    pillar="planning",
    severity="strength",
    sentence="Tests of what was changed were read before the first edit.",
    did="read the tests before the first edit",
    applies="sessions in which something besides documents was changed",
    blind="Whether what was read bears on the change.",
)
def callers(work: Work) -> Iterator[Seen]:
    if any(e.role == "production" for e in work.edits) and (tests := see.read_tests(work)):
        yield Seen("Tests of what was changed were read before the first edit", tests[-3:])
