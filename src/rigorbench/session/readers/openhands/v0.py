"""OpenHands V0 events: a flat list of actions and observations (older: pairs of them), joined by ``cause``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from ...logfile import LogFile
from ...model import (
    MAIN_LANE,
    Action,
    Edit,
    EndState,
    FileChange,
    Finish,
    Lane,
    Other,
    Result,
    Role,
    Shell,
    ShellOutput,
    Source,
    Spawn,
    Step,
    ToolCall,
)
from ...tools import interpret
from ...usage import TokenUsage
from ..shared.builder import SessionBuilder
from ..shared.python_calls import Signatures, python_calls
from ..shared.values import iso_time, joined, mapping, optional, sequence, string
from .common import complete_edit, note_cut, note_exit, plan_of, usage_of, usage_of_response

# Bookkeeping of the controller, which no model asked for or sees.
_SILENT = frozenset(
    "null recall change_agent_state push send_pull_request start_task agent_state_changed condensation_request "
    "loop_detection_recovery".split()
)
# What the evaluation scripts say in the user's place when the agent stops to ask.
_CONTINUE = ("Please continue working on the task on whatever approach", "Please continue on whatever approach")
_TOOLS = {
    "run": "execute_bash",
    "run_ipython": "execute_ipython_cell",
    "edit": "str_replace_editor",
    "write": "write_file",
    "read": "read_file",
    "think": "think",
    "finish": "finish",
    "delegate": "delegate",
    "task_tracking": "task_tracker",
    "browse": "browse",
    "browse_interactive": "browser",
    "call_tool_mcp": "call_tool_mcp",
    "mcp": "call_tool_mcp",
}


def flatten(history: list[Any]) -> Iterator[Any]:
    """The events of a history: flat, or as pairs [action, observation]."""
    for entry in history:
        if isinstance(entry, list):
            yield from entry
        else:
            yield entry


class EventHistory(SessionBuilder):
    """Turns V0 events into steps. A call is registered under the id of its event and under its own."""

    def __init__(self, log: LogFile, source: Source, usages: dict[str, TokenUsage], model: str | None) -> None:
        super().__init__(log)
        self.source, self.usages, self.model = source, usages, model
        self._of_event: dict[Any, ToolCall] = {}
        self._unanswered: list[ToolCall] = []
        self._stack: list[str] = [MAIN_LANE]  # lanes of the delegates at work
        self._spent: dict[str, int] = {}  # the last counts of all that was spent so far
        self.others = False  # whether another model was asked too, such as the one that drafts edits

    def read(self, history: list[Any]) -> EventHistory:
        unusable = 0
        for event in flatten(history):
            if not isinstance(event, dict):
                unusable += 1
            elif isinstance(event.get("observation"), str):
                self._observe({"extras": event, **event}, event["observation"])
            elif isinstance(event.get("action"), str):
                self._act({"args": event, **event}, event["action"])
            elif event.get("role") in ("user", "assistant") or event:
                unusable += 1
        if unusable:
            self.log.skip(self.source.line, f"{unusable} entries of the history that are no events; skipped")
        return self

    def _say(self, role: Role, event: dict[str, Any], text: str) -> None:
        self.say(role, text, self.source, iso_time(event.get("timestamp")), lane=self._stack[-1])

    def _act(self, event: dict[str, Any], kind: str) -> None:
        args = mapping(event.get("args"))
        source = event.get("source")
        if kind == "message":
            self._message(event, args)
        elif kind == "system":
            return  # the system prompt
        elif kind == "condensation":
            self._say("compaction", event, string(args.get("summary")))
        elif kind == "change_agent_state":
            self._state(string(args.get("agent_state")))
        elif kind in _SILENT or (source not in (None, "agent") and kind not in _TOOLS):
            return
        elif source not in (None, "agent"):
            self._say("harness", event, string(args.get("command")) or string(event.get("message")))
        else:
            self._call(event, kind, args)

    def _message(self, event: dict[str, Any], args: dict[str, Any]) -> None:
        text = string(args.get("content")) or string(event.get("message"))
        if event.get("source", "user" if not self.steps else None) == "user":
            human = len(self._stack) == 1 and not text.startswith(_CONTINUE)
            self._say("user" if human else "harness", event, text)
        elif event.get("source") == "environment":
            self._say("harness", event, text)
        else:
            self._answer(event).text = text

    def _answer(self, event: dict[str, Any]) -> Step:
        """The step of this event's model answer: several actions may come from one."""
        response = mapping(mapping(event.get("tool_call_metadata")).get("model_response"))
        key = string(response.get("id")) or string(event.get("response_id"))
        step = self.answers.get(key) if key else None
        if step is None:
            model = optional(response.get("model"))
            step = self.begin(self.source, iso_time(event.get("timestamp")), lane=self._stack[-1], model=model)
            step.message_id = key or None
            step.usage = self.usages.pop(key, None) or usage_of_response(mapping(response.get("usage")))
            total = mapping(mapping(event.get("llm_metrics")).get("accumulated_token_usage"))
            counts = {k: v for k, v in total.items() if isinstance(v, int) and not isinstance(v, bool)}
            if counts:
                self.others |= total.get("model") not in (None, "", "default", step.model)
                grown = {k: v - self._spent.get(k, 0) for k, v in counts.items()}
                self._spent = counts
                if step.usage is None and all(v >= 0 for k, v in grown.items() if k.endswith("_tokens")):
                    step.usage = usage_of(grown)
            if key:
                self.answers[key] = step
        return step

    def _call(self, event: dict[str, Any], kind: str, args: dict[str, Any]) -> None:
        step = self._answer(event)
        thought = string(args.get("thought"))
        if kind != "think" and thought and thought != step.text:
            step.text = joined(step.text, thought, by="\n\n")
        name, given, key = _asked(event, kind, args)
        message = _first_message(event)
        if not step.text and kind != "message":
            step.text = string(message.get("content"))
        if not step.reasoning:
            step.reasoning = string(message.get("reasoning_content"))
        action, time = _action(kind, name, args, given), iso_time(event.get("timestamp"))
        if isinstance(action, Shell):
            action.cwd = action.cwd or self.where
        call = ToolCall(key, name, given, action, self.source, time=time)
        step.calls.append(call)
        self._of_event[event.get("id") if isinstance(event.get("id"), int | str) else key] = call
        self._of_event.setdefault(key, call)
        self._unanswered.append(call)
        if isinstance(action, Spawn):
            agent = optional(args.get("agent"))
            action.lane = lane = f"delegate-{len(self.lanes) + 1}"
            action.description = action.description or agent
            action.prompt = action.prompt or string(mapping(args.get("inputs")).get("task"))
            self.lanes[lane] = Lane(lane, self._stack[-1], call.id, agent, action.prompt or None)
            self._stack.append(lane)
        elif kind == "finish" and len(self._stack) > 1:
            self._stack.pop()

    def _observe(self, event: dict[str, Any], kind: str) -> None:
        extras = mapping(event.get("extras"))
        text = string(event.get("content")) or ("" if "content" in event else string(event.get("message")))
        if kind == "agent_state_changed":
            self._state(string(extras.get("agent_state")))
            return
        if kind == "recall" or kind in _SILENT:
            if extras.get("microagent_knowledge"):
                known = (string(mapping(k).get("content")) for k in sequence(extras["microagent_knowledge"]))
                self._say("harness", event, "\n\n".join(filter(None, known)))
            self.cwd = self.cwd or optional(extras.get("working_dir"))
            return
        call = self._cause(event)
        if call is None:
            if kind == "error" or kind == "condense":
                self._say("harness" if kind == "error" else "compaction", event, text)
            else:
                self.log.skip(self.source.line, f"a result ({kind[:40]}) without its call; skipped")
            return
        call.result = self._result(event, kind, extras, text, call)
        if call in self._unanswered:
            self._unanswered.remove(call)
        if isinstance(call.action, Spawn) and call.action.lane in self._stack[1:]:
            del self._stack[self._stack.index(call.action.lane) :]

    def _cause(self, event: dict[str, Any]) -> ToolCall | None:
        for key in (event.get("cause"), mapping(event.get("tool_call_metadata")).get("tool_call_id")):
            if isinstance(key, int | str) and key in self._of_event:
                return self._of_event[key]
        if event.get("cause") is None and self._unanswered:
            return self._unanswered[-1]  # the oldest logs do not say; there every action waits for its observation
        return None

    def _result(self, event: dict[str, Any], kind: str, extras: dict[str, Any], text: str, call: ToolCall) -> Result:
        result = Result(text, time=iso_time(event.get("timestamp")), source=self.source)
        if kind == "error":
            result.is_error = True
        elif kind == "user_rejected":
            result.is_error = result.denied = True
        metadata = mapping(extras.get("metadata"))
        if isinstance(call.action, Shell | ShellOutput):
            self.where = optional(metadata.get("working_dir")) or self.where
            self.cwd = self.cwd or self.where
            code = metadata.get("exit_code", extras.get("exit_code"))
            if kind == "run":
                note_exit(result, code, string(metadata.get("suffix")))
        elif kind == "edit" or isinstance(call.action, Edit):
            complete_edit(call.action, extras)
            if text.startswith("ERROR:"):
                result.is_error = True
        note_cut(result)
        return result

    def _state(self, state: str) -> None:
        ends: dict[str, EndState] = {"finished": "completed", "error": "error", "stopped": "interrupted"}
        self.end = ends.get(state.lower(), self.end)


def _asked(event: dict[str, Any], kind: str, args: dict[str, Any]) -> tuple[str, Any, str]:
    """The name, the arguments and the id of the call as the model made it."""
    metadata = mapping(event.get("tool_call_metadata"))
    key, name = string(metadata.get("tool_call_id")), string(metadata.get("function_name"))
    for asked in sequence(_first_message(event).get("tool_calls")):
        function = mapping(mapping(asked).get("function"))
        if mapping(asked).get("id") == key and isinstance(function.get("arguments"), str):
            try:
                return name or string(function.get("name")), orjson.loads(function["arguments"]), key
            except orjson.JSONDecodeError:
                break
    if not name and kind in ("mcp", "call_tool_mcp"):
        name = string(args.get("name"))
    return name or _TOOLS.get(kind, kind), args, key or f"event-{event.get('id')}"


def _first_message(event: dict[str, Any]) -> dict[str, Any]:
    response = mapping(mapping(event.get("tool_call_metadata")).get("model_response"))
    choices = sequence(response.get("choices"))
    return mapping(mapping(choices[0]).get("message")) if choices else {}


def _action(kind: str, name: str, args: dict[str, Any], given: Any) -> Action:
    if kind == "run":
        return interpret("execute_bash", {**args, **mapping(given)})
    if kind == "run_ipython":
        return ipython_action(string(args.get("code")))
    if kind in ("read", "write"):
        return interpret(kind, args)
    if kind == "edit" and not string(args.get("command")):
        return Edit([FileChange(string(args.get("path")))])  # the older editing, by a draft of some lines
    if kind == "edit":
        # The action has fields for both ways of editing; those of the other way are empty.
        merged = {**mapping(given), **args}
        other = ("content", "start", "end")
        return interpret("str_replace_editor", {k: v for k, v in merged.items() if v is not None and k not in other})
    if kind == "finish":
        text = string(mapping(given).get("message")) or string(args.get("final_thought"))
        return Finish(text or string(mapping(args.get("outputs")).get("content")) or string(args.get("thought")))
    if kind == "task_tracking":
        return plan_of(args) or Other("view", inert=True)
    if kind == "delegate":
        return Spawn(string(mapping(args.get("inputs")).get("task")))
    if kind == "browse":
        return Other(string(args.get("url")), inert=True)
    if kind in ("think", "browse_interactive"):
        return Other(string(args.get("browser_actions")), inert=True)
    return interpret(name, given)


def ipython_action(code: str) -> Action:
    """A notebook cell: an editing or browsing helper of OpenHands, shell lines, or Python to be run."""
    ran = Shell(f"python3 - <<'PYTHON'\n{code}\nPYTHON")
    if len(code) > 200_000:
        return ran
    lines = [line for line in code.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if lines and all(line.lstrip().startswith("!") for line in lines):
        return Shell("\n".join(line.lstrip()[1:].strip() for line in lines))
    calls = python_calls(code, _HELPERS) or []
    if len(calls) != 1 or calls[0][1] is None:
        return ran
    name, given = calls[0]
    action = interpret(name, given)
    if isinstance(action, Edit) and name == "create_file":
        action.changes[0].after = ""  # it takes no text
    return action


# The helpers of a notebook, with the names that the tools of others have for their arguments.
_HELPERS: Signatures = {
    "file_editor": (),
    "str_replace_editor": (),
    "open_file": ("path", "line_number", "context_lines"),
    "create_file": ("path",),
    "edit_file_by_replace": ("path", "to_replace", "new_content"),
    "insert_content_at_line": ("path", "line_number", "content"),
    "append_file": ("path", "content"),
    "edit_file": ("path", "start", "end", "content"),
    "search_dir": ("term", "path"),
    "search_file": ("term", "path"),
    "find_file": ("term", "path"),
}
