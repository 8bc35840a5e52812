"""The titles of all letters, the oldest first."""

from __future__ import annotations

from ..buildfile import Target
from ..context import Context
from ..letters import read_letter, stem


def collect(target: Target, context: Context) -> list[str]:
    return context.expand(target.inputs)


def make(target: Target, files: list[str], context: Context) -> None:
    lines = [f'<a href="{stem(name)}.html">{read_letter(context, name)[0]}</a>\n' for name in files]
    context.write(target.output, "".join(lines))
