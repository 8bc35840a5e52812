"""The names and titles of all letters, the newest first."""

from __future__ import annotations

from ..buildfile import Target
from ..context import Context
from ..letters import read_letter, stem


def collect(target: Target, context: Context) -> list[str]:
    files = context.expand(target.inputs)
    files.reverse()
    return files


def make(target: Target, files: list[str], context: Context) -> None:
    lines = [f"{stem(name)}  {read_letter(context, name)[0]}\n" for name in files]
    context.write(target.output, "".join(lines))
