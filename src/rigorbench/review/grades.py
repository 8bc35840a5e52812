"""Grades: the ladders of ``grades.toml``, climbed with the checks that fired and the observations of a session."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, convert, field

from .model import Grade
from .observations import all_observations
from .work import Work

# Half of the way to the next rung: what moves a grade never takes it there.
MOST_MOVED = 12


class Rung(Struct, forbid_unknown_fields=True):
    value: int
    when: list[str]
    says: str


class Cap(Struct, forbid_unknown_fields=True):
    at: int
    when: list[str]
    why: str


class Move(Struct, forbid_unknown_fields=True):
    by: int
    when: list[str]


class Ladder(Struct, forbid_unknown_fields=True):
    """One grade. ``applies``: the observation without which there is no grade; ``why_not``: the reason then."""

    applies: str
    why_not: str
    rungs: list[Rung]
    caps: list[Cap] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)


class Overall(Struct, forbid_unknown_fields=True):
    """The overall grade. ``enough``: share of the weights that must be graded."""

    weights: dict[str, float]
    enough: float
    caps: list[Cap]


@lru_cache(1)
def tables() -> tuple[Overall, dict[str, Ladder]]:
    """The overall grade and the ladders, by name of the grade."""
    data = tomllib.loads(files(__package__ or "").joinpath("grades.toml").read_text())
    overall = convert(data.pop("overall"), Overall)
    return overall, convert(data, dict[str, Ladder])


class Conditions:
    """Whether conditions hold in one session: what checks fired, and what observations say."""

    def __init__(self, work: Work, fired: Collection[str]) -> None:
        self.work, self.fired = work, fired
        self._seen: dict[str, bool | None] = {}

    def holds(self, condition: str) -> bool | None:
        """Three-valued: None where the log cannot show it."""
        parts = [self._one(part.strip()) for part in condition.split("|")]
        return True if True in parts else None if None in parts else False

    def all_hold(self, conditions: Sequence[str]) -> bool:
        return all(self.holds(c) is True for c in conditions)

    def unmet(self, conditions: Sequence[str]) -> list[str]:
        return [c for c in conditions if self.holds(c) is not True]

    def _one(self, name: str) -> bool | None:
        if name.startswith("!"):
            found = self._one(name[1:])
            return None if found is None else not found
        if name[0].isupper():
            return name in self.fired
        if name not in self._seen:
            self._seen[name] = all_observations()[name].holds(self.work)
        return self._seen[name]

    def checks_in(self, conditions: Sequence[str]) -> list[str]:
        """Ids of the checks that fired among the conditions."""
        names = [p.strip().lstrip("!") for c in conditions for p in c.split("|")]
        return [n for n in names if n in self.fired]


class Climb(Struct):
    """How far a session comes on a ladder.

    Attributes:
        reached: the rungs whose conditions hold, from the lowest to the one that counts.
        above: the higher rungs, the next one first.
        moves: those whose conditions hold.
        uncapped: the rung's value, moved.
        caps: those that lower it, the lowest first.
    """

    reached: list[Rung]
    above: list[Rung]
    moves: list[Move]
    uncapped: int
    caps: list[Cap]

    @property
    def value(self) -> int:
        return self.caps[0].at if self.caps else self.uncapped


def climb(ladder: Ladder, conditions: Conditions) -> Climb | None:
    """Climb one ladder; None: it does not apply."""
    if conditions.holds(ladder.applies) is not True:
        return None
    rungs = sorted(ladder.rungs, key=lambda r: r.value)
    reached = [r for r in rungs if conditions.all_hold(r.when)]
    top = reached[-1].value
    moves = [m for m in ladder.moves if conditions.all_hold(m.when)]
    moved = max(-MOST_MOVED, min(MOST_MOVED, sum(m.by for m in moves)))
    value = min(100, max(0, top + moved))
    return Climb(reached, [r for r in rungs if r.value > top], moves, value, _caps(ladder.caps, value, conditions))


def _caps(caps: Sequence[Cap], value: float, conditions: Conditions) -> list[Cap]:
    """The caps below a value whose conditions hold, the lowest first."""
    return sorted((c for c in caps if conditions.all_hold(c.when) and c.at < value), key=lambda c: c.at)


def grade(ladder: Ladder, conditions: Conditions) -> Grade:
    """The grade that a session gets on a ladder."""
    found = climb(ladder, conditions)
    if found is None:
        return Grade(None, "not_applicable", ladder.why_not)
    reason = found.reached[-1].says
    if found.above:
        unmet = ", ".join(
            in_words(c) if conditions.holds(c) is False else f"it is not known whether {in_words(c)}"
            for c in conditions.unmet(found.above[0].when)
        )
        reason += f"; not {found.above[0].value}: {unmet}"
    if found.caps:
        reason += f"; at most {found.value}, since {found.caps[0].why}"
    capped_by = [n for c in found.caps for n in conditions.checks_in(c.when)]
    named = [n for r in ladder.rungs for n in conditions.checks_in(r.when)]
    named += [n for m in ladder.moves for n in conditions.checks_in(m.when)]
    return Grade(found.value, "scored", reason, capped_by, sorted({*named, *capped_by}))


def overall_grade(
    table: Overall, grades: Mapping[str, Grade], conditions: Conditions
) -> tuple[int | None, str, list[str]]:
    """(value, reason, ids of the checks that capped it)."""
    known = graded(table, grades)
    there = {n for n, g in grades.items() if g.value is not None}
    left_out = "; recovery is above it, and does not raise it" if there - known.keys() else ""
    if sum(w for _, w in known.values()) < table.enough:
        return (
            None,
            f"too little to grade: {', '.join(f'{n}: {g.reason}' for n, g in grades.items() if g.value is None)}",
            [],
        )
    value, reason = round(mean(known)), f"weighted mean of {', '.join(known)}{left_out}"
    caps = _caps(table.caps, value, conditions)
    if not caps:
        return value, reason, []
    return (
        caps[0].at,
        f"{reason}; at most {caps[0].at}, since {caps[0].why}",
        [n for c in caps for n in conditions.checks_in(c.when)],
    )


def graded(table: Overall, grades: Mapping[str, Grade]) -> dict[str, tuple[int, float]]:
    """The (value, weight) of each grade in the overall grade."""
    known = {n: (g.value, table.weights[n]) for n, g in grades.items() if g.value is not None}
    # Whoever breaks something and repairs it well has worked no better than one who did not break it.
    if "recovery" in known and known["recovery"][0] > mean({n: v for n, v in known.items() if n != "recovery"}):
        del known["recovery"]
    return known


def mean(known: Mapping[str, tuple[int, float]]) -> float:
    """The weighted mean; 0 of nothing."""
    weight = sum(w for _, w in known.values())
    return sum(v * w for v, w in known.values()) / weight if weight else 0.0


def in_words(condition: str) -> str:
    """A condition that does not hold, for a reader: the first of its alternatives speaks for all."""
    name = condition.split("|")[0].strip()
    if name.startswith("!"):
        own = name[1:]
        return f"{own} fired" if own[0].isupper() else own.replace("-", " ")
    return f"{name} is silent" if name[0].isupper() else all_observations()[name].otherwise
