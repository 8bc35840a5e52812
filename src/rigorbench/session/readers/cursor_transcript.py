"""Cursor's transcripts of its agent's sessions: JSON lines, and the plain text of older versions.

They have the calls without ids, and no results, tokens or times of the model's messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..logfile import LogFile
from ..model import MAIN_LANE, EndState, Result, Source, Step, ToolCall, Trajectory
from ..reader import Reader
from .shared.messages import MessageSession, told_apart
from .shared.values import arguments, joined, mapping, seconds, string

_QUERY = re.compile(r"<user_query>(.*?)</user_query>(?!.*</user_query>)", re.DOTALL)
_CONTEXT = re.compile(r"\A<([a-z_]+)>.*</\1>\Z", re.DOTALL)  # a text that is one element
_WORKSPACE = re.compile(r"^Workspace Path: (.+)$", re.MULTILINE)
_ENDS: dict[str, EndState] = {
    "success": "completed",
    "completed": "completed",
    "aborted": "interrupted",
    "cancelled": "interrupted",
    "error": "error",
}


class CursorSession(MessageSession):
    """What all of Cursor's stores have in common: the user's words inside the harness's, and names with a version."""

    def heard(self, text: str, source: Source, time: float | None) -> None:
        found = _WORKSPACE.search(text[:20_000])
        if found is not None and self.cwd is None:
            self.cwd = found[1].strip()
        for role, words in told_apart(text, _QUERY):
            own = self.lane == MAIN_LANE and _CONTEXT.match(words) is None
            self.say(role if own else "harness", words, source, time)
            self.end = None

    def called(
        self, step: Step, identity: str | None, name: str, given: Any, source: Source, time: float | None
    ) -> ToolCall:
        return super().called(step, identity, own_name(name), given, source, time)

    def trajectory(self, kind: str = "cursor-transcript", identity: str | None = None) -> Trajectory | None:
        found = Trajectory(identity or self.log.stem, kind, Source(self.log.name), agent="cursor-agent")
        return self.finish(found) if self.steps else None


def own_name(name: str) -> str:
    """The tool's name without its version, and without an argument that a model wrote into it."""
    return re.sub(r"_v\d+\Z", "", name.partition("\n")[0])


class _Transcript(CursorSession):
    def records(self, log: LogFile, lane: str) -> None:
        before, self.lane, ended = len(self.steps), lane, self.end
        for number, value in log.json_objects():
            self.record(value, Source(log.name, number))
        if lane != MAIN_LANE:
            self.lane, self.end = MAIN_LANE, ended
            said = (step.text for step in self.steps[before:] if step.role == "harness")
            self.add_lane(lane, prompt=next(said, None))

    def record(self, record: dict[str, Any], source: Source) -> None:
        role, kind = string(record.get("role")), string(record.get("type"))
        if kind == "turn_ended":
            self.end = _ENDS.get(string(record.get("status")), "error" if record.get("error") else None)
            self.close()
        elif not role:
            self.log.skip(source.line, f"a record of the unknown kind {kind[:40]!r}; skipped", file=source.file)
        else:
            self.close()  # each record of the model is one answer
            self.message(role, mapping(record.get("message")).get("content"), source, seconds(record.get("timestamp")))


class CursorTranscriptReader(Reader):
    """``<id>.jsonl``, with the transcripts of its sub-agents in ``subagents/``."""

    format, marks = "cursor-transcript", (b'"role"',)

    def is_record(self, value: dict[str, Any]) -> bool:
        content = mapping(value.get("message")).get("content")
        typed = "type" in value or "sessionId" in value or "uuid" in value
        return value.get("role") in ("user", "assistant") and isinstance(content, list | str) and not typed

    def owner(self, path: Path) -> Path:
        folder = path.parent.parent
        main = folder / f"{folder.name}.jsonl"
        return main if path.parent.name == "subagents" and main.is_file() else path

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        session = _Transcript(log)
        session.records(log, MAIN_LANE)
        agents = sorted((log.path.parent / "subagents").glob("*.jsonl")) if log.path is not None else []
        for path in agents if log.path is not None and log.path.stem == log.path.parent.name else ():
            session.read_agent_file(path, session.records)
        session.link_lanes()
        session.interleave()
        found = session.trajectory()
        return [] if found is None else [found]


_SPEAKER = re.compile(r"^(user|assistant|A):[ \t]*$\n?", re.MULTILINE)
_PART = re.compile(r"^\[(Thinking|Tool call|Tool result)\] ?(.*)$", re.MULTILINE)
_ARGUMENT = re.compile(r"^  (\w+): ?", re.MULTILINE)


class CursorTextReader(Reader):
    """The transcripts of older versions: plain text."""

    format = "cursor-text"

    def matches(self, log: LogFile) -> bool:
        start = log.head[:4000].lstrip(b"\xef\xbb\xbf \r\n")
        return start.startswith(b"user:\n") and b"<user_query>" in log.head

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        session = CursorSession(log)
        text = log.content().decode("utf-8", "replace").replace("\r\n", "\n")
        starts = [m for m in _SPEAKER.finditer(text) if not _inside(text, m.start())]
        ends = [m.start() for m in starts[1:]] + [len(text)]
        for speaker, end in zip(starts, ends, strict=True):
            source = Source(log.name, 1 + text.count("\n", 0, speaker.start()))
            said = text[speaker.end() : end]
            if speaker[1] == "user":
                session.heard(said, source, None)
            else:
                _answer(session, said, source)
        found = session.trajectory(self.format)
        return [] if found is None else [found]


def _inside(text: str, at: int) -> bool:
    """Whether a line is within the words of the user."""
    return text.rfind("<user_query>", 0, at) > text.rfind("</user_query>", 0, at)


def _answer(session: CursorSession, said: str, source: Source) -> None:
    parts = list(_PART.finditer(said))
    ends = [m.start() for m in parts] + [len(said)]
    step = session.begin(source)
    step.text = said[: ends[0]].strip()
    for part, end in zip(parts, ends[1:], strict=True):
        rest = said[part.end() : end].strip("\n")
        if part[1] == "Thinking":
            thought, _, words = f"{part[2]}\n{rest}".partition("\n\n")
            step.reasoning, step.text = joined(step.reasoning, thought.strip()), joined(step.text, words.strip())
        elif part[1] == "Tool call":
            if any(call.result is not None for call in step.calls):
                step = session.begin(source)
            names = list(_ARGUMENT.finditer(rest))
            stops = [*(m.start() for m in names[1:]), len(rest)]
            given = {m[1]: arguments(rest[m.end() : stop].strip("\n")) for m, stop in zip(names, stops, strict=False)}
            session.called(step, None, part[2].strip(), given, source, None)
        elif rest.strip():
            call = next((c for c in step.calls if c.result is None and c.name == own_name(part[2].strip())), None)
            if call is not None:
                session.settle(call, Result(rest, source=source))


READERS: tuple[Reader, ...] = (CursorTranscriptReader(), CursorTextReader())
