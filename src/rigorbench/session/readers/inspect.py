"""Inspect logs (``.eval`` archives and JSON), through Inspect's own reader: one trajectory per sample."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from ...base.extras import install
from ..logfile import LogError, LogFile
from ..model import MAIN_LANE, Action, EndState, Lane, Result, Shell, ShellOutput, Source, Spawn, ToolCall, Trajectory
from ..reader import Reader
from ..tools import interpret
from ..usage import TokenUsage, sum_usage
from .shared.builder import SessionBuilder
from .shared.usage import count
from .shared.values import mapping, seconds, string

# What Inspect's reader raises on damaged logs.
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, OSError, EOFError, RuntimeError, BadZipFile, zlib.error)


class InspectReader(Reader):
    format = "inspect"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if head.startswith(b"PK\x03\x04"):
            return b"_journal/" in head or b"header.json" in head
        if not head[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") or b'"eval"' not in head:
            return False
        if b'"plan"' not in head and b'"samples"' not in head and b'"status"' not in head:
            return False
        value = log.head_document
        about = value.get("eval") if isinstance(value, dict) else None
        return isinstance(about, dict) and "task" in about and ("dataset" in about or "run_id" in about)

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        try:
            api = import_module("inspect_ai.log")
        except ImportError:
            needs = f"is an Inspect log, which Inspect itself must read; {install('inspect')}"
            raise LogError(log.name, needs) from None
        kind = "eval" if log.head.startswith(b"PK\x03\x04") else "json"
        if (plain := log.plain_path) is not None:
            yield from _read(log, api, str(plain), kind)
            return
        # Inspect reads files only: what came compressed or from standard input goes through a temporary one.
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / f"log.{kind}"
            path.write_bytes(log.content())
            yield from _read(log, api, str(path), kind)


def _read(log: LogFile, api: Any, path: str, kind: str) -> Iterator[Trajectory]:
    try:
        if kind == "json":
            # One document: there is no reading of a sample without reading all.
            header = api.read_eval_log(path, resolve_attachments=True, format=kind)
            summaries = []
        else:
            header = api.read_eval_log(path, header_only=True, format=kind)
            summaries = api.read_eval_log_sample_summaries(path, format=kind)
    except _DAMAGE as error:
        raise LogError(log.name, f"cannot be read by Inspect ({_line(error)}); is the log cut off?") from None
    for sample in header.samples or ():
        yield trajectory_of(log, header, sample)
    for summary in summaries:
        try:
            sample = api.read_eval_log_sample(
                path, id=summary.id, epoch=summary.epoch, resolve_attachments=True, format=kind
            )
        except _DAMAGE as error:
            log.skip(None, f"sample {summary.id} (epoch {summary.epoch}) cannot be read ({_line(error)}); skipped")
            continue
        yield trajectory_of(log, header, sample)


def _line(error: BaseException) -> str:
    text = str(error).strip().split("\n", 1)[0]
    return (text or type(error).__name__)[:160]


# From one sample to a trajectory. The events state what happened in order: model calls with their usage, tool calls
# with their times, what ran in the sandbox with its exit status, and the spans in which agents, tools and scorers ran.
# Logs without events still have the messages. Inspect's objects are used by their attributes only.


_AGENT_SPANS = ("agent",)
_SCORING_SPANS = ("scorers", "scorer")


def trajectory_of(log: LogFile, header: Any, sample: Any) -> Trajectory:
    about = header.eval
    source = Source(log.name)
    steps = getattr(getattr(header, "plan", None), "steps", None)
    solver = getattr(about, "solver", None) or (steps[-1].solver if steps else None)
    trajectory = Trajectory(
        sample.uuid or f"{getattr(about, 'run_id', '')}:{sample.id}:{sample.epoch}",
        "inspect",
        source,
        agent=solver,
        model=str(about.model) if about.model else None,
        started_at=seconds(getattr(sample, "started_at", None)),
        ended_at=seconds(getattr(sample, "completed_at", None)),
        end=_end(header, sample),
    )
    reader = _Sample(log, source)
    for event in sample.events:
        reader.event(event)
    if not any(step.role == "agent" for step in reader.steps):
        reader.steps.clear()
        reader.messages(sample.messages)
        trajectory.usage = sum_usage(_usage(u) for u in (sample.model_usage or {}).values())
    # Gives the sub-agents' lanes their prompts.
    for lane in reader.lanes.values():
        first = next((s for s in reader.steps if s.lane == lane.id and s.role == "harness"), None)
        if first is not None and lane.prompt is None:
            call = reader.calls.get(lane.parent_call or "")
            lane.prompt = call.action.prompt if call is not None and isinstance(call.action, Spawn) else first.text
    scores = {name: _plain(score.value) for name, score in (sample.scores or {}).items()}
    error = getattr(sample, "error", None)
    limit = getattr(sample, "limit", None)
    about_sample = {
        "task": about.task,
        "sample_id": sample.id,
        "epoch": sample.epoch,
        "scores": scores or None,
        "error": error.message if error is not None else None,
        "limit": str(limit.type) if limit is not None else None,
    }
    trajectory.extra = {"inspect": {k: v for k, v in about_sample.items() if v is not None}}
    return reader.finish(trajectory)


class _Sample(SessionBuilder):
    def __init__(self, log: LogFile, source: Source) -> None:
        super().__init__(log)
        self.source = source
        self.parents: dict[str, str | None] = {}
        self.kinds: dict[str, str] = {}
        # The lane of each span, and the tool spans whose tool event has not come yet.
        self.span_lanes: dict[str | None, str] = {None: MAIN_LANE}
        self.open_tools: list[str] = []
        self.tools: dict[str, str] = {}
        self.shown: dict[str, set[str]] = {}  # the messages that each lane has seen
        self.scoring = 0
        # Older logs nest the events of a tool in its event.
        self.within: list[str] = []

    def event(self, event: Any) -> None:
        take = getattr(self, f"on_{event.event}", None)
        if take is not None:
            take(event)

    def on_span_begin(self, event: Any) -> None:
        kind = event.type or ""
        parent = event.parent_id
        self.parents[event.id] = parent
        self.kinds[event.id] = kind
        lane = self.span_lanes.get(parent, MAIN_LANE)
        if kind in _AGENT_SPANS and self.inside(parent, _AGENT_SPANS):
            call = self.calls.get(self.tools.get(parent or "", ""))
            self.lanes[event.id] = Lane(event.id, lane, call.id if call is not None else None, event.name)
            lane = event.id
            if call is not None:
                self.spawn(call, lane)
        elif kind == "tool":
            self.open_tools.append(event.id)
        self.span_lanes[event.id] = lane

    def inside(self, span: str | None, kinds: tuple[str, ...]) -> bool:
        while span is not None:
            if self.kinds.get(span) in kinds:
                return True
            span = self.parents.get(span)
        return False

    def in_scoring(self, event: Any) -> bool:
        return self.scoring > 0 or self.inside(getattr(event, "span_id", None), _SCORING_SPANS)

    def on_step(self, event: Any) -> None:
        """Older logs mark solvers and scorers by steps."""
        if event.type in _SCORING_SPANS:
            self.scoring += 1 if event.action == "begin" else -1

    def lane_of(self, event: Any) -> str:
        return self.span_lanes.get(getattr(event, "span_id", None), MAIN_LANE)

    def on_model(self, event: Any) -> None:
        if self.in_scoring(event):
            return
        lane = self.lane_of(event)
        time = seconds(event.timestamp)
        for message in event.input or ():
            self.prompt(message, lane, time)
        choices = event.output.choices if event.output is not None else None
        if not choices:
            if event.error:
                self.say("harness", str(event.error), self.source, time, lane=lane)
            return
        self.agent_step(
            choices[0].message, lane, seconds(event.completed) or time, _usage(event.output.usage), event.model
        )

    def prompt(self, message: Any, lane: str, time: float | None) -> None:
        """A message to the model, the first time that a lane sees it."""
        shown = self.shown.setdefault(lane, set())
        text = _text(message.content)
        key = message.id or f"{message.role}:{text}"
        if key in shown:
            return
        shown.add(key)
        if message.role not in ("user", "system") or not text:
            return
        # Only the sample's input is a human's; agents are started and urged on by the harness.
        human = message.role == "user" and lane == MAIN_LANE and getattr(message, "source", None) == "input"
        self.say("user" if human else "harness", text, self.source, time, lane=lane)

    def agent_step(self, message: Any, lane: str, time: float | None, usage: TokenUsage | None, model: Any) -> None:
        step = self.begin(self.source, time, lane=lane)
        parts = message.content if isinstance(message.content, list) else ()
        found = (getattr(part, "reasoning", None) for part in parts)
        step.text, step.reasoning = _text(message.content), "\n".join(r for r in found if isinstance(r, str))
        step.usage, step.message_id = usage, message.id
        step.model = str(model) if model else None
        for value in message.tool_calls or ():
            action = action_of(value.function, value.arguments)
            self.call(step, value.id, value.function, value.arguments, action, self.source, time)

    def on_tool(self, event: Any) -> None:
        if self.open_tools:
            self.tools[self.open_tools.pop()] = event.id
        if self.in_scoring(event):
            return
        call = self.calls.get(event.id)
        if call is None:
            lane = self.lane_of(event)
            step = self.last.get(lane)
            if step is None:
                self.log.skip(None, f"a call of {event.function} outside any model turn; skipped")
                return
            action = action_of(event.function, event.arguments)
            call = self.call(step, event.id, event.function, event.arguments, action, self.source)
        call.time = seconds(event.timestamp)
        started = getattr(event, "agent_span_id", None)
        if started:
            self.spawn(call, started)
        if event.pending is not True or event.error is not None or event.result:
            call.result = self.result(call, event)
        if event.events:
            self.within.append(event.id)
            for inner in event.events:
                self.event(inner)
            self.within.pop()

    def spawn(self, call: ToolCall, lane: str) -> None:
        if not isinstance(call.action, Spawn):
            call.action = Spawn(string(mapping(call.input).get("input")), description=call.name)
        call.action.lane = lane

    def result(self, call: ToolCall, event: Any) -> Result:
        error = event.error
        text = _text(event.result) if error is None else error.message
        result = Result(text, is_error=error is not None, time=seconds(event.completed), source=self.source)
        result.duration = event.working_time
        result.truncated = event.truncated is not None
        if error is not None:
            result.timed_out = error.type == "timeout"
            result.denied = error.type == "approval"
            result.interrupted = error.type in ("timeout", "cancelled", "limit")
        if call.result is not None:
            result.exit_status = call.result.exit_status
        return result

    def on_sandbox(self, event: Any) -> None:
        """What a shell tool ran in the sandbox; of several commands the last one's status is the tool's."""
        if event.action != "exec" or event.result is None:
            return
        span = getattr(event, "span_id", None)
        identity = self.tools.get(span) if span is not None else None
        if identity is None and self.within:
            identity = self.within[-1]
        call = self.calls.get(identity) if identity is not None else None
        if call is not None and isinstance(call.action, Shell):
            if call.result is None:
                call.result = Result("", source=self.source)
            call.result.exit_status = event.result

    def on_approval(self, event: Any) -> None:
        call = self.calls.get(event.call.id)
        if event.decision in ("reject", "terminate") and call is not None and call.result is None:
            text = event.explanation or "The tool call was rejected."
            call.result = Result(text, denied=True, time=seconds(event.timestamp), source=self.source)

    def on_compaction(self, event: Any) -> None:
        self.say("compaction", "", self.source, seconds(event.timestamp), lane=self.lane_of(event))

    def on_interrupt(self, event: Any) -> None:
        if event.source == "user_cancel":
            text = f"Interrupted ({str(event.interrupted).replace('_', ' ')})."
            self.say("interrupt", text, self.source, seconds(event.timestamp), lane=self.lane_of(event))
        call = self.calls.get(event.interrupted_tool_call_id or "")
        if call is not None and call.result is not None:
            call.result.interrupted = True

    def on_input(self, event: Any) -> None:
        if event.input:
            self.say("user", event.input, self.source, seconds(event.timestamp))

    def messages(self, messages: Any) -> None:
        """The conversation alone, for logs without events."""
        for message in messages:
            if message.role == "assistant":
                self.agent_step(message, MAIN_LANE, None, None, message.model)
            elif message.role == "tool":
                call = self.calls.get(message.tool_call_id or "")
                if call is None:
                    self.log.skip(None, "a tool result whose call is not in the log; skipped")
                    continue
                error = message.error
                text = _text(message.content) if error is None else error.message
                call.result = Result(text, is_error=error is not None, source=self.source)
                call.result.timed_out = error is not None and error.type == "timeout"
                call.result.denied = error is not None and error.type == "approval"
            else:
                self.prompt(message, MAIN_LANE, None)


def action_of(name: str, arguments: Any) -> Action:
    """The action of a call to one of Inspect's own tools, or of those that every agent has."""
    args = arguments if isinstance(arguments, dict) else {}
    if name == "python" and isinstance(args.get("code"), str):
        return Shell(f"python3 - <<'EOF'\n{args['code']}\nEOF")
    if name == "bash_session":
        text = args.get("input")
        if args.get("action") == "type_submit" and isinstance(text, str):
            return Shell(text)
        return ShellOutput(stdin=text if isinstance(text, str) and text else None)
    return interpret(name, arguments)


def _usage(usage: Any) -> TokenUsage | None:
    """Inspect counts the cache apart from the input. Early versions did not, which the total then shows."""
    if usage is None:
        return None
    sent, output, total = count(usage.input_tokens), count(usage.output_tokens), count(usage.total_tokens)
    read, write = count(usage.input_tokens_cache_read), count(usage.input_tokens_cache_write)
    reasoning = count(getattr(usage, "reasoning_tokens", None))
    cached = (read or 0) + (write or 0)
    if sent is not None and output is not None and total:
        if cached and total == sent + output and sent >= cached:
            sent -= cached
        elif reasoning and total == sent + cached + output + reasoning:
            output += reasoning
    return TokenUsage(sent, read, write, output, reasoning)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, (_text(part) for part in content)))
    if getattr(content, "type", None) == "text":
        return str(content.text)
    return str(content) if isinstance(content, int | float) and not isinstance(content, bool) else ""


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _end(header: Any, sample: Any) -> EndState | None:
    if getattr(sample, "limit", None) is not None:
        return "interrupted" if str(sample.limit.type) == "operator" else "limit"
    if getattr(sample, "error", None) is not None:
        return "error"
    if getattr(sample, "completed_at", None) or header.status == "success":
        return "completed"
    return "interrupted" if header.status == "cancelled" else None


READERS: tuple[Reader, ...] = (InspectReader(),)
