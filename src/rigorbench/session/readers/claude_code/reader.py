"""Claude Code sessions as the program keeps them: ``<session>.jsonl`` and the logs of its sub-agents beside it.

Sub-agents are found in four places: ``progress`` lines of the parent, ``<session>/subagents/agent-*.jsonl`` (2.1),
``agent-*.jsonl`` beside the session (2.0), and side-chain lines within the session. One met in several is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from ...cost import keep_cost
from ...logfile import LogError, LogFile
from ...model import MAIN_LANE, Source, Step, Trajectory
from ...reader import Reader
from ..shared.values import iso_time
from .build import ClaudeBuilder, text_of_prompt
from .results import LinePlace, decoded
from .stream import ClaudeStreamReader
from .wire import Attachment, PersistedLine, lenient, persisted

_COSTS = b'{"type":"cost-state"'
# Bookkeeping, most of it whole requests repeated: the beginning of the line is enough to leave it out.
_BOOKKEEPING = (
    b'{"type":"api-request',  # -shape and -blob too
    b'{"type":"file-history-',
    b'{"type":"last-prompt"',
    b'{"type":"atis-latch"',
    b'{"type":"tools-used"',
    _COSTS,
    b'{"type":"summary"',
    b'{"type":"pr-link"',
    b'{"type":"mode"',
    b'{"type":"permission-mode"',
    b'{"type":"ai-title"',
    b'{"type":"custom-title"',
    b'{"type":"agent-',
    b'{"type":"bridge-session"',
)
# What the first type named in a line of the conversation is: the line's own, or its message's.
_PLAIN = (b'user"', b'assistant"', b'message"')
_BEGINNINGS = (b'{"type":"summary","summary":', b'{"type":"file-history-snapshot","messageId":')
_SAID = ("user", "assistant")
_TOTAL_COST = re.compile(rb'"totalCostUSD":(\d{1,9}(?:\.\d{1,20})?)[,}]')
_COMMIT = re.compile(r"Recent commits:\n([0-9a-f]{7,40})\b")


class ClaudeCodeReader(Reader):
    format = "claude-code"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if b'"sessionId"' not in head or (b'"isSidechain"' not in head and b'"message"' not in head):
            return False
        if head.startswith(b'{"parentUuid":') and b'"isSidechain":' in head[:400] and b'"parts"' not in head[:4000]:
            return True  # even if the first line is longer than the head
        if head.startswith(_BEGINNINGS) and b'"isSidechain":' in head and b'"parentUuid":' in head:
            return True  # the conversation may begin after more of these than head_objects has
        return any(_is_line(value) for value in log.head_objects)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        session = _Session(log)
        session.read_file(log)
        if log.path is not None and not log.path.name.startswith("agent-"):
            for path in subagent_files(log.path, session.main_id()):
                session.builder.read_agent_file(path, session.read_file)
        trajectory = session.finish()
        if trajectory is not None:
            yield trajectory

    def owner(self, path: Path) -> Path:
        """A sub-agent's file belongs to its session's, if that is in the expected place."""
        if not path.name.startswith("agent-"):
            return path
        for parent in path.parents[:4]:
            if parent.name == "subagents":
                return existing(parent.parent.parent, parent.parent.name) or path
        identity = session_of(path)
        return (existing(path.parent, identity) if identity is not None else None) or path


def _is_line(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("sessionId"), str):
        return False
    message = value.get("message")
    if isinstance(message, dict) and "parts" in message:
        return False  # Qwen Code has the same envelope
    kind = value.get("type")
    if kind in _SAID:
        return isinstance(message, dict) and "content" in message
    return kind in ("progress", "attachment", "system") and "isSidechain" in value and "provenance" not in value


class _Session:
    """The reading of one session: which lane each line belongs to."""

    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.builder = ClaudeBuilder(log)
        self.sessions: dict[str, int] = {}
        self.commit: str | None = None
        self.cost: float | None = None
        self._side: dict[str, str | None] = {}  # side-chain lines without an agent's id: uuid -> parent's
        self._side_steps: list[tuple[Step, str]] = []
        self._last_side: str | None = None
        self._queue: list[tuple[str, Source, float | None]] = []
        self._queued: set[str] = set()
        self._ends: dict[str, int] = {}  # number of steps after a line of the main lane, by its uuid

    def main_id(self) -> str | None:
        if not self.sessions:
            return None
        stem = self.log.path.name.split(".jsonl", 1)[0] if self.log.path is not None else None
        if stem in self.sessions:
            return stem
        return max(self.sessions, key=lambda s: self.sessions[s])

    def read_file(self, log: LogFile, lane: str | None = None) -> None:
        decode = persisted.decode
        for number, raw in log.lines():
            at = raw.find(b'"type":"', 0, 1500)
            if not raw.startswith(_PLAIN, at + 8):
                # No line of the conversation, or one with its parts in another order.
                if raw.startswith(_BOOKKEEPING):
                    if raw.startswith(_COSTS) and lane is None and (stated := _TOTAL_COST.search(raw)) is not None:
                        self.cost = float(stated[1])  # of the session up to here
                    continue
                if raw.find(b'"type":"progress"', 0, 1500) > 0 and b"agent_progress" not in raw:
                    continue
                at = raw.find(b'"attachment":{"type":"', 0, 1500)
                if at > 0 and not raw.startswith((b"queued_command", b"session_context"), at + 22):
                    continue
            try:
                self.line(decode(raw), number, log, lane)
                continue
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                pass
            for value in log.line_objects(number, raw):
                self.line(lenient(PersistedLine, value), number, log, lane)

    def line(self, line: PersistedLine, number: int, log: LogFile, lane: str | None) -> None:
        builder = self.builder
        kind = line.type
        session = line.sessionId
        if session is not None and lane is None:
            self.sessions[session] = self.sessions.get(session, 0) + 1
        if kind == "progress":
            self.progress(line, Source(log.name, number))
            return
        message = line.message
        if message is None or kind not in _SAID:
            self.other(line, Source(log.name, number), lane)
            return
        if not builder.is_new(line.uuid):
            return
        where = lane or (self.side(line) if line.isSidechain else MAIN_LANE)
        if where == MAIN_LANE and kind == "user" and line.toolUseResult is None and not _by_harness(line):
            # Who goes on from an earlier line took back what was said and done since.
            builder.take_back(self._ends.get(line.parentUuid or "", len(builder.steps)))
        at = LinePlace(where, Source(log.name, number), builder.at(iso_time(line.timestamp)))
        if builder.cwd is None:
            builder.cwd, builder.version, builder.branch = line.cwd, line.version, line.gitBranch or None
        count = len(builder.steps)
        if kind == "assistant":
            builder.agent(
                message,
                line.requestId or line.uuid,
                at,
                cwd=line.cwd if line.cwd != builder.cwd else None,
                is_error=line.isApiErrorMessage is True,
            )
        else:
            decision = line.permissionDecision
            builder.user(
                message,
                at,
                outcome=line.toolUseResult,
                refused=decision is not None and decision.decision in ("reject", "deny", "denied", "rejected"),
                harness=_by_harness(line),
                summary=line.isCompactSummary is True,
                parent=line.parentUuid,
            )
        if line.isSidechain and lane is None and line.agentId is None and line.uuid is not None:
            self._side_steps += [(step, line.uuid) for step in builder.steps[count:]]
        if where == MAIN_LANE and line.uuid is not None:
            self._ends[line.uuid] = len(builder.steps)

    def side(self, line: PersistedLine) -> str:
        """The lane of a side-chain line in the session's own file."""
        if line.agentId is not None:
            self.builder.add_lane(line.agentId)
            return line.agentId
        # Before sub-agents had ids, only the chain of parents tells them apart. Parents may still come: see finish().
        if line.uuid is not None:
            parent = line.parentUuid
            self._side[line.uuid] = parent if parent is not None or line.type == "user" else self._last_side
            self._last_side = line.uuid
        self.builder.add_lane("sidechain")
        return "sidechain"

    def progress(self, line: PersistedLine, source: Source) -> None:
        data = line.data
        if data is None or data.message is None or data.message.message is None:
            return
        inner = data.message
        identity = data.agentId or line.parentToolUseID
        if identity is None or inner.message is None or not self.builder.is_new(inner.uuid):
            return
        builder = self.builder
        time = builder.at(iso_time(inner.timestamp or line.timestamp))
        lane = builder.lanes.get(identity)
        if lane is None:
            prompt = decoded(data.prompt)
            lane = builder.add_lane(identity, parent_call=line.parentToolUseID)
            lane.prompt = prompt if isinstance(prompt, str) else None
        at = LinePlace(lane.id, source, time)
        if inner.type == "assistant":
            cwd = line.cwd if line.cwd != builder.cwd else None
            builder.agent(inner.message, inner.uuid, at, cwd=cwd)
        elif inner.type == "user":
            builder.user(inner.message, at, outcome=inner.toolUseResult)

    def other(self, line: PersistedLine, source: Source, lane: str | None) -> None:
        builder = self.builder
        if line.type == "queue-operation":
            self.queue(line, source)
        elif line.type == "system":
            time = builder.at(iso_time(line.timestamp))
            if line.subtype == "compact_boundary" and builder.is_new(line.uuid):
                builder.boundary(line.uuid, LinePlace(lane or MAIN_LANE, source, time))
        elif line.type == "attachment" and line.attachment is not None:
            self.attachment(line, line.attachment, source, lane)
        elif line.type in _SAID:
            self.log.skip(source.line, f"a line of type {line.type} without a message; skipped", file=source.file)

    def attachment(self, line: PersistedLine, attachment: Attachment, source: Source, lane: str | None) -> None:
        builder = self.builder
        if attachment.type == "session_context":
            status = attachment.context.gitStatus if attachment.context is not None else None
            found = _COMMIT.search(status) if status is not None else None
            if found is not None and self.commit is None and lane is None:
                self.commit = found[1]
        elif attachment.type == "queued_command" and builder.is_new(line.uuid):
            text = text_of_prompt(attachment.prompt)
            self._queued.add(text)
            kind = attachment.origin.kind if attachment.origin is not None else None
            harness = attachment.commandMode not in (None, "prompt") or kind not in (None, "human", "channel")
            builder.words(
                text, LinePlace(lane or MAIN_LANE, source, builder.at(iso_time(line.timestamp))), harness=harness
            )

    def queue(self, line: PersistedLine, source: Source) -> None:
        """What was typed while the agent worked. If it is taken out (``dequeue``), it becomes a line of its own; if it
        is removed, the model got it within the turn, and older versions wrote it down nowhere else."""
        time = self.builder.at(iso_time(line.timestamp))
        if line.operation == "enqueue":
            if line.content:
                self._queue.append((line.content, source, time))
        elif line.operation == "popAll":
            self._queue.clear()
        elif line.operation in ("dequeue", "remove") and self._queue:
            index = next((i for i, entry in enumerate(self._queue) if entry[0] == line.content), 0)
            text, _, typed = self._queue.pop(index)
            if line.operation == "remove" and text not in self._queued:
                # A lone slash command steers the program.
                harness = text.startswith("/") and not any(c.isspace() for c in text.strip())
                step_time = time if time is not None else typed
                self.builder.words(text, LinePlace(MAIN_LANE, source, step_time), harness=harness)
                self._queued.add(text)

    def finish(self) -> Trajectory | None:
        builder = self.builder
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
        trajectory = Trajectory(
            id=identity or self.log.short_name,
            format="claude-code",
            source=Source(self.log.name),
            steps=[],
            agent="claude-code",
            start_commit=self.commit,
            states_failure=True,
        )
        if len(self.sessions) > 1:
            trajectory.extra["session_ids"] = list(self.sessions)
        keep_cost(trajectory, [self.cost])
        trajectory.usage_complete = builder.all_stopped()
        return builder.finish(trajectory)


def _by_harness(line: PersistedLine) -> bool:
    if line.isMeta or line.promptSource == "system":
        return True
    return line.origin is not None and line.origin.kind not in (None, "human", "user", "channel")


READERS: tuple[Reader, ...] = (ClaudeCodeReader(), ClaudeStreamReader())


# The logs of a session's sub-agents


_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"]{1,100})"')
_HEADS = 16 * 1024


def existing(directory: Path, session: str) -> Path | None:
    paths = (directory / (session + suffix) for suffix in (".jsonl", ".jsonl.gz", ".jsonl.zst"))
    return next((path for path in paths if path.is_file()), None)


def session_of(path: Path) -> str | None:
    try:
        found = _SESSION.search(LogFile(path).head, 0, _HEADS)
    except LogError:
        return None
    return found[1].decode("utf-8", "replace") if found is not None else None


def subagent_files(path: Path, session: str | None) -> list[Path]:
    stem = path.name.split(".jsonl", 1)[0]
    found = [
        p
        for name in dict.fromkeys((stem, session or stem))
        for p in sorted((path.parent / name / "subagents").rglob("agent-*.jsonl*"))
        if p.is_file()
    ]
    if session is not None:
        try:
            stamp = path.parent.stat().st_mtime_ns
        except OSError:
            return found
        found += [Path(name) for name in _beside(str(path.parent), stamp).get(session, ())]
    return found


@lru_cache(maxsize=4)
def _beside(directory: str, stamp: int) -> dict[str, list[str]]:
    """The sub-agent files in a directory by session, looked up once for all the sessions in it."""
    found: dict[str, list[str]] = {}
    for path in sorted(Path(directory).glob("agent-*.jsonl*")):
        session = session_of(path) if path.is_file() else None
        if session is not None:
            found.setdefault(session, []).append(str(path))
    return found
