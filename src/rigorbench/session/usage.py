"""Token counts, of a model call and of several."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import force_setattr


class TokenUsage(Struct, frozen=True, gc=False):
    """Tokens of one model call, normalised over vendors.

    The prompt is ``input + cache_read + cache_write``. ``None``: the log does not state the count. A negative number is
    no count and becomes ``None``, whatever the format.

    Attributes:
        input: excludes everything read from or written to the prompt cache.
        output: includes reasoning.
        reasoning: part of ``output``.
        cache_write_1h: part of ``cache_write``: what is kept for an hour, which costs more.
    """

    input: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    output: int | None = None
    reasoning: int | None = None
    cache_write_1h: int | None = None

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            count = getattr(self, name)
            if count is not None and count < 0:
                force_setattr(self, name, None)


def sum_usage(usages: Iterable[TokenUsage | None]) -> TokenUsage | None:
    """The sum of some usages, count by count: a count is None where none of them states it. None if there is none."""
    parts = [usage for usage in usages if usage is not None]
    return (
        TokenUsage(*(total(getattr(part, n) for part in parts) for n in TokenUsage.__struct_fields__))
        if parts
        else None
    )


def total(values: Iterable[int | None]) -> int | None:
    """The sum of the values that are known; None if none is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None
