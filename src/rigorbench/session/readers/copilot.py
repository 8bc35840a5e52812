"""GitHub Copilot CLI: ``events.jsonl`` of a session, and the same events as its JSON stream."""

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..logfile import LogFile
from ..model import (
    MAIN_LANE,
    Edit,
    Lane,
    Other,
    Plan,
    PlanItem,
    Result,
    Shell,
    ShellOutput,
    Source,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
)
from ..plans import checklist, plan_status
from ..reader import LineReader, Reader
from ..tools import interpret
from ..usage import TokenUsage, sum_usage
from .shared.builder import SessionBuilder
from .shared.usage import named_usage
from .shared.values import arguments, integer, iso_time, mapping, optional, sequence, string

_FAMILIES = ("session.", "assistant.", "tool.execution_", "user.message", "subagent.")
_LIMITS = ("quota", "rate_limit", "context_limit", "session_limits")


class _Session(SessionBuilder):
    repeated_calls = "ignore"

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.start: dict[str, Any] = {}
        self.totals: TokenUsage | None = None
        self.todos = Todos()
        self._usage: dict[str, tuple[TokenUsage, Step, int]] = {}
        self._waiting: dict[str, list[TokenUsage]] = {}
        self._recorded = False
        self._starting: list[str] = []
        self._asked: dict[str, str] = {}
        self._denied: set[str] = set()
        self._by_user: set[str] = set()
        self._reasoning: dict[str, str] = {}
        self._begun: dict[str, int] = {}  # number of steps before an event, by its id

    def record(self, event: dict[str, Any], source: Source) -> None:
        kind, data = string(event.get("type")), event.get("data")
        if not kind:
            self.log.skip(source.line, "not an event of a Copilot session")
            return
        time = self.at(iso_time(event.get("timestamp")))
        handler = _HANDLERS.get(kind)
        if kind == "result" and isinstance(event.get("sessionId"), str):
            self.start.setdefault("sessionId", event["sessionId"])
            self.end = self.end or ("completed" if event.get("exitCode") == 0 else "error")
            return
        if handler is None:
            return
        if not isinstance(data, dict):
            self.log.skip(source.line, f"a {kind[:60]} event without data")
            return
        agent = optional(event.get("agentId")) or optional(data.get("parentToolCallId"))
        self._begun.setdefault(string(event.get("id")), len(self.steps))
        if not isinstance(handler, str):
            handler(self, source, time, agent, data)
        elif handler == "model":
            self.model = optional(data.get("newModel")) or self.model
        elif handler == "permission":
            request = mapping(data.get("permissionRequest"))
            self._asked[string(data.get("requestId"))] = string(request.get("toolCallId"))
        elif handler == "shutdown":
            if self.end is None:
                self.end = "error" if data.get("shutdownType") == "error" else "completed"
            models = mapping(data.get("modelMetrics")).values()
            self.totals = sum_usage([self.totals, *(usage_of(mapping(mapping(m).get("usage"))) for m in models)])
        elif handler == "reasoning":
            # Comes before its message, which repeats it in versions that write both.
            self._reasoning[self._lane(agent)] = string(data.get("content"))
        else:
            self._notice(handler, source, time, self._lane(agent), data)

    def _notice(self, kind: str, source: Source, time: float | None, lane: str, data: dict[str, Any]) -> None:
        """What is a text of the harness, or the user's interruption."""
        text = string(data.get("content"))
        if kind == "error":
            self.end = "limit" if string(data.get("errorType")) in _LIMITS else "error"
            text = f"error: {string(data.get('message'))}"
        elif kind == "abort":
            text = optional(data.get("reason")) or "aborted"
            self.end = "limit" if text.endswith("_limit") else "interrupted"
        elif kind == "rewind":
            if (start := self._begun.get(string(data.get("upToEventId")))) is not None:
                self.take_back(start)
            text = "the session was rewound to an earlier point"
        elif kind == "user tool":
            self._by_user.add(string(data.get("toolCallId")))
            what = string(mapping(data.get("arguments")).get("command")) or string(data.get("toolName"))
            text = f"the user ran: {what}"
        if text:
            self.say("interrupt" if kind == "abort" else "harness", text, source, time, lane=lane)

    def trajectory(self) -> Trajectory | None:
        if not self.steps and not self.start:
            return None
        # Model calls without a message (a title, a summary) are steps of their own, at the place of their record.
        for _, step, at in sorted(self._usage.values(), key=lambda entry: -entry[2]):
            self.steps.insert(at, step)
        agents = [step for step in self.steps if step.role == "agent"]
        complete = all(step.usage is not None and step.usage.input is not None for step in agents)
        used = {step.lane for step in self.steps}
        self.lanes = {key: lane for key, lane in self.lanes.items() if key in used}
        self.link_lanes()
        for lane in self.lanes.values():
            call = self.calls.get(lane.parent_call or "")
            if call is not None and isinstance(call.action, Spawn):
                lane.prompt = lane.prompt or call.action.prompt or None
        root = optional(mapping(self.start.get("context")).get("gitRoot"))
        if root is not None and (self.cwd or "").startswith(f"{root}/"):
            for action in [call.action for call in self.calls.values() if isinstance(call.action, Shell)]:
                action.cwd = action.cwd or self.cwd
            self.cwd = root  # the project, of which the session was started in a part
        path = self.log.path
        named = path is not None and path.name == "events.jsonl" and path.parent.name
        trajectory = Trajectory(
            id=optional(self.start.get("sessionId")) or named or self.log.stem,
            format="copilot",
            source=Source(self.log.name, 1),
            agent="copilot",
            model=next((s.model for s in agents if s.model and s.lane == MAIN_LANE), None),
            agent_version=optional(self.start.get("copilotVersion")),
            start_commit=optional(mapping(self.start.get("context")).get("headCommit")),
            usage=None if complete else self.totals,
            usage_complete=complete or self.totals is not None,
        )
        return self.finish(trajectory)

    def _on_start(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        if not self.start:
            self.start = data
        self.end = None
        self.model = optional(data.get("selectedModel")) or self.model
        self._on_context(source, time, agent, mapping(data.get("context")))
        self.at(iso_time(data.get("startTime")))

    def _on_context(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        self.cwd = self.cwd or optional(data.get("cwd"))
        self.branch = self.branch or optional(data.get("branch"))

    def _on_compaction(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        if data.get("success") is False:
            return
        self.say("compaction", string(data.get("summaryContent")), source, time, lane=self._lane(agent))
        used = mapping(data.get("compactionTokensUsed"))
        if used and not self._recorded:
            older = {"input": "inputTokens", "cachedInput": "cacheReadTokens", "output": "outputTokens"}
            self.steps[-1].usage = usage_of({older.get(name, name): count for name, count in used.items()})

    def _on_user(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        text, origin = string(data.get("content")), optional(data.get("source"))
        if not text:
            return
        harness = (
            agent is not None
            or data.get("isAutopilotContinuation") is True
            or (origin is not None and origin.lower() not in ("user", "cli", "sdk", "interactive", "remote"))
        )
        if not harness:
            self.end = None
        self.say("harness" if harness else "user", text, source, time, lane=self._lane(agent))

    def _on_message(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        lane = self._lane(agent)
        message_id, api_call = optional(data.get("messageId")), optional(data.get("apiCallId"))
        if message_id is not None and message_id == getattr(self.last.get(lane), "message_id", None):
            self.log.skip(source.line, "repeats a message")
            return
        model = optional(data.get("model")) or (self.model if agent is None else None)
        self.end = None
        step = self._open.get(lane)
        # Before its calls have results, a model does not answer again: older versions wrote a message for each call.
        if step is None or any(c.result for c in step.calls) or data.get("content") or api_call:
            step = self.begin(source, time, lane=lane, model=model)
        step.text, step.message_id = step.text or string(data.get("content")), message_id
        step.reasoning = string(data.get("reasoningText")) or self._reasoning.get(lane, "")
        self._reasoning.pop(lane, None)
        known = self._usage.pop(api_call, None) if api_call is not None else None
        if api_call is not None:
            self.answers[api_call] = step
        if known is not None:
            step.usage = known[0]
        elif self._waiting.get(lane):
            step.usage = self._waiting[lane].pop(0)
        elif integer(data.get("outputTokens")) is not None:
            step.usage = TokenUsage(output=integer(data["outputTokens"]))
        for request in sequence(data.get("toolRequests")):
            request = mapping(request)
            call_id = optional(request.get("toolCallId"))
            if call_id is not None:
                self._add_call(step, call_id, string(request.get("name")), request.get("arguments"), source, time)

    def _on_usage(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        fields = mapping(data.get("usage")) or data
        usage = usage_of(fields)
        if usage is None:
            return
        self._recorded = True
        lane, api_call = self._lane(agent), optional(fields.get("apiCallId"))
        if api_call is None:
            last = self.last.get(lane)
            if last is not None and (last.usage is None or last.usage.input is None):
                last.usage = usage
            else:
                self._waiting.setdefault(lane, []).append(usage)
            return
        step = self.answers.get(api_call)
        if step is not None:
            step.usage = usage
            return
        step = Step("agent", source, lane, usage=usage, model=optional(fields.get("model")), time=time)
        self._usage[api_call] = (usage, step, len(self.steps))

    def _add_call(self, step: Step, call_id: str, name: str, given: Any, source: Source, time: float | None) -> None:
        given = arguments(given)
        action = interpret(name, given)
        summary = string(mapping(given).get("summary"))
        if name == "sql":
            action = Other(string(mapping(given).get("description")), inert=True)
        elif isinstance(action, Plan) and action.mode == "mode" and not action.text:
            action.items, action.text = checklist(summary), summary or None
        self.call(step, call_id, name, given, action, source, time)

    def _on_tool_start(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        call_id = optional(data.get("toolCallId"))
        if call_id is None or call_id in self._by_user:
            return
        call = self.calls.get(call_id)
        if call is not None:
            call.time = time if time is not None else call.time
            return
        lane = self._lane(agent)
        step = self.last.get(lane) or self.begin(source, time, lane=lane)
        self._add_call(step, call_id, string(data.get("toolName")), data.get("arguments"), source, time)

    def _on_tool_end(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        call_id = optional(data.get("toolCallId"))
        if call_id in self._by_user:
            return
        call = self.waiting_call(call_id, source)
        if call is None:
            return
        call.result = read_result(call, data, source, time)
        if call.id in self._denied:
            call.result.denied = True
        if call.name == "sql" and not call.result.is_error:
            call.action = self.todos.apply(string(mapping(call.input).get("query"))) or call.action

    def _on_decision(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        if string(mapping(data.get("result")).get("kind")).startswith("denied"):
            call_id = string(data.get("toolCallId")) or self._asked.get(string(data.get("requestId")), "")
            self._denied.add(call_id)
            call = self.calls.get(call_id)
            if call is not None and call.result is not None:
                call.result.denied = True

    def _on_subagent(self, source: Source, time: float | None, agent: str | None, data: dict[str, Any]) -> None:
        call_id = optional(data.get("toolCallId"))
        if call_id is None:
            return
        known = self.lanes.get(agent or "")
        if agent != call_id and (agent is None or (known is not None and known.parent_call is not None)):
            # The first event of the sub-agent states the lane's name.
            self._starting.append(call_id)
            self.lanes.setdefault(call_id, Lane(call_id, MAIN_LANE, call_id, optional(data.get("agentName"))))
            return
        lane = self.lanes.setdefault(agent or call_id, Lane(agent or call_id, MAIN_LANE))
        lane.parent_call, lane.agent_type = call_id, optional(data.get("agentName"))

    def _lane(self, agent: str | None) -> str:
        if agent is None:
            return MAIN_LANE
        if agent not in self.lanes:
            lane = Lane(agent, MAIN_LANE)
            if self._starting:
                started = self.lanes.pop(self._starting.pop(0), None)
                if started is not None:
                    lane.parent_call, lane.agent_type = started.parent_call, started.agent_type
            elif agent in self.calls:
                lane.parent_call = agent
            self.lanes[agent] = lane
        elif agent in self._starting:
            self._starting.remove(agent)
        return agent


_HANDLERS: dict[str, Any] = {
    "session.start": _Session._on_start,
    "session.resume": _Session._on_start,
    "session.context_changed": _Session._on_context,
    "session.model_change": "model",
    "session.shutdown": "shutdown",
    "session.error": "error",
    "session.snapshot_rewind": "rewind",
    "session.compaction_complete": _Session._on_compaction,
    "session.usage_record": _Session._on_usage,
    "assistant.usage": _Session._on_usage,
    "abort": "abort",
    "user.message": _Session._on_user,
    "system.notification": "notice",
    "skill.invoked": "notice",
    "assistant.message": _Session._on_message,
    "assistant.reasoning": "reasoning",
    "tool.user_requested": "user tool",
    "tool.execution_start": _Session._on_tool_start,
    "tool.execution_complete": _Session._on_tool_end,
    "permission.requested": "permission",
    "permission.completed": _Session._on_decision,
    "subagent.started": _Session._on_subagent,
}


# What a tool call does, and what its result states


_EXIT = re.compile(r"<[^<>\n]*(?:exited|completed|finished)[^<>\n]* with exit code:? (-?\d{1,10})[^<>\n]*>\s*\Z")
_RUNNING = re.compile(r"<[^<>\n]*(?:shellId|sessionId|id):? ?([^\s<>,]+)[^<>]*(?:still running|started|is running)")
_BACKGROUND = re.compile(r"(?i)<command started in (?:detached )?background with (?:shell|session)?id: ?([^\s<>,]+)>")
_SAVED = re.compile(r"(?i)output too large[^\n]*\bsaved to:? ?(\S+)")


def read_result(call: ToolCall, data: dict[str, Any], source: Source, time: float | None) -> Result:
    given, error = data.get("result"), mapping(data.get("error"))
    body = mapping(given)
    success = data.get("success")
    text = given if isinstance(given, str) else string(body.get("content"))
    if not text:
        text = string(error.get("message")) or string(data.get("error"))
    result = Result(text, time=time, source=source)
    result.is_error = not success if isinstance(success, bool) else (True if error else None)
    if call.time is not None and time is not None:
        result.duration = max(0.0, time - call.time)
    if string(error.get("code")) in ("denied", "rejected", "permission_denied"):
        result.denied = True
    saved = _SAVED.search(text[:600])
    if saved is not None:
        result.truncated, result.full_output = True, saved[1]
    action = call.action
    if isinstance(action, Shell | ShellOutput):
        _shell_result(result, action, data, body)
    elif isinstance(action, Edit) and success is True:
        kinds = [mapping(edit).get("kind") for edit in sequence(data.get("fileEdits"))]
        if len(action.changes) == 1 and action.changes[0].operation == "create" and kinds == ["edit"]:
            # A whole file written over one that was there.
            action.changes[0].operation = "modify"
    return result


def _shell_result(result: Result, action: Shell | ShellOutput, data: dict[str, Any], body: dict[str, Any]) -> None:
    text = result.text
    result.exit_status = integer(mapping(data.get("shellExecution")).get("exitCode"))
    for block in sequence(body.get("contents")):
        block = mapping(block)
        if result.exit_status is None and block.get("type") in ("shell_exit", "terminal"):
            result.exit_status = integer(block.get("exitCode"))
    ended = _EXIT.search(text, max(0, len(text) - 300))
    if ended is not None:
        result.stdout = text[: ended.start()].removesuffix("\n")
        if result.exit_status is None:
            result.exit_status = int(ended[1])
        return
    running = _BACKGROUND.search(text[:300]) or _RUNNING.search(text, max(0, len(text) - 600))
    if running is not None:
        result.shell_id = running[1].rstrip(":.")
        if isinstance(action, Shell):
            action.background, action.shell_id = True, action.shell_id or result.shell_id


def usage_of(fields: dict[str, Any]) -> TokenUsage | None:
    names = ("inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens")
    return named_usage(fields, names, cache_in_prompt=True)


# The todo list is a SQL table, whose statements are carried out here as well


_STATEMENT = re.compile(r"(?:'[^']*'|[^';])+")
_TABLE = "CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT, description TEXT, status TEXT DEFAULT 'pending', {})"
_MOST_STEPS, _LONGEST = 100_000, 1_000_000


class Todos:
    def __init__(self) -> None:
        self.database = sqlite3.connect(":memory:", isolation_level=None)
        self.database.execute(_TABLE.format("created_at TEXT, updated_at TEXT"))
        # Statements of a log open no file, and end.
        self.database.set_authorizer(lambda what, *_: int(what == sqlite3.SQLITE_ATTACH))
        self.database.set_progress_handler(lambda: 1, _MOST_STEPS)
        self.database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)

    def items(self) -> dict[str, tuple[int, PlanItem]]:
        """The items by their ids, each with the number of its row: a replaced row has another one."""
        rows = self.database.execute("SELECT rowid, id, coalesce(title, description, id), status FROM todos")
        return {
            str(k): (n, PlanItem(str(text), plan_status(status or "pending"), str(k))) for n, k, text, status in rows
        }

    def apply(self, query: str) -> Plan | None:
        """The plan after a query, or None if the query does not change the list."""
        if "todos" not in query.lower():
            return None
        before = self.items()
        for statement in _STATEMENT.findall(query):
            with suppress(sqlite3.Error, ValueError):
                self.database.execute(statement)
        after = self.items()
        gone = [PlanItem(item.text, "cancelled", key) for key, (_, item) in before.items() if key not in after]
        changed = [row[1] for key, row in after.items() if before.get(key) != row] + gone
        if not changed:
            return None
        keys = {str(item.key) for item in changed}
        if keys.isdisjoint(before):
            return Plan(changed, update="add" if before else "replace")
        if keys.issubset(before):
            return Plan(changed, update="update")
        return Plan([*(item for _, item in after.values()), *gone])


class CopilotReader(LineReader):
    format, marks, session = "copilot", (b'"session.', b'"assistant.', b'"tool.execution_', b'"user.message"'), _Session

    def is_record(self, value: dict[str, Any]) -> bool:
        return isinstance(value.get("data"), dict) and string(value.get("type")).startswith(_FAMILIES)

    def owner(self, path: Path) -> Path:
        """In the editor a transcript is less than the chat with its id."""
        chats = path.parent.parent.parent / "chatSessions"
        beside = (chats / f"{path.stem}{suffix}" for suffix in (".jsonl", ".json"))
        chat = next((chat for chat in beside if chat.is_file()), path)
        return chat if path.parent.name == "transcripts" else path


READERS: tuple[Reader, ...] = (CopilotReader(),)
