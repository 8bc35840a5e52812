"""How far a Python program came that an error stopped, as its output shows: what it did not reach, it did not do."""

from __future__ import annotations

import ast
import re

# The outermost frame of a traceback: where the program itself stopped.
_STOPPED = re.compile(
    r'^Traceback \(most recent call last\):\n(?: *\^.*\n)* *File "([^"\n]+)", line (\d+)', re.MULTILINE
)


def executed(tree: ast.Module, output: str, name: str) -> ast.Module:
    """The program without the statements behind the one in which an error stopped it.

    Args:
        output: all that it printed.
        name: the program's file as a traceback calls it ("<stdin>"), or the end of its path.
    """
    body = tree.body
    for stop in _STOPPED.finditer(output):
        if stop[1].endswith(name):
            body = [s for s in body if (s.end_lineno or s.lineno) < int(stop[2])]
    return ast.Module(body, [])


def stopped(output: str, name: str) -> bool:
    """Whether the output shows where an error ended the program."""
    return any(m[1].endswith(name) for m in _STOPPED.finditer(output))
