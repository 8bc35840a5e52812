"""Checks and grades in words: what ``rigor explain`` prints and docs/checks.md is made from."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, convert

from .catalogue import all_checks
from .model import CheckPillar, Severity


class Example(Struct, forbid_unknown_fields=True):
    """What an agent did when a check fires, and what it does when it need not."""

    seen: str | None = None
    instead: str = ""


class CheckText(Struct):
    """A check in words."""

    id: str
    pillar: CheckPillar
    severity: Severity
    sentence: str
    applies: str
    advice: str | None
    blind: str
    """What it cannot see."""
    seen: str | None
    """An example of what an agent did when it fires; None for a strength."""
    instead: str
    """An example in which it need not fire; of a strength, one in which it does."""


class GradeText(Struct):
    """A grade in words. ``means``: what the reader is asked; ``null``: where there is none."""

    name: str
    means: str
    null: str


def check_texts() -> dict[str, CheckText]:
    """Every check in words, by id."""
    shown = ((c, examples().get(c.id, Example())) for c in all_checks().values())
    return {
        c.id: CheckText(c.id, c.pillar, c.severity, c.sentence, c.applies, c.advice, c.blind, e.seen, e.instead)
        for c, e in shown
    }


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
