"""The budget of a run: what its model calls send and write, what they cost, and the time of its agent.

Hooks of the engine count each model call, and check the budget before the next: the answer that crosses a limit is
kept, and the agent may still do what it says. The time limit ends the agent's own time, which stands still while a
model call is in progress. Importing this module registers the hooks; they do nothing for samples without a budget of
ours.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from math import inf
from typing import Any, Literal, NoReturn

import anyio
from inspect_ai.hooks import BeforeModelGenerate, Hooks, ModelUsageData, hooks
from inspect_ai.model import Model, ModelOutput, ModelUsage
from inspect_ai.util import LimitExceededError

from ...session.prices import call_price
from ...session.usage import TokenUsage
from ..experiment.grid import is_scripted
from ..experiment.records import Budget, LimitHit
from .failures import CallFailure, failure_of, full
from .repairs import repair_answers

Tokens = Mapping[str, int | None]

# All runs share the connections to a provider: a program that calls thousands of times at once would stop the others.
CALLS = 5_000  # of one run, also those that are refused
AT_ONCE = 8  # of one run; further ones wait, as those of many sub-agents do
WAITING = 32  # of one run; further ones are refused, since each keeps its request in memory

# Limits by their names in the engine.
_ENGINE: dict[str, Literal["token", "cost", "time"]] = {
    "token": "token",
    "context": "token",
    "cost": "cost",
    "time": "time",
}


class TooManyCallsError(Exception):
    """The answer to a model call while many others of its run wait; the bridge passes the status on."""

    status_code = 429


def usage_parts(usage: ModelUsage | None) -> dict[str, int | None] | None:
    """Every provider of the engine reports input without the tokens read from or written to the cache."""
    if usage is None:
        return None
    return {
        "input": usage.input_tokens,
        "cache_read": usage.input_tokens_cache_read,
        "cache_write": usage.input_tokens_cache_write,
        "output": usage.output_tokens,
        "reasoning": usage.reasoning_tokens,
    }


def sent(usage: Tokens) -> int:
    """Tokens of the request of a call, whether a cache served them or not: not every server tells."""
    return sum(usage.get(part) or 0 for part in ("input", "cache_read", "cache_write"))


def price(model: str, usage: Tokens) -> float | None:
    """Dollars for a call now, by list prices; None: the model has none that is known."""
    if is_scripted(model):
        return None
    # Providers leave out the counts of a cache that they do not have.
    parts = {part: usage.get(part) or 0 for part in ("input", "cache_read", "cache_write", "output")}
    return call_price(model, TokenUsage(**parts), time.time())


class Meter:
    """Counts the tokens, the cost and the time of one run against its budget."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.used = 0
        """Tokens sent and written (:attr:`Budget.metering`)."""
        self.largest = 0
        """Tokens of the largest request."""
        self.cost: float | None = 0.0
        """Dollars; None: the price of a call is not known."""
        self.calls = 0
        """Model calls, also those that were refused."""
        self.exceeded: LimitHit | None = None
        """The limit that was exceeded."""
        self.failure: CallFailure | None = None
        """Why the last attempt at a model call failed; None: it was answered."""
        self._slots = anyio.Semaphore(AT_ONCE)
        self._in_progress = 0
        self._scope: anyio.CancelScope | None = None
        self._worked, self._since = 0.0, time.monotonic()

    @property
    def worked(self) -> float:
        """Seconds in which no model call was in progress."""
        running = self._scope is not None and self._in_progress == 0
        return self._worked + (time.monotonic() - self._since if running else 0.0)

    @contextmanager
    def clock(self) -> Iterator[None]:
        """The block is the run of the agent, whose own time is limited.

        Raises:
            LimitExceededError: it took longer.
        """
        with anyio.CancelScope() as scope:
            self._scope = scope
            self._go_on()
            try:
                yield
            finally:
                self._worked, self._scope = self.worked, None
        if scope.cancelled_caught:
            limit = self.budget.seconds
            self._exceed("time", limit, self._worked, f"Time limit of {limit:g} seconds without model calls used up")

    def _go_on(self) -> None:
        self._since = time.monotonic()
        if self._scope is not None:
            self._scope.deadline = anyio.current_time() + self.budget.seconds - self._worked

    def add(self, model: str, usage: Tokens, dollars: float | None = None) -> None:
        """Count a call. ``dollars``: its cost, where the engine knows it."""
        request = sent(usage)
        self.used += request + (usage.get("output") or 0)
        self.largest = max(self.largest, request)
        dollars = price(model, usage) if dollars is None else dollars
        self.cost = None if self.cost is None or dollars is None else self.cost + dollars

    @asynccontextmanager
    async def call(self) -> AsyncIterator[None]:
        """A model call lasts as long as the block; it begins when the run has a slot for it.

        Raises:
            LimitExceededError: it is one too many for a run, or the provider does not serve this run any more.
            TooManyCallsError: too many wait already.
        """
        self.calls += 1
        if self.calls > CALLS:
            self._exceed("calls", CALLS, self.calls, f"More than {CALLS:,} model calls")
        if self._in_progress >= AT_ONCE + WAITING:
            raise TooManyCallsError(f"{self._in_progress} model calls of this run are in progress; try again later")
        if self._in_progress == 0:
            self._worked = self.worked
            if self._scope is not None:
                self._scope.deadline = inf
        self._in_progress += 1
        try:
            async with self._slots:
                yield
        except LimitExceededError:
            raise
        except Exception as error:
            # A program behind the bridge would try again for hours, each time with all of the engine's retries.
            if self.failure is not None and self.failure.kind == "unavailable":
                raise LimitExceededError("custom", value=1, limit=1, message=self.failure.text) from error
            raise
        finally:
            self._in_progress -= 1
            if self._in_progress == 0:
                self._go_on()

    def check(self) -> None:
        """Check the budget before a model call.

        Raises:
            LimitExceededError: it is used up; the engine then ends the sample and scores it.
        """
        tokens, context, dollars = self.budget.tokens, self.budget.context, self.budget.cost
        if tokens is not None and self.used >= tokens:
            message = f"Token limit of {tokens:,} used up: {self.used:,} ({self.budget.metering})"
            self._exceed("token", tokens, self.used, message)
        if context is not None and self.largest >= context:
            message = f"Context limit of {context:,} tokens used up: the largest request had {self.largest:,}"
            self._exceed("context", context, self.largest, message)
        if dollars is not None and self.cost is not None and self.cost >= dollars:
            message = f"Cost limit of ${dollars:g} used up: ${self.cost:.4f} by list prices"
            self._exceed("cost", dollars, self.cost, message)

    def _exceed(self, name: str, limit: float, used: float, message: str) -> NoReturn:
        self.exceeded = LimitHit(name, float(limit), float(used))
        raise LimitExceededError(_ENGINE.get(name, "custom"), value=used, limit=limit, message=message)


_METER: ContextVar[Meter | None] = ContextVar("rigorbench_meter", default=None)


@contextmanager
def metering(meter: Meter) -> Iterator[Meter]:
    """Count the model calls in the block and in everything that it starts."""
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)


def bound_calls(model: Model) -> None:
    """Let each run have a few calls of this model in progress at a time, whatever program makes them.

    Each attempt at a call also notes whether the provider answered it.
    """
    generate, attempt = model.generate, model.api.generate
    if getattr(generate, "bounded", False):
        return

    async def bounded(*arguments: Any, **more: Any) -> ModelOutput:
        meter = _METER.get()
        if meter is None:
            return await generate(*arguments, **more)
        async with meter.call():
            return await generate(*arguments, **more)

    async def noted(*arguments: Any, **more: Any) -> Any:
        meter = _METER.get()
        repair_answers(model)
        try:
            answer = await attempt(*arguments, **more)
        except Exception as error:
            if meter is not None:
                meter.failure = failure_of(error, retried=bool(model.api.should_retry(error)))
            raise
        if meter is not None:
            output = answer[0] if isinstance(answer, tuple) else answer
            meter.failure = failure_of(output) if isinstance(output, Exception) else full(output)
        return answer

    # No hook of the engine runs before it takes one of the connections that all runs share.
    setattr(bounded, "bounded", True)  # noqa: B010
    setattr(model, "generate", bounded)  # noqa: B010 -- a method, of this one instance
    setattr(model.api, "generate", noted)  # noqa: B010


def count_tokens(model: str, usage: Tokens) -> None:
    """Count a call of the running sample, if it has a budget."""
    meter = _METER.get()
    if meter is not None:
        meter.add(model, usage)


@hooks(name="rigorbench_metering", description="Keeps the budget of RigorBench's runs.")
class Metering(Hooks):
    async def on_before_model_generate(self, data: BeforeModelGenerate) -> None:
        meter = _METER.get()
        if meter is not None:
            meter.check()

    async def on_model_usage(self, data: ModelUsageData) -> None:
        meter = _METER.get()
        if meter is not None:
            meter.add(data.model_name, usage_parts(data.usage) or {}, data.usage.total_cost)
