"""Auggie (Augment's CLI): the session document. Partial: prompts, model and version are often not in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..logfile import LogFile
from ..model import Action, Edit, FileChange, Plan, Result, Shell, ShellOutput, Source, Step, Trajectory
from ..reader import Reader
from ..tools import interpret
from .shared.builder import SessionBuilder
from .shared.usage import named_usage
from .shared.values import arguments, flag, integer, iso_time, joined, mapping, millis, optional, sequence, string

# Types of the nodes of a request and of a response.
_TEXT, _RESULT, _IDE_STATE, _HISTORY_SUMMARY = 0, 1, 4, 10
_USAGE = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
_RAW_TEXT, _TOOL_USE, _THINKING, _TOKEN_USAGE = 0, 5, 8, 10

_EXIT = re.compile(r"<return-code>\s*(-?\d{1,10})\s*</return-code>")
_OUTPUT = re.compile(r"<output>\n?(.*?)\n?</output>\s*\Z", re.DOTALL)
_TERMINAL = re.compile(r"(?i)\bterminal id:? ?(\d+)|\bpid:? (\d+)")
_TASK = re.compile(r"UUID:(\S+) NAME:(.*?)(?: DESCRIPTION:|$)", re.MULTILINE)


class AuggieReader(Reader):
    format, marks = "auggie", (b'"chatHistory"',)

    def is_record(self, value: dict[str, Any]) -> bool:
        return any(isinstance(mapping(entry).get("exchange"), dict) for entry in sequence(value.get("chatHistory")))

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        document = log.document()
        if not isinstance(document, dict):
            return []
        session = _Session(log)
        for index, entry in enumerate(sequence(document.get("chatHistory"))):
            exchange = mapping(entry).get("exchange")
            if isinstance(exchange, dict):
                session.exchange(entry, exchange)
            else:
                log.skip(None, f"chatHistory[{index}] has no exchange")
        return [session.trajectory(document)]


class _Session(SessionBuilder):
    repeated_calls = "report"

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.source = Source(log.name)
        self.completed = False

    def exchange(self, entry: dict[str, Any], exchange: dict[str, Any]) -> None:
        finished = self.at(iso_time(entry.get("finishedAt")))
        prompt = string(exchange.get("request_message"))
        words: list[str] = []
        for node in map(mapping, sequence(exchange.get("request_nodes"))):
            kind = node.get("type")
            if kind == _RESULT:
                self._result(mapping(node.get("tool_result_node")))
            elif kind == _TEXT:
                words.append(string(mapping(node.get("text_node")).get("content")))
            elif kind == _IDE_STATE:
                state = mapping(node.get("ide_state_node"))
                if self.cwd is None:
                    self.cwd = optional(mapping(state.get("current_terminal")).get("current_working_directory"))
                for place in map(mapping, sequence(state.get("workspace_folders"))):
                    self.cwd = self.cwd or optional(place.get("folder_root")) or optional(place.get("repository_root"))
            elif kind == _HISTORY_SUMMARY:
                summary = mapping(node.get("history_summary_node"))
                text = string(summary.get("summary_text")) or string(summary.get("summary"))
                self.say("compaction", text, self.source)
        # The prompt is in its own field, or in a text node, or in both.
        text = prompt or "\n".join(filter(None, words))
        if text:
            self.say("user", text, self.source)
        step = self._response(exchange, finished)
        self.completed = entry.get("completed") is True and step is not None and not step.calls

    def _response(self, exchange: dict[str, Any], finished: float | None) -> Step | None:
        nodes = [mapping(node) for node in sequence(exchange.get("response_nodes"))]
        step = Step("agent", self.source, message_id=optional(exchange.get("request_id")))
        step.model = optional(exchange.get("model_id"))
        self.model = self.model or step.model
        texts: list[str] = []
        for node in nodes:
            time = self.at(millis(node.get("timestamp_ms")))
            step.time = step.time if step.time is not None else time
            kind = node.get("type")
            if kind == _RAW_TEXT:
                texts.append(string(node.get("content")))
            elif kind == _TOOL_USE or (node.get("tool_use") and kind is None):
                self._call(step, mapping(node.get("tool_use")), time)
            elif kind == _THINKING:
                thinking = mapping(node.get("thinking"))
                thought = string(thinking.get("summary")) or string(thinking.get("content"))
                step.reasoning = joined(step.reasoning, thought, by="\n\n")
            elif kind == _TOKEN_USAGE:
                step.usage = named_usage(mapping(node.get("token_usage")), _USAGE) or step.usage
        step.text = joined(*texts) or string(exchange.get("response_text"))
        step.time = step.time if step.time is not None else finished
        if not (step.text or step.reasoning or step.calls or step.usage):
            return None
        self.steps.append(step)
        return step

    def _call(self, step: Step, use: dict[str, Any], time: float | None) -> None:
        call_id, name = optional(use.get("tool_use_id")), string(use.get("tool_name"))
        if call_id is None or not name:
            self.log.skip(None, "a tool use without id or name")
            return
        given = arguments(use.get("input_json", use.get("input")))
        started = self.at(millis(use.get("started_at_ms")))
        self.at(millis(use.get("completed_at_ms")))
        made = self.calls.get(call_id)
        if made is not None and made in step.calls and made.result is None:
            # First written while its input was still arriving.
            made.name, made.input, made.action = name, given, _action(name, given)
            return
        self.call(step, call_id, name, given, _action(name, given), self.source, started or time)

    def _result(self, node: dict[str, Any]) -> None:
        call = self.waiting_call(string(node.get("tool_use_id")), self.source)
        if call is None:
            return
        result = Result(_content(node), source=self.source)
        result.is_error = flag(node.get("is_error"))
        taken, started = integer(node.get("duration_ms")), millis(node.get("start_time_ms"))
        if taken is not None:
            result.duration = taken / 1000
            result.time = self.at(started + taken / 1000) if started is not None else None
        call.result = result
        action = call.action
        if isinstance(action, Shell | ShellOutput):
            text = result.text
            code = _EXIT.search(text[:1000]) or _EXIT.search(text, max(0, len(text) - 500))
            if code is not None:
                result.exit_status = int(code[1])
            output = _OUTPUT.search(text)
            if output is not None:
                result.stdout = output[1]
            if code is None:
                running = _TERMINAL.search(text[:300])
                if running is not None:
                    result.shell_id = running[1] or running[2]
                    if isinstance(action, Shell):
                        action.background, action.shell_id = True, result.shell_id
        elif isinstance(action, Plan):
            # Only the result states the ids of new tasks.
            known = {name.strip(): key for key, name in _TASK.findall(result.text)}
            for item in action.items:
                if item.key is None:
                    item.key = known.get(item.text)
        elif isinstance(action, Edit) and not result.is_error:
            self.note_edit(action)
        elif call.name == "view" and isinstance(call.input, dict) and not result.is_error:
            self.note_file(string(call.input.get("path")))

    def trajectory(self, document: dict[str, Any]) -> Trajectory:
        for name in ("created", "modified"):
            self.at(iso_time(document.get(name)))
        trajectory = Trajectory(
            id=optional(document.get("sessionId")) or self.log.stem,
            format="auggie",
            source=self.source,
            agent="auggie",
            model=self.model or optional(mapping(document.get("agentState")).get("modelId")),
            usage_complete=all(step.usage is not None for step in self.steps if step.role == "agent"),
            end="completed" if self.completed else None,
        )
        return self.finish(trajectory)


def _action(name: str, given: Any) -> Action:
    path = optional(mapping(given).get("path"))
    if name != "str-replace-editor" or path is None:
        return interpret(name, given)
    # The editor takes lists of entries, or numbered fields (``old_str_1``, ...) in one flat object.
    change = FileChange(path)
    for entry in map(mapping, sequence(given.get("str_replace_entries"))):
        change.hunks.append((string(entry.get("old_str")), string(entry.get("new_str"))))
    inserts = [mapping(entry) for entry in sequence(given.get("insert_line_entries"))]
    for number in range(1, 100):
        old, new, at = (given.get(f"{name}_{number}") for name in ("old_str", "new_str", "insert_line"))
        if at is not None:
            inserts.append({"insert_line": at, "new_str": new})
        elif old is not None or new is not None:
            change.hunks.append((string(old), string(new)))
        else:
            break
    for entry in inserts:
        change.hunks.append(("", string(entry.get("new_str"))))
        if len(inserts) == 1 and len(change.hunks) == 1:
            change.at_line = integer(entry.get("insert_line"))
    return Edit([change]) if change.hunks else interpret(name, given)


def _content(node: dict[str, Any]) -> str:
    content = node.get("content")
    if isinstance(content, str) and content:
        return content
    return "\n".join(string(part.get("text_content")) for part in map(mapping, sequence(node.get("content_nodes"))))


READERS: tuple[Reader, ...] = (AuggieReader(),)
