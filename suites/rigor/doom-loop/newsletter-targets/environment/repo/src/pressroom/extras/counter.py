"""Counts what was built and what was fresh."""

from __future__ import annotations

from ..context import Context


class _Counter:
    def __init__(self, context: Context) -> None:
        self.context, self.built, self.seen = context, 0, 0

    def __call__(self, target: str, built: bool) -> None:
        self.seen += 1
        self.built += built
        self.context.log(f"so far {self.built} built, {self.seen - self.built} fresh")


def install(context: Context) -> None:
    context.listeners.append(_Counter(context))
