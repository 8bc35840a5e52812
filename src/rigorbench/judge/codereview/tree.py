"""Helpers for the parse trees of all languages: walking, texts, names, values of literals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|(?:u+(?=[0-9a-fA-F]{4})|U(?=[0-9a-fA-F]{8}))"
    r"((?<=u)[0-9a-fA-F]{4}|(?<=U)[0-9a-fA-F]{8})|([0-7]{1,3})|N\{([^}]*)\}|(.))",
    re.DOTALL,
)
_STRINGS = frozenset({"string", "interpreted_string_literal", "raw_string_literal", "string_literal"})


def walk(root: Node) -> Iterator[Node]:
    cursor = root.walk()
    while True:
        assert cursor.node is not None
        yield cursor.node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def ancestors(node: Node) -> Iterator[Node]:
    """The parent of a node, its parent, and so on up to the root."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def text_of(node: Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""


def normalized_name(node: Node | None) -> str:
    """A name in the normal form (NFKC) in which Python compares names."""
    return unicodedata.normalize("NFKC", re.sub(r"\s+", "", text_of(node)))


def unquoted(node: Node | None) -> str:
    return text_of(node).strip("\"'`")


def string_value(node: Node | None) -> str | None:
    """The value of a string literal, or of several that are adjacent or joined by "+"; None for anything else."""
    if node is None:
        return None
    if node.type == "concatenated_string" or (
        node.type in ("binary_operator", "binary_expression") and b"+" in (node.text or b"")
    ):
        parts = [string_value(child) for child in node.named_children]
        return None if None in parts else "".join(part or "" for part in parts)
    if node.type not in _STRINGS or any("interpolation" in child.type for child in node.children):
        return None
    text = text_of(node)
    value = re.sub(r"^[rRbBuUfF]*(\"\"\"|'''|\"|'|`)(.*)\1$", r"\2", text, flags=re.DOTALL)
    raw = text[:1] == "`" or re.match(r"[bBuUfF]*[rR]", text) is not None
    return value if raw else unescape(value)


def unescape(text: str) -> str:
    """Text with the escapes of string literals replaced; those of all languages are treated alike."""
    return _ESCAPE.sub(_unescaped_character, text) if "\\" in text else text


def _unescaped_character(escape: re.Match[str]) -> str:
    code = next((group for group in escape.groups()[:3] if group), None)
    if code is not None:
        return chr(int(code, 16)) if int(code, 16) < 0x110000 else "\ufffd"
    if escape[4]:
        return chr(int(escape[4], 8))
    if escape[5]:
        try:
            return unicodedata.lookup(escape[5])
        except KeyError:
            return "\ufffd"
    return {"\n": "", "n": "\n", "t": "\t", "r": "\r"}.get(escape[6], escape[6])


def first_string_value(arguments: Node | None) -> str | None:
    return string_value(arguments.named_children[0]) if arguments is not None and arguments.named_children else None


def line_of(node: Node) -> int:
    return int(node.start_point[0]) + 1
