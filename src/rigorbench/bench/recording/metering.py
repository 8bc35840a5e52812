"""The token budget of a run: which tokens count, and what happens when it is used up.

The engine's own token limit cannot leave out cache reads, so hooks count here; the engine calls them after every model
call and lets them raise its limit error. Importing this module registers them; they do nothing for samples without a
budget of ours.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from inspect_ai.hooks import BeforeModelGenerate, Hooks, ModelUsageData, hooks
from inspect_ai.model import ModelUsage
from inspect_ai.util import LimitExceededError

from ...experiment.model import Budget
from ...trajectory import journal
from .recorders import Recorder

METERING = Budget().metering


def metered(usage: ModelUsage) -> int:
    """Tokens of one call that count (:data:`METERING`); providers report input without cache reads and writes."""
    return usage.input_tokens + (usage.input_tokens_cache_write or 0) + usage.output_tokens


class Meter:
    """Counts the tokens of one run; ``limit`` None: there is no budget."""

    def __init__(self, limit: int | None, recorder: Recorder | None = None) -> None:
        self.limit = limit
        self.used = 0
        self._recorder = recorder
        self._recorded = False

    async def check(self, *, before: bool = False) -> None:
        """Check the budget; ``before`` a call, a budget that is exactly used up counts as exceeded.

        Raises:
            LimitExceededError: it is exceeded; the engine then ends the sample and scores it.
        """
        if self.limit is None or self.used < self.limit or (self.used == self.limit and not before):
            return
        if not self._recorded:
            self._recorded = True
            if self._recorder is not None:
                await self._recorder.record(journal.Limit(time.time(), "tokens", float(self.limit), float(self.used)))
        message = f"Token budget of {self.limit:,} used up: {self.used:,} ({METERING})"
        raise LimitExceededError("token", value=self.used, limit=self.limit, message=message)


_METER: ContextVar[Meter | None] = ContextVar("rigorbench_meter", default=None)


@contextmanager
def metering(meter: Meter) -> Iterator[Meter]:
    """Count the model calls in the block and in everything that it starts."""
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)


@hooks(name="rigorbench_metering", description="Keeps the token budget of RigorBench's runs.")
class Metering(Hooks):
    async def on_before_model_generate(self, data: BeforeModelGenerate) -> None:
        meter = _METER.get()
        if meter is not None:
            await meter.check(before=True)

    async def on_model_usage(self, data: ModelUsageData) -> None:
        meter = _METER.get()
        if meter is not None:
            meter.used += metered(data.usage)
            await meter.check()
