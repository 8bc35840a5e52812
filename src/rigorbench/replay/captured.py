"""Snapshots that a witness took while the run went on: exact, and without any clone of the project."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..evidence.events import (
    AnyEvent,
    EditEvent,
    EpisodeEvent,
    PlanEvent,
    ReadEvent,
    SearchEvent,
    TestRunEvent,
    VcsEvent,
    WaitEvent,
)
from ..trajectory.model import Plan, ToolCall, Trajectory
from ..trajectory.products import is_product
from .model import Snapshot, Snapshots, Unexact
from .store import Change, Clone, Store, StoreError

RULE = "the trees captured while the run went on"
# Where a work tree is shown whose own place is taken on this machine.
_ELSEWHERE = Path("/replay")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/etc", "/opt", "/nix", "/gnu", "/tmp", "/proc", "/dev")


# Between two edits these do not end a burst, as in the metrics that go by the log alone.
_LOOKS_AROUND = (EpisodeEvent, PlanEvent, ReadEvent, SearchEvent, VcsEvent, WaitEvent)


def is_captured(trajectory: Trajectory) -> bool:
    """Whether the trajectory has snapshots of its own that can be replayed."""
    witness = trajectory.recording
    return witness is not None and bool(witness.store) and witness.start_tree is not None and bool(witness.snapshots)


class CapturedClone(Clone):
    """The object store of a run in the role of a clone: it has objects and a place, but no work tree and no commits."""

    raw = True

    def __init__(self, trajectory: Trajectory) -> None:
        witness = trajectory.recording
        assert witness is not None
        path = Path(witness.store)
        if not (path / "objects").is_dir():
            raise StoreError(f"{path}: the store of the run is missing")
        self._path = path
        self.objects = path / "objects"
        self.root = _place(Path(trajectory.cwd or "/work"))

    def commit(self, revision: str) -> str | None:
        return None

    def commit_before(self, time: float, branch: str) -> str | None:
        return None

    def ignored(self) -> list[str]:
        return []


def _place(root: Path) -> Path:
    """Where the work tree is shown: where the run had it, unless that hides what is needed from this machine."""
    needed = [
        Path(sys.base_prefix).resolve(),
        Path(sys.base_exec_prefix).resolve(),
        Path(sys.executable).resolve().parent,
    ]
    taken = any(root == p or root in p.parents or p in root.parents for p in needed)
    if taken or len(root.parts) < 2 or f"/{root.parts[1]}" in _SYSTEM:
        return _ELSEWHERE / (root.name or "work")
    return root


def captured_snapshots(trajectory: Trajectory, events: Sequence[AnyEvent], store: Store) -> Snapshots | Unexact:
    """The states after each edit burst, as the witness stored them, without build products and caches."""
    witness = trajectory.recording
    assert witness is not None
    if witness.start_tree is None:
        return Unexact("the run has no start tree")
    try:
        return _Walk(trajectory, events, store, witness.start_tree).run()
    except StoreError as error:
        return Unexact(str(error))


class _Walk:
    def __init__(self, trajectory: Trajectory, events: Sequence[AnyEvent], store: Store, start: str) -> None:
        self.trajectory, self.store, self.start = trajectory, store, start
        self.after: dict[tuple[int, str], str] = {}
        for state in trajectory.snapshots:
            if state.step is not None and state.call is not None:
                self.after[(state.step, state.call)] = state.tree
        self.edits: dict[tuple[int, str, int | None], list[EditEvent]] = {}
        self.tests: dict[tuple[int, str, int | None], list[TestRunEvent]] = {}
        # Where something was done other than editing or looking around, and the last event of it.
        self.acts: dict[tuple[int, str, int | None], int] = {}
        order: dict[str, int] = {}
        for number, event in enumerate(events):
            order[event.id] = number
            place = (event.step, event.lane, event.call)
            if event.call is not None and not isinstance(event, (EditEvent, *_LOOKS_AROUND)):
                self.acts[place] = number
            if isinstance(event, EditEvent):
                self.edits.setdefault(place, []).append(event)
            elif isinstance(event, TestRunEvent):
                self.tests.setdefault(place, []).append(event)
        self.order = order
        self.burst: list[EditEvent] = []
        self.states: list[Snapshot] = []
        self.current = start
        self.tested_on: dict[str, str] = {}

    def run(self) -> Snapshots:
        for place, call in self._calls():
            if isinstance(call.action, Plan) and not call.observed:
                continue  # bookkeeping: it neither looks at the files nor changes them
            before = self.current
            self.current = self.after.get((place[0], call.id), self.current) if call.observed else self.current
            group = self._group(place, call)
            if not group and place in self.acts:
                self._close(before)
            self.burst += group
            self._note_tests(place, group, before)
            if group and self.acts.get(place, -1) > max(self.order[e.id] for e in group):
                self._close(self.current)
        self._close(self.current)
        clean = self._clean([self.start, *(s.tree for s in self.states), *self.tested_on.values()])
        for state in self.states:
            state.tree = clean[state.tree]
        tested_on = {event: clean[tree] for event, tree in self.tested_on.items()}
        commit = self.trajectory.start_commit or self.start
        return Snapshots(commit, clean[self.start], RULE, self.states, tested_on=tested_on)

    def _calls(self) -> Iterator[tuple[tuple[int, str, int | None], ToolCall]]:
        done: dict[str, int] = {}
        for index, step in enumerate(self.trajectory.steps):
            for call in step.calls:
                number = None
                if call.result is not None:
                    number = done.get(step.lane, 0)
                    done[step.lane] = number + 1
                yield (index, step.lane, number), call

    def _group(self, place: tuple[int, str, int | None], call: ToolCall) -> list[EditEvent]:
        """The edit events of a call inside the project. Calls without a result share their place in the log."""
        paths = {p for c in call.observed or () for p in (c.path, c.new_path)}
        return [e for e in self.edits.get(place, ()) if e.path in paths or e.new_path in paths]

    def _note_tests(self, place: tuple[int, str, int | None], group: list[EditEvent], before: str) -> None:
        """Which tree each test run of a call saw: what it became first, unless the change came after the tests."""
        for event in self.tests.get(place, ()):
            earlier = [e for e in group if self.order[e.id] < self.order[event.id]]
            if not group or len(earlier) == len(group):
                self.tested_on[event.id] = self.current
            elif not earlier:
                self.tested_on[event.id] = before

    def _close(self, tree: str) -> None:
        if not self.burst:
            return
        last = self.burst[-1]
        edits = [e.id for e in self.burst]
        self.states.append(Snapshot(tree, last.step, last.call, len(self.states), edits, True, last.lane))
        self.burst = []

    def _clean(self, trees: list[str]) -> dict[str, str]:
        """Each tree without what running programs left in it."""
        at_start = self.store.files(self.start)
        distinct = list(dict.fromkeys(trees))
        overlays: list[dict[str, Change]] = []
        dirty: list[str] = []
        for tree in distinct:
            changed = self.store.changed(self.start, tree)
            kept = {p: new for p, (_, new) in changed.items() if not is_product(p, at_start)}
            if len(kept) < len(changed):
                dirty.append(tree)
                overlays.append(kept)
        made = dict(zip(dirty, self.store.write_trees(self.start, overlays), strict=True))
        return {tree: made.get(tree, tree) for tree in distinct}
