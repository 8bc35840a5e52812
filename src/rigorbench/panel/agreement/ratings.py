"""Who said what, point by point: labellers, judges, their majority, the features, and rigor's own reading of a log.

A *point* is one question about one case, or about one item of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from msgspec import Struct

from ..features import decide
from ..labels.model import LabelKind, Sheet, Value
from ..labels.store import Labels
from ..model import Kind, Vote
from ..rubrics import RUBRICS

# (case, question, item)
Point = tuple[str, str, str | None]
Said = Mapping[Point, Value]
# Where yes speaks against the agent.
AGAINST = frozenset({("abstention", "claims_done"), ("commit_message", "overclaims"), ("criterion", "zero")})
PANEL, FEATURES, EXTRACTION, MAJORITY = "panel", "features", "rigor", "(majority)"


class JudgeFacts(Struct):
    """``method``: "judged" (a model), "estimated" (features), "parsed" (rigor's own reading of the log)."""

    name: str
    model: str
    method: str
    votes: int


class Ground(Struct):
    """What people say, and where each point belongs."""

    labels: Labels
    by: dict[str, dict[Point, Value]]
    majority: dict[Point, Value]
    left_out: Counter[str]

    def said(self, against: str) -> Mapping[Point, Value]:
        return self.majority if against == MAJORITY else self.by[against]

    def sheet(self, point: Point) -> Sheet:
        return self.labels.sheets[point[0]]


def ground(labels: Labels) -> Ground:
    """The answers of people by point; answers about cases that nobody has kept are left out."""
    by: dict[str, dict[Point, Value]] = {}
    left: Counter[str] = Counter()
    for labeller, cases in labels.answers.items():
        mine = by.setdefault(labeller, {})
        for case, given in cases.items():
            if case not in labels.sheets:
                left["answers about a case whose text is not at hand (give its log as PATH)"] += len(given)
                continue
            for (question, item), answer in given.items():
                if answer is None:
                    left['answers "cannot tell"'] += 1
                else:
                    mine[case, question, item] = answer
    majority: dict[Point, Value] = {}
    for point in dict.fromkeys(p for mine in by.values() for p in mine):
        # Typed keys: 1 and true are different answers.
        votes = Counter((type(v), v) for mine in by.values() if (v := mine.get(point)) is not None)
        (first, times), *others = votes.most_common()
        if others and others[0][1] == times:
            left["points on which labellers are tied"] += 1
        else:
            majority[point] = first[1]
    if labels.old:
        left["answers to questions that have changed since"] += labels.old
    return Ground(labels, by, majority, left)


def judged(votes: Iterable[Vote]) -> dict[str, tuple[JudgeFacts, dict[Point, Value]]]:
    """What each judge said, by name. A judge is a model as it is set; its name is its seat where that is unique."""
    found: dict[tuple[str, str], tuple[JudgeFacts, dict[Point, Value]]] = {}
    for vote in votes:
        if vote.status != "voted" or vote.rubric != RUBRICS[vote.kind].digest:
            continue
        key = (vote.model, vote.judge)
        facts, said = found.setdefault(key, (JudgeFacts(vote.seat, vote.model, "judged", 0), {}))
        facts.votes += 1
        said.update({(vote.case, a.question, a.item): a.yes for a in vote.answers})
    names = Counter(facts.name for facts, _ in found.values())
    taken = {PANEL, FEATURES, EXTRACTION}
    result = {}
    for (model, judge), (facts, said) in found.items():
        if names[facts.name] > 1 or facts.name in taken:
            facts.name = f"{facts.name} ({model}, {judge[:6]})"
        result[facts.name] = (facts, said)
    return result


def panel_majority(said: Sequence[Said], quorum: int = 2) -> dict[Point, Value]:
    """What more than half of at least ``quorum`` judges say of each point."""
    counts: defaultdict[Point, list[bool]] = defaultdict(list)
    for one in said:
        for point, answer in one.items():
            counts[point].append(answer is True)
    return {
        point: 2 * sum(answers) > len(answers)
        for point, answers in counts.items()
        if len(answers) >= quorum and 2 * sum(answers) != len(answers)
    }


def featured(sheets: Iterable[Sheet]) -> dict[Point, Value]:
    """What the deterministic judge says of cases of the panel's kinds."""
    said: dict[Point, Value] = {}
    for sheet in sheets:
        rubric = RUBRICS.get(cast(Kind, sheet.kind))
        if rubric is not None:
            said.update({(sheet.digest, a.question, a.item): a.yes for a in decide(sheet.case, rubric).answers})
    return said


def extracted(sheets: Iterable[Sheet]) -> dict[Point, Value]:
    """What rigor read out of the log itself, for error episodes."""
    return {(s.digest, question, None): value for s in sheets for question, value in s.found.items()}


def favours(kind: LabelKind, question: str, answer: Value) -> bool:
    """Whether an answer by yes or no speaks for the agent."""
    return (answer is True) != ((kind, question) in AGAINST)
