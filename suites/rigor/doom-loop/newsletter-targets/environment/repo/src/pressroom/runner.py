"""Builds what is not fresh."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import extras, kinds
from .buildfile import load
from .context import Context
from .graph import order
from .state import State, fingerprint


def build(root: Path, log: Callable[[str], None] = lambda line: None) -> list[str]:
    """Build the project in `root`; the names of the targets that were built, in the order in which they were.

    Raises:
        PressError: the build file or one of its targets cannot be used.
    """
    targets = load(root)
    context = Context(root, log)
    extras.install_all(context)
    files = {target.name: kinds.of(target).collect(target, context) for target in targets}
    state = State(root)
    built = []
    for target in order(targets, files):
        mark = fingerprint(root, target, files[target.name])
        fresh = state.is_fresh(target, mark, root)
        if not fresh:
            kinds.of(target).make(target, files[target.name], context)
            state.remember(target, mark)
            built.append(target.name)
        log(f"{'fresh' if fresh else 'built'} {target.name}")
        context.tell(target.name, not fresh)
    return built
