"""How far a Python program came, as its output shows: what it did not reach, it did not do.

A script that edits files often prints in each branch what it found, or fails in an assertion before it writes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

# The outermost frame of a traceback: where the program itself stopped.
_STOPPED = re.compile(
    r'^Traceback \(most recent call last\):\n(?: *\^.*\n)* *File "([^"\n]+)", line (\d+)', re.MULTILINE
)
# A shorter text may be in any output.
_TELLING = 5


def executed(tree: ast.Module, output: str, name: str) -> ast.Module:
    """The program without the statements that its whole output shows it did not reach.

    Args:
        name: the program's file as a traceback calls it ("<stdin>"), or the end of its path.
    """
    body = tree.body
    for stopped in _STOPPED.finditer(output):
        if stopped[1].endswith(name):
            body = [s for s in body if (s.end_lineno or s.lineno) < int(stopped[2])]
    return ast.Module(_reached(body, output, once=True), [])


def stopped(output: str, name: str) -> bool:
    """Whether the output shows where an error ended the program."""
    return any(m[1].endswith(name) for m in _STOPPED.finditer(output))


def _reached(body: Iterable[ast.stmt], output: str, *, once: bool) -> list[ast.stmt]:
    """The statements of a block that may have run. ``once``: it runs once, so that of two branches one did not run."""
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.If):
            taken = _branch(node.body, output)
            other = _branch(node.orelse, output)
            one, two = (
                [] if taken is False or (once and other and taken is None) else node.body,
                [] if other is False or (once and taken and other is None) else node.orelse,
            )
            one, two = _reached(one, output, once=once), _reached(two, output, once=once)
            found.append(ast.copy_location(ast.If(node.test, one, two), node))
            if once and taken and node.body and _leaves(node.body[-1]):
                break
        elif isinstance(node, ast.For | ast.While | ast.FunctionDef):
            inner = _reached(node.body, output, once=False)
            found.append(_with_body(node, inner))
        elif isinstance(node, ast.With):
            found.append(_with_body(node, _reached(node.body, output, once=once)))
        else:
            found.append(node)
    return found


def _with_body(node: ast.stmt, body: list[ast.stmt]) -> ast.stmt:
    fields = {name: getattr(node, name) for name in node._fields if hasattr(node, name)}
    return ast.copy_location(type(node)(**{**fields, "body": body}), node)


def _branch(body: list[ast.stmt], output: str) -> bool | None:
    """Whether a branch ran, by what it prints; None: it prints nothing that is known beforehand."""
    texts = [text for node in body for text in _printed(node)]
    return None if not texts else all(text in output for text in texts)


def _printed(node: ast.stmt) -> Iterator[str]:
    """The literal text that a statement certainly prints: the longest part of it without values."""
    value: ast.expr | None = None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args:
        called = ast.unparse(node.value.func)
        if called in ("print", "sys.exit", "exit") and not node.value.keywords:
            value = node.value.args[0]
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
        value = node.exc.args[0]
    parts = value.values if isinstance(value, ast.JoinedStr) else [value]
    texts = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    lines = [line.strip() for text in texts for line in text.split("\n")]
    longest = max(lines, key=len, default="")
    if len(longest) >= _TELLING:
        yield longest


def _leaves(node: ast.stmt) -> bool:
    """Whether a statement ends the program."""
    if isinstance(node, ast.Raise):
        return True
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) in ("sys.exit", "exit", "quit", "os._exit")
