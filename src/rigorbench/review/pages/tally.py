"""What many sessions have in common: flags, weeks, the most frequent finding, and grades where they were read."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from msgspec import Struct

from ...session.cost import Basis
from ..catalogue import all_checks
from ..review import GRADES
from . import numbers, words
from .summary import RowCheck, SessionRow

# What is wrong, in the order of its weight. Notes inform only.
SEVERITIES = ("flag", "weak")


class Tally(Struct):
    sessions: int
    read: int
    """Those that a reader read."""
    graded: int
    """Those of them with an overall grade."""
    median: float | None
    """Of the overall grades."""
    flagged: int
    flags_per_100: float | None
    """Each check once a session."""
    cost: float | None
    """Dollars of the sessions whose cost is known, which are ``priced`` many; ``listed`` have it from list prices."""
    priced: int
    listed: int = 0
    basis: Basis | None = None

    def charted(self, *, graded: bool) -> float | None:
        """The value in a chart, 0 to 100: the median grade, or the share of sessions with a flag."""
        return self.median if graded else 100 * self.flagged / self.sessions if self.sessions else None

    @property
    def flagged_text(self) -> str:
        """ "6 of 20 (30 %)"; of few sessions without the share."""
        text = f"{self.flagged} of {self.sessions}"
        return text if self.sessions < 10 else f"{text} ({words.percent(self.flagged / self.sessions)})"

    @property
    def read_text(self) -> str:
        """ "3 of 40 read": on how many sessions grades rest."""
        return f"{self.read:,} of {self.sessions:,} read"

    @property
    def cost_text(self) -> str:
        """What the sessions cost together, and how many of them have it from list prices; "" when unknown."""
        if self.cost is None:
            return ""
        text = numbers.bounded(self.cost, self.basis)
        if self.priced < self.sessions:
            text += f" in {words.plural(self.priced, 'session')}"
        if self.listed:
            text += f" ({numbers.LISTED})" if self.listed == self.priced else f" ({self.listed} {numbers.LISTED})"
        return text


class Week(Struct):
    """The sessions that began in a week; ``start``: its Monday (UTC), as an ISO date."""

    start: str
    tally: Tally

    def about(self, *, graded: bool) -> str:
        of, said = self.tally, "no session"
        if of.charted(graded=graded) is not None:
            median = f"median {of.median or 0:.0f} of {words.plural(of.graded, 'session')}"
            said = median if graded else f"{of.flagged_text} with a flag"
        return f"week of {self.start}: {said}"


class Weakest(Struct):
    """The grade with the lowest median; ``sessions``: those that have it."""

    grade: str
    median: float
    sessions: int


class Frequent(Struct):
    """A check that fired; ``sessions``: in how many."""

    id: str
    severity: str
    sentence: str
    sessions: int


class SessionsSummary(Struct):
    tally: Tally
    first: str | None
    """ISO date of the earliest session; None where no session has a time."""
    last: str | None
    weeks: list[Week]
    weakest: Weakest | None
    frequent: list[Frequent]

    @property
    def span(self) -> str:
        """From which day to which; "" where no session has a time."""
        return self.first or "" if self.last in (None, self.first) else f"{self.first} to {self.last}"


def summary(rows: Sequence[SessionRow]) -> SessionsSummary:
    days = sorted(found for row in rows if (found := row.day) is not None)
    return SessionsSummary(
        tally(rows),
        str(days[0]) if days else None,
        str(days[-1]) if days else None,
        weeks(rows),
        _weakest(rows),
        frequent(rows),
    )


def tally(rows: Sequence[SessionRow]) -> Tally:
    grades = [row.overall for row in rows if row.overall is not None]
    costs = [row.cost for row in rows if row.cost is not None]
    flags = sum(len(set(row.flags)) for row in rows)
    bases = {row.cost_basis for row in rows}
    return Tally(
        sessions=len(rows),
        read=sum(row.reader is not None for row in rows),
        graded=len(grades),
        median=median(grades) if grades else None,
        flagged=sum(bool(row.flags) for row in rows),
        flags_per_100=100 * flags / len(rows) if rows else None,
        cost=sum(costs) if costs else None,
        priced=len(costs),
        listed=sum(row.cost_basis in ("listed", "at least") for row in rows),
        # A sum is as little known as the least known of its parts.
        basis=next((basis for basis in ("at least", "listed", "stated") if basis in bases), None),
    )


def weeks(rows: Iterable[SessionRow]) -> list[Week]:
    """The weeks in which sessions began, in order; sessions of which no time is known are in none."""
    found: dict[datetime.date, list[SessionRow]] = {}
    for row in rows:
        if (monday := row.week) is not None:
            found.setdefault(monday, []).append(row)
    return [Week(str(start), tally(members)) for start, members in sorted(found.items())]


def frequent(rows: Iterable[SessionRow]) -> list[Frequent]:
    """The flags and weak checks by the number of sessions in which they fired; of equal ones, flags first."""
    seen: Counter[str] = Counter()
    last: dict[str, RowCheck] = {}
    for row in rows:
        for check in row.checks:
            if check.severity in SEVERITIES:
                seen[check.id] += 1
                last[check.id] = check
    known = all_checks()
    found = [
        Frequent(id, last[id].severity, known[id].sentence if id in known else last[id].message, n)
        for id, n in seen.items()
    ]
    return sorted(found, key=lambda each: (-each.sessions, SEVERITIES.index(each.severity), each.id))


def _weakest(rows: Sequence[SessionRow]) -> Weakest | None:
    found = []
    for name in GRADES:
        values = [value for row in rows if (value := row.grades.get(name)) is not None]
        if values:
            found.append(Weakest(name, median(values), len(values)))
    return min(found, key=lambda each: each.median, default=None)
