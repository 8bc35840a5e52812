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
from .base import Runner, Summary, conclude

# In the order in which they are tried on output of unknown origin: those that run others first, the vaguest last.
RUNNERS: tuple[Runner, ...] = (
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


def find_runner(name: str | None) -> Runner | None:
    """The runner called ``name`` in any of the usual spellings ("go test", "go-test", "GoogleTest")."""
    if not name:
        return None
    key = name.lower().replace("_", "-")
    return _BY_NAME.get(key) or _BY_NAME.get(key.replace(" ", "-"))


# Searching each of some 170 marks costs more than splitting the text into words once: a mark is only searched if the
# text contains all its words. Words are runs of ASCII letters.
_LETTERS = bytes(c if chr(c).isalpha() and c < 128 else 32 for c in range(256))


def _words(data: bytes) -> frozenset[bytes]:
    return frozenset(data.translate(_LETTERS).split())


_MARKS = tuple(
    (runner, tuple((_words(mark), mark) for mark in (m.encode() for m in runner.marks))) for runner in RUNNERS
)


@lru_cache(maxsize=8)
def recognise(text: str, *, asked: bool = False) -> Summary | None:
    """The summary of the runner that wrote ``text``; a closing summary is preferred to single results.

    ``asked``: the command asked for tests, so that the closing words of a build (``Summary.vague``) are about them.
    """
    partial: Summary | None = None
    data = text.encode("utf-8", "surrogatepass")
    words = _words(data)
    for runner, marks in _MARKS:
        for needed, mark in marks:
            if needed <= words and mark in data:
                break
        else:
            continue
        summary = runner.read(text)
        if summary is None or (summary.vague and not asked):
            continue
        if summary.final:
            return summary
        if partial is None and conclude(summary)[0] != "unknown":
            partial = summary
    return partial


__all__ = ["RUNNERS", "Runner", "Summary", "conclude", "find_runner", "recognise"]
