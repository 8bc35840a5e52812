"""Grades: the ladders of ``grades.toml``, climbed with the checks that fired and the observations of a session."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import product

from msgspec import Struct, convert, field

from .catalogue import all_checks
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

    def conditions(self, *, caps: bool = True) -> list[str]:
        """What its rungs and moves ask, and its caps."""
        asked = [*(r.when for r in self.rungs), *(m.when for m in self.moves), *(c.when for c in self.caps if caps)]
        return [condition for when in asked for condition in when]


class Overall(Struct, forbid_unknown_fields=True):
    """The overall grade. ``enough``: share of the weights that must be graded; ``nothing_done``: the grade of that."""

    weights: dict[str, float]
    enough: float
    nothing_done: int
    caps: list[Cap]


@lru_cache(1)
def tables() -> tuple[Overall, dict[str, Ladder]]:
    """The overall grade and the ladders, by name of the grade."""
    data = tomllib.loads(files(__package__ or "").joinpath("grades.toml").read_text())
    overall = convert(data.pop("overall"), Overall)
    return overall, convert(data, dict[str, Ladder])


class Conditions:
    """Whether conditions hold in one session: what checks fired, and what observations say.

    Args:
        assumed: answers to what is not known, by the name of the check or observation.
    """

    def __init__(self, work: Work, fired: Collection[str], assumed: Mapping[str, bool] | None = None) -> None:
        self.work, self.fired, self.assumed = work, fired, assumed or {}
        self._seen: dict[str, bool | None] = {}

    def holds(self, condition: str) -> bool | None:
        """Three-valued: None where the log cannot show it."""
        parts = [self._one(part.strip()) for part in condition.split("|")]
        return True if True in parts else None if None in parts else False

    def stated(self, condition: str) -> bool | None:
        """The same for what is said of it: None also where it may hold although the session does not show it."""
        names = [n for n in _names(condition) if n[0].islower()]
        hidden = (all_observations()[n].hidden for n in names)
        may = any(h is not None and h(self.work) for h in hidden)
        return None if may else self.holds(condition)

    def all_hold(self, conditions: Sequence[str]) -> bool:
        return all(self.holds(c) is True for c in conditions)

    def unmet(self, conditions: Sequence[str]) -> list[str]:
        return [c for c in conditions if self.holds(c) is not True]

    def unknown(self, conditions: Iterable[str]) -> set[str]:
        """The names among conditions of which the log does not show whether they hold."""
        return {n for c in conditions for n in _names(c) if self._one(n) is None}

    def assuming(self, assumed: Mapping[str, bool]) -> Conditions:
        """The same conditions where these names, which are not known, are answered so."""
        other = Conditions(self.work, self.fired, assumed)
        other._seen = self._seen
        return other

    def _one(self, name: str) -> bool | None:
        if name.startswith("!"):
            found = self._one(name[1:])
            return None if found is None else not found
        if name in self.assumed:
            return self.assumed[name]
        if name not in self._seen:
            self._seen[name] = self._check(name) if name[0].isupper() else all_observations()[name].holds(self.work)
        return self._seen[name]

    def _check(self, id: str) -> bool | None:
        if id in self.fired:
            return True
        undecided = all_checks()[id].undecided
        return None if undecided is not None and undecided(self.work) else False

    def checks_in(self, conditions: Sequence[str]) -> list[str]:
        """Ids of the checks that fired among the conditions."""
        return [n for c in conditions for n in _names(c) if n in self.fired]


def _names(condition: str) -> list[str]:
    return [part.strip().lstrip("!") for part in condition.split("|")]


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
    """The grade that a session gets on a ladder; none where it depends on what is not known."""
    values = set(outcomes(ladder, conditions).values())
    named = conditions.checks_in(ladder.conditions(caps=False))
    if len(values) > 1:
        return Grade(None, "unscorable", _open_reason(ladder, conditions), checks=sorted({*named}))
    found = climb_shown(ladder, conditions)
    if found is None:
        seen, work = all_observations().get(ladder.applies), conditions.work
        may = seen is not None and seen.why is not None and seen.hidden is not None and seen.hidden(work)
        why = ladder.why_not if seen is None or seen.why is None else seen.why(work)
        return Grade(None, "unscorable" if may else "not_applicable", why)
    reason = found.reached[-1].says
    if found.above:
        unmet = conditions.unmet(found.above[0].when)
        words = [in_words(c, conditions.stated(c)) for c in unmet]
        lacks = [w for w in dict.fromkeys(words) if w not in reason]
        reason += f"; not {found.above[0].value}: {', '.join(lacks)}" if lacks else ""
    if found.caps:
        reason += f"; at most {found.value}, since {found.caps[0].why}"
    capped_by = [n for c in found.caps for n in conditions.checks_in(c.when)]
    return Grade(found.value, "scored", reason, capped_by, sorted({*named, *capped_by}))


def climb_shown(ladder: Ladder, conditions: Conditions) -> Climb | None:
    """Climb a ladder on which nothing that is not known makes a difference."""
    return climb(ladder, conditions.assuming(dict.fromkeys(_unknown(ladder, conditions), False)))


def outcomes(ladder: Ladder, conditions: Conditions) -> dict[tuple[bool, ...], int | None]:
    """By the answers to what is not known, the values that a grade can have; None: it does not apply."""
    unknown = _unknown(ladder, conditions)
    found: dict[tuple[bool, ...], int | None] = {}
    for answers in product((False, True), repeat=len(unknown)):
        one = climb(ladder, conditions.assuming(dict(zip(unknown, answers, strict=True))))
        found[answers] = None if one is None else one.value
    return found


def _unknown(ladder: Ladder, conditions: Conditions) -> list[str]:
    return sorted(conditions.unknown([ladder.applies, *ladder.conditions()]))


def _open_reason(ladder: Ladder, conditions: Conditions) -> str:
    """Between which values a grade is, and a condition that can make the difference."""
    found = outcomes(ladder, conditions)
    deciding = [
        name
        for n, name in enumerate(_unknown(ladder, conditions))
        if any(value != found[(*a[:n], not a[n], *a[n + 1 :])] for a, value in found.items())
    ]
    known = sorted({v for v in found.values() if v is not None})
    span = f"{known[0]} to {known[-1]}" if len(known) > 1 else f"{known[0]} or none"
    return f"{span}: rules do not decide {_whether(max(deciding, key=str.islower))}"


def _whether(name: str) -> str:
    """The question whether a condition holds, in words that follow "rules do not decide"."""
    if name[0].isupper():
        return f"whether the agent {all_checks()[name].did}"
    words = all_observations()[name].otherwise.removeprefix("it is not shown that ")
    return f"whether {words.replace(' is known to have passed', ' passed')}"


def overall_grade(
    table: Overall, ladders: Mapping[str, Ladder], grades: Mapping[str, Grade], conditions: Conditions
) -> tuple[int | None, str, list[str]]:
    """(value, reason, ids of the checks that capped it); none where it depends on what is not known."""
    known = graded(table, grades)
    there = {n for n, g in grades.items() if g.value is not None}
    left_out = "; recovery is above it, and does not raise it" if there - known.keys() else ""
    if conditions.holds("nothing-done"):
        return table.nothing_done, "a change was asked for; the agent made none", []
    if sum(w for _, w in known.values()) < table.enough:
        missing = ", ".join(f"{n}: {g.reason}" for n, g in grades.items() if g.value is None)
        return None, f"too little to grade: {missing}", []
    if len(_possible_overall(table, ladders, grades, conditions)) > 1:
        values = {n: set(outcomes(ladders[n], conditions).values()) for n in grades}
        open_ = [n for n in grades if len(values[n]) > 1]
        return None, f"it depends on what rules do not decide: {', '.join(open_) or 'what would cap it'}", []
    value, reason = round(mean(known)), f"weighted mean of {', '.join(known)}{left_out}"
    caps = _caps(table.caps, value, conditions)
    if not caps:
        return value, reason, []
    return (
        caps[0].at,
        f"{reason}; at most {caps[0].at}, since {caps[0].why}",
        [n for c in caps for n in conditions.checks_in(c.when)],
    )


def _possible_overall(
    table: Overall, ladders: Mapping[str, Ladder], grades: Mapping[str, Grade], conditions: Conditions
) -> set[int]:
    """The values that the overall grade can have, whatever the grades are that depend on what is not known."""
    unknown = sorted(conditions.unknown(c for cap in table.caps for c in cap.when))
    found: set[int] = set()
    for answers in product((False, True), repeat=len(unknown)):
        assumed = conditions.assuming(dict(zip(unknown, answers, strict=True)))
        values = [
            {g.value} if g.status != "unscorable" else {None, *outcomes(ladders[n], assumed).values()}
            for n, g in grades.items()
        ]
        for chosen in product(*values):
            value = round(mean(_counted(table, dict(zip(grades, chosen, strict=True)))))
            found.add(min([value, *(cap.at for cap in _caps(table.caps, value, assumed))]))
    return found


def graded(table: Overall, grades: Mapping[str, Grade]) -> dict[str, tuple[int, float]]:
    """The (value, weight) of each grade in the overall grade."""
    return _counted(table, {n: g.value for n, g in grades.items()})


def _counted(table: Overall, values: Mapping[str, int | None]) -> dict[str, tuple[int, float]]:
    known = {n: (v, table.weights[n]) for n, v in values.items() if v is not None}
    # Whoever breaks something and repairs it well has worked no better than one who did not break it.
    if "recovery" in known and known["recovery"][0] > mean({n: v for n, v in known.items() if n != "recovery"}):
        del known["recovery"]
    return known


def mean(known: Mapping[str, tuple[int, float]]) -> float:
    """The weighted mean; 0 of nothing."""
    weight = sum(w for _, w in known.values())
    return sum(v * w for v, w in known.values()) / weight if weight else 0.0


def in_words(condition: str, holds: bool | None = False) -> str:
    """A condition that does not hold, for a reader: the first of its alternatives speaks for all."""
    name = condition.split("|")[0].strip()
    if name.startswith("!"):
        own = name[1:]
        words = f"{own} fired" if own[0].isupper() else own.replace("-", " ")
    else:
        words = f"{name} is silent" if name[0].isupper() else all_observations()[name].otherwise
    hedged = holds is False or "known" in words or "shown" in words
    return words if hedged else f"as far as the log shows, {words}"
