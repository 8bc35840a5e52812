"""Finds out which target has to wait for which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .buildfile import Target
from .errors import PressError


def needs(targets: Sequence[Target], files: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """For each target the others that make one of its files."""
    makers = {target.output: target.name for target in targets}
    found: dict[str, list[str]] = {}
    for target in targets:
        waiting = [makers[name] for name in files[target.name] if name in makers]
        found[target.name] = list(dict.fromkeys(waiting))
    return found


def order(targets: Sequence[Target], files: Mapping[str, Sequence[str]]) -> list[Target]:
    """The targets in an order in which each comes after those it needs.

    Raises:
        PressError: some of them need each other.
    """
    waiting = needs(targets, files)
    by_name = {target.name: target for target in targets}
    done: dict[str, Target] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise PressError("cycle: " + " -> ".join((*path[path.index(name) :], name)))
        if name in done:
            return
        for other in waiting[name]:
            visit(other, (*path, name))
        done[name] = by_name[name]

    for target in targets:
        visit(target.name, ())
    return list(done.values())
