"""Judges compared with people: how often each judge, the panel and the features answer as labellers do.

A *point* is one question about one case (or one item of it). The people's answer to a point is that of most labellers;
points with a tie, and answers "cannot tell", are left out. Sessions are the clusters of all intervals.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import cast

from msgspec import Struct, field

from ...stats.agreement import Agreement, Estimate, agreement
from ...stats.agreement_means import difference
from ..labels.model import FORMS, KINDS, OWN_KINDS, LabelKind, Value
from ..labels.store import Labels
from ..model import Kind, Vote
from .ratings import (
    EXTRACTION,
    FEATURES,
    MAJORITY,
    PANEL,
    GroundTruth,
    JudgeFacts,
    Point,
    Ratings,
    extracted_ratings,
    favours,
    feature_ratings,
    ground_truth,
    judge_ratings,
    panel_majority,
)


class Comparison(Struct, kw_only=True):
    """One judge against people.

    Attributes:
        judge: its name.
        against: "(majority)" of the labellers, or one of them.
        kind: of the cases.
        question: one question of the kind; None: all of them.
        n: points that both answered.
        cases: cases of these points.
        sessions: sessions of these points.
        accuracy: share of points with the same answer.
        kappa: Cohen's kappa.
        ac1: Gwet's AC1.
        alpha_ordinal: Krippendorff's alpha, where the answers are ordered.
        leniency: share of points on which the judge favours the agent and people do not, minus the reverse.
        confusion: people's answer -> judge's answer -> points.
    """

    judge: str
    against: str
    kind: LabelKind
    question: str | None
    n: int
    cases: int
    sessions: int
    accuracy: Estimate
    kappa: Estimate
    ac1: Estimate
    alpha_ordinal: Estimate
    leniency: Estimate
    confusion: dict[str, dict[str, int]]


class Ceiling(Struct, kw_only=True):
    """The agreement of labellers with each other on a question (None: all of the kind), which bounds that of judges."""

    kind: LabelKind
    question: str | None
    agreement: Agreement


class Lenient(Struct, kw_only=True, omit_defaults=True):
    """A point on which a judge favours the agent and people do not. ``text``: of the item, or the case's subject."""

    judge: str
    kind: LabelKind
    case: str
    session: str
    question: str
    item: str | None = None
    text: str = ""


class FindingPrecision(Struct, kw_only=True):
    """Of the findings of one check that people labelled, how many they found right, and worth telling (None: unknown).

    ``sessions``: in which they are.
    """

    check: str
    n: int
    right: int
    worth: int | None
    sessions: int


class Validation(Struct, kw_only=True):
    """All comparisons.

    Attributes:
        findings: precision of each check of the review, by the majority of the labellers.
        left_out: why points or cases do not count -> how many.
    """

    schema: str = "rigor-validation/1"
    labellers: dict[str, int]
    cases: dict[LabelKind, int]
    judges: list[JudgeFacts]
    comparisons: list[Comparison]
    humans: list[Ceiling]
    lenient: list[Lenient]
    findings: list[FindingPrecision] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)


def inter_judge(votes: Sequence[Vote]) -> dict[Kind, Agreement]:
    """The agreement of the judges with each other, by kind: points are the subjects, judges the raters, cases the
    clusters."""
    points: dict[Kind, dict[tuple[str, Point], dict[tuple[str, str], bool]]] = {}
    for vote in votes:
        if vote.status == "voted":
            own = points.setdefault(vote.kind, {})
            for a in vote.answers:
                own.setdefault((vote.rubric, (vote.case, a.question, a.item)), {})[vote.model, vote.judge] = a.yes
    result: dict[Kind, Agreement] = {}
    for kind, rows in points.items():
        raters = sorted({judge for row in rows.values() for judge in row})
        table = [[row.get(judge) for judge in raters] for row in rows.values()]
        clusters = [case for _, (case, _, _) in rows]
        result[kind] = agreement(table, categories=[False, True], clusters=clusters)
    return result


def validate(
    labels: Labels, votes: Sequence[Vote], *, features: bool = False, quorum: int = 2, each: bool = False
) -> Validation:
    """Compare judges with people.

    Args:
        labels: the answers of people.
        votes: the votes that count.
        features: whether to compare the deterministic judge as well.
        quorum: how many judges make a panel's verdict.
        each: whether to compare with every labeller, in addition to the majority.
    """
    people = ground_truth(labels)
    if stale := sum(vote.status == "voted" and vote.rubric != FORMS[vote.kind].rubric for vote in votes):
        people.left_out["votes on questions that have changed since"] = stale
    labelled = {point[0] for mine in people.by.values() for point in mine}
    sheets = [labels.sheets[case] for case in labels.sheets if case in labelled]
    raters = judge_ratings(votes)
    if len(raters) > 1:
        majority = panel_majority([answers for _, answers in raters.values()], quorum)
        raters[PANEL] = (
            JudgeFacts(PANEL, "most of the judges", "judged", sum(f.votes for f, _ in raters.values())),
            majority,
        )
    if features:
        answers = feature_ratings(sheets)
        raters[FEATURES] = (JudgeFacts(FEATURES, FEATURES, "estimated", len({p[0] for p in answers})), answers)
    episodes = extracted_ratings(sheets)
    if episodes:
        raters[EXTRACTION] = (
            JudgeFacts(EXTRACTION, "its own reading", "parsed", len({p[0] for p in episodes})),
            episodes,
        )
    kinds = [kind for kind in KINDS if any(sheet.kind == kind for sheet in sheets)]
    result = Validation(
        labellers={name: len({p[0] for p in mine}) for name, mine in people.by.items()},
        cases={kind: sum(s.kind == kind for s in sheets) for kind in kinds},
        judges=[facts for facts, _ in raters.values()],
        comparisons=[],
        humans=[Ceiling(kind=k, question=q, agreement=_humans(people, k, q)) for k in kinds for q in _questions(k)],
        lenient=[],
        findings=_findings(people),
        left_out=dict(people.left_out),
    )
    for kind in kinds:
        for name, (_, answers) in raters.items():
            if (name == EXTRACTION) == (kind in OWN_KINDS):
                for against in (MAJORITY, *(people.by if each else ())):
                    for question in _questions(kind):
                        result.comparisons.append(_compare(name, answers, people, against, kind, question))
                result.lenient += _lenient(name, answers, people, kind)
    return result


def _findings(people: GroundTruth) -> list[FindingPrecision]:
    """By check, in the order of the ids."""
    right = {p[0]: v is True for p, v in people.majority.items() if p[1] == "right"}
    worth = {p[0]: v is True for p, v in people.majority.items() if p[1] == "worth"}
    by: defaultdict[str, list[str]] = defaultdict(list)
    for case in right:
        sheet = people.labels.sheets[case]
        if sheet.kind == "finding":
            by[sheet.subject.split()[0]].append(case)
    return [
        FindingPrecision(
            check=check,
            n=len(cases),
            right=sum(right[c] for c in cases),
            worth=sum(worth[c] for c in cases if c in worth) if any(c in worth for c in cases) else None,
            sessions=len({people.labels.sheets[c].session for c in cases}),
        )
        for check, cases in sorted(by.items())
    ]


def _questions(kind: LabelKind) -> list[str | None]:
    """Each question, and all together where all are answered by yes or no."""
    asks = FORMS[kind].asks
    whole: list[str | None] = [None] if kind not in OWN_KINDS and len(asks) > 1 else []
    return whole + [ask.id for ask in asks]


def _order(kind: LabelKind, question: str | None) -> list[Value] | None:
    ask = next((a for a in FORMS[kind].asks if a.id == question), None)
    if ask is None or not ask.ordered:
        return None
    return sorted((c.value for c in ask.choices), key=lambda v: (v, "") if isinstance(v, int) else (0, v))


def _categories(kind: LabelKind, question: str | None) -> list[Value]:
    ask = next((a for a in FORMS[kind].asks if a.id == question), None)
    return [choice.value for choice in ask.choices] if ask is not None else [False, True]


def _rate(
    rows: Sequence[Sequence[Value | None]], kind: LabelKind, question: str | None, clusters: list[str]
) -> Agreement:
    table = cast(Sequence[Sequence[Hashable | None]], rows)
    order = _order(kind, question)
    return agreement(table, order=order, categories=_categories(kind, question), clusters=clusters)


def _humans(people: GroundTruth, kind: LabelKind, question: str | None) -> Agreement:
    points = [
        p
        for p in dict.fromkeys(p for mine in people.by.values() for p in mine)
        if people.sheet(p).kind == kind and question in (None, p[1])
    ]
    rows = [[mine.get(point) for mine in people.by.values()] for point in points]
    return _rate(rows, kind, question, [people.sheet(point).session for point in points])


def _compare(
    judge: str, answers: Ratings, people: GroundTruth, against: str, kind: LabelKind, question: str | None
) -> Comparison:
    truth = people.ratings(against)
    points = [p for p in truth if p in answers and people.sheet(p).kind == kind and question in (None, p[1])]
    clusters = [people.sheet(p).session for p in points]
    found = _rate([[truth[p], answers[p]] for p in points], kind, question, clusters)
    confusion: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for p in points:
        confusion[_word(truth[p])][_word(answers[p])] += 1
    nothing = f"{judge} answered no labelled point"

    def shown(estimate: Estimate) -> Estimate:
        return estimate if points else Estimate(reason=nothing)

    return Comparison(
        judge=judge,
        against=against,
        kind=kind,
        question=question,
        n=len(points),
        cases=len({p[0] for p in points}),
        sessions=len(set(clusters)),
        accuracy=shown(found.raw),
        kappa=shown(found.cohen),
        ac1=shown(found.ac1),
        alpha_ordinal=shown(found.alpha_ordinal),
        leniency=shown(_leniency(answers, truth, kind, points, clusters)),
        confusion={human: dict(row) for human, row in confusion.items()},
    )


def _leniency(answers: Ratings, truth: Ratings, kind: LabelKind, points: list[Point], clusters: list[str]) -> Estimate:
    if kind in OWN_KINDS:
        return Estimate(reason="the answers are facts that favour nobody")
    strict = [not favours(kind, p[1], truth[p]) for p in points]
    # Where people are strict: does the judge favour? Where people favour: is the judge strict?
    wrong = [float(favours(kind, p[1], answers[p]) == s) for p, s in zip(points, strict, strict=True)]
    if not any(strict) or all(strict):
        return Estimate(reason=f"people {'never favour' if strict and all(strict) else 'always favour'} the agent here")
    return difference(wrong, strict, clusters)


def _lenient(judge: str, answers: Ratings, people: GroundTruth, kind: LabelKind) -> list[Lenient]:
    found = []
    for point, human in people.majority.items():
        sheet = people.sheet(point)
        if sheet.kind != kind or kind in OWN_KINDS or point not in answers:
            continue
        case, question, item = point
        if favours(kind, question, answers[point]) and not favours(kind, question, human):
            text = next((i.text for i in sheet.items if i.id == item), sheet.subject)
            found.append(
                Lenient(
                    judge=judge,
                    kind=kind,
                    case=case,
                    session=sheet.session,
                    question=question,
                    item=item,
                    text=text[:200],
                )
            )
    return found


def _word(value: Value) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
