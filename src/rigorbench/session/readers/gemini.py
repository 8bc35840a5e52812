"""Gemini CLI chat files: one JSON document (to 0.2x), then JSON lines with patches and rewrites; and its JSON stream.

The lines of the newer format are ``{sessionId, projectHash, ...}`` (header), ``{"$set": {...}}`` (patches of the header
and, after a compression, of the whole message list), ``{"$rewindTo": id}`` and messages. A message is written again
each time it grows: the last line with an id counts. Tool results come a second time as ``user`` lines.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from ..logfile import LogError, LogFile
from ..model import Action, Edit, Lane, Other, Result, Role, Shell, Source, Spawn, Step, ToolCall, Trajectory
from ..reader import LineReader, Reader
from ..tools import interpret
from ..usage import TokenUsage, sum_usage
from .shared.builder import SessionBuilder, with_subagents
from .shared.usage import named_usage
from .shared.values import (
    integer,
    is_file_name,
    iso_time,
    joined,
    mapping,
    objects,
    optional,
    sequence,
    set_times,
    string,
)

_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"]+)"')
_AGENT_TYPES = ("gemini", "qwen")
_WORKSPACE = re.compile(
    r"(?:Workspace Directories:\*\*\n\s+- |working in the (?:directory|following directories): ?(?:\n\s+- )?)([^\n]+)"
)


class GeminiReader(Reader):
    """Both generations of the chat files under ``~/.gemini/tmp/<project>/chats``."""

    format, marks = "gemini", (b'"projectHash"', b'"gemini"')

    def is_record(self, value: dict[str, Any]) -> bool:
        if "projectHash" in value and "sessionId" in value:
            return True
        # The header may be lost, moved, or written by a converter: then the messages decide.
        return any(m.get("type") == "gemini" and "content" in m for m in (value, *objects(value.get("messages"))))

    def owner(self, path: Path) -> Path:
        """A sub-agent's file is in a folder named after the main session, beside the main session's file."""
        folder = path.parent
        if len(folder.name) < 8:
            return path
        for main in sorted(folder.parent.glob(f"session-*{glob.escape(folder.name[:8])}*.json*")):
            with suppress(LogError):
                found = _SESSION.search(LogFile(main).head, 0, 2000)
                if found is not None and found[1] == folder.name.encode():
                    return main
        return path

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        chat = _read_chat(log)
        steps = chat.steps("main")
        lanes: dict[str, Lane] = dict(chat.lanes)
        unread: dict[str, Path] = {}
        if log.path is not None and not chat.is_subagent and is_file_name(chat.session):
            unread = {file.stem: file for file in sorted((log.path.parent / chat.session).glob("*.jsonl"))}

        def started(_: Step, call: ToolCall, action: Spawn) -> list[Step]:
            if action.lane is None:
                return []
            lanes[action.lane] = Lane(action.lane, "main", call.id, action.description, action.prompt or None)
            file = unread.pop(action.lane, None)
            return _read_chat(log.sibling(file)).steps(action.lane) if file is not None else []

        ordered = with_subagents(steps, started)
        for lane, file in unread.items():
            lanes[lane] = Lane(lane, "main")
            ordered += _read_chat(log.sibling(file)).steps(lane)
        trajectory = Trajectory(
            id=chat.session or log.stem,
            format=self.format,
            source=Source(log.name, 1),
            steps=ordered,
            agent="qwen-code" if chat.qwen else "gemini-cli",
            model=next((s.model for s in steps if s.model), None),
            cwd=chat.cwd(log),
            lanes=lanes,
            usage_complete=not chat.legacy,
            states_failure=True,
        )
        set_times(trajectory, iso_time(chat.header.get("startTime")))
        if steps and steps[-1].role == "interrupt":
            trajectory.end = "interrupted"
        elif chat.failed:
            trajectory.end = "error"
        if trajectory.steps or chat.session:
            yield trajectory


class _Chat:
    """The messages of one chat file, each in its last version, in the order in which they first appear."""

    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.header: dict[str, Any] = {}
        self.messages: list[tuple[int | None, dict[str, Any], bool]] = []  # line, message, only in a $set?
        self.rewinds: list[tuple[int, str]] = []  # line, id of the first message that was taken back
        self.lanes: dict[str, Lane] = {}
        self.legacy = False
        self.qwen = False
        self.failed = False

    @property
    def session(self) -> str:
        return string(self.header.get("sessionId"))

    @property
    def is_subagent(self) -> bool:
        return self.header.get("kind") == "subagent"

    def cwd(self, log: LogFile) -> str | None:
        for _, message, _ in self.messages[:8]:
            if message.get("type") == "user":
                text = text_of_parts(message.get("content"))
                found = _WORKSPACE.search(text[:20000]) if "irector" in text[:20000] else None
                if found is not None:
                    return found[1].strip()
        for directory in sequence(self.header.get("directories")):
            if isinstance(directory, str):
                return directory
        with suppress(OSError, UnicodeDecodeError):
            if log.path is not None:
                return (log.path.parent.parent / ".project_root").read_text("utf-8").strip() or None
        return None

    def steps(self, lane: str) -> list[Step]:
        builder = SessionBuilder(self.log, lane)
        no_human = lane != "main" or self.is_subagent
        rewinds = list(self.rewinds)

        def rewind(identity: str) -> None:
            start = next((n for n, step in enumerate(builder.steps) if step.message_id == identity), None)
            if start is not None:
                builder.take_back(start)

        for line, message, patched in self.messages:
            while rewinds and line is not None and line > rewinds[0][0]:
                rewind(rewinds.pop(0)[1])
            kind = message.get("type")
            source = Source(self.log.name, line)
            said: list[tuple[Role, str]] = []
            text = text_of_parts(message.get("content"))
            if kind in _AGENT_TYPES:
                self.qwen |= kind == "qwen"
                if self._answer(builder, message, source, patched):
                    self.failed = False
            elif kind == "user":
                said = list(user_texts(message, no_human))
            elif kind == "error":
                self.failed = text.startswith("[API Error")  # and no command of the terminal
                said = [("harness", text)]
            elif kind in ("info", "warning"):
                # Notices to the user ("update available"); only a cancelled request is part of the session.
                if text[:40].lower().startswith(("request cancelled", "user cancelled")):
                    said = [("interrupt", text)]
            else:
                self.log.skip(line, "a message of unknown type; skipped", file=self.log.name)
            for role, words in said:
                step = builder.say(role, words, source, iso_time(message.get("timestamp")))
                step.message_id = optional(message.get("id"))
        for _, identity in rewinds:
            rewind(identity)
        self.lanes = builder.lanes
        return builder.steps

    def _answer(self, builder: SessionBuilder, message: dict[str, Any], source: Source, patched: bool) -> bool:
        """Adds the step of a model answer. False for the harness's own "Got it" turns, and for repeated turns."""
        records = objects(message.get("toolCalls"))
        if patched:
            records = [r for r in records if string(r.get("id")) not in builder.calls]
            if not records and not message.get("tokens"):
                return False
        time = iso_time(message.get("timestamp"))
        step = builder.begin(source, time)
        for index, record in enumerate(records):
            # The one-document format folds later turns into an earlier message: only its first call has its time.
            sent = time if index == 0 or not self.legacy else None
            name, args = string(record.get("name")), record.get("args")
            action = action_of(name, mapping(args), record)
            call = builder.call(step, string(record.get("id")), name, args, action, source, sent)
            call.result = _result(record, call, source)
        thoughts = (
            joined(string(t.get("subject")), string(t.get("description"))) if isinstance(t, dict) else string(t)
            for t in sequence(message.get("thoughts"))
        )
        step.text, step.reasoning = text_of_parts(message.get("content")), joined(*thoughts, by="\n\n")
        step.usage = usage_of(message.get("tokens"))
        step.model, step.message_id = optional(message.get("model")), optional(message.get("id"))
        return True


def _read_chat(log: LogFile) -> _Chat:
    chat = _Chat(log)
    content = log.content().lstrip(b"\xef\xbb\xbf \t\r\n")
    first = content[: content.find(b"\n")] if b"\n" in content[:1_000_000] else content
    if not first.rstrip().endswith(b"}") or (b'"messages":[' in first[:2000] and not first.startswith(b'{"$set"')):
        before = len(log.skipped)
        with suppress(LogError):
            document = mapping(log.document())
            if isinstance(messages := document.get("messages"), list):
                chat.legacy, chat.header = True, document
                chat.messages = [(None, m, False) for m in objects(messages)]
                if len(chat.messages) < len(messages):
                    log.skip(None, f"{len(messages) - len(chat.messages)} messages that are no objects; skipped")
                return chat
        del log.skipped[before:]
    _read_lines(log, chat)
    return chat


def _read_lines(log: LogFile, chat: _Chat) -> None:
    kept: dict[str, tuple[int, dict[str, Any], bool]] = {}
    repeated: list[tuple[int, str]] = []
    for number, value in log.json_objects():
        identity = value.get("id")
        if isinstance(patch := value.get("$set"), dict):
            for message in objects(patch.get("messages")):
                kept.setdefault(string(message.get("id")), (number, message, True))
            chat.header.update((k, v) for k, v in patch.items() if k != "messages")
        elif "$rewindTo" in value:
            chat.rewinds.append((number, string(value["$rewindTo"])))
        elif isinstance(identity, str) or value.get("type") in (*_AGENT_TYPES, "user", "info", "warning", "error"):
            first = mapping(next(iter(sequence(value.get("content"))), None))
            result = mapping(first.get("functionResponse")).get("id")
            if value.get("type") == "user" and isinstance(result, str):
                repeated.append((number, result))
                continue
            key = identity if isinstance(identity, str) else f"line {number}"
            # An earlier version with tool calls takes precedence over a later one without.
            _, before, patched = kept.get(key, (0, {}, True))
            if patched or "toolCalls" in value or "toolCalls" not in before:
                kept[key] = (number, value, False)
        elif "sessionId" in value:
            chat.header = {**value, **chat.header}
        else:
            log.skip(number, "a record of unknown kind; skipped")
    chat.messages = list(kept.values())
    known = {string(record.get("id")) for _, m, _ in chat.messages for record in objects(m.get("toolCalls"))}
    for number, call in repeated:
        if call not in known:
            log.skip(number, "a tool result without its call; skipped")


# Tool calls: what a call did and what came back, from its record in the chat file


SHELL = ("run_shell_command", "shell", "ShellTool")
# The lines that the shell tool puts below a command's output; newer versions leave out the empty ones.
_TRAILER = re.compile(
    r"(?:\nError: (?P<error>[^\n]*))?(?:\nExit Code: (?P<code>[^\n]*))?(?:\nSignal: (?P<signal>[^\n]*))?"
    r"(?:\nBackground PIDs: (?P<pids>[^\n]*))?(?:\nProcess Group PGID: [^\n]*)?(?:\n</untrusted_context>)?\s*\Z"
)
_TRAILER_MARKS = ("\nProcess Group PGID:", "\nBackground PIDs:", "\nSignal:", "\nExit Code:", "\nError:")
_TRAILER_LIMIT = 4000
_BACKGROUND = re.compile(r"moved to background \(PID: (\d+)\)")
_SAVED = re.compile(r"(?:For full output see|full output has been saved to|saved (?:to|in)): ?(\S+)")


def result_text(result: Any) -> str:
    """What the model was given: the function responses (and loose parts) of a ``result``."""
    texts = []
    for part in result if isinstance(result, list) else [result]:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            response, text = part.get("functionResponse"), part.get("text")
            given = response.get("response") if isinstance(response, dict) else text if isinstance(text, str) else part
            texts.append(_response_text(given))
    return "\n".join(filter(None, texts))


def _response_text(response: Any) -> str:
    if isinstance(response, str):
        return response
    for field in ("output", "error", "content", "stdout"):
        value = mapping(response).get(field)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return result_text(value)
    return orjson.dumps(response).decode() if response else ""


def action_of(name: str, args: dict[str, Any], record: dict[str, Any]) -> Action:
    """What a call does; ``record``: what the kept log adds to it."""
    agent = optional(record.get("agentId"))
    if agent is not None or name == "invoke_agent":
        prompts = (string(args.get(k)) for k in ("prompt", "objective", "request", "query", "task"))
        return Spawn(next(filter(None, prompts), ""), lane=agent, description=optional(args.get("agent_name")) or name)
    action = interpret(name, args)
    if isinstance(action, Edit) and len(action.changes) == 1:
        change = action.changes[0]
        if (integer(args.get("expected_replacements")) or 0) > 1:
            change.replace_all = True
        shown = mapping(record.get("resultDisplay"))
        new = shown.get("newContent")
        if isinstance(new, str):
            change.after = new
            is_new = shown.get("isNewFile")
            if is_new is True:
                change.operation = "create"
            elif is_new is False or optional(shown.get("originalContent")):
                change.operation = "modify"
            if change.operation == "modify":
                change.before = shown["originalContent"] if isinstance(shown.get("originalContent"), str) else None
        elif change.operation == "create" and "Successfully overwrote" in result_text(record.get("result"))[:200]:
            change.operation = "modify"
    return action


def _result(record: dict[str, Any], call: ToolCall, source: Source) -> Result | None:
    status = string(record.get("status"))
    if record.get("result") is None and status not in ("error", "cancelled"):
        return None
    text = result_text(record.get("result"))
    shown = record.get("resultDisplay")
    if not text and status in ("error", "cancelled"):
        text = string(shown)
    result = Result(text, time=iso_time(record.get("timestamp")), source=source)
    if status in ("success", "error"):
        result.is_error = status == "error"
    if status == "cancelled":
        result.denied = "did not allow" in text or "denied" in text
        result.interrupted = not result.denied
    elif result.is_error and ("denied by policy" in text or "User denied" in text):
        result.denied = True
    elif text.startswith(f'Tool "{call.name}" not found'):
        call.action = Other(inert=True)  # no such tool in the mode that the program is in: nothing ran
    if isinstance(call.action, Shell):
        read_shell(text, call.action, result)
    if "full output" in text or "Full output" in text:
        saved = _SAVED.search(text[:600]) or _SAVED.search(text[-600:])
        if saved is not None:
            result.truncated, result.full_output = True, saved[1]
    return result


def read_shell(text: str, action: Shell, result: Result) -> None:
    """What the shell tool's own words state: how the command ended, or that it goes on in the background."""
    head = text[:300]
    if "cancelled" in head and "Command was " in head:
        result.interrupted = True
        result.timed_out = "exceeded the timeout" in head
    if action.background or "moved to background" in head:
        moved = _BACKGROUND.search(head)
        if moved is not None:
            action.background, action.shell_id = True, moved[1]
            result.shell_id = moved[1]
            return
    start = text.find("Output: ") if "Output: " in text[:2000] else -1
    if start > 0 and text[start - 1] != "\n":
        start = -1
    floor = max(0, len(text) - _TRAILER_LIMIT)
    found: int | None = None
    for mark in _TRAILER_MARKS:
        at = text.rfind(mark, floor, found if found is not None else len(text))
        if at >= 0 and _TRAILER.match(text, at) is not None:
            found = at
    begin = found
    trailer = _TRAILER.match(text, begin) if begin is not None else None
    if trailer is None:
        return
    code = trailer["code"]
    if code is not None:
        try:
            result.exit_status = int(code)
        except ValueError:
            result.exit_status = None  # "(none)": ended by a signal
    if start >= 0 and begin is not None:
        output = text[start + 8 : begin]
        result.stdout = "" if output == "(empty)" else output


# The parts of a message: its text, who wrote it, and its token counts


# What the harness says in the user's place.
_HARNESS = (
    "<session_context>",
    "User has manually exited Plan Mode.",
    "<hook_context>",
    "This is the Gemini CLI. We are setting up the context",
    "Here is the user's editor context",
    "Here is a summary of changes in the user's editor context",
    "System: ",
    "Please continue.",
)
_REFERENCED = "\n--- Content from referenced files ---"


def text_of_parts(content: Any) -> str:
    """The text of a part list (thoughts, calls and results left out)."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    texts = []
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str) and part.get("thought") is not True:
            texts.append(part["text"])
    return "\n".join(texts)


def user_texts(message: dict[str, Any], from_agent: bool) -> Iterator[tuple[Role, str]]:
    """The texts of a ``user`` message by who wrote them; nothing for a message that only repeats tool results."""
    text = text_of_parts(message.get("content"))
    shown = text_of_parts(message.get("displayContent"))
    if not text and not shown:
        return
    start = text[:200].lstrip()
    if start.startswith("<state_snapshot>") or "<state_snapshot>" in start:
        yield "compaction", text
    elif start.startswith(_HARNESS) or from_agent:
        yield "harness", text
    elif shown and shown != text:
        yield "user", shown
        yield "harness", text
    elif _REFERENCED in text:
        words, _, files = text.partition(_REFERENCED)
        yield "user", words
        yield "harness", _REFERENCED.lstrip() + files
    else:
        yield "user", text


def usage_of(tokens: Any) -> TokenUsage | None:
    tokens = mapping(tokens)
    if not any(integer(tokens.get(name)) for name in ("input", "output", "thoughts")):
        return None  # zeros as well: they mean a lost count, as no call has an empty prompt
    names = ("input", "cached", "", "output", "thoughts")
    return named_usage(tokens, names, cache_in_prompt=True, reasoning_apart=True)


# The standard output of ``gemini --output-format stream-json``: events without token counts per model call


class _Stream(SessionBuilder):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.session = ""
        self.totals: list[TokenUsage] = []
        self.runs = 0

    def record(self, event: dict[str, Any], source: Source) -> None:
        kind, time = event.get("type"), self.at(iso_time(event.get("timestamp")))
        if kind == "init":
            self.end = None  # a further run in the same file
            self.runs += 1
            self.session = string(event.get("session_id")) or self.session
            self.model = optional(event.get("model"))
        elif kind == "message":
            self._message(event, source, time)
        elif kind == "tool_use":
            name, args = string(event.get("tool_name")), mapping(event.get("parameters"))
            self.call(None, string(event.get("tool_id")), name, args, action_of(name, args, {}), source, time)
        elif kind == "tool_result":
            self._result(event, source, time)
        elif kind == "error":
            self.say("harness", string(event.get("message")), source, time)
        elif kind == "result":
            if (used := _totals(event.get("stats"))) is not None:
                self.totals.append(used)
            self.end = "completed" if event.get("status") == "success" else "error"
        else:
            self.log.skip(source.line, "an event of unknown type; skipped")

    def trajectory(self) -> Trajectory | None:
        found = Trajectory(self.session or self.log.stem, "gemini-stream", Source(self.log.name, 1), [])
        # Each run states its own totals: where one lacks them, there is no sum.
        found.usage = sum_usage(self.totals) if len(self.totals) >= self.runs else None
        found.agent = "gemini-cli"
        return self.finish(found) if self.steps else None

    def _message(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        text = string(event.get("content"))
        if event.get("role") == "user":
            # The program gives all its events a time: what has none, whoever called it wrote into the log.
            self.say("user" if "timestamp" in event else "harness", text, source, time)
            return
        step = self.answer(source, time)
        if step.calls:  # a model call writes its text before its calls: this is the next one
            step = self.begin(source, time)
        step.text += text

    def _result(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        call = self.calls.get(string(event.get("tool_id")))
        if call is None:
            self.log.skip(source.line, "a tool result without its call; skipped")
            return
        text = string(event.get("output")) or string(mapping(event.get("error")).get("message"))
        call.result = Result(text, is_error=event.get("status") == "error", time=time, source=source)
        if isinstance(call.action, Shell):
            read_shell(text, call.action, call.result)
        step = self._open.get(self.lane)
        if step is not None and all(c.result is not None for c in step.calls):
            self.close()


def _totals(stats: Any) -> TokenUsage | None:
    prompt, output, total = (integer(mapping(stats).get(f"{k}_tokens")) for k in ("input", "output", "total"))
    # The total includes the reasoning, for which there is no field of its own.
    reasoning = None if total is None or prompt is None or output is None else max(total - prompt - output, 0)
    names = ("input_tokens", "cached", "", "output_tokens", "reasoning")
    counts = {**mapping(stats), "reasoning": reasoning}
    return named_usage(counts, names, cache_in_prompt=True, reasoning_apart=True)


class GeminiStreamReader(LineReader):
    """``init``, ``message`` (in pieces), ``tool_use``, ``tool_result``, ``error``, ``result`` with the totals."""

    format, marks, session = "gemini-stream", (b'"init"', b'"tool_name"'), _Stream

    def is_record(self, value: dict[str, Any]) -> bool:
        begins = value.get("type") == "init" and "session_id" in value and "timestamp" in value
        return begins or (value.get("type") == "tool_use" and "tool_name" in value and "tool_id" in value)


READERS = (GeminiReader(), GeminiStreamReader())
