"""A template in which ``{menu}`` stands for the inputs."""

from __future__ import annotations

from ..buildfile import Target
from ..context import Context


def collect(target: Target, context: Context) -> list[str]:
    return [*context.expand(target.inputs), target.option("template")]


def make(target: Target, files: list[str], context: Context) -> None:
    *inputs, template = files
    menu = "".join(context.read(name) for name in inputs)
    context.write(target.output, context.read(template).replace("{menu}", menu.strip()))
