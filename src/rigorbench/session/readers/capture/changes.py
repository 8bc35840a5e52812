"""Attributes each recorded change of the work tree to the call that made it."""

from __future__ import annotations

import posixpath

import orjson

from ....base import journal as records
from ...logfile import LogFile
from ...model import Edit, FileChange, Other, Recording, Shell, Source, Spawn, ToolCall, Trajectory, TreeState
from .commands import SLACK, Span
from .records import Journal
from .store import MissingObject, TreeStore, changes

BACKGROUND = "background"


class Attribution:
    """Attributes every change of the tree to the call that made it, or to none: then it happened in the background."""

    def __init__(
        self, log: LogFile, journal: Journal, store: TreeStore, trajectory: Trajectory, spans: list[Span]
    ) -> None:
        self.log, self.journal, self.store, self.trajectory, self.spans = log, journal, store, trajectory, spans
        self.root = "" if journal.run is None else journal.run.root.rstrip("/")
        self.owners = {s.command.record.id: s for s in spans if s.command is not None}
        self.at_start: set[str] = set()
        self.in_background = 0

    def run(self, recording: Recording) -> None:
        """Fills in the calls' ``observed`` and the recording's snapshots."""
        previous = recording.start_tree
        if previous is not None:
            self._note_start(previous)
        for span in self.spans:
            span.call.observed = []
        for line, record in self.journal.trees:
            source = Source(self.journal.name, line)
            state = TreeState(record.tree, record.cause, source, record.time)
            if record.cause == "start" or previous is None:
                previous = record.tree
                if recording.start_tree is None:
                    recording.start_tree = record.tree
                    self._note_start(record.tree)
            elif record.tree != previous:
                try:
                    found = changes(self.store, previous, record.tree, self.at_start)
                except MissingObject as missing:
                    self.log.skip(line, f"the tree {record.tree[:12]} is incomplete in the store ({missing}); left out")
                    continue
                previous = record.tree
                if found:
                    self._attribute(found, line, record, state)
            recording.snapshots.append(state)

    def _note_start(self, tree: str) -> None:
        try:
            self.at_start = set(self.store.files(tree))
        except MissingObject:
            self.log.skip(None, f"the start tree {tree[:12]} is missing from the store")

    def _attribute(self, found: list[FileChange], line: int, record: records.Tree, state: TreeState) -> None:
        owner = self._owner(record)
        if owner is not None:
            # Nobody looks between the calls of a message: an edit without a command is seen with the next command.
            message = [s for s in self.spans if s.step == owner.step]
            earlier = [s for s in reversed(message[: message.index(owner)]) if s.command is None]
            makers = [next((s for s in earlier if self._names(s.call, change)), owner) for change in found]
            # The state that a command leaves is its own, whatever of it is seen late.
            for made in sorted(zip(found, makers, strict=True), key=lambda pair: pair[1] is owner):
                self._add(made[1], [made[0]], state)
            return
        rest: list[FileChange] = []
        for change in found:
            maker = None if record.cause == "after" else self._maker(change, record.time)
            if maker is None:
                rest.append(change)
            else:
                self._add(maker, [change], state)
        if rest:
            only = self._at_work(record.time) if record.cause != "after" else None
            if only is None and record.cause in ("model", "before", "end"):
                only = self._only_tool(record.time)
            if only is not None:
                self._add(only, rest, state)
            else:
                self._in_background(rest, line, record, state)

    def _owner(self, record: records.Tree) -> Span | None:
        """The call whose command it was; what a command leaves running and does later has no owner."""
        if record.command is None or record.cause == "before":
            return None
        command = self.journal.tool_command(record.command)
        if command is None or (record.cause != "after" and not command.at_work(record.time)):
            return None
        return self.owners.get(command.record.id)

    def _at_work(self, time: float) -> Span | None:
        """The last started command at work, if all of them belong to calls."""
        found = [c for c in self.journal.tool_commands() if c.at_work(time) and not c.is_waiting_shell]
        owners = [self.owners.get(c.record.id) for c in found]
        return owners[-1] if owners and None not in owners else None

    def _add(self, span: Span, found: list[FileChange], state: TreeState) -> None:
        assert span.call.observed is not None
        span.call.observed += found
        state.step, state.call = span.step, span.call.id

    def _open(self, time: float, slack: float = 0.0) -> list[Span]:
        return [
            s
            for s in self.spans
            if s.start is not None and s.start - slack <= time and (s.end is None or time <= s.end + slack)
        ]

    def _maker(self, change: FileChange, time: float) -> Span | None:
        """The call at work that names the file as one that it edits (the last of them: the others came before it)."""
        for slack in (0.0, SLACK):
            named = [s for s in self._open(time, slack) if self._names(s.call, change)]
            if named:
                return named[-1] if slack == 0.0 else named[0]
        return None

    def _names(self, call: ToolCall, change: FileChange) -> bool:
        paths = {change.path, change.new_path or change.path}
        if isinstance(call.action, Edit):
            return any(self._inside(p) in paths for c in call.action.changes for p in (c.path, c.new_path) if p)
        if isinstance(call.action, Other):
            text = _json(call.input)
            return any(p in text for p in paths)
        return False

    def _inside(self, path: str) -> str:
        path = posixpath.normpath(path)
        return path[len(self.root) + 1 :] if self.root and path.startswith(self.root + "/") else path

    def _only_tool(self, time: float) -> Span | None:
        """The only tool at work whose effect on files is not known."""
        found = [s for s in self._open(time) if isinstance(s.call.action, Other) and not s.call.background]
        busy = [s for s in self._open(time) if isinstance(s.call.action, Edit | Shell | Spawn)]
        return found[0] if len(found) == 1 and not busy else None

    def _in_background(self, found: list[FileChange], line: int, record: records.Tree, state: TreeState) -> None:
        index = nearest_step(self.trajectory, record.time)
        if index is None:
            return
        command = self.journal.tool_command(record.command)
        what = BACKGROUND if command is None else f"{BACKGROUND}: {command.text[:200]}"
        self.in_background += 1
        call = ToolCall(
            f"seen-{self.in_background}",
            BACKGROUND,
            {},
            Other(target=what),
            Source(self.journal.name, line),
            time=record.time,
            observed=found,
            background=True,
        )
        self.trajectory.steps[index].calls.append(call)
        state.step, state.call = index, call.id


def nearest_step(trajectory: Trajectory, time: float) -> int | None:
    """The number of the agent's last step that began before ``time``, else of its first; None if there is none."""
    best: int | None = None
    for index, step in enumerate(trajectory.steps):
        if step.role == "agent" and (best is None or (step.time is not None and step.time <= time)):
            best = index
    return best


def _json(value: object) -> str:
    try:
        return orjson.dumps(value).decode()
    except (orjson.JSONEncodeError, RecursionError):
        return str(value)
