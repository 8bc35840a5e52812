"""Expanded C or C++ code as a parse tree, with the scope of every node."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ....evidence.code.parsing import parse_text
from ..model import Undecidable
from ..tree import text_of
from .lexer import Token

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

Scope = tuple[str, ...]


class ParsedCode:
    """The expanded code as text with its parse tree; nodes and bytes can be mapped back to tokens."""

    def __init__(self, code: Sequence[Token], language: str, path: str) -> None:
        self.tokens = [token for token in code if token.kind != "newline"]
        parts: list[bytes] = []
        self.starts: list[int] = []
        position, last = 0, Token("newline", "", 0)
        for token in self.tokens:
            before = b"\n" if token.line != last.line else b" " if _needs_space(last, token) else b""
            text = token.text.encode("utf-8", "replace")
            if token.kind == "string":
                text = text.replace(b"\\\n", b"")
            parts += [before, text]
            self.starts.append(position + len(before))
            position, last = position + len(before) + len(text), token
        self.text = b"".join(parts)
        tree = parse_text(_parser(language), self.text)
        if tree is None:
            raise Undecidable(f"{path}: too large or too deeply nested to be parsed")
        self.tree: Tree = tree

    def token_of(self, node: Node) -> Token:
        return self.tokens[max(0, bisect_right(self.starts, node.start_byte) - 1)]

    def token_at(self, byte: int) -> Token:
        return self.tokens[max(0, bisect_right(self.starts, byte) - 1)]

    def node_at(self, index: int) -> Node | None:
        start = self.starts[index]
        length = len(self.tokens[index].text.encode("utf-8", "replace"))
        return self.tree.root_node.descendant_for_byte_range(start, start + length)

    @cached_property
    def errors(self) -> list[int]:
        """Lines at which the code does not parse."""
        return sorted({self.token_of(node).line for node, _ in self.walk() if node.is_error})

    def walk(self) -> Iterator[tuple[Node, Scope]]:
        """Every node with the namespaces, classes and functions that enclose it."""
        cursor = self.tree.walk()
        scopes: list[Scope] = [()]
        while True:
            node = cursor.node
            assert node is not None
            yield node, scopes[-1]
            scope = (*scopes[-1], *scope_added(node))
            if cursor.goto_first_child():
                scopes.append(scope)
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                scopes.pop()


def _needs_space(left: Token, right: Token) -> bool:
    """Whether two tokens need white space between them: the source has it, or they would merge without it."""
    words = ("name", "number", "string", "char")
    return right.spaced or left.from_macro != right.from_macro or (left.kind in words and right.kind in words)


def scope_added(node: Node) -> Scope:
    """The scope names that a node adds for its children."""
    match node.type:
        case "namespace_definition":
            name = node.child_by_field_name("name")
            return tuple(text_of(name).replace(" ", "").split("::")) if name is not None else ()
        case "class_specifier" | "struct_specifier" | "union_specifier":
            name = node.child_by_field_name("name")
            if node.child_by_field_name("body") is None:
                return ()
            return (unqualified_name(name),) if name is not None else ("(anonymous)",)
        case "function_definition":
            return (*_qualifier(node.child_by_field_name("declarator")), f"(function {node.start_byte})")
        case "lambda_expression" | "compound_statement":
            return (f"(block {node.start_byte})",)
    return ()


def _qualifier(declarator: Node | None) -> Scope:
    """The classes and namespaces before the name in the definition of ``A::B::f``."""
    while declarator is not None and declarator.type != "qualified_identifier":
        inner = declarator.child_by_field_name("declarator")
        if inner is None and declarator.type == "reference_declarator":
            inner = declarator.named_children[0] if declarator.named_children else None
        declarator = inner
    found: list[str] = []
    while declarator is not None and declarator.type == "qualified_identifier":
        scope = declarator.child_by_field_name("scope")
        if scope is not None:
            found.append(unqualified_name(scope))
        declarator = declarator.child_by_field_name("name")
    return tuple(found)


def unqualified_name(name: Node | None) -> str:
    """The last name of a qualified name: ``b`` of ``a::b<T>``."""
    while name is not None and name.type in ("template_type", "qualified_identifier"):
        name = name.child_by_field_name("name")
    return text_of(name)


_PARSERS: dict[str, Parser] = {}


def _parser(language: str) -> Parser:
    if language not in _PARSERS:
        import tree_sitter_c
        import tree_sitter_cpp
        from tree_sitter import Language, Parser

        module = tree_sitter_c if language == "c" else tree_sitter_cpp
        _PARSERS[language] = Parser(Language(module.language()))
    return _PARSERS[language]
