"""A template in which ``{menu}`` stands for the inputs."""

from __future__ import annotations

from ..buildfile import Target
from ..context import Context
from ..places import look_for


def collect(target: Target, context: Context) -> list[str]:
    template = target.option("template")
    look_for(context, template, "{menu}")
    return [*context.expand(target.inputs), template]


def make(target: Target, files: list[str], context: Context) -> None:
    *inputs, template = files
    menu = "".join(context.read(name) for name in inputs)
    context.write(target.output, context.read(template).replace("{menu}", menu.strip()))
