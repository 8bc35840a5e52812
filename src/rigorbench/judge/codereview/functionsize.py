"""Sizes of functions: length, nesting depth of control structures, number of parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from ...base.code.grammars import grammar_for, parse
from .languages import LanguageFile, text_of, walk
from .result import Undecidable
from .sources import SourceFile

if TYPE_CHECKING:
    from tree_sitter import Node

    from .compiled import CodeSelection

_FUNCTIONS = {
    "c": frozenset({"function_definition"}),
    "python": frozenset({"function_definition"}),
    "rust": frozenset({"function_item"}),
    "go": frozenset({"function_declaration", "method_declaration", "func_literal"}),
    "java": frozenset({"method_declaration", "constructor_declaration"}),
    "javascript": frozenset(
        (
            "function_declaration generator_function_declaration method_definition function_expression arrow_function"
        ).split()
    ),
}
_CONTROL = frozenset(
    """
    if_statement for_statement for_range_loop while_statement do_statement switch_statement try_statement catch_clause
    with_statement match_statement if_expression for_expression while_expression loop_expression match_expression
    expression_switch_statement type_switch_statement select_statement enhanced_for_statement switch_expression
    for_in_statement
    """.split()
)


class FunctionSize(Struct, frozen=True):
    """The size of one function; ``self`` and the like are no parameters."""

    name: str
    line: int
    lines: int
    nesting: int
    parameters: int


def c_functions(c: CodeSelection, source: SourceFile) -> Iterator[FunctionSize]:
    """The functions of a C or C++ file as the compiler has them."""
    sizes = {
        FunctionSize(fact.name, place.line, max(1, fact.numbers[0] - place.line + 1), *fact.numbers[1:])
        for fact, place in c.facts("size")
        if place.path == source.path and not place.generated
    }
    yield from sorted(sizes, key=lambda size: (size.line, size.name))


def written_c_functions(source: SourceFile) -> Iterator[FunctionSize]:
    """The functions of a C or C++ file as it is written, for an estimate: nothing is compiled."""
    grammar = grammar_for("a.c" if source.language == "c" else "a.cpp", "")
    parsed = parse(grammar, source.text.encode("utf-8", "replace")) if grammar is not None else None
    if parsed is None:
        raise Undecidable(f"{source.path}: too large or too deeply nested to be parsed")
    for node in walk(parsed[0].root_node):
        if node.type in _FUNCTIONS["c"] and node.child_by_field_name("body") is not None:
            # What is declared, without its parameters.
            text = text_of(node.child_by_field_name("declarator")).split("(", 1)[0]
            yield _size_of(node, "".join(text.split()).lstrip("*&") or "(unnamed)")


def language_functions(file: LanguageFile) -> Iterator[FunctionSize]:
    kinds = _FUNCTIONS[file.language]
    for node in file.nodes:
        if node.type in kinds:
            yield _size_of(node, text_of(node.child_by_field_name("name")) or "(unnamed)")


def _size_of(node: Node, name: str) -> FunctionSize:
    parameters = _parameters(node)
    count = 0
    if parameters is not None:
        kinds = [child for child in parameters.named_children if "comment" not in child.type]
        # void f(void) has no parameter, and a caller does not pass self.
        texts = [text_of(child) for child in kinds]
        count = sum(text not in ("void", "self", "&self", "&mut self", "cls", "this", "*", "/") for text in texts)
    deepest, depths = 0, {node.id: 0}
    for inner in walk(node):
        parent = inner.parent
        if inner.id == node.id or parent is None:
            continue
        depth = depths.get(parent.id, 0)
        # "else if" is not deeper than its "if".
        is_else_if = inner.type.startswith("if_") and (
            parent.type == "else_clause"
            or (parent.type == inner.type and parent.child_by_field_name("alternative") == inner)
        )
        if inner.type in _CONTROL and inner.type != "catch_clause" and not is_else_if:
            depth += 1
            deepest = max(deepest, depth)
        depths[inner.id] = depth
    first, last = node.start_point[0] + 1, node.end_point[0] + 1
    return FunctionSize(name[:80], first, max(1, last - first + 1), deepest, count)


def _parameters(node: Node) -> Node | None:
    found = node.child_by_field_name("parameters")
    if found is not None:
        return found
    declarator = node.child_by_field_name("declarator")
    while declarator is not None:
        found = declarator.child_by_field_name("parameters")
        if found is not None:
            return found
        inner = declarator.child_by_field_name("declarator")
        declarator = inner or next((c for c in declarator.named_children if c.type == "function_declarator"), None)
    return None
