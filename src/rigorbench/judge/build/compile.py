"""Compile a submission in a sandbox of its own."""

from __future__ import annotations

from pathlib import Path

from ..package.model import Problem
from ..submission import Submission
from .model import Built, Variant


def build(problem: Problem, submission: Submission, *, variant: Variant = "plain", slot: int = 0) -> Built:
    """Build (or take from the cache of compiles, by content) what a submission's test points run.

    Raises:
        JudgeError: a compiler is missing here, or the sandbox failed; a submission that does not compile is no error.
    """
    raise NotImplementedError


def build_tool(source: Path, *, include: tuple[Path, ...] = (), slot: int = 0) -> Built:
    """Build a checker, interactor, validator or generator of a package (one file or a directory) with the same
    machinery. Raises: JudgeError, also when it does not compile."""
    raise NotImplementedError
