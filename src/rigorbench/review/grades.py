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
            self._seen[name] = all_observations()[name].see(self.work)
        return self._seen[name]

    def checks_in(self, conditions: Sequence[str]) -> list[str]:
        """Ids of the checks that fired among the conditions."""
        names = [p.strip().lstrip("!") for c in conditions for p in c.split("|")]
        return [n for n in names if n in self.fired]


def grade(ladder: Ladder, conditions: Conditions) -> Grade:
    """Climb one ladder."""
    if conditions.holds(ladder.applies) is not True:
        return Grade(None, "not_applicable", ladder.why_not)
    reached = [r for r in ladder.rungs if conditions.all_hold(r.when)]
    rung = max(reached, key=lambda r: r.value)
    moved = sum(m.by for m in ladder.moves if conditions.all_hold(m.when))
    value = min(100, max(0, rung.value + max(-MOST_MOVED, min(MOST_MOVED, moved))))
    reason = rung.says
    higher = min((r for r in ladder.rungs if r.value > rung.value), key=lambda r: r.value, default=None)
    if higher is not None:
        reason += f"; not {higher.value}: {', '.join(in_words(c) for c in conditions.unmet(higher.when))}"
    caps = [c for c in ladder.caps if conditions.all_hold(c.when) and c.at < value]
    capped_by: list[str] = []
    if caps:
        cap = min(caps, key=lambda c: c.at)
        value, capped_by = cap.at, [n for c in caps for n in conditions.checks_in(c.when)]
        reason += f"; at most {cap.at}, since {cap.why}"
    named = [n for r in ladder.rungs for n in conditions.checks_in(r.when)]
    named += [n for m in ladder.moves for n in conditions.checks_in(m.when)]
    return Grade(value, "scored", reason, capped_by, sorted({*named, *capped_by}))


def overall_grade(
    table: Overall, grades: Mapping[str, Grade], conditions: Conditions
) -> tuple[int | None, str, list[str]]:
    """(value, reason, ids of the checks that capped it)."""
    known = {n: (g.value, table.weights[n]) for n, g in grades.items() if g.value is not None}
    left_out = ""
    # Whoever breaks something and repairs it well has worked no better than one who did not break it.
    if "recovery" in known and known["recovery"][0] > _mean({n: v for n, v in known.items() if n != "recovery"}):
        del known["recovery"]
        left_out = "; recovery is above it, and does not raise it"
    weight = sum(w for _, w in known.values())
    if weight < table.enough:
        return (
            None,
            f"too little to grade: {', '.join(f'{n}: {g.reason}' for n, g in grades.items() if g.value is None)}",
            [],
        )
    value, reason = round(_mean(known)), f"weighted mean of {', '.join(known)}{left_out}"
    caps = [c for c in table.caps if conditions.all_hold(c.when) and c.at < value]
    if not caps:
        return value, reason, []
    cap = min(caps, key=lambda c: c.at)
    return (
        cap.at,
        f"{reason}; at most {cap.at}, since {cap.why}",
        [n for c in caps for n in conditions.checks_in(c.when)],
    )


def _mean(known: Mapping[str, tuple[int, float]]) -> float:
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
