"""List prices of models, from the data that the library genai-prices brings with it; no network is asked."""

from __future__ import annotations

import datetime
from functools import cache
from typing import TYPE_CHECKING

from .usage import TokenUsage

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo

# Gateways that pass the name of the model on, with or without that of its provider.
_GATEWAYS = ("litellm/", "litellm_proxy/")


def call_price(model: str, usage: TokenUsage, time: float | None, calls: int = 1) -> float | None:
    """Dollars for the tokens of model calls by the list price of the day.

    Args:
        time: of the calls, in epoch seconds; None: the prices of today.
        calls: how many have these tokens in all; what a long prompt costs more is decided by their mean.

    Returns:
        None: the model has no known price, or a count that it charges for is unknown.
    """
    found = _look_up(model)
    if found is None or usage.input is None or usage.output is None:
        return None
    from genai_prices import Usage as Counts

    try:
        moment = datetime.datetime.fromtimestamp(time, datetime.UTC) if time is not None else None
    except (ValueError, OverflowError, OSError):
        return None
    prices = found.get_prices(moment or datetime.datetime.now(datetime.UTC))
    if prices.input_mtok is None or prices.output_mtok is None or prices.requests_kcount is not None:
        return None  # charged for something else than tokens
    if usage.cache_read is None and prices.cache_read_mtok is not None:
        return None
    read, written, calls = usage.cache_read or 0, usage.cache_write or 0, max(1, calls)
    counts = {
        "input_tokens": usage.input + read + written,
        "cache_read_tokens": read,
        "cache_write_tokens": written,
        "cache_write_1h_tokens": min(usage.cache_write_1h or 0, written),
        "output_tokens": usage.output,
    }
    mean = {name: count / calls for name, count in counts.items()}
    mean["input_tokens"] += 1e-6  # a mean may be rounded below the sum of its parts, which the library refuses
    return float(prices.calc_price(Counts(**mean))["total_price"]) * calls


@cache
def _look_up(model: str) -> ModelInfo | None:
    from genai_prices.data_snapshot import get_snapshot

    name = model.lower().lstrip("@")
    for gateway in _GATEWAYS:
        name = name.removeprefix(gateway)
    if name.endswith(("-free", ":free")):
        return None
    provider, slash, rest = name.partition("/")
    try:
        return get_snapshot().find_provider_model(rest if slash else name, None, provider if slash else None, None)[1]
    except LookupError:
        return None
