"""Operators on the way through a function: conditions, handlers, early returns, ends of loops."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model import Edit, Splice
from .operators import OPERATORS, dropped
from .source import without
from .walk import Site, name_of, shown

_NARROWER = {
    "LookupError": "KeyError", "Exception": "ValueError", "OSError": "FileNotFoundError",
    "ArithmeticError": "ZeroDivisionError", "ValueError": "UnicodeError", "EnvironmentError": "FileNotFoundError",
    "IOError": "FileNotFoundError",
}  # fmt: skip
# Whether a module is there is a question of the machine, not of the library.
_ABOUT_MACHINE = frozenset({"ImportError", "ModuleNotFoundError", "NotImplementedError", "KeyboardInterrupt"})


@OPERATORS.operator("dropped-condition", ast.BoolOp)
def dropped_condition(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.BoolOp)
    spans = site.source.operands(node)
    for at, (_, value) in enumerate(zip(spans, node.values, strict=False)):
        if not any(isinstance(one, ast.NamedExpr) for one in ast.walk(value)):
            yield Edit(without(spans, at), _subject(value))


def _subject(node: ast.expr) -> str:
    """The first name in a condition."""
    if isinstance(node, ast.Call) and node.args and name_of(node) in ("isinstance", "len", "hasattr", "callable"):
        return shown(node.args[0])
    names = (shown(one, "") for one in ast.walk(node) if isinstance(one, ast.Name | ast.Attribute | ast.Call))
    return next((name for name in names if name), "the value")


@OPERATORS.operator("narrowed-exception", ast.ExceptHandler)
def narrowed_exception(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.ExceptHandler)
    caught = node.type
    if isinstance(caught, ast.Tuple) and len(caught.elts) > 1:
        for at, one in enumerate(caught.elts):
            texts = [site.source.segment(other) for index, other in enumerate(caught.elts) if index != at]
            text = f"({', '.join(texts)})" if len(texts) > 1 else texts[0]
            if name_of(one) not in _ABOUT_MACHINE:
                yield Edit(site.source.replace(caught, text), shown(one))
    elif isinstance(caught, ast.Name) and caught.id in _NARROWER:
        yield Edit(site.source.replace(caught, _NARROWER[caught.id]), shown(caught))


@OPERATORS.operator("removed-handler", ast.ExceptHandler)
def removed_handler(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.ExceptHandler)
    names = {name_of(one) for one in ast.walk(node.type)} if node.type is not None else set()
    raises = any(isinstance(one, ast.Raise) for one in node.body)
    if raises or names & _ABOUT_MACHINE or hasattr(node.body[0], "decorator_list"):
        return
    source = site.source
    splice = Splice(source.start(node.body[0]), source.end(node.body[-1]), "raise")
    yield Edit((splice,), shown(node.type, "the exceptions"))


@OPERATORS.operator("removed-return", ast.If)
def removed_return(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, ast.If)
    siblings = site.siblings()
    is_elif = site.source.segment(node).startswith("elif")
    if node.orelse or is_elif or site.function() is None or siblings[-1] is node:
        return
    last = node.body[-1]
    if isinstance(last, ast.Return):
        inner = Site(site.source, last, site, "body", site.qualname)
        yield Edit(dropped(site if len(node.body) == 1 else inner), _subject(node.test))


@OPERATORS.operator("swapped-loop-exit", ast.Break, ast.Continue)
def swapped_loop_exit(site: Site) -> Iterator[Edit]:
    other = "continue" if isinstance(site.node, ast.Break) else "break"
    yield Edit(site.source.replace(site.node, other))
