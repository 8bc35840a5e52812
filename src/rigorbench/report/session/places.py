"""The place of each event in the page: its anchor, its step and its tool call."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from ...evidence.events import (
    AbstainEvent,
    AnyEvent,
    AskEvent,
    ClaimEvent,
    CompactionEvent,
    EpisodeEvent,
    InterruptEvent,
    PlanEvent,
)
from ...metrics.result import SessionReport
from ...trajectory.model import ToolCall, Trajectory

_OF_TEXT = AbstainEvent | AskEvent | ClaimEvent | CompactionEvent | InterruptEvent
_ANCHOR = re.compile(r"e[0-9]{1,12}")


def anchors(events: list[AnyEvent]) -> dict[str, str]:
    """Event id -> fragment of the page. Ids are ours ("e12") and kept; anything else gets a name of its own."""
    return {e.id: e.id if _ANCHOR.fullmatch(e.id) else f"event-{i}" for i, e in enumerate(events)}


def call_places(trajectory: Trajectory) -> dict[tuple[str, int], tuple[int, int | None]]:
    """(lane, index of the completed call) -> (step, call in the step)."""
    places: dict[tuple[str, int], tuple[int, int | None]] = {}
    completed: defaultdict[str, int] = defaultdict(int)
    for step_index, step in enumerate(trajectory.steps):
        for call_index, call in enumerate(step.calls):
            if call.result is not None:
                places[step.lane, completed[step.lane]] = (step_index, call_index)
                completed[step.lane] += 1
    return places


def by_place(report: SessionReport) -> dict[tuple[int, int | None], list[AnyEvent]]:
    """(step, call in the step or None for its text) -> events there. Episodes have their own section: not included."""
    steps = report.trajectory.steps
    places = call_places(report.trajectory)
    found: defaultdict[tuple[int, int | None], list[AnyEvent]] = defaultdict(list)
    for event in report.events:
        if isinstance(event, EpisodeEvent) or not 0 <= event.step < len(steps):
            continue
        step, call = places.get((event.lane, event.call if event.call is not None else -1), (-1, None))
        if step != event.step:
            call = _by_source(event, steps[event.step].calls)
        found[event.step, call].append(event)
    return found


def _by_source(event: AnyEvent, calls: list[ToolCall]) -> int | None:
    """The call of a step that an event without a call index belongs to; None: to the text of the step.

    A call that never got a result has no index: what it did is found by its place in the log.
    """
    if isinstance(event, _OF_TEXT) or (isinstance(event, PlanEvent) and event.origin == "message"):
        return None
    open_calls = [i for i, call in enumerate(calls) if call.result is None or event.call is not None]
    for index in open_calls:
        if calls[index].source == event.source:
            return index
    return open_calls[-1] if open_calls else None


class Link(Struct):
    """A link inside the page. ``href`` None: its target is not in the page; ``note``, ``tone``: what follows it."""

    id: str
    href: str | None
    note: str = ""
    tone: str = ""


def used_by(named: Iterable[tuple[Link, Iterable[str]]]) -> dict[str, list[Link]]:
    """Event id -> what rests on it, in the given order. ``named``: a check or sub-metric, and its events."""
    users: defaultdict[str, list[Link]] = defaultdict(list)
    for link, events in named:
        for event_id in dict.fromkeys(events):
            if link not in users[event_id]:
                users[event_id].append(link)
    return users
