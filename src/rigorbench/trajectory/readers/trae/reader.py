"""trae-agent trajectories: one JSON document with every model call and every step of the agent loop.

``llm_interactions`` are the model calls (with exact usage), ``agent_steps`` the rounds of the loop: the same answer,
the tool results, and the error that ended a round. A round that failed before an answer came has no interaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...logfile import LogFile
from ...model import EndState, Result, Source, Step, ToolCall, Trajectory, Usage
from ...tools import interpret, text_of
from ..shared.loose import difference, integer, iso_time, mapping, optional, sequence, span, step_times, string

_ROOT = re.compile(r"\[Project root path\]:\s*\n?([^\n]+)")
# Vendors whose ``input_tokens`` leave out what came from the prompt cache.
_DISJOINT = ("anthropic", "bedrock")


class TraeReader:
    format = "trae"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if b'"llm_interactions"' not in head and not (b'"agent_steps"' in head or b'"max_steps"' in head):
            return False
        document = mapping(log.head_document)
        return ("llm_interactions" in document or "agent_steps" in document) and (
            "task" in document or "start_time" in document or "provider" in document
        )

    def owner(self, path: Path) -> Path | None:
        return path

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        document = mapping(log.document())
        rounds = [r for r in sequence(document.get("agent_steps")) if isinstance(r, dict)]
        interactions = [i for i in sequence(document.get("llm_interactions")) if isinstance(i, dict)]
        for name, kept in (("agent_steps", rounds), ("llm_interactions", interactions)):
            lost = len(sequence(document.get(name))) - len(kept)
            if lost:
                log.skip(None, f"{lost} entries of {name} that are no objects; skipped")
        source = Source(log.name)
        builder = _Builder(source, string(document.get("provider")).lower())
        builder.opening(document, interactions)
        answered = iter(interactions)
        for index, entry in enumerate(rounds):
            interaction = next(answered, None) if mapping(entry.get("llm_response")) else None
            builder.round(entry, interaction, last=index == len(rounds) - 1)
        for interaction in answered:  # calls whose round was never finished
            builder.round({}, interaction, last=False)
        trajectory = Trajectory(
            id=_identity(log),
            format=self.format,
            source=source,
            steps=builder.steps,
            agent="trae-agent",
            model=optional(document.get("model")) or next((s.model for s in builder.steps if s.model), None),
            cwd=builder.cwd,
            end=_end(document, rounds),
            states_failure=True,
        )
        trajectory.started_at, trajectory.ended_at = span(
            (iso_time(document.get("start_time")), iso_time(document.get("end_time")), *step_times(builder.steps))
        )
        if trajectory.steps:
            yield trajectory


class _Builder:
    def __init__(self, source: Source, provider: str) -> None:
        self.source, self.provider = source, provider
        self.steps: list[Step] = []
        self.cwd: str | None = None

    def opening(self, document: dict[str, Any], interactions: list[dict[str, Any]]) -> None:
        """The user's task: the first prompt's user messages, or the task alone when no call was made."""
        prompt = sequence(interactions[0].get("input_messages")) if interactions else []
        if not prompt:  # the first call failed: its prompt stands in the round
            rounds = sequence(document.get("agent_steps"))
            prompt = sequence(mapping(rounds[0]).get("llm_messages")) if rounds else []
        texts = [text_of(m.get("content")) for m in prompt if isinstance(m, dict) and m.get("role") == "user"]
        texts = [t for t in texts if t] or [t for t in (string(document.get("task")),) if t]
        time = iso_time(document.get("start_time"))
        for text in texts:
            root = _ROOT.search(text[:5000])
            if root is not None and self.cwd is None:
                self.cwd = root[1].strip()
            self.steps.append(Step("user", self.source, text=text, time=time))

    def round(self, entry: dict[str, Any], interaction: dict[str, Any] | None, *, last: bool) -> None:
        answer = mapping(entry.get("llm_response")) or mapping(mapping(interaction).get("response"))
        made = mapping(mapping(interaction).get("response"))
        if answer:
            step = Step(
                "agent",
                self.source,
                text=text_of(answer.get("content")),
                reasoning=string(answer.get("reasoning")) or string(answer.get("reasoning_content")),
                usage=_usage(mapping(made.get("usage")) or mapping(answer.get("usage")), self.provider),
                model=optional(answer.get("model")),
                time=iso_time(mapping(interaction).get("timestamp")) or iso_time(entry.get("timestamp")),
            )
            records = sequence(entry.get("tool_calls")) or sequence(answer.get("tool_calls"))
            step.calls = [self._call(r, step.time) for r in records if isinstance(r, dict)]
            self._results(entry, step.calls)
            self.steps.append(step)
        self._harness(entry, last)

    def _call(self, record: dict[str, Any], time: float | None) -> ToolCall:
        name, args = string(record.get("name")), record.get("arguments")
        return ToolCall(
            string(record.get("call_id")) or string(record.get("id")),
            name,
            args,
            interpret(name, args),
            self.source,
            time=time,
        )

    def _results(self, entry: dict[str, Any], calls: list[ToolCall]) -> None:
        by_id = {call.id: call for call in calls}
        time = iso_time(entry.get("timestamp"))
        for record in sequence(entry.get("tool_results")):
            record = mapping(record)
            call = by_id.get(string(record.get("call_id")))
            if call is not None:
                call.result = _result(record, call, time, self.source)

    def _harness(self, entry: dict[str, Any], last: bool) -> None:
        """What the loop told the model next: reminders, reflections, the error of the round."""
        time = iso_time(entry.get("timestamp"))
        texts = [
            text_of(m.get("content"))
            for m in sequence(entry.get("llm_messages"))
            if isinstance(m, dict) and m.get("role") == "user" and not m.get("tool_result")
        ]
        opening = {s.text for s in self.steps if s.role == "user"}
        texts = [t for t in texts if t not in opening]
        reflection = string(entry.get("reflection"))
        if reflection and reflection not in texts:
            texts.append(reflection)
        if last or entry.get("error"):
            texts.append(string(entry.get("error")))
        self.steps += [Step("harness", self.source, text=text, time=time) for text in texts if text]


def _result(record: dict[str, Any], call: ToolCall, time: float | None, source: Source) -> Result:
    """trae-agent gives the model the output and, below it, the error stream; success is "ended with status 0"."""
    error = string(record.get("error"))
    text = "\n".join(filter(None, (text_of(record.get("result")), error)))
    success = record.get("success")
    result = Result(text, is_error=None if not isinstance(success, bool) else not success, time=time, source=source)
    if "timed out" in error[:400] and "bash has not returned" in error[:400]:
        result.timed_out = result.interrupted = True
    return result


def _usage(usage: dict[str, Any], provider: str) -> Usage | None:
    prompt, output = integer(usage.get("input_tokens")), integer(usage.get("output_tokens"))
    if prompt is None and output is None:
        return None
    read, written = integer(usage.get("cache_read_input_tokens")), integer(usage.get("cache_creation_input_tokens"))
    if provider not in _DISJOINT:
        prompt = difference(prompt, read, written)
    return Usage(prompt, read, written, output, integer(usage.get("reasoning_tokens")))


def _identity(log: LogFile) -> str:
    """The file's name, or its folder's where the file has the name that trae-agent gives to all of them."""
    if log.path is None:
        return log.name
    stem = log.path.stem
    return (log.path.resolve().parent.name or stem) if stem == "trajectory" else stem


def _end(document: dict[str, Any], rounds: list[dict[str, Any]]) -> EndState | None:
    if document.get("success") is True:
        return "completed"
    if "exceeded maximum steps" in string(document.get("final_result")):
        return "limit"
    if rounds and (rounds[-1].get("error") or rounds[-1].get("state") == "error"):
        return "error"
    return None


READERS = (TraeReader(),)
