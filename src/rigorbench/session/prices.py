"""List prices of models, from the data that the library genai-prices brings with it; no network is asked.

The library and its data take four tenths of a second to load, more than the review of a short log. So the price sheet
of a model is kept on disk, and the library is loaded only for a model that it has not been asked for.
"""

from __future__ import annotations

import contextlib
import datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field

from ..base.cache import cache_directory
from ..base.files import read_json, replace_file
from .usage import Usage

if TYPE_CHECKING:
    from genai_prices.types import ConditionalPrice, ModelPrice

# A log names models as it likes: what it names beyond these is looked up anew by each process.
_MOST_KEPT = 256
_LONGEST_NAME = 200
# Gateways that pass the name of the model on, with or without that of its provider.
_GATEWAYS = ("litellm/", "litellm_proxy/")
_KEYS = {
    "input": "input_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_1h": "cache_write_1h_mtok",
    "output": "output_mtok",
}


class Rate(Struct, frozen=True):
    """Dollars per million tokens. ``tiers``: (prompt tokens, rate): what holds for all tokens of a longer prompt."""

    base: float
    tiers: tuple[tuple[int, float], ...] = ()

    def of(self, prompt: int) -> float:
        """The rate for a call with so many prompt tokens."""
        return next((rate for start, rate in reversed(self.tiers) if prompt > start), self.base)


class Sheet(Struct, frozen=True):
    """The prices of a model from a day on, or in some hours of each day (both UTC; None: always)."""

    rates: dict[str, Rate]
    since: datetime.date | None = None
    hours: tuple[datetime.time, datetime.time] | None = None

    def holds(self, moment: datetime.datetime) -> bool:
        """Whether a call at this moment (UTC) is charged by this sheet."""
        if self.since is not None:
            return moment.date() >= self.since
        if self.hours is None:
            return True
        (start, end), time = self.hours, moment.time()
        return start <= time < end if start <= end else time >= start or time < end


class _Kept(Struct):
    """What is on disk. ``data``: size and time of the library's data; no sheet: a model without a price."""

    data: str
    models: dict[str, list[Sheet]] = field(default_factory=dict)


def call_price(model: str, usage: Usage, time: float | None, calls: int = 1) -> float | None:
    """Dollars for the tokens of model calls by the list price of the day.

    Args:
        time: of the calls, in epoch seconds; None: the prices of today.
        calls: how many have these tokens in all; what a long prompt costs more is decided by their mean.

    Returns:
        None: the model has no known price, or a count that it charges for is unknown.
    """
    sheet = _sheet_at(model, time)
    if sheet is None or usage.input is None or usage.output is None:
        return None
    rates = sheet.rates
    if usage.cache_read is None and "cache_read" in rates:
        return None
    read, written = usage.cache_read or 0, usage.cache_write or 0
    hour = min(usage.cache_write_1h or 0, written)
    prompt = (usage.input + read + written) // max(1, calls)
    plain = rates["input"].of(prompt)

    def of(part: str, otherwise: float) -> float:
        return rates[part].of(prompt) if part in rates else otherwise

    brief = of("cache_write", plain)
    dollars = usage.input * plain + usage.output * rates["output"].of(prompt)
    dollars += read * of("cache_read", plain) + (written - hour) * brief + hour * of("cache_write_1h", brief)
    return dollars / 1e6


def _sheet_at(model: str, time: float | None) -> Sheet | None:
    sheets = _sheets(model)
    if not sheets:
        return None
    try:
        moment = datetime.datetime.fromtimestamp(time, datetime.UTC) if time is not None else None
    except (ValueError, OverflowError, OSError):
        return None
    now = moment or datetime.datetime.now(datetime.UTC)
    return next((sheet for sheet in reversed(sheets) if sheet.holds(now)), sheets[0])


@cache
def _sheets(model: str) -> list[Sheet]:
    """The sheets of a model, the last that holds counts; [] where its price is unknown."""
    data = _data() if model.isascii() and model.isprintable() and len(model) <= _LONGEST_NAME else None
    if data is None:
        return []
    path = cache_directory().with_name("prices") / "sheets.json"
    kept = read_json(path, _Kept)
    if kept is None or kept.data != data:
        kept = _Kept(data)
    if model not in kept.models:
        kept.models[model] = _look_up(model)
        if len(kept.models) <= _MOST_KEPT:
            with contextlib.suppress(OSError):
                replace_file(path, msgspec.json.encode(kept), 0o600)
    return kept.models[model]


def _data() -> str | None:
    """What tells the installed data from others, without loading the library; None: it is not installed."""
    spec = find_spec("genai_prices")
    try:
        stat = (Path(spec.origin).parent / "data.py").stat() if spec is not None and spec.origin else None
    except OSError:
        return None
    return None if stat is None else f"{stat.st_size} {stat.st_mtime_ns}"


def _look_up(model: str) -> list[Sheet]:
    from genai_prices.data_snapshot import get_snapshot
    from genai_prices.types import ModelPrice

    name = model.lower().lstrip("@")
    for gateway in _GATEWAYS:
        name = name.removeprefix(gateway)
    provider, slash, rest = name.partition("/")
    try:
        _, found = get_snapshot().find_provider_model(rest if slash else name, None, provider if slash else None, None)
    except LookupError:
        return []
    if isinstance(found.prices, ModelPrice):
        sheets = [_sheet(found.prices, None)]
    else:
        sheets = [_sheet(each.prices, each) for each in found.prices]
    usable = [sheet for sheet in sheets if sheet is not None]
    return usable if len(usable) == len(sheets) else []


def _sheet(prices: ModelPrice, condition: ConditionalPrice | None) -> Sheet | None:
    """None: the model is charged for something else than tokens."""
    from genai_prices.types import StartDateConstraint, TieredPrices, TimeOfDateConstraint

    rates = {}
    for part, key in _KEYS.items():
        price = getattr(prices, key)
        if isinstance(price, TieredPrices):
            rates[part] = Rate(float(price.base), tuple((tier.start, float(tier.price)) for tier in price.tiers))
        elif price is not None:
            rates[part] = Rate(float(price))
    if "input" not in rates or "output" not in rates or prices.requests_kcount is not None:
        return None
    constraint = None if condition is None else condition.constraint
    if isinstance(constraint, StartDateConstraint):
        return Sheet(rates, since=constraint.start_date)
    if isinstance(constraint, TimeOfDateConstraint):
        return Sheet(rates, hours=(_utc(constraint.start_time), _utc(constraint.end_time)))
    return Sheet(rates)


def _utc(time: datetime.time) -> datetime.time:
    """A time of day in UTC, without its zone; one without a zone is in UTC."""
    if time.tzinfo is None:
        return time
    return datetime.datetime.combine(datetime.date(2000, 1, 1), time).astimezone(datetime.UTC).time()
