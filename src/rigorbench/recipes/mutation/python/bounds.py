"""Operators that are off by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from ..model import Edit
from .operators import OPERATORS
from .walk import Site, shown

_OTHER: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
}
_TIGHT = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp)


@OPERATORS.operator("boundary-comparison", ast.Compare)
def boundary_comparison(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Compare)
    for left, sign, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
        if type(sign) in _OTHER:
            old, new = _OTHER[type(sign)]
            if (splice := site.source.token_between(left, right, old)) is not None:
                yield Edit((replace(splice, text=new),), shown(left, shown(right)))


@OPERATORS.operator("range-bound", ast.Call)
def range_bound(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Call)
    if not isinstance(node.func, ast.Name) or node.func.id != "range" or node.keywords:
        return
    if any(isinstance(argument, ast.Starred) for argument in node.args) or not node.args:
        return
    stop = node.args[min(1, len(node.args) - 1)]
    if text := _moved(site, stop, -1):
        yield Edit(site.source.replace(stop, text), shown(stop, "the last number"))
    if len(node.args) > 1 and isinstance(node.args[0], ast.Constant) and (text := _moved(site, node.args[0], 1)):
        yield Edit(site.source.replace(node.args[0], text), "the first number")


@OPERATORS.operator("slice-bound", ast.Subscript)
def slice_bound(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.Subscript)
    part = node.slice
    if not isinstance(part, ast.Slice) or (part.step is not None and not isinstance(node.ctx, ast.Load)):
        return
    for bound, step in ((part.lower, 1), (part.upper, -1)):
        if bound is not None and (text := _moved(site, bound, step)):
            yield Edit(site.source.replace(bound, text), shown(node.value))


def _moved(site: Site, node: ast.expr, step: int) -> str | None:
    """The text of a bound moved by one; none where a dropped increment says the same in a plainer way."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        return str(-value + step) if type(value) is int and value != 1 else "-2" if value == 1 else None
    if isinstance(node, ast.Constant) and type(node.value) is int:
        moved = node.value + step
        return str(moved if moved > 0 else node.value + 1)
    if isinstance(node, ast.BinOp) and (is_one(node.right) or not isinstance(node.op, ast.Add | ast.Sub | ast.Mult)):
        return None
    return f"{site.source.segment(node)} {'+' if step > 0 else '-'} 1" if isinstance(node, _TIGHT) else None


@OPERATORS.operator("dropped-increment", ast.BinOp)
def dropped_increment(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.BinOp)
    if isinstance(node.op, ast.Add | ast.Sub) and is_one(node.right) and isinstance(node.left, _TIGHT):
        yield Edit(site.source.replace(node, site.source.standalone(node.left)), shown(node.left))


def is_one(node: ast.AST) -> bool:
    """Whether a node is the number 1."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 1
