"""Hidden tests run from a directory of their own: what they lose when they leave the repository, and get back."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from .trees import Tree

_CONFTEST = "conftest.py"
_RELATIVE = re.compile(rb"from\s*\.[\s.]*")


def relocated(tests: Tree, directory: str, places: Sequence[str], tree: Tree) -> Tree:
    """Tests that can run elsewhere.

    Args:
        tests: files relative to the directory of the tests.
        directory: where that is in the repository.
        places: directories of the repository from which the tests import.
        tree: the repository that the tests come from.

    Returns:
        The same files; relative imports that lead out of the directory are absolute ones, and a ``conftest.py`` above
        the directory is in it, unless it has one of its own.
    """
    package = _package(directory, places)
    found = {p: _absolute(c, p, package) if p.endswith(".py") else c for p, c in tests.items()}
    above = (f"{parent}/{_CONFTEST}".removeprefix("./") for parent in PurePosixPath(directory).parents)
    nearest = next((path for path in above if path in tree), None)
    if nearest is not None and _CONFTEST not in found:
        found[_CONFTEST] = tree[nearest]
    return found


def _package(directory: str, places: Sequence[str]) -> list[str]:
    """The parts of the name by which the tests' directory is imported, seen from the nearest of these places."""
    path = PurePosixPath(directory)
    below = [path.relative_to(place).parts for place in places if path.is_relative_to(place)]
    nearest = min(below, key=len, default=path.parts)
    return list(nearest)


def _absolute(content: bytes, path: str, package: list[str]) -> bytes:
    depth = len(PurePosixPath(path).parts)
    own = [*package, *PurePosixPath(path).parts[:-1]]
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return content
    lines = content.splitlines(keepends=True)
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and depth < n.level <= len(own)]
    for node in sorted(nodes, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        outer = ".".join([*own[: len(own) - node.level + 1], *([""] if node.module else [])])
        line = lines[node.lineno - 1]
        head, rest = line[: node.col_offset], line[node.col_offset :]
        end = b"" if node.module else b" "
        lines[node.lineno - 1] = head + _RELATIVE.sub(b"from " + outer.encode() + end, rest, count=1)
    return b"".join(lines)
