"""Operators on values in JavaScript: copies, bounds, encodings, defaults, arguments, rounding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..model import Edit, Splice
from .source import OPERATORS, PLAIN, Site, last_name, named_parts, part

if TYPE_CHECKING:
    from tree_sitter import Node

_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_ENCODINGS = {
    "utf8": "latin1", "utf-8": "latin1", "latin1": "utf8", "binary": "utf8", "ascii": "utf8",
}  # fmt: skip
_ROUNDINGS = {"floor": "round", "ceil": "floor", "round": "floor", "trunc": "round"}
_STRIPS = {"trim": "trimEnd", "trimStart": "trim", "trimEnd": "trim", "trimLeft": "trim", "trimRight": "trim"}
_KEPT_ORDER = frozenset({"max", "min", "hypot", "is", "isPrototypeOf", "define", "bind", "pipe"})


@OPERATORS.operator("dropped-copy", "object", "array")
def dropped_spread(site: Site) -> Iterator[Edit]:
    parts = named_parts(site.node)
    if len(parts) == 1 and parts[0].type == "spread_element":
        copied = parts[0].named_children[0]
        if copied.type in PLAIN:
            yield Edit(site.replace(site.node, site.text(copied)), site.name(copied))


@OPERATORS.operator("dropped-copy", "call_expression")
def dropped_copy(site: Site) -> Iterator[Edit]:
    function, arguments = part(site.node, "function"), named_parts(part(site.node, "arguments"))
    called = site.text(function)
    copied: Node | None = None
    if called == "Object.assign" and len(arguments) == 2 and site.text(arguments[0]) == "{}":
        copied = arguments[1]
    elif called in ("Array.from", "structuredClone") and len(arguments) == 1:
        copied = arguments[0]
    elif function.type == "member_expression" and last_name(function) in ("slice", "concat") and not arguments:
        copied = part(function, "object")
    if copied is not None and copied.type in PLAIN:
        yield Edit(site.replace(site.node, site.text(copied)), site.name(copied))


@OPERATORS.operator("boundary-comparison", "binary_expression")
def boundary_comparison(site: Site) -> Iterator[Edit]:
    sign, left = part(site.node, "operator"), part(site.node, "left")
    if sign.type in _COMPARISONS:
        yield Edit(site.replace(sign, _COMPARISONS[sign.type]), site.name(left, site.name(part(site.node, "right"))))


@OPERATORS.operator("dropped-increment", "binary_expression")
def dropped_increment(site: Site) -> Iterator[Edit]:
    sign, left, right = (part(site.node, field) for field in ("operator", "left", "right"))
    if sign.type in ("+", "-") and site.text(right) == "1" and left.type in (*PLAIN, "call_expression"):
        yield Edit(site.replace(site.node, site.text(left)), site.name(left))


@OPERATORS.operator("slice-bound", "call_expression")
def slice_bound(site: Site) -> Iterator[Edit]:
    function = part(site.node, "function")
    if function.type == "member_expression" and last_name(function) in ("slice", "substring", "substr", "subarray"):
        for bound, step in zip(named_parts(part(site.node, "arguments")), (1, -1), strict=False):
            text = site.text(bound)
            if bound.type == "number" and text.isdecimal():
                moved = int(text) + step
                yield Edit(site.replace(bound, str(moved if moved > 0 else int(text) + 1)), site.name(function))
            elif bound.type in PLAIN:
                yield Edit(
                    site.replace(bound, f"{text} {'+' if step > 0 else '-'} 1"), site.name(part(function, "object"))
                )
            elif bound.type == "unary_expression" and text[:1] == "-" and text[1:].isdecimal() and int(text[1:]) > 0:
                yield Edit(site.replace(bound, f"-{int(text[1:]) + 1}"), site.name(part(function, "object")))


@OPERATORS.operator("swapped-encoding", "string")
def swapped_encoding(site: Site) -> Iterator[Edit]:
    text = site.text(site.node)
    holder = site.node.parent
    if holder is not None and holder.type in ("arguments", "pair", "assignment_pattern") and text[1:-1] in _ENCODINGS:
        is_value = holder.type == "arguments" or holder.named_children[-1] == site.node
        if is_value:
            call = holder.parent if holder.type == "arguments" else None
            new = text[0] + _ENCODINGS[text[1:-1]] + text[-1]
            yield Edit(site.replace(site.node, new), site.name(call, "an option"))


@OPERATORS.operator("wrong-default", "assignment_pattern", "object_assignment_pattern")
def wrong_default(site: Site) -> Iterator[Edit]:
    value = part(site.node, "right")
    if (text := _other_constant(site, value)) is not None:
        yield Edit(site.replace(value, text), site.name(part(site.node, "left")))


def _other_constant(site: Site, node: Node) -> str | None:
    """Another constant of the same kind: the other truth value, one more, a blank for no text."""
    text = site.text(node)
    if node.type == "number" and text.isdecimal():
        return str(int(text) + 1) if text == "0" or not text.startswith("0") else None
    return {"true": "false", "false": "true", "''": "' '", '""': '" "'}.get(text)


@OPERATORS.operator("wrong-fallback", "binary_expression")
def wrong_fallback(site: Site) -> Iterator[Edit]:
    sign, right = part(site.node, "operator"), part(site.node, "right")
    holder = site.node.parent
    is_value = holder is not None and holder.type in (
        "variable_declarator",
        "assignment_expression",
        "return_statement",
        "pair",
    )
    if sign.type in ("||", "??") and is_value and (text := _other_constant(site, right)) is not None:
        yield Edit(site.replace(right, text), site.name(part(site.node, "left")))


@OPERATORS.operator("swapped-arguments", "call_expression", "new_expression")
def swapped_arguments(site: Site) -> Iterator[Edit]:
    arguments = site.node.child_by_field_name("arguments")
    parts = named_parts(arguments) if arguments is not None and arguments.type == "arguments" else []
    called = part(site.node, "constructor" if site.node.type == "new_expression" else "function")
    if len(parts) != 2 or last_name(called) in _KEPT_ORDER:
        return
    first, second = parts
    texts = site.text(first), site.text(second)
    if first.type == second.type and first.type in (*PLAIN, "number", "string") and texts[0] != texts[1]:
        yield Edit((*site.replace(first, texts[1]), *site.replace(second, texts[0])), site.name(called))


@OPERATORS.operator("dropped-sort-key", "call_expression")
def dropped_sort_key(site: Site) -> Iterator[Edit]:
    function, arguments = part(site.node, "function"), part(site.node, "arguments")
    sorts = function.type == "member_expression" and last_name(function) in ("sort", "toSorted")
    if sorts and len(named_parts(arguments)) == 1 and arguments.type == "arguments":
        splice = Splice(arguments.start_byte + 1, arguments.end_byte - 1, "")
        yield Edit((splice,), site.name(part(function, "object")))


@OPERATORS.operator("wrong-rounding", "call_expression")
def wrong_rounding(site: Site) -> Iterator[Edit]:
    function = part(site.node, "function")
    if function.type == "member_expression" and site.text(part(function, "object")) == "Math":
        name = part(function, "property")
        if site.text(name) in _ROUNDINGS:
            yield Edit(site.replace(name, _ROUNDINGS[site.text(name)]), site.name(function))


@OPERATORS.operator("swapped-strip", "call_expression")
def swapped_strip(site: Site) -> Iterator[Edit]:
    function = part(site.node, "function")
    if function.type == "member_expression" and last_name(function) in _STRIPS:
        name = part(function, "property")
        yield Edit(site.replace(name, _STRIPS[site.text(name)]), site.name(part(function, "object"), "a text"))
