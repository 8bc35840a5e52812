"""The states of a recorded run, exact as its sandbox saw them."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...evidence.events import (
    AnyEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    PlanEvent,
    ReadEvent,
    SearchEvent,
    TestRunEvent,
    VcsEvent,
    WaitEvent,
)
from ...evidence.replayed import Snapshots, WorkSnapshot
from ...session.model import Plan, ToolCall, Trajectory
from ...session.products import is_product
from .store import Change, ObjectStore, ObjectStoreError

# Where a work tree is mounted if its own path is in use on this machine.
_ELSEWHERE = Path("/replay/work")
# Between two edits these do not end a burst, as in the metrics that use the log alone.
_NEUTRAL = (EpisodeEvent, PlanEvent, ReadEvent, SearchEvent, VcsEvent, WaitEvent)


def open_store(trajectory: Trajectory, directory: Path) -> ObjectStore:
    """A store for the replay of a recorded run, in ``directory``.

    Raises:
        ObjectStoreError: the run's own store is missing or cannot be read.
    """
    assert trajectory.recording is not None
    path = Path(trajectory.recording.store)
    if not (path / "objects").is_dir():
        raise ObjectStoreError(f"{path}: the store of the run is missing")
    # The work tree is mounted where the run had it, unless that hides the Python of this machine.
    root = Path(trajectory.cwd or "/work")
    needed = (Path(sys.base_prefix), Path(sys.base_exec_prefix), Path(sys.executable).resolve().parent)
    hides = any(place.resolve().is_relative_to(root) for place in needed)
    return ObjectStore(path.absolute(), _ELSEWHERE if hides else root, directory)


def captured_snapshots(trajectory: Trajectory, events: Sequence[AnyEvent], store: ObjectStore) -> Snapshots:
    """The states after each edit burst as recorded, without build products and caches.

    Raises:
        ObjectStoreError: a tree is missing.
    """
    recording = trajectory.recording
    assert recording is not None
    assert recording.start_tree is not None
    start = recording.start_tree
    of_call: defaultdict[CallKey, list[AnyEvent]] = defaultdict(list)
    for event in events:
        of_call[call_key(event)].append(event)
    states, tested_on = _states(trajectory, of_call, start)
    # The trees of the commits that the agent made and did not replace by an amended one.
    keys = {(key[0], call.id): key for key, call in keyed_calls(trajectory)}
    commits: list[WorkSnapshot] = []
    for commit in recording.commits or ():
        at = keys.get((commit.step, commit.call)) if commit.step is not None and commit.call else None
        made = [e for e in of_call[at] if isinstance(e, CommitEvent)] if at is not None else []
        if commit.tree and not all(e.amended for e in made):
            commits.append(WorkSnapshot(commit.tree, [e.id for e in made]))
    # Each tree without the products of running programs.
    at_start = store.files(start)
    overlays: dict[str, dict[str, Change]] = {}
    for tree in dict.fromkeys([start, *(s.tree for s in (*states, *commits)), *tested_on.values()]):
        changed = store.changed(start, tree)
        kept = {p: new for p, (_, new) in changed.items() if not is_product(p, at_start)}
        if len(kept) < len(changed):
            overlays[tree] = kept
    clean = dict(zip(overlays, store.write_trees(start, list(overlays.values())), strict=True))
    for state in (*states, *commits):
        state.tree = clean.get(state.tree, state.tree)
    tested_on = {event: clean.get(tree, tree) for event, tree in tested_on.items()}
    return Snapshots(clean.get(start, start), states, commits=commits, tested_on=tested_on)


def _states(
    trajectory: Trajectory, of_call: Mapping[CallKey, Sequence[AnyEvent]], start: str
) -> tuple[list[WorkSnapshot], dict[str, str]]:
    """Go through the calls: (a snapshot at the end of each burst of edits, the tree of each test run)."""
    # Number of the last state that a call left, by step and call id.
    last = {(s.step, s.call): n for n, s in enumerate(trajectory.snapshots) if None not in (s.step, s.call)}
    # Number of the last state so far: of calls that ran at once, a later one may have left an earlier state.
    reached, current = -1, start
    states: list[WorkSnapshot] = []
    tested_on: dict[str, str] = {}
    burst: list[EditEvent] = []
    exchanged: list[EditEvent] = []

    def close(tree: str) -> None:
        if burst:
            states.append(WorkSnapshot(tree, [e.id for e in burst]))
            burst.clear()

    for key, call in keyed_calls(trajectory):
        if isinstance(call.action, Plan) and not call.observed:
            continue  # it neither reads the files nor changes them
        before = current
        if call.observed and (number := last.get((key[0], call.id), -1)) > reached:
            reached, current = number, trajectory.snapshots[number].tree
        own = of_call.get(key, ())
        edits = [e for e in own if isinstance(e, EditEvent)]
        acts = [e for e in own if e.call is not None and not isinstance(e, (EditEvent, *_NEUTRAL))]
        # The edit events of a call inside the project. Calls without a result share their key. What git exchanges for a
        # while is no state of the agent's work, unless it stays.
        paths = {p for c in call.observed or () for p in (c.path, c.new_path)}
        found = [e for e in edits if e.path in paths or e.new_path in paths]
        exchanged += [e for e in found if e.via == "git"]
        group = [e for e in found if e.via != "git"]
        if not group and acts:
            close(before)
        burst += group
        # Note the tree of test runs of a call in which no change was seen, and of passes if it left all as it was.
        end = (call.result.time if call.result is not None else None) or 0.0
        begin = end - ((call.result.duration if call.result is not None else None) or 0.0)
        still = not any(
            (s.step, s.call) == (key[0], call.id) or (begin < (s.time or 0.0) <= end and s.cause != "before")
            for s in trajectory.snapshots
            if s.call is not None
        ) and all(e.path.startswith("/") for e in edits)
        for event in own:
            if isinstance(event, TestRunEvent) and (
                still or (before == current and event.outcome not in ("failed", "error"))
            ):
                tested_on[event.id] = current
        if group and acts and own.index(acts[-1]) > own.index(group[-1]):
            close(current)
    close(current)
    if current != (states[-1].tree if states else start):
        burst += exchanged
        close(current)
    return states, tested_on


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
