"""Calls that a text makes in Python: of tools that an agent was given as functions."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from typing import Any

_NAME = re.compile(r"\b([A-Za-z_]\w*)\(([^()]*)\)")
Signatures = dict[str, tuple[str, ...]]
"""The parameters of each function, by its name."""


def signatures(text: str) -> Signatures:
    """The functions that instructions describe: ``save_file(path: str, code: str)``."""
    found: Signatures = {}
    for name, parameters in _NAME.findall(text):
        tree = _parsed(f"def {name}({parameters.strip().rstrip(',')}): pass")
        if tree is not None and isinstance(made := tree.body[0], ast.FunctionDef):
            found.setdefault(name, tuple(a.arg for a in made.args.args))
    return found


def literal_call(node: ast.Call, known: Mapping[str, Any] | None = None) -> tuple[list[Any], dict[str, Any]] | None:
    """The arguments of a call, as they are or as ``known`` variables; None: they are not written in the text."""
    values = known or {}

    def value(argument: ast.expr) -> Any:
        if isinstance(argument, ast.Name) and argument.id in values:
            return values[argument.id]
        return ast.literal_eval(argument)

    try:
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            given = value(keyword.value)
            named.update({keyword.arg: given} if keyword.arg is not None else given)
        return [value(a) for a in node.args], named
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def python_calls(text: str, offered: Signatures) -> list[tuple[str, dict[str, Any] | None]] | None:
    """The calls of offered functions in a text, in order, with their arguments (None: not written in the text).

    None: the text is no Python, or calls none of them. What else it runs is the call ``python``.
    """
    tree = _parsed(text)
    if tree is None:
        return None
    calls: list[tuple[str, dict[str, Any] | None]] = []
    known: dict[str, Any] = {}
    others = False
    for node in _in_order(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(name := node.targets[0], ast.Name):
            try:
                known[name.id] = ast.literal_eval(node.value)
            except (ValueError, TypeError, RecursionError, MemoryError):
                known.pop(name.id, None)
        elif isinstance(node, ast.Call):
            function = node.func.id if isinstance(node.func, ast.Name) else ""
            if function in offered:
                given = literal_call(node, known)
                args = None if given is None else {**dict(zip(offered[function], given[0], strict=False)), **given[1]}
                calls.append((function, args))
            else:
                others |= not hasattr(builtins, function) or function in ("open", "exec", "eval", "__import__")
    return None if not calls else [*calls, ("python", None)] if others else calls


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes; the calls inside a call come before it, as they are carried out."""
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)
    yield node


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
