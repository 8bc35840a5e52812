"""Export to ATIF (Agent Trajectory Interchange Format), and the way back without loss.

What ATIF has a field for is written there; ``exit_code`` and ``is_error`` are written to a result's ``extra``, where
other tools look for them. Where reading these fields back gives something else than the model has, the difference is
written to one key, :data:`KEY`, of the nearest ``extra``: each text is written once. Sub-agents become embedded
trajectories; their steps keep their number in the log's order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from ..model import MAIN_LANE, Result, Role, Source, Step, ToolCall, Trajectory
from ..tools import interpret
from ..usage import TokenUsage
from .shared.values import integer, iso_time, mapping, objects, sequence

SCHEMA_VERSION = "ATIF-v1.8"
KEY = "rigorbench"
VERSION = 2
_SOURCES: dict[Role, str] = {
    "agent": "agent",
    "user": "user",
    "interrupt": "user",
    "harness": "system",
    "compaction": "system",
}
_ROLES: dict[str, Role] = {"agent": "agent", "user": "user", "system": "harness"}

Values = dict[str, Any]
"""An object of the model or of ATIF as plain values."""


def to_atif(trajectory: Trajectory) -> Values:
    """The trajectory as an ATIF document. It shares values with the trajectory: change neither before writing it."""
    t = trajectory
    by_lane: dict[str, list[tuple[int, Step]]] = {MAIN_LANE: []}
    for number, step in enumerate(t.steps):
        by_lane.setdefault(step.lane, []).append((number, step))
    others = [name for name in by_lane if name != MAIN_LANE]
    spawned: dict[str, list[str]] = {}
    for name in others:
        if (lane := t.lanes.get(name)) is not None and lane.parent_call is not None:
            spawned.setdefault(lane.parent_call, []).append(name)
    file = Source(t.source.file)

    def steps(lane: str) -> list[Values]:
        made = []
        for step_id, (number, step) in enumerate(by_lane[lane], 1):
            place = {"n": number} if others else {}
            made.append({"step_id": step_id, **_step(step, file, place, spawned if lane == MAIN_LANE else {})})
        return made

    # What identifies the document comes first, so that a cut file can still be read.
    agent: Values = {"name": t.agent or t.format or "unknown", "version": t.agent_version or "unknown"}
    head: Values = {"schema_version": SCHEMA_VERSION, "session_id": t.id}
    document = {**head, "agent": agent}
    if t.model is not None:
        agent["model_name"] = t.model
    if t.cwd is not None or t.branch is not None:
        agent["extra"] = {"cwds": [t.cwd] if t.cwd else [], "git_branches": [t.branch] if t.branch else []}
    if totals := _metrics(t.total_usage(), "total_"):
        document["final_metrics"] = totals
    apart = ("steps", "extra", "recording")
    facts = {name: msgspec.to_builtins(getattr(t, name)) for name in t.__struct_fields__ if name not in apart}
    own = {"version": VERSION, **difference(_read_root(document), facts)}
    document["extra"] = {KEY: {**own, "extra": t.extra}} if KEY in t.extra else {**t.extra, KEY: own}
    document["steps"] = steps(MAIN_LANE)
    for name in others:
        lane = t.lanes.get(name)
        about = {"extra": {"agent_type": lane.agent_type}} if lane is not None and lane.agent_type else {}
        sub = {"trajectory_id": name, "agent": {**agent, **about}, "steps": steps(name)}
        document.setdefault("subagent_trajectories", []).append({**head, **sub})
    return document


def _step(step: Step, base: Source, place: Values, spawned: Mapping[str, list[str]]) -> Values:
    out: Values = {"source": _SOURCES[step.role], "message": step.text}
    if (stamp := _timestamp(step.time)) is not None:
        out = {"timestamp": stamp, **out}
    if step.role == "agent":
        fields = {
            "model_name": step.model,
            "reasoning_content": step.reasoning or None,
            "tool_calls": [_call(call, step.source) for call in step.calls] or None,
            "metrics": _metrics(step.usage) or None,
        }
        out |= {name: value for name, value in fields.items() if value is not None}
        repeated = len({call.id for call in step.calls}) < len(step.calls)
        results = []
        for index, call in enumerate(step.calls):
            lanes = spawned.get(call.id, ())
            if call.result is not None or lanes:
                results.append(_result(call, {"call": index} if repeated else {}))
            if lanes:
                results[-1]["subagent_trajectory_ref"] = [{"trajectory_id": name} for name in lanes]
        if results:
            out["observation"] = {"results": results}
    facts: Values = msgspec.to_builtins(step)
    read = _read_step(out, msgspec.to_builtins(base))
    if step.role == "agent":
        read["calls"] = facts["calls"]  # each has its own difference
    return _with_own(out, {**place, **difference({**read, "lane": step.lane}, facts)})


def _call(call: ToolCall, base: Source) -> Values:
    bare = not isinstance(call.input, dict)
    out: Values = {
        "tool_call_id": call.id,
        "function_name": call.name,
        "arguments": {"input": call.input} if bare else call.input,
    }
    apart = ("input", "result", "observed", "background")
    facts = {name: msgspec.to_builtins(getattr(call, name)) for name in call.__struct_fields__ if name not in apart}
    own: Values = {"bare": True} if bare else {}
    return _with_own(out, own | difference(_read_call(out, own, msgspec.to_builtins(base)), facts))


def _result(call: ToolCall, place: Values) -> Values:
    out: Values = {"source_call_id": call.id}
    result = call.result
    if result is None:
        return _with_own(out, place)  # there is only the reference to the sub-agent
    out["content"] = result.text
    stated = {"exit_code": result.exit_status, "is_error": result.is_error}
    extra = {name: value for name, value in stated.items() if value is not None}
    if extra:
        out["extra"] = extra
    own = place | difference(_read_result(out, msgspec.to_builtins(call.source)), msgspec.to_builtins(result))
    if result.stdout is not None and (start := result.text.find(result.stdout)) >= 0:
        own["stdout"] = [start, start + len(result.stdout)]
    return _with_own(out, own)


def _with_own(out: Values, own: Values) -> Values:
    return {**out, "extra": {**out.get("extra", {}), KEY: own}} if own else out


def _timestamp(time: float | None) -> str | None:
    try:
        moment = datetime.fromtimestamp(time, UTC) if time is not None else None
    except (OverflowError, OSError, ValueError):
        return None
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z") if moment is not None else None


def _metrics(usage: TokenUsage | None, prefix: str = "") -> Values:
    """ATIF counts everything that was sent as prompt; the part from the cache is given beside it."""
    if usage is None:
        return {}
    prompt = None if usage.input is None else usage.input + (usage.cache_read or 0) + (usage.cache_write or 0)
    counts = {"prompt_tokens": prompt, "completion_tokens": usage.output, "cached_tokens": usage.cache_read}
    more = {
        "cache_creation_input_tokens": usage.cache_write,
        "ephemeral_1h_input_tokens": usage.cache_write_1h,
        "reasoning_tokens": usage.reasoning,
    }
    metrics: Values = {f"{prefix}{name}": value for name, value in counts.items() if value is not None}
    if extra := {f"{prefix}{name}": value for name, value in more.items() if value is not None}:
        metrics["extra"] = extra
    return metrics


# What two plain values differ in. A dictionary or list of dictionaries that is in both is compared entry by entry; an
# entry that only the old one has stays, as the fields of another kind of action do, which nobody reads.


def difference(old: Any, new: Any) -> Any:
    """What :func:`merged` makes the new value of, together with the old one."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {k: difference(old.get(k), v) for k, v in new.items() if k not in old or old[k] != v}
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [difference(a, b) for a, b in zip(old, new, strict=True)]
    return new


def merged(old: Any, changed: Any) -> Any:
    if isinstance(old, dict) and isinstance(changed, dict):
        return {**old, **{k: merged(old.get(k), v) for k, v in changed.items()}}
    if isinstance(old, list) and isinstance(changed, list) and len(old) == len(changed):
        return [merged(a, b) for a, b in zip(old, changed, strict=True)]
    return changed


# ATIF's own fields as fields of the model


def _read_root(document: Mapping[str, Any]) -> Values:
    agent = mapping(document.get("agent"))
    about = mapping(agent.get("extra"))
    values: Values = msgspec.to_builtins(Trajectory("", "", Source("<atif>")))
    return values | {
        "id": document.get("session_id"),
        "agent": agent.get("name"),
        "agent_version": agent.get("version"),
        "model": agent.get("model_name"),
        "cwd": first_text(about.get("cwds")),
        "branch": first_text(about.get("git_branches")),
    }


def _read_step(value: Values, source: Values) -> Values:
    usage = usage_of(mapping(value.get("metrics")))
    return {
        "role": _ROLES.get(str(value.get("source")), "harness"),
        "source": source,
        "text": value.get("message"),
        "reasoning": value.get("reasoning_content") or "",
        "calls": [],
        "usage": msgspec.to_builtins(usage),
        "model": value.get("model_name"),
        "message_id": None,
        "time": iso_time(value.get("timestamp")),
    }


def _read_call(value: Values, own: Values, source: Values) -> Values:
    name, given = value.get("function_name"), value.get("arguments")
    given = mapping(given).get("input") if own.get("bare") is True else given
    action = msgspec.to_builtins(interpret(str(name), given))
    return {
        "id": value.get("tool_call_id"),
        "name": name,
        "input": given,
        "action": action,
        "source": source,
        "time": None,
    }


def _read_result(value: Values, source: Values) -> Values:
    extra = mapping(value.get("extra"))
    stated = {"text": value.get("content"), "exit_status": extra.get("exit_code"), "is_error": extra.get("is_error")}
    values: Values = msgspec.to_builtins(Result(""))
    return values | stated | {"source": source}


def usage_of(metrics: Values) -> TokenUsage | None:
    """The usage in exported metrics; None if there are none."""
    if not metrics:
        return None
    extra = mapping(metrics.get("extra"))
    prompt, read = integer(metrics.get("prompt_tokens")), integer(metrics.get("cached_tokens"))
    write = integer(extra.get("cache_creation_input_tokens"))
    rest = None if prompt is None else prompt - (read or 0) - (write or 0)
    output, reasoning = integer(metrics.get("completion_tokens")), integer(extra.get("reasoning_tokens"))
    return TokenUsage(rest, read, write, output, reasoning, integer(extra.get("ephemeral_1h_input_tokens")))


# The way back from an exported document to the trajectory it was made from


Report = Callable[[str], None]


def restore(document: Mapping[str, Any], report: Report) -> Trajectory:
    """The trajectory that was exported. What was damaged since then is left out and passed to ``report``."""
    own = own_fields(document)
    values = merged(_read_root(document), own)
    trajectory = Trajectory("", "", Source("<atif>"))
    for field in msgspec.structs.fields(Trajectory):
        if field.name not in ("steps", "extra", "recording"):
            value = _converted(values.get(field.name), field.type, report)
            setattr(trajectory, field.name, getattr(trajectory, field.name) if value is _DAMAGED else value)
    extra = own.get("extra", mapping(document.get("extra")))
    trajectory.extra = {k: v for k, v in mapping(extra).items() if k != KEY or "extra" in own}
    base = msgspec.to_builtins(Source(trajectory.source.file))
    numbered: list[tuple[int, Step]] = []
    for part in (document, *objects(document.get("subagent_trajectories"))):
        lane = MAIN_LANE if part is document else part.get("trajectory_id")
        for value in sequence(part.get("steps")):
            step = _restored_step(value, lane, base, report) if isinstance(value, dict) else None
            if not isinstance(step, Step):
                report("a step that is not an object; skipped")
            else:
                number = own_fields(value).get("n")
                numbered.append((number if isinstance(number, int) else len(numbered), step))
    trajectory.steps = [step for _, step in sorted(numbered, key=lambda pair: pair[0])]
    return trajectory


def _restored_step(value: Values, lane: Any, base: Values, report: Report) -> Any:
    values = merged(_read_step(value, base), own_fields(value)) | {"lane": lane}
    calls = [_restored_call(call, mapping(values["source"])) for call in objects(value.get("tool_calls"))]
    for result in objects(mapping(value.get("observation")).get("results")):
        own = own_fields(result)
        waiting = (
            call
            for index, call in enumerate(calls)
            if "result" not in call
            and (index == own["call"] if "call" in own else call["id"] == result.get("source_call_id"))
        )
        if "content" in result and (call := next(waiting, None)) is not None:
            call["result"] = _restored_result(result, own, mapping(call["source"]))
    return _converted({**values, "calls": [*sequence(values["calls"]), *calls]}, Step, report)


def _restored_call(value: Values, source: Values) -> Values:
    own = own_fields(value)
    values: Values = merged(_read_call(value, own, source), own)
    return values


def _restored_result(value: Values, own: Values, source: Values) -> Values:
    values: Values = merged(_read_result(value, source), own)
    text, part = values["text"], values["stdout"]
    if isinstance(part, list):
        whole = isinstance(text, str) and len(part) == 2 and all(isinstance(n, int) for n in part)
        values["stdout"] = text[slice(*part)] if whole else None
    return values


_DAMAGED = object()


def _converted(value: Any, kind: Any, report: Report) -> Any:
    """The value as one of the model; _DAMAGED (reported) if it is of another shape."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        report(f"a value of unexpected shape ({error}); skipped")
        return _DAMAGED


def first_text(values: Any) -> str | None:
    return values[0] if isinstance(values, list) and values and isinstance(values[0], str) else None


def is_own(document: Mapping[str, Any]) -> bool:
    """Whether :func:`to_atif` wrote this document."""
    return own_fields(document).get("version") == VERSION


def own_fields(value: Any) -> Values:
    """What our exporter added to an object of a document."""
    extra = value.get("extra") if isinstance(value, Mapping) else None
    return mapping(mapping(extra).get(KEY))
