"""trae-agent trajectories: one JSON document with every model call and every step of the agent loop.

``llm_interactions`` are the model calls (with exact usage), ``agent_steps`` the rounds of the loop: the same answer,
the tool results, and the error that ended a round. A round that failed before an answer came has no interaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..logfile import LogFile
from ..model import EndState, Result, Source, Trajectory
from ..reader import Reader
from ..tools import interpret, text_of
from .shared.builder import SessionBuilder
from .shared.usage import named_usage
from .shared.values import flag, iso_time, joined, mapping, objects, optional, sequence, string

_ROOT = re.compile(r"\[Project root path\]:\s*\n?([^\n]+)")
_CACHE = ("cache_read_input_tokens", "cache_creation_input_tokens")
_USAGE = ("input_tokens", *_CACHE, "output_tokens", "reasoning_tokens")
# Vendors whose ``input_tokens`` exclude what came from the prompt cache.
_DISJOINT = ("anthropic", "bedrock")


class TraeReader(Reader):
    format, marks = "trae", (b'"llm_interactions"', b'"agent_steps"')

    def is_record(self, value: dict[str, Any]) -> bool:
        rounds = "llm_interactions" in value or "agent_steps" in value
        return rounds and ("task" in value or "start_time" in value or "provider" in value)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        document = mapping(log.document())
        rounds, interactions = objects(document.get("agent_steps")), objects(document.get("llm_interactions"))
        for name, kept in (("agent_steps", rounds), ("llm_interactions", interactions)):
            lost = len(sequence(document.get(name))) - len(kept)
            if lost:
                log.skip(None, f"{lost} entries of {name} that are no objects; skipped")
        session = _Session(log, string(document.get("provider")).lower())
        session.opening(document, interactions)
        answered = iter(interactions)
        for index, entry in enumerate(rounds):
            interaction = next(answered, None) if mapping(entry.get("llm_response")) else None
            session.round(entry, interaction, last=index == len(rounds) - 1)
        for interaction in answered:  # calls whose round was never finished
            session.round({}, interaction, last=False)
        if not session.steps:
            return
        trajectory = Trajectory(
            id=_identity(log),
            format=self.format,
            source=session.source,
            agent="trae-agent",
            model=optional(document.get("model")),
            end=_end(document, rounds),
            # Both are written when the run ends, the rest after every round.
            complete=None if document.get("end_time") or document.get("success") else False,
            states_failure=True,
        )
        for name in ("start_time", "end_time"):
            session.at(iso_time(document.get(name)))
        yield session.finish(trajectory)


class _Session(SessionBuilder):
    def __init__(self, log: LogFile, provider: str) -> None:
        super().__init__(log)
        self.source, self.provider = Source(log.name), provider

    def opening(self, document: dict[str, Any], interactions: list[dict[str, Any]]) -> None:
        """The user's task: the first prompt's user messages, or the task alone when no call was made."""
        prompt = sequence(interactions[0].get("input_messages")) if interactions else []
        if not prompt:  # the first call failed: its prompt is in the round
            rounds = sequence(document.get("agent_steps"))
            prompt = sequence(mapping(rounds[0]).get("llm_messages")) if rounds else []
        texts = [text for m in objects(prompt) if m.get("role") == "user" and (text := text_of(m.get("content")))]
        time = iso_time(document.get("start_time"))
        for text in texts or filter(None, [string(document.get("task"))]):
            root = _ROOT.search(text[:5000])
            if root is not None and self.cwd is None:
                self.cwd = root[1].strip()
            self.say("user", text, self.source, time)

    def round(self, entry: dict[str, Any], interaction: dict[str, Any] | None, *, last: bool) -> None:
        made = mapping(mapping(interaction).get("response"))
        time = iso_time(entry.get("timestamp"))
        if answer := mapping(entry.get("llm_response")) or made:
            step = self.begin(self.source, iso_time(mapping(interaction).get("timestamp")) or time)
            step.text = text_of(answer.get("content"))
            step.reasoning = string(answer.get("reasoning")) or string(answer.get("reasoning_content"))
            counts = mapping(made.get("usage")) or mapping(answer.get("usage"))
            step.usage = named_usage(counts, _USAGE, cache_in_prompt=self.provider not in _DISJOINT)
            step.model = optional(answer.get("model"))
            for record in objects(sequence(entry.get("tool_calls")) or answer.get("tool_calls")):
                name, args = string(record.get("name")), record.get("arguments")
                identity = string(record.get("call_id")) or string(record.get("id"))
                self.call(step, identity, name, args, interpret(name, args), self.source, step.time)
            by_id = {call.id: call for call in step.calls}
            for record in objects(entry.get("tool_results")):
                call = by_id.get(string(record.get("call_id")))
                if call is not None:
                    call.result = _result(record, time, self.source)
        # What the loop sends to the model next: reminders, reflections, the error of the round.
        texts = [
            text_of(m.get("content"))
            for m in objects(entry.get("llm_messages"))
            if m.get("role") == "user" and not m.get("tool_result")
        ]
        opening = {s.text for s in self.steps if s.role == "user"}
        texts = [t for t in texts if t not in opening]
        reflection = string(entry.get("reflection"))
        if reflection and reflection not in texts:
            texts.append(reflection)
        if last or entry.get("error"):
            texts.append(string(entry.get("error")))
        for text in filter(None, texts):
            self.say("harness", text, self.source, time)


def _result(record: dict[str, Any], time: float | None, source: Source) -> Result:
    """trae-agent gives the model the output and, below it, the error stream; success means exit status 0."""
    error = string(record.get("error"))
    success = flag(record.get("success"))
    failed = None if success is None else not success
    result = Result(joined(text_of(record.get("result")), error), is_error=failed, time=time, source=source)
    if "timed out" in error[:400] and "bash has not returned" in error[:400]:
        result.timed_out = result.interrupted = True
    return result


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
