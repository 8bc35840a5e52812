"""Whether the share of judges who say yes predicts how many people do, and whether unanimous verdicts are better."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from msgspec import Struct, field

from ...stats.agreement import Estimate
from ...stats.agreement_means import difference, mean
from ..labels.model import KINDS, LabelKind
from ..labels.store import Labels
from ..model import Vote
from .ratings import Point, ground_truth, judge_ratings


class Bin(Struct):
    """The points on which ``yes`` of ``votes`` judges ratings yes; ``people``: the share of labellers who did."""

    yes: int
    votes: int
    n: int
    people: Estimate


class Calibration(Struct, kw_only=True):
    """One kind of case.

    Attributes:
        kind: of the cases.
        n: points.
        bins: by the number of judges who say yes.
        gap: the judges' share of yes minus the people's, over all points.
        unanimous: how often the verdict is what most labellers say, where all judges agree.
        unanimous_n: points behind ``unanimous``.
        split: the same where the judges disagree.
        split_n: points behind ``split``.
        gain: ``unanimous`` minus ``split``.
        ties: points without a verdict, since as many judges say yes as no.
    """

    kind: LabelKind
    n: int
    bins: list[Bin] = field(default_factory=list)
    gap: Estimate
    unanimous: Estimate
    unanimous_n: int
    split: Estimate
    split_n: int
    gain: Estimate
    ties: int


def calibrate(labels: Labels, votes: Sequence[Vote]) -> list[Calibration]:
    """One entry per kind for which at least two judges and one labeller have answers."""
    people = ground_truth(labels)
    ratings: defaultdict[Point, list[bool]] = defaultdict(list)
    for _, answers in judge_ratings(votes).values():
        for point, answer in answers.items():
            ratings[point].append(answer is True)
    found = []
    for kind in KINDS:
        points = [
            p
            for p, answers in ratings.items()
            if len(answers) > 1 and p[0] in labels.sheets and labels.sheets[p[0]].kind == kind
            and any(p in mine for mine in people.by.values())
        ]  # fmt: skip
        if points:
            shares = [_share([mine[p] is True for mine in people.by.values() if p in mine]) for p in points]
            truth = [people.majority.get(p) for p in points]
            sessions = [labels.sheets[p[0]].session for p in points]
            found.append(_calibration(kind, [ratings[p] for p in points], shares, truth, sessions))
    return found


def _share(answers: list[bool]) -> float:
    return sum(answers) / len(answers)


def _calibration(
    kind: LabelKind, ratings: list[list[bool]], people: list[float], truth: Sequence[object], sessions: list[str]
) -> Calibration:
    sizes = Counter((sum(answers), len(answers)) for answers in ratings)
    bins = []
    for (yes, votes), n in sorted(sizes.items(), key=lambda item: (item[0][1], item[0][0])):
        inside = [i for i, answers in enumerate(ratings) if (sum(answers), len(answers)) == (yes, votes)]
        bins.append(Bin(yes, votes, n, mean([people[i] for i in inside], [sessions[i] for i in inside])))
    gaps = [_share(answers) - share for answers, share in zip(ratings, people, strict=True)]
    right: list[float] = []
    whole: list[bool] = []
    where: list[str] = []
    ties = 0
    for answers, human, session in zip(ratings, truth, sessions, strict=True):
        if 2 * sum(answers) == len(answers):
            ties += 1
        elif human is not None:
            right.append(float((2 * sum(answers) > len(answers)) == human))
            whole.append(sum(answers) in (0, len(answers)))
            where.append(session)

    def accuracy(unanimous: bool) -> Estimate:
        own = [i for i, w in enumerate(whole) if w == unanimous]
        return mean([right[i] for i in own], [where[i] for i in own])

    return Calibration(
        kind=kind,
        n=len(ratings),
        bins=bins,
        gap=mean(gaps, sessions),
        unanimous=accuracy(True),
        unanimous_n=sum(whole),
        split=accuracy(False),
        split_n=len(whole) - sum(whole),
        gain=difference(right, whole, where),
        ties=ties,
    )
