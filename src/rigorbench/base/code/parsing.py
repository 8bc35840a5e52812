"""Parsing of untrusted text: the result is a tree or None, soon and in little memory.

On some texts (thousands of open brackets, a comment that never ends) a grammar that recovers from errors needs time and
memory that grow with the square of the nesting and of the length. The functions of the tree recurse: a tree of ten
thousand levels ends the process. The limits count operations of the parser, so that a text has the same tree on every
machine; a time limit stops only what passes all of them.
"""

from __future__ import annotations

from threading import Lock
from time import process_time
from typing import TYPE_CHECKING

from ..patterns import lazy

if TYPE_CHECKING:
    from tree_sitter import Parser, Point, Tree

# Bytes. Longer text is generated or minified.
LARGEST = 200_000
# Levels of brackets, and of the tree (one bracket makes several).
_MOST_BRACKETS = 400
_DEEPEST = 1_000
# Tokens in a row that fit nowhere. Searching a tree takes a time that grows with the square of their number.
_MOST_ERRORS = 5_000
# Operations of the parser, in hundreds: real code takes 3 to 30 per 1000 bytes, in which it is read about once.
_OPERATIONS = 0.04
_SOME_OPERATIONS = 400
_PIECE = 4096
_READINGS = 30
# Seconds of this process, looked at after so many hundreds of operations.
_LONGEST_TIME = 1.0
_BETWEEN_LOOKS = 16

# Characters of a word, which is data then: some are left of it.
_LONG_WORD = 500
_WORD = lazy(r"\b(\w{100})\w{400,}")

_PARSING = Lock()
_TO_ROUND = bytes.maketrans(b"[{]}", b"(())")
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))


def parse_text(parser: Parser, source: bytes) -> Tree | None:
    """The syntax tree; None of a text that is too long, too deeply nested, or takes too much of the parser."""
    if len(source) > LARGEST or nested_deeply(source):
        return None
    operations = int(len(source) * _OPERATIONS) + _SOME_OPERATIONS
    readings = _READINGS * (len(source) // _PIECE + 2)

    until = process_time() + _LONGEST_TIME

    def read(offset: int, point: Point) -> bytes:
        nonlocal readings
        readings -= 1
        return source[offset : offset + _PIECE]

    def enough(offset: int, has_error: bool) -> bool:
        nonlocal operations
        operations -= 1
        if operations % _BETWEEN_LOOKS == 0 and process_time() > until:
            return True
        return operations < 0 or readings < 0

    with _PARSING:  # a parser is for one thread, and calls back into Python, where another may go on
        try:
            tree = parser.parse(read, progress_callback=enough)
        except ValueError:
            parser.reset()
            return None
    return None if _is_deep(tree) else tree


def nested_deeply(source: bytes) -> bool:
    """Whether brackets, whichever, are open more than 400 deep anywhere. Those in strings and comments count too."""
    if source.count(b"(") + source.count(b"[") + source.count(b"{") <= _MOST_BRACKETS:
        return False
    rest = source.translate(_TO_ROUND, _NO_BRACKETS)
    # Taking away the innermost pairs once for each level leaves those that close nothing and those that stay open.
    for _ in range(_MOST_BRACKETS):
        before = len(rest)
        rest = rest.replace(b"()", b"")
        if len(rest) == before:
            return rest.count(b"(") > _MOST_BRACKETS
    return b"()" in rest


def _is_deep(tree: Tree) -> bool:
    """Whether a node may be deeper, or may have more children that are errors, than is safe.

    In document order, the descendants of a node follow it without a gap. So looking at every thousandth node finds
    every subtree of more than a thousand nodes beyond the limit.
    """
    count = tree.root_node.descendant_count
    if count <= _DEEPEST:
        return False
    cursor = tree.walk()
    for index in range(_DEEPEST, count, _DEEPEST):
        cursor.goto_descendant(index)
        if cursor.depth > _DEEPEST:
            return True
        if cursor.goto_parent():
            parent = cursor.node
            if parent is not None and parent.is_error and parent.child_count > _MOST_ERRORS:
                return True
    return False


def legible(text: str) -> str:
    """The part of a text that a person may have written: no more than a grammar reads, without endless words.

    Patterns over such a text take little more than linear time. Its lines keep their numbers.
    """
    text = text[:LARGEST]
    if len(text) <= _LONG_WORD or max(map(len, text.split("\n"))) <= _LONG_WORD:
        return text
    return _WORD.sub(r"\1", text)
