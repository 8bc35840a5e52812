"""Observations of planning: what was read, said and tried before the first edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...evidence.events import (
    AnyEvent,
    EditEvent,
    PlanEvent,
    ReadEvent,
    TestRunEvent,
)
from ...evidence.facts import ItemFacts
from ...evidence.paths import role
from ..work import Work
from .verification import red_green, shown_or_open


def plan_before_edit(work: Work) -> Sequence[PlanEvent]:
    """A plan of two or more items before the first edit, one of which would not fit into the plan of any task."""
    return [e for e, items in _plans_before_edit(work) if len(e.items) >= 2 and any(i.specific for i in items)]


def _plans_before_edit(work: Work) -> Iterator[tuple[PlanEvent, list[ItemFacts]]]:
    """The plans before the first edit, each with what is known of its items that the request does not have.

    A list in a file that was there before is a text of the project, and no plan of the agent's.
    """
    made, older = set[str](), -1  # files that the agent made; the step of its last edit of another
    for event in work.events[: work.first_edit]:
        if isinstance(event, EditEvent):
            made |= {event.path} if event.operation == "create" else set()
            older = event.step if event.path not in made else -1
        elif isinstance(event, PlanEvent) and not (event.origin == "file" and event.step == older):
            yield event, [i for i in work.evidence.plans[event.id].items if not i.copies_prompt]


def unread(work: Work) -> list[EditEvent]:
    """First edits of files that existed and of which the agent had seen nothing."""
    return [edit for edit in _first_edits(work) if work.session.reading.knew(edit) is False]


def _first_edits(work: Work) -> list[EditEvent]:
    """The first edit of each file."""
    known: set[str] = set()
    found: list[EditEvent] = []
    for edit in work.production:
        if edit.path not in known:
            found.append(edit)
        known |= {edit.path, edit.new_path or edit.path}
    return found


def looked_around(work: Work) -> list[ReadEvent]:
    """The files besides the edited ones that the change concerns and that were read before the first edit."""
    return [e for e in work.read_before if work.concern.looks(e)]


def read_tests(work: Work) -> Sequence[ReadEvent] | None:
    """A test file that the change concerns was read before the first edit."""
    tests = [e for e in work.read_before if role(e.target) == "test"]
    return shown_or_open([e for e in tests if work.concern.looks(e)], work.may_have("read", work.first_edit))


def reproduction(work: Work) -> list[AnyEvent]:
    """The first run before the first edit that showed the symptom: a test or an assertion that failed, or the error
    that the request names.

    A missing module or tool is no symptom, nor is an error of any kind that the request does not name.
    """
    foreign = {i for e in work.session.foreign_failures if e.attributed == "environment" for i in e.checks}
    before = work.before_change(work.checks)
    repaired = red_green(work)[:1]
    red = [e for e in before if work.red(e) and e.id not in foreign and (e in repaired or _shows_symptom(work, e))]
    return red[:1]


def _shows_symptom(work: Work, event: AnyEvent) -> bool:
    facts = work.facts(event)
    if facts is None or work.environment(event):
        return False
    if isinstance(event, TestRunEvent) and (event.failing or event.failed):
        return True
    name, _, message = (part.strip() for part in facts.message.partition(":"))
    if name.rsplit(".", 1)[-1].startswith("Assert"):
        return True
    text = work.session.instruction
    return any(len(part) > 4 and part in text for part in (name, message))


def tried_after_last_edit(work: Work) -> Sequence[AnyEvent] | None:
    """A program that the agent wrote ran after the last edit, and did not fail."""
    tried = [e for e in work.reproductions if not work.red(e) and work.at[e.id] > work.last_edit]
    return shown_or_open(tried, work.may_have_checked(work.last_edit))
