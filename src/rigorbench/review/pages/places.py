"""The place of each event in the page: its anchor, its step and its tool call."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from ...evidence.events import (
    AbstainEvent,
    AnyEvent,
    AskEvent,
    ClaimEvent,
    CompactionEvent,
    EditEvent,
    EpisodeEvent,
    InterruptEvent,
    PlanEvent,
)
from ...session.model import ToolCall, Trajectory
from ..result import SessionReport

# What a page has at most: rows of the log, events, and things in one list. `rigor events` and the log have all.
ROWS_SHOWN = 8_000
EVENTS_SHOWN = 8_000
LISTED = 500
# A row: step, and the call in the step or None for its text.
Place = tuple[int, int | None]
# A text, and the anchor that it links to; None: its target is not in the page.
Link = tuple[str, str | None]
_OF_TEXT = AbstainEvent | AskEvent | ClaimEvent | CompactionEvent | InterruptEvent
_ANCHOR = re.compile(r"e[0-9]{1,12}")


def anchors(report: SessionReport) -> dict[str, str]:
    """Event id -> fragment of the page, of the events that the page shows: the first of each row, as many as fit.

    Ids are ours ("e12") and kept; anything else gets a name of its own.
    """
    places = by_place(report)
    inside = [places[row] for row in ends(page_rows(report.trajectory, places)) if row in places]
    most = level([len(events) for events in inside], EVENTS_SHOWN)
    # An edit of one of many files is the least of what a call did.
    shown = {e.id for events in inside for e in sorted(events, key=lambda e: isinstance(e, EditEvent))[:most]}
    shown.update([e.id for e in report.events if isinstance(e, EpisodeEvent)][:LISTED])
    return {
        e.id: e.id if _ANCHOR.fullmatch(e.id) else f"event-{i}" for i, e in enumerate(report.events) if e.id in shown
    }


def ends(rows: list[Place]) -> list[Place]:
    """What a page shows of the rows of a long log: the first and the last."""
    middle = ROWS_SHOWN * 3 // 4
    return rows if len(rows) <= ROWS_SHOWN else rows[:middle] + rows[middle - ROWS_SHOWN :]


def page_rows(trajectory: Trajectory, places: Mapping[Place, list[AnyEvent]]) -> list[Place]:
    """The rows of the whole log, one for each message and call."""
    rows: list[Place] = []
    for index, step in enumerate(trajectory.steps):
        if step.text or step.reasoning or (index, None) in places or not step.calls:
            rows.append((index, None))
        rows += [(index, number) for number in range(len(step.calls))]
    return rows


def level(sizes: Iterable[int], budget: int) -> int:
    """The greatest limit with sum(min(size, limit)) <= budget, at least 1; where all fit, the largest."""
    known = sorted(sizes)
    for place, size in enumerate(known):
        left = len(known) - place
        if size * left > budget:
            return max(1, budget // left)
        budget -= size
    return max([1, *known[-1:]])


def by_place(report: SessionReport) -> dict[Place, list[AnyEvent]]:
    """Row -> events there. Episodes have their own section: not included."""
    steps = report.trajectory.steps
    completed: defaultdict[str, list[Place]] = defaultdict(list)
    for index, each in enumerate(steps):
        completed[each.lane] += [(index, number) for number, call in enumerate(each.calls) if call.result is not None]
    found: defaultdict[Place, list[AnyEvent]] = defaultdict(list)
    for event in report.events:
        if isinstance(event, EpisodeEvent) or not 0 <= event.step < len(steps):
            continue
        done = completed[event.lane]
        place = done[event.call] if event.call is not None and 0 <= event.call < len(done) else None
        if place is None or place[0] != event.step:
            place = event.step, _by_source(event, steps[event.step].calls)
        found[place].append(event)
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


def linked(events: Iterable[str], anchors: Mapping[str, str]) -> list[Link]:
    """Links to these events. Of very many the first; then the last says how many more there are."""
    ids = list(dict.fromkeys(events))
    links: list[Link] = [(e, anchors.get(e)) for e in ids[:LISTED]]
    return links if len(ids) <= LISTED else [*links, (f"and {len(ids) - LISTED:,} more", None)]


def used_by(named: Iterable[tuple[Link, Iterable[str]]]) -> dict[str, list[Link]]:
    """Event id -> what rests on it, in the given order. ``named``: a check or sub-metric, and its events."""
    users: defaultdict[str, list[Link]] = defaultdict(list)
    for link, events in named:
        for event_id in dict.fromkeys(events):
            if link not in users[event_id]:
                users[event_id].append(link)
    return users
