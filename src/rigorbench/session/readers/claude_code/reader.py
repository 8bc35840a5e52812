"""Claude Code sessions as the program keeps them: ``<session>.jsonl`` and the logs of its sub-agents beside it.

Sub-agents are found in four places: ``progress`` lines of the parent, ``<session>/subagents/agent-*.jsonl`` (2.1),
``agent-*.jsonl`` beside the session (2.0), and side-chain lines within the session. One met in several is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from ...cost import keep_cost
from ...logfile import LogError, LogFile
from ...model import MAIN_LANE, Shell, Source, Step, Trajectory
from ...reader import Reader
from ..shared.values import iso_time, joined, mapping, objects, optional, string
from . import files
from .build import ClaudeBuilder
from .files import Line, SessionFiles, is_document, lines_of
from .results import LinePlace
from .stream import ClaudeStreamReader

_BEGINNINGS = tuple(
    f'{{"type":"{kind}","{key}":'.encode()
    for kind, key in (("summary", "summary"), ("file-history-snapshot", "messageId"), ("queue-operation", "operation"))
)
_SAID = ("user", "assistant")
_READ = frozenset((*_SAID, "progress", "system", "attachment", "queue-operation", "cost-state"))
# Bookkeeping, some of it whole requests repeated; and files.
_NOT_READ = frozenset(
    "summary file-history-snapshot last-prompt ai-title title custom-title pr-link permission-mode mode api-request "
    "api-request-blob api-request-shape atis-latch tools-used agent-name agent-color agent-setting tag "
    "worktree-state content-replacement attribution-snapshot todos/ tasks/ plans/ file-history/ shell-snapshots/ "
    "history.jsonl".split()
)
_COMMIT = re.compile(r"Recent commits:\n([0-9a-f]{7,40})\b")


class ClaudeCodeReader(Reader):
    format, marks, not_read = "claude-code", (b'"sessionId"',), _NOT_READ

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if is_document(log):
            lines = objects(mapping(log.head_document).get("loglines"))
            return any(line.get("type") in _SAID and "content" in mapping(line.get("message")) for line in lines)
        # The conversation may begin after more of these than head_objects has, or with a picture that is longer.
        late = head.startswith(_BEGINNINGS) and b'"isSidechain":' in head and b'"parentUuid":' in head
        return late or super().matches(log)

    def is_record(self, value: dict[str, Any]) -> bool:
        kind, message = value.get("type"), mapping(value.get("message"))
        if not isinstance(value.get("sessionId"), str) or "parts" in message:
            return False  # Qwen Code has the same envelope
        if kind in _SAID:
            return "content" in message
        return kind in ("progress", "attachment", "system") and "isSidechain" in value and "provenance" not in value

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        session = _Session(log)
        session.read_file(log)
        if session.files is not None:
            for path in session.files.further:
                session.read_file(log.sibling(path))
            for path in session.files.subagents(session.main_id()):
                session.builder.read_agent_file(path, session.read_file)
            log.siblings.extend(session.files.earlier)
        trajectory = session.finish()
        if trajectory is not None:
            yield trajectory

    def owner(self, path: Path) -> Path:
        return files.owner(path)


class _Session:
    """The reading of one session: which lane each line belongs to."""

    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.builder = ClaudeBuilder(log)
        self.sessions: dict[str, int] = {}
        self.commit: str | None = None
        self.cost: Any = None
        self._side: dict[str, str | None] = {}  # side-chain lines without an agent's id: uuid -> parent's
        self._side_steps: list[tuple[Step, str]] = []
        self._last_side: str | None = None
        self._queue: list[tuple[str, float | None]] = []
        self._queued: set[str] = set()
        self._told: list[str] = []  # what was removed from the queue; a later line may have it again
        path = log.path
        self.files = None if path is None or path.name.startswith("agent-") else SessionFiles(path)
        self.continues: str | None = None
        self.unwritten = False
        self._unread = set(_NOT_READ)
        self._ends: dict[str, int] = {}  # number of steps after a line of the main lane, by its uuid

    def main_id(self) -> str | None:
        if not self.sessions:
            return None
        stem = self.log.path.name.split(".jsonl", 1)[0] if self.log.path is not None else None
        if stem in self.sessions:
            return stem
        return max(self.sessions, key=lambda s: self.sessions[s])

    def read_file(self, log: LogFile, lane: str | None = None) -> None:
        for number, value in _without_replays(lines_of(log)):
            kind = string(value.get("type"))
            if kind not in _READ:
                if kind not in self._unread:
                    self._unread.add(kind)
                    log.skip(
                        number, f"lines of the type {kind[:80]!r} are not known and not read", lost="message" in value
                    )
            elif self.files is not None and (origin := self.files.origin(value)) is not None:
                self.continues = origin
            else:
                self.line(value, Source(log.name, number), lane)

    def line(self, line: dict[str, Any], source: Source, lane: str | None) -> None:
        builder, kind, message = self.builder, line.get("type"), line.get("message")
        session = line.get("sessionId")
        if isinstance(session, str) and lane is None:
            self.sessions[session] = self.sessions.get(session, 0) + 1
        if kind == "progress":
            self.progress(line, source)
            return
        if not isinstance(message, dict) or kind not in _SAID:
            self.other(line, source, lane)
            return
        uuid, parent = optional(line.get("uuid")), optional(line.get("parentUuid"))
        if not builder.is_new(uuid):
            return
        side, outcome = line.get("isSidechain") is True, line.get("toolUseResult")
        where = lane or (self.side(line) if side else MAIN_LANE)
        if where == MAIN_LANE and kind == "user" and outcome is None and not _by_harness(line):
            # Who goes on from an earlier line took back what was said and done since.
            builder.take_back(self._ends.get(parent or "", len(builder.steps)))
        at = LinePlace(where, source, builder.at(iso_time(line.get("timestamp"))))
        if builder.cwd is None:
            found = (optional(line.get(name)) for name in ("cwd", "version", "gitBranch"))
            builder.cwd, builder.version, builder.branch = found
        count = len(builder.steps)
        if kind == "assistant":
            key, is_error = optional(line.get("requestId")) or uuid, line.get("isApiErrorMessage") is True
            builder.agent(message, key, at, cwd=self.other_cwd(line), is_error=is_error)
        else:
            decision = mapping(line.get("permissionDecision")).get("decision")
            builder.user(
                message,
                at,
                outcome=outcome,
                refused=decision in ("reject", "deny", "denied", "rejected"),
                harness=_by_harness(line),
                summary=line.get("isCompactSummary") is True,
                parent=parent,
            )
        if uuid is not None and side and lane is None and optional(line.get("agentId")) is None:
            self._side_steps += [(step, uuid) for step in builder.steps[count:]]
        if uuid is not None and where == MAIN_LANE:
            self._ends[uuid] = len(builder.steps)

    def other_cwd(self, line: dict[str, Any]) -> str | None:
        """The directory of a line, where it is not the session's."""
        cwd = optional(line.get("cwd"))
        return cwd if cwd != self.builder.cwd else None

    def side(self, line: dict[str, Any]) -> str:
        """The lane of a side-chain line in the session's own file."""
        agent, uuid = optional(line.get("agentId")), optional(line.get("uuid"))
        # Before sub-agents had ids, only the chain of parents tells them apart. Parents may still come: see finish().
        if agent is None and uuid is not None:
            parent = optional(line.get("parentUuid"))
            self._side[uuid] = parent if parent is not None or line.get("type") == "user" else self._last_side
            self._last_side = uuid
        return self.builder.add_lane(agent or "sidechain").id

    def progress(self, line: dict[str, Any], source: Source) -> None:
        builder, data, call = self.builder, mapping(line.get("data")), optional(line.get("parentToolUseID"))
        inner = mapping(data.get("message"))
        message, uuid = inner.get("message"), optional(inner.get("uuid"))
        identity = optional(data.get("agentId")) or call
        if identity is None or not isinstance(message, dict) or not builder.is_new(uuid):
            return
        time = builder.at(iso_time(inner.get("timestamp") or line.get("timestamp")))
        lane = builder.lanes.get(identity)
        if lane is None:
            lane = builder.add_lane(identity, parent_call=call, prompt=optional(data.get("prompt")))
        at = LinePlace(lane.id, source, time)
        if inner.get("type") == "assistant":
            builder.agent(message, uuid, at, cwd=self.other_cwd(line))
        elif inner.get("type") == "user":
            builder.user(message, at, outcome=inner.get("toolUseResult"))

    def other(self, line: dict[str, Any], source: Source, lane: str | None) -> None:
        builder, kind, uuid = self.builder, line.get("type"), optional(line.get("uuid"))
        attachment = mapping(line.get("attachment"))
        if kind == "cost-state" and lane is None:
            self.cost = line.get("totalCostUSD")  # of the session up to here
        elif kind == "queue-operation":
            self.queue(line, source)
        elif kind == "system":
            time = builder.at(iso_time(line.get("timestamp")))
            if line.get("subtype") == "compact_boundary" and builder.is_new(uuid):
                builder.boundary(uuid, LinePlace(lane or MAIN_LANE, source, time))
        elif kind in _SAID:
            self.log.skip(source.line, f"a line of type {kind} without a message; skipped", file=source.file)
        elif kind == "attachment" and attachment.get("type") == "session_context":
            found = _COMMIT.search(string(mapping(attachment.get("context")).get("gitStatus")))
            if found is not None and self.commit is None and lane is None:
                self.commit = found[1]
        elif kind == "attachment" and attachment.get("type") == "queued_command" and builder.is_new(uuid):
            # What was typed while the agent worked.
            prompt, mode = attachment.get("prompt"), attachment.get("commandMode")
            text = string(prompt) or joined(*(string(part.get("text")) for part in objects(prompt)))
            self._queued.add(text)
            if text in self._told:
                self._told.remove(text)
                return
            origin = mapping(attachment.get("origin")).get("kind")
            harness = mode not in (None, "prompt") or origin not in (None, "human", "channel")
            at = LinePlace(lane or MAIN_LANE, source, builder.at(iso_time(line.get("timestamp"))))
            builder.words(text, at, harness=harness)

    def queue(self, line: dict[str, Any], source: Source) -> None:
        """What was typed while the agent worked. If it is taken out (``dequeue``), it becomes a line of its own; if it
        is removed, the model got it within the turn, and older versions wrote it down nowhere else."""
        time = self.builder.at(iso_time(line.get("timestamp")))
        operation, content = line.get("operation"), string(line.get("content"))
        if operation == "enqueue":
            if content:
                self._queue.append((content, time))
        elif operation == "popAll":
            self._queue.clear()
        elif operation == "remove" and not self._queue:
            self.unwritten = True  # what was typed went into the turn, and stands nowhere
        elif operation in ("dequeue", "remove") and self._queue:
            index = next((i for i, entry in enumerate(self._queue) if entry[0] == content), 0)
            text, typed = self._queue.pop(index)
            if operation == "remove" and text not in self._queued:
                # A lone slash command steers the program.
                harness = text.startswith("/") and not any(c.isspace() for c in text.strip())
                step_time = time if time is not None else typed
                self.builder.words(text, LinePlace(MAIN_LANE, source, step_time), harness=harness)
                self._queued.add(text)
                self._told.append(text)

    def read_saved(self) -> None:
        """Reads the files with the outputs of commands of which the log has only the beginning."""
        for call in self.builder.calls.values():
            result = call.result
            if self.files is None or result is None or not result.full_output or not isinstance(call.action, Shell):
                continue
            if (file := self.files.saved(result.full_output)) is not None:
                with suppress(LogError):
                    result.stdout = self.log.sibling(file).content().decode("utf-8", "replace")
                    result.truncated = False

    def finish(self) -> Trajectory | None:
        builder = self.builder
        self.read_saved()
        roots: dict[str, str] = {}
        for step, uuid in self._side_steps:
            chain: set[str] = set()
            at = uuid
            while at not in roots:
                chain.add(at)
                parent = self._side.get(at)
                if parent is None or parent not in self._side or parent in chain:
                    roots[at] = f"sidechain-{at[:8]}"
                else:
                    at = parent
            for passed in chain:
                roots[passed] = roots[at]
            step.lane = roots[uuid]
            lane = self.builder.add_lane(step.lane)
            if lane.prompt is None and step.role == "harness":
                lane.prompt = step.text
        self.builder.lanes.pop("sidechain", None)
        builder.interleave()
        if not builder.steps:
            return None
        identity = self.main_id()
        if (only := builder.lone_subagent()) is not None:
            identity = f"{identity}/agent-{only}" if identity is not None else only
        # With sub-agents alone, or a copy of the session up to the point where it was compacted.
        part = (only or "").startswith("acompact-") or all(step.lane != MAIN_LANE for step in builder.steps)
        trajectory = Trajectory(
            id=identity or self.log.short_name,
            format="claude-code",
            source=Source(self.log.name),
            agent="claude-code",
            start_commit=self.commit,
            states_failure=True,
            complete=False if part else None,
        )
        if len(self.sessions) > 1:
            trajectory.extra["session_ids"] = list(self.sessions)
        trajectory.extra |= {"more_requests": True} if self.unwritten else {}
        trajectory.continues = self.continues
        if self.continues is None:  # else it may be the cost of the part that it goes on from as well
            keep_cost(trajectory, [self.cost])
        trajectory.usage_complete = builder.all_stopped()
        return builder.finish(trajectory)


def _without_replays(lines: Iterator[tuple[int | None, Line]]) -> Iterator[tuple[int | None, Line]]:
    """Leaves out what a resumed session writes again under new ids, all with one time: a prompt, then known answers."""
    seen: set[tuple[str | None, ...]] = set()
    for _, group in groupby(lines, lambda line: line[1].get("timestamp") or line[0]):
        again = asked = False
        held = list(group)
        for _, line in held:
            message = mapping(line.get("message"))
            if line.get("type") == "user":
                asked = asked or "toolUseResult" not in line
            elif (identity := optional(message.get("id"))) is not None:
                blocks = objects(message.get("content"))
                key = (identity, *(optional(block.get("id", block.get("text"))) for block in blocks))
                again = again or (asked and key in seen)
                seen.add(key)
        if not again:
            yield from held


def _by_harness(line: dict[str, Any]) -> bool:
    if line.get("isMeta") is True or line.get("promptSource") == "system":
        return True
    return mapping(line.get("origin")).get("kind") not in (None, "human", "user", "channel")


READERS: tuple[Reader, ...] = (ClaudeCodeReader(), ClaudeStreamReader())
