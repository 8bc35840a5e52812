"""The judges' votes behind the values of a run: every answer, the majority, and the raw replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from ...base.sanitize import one_line
from ...metrics.result import SUBMETRIC_TITLES, Score, SubMetric
from ...panel.model import Case, Question, Verdict, Vote
from ...panel.rubrics import RUBRICS
from ...panel.votes import VoteStore
from ..text import words
from .task import TaskRun

# What a page lists at most; the rest is counted.
CASES_SHOWN = 60
RAW_CHARACTERS = 20_000
EXCERPT_CHARACTERS = 8_000
# Up to this many answers a case is open from the start.
OPEN_POINTS = 12
_DIGEST = 12
_SCRIPTED = "scripted/"
# In these the judges know what the task hides, and their replies may quote it; a report may be public.
_KEYED = frozenset({"abstention", "clarification"})
KEPT_BACK = "kept in the votes directory, because it may quote what the task hides"


class SeatView(Struct):
    """A vote. ``about``: tokens, cost, time; ``problem``: why it has no answers."""

    seat: str
    model: str
    answered_by: str
    key: str
    about: str
    problem: str
    raw: str
    cut: int


class PointView(Struct):
    """A question, perhaps about an item.

    Attributes:
        said: the answers in the order of the seats.
        split: whether the seats disagree.
        span: how many rows the question spans from here; 0 in the rows below its first.
    """

    question: str
    item: str
    said: list[str]
    majority: str
    split: bool
    span: int = 0


class CaseView(Struct):
    """A case that judges voted on.

    Attributes:
        subject: what it is about, when that is not the whole session.
        events: ids and anchors of the events that it was made from.
        itemised: whether there are questions about items.
        anchors: question, what yes means, what no means.
        shown: label, text, and characters left out of what the judges were given.
        open: whether it is open from the start.
    """

    title: str
    subject: str
    digest: str
    events: list[tuple[str, str | None]]
    seats: list[SeatView]
    points: list[PointView]
    itemised: bool
    anchors: list[tuple[str, str, str]]
    shown: list[tuple[str, str, int]]
    open: bool


class JudgedView(Struct):
    """A value that rests on votes. ``more``: cases that are not shown; ``lost``: votes that are missing."""

    name: str
    title: str
    value: str
    cases: list[CaseView]
    more: int
    lost: int


class VotesView(Struct):
    """The votes on a run. ``estimated``: name and title of the sub-metrics that no judge voted on."""

    judged: list[JudgedView]
    estimated: list[tuple[str, str]]


def no_votes(score: Score) -> VotesView:
    """The view of a run that no judge was asked about."""
    return VotesView([], _estimated(score))


def votes_view(score: Score, store: VoteStore, cases: Mapping[str, Case], anchors: Mapping[str, str]) -> VotesView:
    """The votes on a run.

    Args:
        cases: the cases of the session by digest, as far as they could be reconstructed.
        anchors: places of events in the page.
    """
    judged = [_judged(name, metric, store, cases, anchors) for name, metric in _metrics(score) if metric.votes]
    return VotesView(judged, _estimated(score))


def judges(runs: Iterable[TaskRun], store: VoteStore | None) -> str:
    """Who judged what in an experiment, in a few sentences."""
    methods: dict[str, Counter[str]] = {}
    for run in runs:
        for pillar in run.pillars.values():
            for name, metric in pillar.submetrics.items():
                if metric.method in ("judged", "estimated"):
                    methods.setdefault(name, Counter())[metric.method] += 1
    if not methods:
        return ""
    parts = []
    for name, found in methods.items():
        said = [
            f"{method} in {words.plural(found[method], 'run')}" for method in ("judged", "estimated") if found[method]
        ]
        parts.append(f"{name} {' and '.join(said)}")
    text = "; ".join(parts) + "."
    if any(found["estimated"] for found in methods.values()):
        text += " Estimated: from features of the text, because too few votes count."
    if any(found["judged"] for found in methods.values()):
        text += " Judged: by the votes of a panel, which are on the pages of the runs. The judges were not checked."
    panel = store.panel() if store is not None else None
    if panel is not None and panel.seats:
        text += f" Seats: {', '.join(f'{seat.name} ({judge_name(seat.model)})' for seat in panel.seats)}."
    return text


def judge_name(model: str) -> str:
    """A model by its name; a script is never called a model."""
    return f"scripted judge {model.removeprefix(_SCRIPTED)}" if model.startswith(_SCRIPTED) else model


def _metrics(score: Score) -> list[tuple[str, SubMetric]]:
    inside = [item for pillar in score.pillars.values() for item in pillar.submetrics.items()]
    return inside + list(score.extended.items())


def _estimated(score: Score) -> list[tuple[str, str]]:
    return [(name, SUBMETRIC_TITLES.get(name, "")) for name, m in _metrics(score) if m.method == "estimated"]


def _judged(
    name: str,
    metric: SubMetric,
    store: VoteStore,
    cases: Mapping[str, Case],
    anchors: Mapping[str, str],
) -> JudgedView:
    found = [vote for key in dict.fromkeys(metric.votes) if (vote := store.by_key(key)) is not None]
    by_case: dict[tuple[str, str], list[Vote]] = {}
    for vote in found:
        by_case.setdefault((vote.case, vote.rubric), []).append(vote)
    views = [
        _case(votes, cases.get(digest), store, anchors) for (digest, _), votes in list(by_case.items())[:CASES_SHOWN]
    ]
    title = SUBMETRIC_TITLES.get(name, "")
    lost = len(set(metric.votes)) - len(found)
    return JudgedView(
        name, title, words.value_or_status(metric), views, max(0, len(by_case) - CASES_SHOWN), max(0, lost)
    )


def _case(votes: Sequence[Vote], case: Case | None, store: VoteStore, anchors: Mapping[str, str]) -> CaseView:
    first = votes[0]
    # The text of questions is known only for the present version of the rubric.
    rubric = RUBRICS.get(first.kind)
    asked = rubric if rubric is not None and rubric.digest == first.rubric else None
    questions = {q.id: q for q in asked.questions} if asked is not None else {}
    items = {i.id: i.text for i in case.items} if case is not None else {}
    if asked is not None and case is not None:
        points = case.points(asked)
    else:
        points = list(dict.fromkeys((a.question, a.item) for vote in votes for a in vote.answers))
    subject = case.subject if case is not None else ""
    verdict = Verdict(first.kind, subject, first.case, tuple(votes))
    keyed = first.kind in _KEYED
    shown = [] if case is None else [_cut(e.label, e.text) for e in case.excerpts if e.untrusted or not keyed]
    answers = [_point(question, item, questions, items, verdict) for question, item in points]
    for _, same in groupby(zip(points, answers, strict=True), key=lambda pair: pair[0][0]):
        block = [view for _, view in same]
        block[0].span = len(block)
    return CaseView(
        asked.title if asked is not None else first.kind.replace("_", " "),
        "" if subject == "main" else subject,
        first.case[:_DIGEST],
        [] if case is None else [(e, anchors.get(e)) for e in case.events],
        [_seat(vote, store) for vote in votes],
        answers,
        any(item is not None for _, item in points),
        [(q.text, q.yes, q.no) for q in questions.values()],
        shown,
        len(points) <= OPEN_POINTS,
    )


def _cut(label: str, text: str) -> tuple[str, str, int]:
    return label, text[:EXCERPT_CHARACTERS], max(0, len(text) - EXCERPT_CHARACTERS)


def _seat(vote: Vote, store: VoteStore) -> SeatView:
    parts = []
    if vote.input_tokens is not None or vote.output_tokens is not None:
        parts.append(f"{words.tokens(vote.input_tokens)} tokens in, {words.tokens(vote.output_tokens)} out")
    if vote.cost is not None:
        parts.append(f"${vote.cost:.4f}")
    if vote.attempts > 1:
        parts.append(words.plural(vote.attempts, "attempt"))
    if (when := words.moment(vote.time)) != "":
        parts.append(when)
    parts.append(f"prompt {vote.prompt[:_DIGEST]}")
    keyed = vote.kind in _KEYED
    problem = (KEPT_BACK if keyed else vote.problem or "no reason was given") if vote.status == "failed" else ""
    raw = KEPT_BACK if keyed else vote.raw
    return SeatView(
        vote.seat,
        judge_name(vote.model),
        vote.answered_by if vote.answered_by and vote.answered_by != vote.model else "",
        vote.key,
        ", ".join(parts),
        problem,
        raw[:RAW_CHARACTERS],
        max(0, len(raw) - RAW_CHARACTERS),
    )


def _point(
    question: str, item: str | None, questions: Mapping[str, Question], items: Mapping[str, str], verdict: Verdict
) -> PointView:
    known = questions.get(question)
    name = "" if item is None else item
    if name in items:
        name = f"{name}. {one_line(items[name], 200)}"
    said = [_word(vote.answer(question, item)) for vote in verdict.votes]
    majority = verdict.majority(question, item)
    return PointView(
        known.text if known is not None else question,
        name,
        said,
        "none" if majority is None else _word(majority),
        len({s for s in said if s != "–"}) > 1,
    )


def _word(answer: bool | None) -> str:
    return "–" if answer is None else "yes" if answer else "no"
