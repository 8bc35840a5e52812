"""Operators on calls: one that is missing, arguments that are swapped, an order that is lost."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model import Edit
from .containers import emptied_by
from .operators import OPERATORS, dropped
from .source import without
from .walk import Site, name_of, shown

# The order of their arguments is no matter, or no one mixes it up.
_KEPT_ORDER = frozenset(
    "isinstance issubclass getattr hasattr setattr delattr max min gcd lcm print cast zip super TypeVar "
    "Union isclose hypot encode decode open".split()
)
_ORDERED = frozenset({"sort", "sorted", "min", "max", "nlargest", "nsmallest", "groupby", "merge"})


@OPERATORS.operator("missed-call", ast.Expr)
def missed_call(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Expr)
    value = node.value.value if isinstance(node.value, ast.Await) else node.value
    if not isinstance(value, ast.Call) or emptied_by(node) is not None or site.qualname == "<module>":
        return
    # Without the parent's __init__ nothing works at all.
    is_super = isinstance(value.func, ast.Attribute) and name_of(value.func.value) == "super"
    if not (is_super and name_of(value) == "__init__") and name_of(value):
        yield Edit(dropped(site), shown(value))


@OPERATORS.operator("swapped-arguments", ast.Call)
def swapped_arguments(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Call)
    if len(node.args) != 2 or name_of(node) in _KEPT_ORDER:
        return
    first, second = node.args
    if _shape(first) is not None and _shape(first) == _shape(second) and ast.dump(first) != ast.dump(second):
        source = site.source
        texts = source.segment(first), source.segment(second)
        yield Edit((*source.replace(first, texts[1]), *source.replace(second, texts[0])), shown(node))


def _shape(node: ast.expr) -> tuple[object, ...] | None:
    """What an argument looks like; two that look alike may be mixed up."""
    if isinstance(node, ast.Name | ast.Attribute):
        name = name_of(node)
        return type(node), name[:1].isupper()
    if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
        return ast.Constant, type(node.value)
    return None


@OPERATORS.operator("dropped-sort-key", ast.Call)
def dropped_sort_key(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Call)
    if name_of(node) not in _ORDERED:
        return
    spans = site.source.arguments(node)
    if len(spans) != len(node.args) + len(node.keywords):
        return
    for keyword in node.keywords:
        if keyword.arg in ("key", "reverse"):
            start = site.source.start(keyword)
            at = next((at for at, span in enumerate(spans) if span.start <= start < span.end), None)
            if at is not None:
                yield Edit(without(spans, at), shown(node))
