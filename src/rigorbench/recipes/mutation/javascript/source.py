"""A JavaScript source with its tree, and the places of it that an operator may look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ..model import MutationError, Registry, Splice

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

FUNCTIONS = frozenset(
    {
        "function_declaration", "function_expression", "arrow_function", "method_definition",
        "generator_function", "generator_function_declaration",
    }
)  # fmt: skip
LOOPS = frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"})
PLAIN = frozenset({"identifier", "member_expression", "subscript_expression"})
_NO_PLACES = frozenset({"throw_statement", "import_statement", "template_string", "comment"})
_SHOWN = frozenset({"toString", "inspect", "toJSON"})
_LOGS = frozenset({"console", "debug", "log", "logger", "assert", "warn", "deprecate", "require"})
_ABOUT_ENVIRONMENT = (
    "process.env",
    "process.version",
    "typeof window",
    "typeof process",
    "typeof module",
    "typeof define",
    "typeof exports",
)


@dataclass(frozen=True, slots=True)
class Site:
    """One node with the function or class around it, or the node itself if it is one."""

    data: bytes
    node: Node
    qualname: str

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode()

    def replace(self, node: Node, text: str) -> tuple[Splice, ...]:
        return (Splice(node.start_byte, node.end_byte, text),)

    def dropped(self) -> tuple[Splice, ...]:
        """Drops a statement: its lines if it has them for itself, otherwise it becomes an empty block.

        There is none if the lines before and after would then be read as one statement.
        """
        start, end = self.node.start_byte, self.node.end_byte
        line = max(self.data.rfind(b"\n", 0, start), self.data.rfind(b"\r", 0, start)) + 1
        following = self.data.find(b"\n", end) + 1 or len(self.data)
        in_block = self.node.parent is not None and self.node.parent.type in ("statement_block", "program")
        if not in_block or self.data[line:start].strip() or self.data[end:following].strip(b"; \t\r\n"):
            return (Splice(start, end, "{}"),)
        if self.data[following:].lstrip()[:1] in (b"(", b"[", b"`", b"+", b"-", b"/"):
            return ()
        return (Splice(line, following, ""),)

    def name(self, node: Node | None, otherwise: str = "the value") -> str:
        """The last name of an expression as a description shows it."""
        found = last_name(node)
        return f"`{found}`" if found else otherwise


OPERATORS: Registry[Site] = Registry()


@cache
def _parser() -> Parser:
    import tree_sitter_javascript
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_javascript.language()))


def parse(text: str) -> Node:
    """The root of the tree.

    Raises:
        MutationError: the text is not JavaScript.
    """
    try:
        root = _parser().parse(text.encode()).root_node
    except UnicodeEncodeError as error:
        raise MutationError(f"not text that can be read ({error.reason}); leave the file out") from error
    if root.has_error:
        raise MutationError(f"line {_error_line(root)}: not JavaScript; leave the file out")
    return root


def _error_line(root: Node) -> int:
    node = root
    while True:
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            return node.start_point.row + 1
        node = inner


def leaves(root: Node) -> Iterator[tuple[str, bytes | None]]:
    """The kinds of all nodes in their order, with the text of those that have no parts. Comments are left out."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "comment":
            continue
        children = node.children
        yield node.type, None if children else node.text
        waiting += reversed(children)
        if children:
            # Where the parts of a node end is part of the tree.
            yield "end", str(len(children)).encode()


def sites(text: str) -> Iterator[Site]:
    """Every node that may be changed.

    Raises:
        MutationError: the text is not JavaScript.
    """
    data = text.encode()
    waiting = [(parse(text), "<module>")]
    while waiting:
        node, around = waiting.pop()
        if _untouched(node):
            continue
        name = own_name(node)
        qualname = around if not name else name if around == "<module>" else f"{around}.{name}"
        yield Site(data, node, qualname)
        waiting += [(child, qualname) for child in node.named_children]


def own_name(node: Node) -> str:
    """The name of a function or class, also of one that is assigned to a name."""
    if node.type in FUNCTIONS or node.type in ("class_declaration", "class"):
        named = node.child_by_field_name("name")
        if named is not None:
            return _decoded(named)
        holder = node.parent
        field = {
            "variable_declarator": "name",
            "assignment_expression": "left",
            "pair": "key",
            "field_definition": "property",
        }
        if holder is not None and holder.type in field and node.type != "class":
            return last_name(holder.child_by_field_name(field[holder.type]))
    return ""


def _untouched(node: Node) -> bool:
    """Whether a change below a node is harmless, or is one that no test of the library is meant to find."""
    if node.type in _NO_PLACES or (node.type in FUNCTIONS and own_name(node) in _SHOWN):
        return True
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        return bool({first_name(function), last_name(function)} & _LOGS)
    if node.type in ("if_statement", "ternary_expression"):
        condition = node.child_by_field_name("condition")
        return condition is not None and any(sign in _decoded(condition) for sign in _ABOUT_ENVIRONMENT)
    return node.type == "variable_declarator" and last_name(node.child_by_field_name("name")).lower() == "version"


def last_name(node: Node | None) -> str:
    """``b`` of ``a.b`` and ``f`` of ``f(x)``; empty if an expression has no name."""
    while node is not None:
        if node.type in (
            "identifier",
            "property_identifier",
            "private_property_identifier",
            "shorthand_property_identifier_pattern",
        ):
            return _decoded(node)
        field = {"member_expression": "property", "call_expression": "function", "subscript_expression": "object"}
        node = node.child_by_field_name(field[node.type]) if node.type in field else None
    return ""


def first_name(node: Node | None) -> str:
    """``a`` of ``a.b.c``."""
    while node is not None and node.type == "member_expression":
        node = node.child_by_field_name("object")
    return _decoded(node) if node is not None and node.type == "identifier" else ""


def part(node: Node, field: str) -> Node:
    """A part that this kind of node always has."""
    found = node.child_by_field_name(field)
    return node if found is None else found


def named_parts(node: Node) -> list[Node]:
    """The parts of a node without comments."""
    return [child for child in node.named_children if child.type != "comment"]


def function_around(node: Node) -> Node | None:
    """The nearest function around a node."""
    around = node.parent
    while around is not None and around.type not in FUNCTIONS:
        around = around.parent
    return around


def _decoded(node: Node) -> str:
    return (node.text or b"").decode()
