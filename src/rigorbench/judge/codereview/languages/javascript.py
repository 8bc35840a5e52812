"""The full names that a JavaScript or TypeScript file uses, and the places where they cannot be determined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..tree import ancestors, first_string_value, string_value, text_of, unescape
from .source import LanguageFile

if TYPE_CHECKING:
    from tree_sitter import Node

_GLOBALS = frozenset({"globalThis", "global", "window", "self"})
_GATEWAYS = _GLOBALS | {"process", "require", "module"}
# The module form of the global "process"; an import can give it any name.
_PROCESS_MODULES = frozenset({"process", "node:process"})
_TIMERS = frozenset({"setTimeout", "setInterval", "setImmediate"})
_DECLARATIONS = frozenset({"function_declaration", "generator_function_declaration", "class_declaration"})
_OWN_VALUES = frozenset(
    "arrow_function function_expression function generator_function class number string object".split()
)


def used_names(file: LanguageFile) -> Iterator[tuple[str, Node]]:
    own = _declared_names(file)
    for node in file.nodes:
        if node.type in ("identifier", "shorthand_property_identifier"):
            if not _is_own(own, node):
                yield unescape(text_of(node)), node
        elif node.type in ("member_expression", "subscript_expression"):
            path = path_of(node)
            if path is not None:
                yield re.sub(r"^(?:(?:globalThis|global|window|self)\.)+", "", path), node
            if _property(node) == "constructor" and _is_passed_on(node):
                # The constructor of any function creates functions from text.
                yield "Function", node
        elif node.type in ("pair_pattern", "shorthand_property_identifier_pattern"):
            key = node.child_by_field_name("key") if node.type == "pair_pattern" else node
            if unescape(text_of(key)).strip("\"'") == "constructor":
                yield "Function", node
        elif node.type == "call_expression":
            arguments = node.child_by_field_name("arguments")
            first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
            name = (path_of(node.child_by_field_name("function")) or "").rpartition(".")[2]
            if (
                name in _TIMERS
                and first is not None
                and first.type in ("string", "template_string", "binary_expression")
            ):
                yield "eval", node


def untraceable_uses(file: LanguageFile) -> Iterator[Node]:
    """Where the global object, or what loads modules, is used by a name that is computed, or handed on."""
    own = _declared_names(file)
    for node in file.nodes:
        if node.type == "import_statement" and string_value(node.child_by_field_name("source")) in _PROCESS_MODULES:
            clause = next((child for child in node.children if child.type == "import_clause"), None)
            if clause is not None and text_of(clause) != "process":
                yield node
        elif node.type == "call_expression" and text_of(node.child_by_field_name("function")) == "require":
            declarator = node.parent
            named = text_of(declarator.child_by_field_name("name")) if declarator is not None else ""
            if first_string_value(node.child_by_field_name("arguments")) in _PROCESS_MODULES and named != "process":
                yield node
        if node.type != "identifier" or unescape(text_of(node)) not in _GATEWAYS or _is_own(own, node):
            continue
        name, parent = unescape(text_of(node)), node.parent
        if parent is None or parent.type == "import_clause" or parent.child_by_field_name("name") == node:
            continue  # a declaration, not a use
        if parent.type == "member_expression":
            harmless = name != "require" or _property(parent) in ("resolve", "cache", "main", "extensions")
            if not harmless:
                yield node
        elif parent.type == "subscript_expression":
            if parent.child_by_field_name("object") == node and _property(parent) is None:
                yield node
        elif parent.type == "unary_expression" or (parent.type == "binary_expression" and name != "require"):
            continue  # typeof require; require.main === module
        elif not (parent.type == "call_expression" and name == "require"):
            yield node


def path_of(node: Node | None) -> str | None:
    """The path "a.b.c"; a subscript with a literal counts as a name. None when the node is not a path."""
    if node is None:
        return None
    if node.type == "identifier":
        return unescape(text_of(node))
    if node.type == "parenthesized_expression" and len(node.named_children) == 1:
        return path_of(node.named_children[0])
    if node.type in ("member_expression", "subscript_expression"):
        owner, name = path_of(node.child_by_field_name("object")), _property(node)
        return f"{owner}.{name}" if owner is not None and name is not None else None
    return None


def _property(node: Node) -> str | None:
    if node.type == "member_expression":
        return unescape(text_of(node.child_by_field_name("property")))
    return string_value(node.child_by_field_name("index"))


def _is_passed_on(node: Node) -> bool:
    """Whether ``x.constructor`` is called or passed on, and not only compared or asked for its name."""
    parent = node.parent
    if parent is None or parent.type in ("member_expression", "binary_expression"):
        return False
    if parent.type == "subscript_expression":
        return parent.child_by_field_name("object") != node
    if parent.type == "new_expression":
        return text_of(node.child_by_field_name("object")) != "this"
    return True


def _declared_names(file: LanguageFile) -> dict[str, set[int]]:
    """The program's own functions, classes and parameters: name -> ids of the nodes that are their scopes."""
    found: dict[str, set[int]] = {}

    def add(name: Node | None, scope: Node | None) -> None:
        if name is not None and name.type in ("identifier", "type_identifier") and scope is not None:
            found.setdefault(unescape(text_of(name)), set()).add(scope.id)

    for node in file.nodes:
        value = node.child_by_field_name("value") if node.type == "variable_declarator" else None
        if node.type in _DECLARATIONS or (value is not None and value.type in _OWN_VALUES):
            scope = next((n for n in ancestors(node) if n.type in ("program", "statement_block")), None)
            add(node.child_by_field_name("name"), scope)
        elif node.type == "formal_parameters":
            for child in node.named_children:
                inner = child.child_by_field_name("left") or child.child_by_field_name("pattern")
                add(inner or child, node.parent)
        elif node.type == "arrow_function":
            add(node.child_by_field_name("parameter"), node)
    return found


def _is_own(own: dict[str, set[int]], node: Node) -> bool:
    scopes = own.get(unescape(text_of(node)), set())
    return any(ancestor.id in scopes for ancestor in ancestors(node))
