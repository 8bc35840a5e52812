"""The token budget of a run: what counts, and what happens when it is used up.

The engine's own token limit cannot leave cache reads out, so the count is kept here: by hooks, which the engine asks
after every model call and lets raise its limit error. Importing this module registers them; they do nothing for samples
that have no budget of ours.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from inspect_ai.hooks import BeforeModelGenerate, Hooks, ModelUsageData, hooks
from inspect_ai.model import ModelUsage
from inspect_ai.util import LimitExceededError

from ..experiment.model import Budget
from ..trajectory import journal
from .recorders import Recorder

METERING = Budget().metering


def metered(usage: ModelUsage) -> int:
    """Tokens of one call that count (:data:`METERING`); providers report input without what the cache gave or took."""
    return usage.input_tokens + (usage.input_tokens_cache_write or 0) + usage.output_tokens


class Meter:
    """Counts the tokens of one run. ``limit`` None: only counts."""

    def __init__(self, limit: int | None, recorder: Recorder | None = None) -> None:
        self.limit = limit
        self.used = 0
        self._recorder = recorder
        self._said = False

    async def check(self, *, before: bool = False) -> None:
        """Raise when the budget is exceeded; before a call, which could only add to it, also when it is all used.

        Raises:
            LimitExceededError: the engine then ends the sample and scores what there is.
        """
        if self.limit is None or self.used < self.limit or (self.used == self.limit and not before):
            return
        if not self._said:
            self._said = True
            if self._recorder is not None:
                await self._recorder.record(journal.Limit(time.time(), "tokens", float(self.limit), float(self.used)))
        message = f"Token budget of {self.limit:,} used up: {self.used:,} ({METERING})"
        raise LimitExceededError("token", value=self.used, limit=self.limit, message=message)


_METER: ContextVar[Meter | None] = ContextVar("rigorbench_meter", default=None)


@contextmanager
def metering(meter: Meter) -> Iterator[Meter]:
    """Model calls made inside the block, by whatever is started in it, are counted."""
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
