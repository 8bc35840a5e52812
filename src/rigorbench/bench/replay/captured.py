"""The states of a recorded run, exact as its sandbox saw them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
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
        StoreError: the run's own store is missing or cannot be read.
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
        StoreError: a tree is missing.
    """
    recording = trajectory.recording
    assert recording is not None
    assert recording.start_tree is not None
    return _Walk(trajectory, events, store, recording.start_tree).run()


class _Walk:
    """Goes through the calls of a session, and puts a snapshot at the end of each burst of edits."""

    def __init__(self, trajectory: Trajectory, events: Sequence[AnyEvent], store: ObjectStore, start: str) -> None:
        self.trajectory, self.store, self.start = trajectory, store, start
        self.last = {(s.step, s.call): n for n, s in enumerate(trajectory.snapshots) if None not in (s.step, s.call)}
        """Number of the last state that a call left, by step and call id."""
        self.reached = -1
        """Number of the last state so far: of calls that ran at once, a later one may have left an earlier state."""
        self.edits: dict[CallKey, list[EditEvent]] = {}
        self.tests: dict[CallKey, list[TestRunEvent]] = {}
        self.made: dict[CallKey, list[CommitEvent]] = {}
        self.acts: dict[CallKey, int] = {}
        """Number of the last event of a call that is neither an edit nor neutral."""
        self.order = {event.id: number for number, event in enumerate(events)}
        for number, event in enumerate(events):
            if event.call is not None and not isinstance(event, (EditEvent, *_NEUTRAL)):
                self.acts[call_key(event)] = number
            if isinstance(event, EditEvent):
                self.edits.setdefault(call_key(event), []).append(event)
            if isinstance(event, CommitEvent):
                self.made.setdefault(call_key(event), []).append(event)
            if isinstance(event, TestRunEvent):
                self.tests.setdefault(call_key(event), []).append(event)
        self.burst: list[EditEvent] = []
        self.exchanged: list[EditEvent] = []
        self.states: list[WorkSnapshot] = []
        self.current = start
        self.tested_on: dict[str, str] = {}

    def run(self) -> Snapshots:
        for key, call in keyed_calls(self.trajectory):
            if isinstance(call.action, Plan) and not call.observed:
                continue  # it neither reads the files nor changes them
            before = self.current
            if call.observed and (number := self.last.get((key[0], call.id), -1)) > self.reached:
                self.reached, self.current = number, self.trajectory.snapshots[number].tree
            # The edit events of a call inside the project. Calls without a result share their key. What git exchanges
            # for a while is no state of the agent's work, unless it stays.
            paths = {p for c in call.observed or () for p in (c.path, c.new_path)}
            found = [e for e in self.edits.get(key, ()) if e.path in paths or e.new_path in paths]
            self.exchanged += [e for e in found if e.via == "git"]
            group = [e for e in found if e.via != "git"]
            if not group and key in self.acts:
                self._close(before)
            self.burst += group
            # Note the tree of test runs of a call in which no change was seen, and of passes if it left all as it was.
            end = (call.result.time if call.result is not None else None) or 0.0
            start = end - ((call.result.duration if call.result is not None else None) or 0.0)
            still = not any(
                (s.step, s.call) == (key[0], call.id) or (start < (s.time or 0.0) <= end and s.cause != "before")
                for s in self.trajectory.snapshots
                if s.call is not None
            ) and all(e.path.startswith("/") for e in self.edits.get(key, ()))
            for event in self.tests.get(key, ()):
                if still or (before == self.current and event.outcome not in ("failed", "error")):
                    self.tested_on[event.id] = self.current
            if group and self.acts.get(key, -1) > max(self.order[e.id] for e in group):
                self._close(self.current)
        self._close(self.current)
        if self.exchanged and self.current != (self.states[-1].tree if self.states else self.start):
            self.burst = self.exchanged
            self._close(self.current)
        # The trees of the commits that the agent made and did not replace by an amended one.
        keys = {(key[0], call.id): key for key, call in keyed_calls(self.trajectory)}
        assert self.trajectory.recording is not None
        commits = []
        for commit in self.trajectory.recording.commits or ():
            at = keys.get((commit.step, commit.call)) if commit.step is not None and commit.call else None
            made = self.made.get(at, []) if at is not None else []
            if made and not all(e.amended for e in made) and commit.tree:
                commits.append(WorkSnapshot(commit.tree, [e.id for e in made]))
        # Each tree without the products of running programs.
        at_start = self.store.files(self.start)
        distinct = list(
            dict.fromkeys([self.start, *(s.tree for s in (*self.states, *commits)), *self.tested_on.values()])
        )
        overlays: list[dict[str, Change]] = []
        dirty: list[str] = []
        for tree in distinct:
            changed = self.store.changed(self.start, tree)
            kept = {p: new for p, (_, new) in changed.items() if not is_product(p, at_start)}
            if len(kept) < len(changed):
                dirty.append(tree)
                overlays.append(kept)
        clean = dict(zip(distinct, distinct, strict=True))
        clean |= zip(dirty, self.store.write_trees(self.start, overlays), strict=True)
        for state in (*self.states, *commits):
            state.tree = clean[state.tree]
        tested_on = {event: clean[tree] for event, tree in self.tested_on.items()}
        return Snapshots(clean[self.start], self.states, commits=commits, tested_on=tested_on)

    def _close(self, tree: str) -> None:
        if not self.burst:
            return
        self.states.append(WorkSnapshot(tree, [e.id for e in self.burst]))
        self.burst = []


# The calls of a session with their edit events


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
