"""The answers to each point: of labellers, judges, their majority, the features, and rigor's own reading of a log.

A *point* is one question about one case, or about one item of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ..features import decide
from ..labels.model import LabelKind, Sheet, Value
from ..labels.store import Labels
from ..model import Vote
from ..rubrics import RUBRICS
from ..topics import TOPICS

# (case, question, item)
Point = tuple[str, str, str | None]
Ratings = Mapping[Point, Value]
# (kind of case, question) where yes speaks against the agent.
NEGATIVE_QUESTIONS = frozenset(
    {
        ("abstention", "claims_done"),
        ("commit_message", "overclaims"),
        ("criterion", "zero"),
        *((kind, question) for kind, topic in TOPICS.items() for question in topic.against),
    }
)
PANEL, FEATURES, EXTRACTION, MAJORITY = "panel", "features", "rigor", "(majority)"


class JudgeFacts(Struct):
    """``method``: "judged" (a model), "estimated" (features), "parsed" (rigor's own reading of the log)."""

    name: str
    model: str
    method: str
    votes: int


class GroundTruth(Struct):
    """What people answered.

    Attributes:
        labels: the labels on disk.
        by: the answers of each labeller.
        majority: the answers of most labellers; points with a tie are missing.
        left_out: why answers do not count -> how many.
    """

    labels: Labels
    by: dict[str, dict[Point, Value]]
    majority: dict[Point, Value]
    left_out: Counter[str]

    def ratings(self, of: str) -> Ratings:
        """The answers of a labeller, or of :data:`MAJORITY`."""
        return self.majority if of == MAJORITY else self.by[of]

    def sheet(self, point: Point) -> Sheet:
        return self.labels.sheets[point[0]]


def ground_truth(labels: Labels) -> GroundTruth:
    """The answers of people by point; answers about cases whose text is unknown are left out."""
    by: dict[str, dict[Point, Value]] = {}
    left: Counter[str] = Counter()
    for labeller, cases in labels.answers.items():
        mine = by.setdefault(labeller, {})
        for case, given in cases.items():
            if case not in labels.sheets:
                left["answers about a case whose text is missing (give its log as PATH)"] += len(given)
                continue
            for (question, item), answer in given.items():
                if answer is None:
                    left['answers "cannot tell"'] += 1
                else:
                    mine[case, question, item] = answer
    majority: dict[Point, Value] = {}
    for point in dict.fromkeys(p for mine in by.values() for p in mine):
        # With their types: 1 and true are different answers.
        votes = Counter((type(v), v) for mine in by.values() if (v := mine.get(point)) is not None)
        (first, times), *others = votes.most_common()
        if others and others[0][1] == times:
            left["points on which labellers are tied"] += 1
        else:
            majority[point] = first[1]
    if labels.old:
        left["answers to questions that have changed since"] += labels.old
    return GroundTruth(labels, by, majority, left)


def judge_ratings(votes: Iterable[Vote]) -> dict[str, tuple[JudgeFacts, dict[Point, Value]]]:
    """The answers of each judge, by name: its seat, with the model (and its settings) where seats share a name."""
    found: dict[tuple[str, str], tuple[JudgeFacts, dict[Point, Value]]] = {}
    for vote in votes:
        if vote.status != "voted" or vote.rubric != RUBRICS[vote.kind].digest:
            continue
        key = (vote.model, vote.judge)
        facts, ratings = found.setdefault(key, (JudgeFacts(vote.seat, vote.model, "judged", 0), {}))
        facts.votes += 1
        ratings.update({(vote.case, a.question, a.item): a.yes for a in vote.answers})
    names = Counter(facts.name for facts, _ in found.values())
    taken = {PANEL, FEATURES, EXTRACTION}
    result = {}
    for (model, judge), (facts, ratings) in found.items():
        if names[facts.name] > 1 or facts.name in taken:
            facts.name = f"{facts.name} ({model}, {judge[:6]})"
        result[facts.name] = (facts, ratings)
    return result


def panel_majority(ratings: Sequence[Ratings], quorum: int = 2) -> dict[Point, Value]:
    """The answer of more than half of at least ``quorum`` judges to each point."""
    counts: defaultdict[Point, list[bool]] = defaultdict(list)
    for one in ratings:
        for point, answer in one.items():
            counts[point].append(answer is True)
    return {
        point: 2 * sum(answers) > len(answers)
        for point, answers in counts.items()
        if len(answers) >= quorum and 2 * sum(answers) != len(answers)
    }


def feature_ratings(sheets: Iterable[Sheet]) -> dict[Point, Value]:
    """The answers of the deterministic judge about cases of the panel's kinds."""
    found: dict[Point, Value] = {}
    for sheet in sheets:
        rubric = RUBRICS.get(sheet.kind)
        if rubric is not None:
            found.update({(sheet.digest, a.question, a.item): a.yes for a in decide(sheet.case, rubric).answers})
    return found


def extracted_ratings(sheets: Iterable[Sheet]) -> dict[Point, Value]:
    """What rigor itself read from the log, for error episodes."""
    return {(s.digest, question, None): value for s in sheets for question, value in s.found.items()}


def favours(kind: LabelKind, question: str, answer: Value) -> bool:
    """Whether an answer by yes or no speaks for the agent."""
    return (answer is True) != ((kind, question) in NEGATIVE_QUESTIONS)
