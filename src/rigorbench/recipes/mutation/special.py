"""Patches that treat one case: the right text for some arguments, the wrong one for the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .model import MutationError, Place, Splice, spliced
from .python.source import Source, parse

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SIMPLE = (ast.Expr, ast.Assign, ast.Delete, ast.AugAssign)


def special_cases(golden: str, place: Place) -> Iterator[tuple[str, str]]:
    """Texts of a Python module, each with its condition: right where an argument is given, empty, or a text.

    There are none outside a function, or for a function without arguments.

    Raises:
        MutationError: the text is not Python.
    """
    if len(place.splices) != 1:
        return
    source, splice = Source(golden), place.splices[0]
    around = [node for node in ast.walk(source.tree) if _covers(source, node, splice)]
    around.sort(key=lambda node: (source.end(node) - source.start(node), isinstance(node, ast.stmt)))
    function = next((node for node in around if isinstance(node, _Function)), None)
    if function is None or splice.start < source.start(function.body[0]):
        return
    for argument in _arguments(function):
        for condition in (argument, f"not {argument}", f"isinstance({argument}, str)"):
            text = _only_if(golden, source, around, splice, condition)
            if text is not None:
                yield text, condition


def _covers(source: Source, node: ast.AST, splice: Splice) -> bool:
    if not isinstance(node, ast.stmt | ast.expr):
        return False
    if isinstance(node, ast.stmt) and source.line_start(source.start(node)) == splice.start:
        # A dropped statement goes with its whole lines.
        return splice.end <= source.next_line(source.end(node))
    return source.start(node) <= splice.start and splice.end <= source.end(node)


def _arguments(function: _Function) -> list[str]:
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return [name for name in names if name not in ("self", "cls")][:4]


def _only_if(golden: str, source: Source, around: list[ast.AST], splice: Splice, condition: str) -> str | None:
    """The module in which the right text is used only under a condition; None where no node can carry one."""
    for node in around:
        if isinstance(node, ast.expr):
            start, end = source.start(node), source.end(node)
            inner = Splice(splice.start - start, splice.end - start, splice.text)
            right, wrong = source.between(start, end), spliced(source.between(start, end), (inner,))
            change = Splice(start, end, f"({right} if {condition} else {wrong})")
        elif isinstance(node, _SIMPLE) and splice.text in ("", "pass"):
            change = Splice(source.start(node), source.start(node), f"if {condition}: ")
        elif isinstance(node, ast.If) and splice.text in ("", "pass"):
            test = source.segment(node.test)
            change = Splice(source.start(node.test), source.end(node.test), f"({test}) and {condition}")
        else:
            return None
        text = spliced(golden, (change,))
        try:
            parse(text)
        except MutationError:
            continue
        return text
    return None
