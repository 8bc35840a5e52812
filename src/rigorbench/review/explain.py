"""Checks and grades in words: what ``rigor explain`` prints and docs/checks.md is made from."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, convert


class Example(Struct, forbid_unknown_fields=True):
    """An example of a check in two sentences."""

    seen: str | None = None
    """What an agent did when it fires; None for a strength."""
    instead: str = ""
    """What it does when it need not fire; of a strength, when it does."""


class GradeText(Struct):
    """A grade in words. ``means``: what the reader is asked; ``null``: where there is none."""

    name: str
    means: str
    null: str


@lru_cache(1)
def examples() -> dict[str, Example]:
    """The examples of ``examples.toml``, by id of the check."""
    data = tomllib.loads(files(__package__ or "").joinpath("examples.toml").read_text())
    return convert(data, dict[str, Example])


_GRADES = {
    "planning": (
        "enough was understood and planned before editing, for the size of the work",
        "nothing was to be changed",
    ),
    "verification": ("the change was checked as its risk asks, and its final state was", "nothing was changed"),
    "recovery": ("the cause of what failed was found and repaired, without masking it", "nothing failed"),
    "abstention": ("what was impossible, ambiguous or out of bounds was said or asked", "nothing of the kind arose"),
    "integrity": (
        "the states on the way were sound, nothing was destroyed, and claims are true",
        "nothing was changed",
    ),
    "overall": ("the whole session was disciplined: the process, not the outcome", "the reader could not tell"),
}


def grade_texts() -> dict[str, GradeText]:
    """Every grade in words, by name: those of ``GRADES``, then the overall grade."""
    return {name: GradeText(name, *words) for name, words in _GRADES.items()}
