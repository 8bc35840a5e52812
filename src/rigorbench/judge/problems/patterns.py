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
    parts = path.split("/")
    prefixes = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    # Only `*` is special here: `[` and `?` match themselves.
    plain = [re.sub(r"([\[?])", r"[\1]", one) for one in _alternatives(pattern.strip("/"))]
    return any(_same(one, prefix) for one in plain for prefix in prefixes)


def select(pattern: str, paths: Iterable[str]) -> list[str]:
    """The paths that a pattern matches, in their order. Unlike in `matches`, ``[0-9]`` and ``?`` have their usual
    meaning: these patterns are not part of the format."""
    return [path for path in paths if _same(pattern, path)]


def _alternatives(pattern: str) -> list[str]:
    """The pattern with its braces expanded; the number is bounded because ``{a,b}{a,b}...`` doubles it each time."""
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
    """Whether each name of a path matches its part of the pattern."""
    parts, names = pattern.split("/"), path.split("/")
    return len(parts) == len(names) and all(map(fnmatchcase, names, parts))
