"""Tasks of Cline (to version 3), Roo Code and Kilo Code: the messages as they were sent to the model.

A call is a block, or (in older versions) XML in the model's text, with its result in the texts of the next message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from ..cost import keep_cost
from ..logfile import LogFile
from ..model import Source, Step, ToolCall, Trajectory
from ..reader import Reader
from ..tools import text_of
from .cline import WORDS, ClineSession
from .shared.usage import named_usage
from .shared.values import arguments, joined, mapping, millis, objects, sequence, string

_AGENTS = {"rooveterinaryinc.roo": "roo-code", "kilocode": "kilo-code"}
_CWD = re.compile(r"^# Current (?:Working|Workspace) Directory \((.+?)\) Files", re.MULTILINE)
_MODEL = re.compile(r"<model>([^<\n]+)</model>")
_RESULT = re.compile(r"\A\[(\w+)[^\n]*\] Result:[ \t]*\n?")
_XML_CALL = re.compile(r"<([a-z]+_[a-z_]+)>\s*(?=<\w+>)")
_ARGUMENT = re.compile(r"<(\w+)>(.*?)</\1>", re.DOTALL)


class _Task(ClineSession):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.asked: list[ToolCall] = []  # calls of the last answer, in their order
        self.parts: list[str] = []  # texts of the result under way

    def add(self, message: dict[str, Any]) -> Step | None:
        step = super().add(message)
        self._end_result()
        if step is not None:
            step.model = step.model or self.model
            step.reasoning = step.reasoning or string(message.get("reasoning_content"))
            self._call_in_text(step, step.source)
            self.asked = list(step.calls)
        return step

    def _call_in_text(self, step: Step, source: Source) -> None:
        opening = _XML_CALL.search(step.text) if not step.calls else None
        closing = step.text.rfind(f"</{opening[1]}>") if opening is not None else -1
        if opening is not None and closing > opening.end():
            given = {name: text.strip("\n") for name, text in _ARGUMENT.findall(step.text[opening.end() : closing])}
            step.text = step.text[: opening.start()].strip()
            self.called(step, None, opening[1], given, source, step.time)

    def heard(self, text: str, source: Source, time: float | None) -> None:
        """Words of the user, results of calls that are in texts, and what the harness adds."""
        header = _RESULT.match(text)
        if header is not None and self.asked:
            self._end_result()
            self.parts = [text[header.end() :]]
        elif text.lstrip().startswith("<environment_details>"):
            found, model = _CWD.search(text), _MODEL.search(text)
            self.cwd = self.cwd or (found[1] if found is not None else None)
            self.model = model[1] if model is not None else self.model
        elif self.parts and WORDS.match(text.lstrip()) is None:
            self.parts.append(text)
        else:
            self._end_result()
            said = [m[2] for m in WORDS.finditer(text)] or [text.strip()] if text.strip() else []
            tagged = WORDS.search(text) is not None
            first = not any(step.role == "user" for step in self.steps)
            for words in said:
                self.say("user" if tagged or first else "harness", words, source, time)

    def _end_result(self) -> None:
        waiting = next((call for call in self.asked if call.result is None), None)
        if self.parts and waiting is not None:
            text = joined(*(part.strip("\n") for part in self.parts))
            self.close()
            self.received(waiting, text, None, waiting.source, None)
        self.parts = []


class ClineTaskReader(Reader):
    """``api_conversation_history.json`` of a task, with the costs and tokens in ``ui_messages.json`` beside it."""

    format = "cline-task"

    def matches(self, log: LogFile) -> bool:
        start = log.head.lstrip(b"\xef\xbb\xbf \t\r\n")
        if not start.startswith(b"[") or b'"role"' not in start[:2000]:
            return False
        first = mapping(next(iter(sequence(log.head_document)), None))
        text = text_of(first.get("content"))
        known = "ts" in first or "<environment_details>" in text or "<task>" in text[:2000]
        return known and first.get("role") == "user" and isinstance(first.get("content"), list)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        session = _Task(log)
        for message in objects(log.document()):
            session.add(message)
        path = log.path
        place = str(path).lower() if path is not None else ""
        found = Trajectory(path.resolve().parent.name if path is not None else log.name, self.format, Source(log.name))
        found.agent = next((name for part, name in _AGENTS.items() if part in place), "cline")
        answers = [step for step in session.steps if step.role == "agent"]
        requests = _requests(path.with_name("ui_messages.json")) if path is not None else []
        if requests:  # in the messages, what was read from the cache and what was written is one count
            session.costs = [request.get("cost") for request in requests]
            for step, request in zip(answers, requests, strict=False) if len(answers) == len(requests) else ():
                step.usage = named_usage(request, ("tokensIn", "cacheReads", "cacheWrites", "tokensOut"))
                step.time = step.time or session.at(millis(request.get("ts")))
        found.usage_complete = all(step.usage is not None for step in answers)
        keep_cost(found, session.costs)
        if session.steps:
            yield session.finish(found)


def _requests(path: Path) -> list[dict[str, Any]]:
    """The requests to the model that the interface showed, with their tokens."""
    try:
        shown = objects(orjson.loads(path.read_bytes()))
    except (OSError, orjson.JSONDecodeError):
        return []
    requests = ((m.get("ts"), mapping(arguments(m.get("text")))) for m in shown if m.get("say") == "api_req_started")
    return [{**request, "ts": ts} for ts, request in requests if request.get("tokensOut")]


READERS: tuple[Reader, ...] = (ClineTaskReader(),)
