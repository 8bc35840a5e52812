"""Messages of shells and harnesses about commands that could not do their work (``messages.toml``)."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ..tables import load
from .runners.base import LineRule, first_match, line_rules


class Messages(Struct, frozen=True):
    """``messages.toml``, which explains the keys.

    Attributes:
        missing: a program could not be started.
        stopped: a harness stopped the command.
        infrastructure: what goes wrong around the code under test, by kind.
        libraries: texts in paths of files that are not in the repository.
        java_libraries: first words of the names of Java classes that are not in the repository.
    """

    missing: tuple[LineRule, ...]
    stopped: tuple[LineRule, ...]
    infrastructure: dict[str, tuple[LineRule, ...]]
    libraries: tuple[str, ...]
    java_libraries: tuple[str, ...]


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
