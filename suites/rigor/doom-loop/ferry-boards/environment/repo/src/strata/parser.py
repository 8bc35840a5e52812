"""Understands a statement."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import Place, SettingsError
from .lexer import Word, words
from .source import Statement


@dataclass(frozen=True)
class Text:
    """A text as it is written, with its ``${name}`` still in it."""

    value: str
    place: Place


@dataclass(frozen=True)
class Assign:
    place: Place
    name: str
    value: object


@dataclass(frozen=True)
class Append:
    place: Place
    name: str
    values: list[object]


@dataclass(frozen=True)
class Include:
    place: Place
    pattern: str


def parse(statement: Statement) -> Assign | Append | Include:
    """What a statement says.

    Raises:
        SettingsError: it is not of the language.
    """
    return _Parser(statement).statement()


class _Parser:
    def __init__(self, statement: Statement) -> None:
        self._words = list(words(statement))
        self._next = 0

    def statement(self) -> Assign | Append | Include:
        name = self._take("name", "a name")
        found: Assign | Append | Include
        if name.value == "include" and self._peek().kind == "text":
            found = Include(name.place, self._take("text", "a text").value)
        elif self._peek().value == "+=":
            self._take("mark", "+=")
            word = self._peek()
            value = self._value()
            if not isinstance(value, list):
                raise SettingsError(word.place, "only a list can be added")
            found = Append(name.place, name.value, value)
        else:
            self._mark("=")
            found = Assign(name.place, name.value, self._value())
        self._take("end", "the end of the statement")
        return found

    def _value(self) -> object:
        word = self._peek()
        if word.kind == "text":
            self._next += 1
            return Text(word.value, word.place)
        if word.kind == "number":
            self._next += 1
            return int(word.value)
        if word.kind == "name" and word.value in ("true", "false"):
            self._next += 1
            return word.value == "true"
        if word.value == "[" and word.kind == "mark":
            return self._list()
        if word.value == "{" and word.kind == "mark":
            return self._table()
        raise SettingsError(word.place, f"expected a value, found {word.value!r}")

    def _list(self) -> list[object]:
        self._mark("[")
        found: list[object] = []
        while not self._at("]"):
            found.append(self._value())
            if not self._at("]"):
                self._mark(",")
        self._mark("]")
        return found

    def _table(self) -> dict[str, object]:
        self._mark("{")
        found: dict[str, object] = {}
        while not self._at("}"):
            name = self._take("name", "a name")
            if name.value in found:
                raise SettingsError(name.place, f"{name.value!r} stands twice in the table")
            self._mark("=")
            found[name.value] = self._value()
            if not self._at("}"):
                self._mark(",")
        self._mark("}")
        return found

    def _peek(self) -> Word:
        return self._words[self._next]

    def _at(self, mark: str) -> bool:
        return self._peek().kind == "mark" and self._peek().value == mark

    def _mark(self, mark: str) -> None:
        if not self._at(mark):
            raise SettingsError(self._peek().place, f"expected {mark!r}, found {self._peek().value!r}")
        self._next += 1

    def _take(self, kind: str, what: str) -> Word:
        word = self._peek()
        if word.kind != kind:
            raise SettingsError(word.place, f"expected {what}, found {word.value!r}")
        self._next += 1
        return word
