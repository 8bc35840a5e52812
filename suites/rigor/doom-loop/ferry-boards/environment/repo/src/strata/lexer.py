"""Cuts a statement into words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .errors import Place, SettingsError
from .source import Statement

Kind = Literal["name", "number", "text", "mark", "end"]

_WORD = re.compile(
    r"""
    (?P<space> [ \t\r\n]+ | \#[^\n]* )
  | (?P<text> "(?:[^"\\\n]|\\.)*" )
  | (?P<number> -?\d+ (?![\w.]) )
  | (?P<name> [A-Za-z_][\w-]*(?:\.[\w-]+)* )
  | (?P<mark> \+= | [=\[\]{},] )
    """,
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n"}


@dataclass(frozen=True)
class Word:
    kind: Kind
    value: str
    place: Place


def words(statement: Statement) -> Iterator[Word]:
    """The words of a statement, and one of kind ``end`` after them.

    Raises:
        SettingsError: there is something that is no word of the language.
    """
    text, position = statement.text, 0
    file, line = statement.place.file, statement.place.line
    while position < len(text):
        place = Place(file, line)
        match = _WORD.match(text, position)
        if match is None:
            found = text[position:].split("\n")[0]
            what = "the text is not closed" if found.startswith('"') else f"{found.split()[0]!r} is not understood"
            raise SettingsError(place, what)
        kind = match.lastgroup
        if kind == "text":
            yield Word("text", _unescaped(match.group()[1:-1], place), place)
        elif kind != "space":
            yield Word(kind, match.group(), place)  # type: ignore[arg-type]
        line += match.group().count("\n")
        position = match.end()
    yield Word("end", "the end of the statement", Place(file, line))


def _unescaped(text: str, place: Place) -> str:
    def one(match: re.Match[str]) -> str:
        if match[1] not in _ESCAPES:
            raise SettingsError(place, f"{match[0]} has no meaning; a backslash is written \\\\")
        return _ESCAPES[match[1]]

    return _ESCAPE.sub(one, text)
