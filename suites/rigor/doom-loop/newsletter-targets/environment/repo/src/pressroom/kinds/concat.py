"""One file with all the others in it, the oldest first."""

from __future__ import annotations

from ..buildfile import Target
from ..context import Context


def collect(target: Target, context: Context) -> list[str]:
    return context.expand(target.inputs)


def make(target: Target, files: list[str], context: Context) -> None:
    context.write(target.output, "\n".join(context.read(name).strip() + "\n" for name in files))
