"""Checks and grades in words: what ``rigor explain`` prints and docs/checks.md is made from."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct, convert

from .catalogue import all_checks
from .grades import MOST_MOVED, tables
from .model import GRADES, CheckPillar, Severity
from .observations import all_observations
from .registry import Check


class Effect(Struct):
    """What a check does to a grade by its name.

    Attributes:
        kind: "rung": the rung asks for it; "cap": it caps the grade; "move": it moves the grade by points.
        value: the value of the rung or cap, or the points.
        fires: whether that holds where the check fires, or where it is silent.
        words: the same in words.
    """

    grade: str
    kind: Literal["rung", "cap", "move"]
    value: int
    fires: bool
    words: str


class Example(Struct, forbid_unknown_fields=True):
    """What an agent did when a check fires, and what it does when it need not."""

    seen: str | None = None
    instead: str = ""


class CheckText(Struct):
    """A check in words.

    Attributes:
        blind: what it cannot see.
        effects: on grades, of all ladders.
        seen: an example of what an agent did when it fires; None for a strength.
        instead: an example in which it need not fire; of a strength, one in which it does.
    """

    id: str
    pillar: CheckPillar
    severity: Severity
    sentence: str
    applies: str
    advice: str | None
    blind: str
    effects: list[Effect]
    seen: str | None
    instead: str


class Line(Struct):
    """A rung, cap or move: its value, the conditions in words that must all hold, and what it says of the session."""

    value: int
    when: list[str]
    says: str | None


class GradeText(Struct):
    """A grade in words. ``weight``: in the overall grade, None for that itself; ``why_not``: where it is null."""

    name: str
    weight: float | None
    why_not: str
    rungs: list[Line]
    caps: list[Line]
    moves: list[Line]
    most_moved: int = MOST_MOVED


def check_texts() -> dict[str, CheckText]:
    """Every check in words, by id."""
    return {c.id: _check_text(c) for c in all_checks().values()}


def _check_text(c: Check) -> CheckText:
    shown = examples().get(c.id, Example())
    effects = _effects(c.id)
    return CheckText(
        c.id, c.pillar, c.severity, c.sentence, c.applies, c.advice, c.blind, effects, shown.seen, shown.instead
    )


@lru_cache(1)
def examples() -> dict[str, Example]:
    """The examples of ``examples.toml``, by id of the check."""
    data = tomllib.loads(files(__package__ or "").joinpath("examples.toml").read_text())
    return convert(data, dict[str, Example])


def grade_texts() -> dict[str, GradeText]:
    """Every grade in words, by name: those of ``GRADES``, then the overall grade."""
    overall, ladders = tables()
    found: dict[str, GradeText] = {}
    for name in GRADES:
        weight = overall.weights[name]
        ladder = ladders[name]
        found[name] = GradeText(
            name,
            weight,
            ladder.why_not,
            [Line(r.value, in_words(r.when), r.says) for r in sorted(ladder.rungs, key=lambda r: r.value)],
            [Line(c.at, in_words(c.when), c.why) for c in ladder.caps],
            [Line(m.by, in_words(m.when), None) for m in ladder.moves],
        )
    few = f"the grades that are there have less than {overall.enough:.0%} of the weight"
    caps = [Line(c.at, in_words(c.when), c.why) for c in overall.caps]
    caps.append(Line(overall.nothing_done, ["nothing done"], "a change was asked for, and none was made or declined"))
    found["overall"] = GradeText("overall", None, few, [], caps, [], 0)
    return found


def nearest(name: str) -> list[str]:
    """The names most like an unknown one: ids of checks and names of grades."""
    known = {n.lower(): n for n in [*all_checks(), *grade_texts()]}
    return [known[n] for n in get_close_matches(name.lower(), known, n=3, cutoff=0.4)]


def in_words(conditions: Sequence[str]) -> list[str]:
    """Conditions of ``grades.toml`` in words, each saying when it holds."""
    return [_alternatives(c, brackets=len(conditions) > 1) for c in conditions]


def _alternatives(condition: str, *, brackets: bool) -> str:
    words = [_one(part.strip()) for part in condition.split("|")]
    return f"({' or '.join(words)})" if brackets and len(words) > 1 else " or ".join(words)


def _one(name: str) -> str:
    negated, own = name.startswith("!"), name.lstrip("!")
    if own[0].isupper():
        return f"{own} {'is silent' if negated else 'fires'}"
    return all_observations()[own].otherwise if negated else own.replace("-", " ")


def _effects(id: str) -> list[Effect]:
    overall, ladders = tables()
    found: list[Effect] = []
    for name, ladder in ladders.items():
        for rung in ladder.rungs:
            for fires in _asked(id, rung.when):
                state = "fires" if fires else "is silent"
                words = f"{name}: the rung {rung.value} asks that it {state}"
                found.append(Effect(name, "rung", rung.value, fires, words))
        for move in ladder.moves:
            for fires in _asked(id, move.when):
                found.append(Effect(name, "move", move.by, fires, f"{name}: {_if(fires)}, {move.by:+d} points"))
    for name, caps in [*((n, one.caps) for n, one in ladders.items()), ("overall", overall.caps)]:
        for cap in caps:
            for fires in _asked(id, cap.when):
                found.append(Effect(name, "cap", cap.at, fires, f"{name}: {_if(fires)}, at most {cap.at}"))
    return found


def _if(fires: bool) -> str:
    return "where it fires" if fires else "where it is silent"


def _asked(id: str, conditions: Sequence[str]) -> list[bool]:
    """Whether conditions name a check: True, that it fires; False, that it is silent."""
    parts = {part.strip() for c in conditions for part in c.split("|")}
    return [fires for fires, name in ((True, id), (False, f"!{id}")) if name in parts]
