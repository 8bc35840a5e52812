"""ATIF documents that others wrote: versions 1.0 to 1.8, with the additions of known converters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from ...logfile import LogError, LogFile
from ...model import MAIN_LANE, Lane, Role, Source, Spawn, Step, ToolCall, Trajectory
from ...tools import interpret, text_of
from ..claude_code.text import role_of, slash_command
from ..codex.codemode.batches import Batches
from ..codex.kinds import HARNESS_TEXT
from ..shared.builder import SessionBuilder
from ..shared.values import arguments, iso_time, mapping, objects, optional, sequence, span, step_times, string
from .results import call_of, result_of
from .totals import leftovers, set_totals, usage_of

# What harnesses other than Claude Code say in the user's place.
_HARNESS = (*HARNESS_TEXT, "<session_context>", "Base directory for this skill:")
_COMPACTION = ("Performed context summarization", "Context compaction performed")
_PLACEHOLDER = re.compile(r"Executed (\S+) (\S+)")
# Harbor stamps SWE-agent's steps with the time of conversion.
_NO_TIMES = ("swe-agent", "sweagent", "swe_agent")


class _Document(Struct):
    """A sub-agent's document. ``taken``: its lane was made already (a document is known by each of its ids)."""

    content: Mapping[str, Any]
    taken: bool = False


Embedded = dict[str, _Document]
"""Embedded sub-agents by each of their ids."""


def import_document(document: Mapping[str, Any], log: LogFile) -> Trajectory:
    """The trajectory of one document and of the files it refers to (sub-agents, continuations)."""
    return _Import(log).trajectory(document)


class _Import(SessionBuilder):
    repeated_calls = "keep"

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.agent = ""
        self.clock = True
        self.count = 0
        self.scripts = Batches(interpret)
        self.files: set[Path] = {log.path.resolve()} if log.path is not None else set()

    def trajectory(self, document: Mapping[str, Any]) -> Trajectory:
        agent = mapping(document.get("agent"))
        about = mapping(agent.get("extra"))
        self.agent = string(agent.get("name"))
        self.clock = self.agent.lower() not in _NO_TIMES
        identity = optional(document.get("session_id")) or optional(document.get("trajectory_id"))
        trajectory = Trajectory(
            identity or Path(self.log.name).stem,
            "atif",
            Source(self.log.name),
            self.steps,
            agent=self.agent or None,
            agent_version=_known(agent.get("version")),
            model=_known(agent.get("model_name")),
            lanes=self.lanes,
        )
        self.document(document, MAIN_LANE, self.log)
        self.continuations(document)
        self.link_side_chains()
        trajectory.cwd = _first(about.get("cwds")) or optional(about.get("cwd")) or self.stated(document, "cwd")
        branches = about.get("git_branches")
        trajectory.branch = _first(branches) or self.stated(document, "git_branch")
        trajectory.started_at, trajectory.ended_at = span(step_times(self.steps))
        set_totals(trajectory, mapping(document.get("final_metrics")))
        trajectory.extra = leftovers(document)
        trajectory.unread_calls = self.scripts.undecided
        # Claude Code flags every failed command; converters that keep the flag keep it on all of them.
        trajectory.states_failure = self.agent == "claude-code" and any(
            c.result is not None and c.result.is_error is not None for c in self.calls.values()
        )
        if not trajectory.model:
            trajectory.model = next((s.model for s in self.steps if s.model), None)
        return trajectory

    def stated(self, document: Mapping[str, Any], name: str) -> str | None:
        for step in sequence(document.get("steps"))[:20]:
            found = optional(mapping(mapping(step).get("extra")).get(name))
            if found is not None:
                return found
        return None

    def document(self, document: Mapping[str, Any], lane: str, log: LogFile) -> None:
        embedded: Embedded = {}
        for sub in map(_Document, objects(document.get("subagent_trajectories"))):
            for name in ("trajectory_id", "session_id"):
                identity = optional(sub.content.get(name))
                if identity is not None:
                    embedded.setdefault(identity, sub)
        copied = 0
        for number, value in enumerate(sequence(document.get("steps")), 1):
            if not isinstance(value, dict):
                log.skip(None, f"step {number} is not an object; skipped")
            elif value.get("is_copied_context") is True:
                copied += 1
            else:
                self.step(value, lane, log, embedded)
        if copied:
            log.skip(None, f"{copied} steps are copies of an earlier trajectory's; skipped")
        for identity, sub in embedded.items():
            self.subagent(identity, sub, lane, None, {}, log)

    def step(self, value: dict[str, Any], lane: str, log: LogFile, embedded: Embedded) -> None:
        extra = mapping(value.get("extra"))
        lane = self.side_chain(extra, lane)
        source = Source(log.name)
        time = iso_time(value.get("timestamp")) if self.clock else None
        text = text_of(value.get("message"))
        reasoning = string(value.get("reasoning_content"))
        if value.get("source") != "agent":
            self.other(value, text, lane, log, embedded, time)
            return
        if reasoning and text.startswith(reasoning) and self.agent.lower() in _NO_TIMES:
            # Harbor gives SWE-agent's whole reply as message and its thought once more as reasoning.
            text, reasoning = reasoning, ""
        step = self.begin(source, time, lane=lane)
        step.text, step.reasoning, step.model = text, reasoning, optional(value.get("model_name"))
        step.message_id = optional(extra.get("message_id")) or optional(extra.get("id"))
        step.usage = usage_of(mapping(value.get("metrics")), self.agent)
        for called in sequence(value.get("tool_calls")) or self.typed(step):
            call = call_of(called, self.count, source, time) if isinstance(called, dict) else None
            self.count += 1
            if call is None:
                log.skip(None, "a tool call without a name; skipped")
                continue
            script = mapping(call.input).get("input") if call.name == "exec" else None
            made = [call] if not isinstance(script, str) else self.scripts.start(call.id, script, source, time)
            step.calls += made
            self.calls.update({c.id: c for c in made})
        said = _PLACEHOLDER.fullmatch(step.text)
        if said is not None and any(c.id == said[2] or c.name == said[1] for c in step.calls):
            step.text = ""
            step = self.rejoined(step)
        self.results(value, step, extra, log, embedded)

    def typed(self, step: Step) -> list[dict[str, Any]]:
        """The commands of a Terminus reply kept raw: JSON with analysis, plan and keystrokes."""
        if not step.text.startswith("{") or '"commands"' not in step.text:
            return []
        value = mapping(arguments(step.text))
        commands = [c for c in sequence(value.get("commands")) if isinstance(c, dict)]
        calls = [
            {"tool_call_id": f"call_{self.count + n}", "function_name": "bash_command", "arguments": command}
            for n, command in enumerate(commands)
        ]
        if value.get("task_complete") is True:
            name = f"call_{self.count}_task_complete"
            calls.append({"tool_call_id": name, "function_name": "mark_task_complete", "arguments": {}})
        said = [f"{k.capitalize()}: {value[k]}" for k in ("analysis", "plan") if isinstance(value.get(k), str)]
        if calls and said:
            step.text = "\n".join(said)
        return calls

    def rejoined(self, step: Step) -> Step:
        """Older converters wrote each call of a reply as a step of its own, with the metrics on the first one only."""
        before = next((s for s in reversed(self.steps[:-1]) if s.lane == step.lane), None)
        if step.usage is not None or before is None or before.role != "agent" or before.usage is None:
            return step
        self.steps.remove(step)
        before.calls.extend(step.calls)
        if step.reasoning not in before.reasoning:
            before.reasoning = f"{before.reasoning}\n{step.reasoning}".strip()
        return before

    def other(
        self, value: dict[str, Any], text: str, lane: str, log: LogFile, embedded: Embedded, time: float | None
    ) -> None:
        """A step that no agent took: words of the user or the harness, or actions of the infrastructure."""
        source = Source(log.name)
        role: Role = self.role(text, lane) if value.get("source") == "user" else "harness"
        if role == "user" and self.agent.startswith("terminus") and any(s.role == "agent" for s in self.steps):
            # Terminus has no dialogue: after the task, Terminus itself speaks in the user's place.
            role = "harness"
        if role == "harness" and lane == MAIN_LANE and (typed := slash_command(text)) is not None:
            role, text = "user", typed
        if text.startswith('{"type": "image"'):
            text = "[image]"
        management = mapping(mapping(value.get("extra")).get("context_management"))
        if management.get("type") == "compaction" or (role == "harness" and text.startswith(_COMPACTION)):
            role = "compaction"
        step = Step(role, source, lane=lane, text=text, time=time)
        if text:
            self.steps.append(step)
        for result in sequence(mapping(value.get("observation")).get("results")):
            if not isinstance(result, dict):
                continue
            identity = result.get("source_call_id")
            call = self.calls.get(identity) if isinstance(identity, str) else None
            made = result_of(call, result, {}, source, time)
            if call is not None and call.result is None:
                call.result = made
            elif made.text and role == "compaction":
                step.text = made.text
            elif made.text:
                self.say("harness", made.text, source, time, lane=lane)
            self.references(result, step, call, log, embedded)

    def results(
        self, value: dict[str, Any], step: Step, extra: dict[str, Any], log: LogFile, embedded: Embedded
    ) -> None:
        results = sequence(mapping(value.get("observation")).get("results"))
        about_step = extra if len(results) == 1 else {}
        unnamed = sum(isinstance(r, dict) and not r.get("source_call_id") for r in results)
        for result in results:
            if not isinstance(result, dict):
                log.skip(None, "an observation result that is not an object; skipped")
                continue
            call = self.owner(result.get("source_call_id"), step, unnamed)
            refers = self.references(result, step, call, log, embedded)
            if result.get("content") is None and refers:
                continue
            if call is not None and self.scripts.output(call.id, result.get("content"), step.source, step.time):
                continue
            if call is not None and call.name == "wait":
                cell = mapping(call.input).get("cell_id")
                self.scripts.waited(cell, result.get("content"), step.source, step.time)
            made = result_of(call, result, about_step, step.source, None)
            if call is not None and call.result is None:
                call.result = made
                self.spawned(call, result, about_step)
            elif made.text:
                self.say("harness", made.text, step.source, lane=step.lane)

    def owner(self, identity: Any, step: Step, unnamed: int) -> ToolCall | None:
        """The call of a result. Without ids, results are in the order of the calls; a single one is the last call's."""
        if isinstance(identity, str) and identity:
            found = next((c for c in step.calls if c.id == identity), None) or self.calls.get(identity)
            if found is not None:
                return found
        waiting = [c for c in step.calls if c.result is None]
        ran = [c for c in waiting if c.name not in ("mark_task_complete", "task_complete")] or waiting
        if not ran:
            return None
        return ran[0] if unnamed > 1 else ran[-1]

    def role(self, text: str, lane: str) -> Role:
        if lane != MAIN_LANE or text[:80].lstrip().startswith(_HARNESS):
            return "harness"
        return role_of(text)

    # Sub-agents.

    def side_chain(self, extra: dict[str, Any], lane: str) -> str:
        """The lane of a step that Harbor put between the main agent's."""
        if extra.get("is_sidechain") is not True:
            return lane
        name = optional(extra.get("agent_id")) or "sidechain"
        self.lanes.setdefault(name, Lane(name, MAIN_LANE))
        return name

    def spawned(self, call: ToolCall, result: dict[str, Any], step_extra: dict[str, Any]) -> None:
        if not isinstance(call.action, Spawn):
            return
        extra = mapping(result.get("extra"))
        metadata = mapping(extra.get("tool_result_metadata") or step_extra.get("tool_result_metadata"))
        name = optional(mapping(metadata.get("tool_use_result")).get("agentId"))
        if name is not None:
            lane = self.lanes.setdefault(name, Lane(name, MAIN_LANE))
            call.action.lane, lane.parent_call = name, call.id
            lane.agent_type = optional(mapping(call.input).get("subagent_type")) or call.action.description
            lane.prompt = call.action.prompt

    def link_side_chains(self) -> None:
        """Joins side chains to the calls that started them, by the prompt if no id does; drops the empty ones."""
        used = {s.lane for s in self.steps}
        for name in [n for n in self.lanes if n not in used]:
            del self.lanes[name]
            for call in self.calls.values():
                if isinstance(call.action, Spawn) and call.action.lane == name:
                    call.action.lane = None
        open_calls = [c for s in self.steps for c in s.calls if isinstance(c.action, Spawn) and c.action.lane is None]
        for lane in self.lanes.values():
            first = next((s for s in self.steps if s.lane == lane.id), None)
            if lane.parent_call is not None or first is None:
                continue
            for call in open_calls:
                if isinstance(call.action, Spawn) and call.action.lane is None:
                    prompt = call.action.prompt.strip()
                    if prompt and first.text.strip() == prompt:
                        call.action.lane, lane.parent_call, lane.prompt = lane.id, call.id, call.action.prompt
                        break

    def references(
        self, result: dict[str, Any], step: Step, call: ToolCall | None, log: LogFile, embedded: Embedded
    ) -> bool:
        refs = result.get("subagent_trajectory_ref")
        found = [ref for ref in (refs if isinstance(refs, list) else [refs]) if isinstance(ref, dict)]
        for ref in found:
            self.reference(ref, step, call, log, embedded)
        return bool(found)

    def reference(
        self, ref: dict[str, Any], step: Step, call: ToolCall | None, log: LogFile, embedded: Embedded
    ) -> None:
        name = optional(ref.get("trajectory_id")) or optional(ref.get("session_id"))
        path = optional(ref.get("trajectory_path"))
        sub = embedded.get(name) if name is not None else None
        if sub is not None:
            self.subagent(name or "", sub, step.lane, call, mapping(ref.get("extra")), log)
        elif path is not None:
            other = self.file(path, log)
            if other is not None:
                found, its_log = other
                about = mapping(ref.get("extra"))
                self.subagent(name or Path(path).stem, _Document(found), step.lane, call, about, its_log)

    def subagent(
        self,
        name: str,
        document: _Document,
        parent: str,
        call: ToolCall | None,
        about: dict[str, Any],
        log: LogFile,
    ) -> None:
        if document.taken:
            return
        document.taken = True
        identity = name
        while identity in self.lanes or identity == MAIN_LANE:
            identity += "+"
        agent = mapping(document.content.get("agent"))
        kind = optional(about.get("agent_name")) or optional(mapping(agent.get("extra")).get("subagent_name"))
        lane = Lane(identity, parent, call.id if call is not None else None, kind or optional(agent.get("name")))
        self.lanes[identity] = lane
        if call is not None and isinstance(call.action, Spawn):
            call.action.lane, lane.prompt = identity, call.action.prompt
        self.document(document.content, identity, log)

    def file(self, path: str, log: LogFile) -> tuple[dict[str, Any], LogFile] | None:
        """Another document that this one refers to, if it is there and was not read before."""
        if log.path is None or "://" in path:
            return None
        target = log.path.parent / path
        if not target.is_file():
            target = log.path.parent / Path(path).name
        if not target.is_file() or target.resolve() in self.files:
            return None
        self.files.add(target.resolve())
        other = log.sibling(target)
        try:
            document = other.document()
        except LogError as error:
            log.skip(None, f"cannot be read ({error.reason})", file=str(target))
            return None
        return (document, other) if isinstance(document, dict) else None

    def continuations(self, document: Mapping[str, Any]) -> None:
        log, current = self.log, document
        while (path := optional(current.get("continued_trajectory_ref"))) is not None:
            found = self.file(path, log)
            if found is None:
                return
            current, log = found
            self.document(current, MAIN_LANE, log)


def _known(value: Any) -> str | None:
    return value if isinstance(value, str) and value and value != "unknown" else None


def _first(value: Any) -> str | None:
    return optional(value[0]) if isinstance(value, list) and value else None
