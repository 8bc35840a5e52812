"""The hidden tests of a task, read and not run: their files, and the tests that these declare."""

from __future__ import annotations

import ast
import os
import shutil
from pathlib import Path


def files_below(directory: Path) -> list[str]:
    """Relative paths of all files, without git's and Python's own."""
    found = []
    for root, names, files in os.walk(directory):
        names[:] = sorted(n for n in names if n not in ("__pycache__", ".git"))
        found += [Path(root, f).relative_to(directory).as_posix() for f in sorted(files)]
    return found


def pytest_files(directory: Path) -> list[str]:
    """Relative paths of the files that pytest takes for tests by their names."""
    found = [f for f in files_below(directory) if f.endswith(".py")]
    return [f for f in found if (n := f.rsplit("/", 1)[-1]).startswith("test_") or n.endswith("_test.py")]


def declared_tests(directory: Path, files: list[str]) -> list[str]:
    """Ids of the test functions that files declare, without the cases of parametrized ones."""
    found: list[str] = []
    for file in files:
        try:
            tree = ast.parse((directory / file).read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                found += [f"{file}::{node.name}::{name}" for name in _test_functions(node.body)]
            else:
                found += [f"{file}::{name}" for name in _test_functions([node])]
    return found


def _test_functions(body: list[ast.stmt]) -> list[str]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [node.name for node in body if isinstance(node, kinds) and node.name.startswith("test")]


def is_among(test: str, ids: list[str]) -> bool:
    """Whether a test is one of these ids or below one of them (a file, a class, a function with cases)."""
    return any(test == i or test.startswith((f"{i}[", f"{i}::")) for i in ids)


def copy_tests(hidden: Path, target: Path) -> Path:
    """Copy the tests (without Harbor's script) to ``target``, readable by every user of a sandbox; returns it."""
    target.mkdir()
    if hidden.is_dir():
        shutil.copytree(hidden, target, ignore=shutil.ignore_patterns("__pycache__", "test.sh"), dirs_exist_ok=True)
    make_readable(target)
    return target


def make_readable(directory: Path) -> None:
    """Let every user read a directory, since tests run as another user in a sandbox."""
    for path in (directory, *directory.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
