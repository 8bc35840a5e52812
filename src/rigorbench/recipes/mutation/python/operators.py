"""The registry of the operators for Python, and the statement edits that several of them share."""

from __future__ import annotations

import ast

from ..model import Registry, Splice
from .walk import Site

OPERATORS: Registry[Site] = Registry()


def dropped(site: Site) -> tuple[Splice, ...]:
    """Drops a statement: its lines if it has them for itself, otherwise it becomes ``pass``."""
    source, node = site.source, site.node
    start, end = source.start(node), source.end(node)
    line, following = source.line_start(start), source.next_line(end)
    rest = source.between(end, following).strip()
    alone = not source.between(line, start).strip() and (not rest or rest.startswith("#"))
    if alone and len(site.siblings()) > 1:
        return (Splice(line, following, ""),)
    return (Splice(start, end, "pass"),)


def fresh_container(node: ast.AST | None) -> str | None:
    """The text of a new empty container, if the expression makes one."""
    if isinstance(node, ast.List) and not node.elts:
        return "[]"
    if isinstance(node, ast.Dict) and not node.keys:
        return "{}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args and not node.keywords:
        return {"list": "[]", "dict": "{}", "set": "set()"}.get(node.func.id)
    return None


def other_constant(node: ast.AST | None) -> str | None:
    """The text of another constant of the same kind: the other truth value, one more, a blank for no text."""
    if not isinstance(node, ast.Constant):
        return None
    value = node.value
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int):
        return str(value + 1)
    return {"": '" "', " ": '""'}.get(value) if isinstance(value, str) else None
