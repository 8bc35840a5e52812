"""The budget of a run: which tokens count, what they cost, how many calls, and what happens when it is used up.

The engine's own token limit cannot leave out cache reads, and it knows no prices, so hooks count here; the engine calls
them after every model call and lets them raise its limit error. Importing this module registers them; they do nothing
for samples without a budget of ours.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any

import anyio
from inspect_ai.hooks import BeforeModelGenerate, Hooks, ModelUsageData, hooks
from inspect_ai.model import Model, ModelOutput, ModelUsage
from inspect_ai.util import LimitExceededError

from ...experiment.grid import is_scripted
from ...experiment.model import Budget
from ...trajectory import journal
from ...trajectory.prices import call_price
from ...trajectory.usage import Usage
from .recorders import Recorder

Tokens = Mapping[str, int | None]

# All runs share the connections to a provider: a program that calls thousands of times at once would stop the others.
CALLS = 5_000  # of one run, also those that are refused
AT_ONCE = 8  # of one run; further ones wait, as those of many sub-agents do
WAITING = 32  # of one run; further ones are refused, since each keeps its request in memory


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


def metered(usage: Tokens) -> int:
    """Tokens of one call that count (:attr:`Budget.metering`)."""
    return sum(usage.get(part) or 0 for part in ("input", "cache_write", "output"))


def price(model: str, usage: Tokens) -> float | None:
    """Dollars for a call now, by list prices; None: the model has none that is known."""
    if is_scripted(model):
        return None
    # Providers leave out the counts of a cache that they do not have.
    parts = {part: usage.get(part) or 0 for part in ("input", "cache_read", "cache_write", "output")}
    return call_price(model, Usage(**parts), time.time())


class Meter:
    """Counts the tokens and the cost of one run against its budget.

    Attributes:
        used: tokens that count.
        cost: dollars; None: the price of a call is not known.
        calls: model calls, also those that were refused.
        exceeded: name of the limit that was exceeded.
    """

    def __init__(self, budget: Budget, recorder: Recorder | None = None) -> None:
        self.budget = budget
        self.used = 0
        self.cost: float | None = 0.0
        self.calls = 0
        self.exceeded: str | None = None
        self._slots = anyio.Semaphore(AT_ONCE)
        self._in_progress = 0
        self._recorder = recorder
        self._recorded = False

    def add(self, model: str, usage: Tokens, dollars: float | None = None) -> None:
        """Count a call. ``dollars``: its cost, where the engine knows it."""
        self.used += metered(usage)
        dollars = price(model, usage) if dollars is None else dollars
        self.cost = None if self.cost is None or dollars is None else self.cost + dollars

    @asynccontextmanager
    async def call(self) -> AsyncIterator[None]:
        """A model call lasts as long as the block; it begins when the run has a slot for it.

        Raises:
            LimitExceededError: it is one too many for a run.
            TooManyCallsError: too many wait already.
        """
        self.calls += 1
        if self.calls > CALLS:
            self.exceeded = "calls"
            await self._record("calls", CALLS, self.calls)
            message = f"More than {CALLS:,} model calls"
            raise LimitExceededError("custom", value=self.calls, limit=CALLS, message=message)
        if self._in_progress >= AT_ONCE + WAITING:
            raise TooManyCallsError(f"{self._in_progress} model calls of this run are in progress; try again later")
        self._in_progress += 1
        try:
            async with self._slots:
                yield
        finally:
            self._in_progress -= 1

    async def check(self, *, before: bool = False) -> None:
        """Check the budget; ``before`` a call, a budget that is exactly used up counts as exceeded.

        Raises:
            LimitExceededError: it is exceeded; the engine then ends the sample and scores it.
        """
        limit = self.budget.tokens
        if limit is not None and _exceeds(self.used, limit, before):
            message = f"Token budget of {limit:,} used up: {self.used:,} ({self.budget.metering})"
            self.exceeded = "token"
            await self._record("tokens", limit, self.used)
            raise LimitExceededError("token", value=self.used, limit=limit, message=message)
        dollars, cost = self.budget.cost, self.cost
        if dollars is not None and cost is not None and _exceeds(cost, dollars, before):
            message = f"Cost limit of ${dollars:g} used up: ${cost:.4f} by list prices"
            self.exceeded = "cost"
            await self._record("cost", dollars, cost)
            raise LimitExceededError("cost", value=cost, limit=dollars, message=message)

    async def _record(self, kind: str, limit: float, used: float) -> None:
        if not self._recorded and self._recorder is not None:
            self._recorded = True
            await self._recorder.record(journal.Limit(time.time(), kind, float(limit), float(used)))


def _exceeds(used: float, limit: float, before: bool) -> bool:
    return used > limit or (used == limit and before)


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
    """Let each run have a few calls of this model in progress at a time, whatever program makes them."""
    generate = model.generate
    if getattr(generate, "bounded", False):
        return

    async def bounded(*arguments: Any, **more: Any) -> ModelOutput:
        meter = _METER.get()
        if meter is None:
            return await generate(*arguments, **more)
        async with meter.call():
            return await generate(*arguments, **more)

    # No hook of the engine runs before it takes one of the connections that all runs share.
    setattr(bounded, "bounded", True)  # noqa: B010
    setattr(model, "generate", bounded)  # noqa: B010 -- a method, of this one instance


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
            await meter.check(before=True)

    async def on_model_usage(self, data: ModelUsageData) -> None:
        meter = _METER.get()
        if meter is not None:
            meter.add(data.model_name, usage_parts(data.usage) or {}, data.usage.total_cost)
            await meter.check()
