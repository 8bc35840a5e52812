"""The syntax tree of a script, and its literals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}


def parse(source: str) -> Node:
    """The root of the script's syntax tree."""
    return _parser().parse(source.encode("utf-8", "surrogatepass")).root_node


@cache
def _parser() -> Parser:
    import tree_sitter_javascript
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_javascript.language()))


def text(node: Node | None) -> str:
    content = node.text if node is not None else None
    return content.decode("utf-8", "surrogatepass") if content is not None else ""


def part(node: Node, name: str) -> Node:
    """A part that this kind of node always has."""
    found = node.child_by_field_name(name)
    return node if found is None else found


def inside(node: Node) -> Iterator[Node]:
    """All nodes below (and with) this one."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += found.named_children


def names_tool(node: Node) -> bool:
    """Whether a node is the call of a tool by its name: ``tools.NAME(...)``."""
    function = part(node, "function")
    return node.type == "call_expression" and text(function.child_by_field_name("object")) == "tools"


def string(node: Node) -> str:
    """The value of a string literal."""
    parts = (
        text(child) if child.type == "string_fragment" else escaped(text(child))
        for child in node.named_children
        if child.type in ("string_fragment", "escape_sequence")
    )
    # A pair of surrogates is one character.
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def escaped(sequence: str) -> str:
    """The character of an escape sequence."""
    mark = sequence[1:2]
    if mark in "ux" and len(sequence) > 2:
        try:
            return chr(int(sequence[2:].strip("{}"), 16))
        except (ValueError, OverflowError):
            return ""
    return _ESCAPES.get(mark, sequence[1:])


def number(literal: str) -> int | float | None:
    """The value of a number literal."""
    plain = literal.replace("_", "").rstrip("n")
    try:
        return int(plain, 0)
    except ValueError:
        try:
            return float(plain)
        except ValueError:
            return None


def key(node: Node) -> str:
    """The name of a property as it is written in an object."""
    return string(node) if node.type == "string" else text(node)
