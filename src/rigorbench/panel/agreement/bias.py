"""Biases of judges: for the position of an item or question, for mere length, for their own model.

The first two are measured by asking twice, with only what should not matter changed (:func:`probes`). Each measure is a
mean over points, clustered by case or session, and 0 for a judge without that bias, however noisy its answers are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from ...stats.agreement import Estimate
from ...stats.agreement_means import difference, mean
from ..model import Case, Item, Rubric, Vote
from .ratings import favours

Variant = Literal["plain", "items", "questions", "padded"]
Find = Callable[[Case, Rubric], Vote | None]

# Words that say nothing about the work; each text gets one of them.
_PADDING = (
    "This is one of the entries of the list, put down here in the form which the list gives it, neither more nor less.",
    "As with other entries, the words of this one are meant just as they stand, and nothing is added by this remark.",
    "The entry is part of the list as a whole and stands in it at the place where it stands, as entries of lists do.",
)
_PROVIDER = re.compile(r"^(?:openai|anthropic|google|google-gla|google-vertex|bedrock|azure|groq|mistral):")
_DATE = re.compile(r"[-@](?:20\d\d-?\d\d-?\d\d|latest|\d{4,8})$")
_TITLES = {
    "item position": "says yes more often when an item stands earlier",
    "question position": "says yes more often when a question stands earlier",
    "length": "favours the agent more when the same plan is padded with empty words",
    "own model": "favours agents of its own model more than the other judges do",
    "own model, beyond": "the same, minus what it does on sessions of other models",
}


class Bias(Struct, kw_only=True):
    """One bias of one judge. ``value``: difference of shares of yes (or of answers for the agent), in [-1, 1].

    ``points`` answers of ``cases`` cases were compared; ``changed``: the share of them that differ between the two
    times (bias and noise together; None where nothing was asked twice). ``title`` says what a value above 0 means.
    """

    judge: str
    model: str
    name: str
    title: str
    value: Estimate
    points: int
    cases: int
    changed: float | None = None


def reversed_items(case: Case) -> Case:
    """The items in the reverse order, under the same names."""
    return msgspec.structs.replace(case, items=case.items[::-1])


def reversed_questions(rubric: Rubric) -> Rubric:
    return msgspec.structs.replace(rubric, questions=rubric.questions[::-1])


def padded(case: Case) -> Case:
    """Every item with a sentence that says nothing about the work."""
    items = tuple(Item(i.id, f"{i.text} {_PADDING[n % len(_PADDING)]}") for n, i in enumerate(case.items))
    return msgspec.structs.replace(case, items=items)


def probes(case: Case, rubric: Rubric) -> dict[Variant, tuple[Case, Rubric]]:
    """What to ask about a case, the case itself first. Only two or more items can be moved and padded."""
    found: dict[Variant, tuple[Case, Rubric]] = {"plain": (case, rubric)}
    if len(rubric.questions) > 1:
        found["questions"] = (case, reversed_questions(rubric))
    if len(case.items) > 1 and any(q.each for q in rubric.questions):
        found["items"] = (reversed_items(case), rubric)
        if case.kind == "plan":
            found["padded"] = (padded(case), rubric)
    return found


class _Twice(Struct):
    """Differences of one kind of probe, with the case of each, and how many of them are not 0."""

    values: list[float] = msgspec.field(default_factory=list)
    clusters: list[str] = msgspec.field(default_factory=list)
    asked: int = 0
    changed: int = 0


def asked_twice(judge: str, model: str, cases: Sequence[tuple[Case, Rubric]], find: Find) -> list[Bias]:
    """Position and length bias of one judge, from its votes on the :func:`probes` of cases.

    ``find`` gives the judge's vote on a case under a rubric, None where there is none; such cases do not count.
    """
    parts: dict[str, _Twice] = {"item position": _Twice(), "question position": _Twice(), "length": _Twice()}
    for case, rubric in cases:
        votes = {name: find(*probe) for name, probe in probes(case, rubric).items()}
        plain = votes["plain"]
        if plain is None:
            continue
        if (other := votes.get("items")) is not None:
            ranks = {item.id: n for n, item in enumerate(case.items)}
            moved: dict[tuple[str, str | None], int] = {
                (q.id, i): ranks[i] for q in rubric.questions if q.each for i in ranks
            }
            _position(parts["item position"], case, plain, other, moved, len(ranks))
        if (other := votes.get("questions")) is not None:
            places = {q.id: n for n, q in enumerate(rubric.questions)}
            swapped = {(q, item): places[q] for q, item in case.points(rubric)}
            _position(parts["question position"], case, plain, other, swapped, len(places))
        if (other := votes.get("padded")) is not None:
            _length(parts["length"], case, rubric, plain, other)
    return [
        Bias(
            judge=judge,
            model=model,
            name=name,
            title=_TITLES[name],
            value=mean(part.values, part.clusters) if part.values else Estimate(reason="nothing was asked twice"),
            points=len(part.values),
            cases=len(set(part.clusters)),
            changed=part.changed / part.asked if part.asked else None,
        )
        for name, part in parts.items()
    ]


def _position(
    part: _Twice, case: Case, plain: Vote, other: Vote, places: Mapping[tuple[str, str | None], int], size: int
) -> None:
    """Each point stood once earlier and once later (the middle one of an odd number did not move)."""
    for (question, item), place in places.items():
        first, second = plain.answer(question, item), other.answer(question, item)
        if first is None or second is None or 2 * place == size - 1:
            continue
        early, late = (first, second) if 2 * place < size - 1 else (second, first)
        _add(part, case, float(early) - float(late))


def _length(part: _Twice, case: Case, rubric: Rubric, plain: Vote, other: Vote) -> None:
    for question, item in case.points(rubric):
        first, second = plain.answer(question, item), other.answer(question, item)
        if first is not None and second is not None:
            _add(part, case, float(favours(case.kind, question, second)) - float(favours(case.kind, question, first)))


def _add(part: _Twice, case: Case, value: float) -> None:
    part.values.append(value)
    part.clusters.append(case.digest)
    part.asked += 1
    part.changed += value != 0


def same_model(judge: str, agent: str | None) -> bool:
    """Whether two names are of one model: a provider in front and a date or "latest" behind make no difference."""
    return agent is not None and _plain_name(judge) == _plain_name(agent)


def _plain_name(name: str) -> str:
    bare = _PROVIDER.sub("", name.strip().lower().rsplit("/", 1)[-1])
    return _DATE.sub("", bare.replace(".", "-"))


def own_model(votes: Sequence[Vote], sessions: Mapping[str, tuple[str, str | None]]) -> list[Bias]:
    """Whether judges favour sessions of agents that run on their own model.

    A judge's answer to a point (1: for the agent) minus the mean of the other judges' answers to the same point:
    averaged over its own model's sessions, and that minus the average over the sessions of other models.

    Args:
        votes: of all judges.
        sessions: digest of a case -> (session, the model its agent ran on); cases that are not in it do not count.
    """
    ratings: defaultdict[tuple[str, str, str | None], dict[tuple[str, str], float]] = defaultdict(dict)
    seats: dict[tuple[str, str], str] = {}
    for vote in votes:
        if vote.status == "voted" and vote.case in sessions:
            judge = (vote.model, vote.judge)
            seats[judge] = vote.seat
            for a in vote.answers:
                ratings[vote.case, a.question, a.item][judge] = float(favours(vote.kind, a.question, a.yes))
    return [bias for judge, seat in seats.items() for bias in _own(judge, seat, ratings, sessions)]


def _own(
    judge: tuple[str, str],
    seat: str,
    ratings: Mapping[tuple[str, str, str | None], Mapping[tuple[str, str], float]],
    sessions: Mapping[str, tuple[str, str | None]],
) -> list[Bias]:
    values: list[float] = []
    mine: list[bool] = []
    clusters: list[str] = []
    cases: list[str] = []
    for (case, _, _), answers in ratings.items():
        others = [answer for other, answer in answers.items() if other != judge]
        session, agent = sessions[case]
        if judge in answers and others and agent is not None:
            values.append(answers[judge] - sum(others) / len(others))
            mine.append(same_model(judge[0], agent))
            clusters.append(session)
            cases.append(case)
    own = [n for n, is_own in enumerate(mine) if is_own]
    if not own:
        first = second = Estimate(reason="no session of an agent on this model with votes of other judges")
    else:
        first = mean([values[n] for n in own], [clusters[n] for n in own])
        second = difference(values, mine, clusters)
        if len(own) == len(mine):
            second = Estimate(reason="no session of another model to compare with")
    count = len({cases[n] for n in own})
    return [
        Bias(judge=seat, model=judge[0], name=name, title=_TITLES[name], value=value, points=points, cases=number)
        for name, value, points, number in (
            ("own model", first, len(own), count),
            ("own model, beyond", second, len(values) if own else 0, len(set(cases)) if own else 0),
        )
    ]
