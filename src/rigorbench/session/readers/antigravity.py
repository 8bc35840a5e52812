"""Antigravity, its editor and its command line: the transcript of a conversation.

A step of the model names its calls without ids; the steps after it are their results, each of a kind of tool. In
``transcript.jsonl`` long texts are shortened; ``transcript_full.jsonl`` beside it has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from ..logfile import LogFile
from ..model import Edit, Result, Shell, Source, Step, ToolCall, Trajectory
from ..patches import parse_patch
from ..reader import Reader
from ..shapes import words
from ..tools import interpret, text_of
from .shared.builder import SessionBuilder
from .shared.results import stated_exit
from .shared.values import integer, iso_time, mapping, objects, optional, string

_REQUEST = re.compile(r"\s*<USER_REQUEST>\n?(.*?)\n?</USER_REQUEST>\s*", re.DOTALL)
_MODEL = re.compile(r"`Model Selection` from .*? to (.+?)\.(?:\s|$)")
_TASK = re.compile(r"background task with task id: (\S+)")
_ENDED = re.compile(r'Task id "([^"]+)" finished with result:\s*(.*?)\s*(?:</SYSTEM_MESSAGE>.*)?\Z', re.DOTALL)
_STAMPS = re.compile(r"Created At: (\S+)\n(?:Completed At: (\S+)\n)?\s*")
_EXIT = re.compile(
    r"\A\s*The command (?:exited with code|failed with exit code:?) (-?\d{1,10})\.?\s*(?:Output:\n?[\t ]*)?"
)
_OUTPUT = re.compile(r"\A\s*The command completed successfully\.\s*Output:\n?[\t ]*")
_DIFF = re.compile(r"\[diff_block_start\]\n(.*?)\[diff_block_end\]", re.DOTALL)
_CUT = re.compile(r"<truncated \d+ (?:lines|bytes)>")
_SHORT, _FULL = "transcript.jsonl", "transcript_full.jsonl"


class _Session(SessionBuilder):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.waiting: list[ToolCall] = []
        self.tasks: dict[str, ToolCall] = {}  # commands in the background, by the id of their task

    def record(self, value: dict[str, Any], source: Source) -> None:
        kind, text = string(value.get("type")), text_of(value.get("content"))
        time = self.at(iso_time(value.get("created_at")))
        if kind == "USER_INPUT":
            self.asked(text, source, time)
        elif kind == "PLANNER_RESPONSE":
            self.waiting.clear()
            step = self.begin(source, time)
            step.text, step.reasoning = text, string(value.get("thinking"))
            self.made(step, value, source, time)
            self.end = None if step.calls or value.get("status") != "DONE" else "completed"
        elif value.get("source") == "MODEL" and kind not in ("ERROR_MESSAGE", "CHECKPOINT"):
            if value.get("tool_calls"):
                self.made(self.last.get(self.lane) or self.begin(source, time), value, source, time)
            self.returned(kind, value, text, source, time)
        elif (ended := _ENDED.search(text)) is not None and (call := self.tasks.pop(ended[1], None)) is not None:
            self.settled(call, value, ended[2].replace("\t", ""), source, time)
        elif kind and text:
            self.say("compaction" if kind == "CHECKPOINT" else "harness", text, source, time)
        elif not kind:
            self.log.skip(source.line, "a step without a type; skipped")

    def asked(self, text: str, source: Source, time: float | None) -> None:
        request = _REQUEST.search(text)
        about = text[: request.start()] + text[request.end() :] if request is not None else ""
        chosen = _MODEL.search(about)
        self.model = chosen[1] if chosen is not None else self.model
        self.end = None
        self.say("user", request[1] if request is not None else text, source, time)
        if about:
            self.say("harness", about, source, time)

    def made(self, step: Step, value: dict[str, Any], source: Source, time: float | None) -> None:
        for number, call in enumerate(objects(value.get("tool_calls"))):
            name, given = string(call.get("name")), mapping(call.get("args")) or mapping(call.get("arguments"))
            given = {key: _decoded(argument) for key, argument in given.items()}
            identity = optional(call.get("id")) or f"{source.line} {number}"
            self.waiting.append(self.call(step, identity, name, given, interpret(name, given), source, time))

    def returned(self, kind: str, value: dict[str, Any], text: str, source: Source, time: float | None) -> None:
        fitting = [call for call in self.waiting if _is_of(call, kind)]
        call = next((call for call in fitting if call.name == kind.lower()), fitting[0] if fitting else None)
        if call is None:
            self.log.skip(source.line, f"a result without its call ({kind[:40]}); skipped")
            return
        if value.get("status") in ("RUNNING", "IN_PROGRESS", "PENDING"):
            if (task := _TASK.search(text)) is not None:
                self.tasks[task[1]] = call
                self.waiting.remove(call)
            return
        self.waiting.remove(call)
        self.settled(call, value, text, source, time)

    def settled(self, call: ToolCall, value: dict[str, Any], text: str, source: Source, time: float | None) -> None:
        result = Result(text, time=time, source=source)
        if (stamps := _STAMPS.match(text)) is not None:
            call.time = iso_time(stamps[1]) or call.time
            result.text, result.time = text[stamps.end() :], self.at(iso_time(stamps[2])) or time
        if value.get("status") in ("ERROR", "FAILED", "CANCELED"):
            result.is_error, result.interrupted = True, value["status"] == "CANCELED"
        result.truncated = bool(value.get("truncated_fields")) or _CUT.search(result.text) is not None
        if isinstance(call.action, Shell):
            stated_exit(result, _EXIT)
            if result.exit_status is None and (said := _OUTPUT.match(result.text)) is not None:
                result.stdout = result.text[said.end() :]
            if (status := integer(value.get("exit_code"))) is not None:
                result.exit_status = status
        elif isinstance(call.action, Edit) and (shown := _DIFF.search(text)) is not None:
            _shown(call.action, shown[1])
        self.give(call, result)

    def trajectory(self, path: Path | None) -> Trajectory | None:
        if not self.steps:
            return None
        in_folder = path is not None and path.parent.name == "logs" and len(path.parents) > 2
        trajectory = Trajectory(
            path.parents[2].name if path is not None and in_folder else self.log.stem,
            "antigravity",
            Source(self.log.name, 1),
            agent="antigravity",
            usage_complete=False,
        )
        return self.finish(trajectory)


def _is_of(call: ToolCall, kind: str) -> bool:
    """Whether a result of this kind may be that of the call."""
    if kind == "CODE_ACTION" or isinstance(call.action, Edit):
        return kind in ("CODE_ACTION", "GENERIC") and isinstance(call.action, Edit)
    named = words(kind.lower())
    return kind == "GENERIC" or any(a.startswith(b) or b.startswith(a) for a in named for b in words(call.name))


def _decoded(argument: Any) -> Any:
    """An argument, which is JSON once more in most versions."""
    if not isinstance(argument, str) or not argument.startswith(('"', "[", "{", "true", "false")):
        return argument
    try:
        return orjson.loads(argument)
    except orjson.JSONDecodeError:
        return argument


def _shown(action: Edit, diff: str) -> None:
    """The change as the result shows it, where the call does not state its text."""
    change = action.changes[0]
    cut = any(_CUT.search(text) for hunk in change.hunks for text in hunk)
    if len(action.changes) == 1 and change.after is None and (cut or not change.hunks):
        change.hunks = [hunk for parsed in parse_patch(f"--- a\n+++ a\n{diff}") for hunk in parsed.hunks]


class AntigravityReader(Reader):
    format, marks = "antigravity", (b'"step_index"',)

    def is_record(self, value: dict[str, Any]) -> bool:
        return "step_index" in value and isinstance(value.get("type"), str) and ("source" in value or "status" in value)

    def owner(self, path: Path) -> Path:
        short = path.with_name(_SHORT)
        return short if path.name == _FULL and short.is_file() else path

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        session, path = _Session(log), log.path
        full = path.with_name(_FULL) if path is not None and path.name == _SHORT else None
        source = log.sibling(full) if full is not None and full.is_file() and full.stat().st_size else log
        steps: dict[tuple[int, str], tuple[int, dict[str, Any]]] = {}
        for number, value in source.json_objects():  # not in the order of the steps; a step that went on is repeated
            index = integer(value.get("step_index"))
            steps[number if index is None else index, string(value.get("type"))] = (number, value)
        for _, (number, value) in sorted(steps.items(), key=lambda step: step[0][0]):
            session.record(value, Source(source.name, number))
        log.cut, log.last_cut = log.cut or source.cut, log.last_cut or source.last_cut
        found = session.trajectory(path)
        return [] if found is None else [found]


READERS = (AntigravityReader(),)
