"""Export to ATIF (Agent Trajectory Interchange Format), and the way back without loss.

What ATIF has a field for is written there; ``exit_code`` and ``is_error`` are written to a result's ``extra``, where
other tools look for them; everything else is written to one key, :data:`KEY`, of the nearest ``extra``. Each text is
written once. Sub-agents become embedded trajectories; their steps keep their number in the log's order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from ..model import MAIN_LANE, Edit, Lane, Role, Skipped, Source, Step, ToolCall, Trajectory
from ..tools import interpret
from ..usage import TokenUsage
from .shared.values import integer, iso_time, mapping, objects, sequence

SCHEMA_VERSION = "ATIF-v1.8"
# Fields of a result that ATIF has no field for.
_FACTS = ("time", "duration", "shell_id", "full_output", "interrupted", "timed_out", "denied", "truncated")
_SOURCES: dict[Role, str] = {
    "agent": "agent",
    "user": "user",
    "interrupt": "user",
    "harness": "system",
    "compaction": "system",
}
_ROLES: dict[str, Role] = {"agent": "agent", "user": "user", "system": "harness"}
# Trajectory fields of plain values that ATIF has no field for.
_PLAIN = {
    "start_commit": None,
    "started_at": None,
    "ended_at": None,
    "usage_complete": True,
    "end": None,
    "complete": None,
    "unread": 0,
    "states_failure": False,
    "unread_calls": 0,
}


def to_atif(trajectory: Trajectory) -> dict[str, Any]:
    """The trajectory as an ATIF document. It shares values with the trajectory: change neither before writing it."""
    return _Export(trajectory).document(MAIN_LANE)


class _Export:
    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.base = Source(trajectory.source.file)
        self.by_lane: dict[str, list[tuple[int, Step]]] = {MAIN_LANE: []}
        for number, step in enumerate(trajectory.steps):
            self.by_lane.setdefault(step.lane, []).append((number, step))
        self.numbered = len(self.by_lane) > 1
        self.children = self._tree()
        self.spawned: dict[tuple[str, str], list[str]] = {}
        for parent, lanes in self.children.items():
            for name in lanes:
                lane = trajectory.lanes.get(name)
                if lane is not None and lane.parent_call is not None:
                    self.spawned.setdefault((parent, lane.parent_call), []).append(name)

    def _tree(self) -> dict[str, list[str]]:
        """Which lanes are embedded in which: in their parents, or in the main lane if the parents form a circle."""
        parents: dict[str, str] = {}
        for name in self.by_lane:
            lane = self.trajectory.lanes.get(name)
            parents[name] = lane.parent if lane and lane.parent in self.by_lane and lane.parent != name else MAIN_LANE
        children: dict[str, list[str]] = {}
        for name in parents:
            seen, at = {name}, parents[name]
            while at != MAIN_LANE and at not in seen:
                seen.add(at)
                at = parents[at]
            if at != MAIN_LANE:
                parents[name] = MAIN_LANE
            if name != MAIN_LANE:
                children.setdefault(parents[name], []).append(name)
        return children

    def root(self) -> dict[str, Any]:
        t = self.trajectory
        own: dict[str, Any] = {"version": VERSION, "format": t.format, "source": [t.source.file, t.source.line]}
        if not t.agent:
            own["agent"] = t.agent
        if t.agent_version in (None, "", "unknown"):
            own["agent_version"] = t.agent_version
        own.update({name: "" for name in ("cwd", "branch") if getattr(t, name) == ""})
        own.update({name: value for name, usual in _PLAIN.items() if (value := getattr(t, name)) != usual})
        if t.usage is not None:
            own["usage"] = _numbers(t.usage)
        if t.skipped:
            own["skipped"] = [[s.file, s.line, s.reason, *([] if s.lost else [False])] for s in t.skipped]
        for name, lane in t.lanes.items():
            about = _fields(Lane(name), lane)
            if lane.prompt is not None:
                step = next((n for n, s in self.by_lane.get(name, ())[:4] if s.text == lane.prompt), None)
                if step is not None:
                    del about["prompt"]
                    about["prompt_step"] = step
            own.setdefault("lanes", {})[name] = about
        return own

    def document(self, lane: str) -> dict[str, Any]:
        """A document; what identifies it comes first, so that a cut file can still be read."""
        t = self.trajectory
        agent: dict[str, Any] = {"name": t.agent or t.format or "unknown", "version": t.agent_version or "unknown"}
        if t.model is not None:
            agent["model_name"] = t.model
        document: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "session_id": t.id}
        if lane == MAIN_LANE:
            if t.cwd is not None or t.branch is not None:
                agent["extra"] = {"cwds": [t.cwd] if t.cwd else [], "git_branches": [t.branch] if t.branch else []}
            document["agent"] = agent
            if totals := _metrics(t.total_usage(), "total_"):
                document["final_metrics"] = totals
            own = self.root()
            document["extra"] = {KEY: {**own, "extra": t.extra}} if KEY in t.extra else {**t.extra, KEY: own}
        else:
            known = t.lanes.get(lane)
            if known is not None and known.agent_type:
                agent["extra"] = {"agent_type": known.agent_type}
            document |= {"trajectory_id": lane, "agent": agent}
        document["steps"] = [self.step(n, number, step) for n, (number, step) in enumerate(self.by_lane[lane], 1)]
        if lane in self.children:
            document["subagent_trajectories"] = [self.document(child) for child in self.children[lane]]
        return document

    def step(self, step_id: int, number: int, step: Step) -> dict[str, Any]:
        source = _SOURCES[step.role]
        out: dict[str, Any] = {"step_id": step_id}
        own: dict[str, Any] = _fields(self.base, step.source)
        _timed(out, own, step.time)
        out["source"] = source
        out["message"] = step.text
        if step.role != _ROLES[source]:
            own["role"] = step.role
        if self.numbered:
            own["n"] = number
        if step.message_id is not None:
            own["message_id"] = step.message_id
        if source == "agent":
            if step.model is not None:
                out["model_name"] = step.model
            if step.reasoning:
                out["reasoning_content"] = step.reasoning
            if step.calls:
                out["tool_calls"] = [_call(call, step.source) for call in step.calls]
                ids = [call.id for call in step.calls]
                repeated = len(set(ids)) < len(ids)
                results = []
                for index, call in enumerate(step.calls):
                    lanes = self.spawned.get((step.lane, call.id), ())
                    if call.result is not None or lanes:
                        result = _result(call, index if repeated else None)
                        if lanes:
                            result["subagent_trajectory_ref"] = [{"trajectory_id": name} for name in lanes]
                        results.append(result)
                if results:
                    out["observation"] = {"results": results}
            metrics = _metrics(step.usage)
            if metrics:
                out["metrics"] = metrics
            if step.usage != usage_of(metrics):
                own["usage"] = None if step.usage is None else _numbers(step.usage)
        else:
            # ATIF keeps these for the agent; the model does not.
            if step.model is not None:
                own["model"] = step.model
            if step.reasoning:
                own["reasoning"] = step.reasoning
            if step.usage is not None:
                own["usage"] = _numbers(step.usage)
            if step.calls:
                own["calls"] = msgspec.to_builtins(step.calls)
        if own:
            out["extra"] = {KEY: own}
        return out


def _timed(out: dict[str, Any], own: dict[str, Any], time: float | None) -> None:
    if time is None:
        return
    try:
        moment = datetime.fromtimestamp(time, UTC)
    except (OverflowError, OSError, ValueError):
        own["time"] = time
        return
    out["timestamp"] = moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
    if moment.timestamp() != time:
        own["time"] = time


def _numbers(usage: TokenUsage) -> list[int | None]:
    return [getattr(usage, name) for name in TokenUsage.__struct_fields__]


def _metrics(usage: TokenUsage | None, prefix: str = "") -> dict[str, Any]:
    """ATIF counts everything that was sent as prompt; the part from the cache is given beside it."""
    if usage is None:
        return {}
    metrics: dict[str, Any] = {}
    if usage.input is not None:
        metrics[f"{prefix}prompt_tokens"] = usage.input + (usage.cache_read or 0) + (usage.cache_write or 0)
    if usage.output is not None:
        metrics[f"{prefix}completion_tokens"] = usage.output
    if usage.cache_read is not None:
        metrics[f"{prefix}cached_tokens"] = usage.cache_read
    counts = {
        "cache_creation_input_tokens": usage.cache_write,
        "ephemeral_1h_input_tokens": usage.cache_write_1h,
        "reasoning_tokens": usage.reasoning,
    }
    extra = {f"{prefix}{name}": value for name, value in counts.items() if value is not None}
    if extra:
        metrics["extra"] = extra
    return metrics


def _call(call: ToolCall, base: Source) -> dict[str, Any]:
    own = _fields(base, call.source)
    bare = not isinstance(call.input, dict)
    if bare:
        own["bare"] = True
    if call.time is not None:
        own["time"] = call.time
    # An action is written as its difference from the one that name and arguments give: no text is written twice.
    understood, actual = interpret(call.name, call.input), call.action
    if actual != understood:
        if type(understood) is not type(actual):
            own["action"] = {"is": msgspec.to_builtins(actual)}
        else:
            old, new = (getattr(action, "changes", []) for action in (understood, actual))
            alike = isinstance(actual, Edit) and len(old) == len(new)
            own["action"] = {"changes": list(map(_fields, old, new))} if alike else {"but": _fields(understood, actual)}
    out = {
        "tool_call_id": call.id,
        "function_name": call.name,
        "arguments": {"input": call.input} if bare else call.input,
    }
    if own:
        out["extra"] = {KEY: own}
    return out


def _fields(old: Struct, new: Struct) -> dict[str, Any]:
    return {
        name: msgspec.to_builtins(getattr(new, name))
        for name in new.__struct_fields__
        if getattr(new, name) != getattr(old, name)
    }


def _result(call: ToolCall, index: int | None) -> dict[str, Any]:
    out: dict[str, Any] = {"source_call_id": call.id}
    own: dict[str, Any] = {} if index is None else {"call": index}
    extra: dict[str, Any] = {}
    result = call.result
    if result is None:
        # There is only the reference to the sub-agent.
        own["none"] = True
    else:
        out["content"] = result.text
        if result.exit_status is not None:
            extra["exit_code"] = result.exit_status
        if result.is_error is not None:
            extra["is_error"] = result.is_error
        facts = ((name, getattr(result, name)) for name in _FACTS)
        own.update({name: value for name, value in facts if value is not None and value is not False})
        if result.stdout is not None:
            start = result.text.find(result.stdout)
            own["stdout"] = result.stdout if start < 0 else [start, start + len(result.stdout)]
        own.update({"source": None} if result.source is None else _fields(call.source, result.source))
    if own:
        extra[KEY] = own
    if extra:
        out["extra"] = extra
    return out


# The way back from an exported document to the trajectory it was made from


Report = Callable[[str], None]


def restore(document: Mapping[str, Any], report: Report) -> Trajectory:
    """The trajectory that was exported. What was damaged since then is left out and passed to ``report``."""
    return _Restore(report).trajectory(document)


class _Restore:
    def __init__(self, report: Report) -> None:
        self.report = report
        self.file = ""

    def trajectory(self, document: Mapping[str, Any]) -> Trajectory:
        extra = mapping(document.get("extra"))
        own = mapping(extra.get(KEY))
        agent = mapping(document.get("agent"))
        source = own.get("source")
        self.file = source[0] if isinstance(source, list) and source and isinstance(source[0], str) else "<atif>"
        line = source[1] if isinstance(source, list) and len(source) > 1 else None
        about = mapping(agent.get("extra"))
        fields: dict[str, Any] = {
            "id": document.get("session_id"),
            "format": own.get("format"),
            "agent": agent.get("name"),
            "agent_version": agent.get("version"),
            "model": agent.get("model_name"),
            "cwd": first_text(about.get("cwds")),
            "branch": first_text(about.get("git_branches")),
        }
        fields.update({n: own[n] for n in (*_PLAIN, "agent", "agent_version", "cwd", "branch") if n in own})
        stated = {"source": {"file": self.file, "line": line}, "steps": [], **fields}
        trajectory: Trajectory | None = self.convert(stated, Trajectory)
        if trajectory is None:
            trajectory = Trajectory(str(fields["id"]), str(fields["format"]), Source(self.file), [])
        trajectory.extra = {k: v for k, v in mapping(own.get("extra", extra)).items() if k != KEY or "extra" in own}
        trajectory.usage = _usage(own.get("usage"))
        for row in sequence(own.get("skipped")):
            if isinstance(row, list) and len(row) in (3, 4):
                line = row[1] if isinstance(row[1], int) else None
                trajectory.skipped.append(Skipped(str(row[0]), line, str(row[2]), lost=len(row) == 3))
        numbered: list[tuple[int, Step]] = []
        self.collect(document, MAIN_LANE, numbered)
        numbered.sort(key=lambda pair: pair[0])
        trajectory.steps = [step for _, step in numbered]
        by_number = dict(numbered)
        for name, value in mapping(own.get("lanes")).items():
            number = mapping(value).get("prompt_step")
            step = by_number.get(number) if isinstance(number, int) else None
            prompt = step.text if step is not None else None
            lane = self.convert({"id": name, "prompt": prompt, **mapping(value)}, Lane)
            if lane is not None:
                trajectory.lanes[name] = lane
        return trajectory

    def collect(self, document: Mapping[str, Any], lane: str, into: list[tuple[int, Step]]) -> None:
        for value in sequence(document.get("steps")):
            step = self.step(value, lane) if isinstance(value, dict) else None
            if step is None:
                self.report("a step that is not an object; skipped")
            else:
                number = own_fields(value).get("n")
                into.append((number if isinstance(number, int) else len(into), step))
        for sub in sequence(document.get("subagent_trajectories")):
            name = sub.get("trajectory_id") if isinstance(sub, dict) else None
            if isinstance(name, str):
                self.collect(sub, name, into)

    def step(self, value: dict[str, Any], lane: str) -> Step | None:
        own = own_fields(value)
        source = _place(own, {"file": self.file, "line": None})
        calls = [_restored_call(call, source) for call in objects(value.get("tool_calls"))]
        for result in objects(mapping(value.get("observation")).get("results")):
            _restore_result(result, calls)
        fields: dict[str, Any] = {
            "role": own.get("role", _ROLES.get(str(value.get("source")), "harness")),
            "source": source,
            "lane": lane,
            "text": value.get("message"),
            "reasoning": own.get("reasoning") or value.get("reasoning_content") or "",
            "model": own["model"] if "model" in own else value.get("model_name"),
            "message_id": own.get("message_id"),
            "time": own["time"] if "time" in own else iso_time(value.get("timestamp")),
            "calls": [*sequence(own.get("calls")), *calls],
        }
        step: Step | None = self.convert(fields, Step)
        if step is not None:
            step.usage = _usage(own["usage"]) if "usage" in own else usage_of(mapping(value.get("metrics")))
        return step

    def convert(self, value: Any, kind: Any) -> Any:
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            self.report(f"a value of unexpected shape ({error}); skipped")
            return None


def _restored_call(value: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    own = own_fields(value)
    name, given = value.get("function_name"), value.get("arguments")
    if own.get("bare") is True:
        given = mapping(given).get("input")
    action = msgspec.to_builtins(interpret(str(name), given))
    change = mapping(own.get("action"))
    for old, new in zip(action.get("changes", ()), sequence(change.get("changes")), strict=False):
        old.update(mapping(new))
    action.update(mapping(change.get("but")))
    return {
        "id": value.get("tool_call_id"),
        "name": name,
        "input": given,
        "action": change.get("is", action),
        "source": _place(own, base),
        "time": own.get("time"),
    }


def _restore_result(value: dict[str, Any], calls: list[dict[str, Any]]) -> None:
    own, extra = own_fields(value), mapping(value.get("extra"))
    index, identity = own.get("call"), value.get("source_call_id")
    waiting = [
        c for n, c in enumerate(calls) if "result" not in c and (n == index if "call" in own else c["id"] == identity)
    ]
    if own.get("none") is True or not waiting:
        return
    text, stdout = value.get("content"), own.get("stdout")
    if isinstance(stdout, list) and len(stdout) == 2 and isinstance(text, str):
        stdout = text[slice(*stdout)] if all(isinstance(n, int) for n in stdout) else None
    waiting[0]["result"] = {
        "text": text,
        "exit_status": extra.get("exit_code"),
        "is_error": extra.get("is_error"),
        **{k: v for k, v in own.items() if k not in ("call", "file", "line")},
        "stdout": stdout,
        "source": None if "source" in own else _place(own, waiting[0]["source"]),
    }


def _place(own: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    return {**base, **{k: own[k] for k in ("file", "line") if k in own}}


def _usage(numbers: Any) -> TokenUsage | None:
    # Older exports do not keep apart what is cached for an hour.
    if not isinstance(numbers, list) or not 5 <= len(numbers) <= len(TokenUsage.__struct_fields__):
        return None
    return TokenUsage(*(n if isinstance(n, int) and not isinstance(n, bool) else None for n in numbers))


def first_text(values: Any) -> str | None:
    return values[0] if isinstance(values, list) and values and isinstance(values[0], str) else None


# What the exporter adds to documents


KEY = "rigorbench"
VERSION = 1


def is_own(document: Mapping[str, Any]) -> bool:
    """Whether :func:`to_atif` wrote this document."""
    return own_fields(document).get("version") == VERSION


def usage_of(metrics: dict[str, Any]) -> TokenUsage | None:
    """The usage in exported metrics; None if there are none."""
    if not metrics:
        return None
    extra = mapping(metrics.get("extra"))
    prompt, read = integer(metrics.get("prompt_tokens")), integer(metrics.get("cached_tokens"))
    write = integer(extra.get("cache_creation_input_tokens"))
    rest = None if prompt is None else prompt - (read or 0) - (write or 0)
    output, reasoning = integer(metrics.get("completion_tokens")), integer(extra.get("reasoning_tokens"))
    return TokenUsage(rest, read, write, output, reasoning, integer(extra.get("ephemeral_1h_input_tokens")))


def own_fields(value: Any) -> dict[str, Any]:
    """What our exporter added to an object of a document."""
    extra = value.get("extra") if isinstance(value, Mapping) else None
    return mapping(mapping(extra).get(KEY))
