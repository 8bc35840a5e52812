"""Resource limits of single processes."""

from __future__ import annotations

import resource
from functools import cache

Limit = tuple[int, int, int]
"""Resource, soft limit, hard limit."""


def capped(which: int, soft: int, hard: int | None = None) -> Limit:
    """A limit that does not exceed what this process itself was given. ``hard`` None: the same as ``soft``."""
    hard, most = soft if hard is None else hard, _most(which)
    if most != resource.RLIM_INFINITY:
        soft = most if soft == resource.RLIM_INFINITY else min(soft, most)
        hard = most if hard == resource.RLIM_INFINITY else min(hard, most)
    return which, soft, hard


@cache
def _most(which: int) -> int:
    return resource.getrlimit(which)[1]
