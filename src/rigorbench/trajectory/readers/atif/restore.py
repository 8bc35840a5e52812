"""The way back from an exported ATIF document to the trajectory it was made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ...model import MAIN_LANE, Action, Lane, Result, Skipped, Source, Step, ToolCall, Trajectory
from ...tools import interpret
from ...usage import Usage
from ..shared.values import iso_time, mapping, sequence
from .own import KEY, own_fields, usage_of

_ROLES = {"agent": "agent", "user": "user", "system": "harness"}
_PLAIN = (
    "start_commit", "started_at", "ended_at", "usage_complete", "end", "complete", "unread", "states_failure",
    "unread_calls",
    "cwd", "branch",
)  # fmt: skip

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
            "agent": agent.get("name") if "agent" not in own else own["agent"],
            "agent_version": agent.get("version") if "agent_version" not in own else own["agent_version"],
            "model": agent.get("model_name"),
            "cwd": _first(about.get("cwds")),
            "branch": _first(about.get("git_branches")),
        }
        fields.update({name: own[name] for name in _PLAIN if name in own})
        trajectory: Trajectory | None = self.convert(
            {"source": {"file": self.file, "line": line}, "steps": [], **fields}, Trajectory
        )
        if trajectory is None:
            trajectory = Trajectory(str(fields["id"]), str(fields["format"]), Source(self.file), [])
        trajectory.extra = (
            dict(mapping(own["extra"])) if "extra" in own else {k: v for k, v in extra.items() if k != KEY}
        )
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
        fields: dict[str, Any] = {
            "role": own.get("role", _ROLES.get(str(value.get("source")), "harness")),
            "source": self.location(own, Source(self.file)),
            "lane": lane,
            "text": value.get("message"),
            "reasoning": own.get("reasoning") or value.get("reasoning_content") or "",
            "model": own["model"] if "model" in own else value.get("model_name"),
            "message_id": own.get("message_id"),
            "time": own["time"] if "time" in own else iso_time(value.get("timestamp")),
            "calls": own.get("calls", []),
        }
        step: Step | None = self.convert(fields, Step)
        if step is None:
            return None
        step.usage = _usage(own["usage"]) if "usage" in own else usage_of(mapping(value.get("metrics")))
        for call in sequence(value.get("tool_calls")):
            made = self.call(call, step.source) if isinstance(call, dict) else None
            if made is not None:
                step.calls.append(made)
        for result in sequence(mapping(value.get("observation")).get("results")):
            if isinstance(result, dict):
                self.result(result, step.calls)
        return step

    def call(self, value: dict[str, Any], base: Source) -> ToolCall | None:
        own = own_fields(value)
        name, arguments = value.get("function_name"), value.get("arguments")
        identity = value.get("tool_call_id")
        if not isinstance(name, str) or not isinstance(identity, str):
            self.report("a tool call without name or id; skipped")
            return None
        if own.get("bare") is True:
            arguments = mapping(arguments).get("input")
        action = interpret(name, arguments)
        if "action" in own:
            action = self.action(action, mapping(own["action"])) or action
        time = own.get("time")
        source = self.convert(self.location(own, base), Source) or base
        return ToolCall(identity, name, arguments, action, source, time=time if _number(time) else None)

    def action(self, understood: Action, change: dict[str, Any]) -> Action | None:
        data = msgspec.to_builtins(understood)
        if "is" in change:
            data = change["is"]
        elif "changes" in change:
            for old, new in zip(data.get("changes", ()), sequence(change["changes"]), strict=False):
                old.update(mapping(new))
        else:
            data.update(mapping(change.get("but")))
        found: Action | None = self.convert(data, Action)
        return found

    def result(self, value: dict[str, Any], calls: list[ToolCall]) -> None:
        own, extra = own_fields(value), mapping(value.get("extra"))
        if own.get("none") is True:
            return
        index = own.get("call")
        if isinstance(index, int) and 0 <= index < len(calls):
            call: ToolCall | None = calls[index]
        else:
            identity = value.get("source_call_id")
            call = next((c for c in calls if c.id == identity and c.result is None), None)
        if call is None:
            self.report("a result whose call is not in its step; skipped")
            return
        text = value.get("content")
        fields: dict[str, Any] = {
            "text": text,
            "exit_status": extra.get("exit_code"),
            "is_error": extra.get("is_error"),
        }
        fields.update({k: v for k, v in own.items() if k not in ("call", "file", "line", "source", "stdout")})
        stdout = own.get("stdout")
        if isinstance(stdout, list) and len(stdout) == 2 and isinstance(text, str):
            stdout = text[slice(*stdout)] if all(isinstance(n, int) for n in stdout) else None
        fields["stdout"] = stdout
        fields["source"] = None if "source" in own else self.location(own, call.source)
        call.result = self.convert(fields, Result)

    def location(self, own: dict[str, Any], base: Source) -> dict[str, Any]:
        return {"file": own.get("file", base.file), "line": own.get("line", base.line)}

    def convert(self, value: Any, kind: Any) -> Any:
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            self.report(f"a value of unexpected shape ({error}); skipped")
            return None


def _usage(numbers: Any) -> Usage | None:
    # Older exports do not keep apart what is cached for an hour.
    if not isinstance(numbers, list) or not 5 <= len(numbers) <= len(Usage.__struct_fields__):
        return None
    return Usage(*(n if isinstance(n, int) and not isinstance(n, bool) else None for n in numbers))


def _first(values: Any) -> str | None:
    return values[0] if isinstance(values, list) and values and isinstance(values[0], str) else None


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
