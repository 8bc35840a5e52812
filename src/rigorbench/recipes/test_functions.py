"""Test functions of a file by name: which there are, and the file without some of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeGuard

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_RELATIVE = re.compile(rb"from\s*[.][.\s]*(?!import\b)[\w.]*")


class TestFunctionError(ValueError):
    """A file of tests does not parse. One line."""


def names(content: bytes) -> list[str]:
    """The test functions of a file: ``test_x``, or ``Class::test_x`` for a method."""
    found = []
    for node in _parsed(content).body:
        if isinstance(node, ast.ClassDef):
            found += [f"{node.name}::{n.name}" for n in node.body if _is_test(n)]
        elif _is_test(node):
            found.append(node.name)
    return found


def without(content: bytes, left_out: Iterable[str]) -> bytes:
    """The file without these functions or classes; names that it does not have are ignored."""
    left_out = list(left_out)
    return _dropping(content, lambda test: any(test == n or test.startswith(f"{n}::") for n in left_out))


def only(content: bytes, kept: Iterable[str]) -> bytes:
    """The file with these test functions, and with everything in it that is no test function."""
    kept = list(kept)
    return _dropping(content, lambda test: not any(test == n or test.startswith(f"{n}::") for n in kept))


def rooted(content: bytes, package: Sequence[str], depth: int) -> bytes:
    """The file with its imports from above the tests' directory named from the root, so that it runs elsewhere as well.

    Args:
        content: of a Python file.
        package: the names of the package of the tests' directory.
        depth: how many directories below it the file is.
    """
    lines = content.splitlines(keepends=True)
    for node in reversed(list(ast.walk(_parsed(content)))):
        if not isinstance(node, ast.ImportFrom):
            continue
        above = node.level - 1 - depth
        if 0 < above < len(package):
            module = ".".join([*package[: len(package) - above], *([node.module] if node.module else [])])
            line, start = lines[node.lineno - 1], node.col_offset
            lines[node.lineno - 1] = line[:start] + _RELATIVE.sub(f"from {module}".encode(), line[start:], count=1)
    return b"".join(lines)


def _parsed(content: bytes) -> ast.Module:
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError) as error:
        raise TestFunctionError(f"does not parse ({' '.join(str(error).split())})") from None


def _is_test(node: ast.stmt) -> TypeGuard[_Function]:
    return isinstance(node, _Function) and node.name.startswith("test")


def _dropping(content: bytes, drop: Callable[[str], bool]) -> bytes:
    spans: list[tuple[int, int]] = []
    for node in _parsed(content).body:
        if isinstance(node, ast.ClassDef):
            gone = [n for n in node.body if _is_test(n) and drop(f"{node.name}::{n.name}")]
            rest = [n for n in node.body if n not in gone and not _is_text(n)]
            # A class of nothing but such tests is no class any more.
            spans += [_span(node)] if gone and not rest else [_span(n) for n in gone]
        elif _is_test(node) and drop(node.name):
            spans.append(_span(node))
    lines = content.splitlines(keepends=True)
    for start, end in sorted(spans, reverse=True):
        del lines[start:end]
        # The blank lines before it were its own.
        while start and not lines[start - 1].strip() and not b"".join(lines[start : start + 1]).strip():
            start -= 1
            del lines[start]
    return b"".join(lines)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _span(node: ast.ClassDef | _Function) -> tuple[int, int]:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return first - 1, node.end_lineno or node.lineno
