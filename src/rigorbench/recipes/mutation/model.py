"""What a mutation is, and what an operator of a language returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from msgspec import Struct

Site = TypeVar("Site")
Function = TypeVar("Function")


class MutationError(Exception):
    """A source that does not parse, or a mutation that the source does not have. The text names place and remedy."""


class Mutation(Struct, frozen=True):
    """One change of meaning in one file. It holds no text of the file except names.

    Attributes:
        operator: the name of the operator, see `catalogue`.
        qualname: the function or class that holds the place (``Decoder.decode``), or ``<module>``.
        index: which one of the operator's places in that function or class, in the order of the file, from 0.
        line: the first line that the operator looks at, from 1.
        description: one line for the author of a task.
    """

    operator: str
    qualname: str
    index: int
    line: int
    description: str


class Splice(Struct, frozen=True):
    """The bytes from `start` to `end` of the UTF-8 source become `text`."""

    start: int
    end: int
    text: str


class Edit(Struct, frozen=True):
    """What an operator does at one place: its splices (the first one is the place) and the symbol it is about."""

    splices: tuple[Splice, ...]
    name: str = "the value"


class Place(Struct, frozen=True):
    """A mutation with the splices that make it."""

    mutation: Mutation
    splices: tuple[Splice, ...]


class Finding(Struct, frozen=True):
    """An edit with its operator and the function or class that holds it."""

    operator: str
    qualname: str
    edit: Edit


class Registry(Generic[Site]):
    """The operators of one language: by kind of syntax node, the functions that look at such a node."""

    def __init__(self) -> None:
        self._by_kind: dict[object, list[tuple[str, Callable[[Site], Iterator[Edit]]]]] = {}

    def operator(
        self, name: str, *kinds: object
    ) -> Callable[[Callable[[Site], Iterator[Edit]]], Callable[[Site], Iterator[Edit]]]:
        """Registers a function as the operator `name` for nodes of these kinds."""

        def register(function: Callable[[Site], Iterator[Edit]]) -> Callable[[Site], Iterator[Edit]]:
            for kind in kinds:
                self._by_kind.setdefault(kind, []).append((name, function))
            return function

        return register

    def edits(self, kind: object, site: Site) -> Iterator[tuple[str, Edit]]:
        """What all operators find at one node."""
        for name, function in self._by_kind.get(kind, ()):
            for edit in function(site):
                yield name, edit

    def names(self) -> frozenset[str]:
        """The operators that the language has."""
        return frozenset(name for functions in self._by_kind.values() for name, _ in functions)


def spliced(source: str, splices: tuple[Splice, ...]) -> str:
    """The source with the splices made. They do not overlap; all other bytes stay."""
    data = source.encode()
    for splice in sorted(splices, key=lambda s: s.start, reverse=True):
        data = data[: splice.start] + splice.text.encode() + data[splice.end :]
    return data.decode()
