"""Regular expressions that are compiled when first used: a session needs few of the many that are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any


class Pattern:
    """``re.compile(source, flags)`` without its cost at import time."""

    search: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[Any]]
    split: Callable[..., list[str]]
    sub: Callable[..., str]

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Called once: afterwards the methods of the compiled pattern are attributes of the instance.
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = re.compile(self.source, self._flags)
        for method in ("search", "match", "fullmatch", "finditer", "findall", "split", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: str, flags: int = 0) -> Pattern:
    return Pattern(source, flags)
