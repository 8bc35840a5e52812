"""A page for each letter, in a layout."""

from __future__ import annotations

from ..buildfile import Target
from ..context import Context
from ..letters import read_letter, stem
from ..places import look_for


def collect(target: Target, context: Context) -> list[str]:
    files = context.expand(target.inputs)
    layout = target.option("layout")
    look_for(context, layout, "{text}")
    # The layout is one of the files as well, the last: when it changes, all pages do.
    files.append(layout)
    return files


def make(target: Target, files: list[str], context: Context) -> None:
    *letters, layout = files
    page = context.read(layout)
    for name in letters:
        title, text = read_letter(context, name)
        context.write(f"{target.output}/{stem(name)}.html", page.replace("{title}", title).replace("{text}", text))
