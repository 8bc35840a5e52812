"""Builds the steps, calls and lanes of one session from the records of its log, in whatever order they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import orjson

from ...logfile import LogError, LogFile
from ...model import (
    MAIN_LANE,
    Action,
    Edit,
    EndState,
    Lane,
    Read,
    Result,
    Role,
    Source,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
)
from .values import mapping, optional, set_times

Receive = Callable[[ToolCall], None]


class SessionBuilder:
    """The state of reading one session.

    A reader hands over what its records contain; the builder keeps the order of steps, joins what belongs together by
    its ids, and reports what it could not join. Formats with rules of their own override a method.
    """

    repeated_calls: Literal["report", "ignore", "keep"] = "keep"
    """What becomes of a call whose id was used before: "keep", it is another call, and later results are its own."""

    def __init__(self, log: LogFile, lane: str = MAIN_LANE) -> None:
        self.log, self.lane = log, lane  # the lane of steps for which no other is named
        self.steps: list[Step] = []
        self.calls: dict[str, ToolCall] = {}
        self.lanes: dict[str, Lane] = {}
        self.spawns: dict[str, Step] = {}  # the step of each call that starts a sub-agent, by the call's id
        self.answers: dict[str, Step] = {}  # by the key that the log has for a model answer
        self.last: dict[str, Step] = {}  # the last model answer of each lane
        self.model: str | None = None
        self.cwd: str | None = None
        self.branch: str | None = None
        self.version: str | None = None
        self.end: EndState | None = None
        self.started_at: float | None = None
        self.ended_at: float | None = None
        self.unread_calls = 0
        self.where: str | None = None  # the directory that a shell was left in
        self._open: dict[str, Step] = {}
        self._early: dict[str, tuple[Source, Receive]] = {}
        self._seen: set[str] = set()
        self._existing: set[str] = set()
        self.agent_files: list[list[Step]] = []

    def is_new(self, identity: str | None) -> bool:
        """Whether no record with this id was met before (in another file, a repeated line). Without an id it is new."""
        if identity is None:
            return True
        known = identity in self._seen
        self._seen.add(identity)
        return not known

    def at(self, time: float | None) -> float | None:
        """The time of a record, which the session's start and end take into account."""
        if time is not None:
            if self.started_at is None or time < self.started_at:
                self.started_at = time
            if self.ended_at is None or time > self.ended_at:
                self.ended_at = time
        return time

    def say(self, role: Role, text: str, source: Source, time: float | None = None, *, lane: str | None = None) -> Step:
        """Adds a step that is no model answer. What the model says next in this lane is another answer."""
        lane = lane or self.lane
        self.close(lane)
        step = Step(role, source, lane, text=text, time=time)
        self.steps.append(step)
        return step

    def answer(
        self, source: Source, time: float | None = None, *, lane: str | None = None, key: str | None = None
    ) -> Step:
        """The step of the model answer with this key, or without a key of the one under way; begins it if needed."""
        lane = lane or self.lane
        step = self._open.get(lane) if key is None else self.answers.get(key)
        if step is None:
            step = self.begin(source, time, lane=lane)
            if key is not None:
                self.answers[key] = step
        return step

    def begin(
        self, source: Source, time: float | None = None, *, lane: str | None = None, model: str | None = None
    ) -> Step:
        """Begins the step of another model answer."""
        lane = lane or self.lane
        step = Step("agent", source, lane, model=self.model if model is None else model, time=time)
        self.steps.append(step)
        self._open[lane] = self.last[lane] = step
        return step

    def close(self, lane: str | None = None) -> None:
        """The model answer under way is complete: a result came, or somebody else speaks."""
        self._open.pop(lane or self.lane, None)

    def call(
        self,
        step: Step | None,
        identity: str,
        name: str,
        given: Any,
        action: Action,
        source: Source,
        time: float | None = None,
    ) -> ToolCall:
        """Adds a call to a step (None: that of the answer under way), with the result that came before it, if any."""
        call = ToolCall(identity, name, given, action, source, time=time)
        self.add_call(step, call)
        return call

    def add_call(self, step: Step | None, call: ToolCall) -> None:
        """The same for a call that was made already."""
        identity, source = call.id, call.source
        if identity in self.calls and self.repeated_calls != "keep":
            if self.repeated_calls == "report":
                self.log.skip(source.line, f"repeats the call {identity[:80]}", file=source.file)
            return
        self.calls[identity] = call
        step = step if step is not None else self.answer(source, call.time)
        step.calls.append(call)
        if isinstance(call.action, Spawn):
            self.spawns[identity] = step
        if self._early and identity in self._early:
            self._early.pop(identity)[1](call)

    def deliver(self, identity: str | None, source: Source, receive: Receive) -> None:
        """Gives a result to its call, now or as soon as the call comes. `finish` reports it if the call never came."""
        if identity is None:
            self.log.skip(source.line, "a tool result does not say whose it is; skipped", file=source.file)
        elif identity in self.calls:
            receive(self.calls[identity])
        else:
            self._early[identity] = (source, receive)

    def give(self, call: ToolCall, result: Result) -> None:
        """Gives a call its result, and notes the file that it read or the files that it changed."""
        call.result = result
        if not result.is_error and isinstance(call.action, Read):
            self.note_file(call.action.target)
        elif not result.is_error and isinstance(call.action, Edit):
            self.note_edit(call.action)

    def waiting_call(self, identity: str | None, source: Source) -> ToolCall | None:
        """The call that a result belongs to; None (reported) if no such call came before or it has its result."""
        call = self.calls.get(identity or "")
        if call is not None and call.result is None:
            return call
        what = "a tool result without its call" if call is None else "a second result of the call"
        self.log.skip(source.line, f"{what} ({str(identity)[:80]}); skipped", file=source.file)
        return None

    def note_file(self, path: str) -> None:
        """A file that exists: it was read."""
        self._existing.add(path)

    def note_edit(self, action: Edit) -> None:
        """An edit that was carried out. Writing a whole file that was read or written before does not create it."""
        for change in action.changes:
            if change.operation == "create" and change.path in self._existing:
                change.operation = "modify"
            self._existing.add(change.path)

    def add_lane(
        self,
        identity: str,
        *,
        parent_call: str | None = None,
        agent_type: str | None = None,
        prompt: str | None = None,
    ) -> Lane:
        """The lane with this id; facts that are not known yet are added to it."""
        lane = self.lanes.get(identity)
        if lane is None:
            lane = self.lanes[identity] = Lane(identity)
        if lane.parent_call is None:
            lane.parent_call = parent_call
        lane.agent_type = lane.agent_type or agent_type
        lane.prompt = lane.prompt or prompt
        return lane

    def link_lanes(self, agents: Mapping[str, str] | None = None) -> None:
        """Joins lanes and the calls that started them: by the call's id where the log states it, else by the prompt.

        ``agents``: lanes that results name, by the ids of their calls.
        """
        lanes = self.lanes
        by_call: dict[str, str] = {}
        for lane in lanes.values():
            if lane.parent_call is not None:
                by_call.setdefault(lane.parent_call, lane.id)
        for identity, agent in (agents or {}).items():
            if agent in lanes:
                by_call.setdefault(identity, agent)
                lanes[agent].parent_call = lanes[agent].parent_call or identity
        unlinked = [lane for lane in lanes.values() if lane.parent_call is None and lane.prompt]
        prompts = {(lane.prompt or "").strip(): lane.id for lane in reversed(unlinked)}
        for identity in self.spawns:
            call = self.calls[identity]
            if not isinstance(call.action, Spawn):
                continue
            found = by_call.get(identity) or prompts.pop(call.action.prompt.strip(), None)
            if found is not None:
                call.action.lane = found
                lanes[found].parent_call = lanes[found].parent_call or identity
        for lane in lanes.values():
            start = self.spawns.get(lane.parent_call) if lane.parent_call is not None else None
            lane.parent = start.lane if start is not None and start.lane != lane.id else MAIN_LANE

    def read_agent_file(self, path: Path, read: Callable[[LogFile, str], None], name: str | None = None) -> None:
        """Reads ``agent-ID.jsonl`` by ``read``, as a lane; what it says goes between the others in `interleave`.

        ``name``: the id where it is not in the file's name.
        """
        log, identity = self.log.sibling(path), name or path.name.removeprefix("agent-").split(".", 1)[0]
        try:
            meta = mapping(orjson.loads(path.with_name(f"agent-{identity}.meta.json").read_bytes()))
        except (OSError, orjson.JSONDecodeError):
            meta = {}  # not always written; the call is then found through its result or its prompt
        call, kind = optional(meta.get("toolUseId")), optional(meta.get("agentType"))
        self.add_lane(identity, parent_call=call, agent_type=kind)
        before = len(self.steps)
        try:
            read(log, identity)
        except LogError as error:
            self.log.skip(None, error.reason, file=log.name)
        if before < len(self.steps):
            self.agent_files.append(self.steps[before:])
        del self.steps[before:]

    def interleave(self) -> None:
        """Puts sub-agents' steps between the others by time; without times after the call that started them."""
        if not self.agent_files:
            return
        calls_at = {call.id: i for i, step in enumerate(self.steps) for call in step.calls}
        clock: list[float] = []
        now = float("-inf")
        for step in self.steps:
            if step.time is not None and step.time > now:
                now = step.time
            clock.append(now)
        last = len(self.steps)
        placed = [(time, i, -1, step) for i, (time, step) in enumerate(zip(clock, self.steps, strict=True))]
        for group in self.agent_files:
            lane = self.lanes.get(group[0].lane)
            start = calls_at.get(lane.parent_call or "", last - 1) if lane is not None else 0
            now = clock[start] if clock and group[0].time is None else float("-inf")
            for number, step in enumerate(group):
                if step.time is not None and step.time > now:
                    now = step.time
                # At equal times the main lane's steps come first: the call is before what it started.
                placed.append((now, last, number, step))
        placed.sort(key=lambda entry: entry[:3])
        self.steps = [step for *_, step in placed]

    def lone_subagent(self) -> str | None:
        """The id of the sub-agent whose log was read by itself: its lane becomes the main one. None: there is none."""
        if len(self.lanes) != 1 or any(step.lane == MAIN_LANE for step in self.steps):
            return None
        only = self.lanes.popitem()[0]
        for step in self.steps:
            step.lane = MAIN_LANE
        return only

    def take_back(self, start: int) -> None:
        """The user went back to before this step: the main lane's steps from there on go to a lane of their own."""
        self.close(MAIN_LANE)
        gone = [step for step in self.steps[start:] if step.lane == MAIN_LANE]
        if any(step.role == "agent" for step in gone):
            lane = self.add_lane(f"taken back {1 + sum(lane.taken_back for lane in self.lanes.values())}")
            lane.parent, lane.taken_back = MAIN_LANE, True
            for step in gone:
                step.lane = lane.id

    def finish(self, trajectory: Trajectory) -> Trajectory:
        """Completes the trajectory with everything that was built; what the reader has set in it stays."""
        for identity, (source, _) in self._early.items():
            self.log.skip(source.line, f"a tool result without its call ({identity}); skipped", file=source.file)
        t = trajectory
        t.steps, t.lanes = self.steps, {MAIN_LANE: Lane(MAIN_LANE), **self.lanes}
        t.model, t.cwd, t.branch = t.model or self.model, t.cwd or self.cwd, t.branch or self.branch
        t.model = t.model or next((s.model for s in self.steps if s.model is not None and s.lane == MAIN_LANE), None)
        t.unread_calls = self.unread_calls
        t.agent_version, t.end = t.agent_version or self.version, t.end or self.end
        set_times(t, self.started_at, self.ended_at)
        return t


def with_subagents(steps: Iterable[Step], started: Callable[[Step, ToolCall, Spawn], Iterable[Step]]) -> list[Step]:
    """``steps`` with those of the sub-agents (as ``started`` returns them) after the calls that started them."""
    ordered: list[Step] = []
    for step in steps:
        ordered.append(step)
        for call in step.calls:
            if isinstance(call.action, Spawn):
                ordered += started(step, call, call.action)
    return ordered
