"""The registry of test runners: by name, and by what their output looks like."""

from __future__ import annotations

from functools import lru_cache

from . import (
    closing_lines,
    go,
    javascript,
    javascript_more,
    judge,
    jvm,
    pytest_runner,
    rust,
    tap,
    unittest_runner,
)
from .base import KnownRunner, RunnerSummary, conclude

# In the order in which they are tried on output of unknown origin: those that run others first, the vaguest last.
RUNNERS: tuple[KnownRunner, ...] = (
    *pytest_runner.RUNNERS,
    *unittest_runner.RUNNERS,
    *closing_lines.runners("first"),
    *go.RUNNERS,
    *javascript.RUNNERS,
    *rust.RUNNERS,
    *jvm.RUNNERS,
    *javascript_more.RUNNERS,
    *closing_lines.runners("last"),
    *tap.RUNNERS,
    *judge.RUNNERS,
)
_BY_NAME = {name: runner for runner in RUNNERS for name in (runner.name, *runner.aliases)}


def find_runner(name: str | None) -> KnownRunner | None:
    """The runner called ``name`` in any of the usual spellings ("go test", "go-test", "GoogleTest")."""
    if not name:
        return None
    key = name.lower().replace("_", "-")
    return _BY_NAME.get(key) or _BY_NAME.get(key.replace(" ", "-"))


@lru_cache(maxsize=8)
def recognise(text: str, *, asked: bool = False) -> RunnerSummary | None:
    """The summary of the runner that wrote ``text``; a closing summary is preferred to single results.

    ``asked``: the command asked for tests, so that the closing words of a build (``Summary.vague``) are about them.
    """
    partial: RunnerSummary | None = None
    for runner in RUNNERS:
        if not any(mark in text for mark in runner.marks):
            continue
        summary = runner.read(text)
        if summary is None or (summary.vague and not asked):
            continue
        if summary.final:
            return summary
        if partial is None and conclude(summary)[0] != "unknown":
            partial = summary
    return partial


__all__ = ["RUNNERS", "KnownRunner", "RunnerSummary", "conclude", "find_runner", "recognise"]
