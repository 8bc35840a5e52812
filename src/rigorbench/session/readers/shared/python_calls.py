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
                calls.append((function, _arguments(node, offered[function], known)))
            else:
                others |= not hasattr(builtins, function) or function in ("open", "exec", "eval", "__import__")
    return None if not calls else [*calls, ("python", None)] if others else calls


def _arguments(node: ast.Call, names: tuple[str, ...], known: Mapping[str, Any]) -> dict[str, Any] | None:
    given: dict[str, Any] = {}
    pairs = [*zip(names, node.args, strict=False), *((k.arg, k.value) for k in node.keywords)]
    try:
        for name, value in pairs:
            name_of = value.id if isinstance(value, ast.Name) else ""
            literal = known[name_of] if name_of in known else ast.literal_eval(value)
            given.update({name: literal} if name is not None else literal)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return given


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
