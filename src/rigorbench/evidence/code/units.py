"""Code units (functions, methods, classes) of a source text, and what changed between two versions of it.

Built on tree-sitter, so it works on fragments with errors as well as on whole files. A unit changed when its syntax
tree did: comments, Python docstrings, white space, quote style and trailing commas are left out of its fingerprint, and
its own name too, so that a pure rename changes nothing.

A unit inside a function belongs to that function. Names are ``Class.method``; a second definition of the same name
(overload, property setter) is ``name#2``. Languages without a grammar have no units, only names found by pattern.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ...base.code.grammars import Grammar, comment_ranges, grammar_for, parse, unit_matches
from ...base.code.grammars import is_source as is_source
from ...base.code.testcode import TestFunction as TestFunction
from ...base.code.testcode import test_functions as test_functions
from ...base.code.words import referenced_names as referenced_names
from ...base.patterns import lazy

if TYPE_CHECKING:
    from tree_sitter import Node

Kind = Literal["function", "class", "type", "constant"]


class Unit(Struct, frozen=True):
    """One unit."""

    name: str
    """Its qualified name (``Class.method``); a second unit of that name gets "#2"."""
    kind: Kind
    """"type" is a declaration that does not run (struct, interface, enum); "constant" a value of a Python module (only
    where a replay reverts it: :func:`units` does not list them)."""
    start_line: int
    end_line: int
    start: int
    end: int
    """Byte offsets into the UTF-8 text."""
    body: tuple[int, int] | None
    """The offsets of its body; None if it has none."""
    fingerprint: str
    """Equal for two units that differ only in layout and comments."""
    own: str
    """The same without the units inside it."""


# Parents that belong to the unit they wrap: decorators, `export`, template parameters.
_WRAPPERS = frozenset({"decorated_definition", "export_statement", "template_declaration"})
_CAPTURES: tuple[Kind | Literal["scope"], ...] = ("function", "class", "type", "scope")


class _Found:
    """A unit as found in the tree; fingerprints are made when asked for."""

    __slots__ = ("body", "children", "end", "grammar", "kind", "lines", "name", "node", "shift", "simple", "source")

    def __init__(
        self, grammar: Grammar, node: Node, kind: Kind | Literal["scope"], simple: str, source: bytes, shift: int
    ) -> None:
        self.grammar = grammar
        parent = node.parent
        self.body = node.child_by_field_name("body")
        if self.body is None and node.type in ("variable_declarator", "field_definition", "public_field_definition"):
            value = node.child_by_field_name("value")
            self.body = None if value is None else value.child_by_field_name("body")
        while parent is not None and parent.type in _WRAPPERS:
            node, parent = parent, parent.parent
        self.node, self.kind, self.simple, self.name = node, kind, simple, simple
        self.lines = (node.start_point[0] + 1, node.end_point[0] + 1)
        self.end = node.end_byte
        self.source, self.shift = source, shift
        self.children: list[_Found] = []

    def text(self) -> bytes:
        return self.source[self.node.start_byte : self.end]

    def fingerprint(self, own: bool, renamed: Mapping[bytes, bytes]) -> str:
        holes = comment_ranges(self.grammar, self.node)
        shape = str(self.node)
        if own and self.children:
            kept, at = [], 0
            for child in self.children:
                holes.append((child.node.start_byte, child.end))
                inner = " " + str(child.node)
                first = shape.find(inner, at)
                if first >= 0:
                    kept.append(shape[at:first])
                    at = first + len(inner)
            shape = "".join((*kept, shape[at:]))
        start, pieces = self.node.start_byte, []
        for first, last in sorted(holes):
            if first >= start:
                pieces.append(self.source[start:first])
                start = last
        pieces.append(self.source[start : self.end])
        tokens = _TOKEN.findall(b" ".join(pieces))
        self_name = self.simple.encode()
        words = [
            b"\0" if t == self_name else renamed.get(t, t) if t[0] not in b"\"'" else _unquoted(t)
            for t in tokens
            if t not in _LAYOUT
        ]
        from hashlib import blake2b

        digest = blake2b(b" ".join(words), digest_size=8)
        digest.update(_plain(shape).encode())
        return digest.hexdigest()


# Strings are one token so that white space inside them counts; everything else is a word or one character.
_TOKEN = re.compile(
    rb'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|\'\'\'[^\'\\]*(?:(?:\\.|\'(?!\'\'))[^\'\\]*)*\'\'\''
    rb'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\\\n]*(?:\\.[^\'\\\n]*)*\'|`[^`\\]*(?:\\.[^`\\]*)*`|\w+|[^\w\s]',
    re.DOTALL,
)
# Characters that the shape of the tree implies, and that formatters add and remove.
_LAYOUT = frozenset({b"(", b")", b",", b";", b"{", b"}"})
_COMMENT_SHAPE = lazy(r" ?\((?:line_|block_)?comment(?: (?:\w+: )?\(\w+\))*\)")
_DOCSTRING_SHAPE = lazy(
    r"\(block \(expression_statement \(string \(string_start\)(?: \(string_content(?: \(escape_sequence\))*\))? "
    r"\(string_end\)\)\) ?"
)
_PARENTHESES = lazy(r"\((?:parenthesized_expression )?|\)")


def _unquoted(token: bytes) -> bytes:
    """A string token with double quotes where the quotes are only a matter of style."""
    if len(token) > 1 and token[:1] == b"'" and b'"' not in token and b"\\" not in token:
        return b'"' + token.strip(b"'") + b'"'
    return token


def _plain(shape: str) -> str:
    """The tree's shape without comments, docstrings and redundant parentheses."""
    if "comment" in shape:
        shape = _COMMENT_SHAPE.sub("", shape)
    if "(string_start)" in shape:
        shape = _DOCSTRING_SHAPE.sub("(block ", shape)
    if "(parenthesized_expression " not in shape:
        return shape
    # A parenthesised expression equals its content: drop its own pair and keep every other.
    pieces: list[str] = []
    drop: list[bool] = []
    position = 0
    for match in _PARENTHESES.finditer(shape):
        token = match.group()
        if token == ")":
            skip = drop.pop() if drop else False
        else:
            skip = len(token) > 1
            drop.append(skip)
        if skip:
            pieces.append(shape[position : match.start()])
            position = match.end()
    pieces.append(shape[position:])
    return "".join(pieces)


@lru_cache(maxsize=24)  # each contains a syntax tree, ten times the size of its text
def _find(path: str, text: str) -> tuple[_Found, ...]:
    """The units of a text in order of their start, nested ones in ``children`` as well."""
    grammar = grammar_for(path, text)
    if grammar is None or not grammar.may_have_units(text):
        return ()
    parsed = parse(grammar, text.encode("utf-8", "surrogatepass"))
    if parsed is None:
        return ()
    tree, source, shift = parsed
    items: dict[int, _Found] = {}
    for _, captures in unit_matches(grammar, tree.root_node):
        kind = next((k for k in _CAPTURES if k in captures), None)
        if kind is None or "name" not in captures:
            continue
        node = captures[kind][0]
        simple = _text(captures["name"][0], source)
        found = _Found(grammar, node, kind, simple.rsplit(".", 1)[-1], source, shift)
        found.name = f"{_text(captures['receiver'][0], source)}.{simple}" if "receiver" in captures else simple
        items.setdefault(node.start_byte, found)
    result: list[_Found] = []
    stack: list[_Found] = []
    seen: dict[str, int] = {}
    for found in sorted(items.values(), key=lambda f: (f.node.start_byte, -f.end)):
        if shift and found.node.start_byte < shift:
            continue
        while stack and stack[-1].end <= found.node.start_byte:
            stack.pop()
        if stack and stack[-1].kind == "function":
            continue
        if stack:
            found.name = f"{stack[-1].name}.{found.name}"
            stack[-1].children.append(found)
        if found.kind != "scope":
            count = seen[found.name] = seen.get(found.name, 0) + 1
            if count > 1:
                found.name += f"#{count}"
        result.append(found)
        stack.append(found)
    return tuple(result)


_TYPE_ARGUMENTS = lazy(r"<[^<>()]*>")


def _text(node: Node, source: bytes) -> str:
    text = source[node.start_byte : node.end_byte].decode("utf-8", "replace").replace("::", ".")
    return _TYPE_ARGUMENTS.sub("", text) if "<" in text else text


def units(path: str, text: str) -> dict[str, Unit]:
    """The units of a file or fragment by name, in order. {} for a language without grammar."""
    result = {}
    for found in _find(path, text):
        if found.kind == "scope":
            continue
        start, body = found.node.start_byte - found.shift, found.body
        result[found.name] = Unit(
            name=found.name,
            kind=found.kind,
            start_line=found.lines[0],
            end_line=found.lines[1],
            start=start,
            end=found.end - found.shift,
            body=None if body is None else (body.start_byte - found.shift, body.end_byte - found.shift),
            fingerprint=found.fingerprint(False, {}),
            own=found.fingerprint(True, {}),
        )
    return result


def changed_units(path: str, before: str | None, after: str | None) -> list[str]:
    """Functions, methods and classes that were added, modified or deleted between two versions of a file.

    None: the file does not exist. Pure renames are left out, at the callers too: a unit whose only change is the new
    name of a renamed unit did not change.
    """
    if before == after:
        return []
    old = {f.name: f for f in _find(path, before or "") if f.kind in ("function", "class")}
    new = {f.name: f for f in _find(path, after or "") if f.kind in ("function", "class")}
    changed: list[str] = []
    gone = {name: f for name, f in old.items() if name not in new}
    renamed: dict[bytes, bytes] = {}
    added: set[str] = set()
    if gone:
        prints: dict[tuple[str, str], list[_Found]] = {}
        for f in gone.values():
            prints.setdefault((f.kind, f.fingerprint(True, {})), []).append(f)
    for name, f in new.items():
        if name in old:
            continue
        twins = prints.get((f.kind, f.fingerprint(True, {}))) if gone else None
        if twins:
            twin = twins.pop(0)
            del gone[twin.name]
            if twin.simple != f.simple:
                renamed[twin.simple.encode()] = f.simple.encode()
        else:
            added.add(name)
    for name, f in new.items():
        if name not in old:
            if name in added:
                changed.append(name)
            continue
        if f.text() != old[name].text() and f.fingerprint(True, {}) != old[name].fingerprint(True, renamed):
            changed.append(name)
    return changed + list(gone)


def units_at(path: str, text: str, first_line: int, last_line: int) -> list[str]:
    """The innermost units of a whole file that the 1-based lines ``first_line``..``last_line`` touch."""
    hit = [f for f in _find(path, text) if f.lines[0] <= last_line and f.lines[1] >= first_line and f.kind != "scope"]
    holding = {id(f) for f in hit for c in f.children if c.lines[0] <= first_line and c.lines[1] >= last_line}
    return [f.name for f in hit if id(f) not in holding]


_DEFINITION = lazy(
    r"\b(?:def|fn|func|fun|function|class|struct|interface|trait|impl|object|module|enum|record)\s+"
    r"(?:\(\w*+\s*+\*?\w*+\)\s*)?(?:self\.)?([A-Za-z_]\w*)"
)


def units_of_fragment(path: str, text: str) -> list[str]:
    """Names of the units that a fragment defines, in order, innermost last."""
    names = [f.name for f in _find(path, text) if f.kind != "scope"]
    if not names and ("." not in path or grammar_for(path, text) is None):
        names = list(dict.fromkeys(_DEFINITION.findall(text)))
    return names
