"""What rollouts and streams of Codex share: the steps of a thread, and which of them a token count belongs to."""

from __future__ import annotations

from typing import Any

from ...logfile import LogFile
from ...model import MAIN_LANE, Source, Step
from ...usage import TokenUsage
from ..shared.builder import SessionBuilder
from ..shared.values import mapping, optional
from .records import Record, minus, same_count, usage_of


class CodexBuilder(SessionBuilder):
    """One thread. ``turn_model``: the model of the current turn; ``model`` is the first one of the thread."""

    def __init__(self, log: LogFile, lane: str = MAIN_LANE) -> None:
        super().__init__(log, lane)
        self.turn_model: str | None = None
        self._waiting: list[tuple[TokenUsage, Source, float | None]] = []
        self._usage_first = False
        self._total: Any = None

    def on_started(self, source: Source, time: float | None, _: Record) -> None:
        self.end = None

    def on_complete(self, source: Source, time: float | None, _: Record) -> None:
        self.close()
        self.end = "completed"

    def on_aborted(self, source: Source, time: float | None, event: Record) -> None:
        reason = event.get("reason")
        if reason != "review_ended":
            self.end = "limit" if reason == "budget_limited" else "interrupted"
            self.say("interrupt", f"turn aborted: {optional(reason) or 'interrupted'}", source, time)

    def on_error(self, source: Source, time: float | None, event: Record) -> None:
        text = optional(event.get("message")) or "error"
        self.end = "limit" if "usage limit" in text or "context window" in text else "error"
        self.say("harness", f"error: {text}", source, time)

    def on_tokens(self, source: Source, time: float | None, event: Record) -> None:
        info = mapping(event.get("info"))
        total, last = info.get("total_token_usage"), info.get("last_token_usage")
        if "input_tokens" in event:
            last = event  # summer 2025: the count of one response, without an envelope
        if isinstance(total, dict):
            if same_count(total, self._total):
                return
            last = last or minus(total, mapping(self._total))
            self._total = total
        if isinstance(last, dict):
            self.usage(usage_of(last), source, time)

    def begin(
        self, source: Source, time: float | None = None, *, lane: str | None = None, model: str | None = None
    ) -> Step:
        while len(self._waiting) > 1:
            self._without_items(*self._waiting.pop(0))
        step = super().begin(source, time, lane=lane, model=self.turn_model)
        if self._waiting:
            step.usage = self._waiting.pop()[0]
        return step

    def usage(self, usage: TokenUsage, source: Source, time: float | None, response_id: str | None = None) -> None:
        """The usage of a model call: of the step that was just written, or of the next one."""
        step = self._open.get(self.lane)
        if step is not None:
            if step.usage is not None:
                # That one was stated before the step began: a call that left no items.
                self._without_items(step.usage, source, step.time, before=step)
            step.usage, step.message_id = usage, response_id
            self.close()
            return
        if self.steps and self.steps[-1].role == "compaction" and self.steps[-1].usage is None:
            self.steps[-1].usage = usage
            return
        last = self.last.get(self.lane)
        if last is not None and last.usage is None and not self._usage_first:
            last.usage, last.message_id = usage, response_id
            return
        self._usage_first = True
        self._waiting.append((usage, source, time))

    def place_usage(self) -> None:
        """At the end of the log: steps for the usages that no item followed."""
        for usage, source, time in self._waiting:
            self._without_items(usage, source, time)
        self._waiting.clear()

    def _without_items(self, usage: TokenUsage, source: Source, time: float | None, before: Step | None = None) -> None:
        step = Step("agent", source, self.lane, usage=usage, model=self.turn_model, time=time)
        at = (i for i in range(len(self.steps) - 1, -1, -1) if self.steps[i] is before)
        self.steps.insert(next(at, len(self.steps)), step)
