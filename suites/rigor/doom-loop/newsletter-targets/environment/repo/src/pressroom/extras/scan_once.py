"""Looks up each pattern once in a build: the letters lie on a share that is slow to list."""

from __future__ import annotations

from ..context import Context


def install(context: Context) -> None:
    look_up = context.expand
    known: dict[str, list[str]] = {}

    def expand(pattern: str) -> list[str]:
        if pattern not in known:
            known[pattern] = look_up(pattern)
        return known[pattern]

    context.expand = expand
