"""Groups the items of a Codex log into steps, one per model call, and gives each call its own usage.

A log does not say which items one response made. A response ends where its usage is stated or where the first of its
results arrives, whichever is first. Versions differ in when they write the usage: after the items (0.50 and later),
after the results, or before the items (autumn 2025).
"""

from __future__ import annotations

from ...model import MAIN_LANE, Role, Source, Step, ToolCall, Usage


class Steps:
    def __init__(self, lane: str = MAIN_LANE) -> None:
        self.lane = lane
        self.steps: list[Step] = []
        self.model: str | None = None
        self._open: Step | None = None
        self._last_agent: Step | None = None
        self._waiting: list[tuple[Usage, Source, float | None]] = []
        self._usage_first = False

    def agent(self, source: Source, time: float | None) -> Step:
        """The step of the response that is being written; begins one if there is none."""
        step = self._open
        if step is None:
            while len(self._waiting) > 1:
                self._without_items(*self._waiting.pop(0))
            step = Step("agent", source, self.lane, model=self.model, time=time)
            if self._waiting:
                step.usage = self._waiting.pop()[0]
            self.steps.append(step)
            self._open = self._last_agent = step
        return step

    def call(self, call: ToolCall) -> None:
        self.agent(call.source, call.time).calls.append(call)

    def latest(self) -> Step | None:
        return self._last_agent

    def close(self) -> None:
        """A result has arrived, or somebody else speaks: what the model writes next is another response."""
        self._open = None

    def say(self, role: Role, text: str, source: Source, time: float | None) -> None:
        self._open = None
        self.steps.append(Step(role, source, self.lane, text=text, time=time))

    def usage(self, usage: Usage, source: Source, time: float | None, response_id: str | None = None) -> None:
        step = self._open
        if step is not None:
            if step.usage is not None:
                # That one was stated before the step began: a call that left no items.
                self._without_items(step.usage, source, step.time, before=step)
            step.usage, step.message_id = usage, response_id
            self._open = None
            return
        if self.steps and self.steps[-1].role == "compaction" and self.steps[-1].usage is None:
            self.steps[-1].usage = usage
            return
        last = self._last_agent
        if last is not None and last.usage is None and not self._usage_first:
            last.usage, last.message_id = usage, response_id
            return
        self._usage_first = True
        self._waiting.append((usage, source, time))

    def finish(self) -> list[Step]:
        for usage, source, time in self._waiting:
            self._without_items(usage, source, time)
        self._waiting.clear()
        return self.steps

    def _without_items(self, usage: Usage, source: Source, time: float | None, before: Step | None = None) -> None:
        step = Step("agent", source, self.lane, usage=usage, model=self.model, time=time)
        if before is not None:
            at = next(i for i in range(len(self.steps) - 1, -1, -1) if self.steps[i] is before)
            self.steps.insert(at, step)
        else:
            self.steps.append(step)
