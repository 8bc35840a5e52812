"""The calls of a session with their edit events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..evidence.events import AnyEvent, EditEvent
from ..trajectory.model import ToolCall, Trajectory

# Step, lane, and the index of the completed call in its lane: what an event and its call have in common.
CallKey = tuple[int, str, int | None]


def call_key(event: AnyEvent) -> CallKey:
    return event.step, event.lane, event.call


def keyed_calls(trajectory: Trajectory) -> Iterator[tuple[CallKey, ToolCall]]:
    """Every call in log order. Calls without a result in one step have the same key."""
    completed: dict[str, int] = {}
    for index, step in enumerate(trajectory.steps):
        for call in step.calls:
            number = None
            if call.result is not None:
                number = completed.get(step.lane, 0)
                completed[step.lane] = number + 1
            yield (index, step.lane, number), call


def edits_by_call(events: Sequence[AnyEvent]) -> dict[CallKey, list[EditEvent]]:
    edits: dict[CallKey, list[EditEvent]] = {}
    for event in events:
        if isinstance(event, EditEvent):
            edits.setdefault(call_key(event), []).append(event)
    return edits
