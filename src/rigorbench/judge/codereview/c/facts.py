"""What a compiler found out about one translation unit: the facts that the rules about C and C++ are decided on."""

from __future__ import annotations

from msgspec import Struct, field

from .assembly import Compiled


class Fact(Struct, frozen=True):
    """One fact about a place in the code.

    Attributes:
        kind: What it is: "type", "own" (a type of the submission), "value", "function", "method", "object", "symbol",
            "statement", "allocation", "release", "variable", "using", "catch", "size".
        name: A qualified name, a symbol, or the kind of statement.
        line: The line of the preprocessed text, from 1.
        detail: Further facts, such as what kind of variable it is.
        numbers: The figures of a function: its last line, nesting and parameters.
    """

    kind: str
    name: str
    line: int
    detail: str = ""
    numbers: tuple[int, ...] = ()


class Task(Struct, frozen=True):
    """One unit for the worker.

    Attributes:
        text: The preprocessed text without markers.
        is_cpp: Whether it is C++.
        standard: The option -std, if given.
        own: The ranges of lines (first, last) that are the submission's or the problem's.
        assembly: The compiled code.
    """

    text: str
    is_cpp: bool
    standard: str
    own: tuple[tuple[int, int], ...]
    assembly: str = ""


class Facts(Struct):
    """The facts of one unit.

    Attributes:
        facts: The facts.
        errors: (line, message) of what the front end did not understand in the submission's own lines.
        compiled: What the compiled code refers to.
        failed: Why there are no facts; "": there are.
    """

    facts: list[Fact] = field(default_factory=list)
    errors: list[tuple[int, str]] = field(default_factory=list)
    compiled: Compiled = field(default_factory=Compiled)
    failed: str = ""
