"""Test functions of a file by name: which there are, and the file without some of them.

A fixture may have the name of a test. pytest does not run it, so it is none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import TypeGuard

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class TestFunctionError(ValueError):
    """A file of tests does not parse. One line."""


def names(content: bytes) -> list[str]:
    """The test functions of a file: ``test_x``, or ``Class::test_x`` for a method."""
    found = []
    for node in _parsed(content).body:
        if isinstance(node, ast.ClassDef):
            found += [f"{node.name}::{n.name}" for n in node.body if _is_test(n) and not _is_fixture(n)]
        elif _is_test(node) and not _is_fixture(node):
            found.append(node.name)
    return found


def without(content: bytes, left_out: Iterable[str]) -> bytes:
    """The file without these functions or classes; names that it does not have are ignored."""
    left_out = list(left_out)
    return _dropping(content, lambda test: any(test == n or test.startswith(f"{n}::") for n in left_out))


def only(content: bytes, kept: Iterable[str]) -> bytes:
    """The file with these test functions, and with everything in it that is no test function.

    Fixtures that have the name of a test stay if a function that stays asks for them.
    """
    kept = list(kept)

    def is_kept(test: str) -> bool:
        return any(test == n or test.startswith(f"{n}::") for n in kept)

    requested = {
        argument.arg
        for name, function in _functions(_parsed(content).body)
        if is_kept(name) or not _is_test(function) or _is_fixture(function)
        for argument in (*function.args.args, *function.args.kwonlyargs)
    }
    return _dropping(content, lambda test: not is_kept(test) and test.rpartition("::")[2] not in requested)


def _parsed(content: bytes) -> ast.Module:
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError) as error:
        raise TestFunctionError(f"does not parse ({' '.join(str(error).split())})") from None


def _is_test(node: ast.stmt) -> TypeGuard[_Function]:
    return isinstance(node, _Function) and node.name.startswith("test")


def _is_fixture(function: _Function) -> bool:
    """Whether a decorator is ``fixture`` or ``pytest.fixture``, called or not."""
    for decorator in function.decorator_list:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = named.attr if isinstance(named, ast.Attribute) else named.id if isinstance(named, ast.Name) else None
        if name in ("fixture", "yield_fixture"):
            return True
    return False


def _functions(body: Iterable[ast.stmt], prefix: str = "") -> Iterator[tuple[str, _Function]]:
    """The functions and methods of a file by name."""
    for node in body:
        if isinstance(node, _Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef) and not prefix:
            yield from _functions(node.body, f"{node.name}::")


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
