"""Tests of a JavaScript file by title: which there are, and the file without some of them.

A test is a statement ``test("title", ...)``, also with ``it``, and ``test.skip`` and its like. Tests in a ``describe``
or ``suite`` have its title before theirs, with `SEPARATOR` between. What a test starts itself (``t.test``) belongs to
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..evidence.testruns.results import SEPARATOR
from .mutation import MutationError
from .mutation.javascript.source import parse
from .test_functions import TestFunctionError

if TYPE_CHECKING:
    from tree_sitter import Node

_TESTS, _GROUPS = ("test", "it"), ("describe", "suite")
_KINDS = ("skip", "only", "todo")
_FUNCTIONS = ("arrow_function", "function_expression")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}


def names(content: bytes) -> list[str]:
    """The titles of the tests of a file, those that it makes in loops left out."""
    return list(dict.fromkeys(name for name, _ in _statements(_parsed(content), "")))


def without(content: bytes, left_out: Iterable[str]) -> bytes:
    """The file without these tests or groups; titles that it does not have are ignored."""
    left_out = list(left_out)
    return _dropping(content, lambda test: is_one_of(test, left_out))


def only(content: bytes, kept: Iterable[str]) -> bytes:
    """The file with these tests, and with everything in it that is no test of a title."""
    kept = list(kept)
    return _dropping(content, lambda test: not is_one_of(test, kept))


def is_one_of(test: str, ids: Iterable[str]) -> bool:
    """Whether a test is one of these tests, or belongs to one of them or to one of these groups."""
    return any(test == i or test.startswith(f"{i}{SEPARATOR}") for i in ids)


def normal(title: str) -> str:
    """A title as results show it: blanks and line ends alike."""
    return " ".join(title.split())


def _parsed(content: bytes) -> Node:
    try:
        # A first line for the shell is no JavaScript.
        return parse(re.sub(r"\A#!", "//", content.decode()))
    except (MutationError, UnicodeDecodeError) as error:
        raise TestFunctionError(f"does not parse ({' '.join(str(error).split())})") from None


def _statements(block: Node, above: str) -> Iterator[tuple[str, Node]]:
    """The tests among the statements of a block, with their titles."""
    for statement in block.named_children:
        found = _called(statement)
        if found is None:
            continue
        kind, title, function = found
        if kind in _TESTS:
            yield above + title, statement
        elif function is not None and (body := function.child_by_field_name("body")) is not None:
            yield from _statements(body, f"{above}{title}{SEPARATOR}")


def _called(statement: Node) -> tuple[str, str, Node | None] | None:
    """(function, title, what it is given) of a statement that is a test or a group of tests."""
    call = statement.named_children[0] if statement.type == "expression_statement" else None
    if call is not None and call.type == "await_expression":
        call = call.named_children[0]
    if call is None or call.type != "call_expression":
        return None
    called, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    given = [a for a in arguments.named_children if a.type != "comment"] if arguments is not None else []
    kind = _kind(called)
    title = _text(given[0]) if given else None
    if kind not in (*_TESTS, *_GROUPS) or title is None:
        return None
    return kind, title, given[-1] if given[-1].type in _FUNCTIONS else None


def _kind(called: Node | None) -> str:
    if called is not None and called.type == "member_expression":
        above, kind = called.child_by_field_name("object"), called.child_by_field_name("property")
        called = above if kind is not None and _source(kind) in _KINDS else None
    return _source(called) if called is not None and called.type == "identifier" else ""


def _text(node: Node) -> str | None:
    """The value of a text without expressions in it."""
    if node.type not in ("string", "template_string") or any(c.type == "template_substitution" for c in node.children):
        return None
    return normal(_ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[1]), _source(node)[1:-1]))


def _source(node: Node) -> str:
    return (node.text or b"").decode()


def _dropping(content: bytes, drop: Callable[[str], bool]) -> bytes:
    for name, statement in reversed([*_statements(_parsed(content), "")]):
        if drop(name):
            start, end = statement.start_byte, statement.end_byte
            line = content.rfind(b"\n", 0, start) + 1
            rest = re.compile(rb"[ \t;]*\r?\n?\n?").match(content, end)
            # What shares its lines stays.
            start = line if not content[line:start].strip() else start
            content = content[:start] + content[rest.end() if rest is not None else end :]
    return content
