"""Glob patterns of the format: ``*`` within one name, braces for alternatives; no ``?``, ``[]`` or ``**``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final

_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_MOST: Final = 1000


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern matches a path, or a directory above it (a group matches all its test points)."""
    wanted = _alternatives(pattern.strip("/"))
    parts = path.split("/")
    prefixes = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return any(_same(one, prefix) for one in wanted for prefix in prefixes)


def select(pattern: str, paths: Iterable[str]) -> list[str]:
    """The paths that a pattern matches, in their order. Unlike in `matches`, ``[0-9]`` and ``?`` have their usual
    meaning: these patterns are ours."""
    depth = pattern.count("/")
    return [path for path in paths if path.count("/") == depth and _each(pattern, path, fnmatchcase)]


def _alternatives(pattern: str) -> list[str]:
    """Braces expanded; the number is bounded, for ``{a,b}{a,b}...`` doubles it each time."""
    pending: list[str] = [pattern]
    done: list[str] = []
    while pending and len(pending) + len(done) < _MOST:
        one = pending.pop()
        found = _BRACES.search(one)
        if found is None:
            done.append(one)
        else:
            pending += [one[: found.start()] + choice + one[found.end() :] for choice in found[1].split(",")]
    return done


def _same(pattern: str, path: str) -> bool:
    return pattern.count("/") == path.count("/") and _each(pattern, path, _star)


def _each(pattern: str, path: str, same: object) -> bool:
    compare = same if callable(same) else _star
    return all(compare(name, wanted) for wanted, name in zip(pattern.split("/"), path.split("/"), strict=True))


def _star(name: str, wanted: str) -> bool:
    return fnmatchcase(name, re.sub(r"([\[?])", r"[\1]", wanted))
