"""Messages of shells and harnesses about commands that could not do their work (``messages.toml``)."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ..tables import load
from .runners.base import LineRule, first_match, line_rules


class Messages(Struct, frozen=True):
    """``messages.toml``, which explains the keys."""

    missing: tuple[LineRule, ...]
    """A program could not be started."""
    stopped: tuple[LineRule, ...]
    """A harness stopped the command."""
    infrastructure: dict[str, tuple[LineRule, ...]]
    """What goes wrong around the code under test, by kind."""
    libraries: tuple[str, ...]
    """Texts in paths of files that are not in the repository."""
    java_libraries: tuple[str, ...]
    """First words of the names of Java classes that are not in the repository."""


@cache
def messages() -> Messages:
    """The table, read once."""
    document = load(__file__, "messages.toml")
    return Messages(
        line_rules(document["missing"]),
        line_rules(document["stopped"]),
        {kind: line_rules(table) for kind, table in document["infrastructure"].items()},
        tuple(document["frames"]["libraries"]),
        tuple(document["frames"]["java_libraries"]),
    )


def missing_tool(text: str) -> str | None:
    """The message that the program itself could not be started, or None. ``text`` must be clean."""
    match = first_match(messages().missing, text)
    return None if match is None else match[0].strip()[:160]
