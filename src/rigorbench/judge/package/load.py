"""Reads a package in the Kattis 2025-09 layout with our four keys."""

from __future__ import annotations

import os

from .model import Problem


def load_problem(path: str | os.PathLike[str]) -> Problem:
    """Read and check a package.

    Raises:
        PackageError: it cannot be used.
    """
    raise NotImplementedError
