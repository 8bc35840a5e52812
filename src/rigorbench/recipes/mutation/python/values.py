"""Operators on values: encodings, defaults, absent or empty, rounding, stripping."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from ..model import Edit, Splice
from .operators import OPERATORS, other_constant
from .walk import Site, name_of, shown

_ENCODINGS = {
    "utf-8": "latin-1", "utf8": "latin-1", "UTF-8": "latin-1", "utf-8-sig": "utf-8",
    "latin-1": "utf-8", "latin1": "utf-8", "iso-8859-1": "utf-8", "ISO-8859-1": "utf-8",
    "ascii": "utf-8", "us-ascii": "utf-8",
}  # fmt: skip
_ERRORS = {
    "strict": "ignore", "ignore": "strict", "replace": "ignore",
    "surrogateescape": "replace", "backslashreplace": "replace", "xmlcharrefreplace": "replace",
}  # fmt: skip


def _quoted(site: Site, node: ast.AST | None, table: dict[str, str]) -> tuple[Splice, ...]:
    """Another text in the same quotation marks, if the table has one for it."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node.value not in table:
        return ()
    text = site.source.segment(node)
    if text[1:-1] != node.value:
        return ()
    return site.source.replace(node, text[0] + table[node.value] + text[-1])


@OPERATORS.operator("swapped-encoding", ast.Call)
def swapped_encoding(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Call)
    for value in [*node.args, *(keyword.value for keyword in node.keywords)]:
        if splices := _quoted(site, value, _ENCODINGS):
            yield Edit(splices, shown(node))
    if (
        isinstance(node.func, ast.Attribute)
        and node.func.attr in ("encode", "decode")
        and not node.args + node.keywords
    ):
        end = site.source.end(node) - 1
        yield Edit((Splice(end, end, '"latin-1"'),), shown(node))


@OPERATORS.operator("swapped-encoding", ast.arguments)
def swapped_default_encoding(site: Site) -> Iterator[Edit]:
    for name, default in _defaults(site.node):
        if splices := _quoted(site, default, _ENCODINGS):
            yield Edit(splices, f"`{name}`")


@OPERATORS.operator("swapped-errors", ast.Call)
def swapped_errors(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Call)
    handlers = [keyword.value for keyword in node.keywords if keyword.arg == "errors"]
    if name_of(node) in ("encode", "decode") and len(node.args) == 2:
        handlers.append(node.args[1])
    for value in handlers:
        if splices := _quoted(site, value, _ERRORS):
            yield Edit(splices, shown(node))


@OPERATORS.operator("swapped-errors", ast.arguments)
def swapped_default_errors(site: Site) -> Iterator[Edit]:
    for name, default in _defaults(site.node):
        if name == "errors" and (splices := _quoted(site, default, _ERRORS)):
            yield Edit(splices, f"`{name}`")


@OPERATORS.operator("wrong-default", ast.arguments)
def wrong_default(site: Site) -> Iterator[Edit]:
    for name, default in _defaults(site.node):
        if (text := other_constant(default)) is not None:
            yield Edit(site.source.replace(default, text), f"`{name}`")


def _defaults(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names of arguments with their defaults."""
    assert isinstance(node, ast.arguments)
    positional = [*node.posonlyargs, *node.args]
    for argument, default in zip(positional[len(positional) - len(node.defaults) :], node.defaults, strict=True):
        yield argument.arg, default
    for argument, keyword_default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        if keyword_default is not None:
            yield argument.arg, keyword_default


@OPERATORS.operator("wrong-fallback", ast.Call)
def wrong_fallback(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Call)
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop", "setdefault")
    is_getattr = isinstance(node.func, ast.Name) and node.func.id == "getattr"
    if node.keywords or len(node.args) != 2 + is_getattr or not (is_method or is_getattr):
        return
    fallback = node.args[-1]
    if isinstance(fallback, ast.Starred) or (isinstance(fallback, ast.Constant) and fallback.value is None):
        return
    text = other_constant(fallback)
    yield Edit(site.source.replace(fallback, "None" if text is None else text), shown(node))


@OPERATORS.operator("none-or-empty", ast.Compare)
def none_as_empty(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Compare)
    right = node.comparators[0]
    if len(node.ops) != 1 or not isinstance(right, ast.Constant) or right.value is not None:
        return
    if not isinstance(node.left, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        return
    text = site.source.standalone(node.left)
    if isinstance(node.ops[0], ast.Is):
        yield Edit(site.source.replace(node, f"not {text}"), shown(node.left))
    elif isinstance(node.ops[0], ast.IsNot) and _is_asked(site):
        yield Edit(site.source.replace(node, text), shown(node.left))


@OPERATORS.operator("none-or-empty", ast.Name, ast.Attribute)
def empty_as_none(site: Site) -> Iterator[Edit]:
    parent = site.parent.node if site.parent is not None else None
    if isinstance(parent, ast.If | ast.IfExp) and site.field == "test":
        yield Edit(site.source.replace(site.node, f"{site.source.segment(site.node)} is not None"), shown(site.node))
    elif _is_negated(parent) and site.parent is not None and _is_asked(site.parent):
        text = f"{site.source.standalone(site.node)} is None"
        yield Edit(site.source.replace(site.parent.node, text), shown(site.node))


def _is_negated(parent: ast.AST | None) -> bool:
    return isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)


def _is_asked(site: Site) -> bool:
    """Whether a place takes any value as true or false."""
    parent = site.parent
    while parent is not None and isinstance(parent.node, ast.BoolOp):
        site, parent = parent, parent.parent
    return parent is not None and isinstance(parent.node, ast.If | ast.IfExp | ast.While) and site.field == "test"


@OPERATORS.operator("wrong-rounding", ast.BinOp)
def wrong_division(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.BinOp)
    signs = {ast.Div: ("/", "//"), ast.FloorDiv: ("//", "/")}
    if type(node.op) not in signs or any(_is_text(one) for one in ast.walk(node)):
        return
    old, new = signs[type(node.op)]
    if (splice := site.source.token_between(node.left, node.right, old)) is not None:
        yield Edit((replace(splice, text=new),), shown(node.left))


def _is_text(node: ast.AST) -> bool:
    """A division with a text in it joins paths."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


@OPERATORS.operator("wrong-rounding", ast.Call)
def wrong_rounding(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Call)
    name, function = name_of(node), node.func
    if len(node.args) != 1 or node.keywords or name not in ("floor", "ceil", "round"):
        return
    if isinstance(function, ast.Attribute) and name == "ceil":
        end = site.source.end(function)
        yield Edit((Splice(end - len(name), end, "floor"),), "`ceil`")
    elif isinstance(function, ast.Name) or name_of(getattr(function, "value", None)) == "math":
        other = "round" if name == "floor" else "int"
        yield Edit(site.source.replace(function, other), f"`{name}`")


@OPERATORS.operator("swapped-strip", ast.Call)
def swapped_strip(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Call)
    others = {"strip": "rstrip", "rstrip": "strip", "lstrip": "strip"}
    if isinstance(node.func, ast.Attribute) and node.func.attr in others:
        end = site.source.end(node.func)
        splice = Splice(end - len(node.func.attr), end, others[node.func.attr])
        yield Edit((splice,), shown(node.func.value, "a text"))
