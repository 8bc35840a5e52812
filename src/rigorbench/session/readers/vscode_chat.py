"""Chats of VS Code with Copilot: the document or the log of its changes under ``chatSessions``, and an export of it.

A request has the model's answers as ``toolCallRounds``, with arguments and results of the calls, once it is complete;
else only as the parts that the editor shows. The tokens that it states are those of its last answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from ..logfile import LogError, LogFile
from ..model import (
    MAIN_LANE,
    Edit,
    EndState,
    FileChange,
    Other,
    Result,
    Shell,
    Source,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
)
from ..reader import Reader
from ..tools import interpret
from .shared.builder import SessionBuilder
from .shared.mutations import replayed
from .shared.usage import named_usage
from .shared.values import arguments, flag, integer, joined, mapping, millis, objects, optional, sequence, string

_ENDS: dict[int | None, EndState] = {1: "completed", 2: "interrupted", 3: "error"}
_SILENT = frozenset(
    """inlineReference undoStop codeblockUri progressMessage progressTaskSerialized mcpServersStarting command
    prepareToolInvocation confirmation extensions markdownVuln notebookEditGroup pullRequest questionCarousel warning
    treeData workspaceEdit disabledClaudeHooks elicitation elicitationSerialized multiDiffData hook
    clearToPreviousToolInvocation""".split()
)


class VSCodeChatReader(Reader):
    format, marks = "vscode-chat", (b'"requests"',)

    def is_record(self, value: dict[str, Any]) -> bool:
        state = mapping(value.get("v")) if value.get("kind") == 0 else value
        named = "responderUsername" in state or "initialLocation" in state or "creationDate" in state
        return isinstance(state.get("requests"), list) and named

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        state = replayed(log)
        chat = _Chat(log)
        chat.at(millis(state.get("creationDate")))
        for request in objects(state.get("requests")):
            chat.request(request)
        chat.cwd = _folder(log)
        found = Trajectory(string(state.get("sessionId")) or log.stem, self.format, Source(log.name))
        found.agent, found.usage_complete = "copilot-chat", chat.counted
        for step in chat.steps if not chat.counted else ():
            step.usage = None  # a part of the tokens would pass for most of them
        if chat.steps:
            yield chat.finish(found)


def _folder(log: LogFile) -> str | None:
    """The folder that was open, as ``workspace.json`` of the storage names it."""
    if log.path is None:
        return None
    beside = log.path.resolve().parent.parent / "workspace.json"
    try:
        stated = mapping(LogFile(beside).document()).get("folder") if beside.is_file() else None
    except LogError:
        return None
    return _path(stated)


def _path(place: Any) -> str | None:
    """The path of a place: its URI, or the parts of one."""
    fields = mapping(place)
    if fields:
        return optional(fields.get("fsPath")) or optional(fields.get("path"))
    found = unquote(urlsplit(string(place)).path)
    return (found[1:] if found[2:3] == ":" else found) or None


class _Chat(SessionBuilder):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.source, self.counted = Source(log.name), True

    def request(self, request: dict[str, Any]) -> None:
        time = self.at(millis(request.get("timestamp")))
        result = mapping(request.get("result"))
        metadata, message = mapping(result.get("metadata")), request.get("message")
        self.say("user", string(message) or string(mapping(message).get("text")), self.source, time)
        model = optional(metadata.get("resolvedModel")) or string(request.get("modelId")).rpartition("/")[2] or None
        self.model = self.model or model
        self.version = self.version or optional(mapping(request.get("agent")).get("extensionVersion"))
        parts, before = objects(request.get("response")), len(self.steps)
        self.end = None
        if rounds := objects(metadata.get("toolCallRounds")):
            shown = [p for p in parts if p.get("kind") == "toolInvocationSerialized"]
            for entry in rounds:
                self.round(entry, mapping(metadata.get("toolCallResults")), shown, model)
        else:
            for part in parts:
                self.part(part, time, model)
        answers = [step for step in self.steps[before:] if step.role == "agent"]
        usage = mapping(result.get("usage")) or request
        counts = {**metadata, **usage}
        names = ("promptTokens", "", "", "completionTokens" if "completionTokens" in counts else "outputTokens")
        if len(answers) == 1:  # of several only the last one is counted
            answers[0].usage = named_usage(counts, names)
        self.counted &= all(step.usage is not None for step in answers)
        self._ended(request, mapping(result.get("errorDetails")))

    def _ended(self, request: dict[str, Any], error: dict[str, Any]) -> None:
        state = mapping(request.get("modelState"))
        time = self.at(millis(state.get("completedAt")))
        cancelled = request.get("isCanceled") is True or state.get("value") == 2
        self.end = "interrupted" if cancelled else "error" if error else _ENDS.get(integer(state.get("value")))
        if cancelled:
            self.say("interrupt", "canceled", self.source, time)
        elif error:
            self.say("harness", f"error: {string(error.get('message'))}", self.source, time)

    def round(self, entry: dict[str, Any], results: dict[str, Any], shown: list[Any], model: str | None) -> None:
        """One answer of the model, with its calls and what they returned."""
        step = self.begin(self.source, self.at(millis(entry.get("timestamp"))), model=model)
        step.text, step.reasoning = string(entry.get("response")), _thought(entry.get("thinking"))
        for asked in objects(entry.get("toolCalls")):
            given, identity = arguments(asked.get("arguments")), string(asked.get("id"))
            name = string(asked.get("name"))
            call = self.call(step, identity, name, given, interpret(name, given), self.source, step.time)
            returned = results.get(identity)
            part = _shown(shown, call)
            if returned is not None or part.get("isComplete") is True:
                call.result = Result(_text(mapping(returned).get("content", returned)), source=self.source)
                _state_result(call.result, call, part)
            if isinstance(call.action, Spawn):
                self._sub_agent(call, call.action, shown, model)

    def _sub_agent(self, call: ToolCall, action: Spawn, shown: list[Any], model: str | None) -> None:
        """The calls of a sub-agent, which the editor shows between those of the agent."""
        own: dict[str, Any] = next((p for p in shown if _specific(p).get("prompt") == action.prompt), {})
        if (identity := optional(own.get("toolCallId"))) is None:
            return
        action.lane = self.lane = self.add_lane(identity, parent_call=call.id, prompt=action.prompt).id
        for part in [p for p in shown if p.get("subAgentInvocationId") == identity]:
            self.part(part, None, model)
        self.lane = MAIN_LANE

    def part(self, part: dict[str, Any], time: float | None, model: str | None) -> None:
        """One part of the answer as the editor shows it."""
        kind = string(part.get("kind"))
        step = self._open.get(self.lane)
        text = part.get("value", mapping(part.get("content")).get("value"))
        if kind in ("", "markdownContent", "thinking"):
            if step is None or step.calls:
                step = self.begin(self.source, time, model=model)
            if kind == "thinking":
                step.reasoning = joined(step.reasoning, _thought(text))
            else:
                step.text += string(text)
        elif kind == "toolInvocationSerialized":
            self._invocation(step or self.begin(self.source, time, model=model), part, time)
        elif kind == "textEditGroup":
            step = step or self.begin(self.source, time, model=model)
            path = _path(part.get("uri"))
            if path and not any(isinstance(c.action, Edit) and c.action.changes[0].path == path for c in step.calls):
                identity = f"edit {len(self.calls)}"
                call = self.call(step, identity, kind, {"uri": path}, Edit([FileChange(path)]), self.source, time)
                call.result = Result("", source=self.source) if part.get("done") is True else None
        elif kind not in _SILENT:
            self.log.skip(None, f"a part of the unknown kind {kind[:40]!r}; skipped")

    def _invocation(self, step: Step, part: dict[str, Any], time: float | None) -> None:
        name, identity = string(part.get("toolId")), optional(part.get("toolCallId")) or f"call {len(self.calls)}"
        given = _given(part)
        action = interpret(name.removeprefix("copilot_"), given) if given else Other()
        call = self.call(step, identity, name, given, action, self.source, time)
        if part.get("isComplete") is True or "resultDetails" in part or _terminal(part):
            call.result = Result(_text(mapping(part.get("resultDetails")).get("output")), source=self.source)
            _state_result(call.result, call, part)


def _thought(value: Any) -> str:
    texts = value if isinstance(value, list) else [mapping(value).get("text", value)]
    return "".join(string(text) for text in texts)


def _specific(part: dict[str, Any]) -> dict[str, Any]:
    return mapping(part.get("toolSpecificData"))


def _terminal(part: dict[str, Any]) -> dict[str, Any]:
    return mapping(_specific(part).get("terminalCommandState"))


def _command(part: dict[str, Any]) -> str:
    data = _specific(part)
    line = mapping(data.get("commandLine"))
    edited = (string(line.get(name)) for name in ("userEdited", "toolEdited", "original"))
    return next(filter(None, edited), "") or string(data.get("command"))


def _given(part: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call, as far as the editor shows them."""
    data = _specific(part)
    if command := _command(part):
        return {"command": command, "isBackground": data.get("isBackground") is True}
    if data.get("kind") == "todoList":
        return {"todoList": sequence(data.get("todoList"))}
    raw = data.get("rawInput") or mapping(part.get("resultDetails")).get("input")
    named = mapping(mapping(part.get("pastTenseMessage") or part.get("invocationMessage")).get("uris"))
    path = next((found for place in named if (found := _path(place))), None)
    return mapping(arguments(raw)) or ({"filePath": path} if path else {})


def _shown(shown: list[Any], call: ToolCall) -> dict[str, Any]:
    """The part that shows a call: by its id, else the next terminal with its command. It is taken from the list."""
    for part in shown:
        same = isinstance(call.action, Shell) and _command(part) == call.action.command
        if string(part.get("toolCallId")) == call.id or same:
            shown.remove(part)
            return mapping(part)
    return {}


def _state_result(result: Result, call: ToolCall, part: dict[str, Any]) -> None:
    """What the editor shows of a call's end: refused, failed, the status of a command."""
    confirmed, details = part.get("isConfirmed"), mapping(part.get("resultDetails"))
    result.denied = confirmed is False or mapping(confirmed).get("type") in (0, 5)
    result.is_error = True if result.denied else flag(details.get("isError"))
    if isinstance(call.action, Shell):
        ended = _terminal(part)
        result.exit_status, result.duration = integer(ended.get("exitCode")), millis(ended.get("duration"))
        output = mapping(_specific(part).get("terminalCommandOutput")).get("text")
        result.text = result.text or string(output)


def _text(value: Any) -> str:
    """The text of a result: strings, lists of parts, and trees of rendered text."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, (_text(item) for item in value)))
    fields = mapping(value)
    if not fields:
        return ""
    if isinstance(fields.get("children"), list):
        return "".join(_text(child) for child in fields["children"])
    return next((found for name in ("text", "value", "node", "content") if (found := _text(fields.get(name)))), "")


READERS: tuple[Reader, ...] = (VSCodeChatReader(),)
