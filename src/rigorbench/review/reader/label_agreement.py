"""How far people agree on sessions with each other, and readers with people, point by point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import median

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.stats import rankdata

from ...base.stats.agreement import Estimate, agreement
from ...base.stats.resampling import FEWEST_TASKS, interval, uniform
from .labels import POINTS, Label
from .reading import FACTS, Answer
from .request import GRADES, PROMPT_VERSION

PEOPLE = "people"
_DRAWS = 500
# The median of people may lie between two grades.
_STEPS = [step / 2 for step in range(2, 11)]
_Table = Sequence[Sequence[float | bool | None]]


class AgreementRow(Struct, kw_only=True):
    """Agreement on one point, over the sessions for which two of the raters have a value."""

    who: str
    """:data:`PEOPLE`: among each other; a reader: with the people's median or majority."""
    point: str
    sessions: int
    raters: int
    same: Estimate
    """The share of pairs that are equal."""
    alpha: Estimate
    """Krippendorff's alpha: ordinal for grades, nominal for facts."""
    spearman: Estimate | None = None
    """Rank correlation, of more than two raters the mean over pairs. None: a fact."""
    within: float | None = None
    """The share of pairs of grades at most a step apart. None: a fact, or nothing to compare."""


def compare(labels: Iterable[Label], answers: Mapping[str, Mapping[str, Answer]]) -> list[AgreementRow]:
    """Rows for people, if there are two, and for each reader. Labels to another version of the question do not count.
    ``answers``: by reader and digest."""
    people: dict[str, dict[str, Label]] = {}
    for label in labels:
        if label.prompt == PROMPT_VERSION:
            people.setdefault(label.labeller, {})[label.digest] = label
    digests = sorted({digest for mine in people.values() for digest in mine})
    marks = {d: [{**m.grades, **m.facts} if (m := mine.get(d)) else {} for mine in people.values()] for d in digests}
    said = {p: [[mark.get(p) for mark in marks[d]] for d in digests] for p in POINTS}
    rows = [_row(PEOPLE, p, said[p]) for p in POINTS] if len(people) > 1 else []
    for reader, given in answers.items():
        found = {d: {k: m.value for marks in (a.grades, a.facts) for k, m in marks.items()} for d, a in given.items()}
        for p in POINTS:
            pairs = zip(said[p], digests, strict=True)
            rows.append(_row(reader, p, [(_middle(values, p), found.get(d, {}).get(p)) for values, d in pairs]))
    return rows


def _middle(said: Sequence[float | bool | None], point: str) -> float | bool | None:
    """The median of grades, the majority of facts; None: nobody, or a tie."""
    known = [value for value in said if value is not None]
    if not known or (point in FACTS and 2 * sum(known) == len(known)):
        return None
    return median(known) if point in GRADES else 2 * sum(known) > len(known)


def _row(who: str, point: str, table: _Table) -> AgreementRow:
    both = [row for row in table if sum(value is not None for value in row) > 1]
    raters = sum(any(value is not None for value in column) for column in zip(*both, strict=True))
    found = agreement(both, categories=[False, True]) if point in FACTS else agreement(both, order=_STEPS)
    row = AgreementRow(who=who, point=point, sessions=len(both), raters=raters, same=found.raw, alpha=found.alpha)
    if point in GRADES:
        pairs = [pair for row in both for pair in combinations([v for v in row if v is not None], 2)]
        row.within = sum(abs(a - b) <= 1 for a, b in pairs) / len(pairs) if pairs else None
        row.alpha, row.spearman = found.alpha_ordinal, _spearman(both)
    return row


def _spearman(table: _Table) -> Estimate:
    """With an interval from resampled sessions."""
    n = len(table)
    if n < FEWEST_TASKS:
        return Estimate(reason=f"fewer than {FEWEST_TASKS} sessions")
    ratings = np.array([[np.nan if v is None else float(v) for v in row] for row in table])
    value = _rho(ratings)
    if np.isnan(value):
        return Estimate(reason="undefined: a rater gave every session the same grade")
    drawn = (uniform(n * _DRAWS) * n).astype(np.int64).reshape(_DRAWS, n)
    ends = interval(np.array([_rho(ratings[sessions]) for sessions in drawn]), n)
    return (
        Estimate(value, *ends) if ends else Estimate(value, reason="no interval: too few sessions, or too much alike")
    )


def _rho(ratings: NDArray[np.float64]) -> float:
    """The mean over the pairs of raters (columns); nan where none has a correlation."""
    found = []
    for pair in combinations(range(ratings.shape[1]), 2):
        both = ratings[:, pair][~np.isnan(ratings[:, pair]).any(axis=1)]
        if len(both) > 1 and np.ptp(both, axis=0).all():
            found.append(np.corrcoef(rankdata(both, axis=0), rowvar=False)[0, 1])
    return float(np.mean(found)) if found else float("nan")
