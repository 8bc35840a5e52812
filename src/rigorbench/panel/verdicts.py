"""From the votes in a directory to verdicts on the cases of one session. No model is asked here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from ..base.text import count
from .model import Case, Kind, Verdict, Vote
from .rubrics import RUBRICS
from .topics import TOPICS
from .votes import PanelRecord

_NAMES: dict[Kind, tuple[str, str]] = {
    "plan": ("plan", "plans"),
    "abstention": ("final message", "final messages"),
    "clarification": ("session", "sessions"),
    "commit_message": ("commit message", "commit messages"),
    "test_link": ("pair of requirement and test", "pairs of requirement and test"),
    "criterion": ("criterion", "criteria"),
    **{kind: topic.names for kind, topic in TOPICS.items()},
}


class Votes(Protocol):
    """Where verdicts are read from; a :class:`~rigorbench.panel.votes.VoteStore` is one."""

    def find(self, case: str, rubric: str) -> list[Vote]: ...

    def panel(self) -> PanelRecord | None: ...


class Verdicts:
    """The verdicts on the cases of one session.

    A vote counts if a judge of the panel in ``panel.json``, with the settings given there, gave it on exactly
    this case (by its content) and exactly these questions, each point once. One vote of each judge counts.
    """

    def __init__(self, votes: Votes, cases: Sequence[Case]) -> None:
        panel = votes.panel()
        self.quorum = max(1, panel.quorum) if panel is not None else 1
        self._cases: dict[Kind, list[str]] = {}
        self._found: dict[tuple[Kind, str], Verdict] = {}
        for case in cases:
            self._cases.setdefault(case.kind, []).append(case.subject)
            if panel is None:
                continue
            given = votes.find(case.digest, RUBRICS[case.kind].digest)
            by_judge: dict[tuple[str, str], Vote] = {}
            points = Counter(case.points(RUBRICS[case.kind]))
            for vote in given:
                # Checked again, although it was checked when the vote was given: files can be edited.
                if vote.kind == case.kind and Counter((a.question, a.item) for a in vote.answers) == points:
                    by_judge.setdefault((vote.model, vote.judge), vote)
            if len(by_judge) >= self.quorum:
                key = (case.kind, case.subject)
                self._found[key] = Verdict(case.kind, case.subject, case.digest, tuple(by_judge.values()))

    def get(self, kind: Kind, subject: str) -> Verdict | None:
        return self._found.get((kind, subject))

    def all(self, kind: Kind) -> dict[str, Verdict] | None:
        """The verdicts on all cases of a kind by subject, in the order of the cases; None if one is missing or there
        is no such case."""
        subjects = self._cases.get(kind, [])
        found = {s: v for s in subjects if (v := self.get(kind, s)) is not None}
        return found if subjects and len(found) == len(subjects) else None

    def judges(self, kind: Kind) -> list[list[Vote]] | None:
        """The votes of each judge that voted on all cases of a kind, in the order of the cases; None: no quorum."""
        found = self.all(kind)
        if found is None:
            return None
        by_case = [{(vote.model, vote.judge): vote for vote in verdict.votes} for verdict in found.values()]
        complete = [judge for judge in by_case[0] if all(judge in votes for votes in by_case)]
        return [[votes[judge] for votes in by_case] for judge in complete] if len(complete) >= self.quorum else None

    def why_missing(self, kind: Kind) -> str:
        """Why a kind is not judged, to append to a reason; "" if there is nothing to judge."""
        subjects = self._cases.get(kind, [])
        if not subjects:
            return ""
        undecided = sum(self.get(kind, s) is None for s in subjects)
        if undecided:
            return f"; not judged: too few votes on {undecided} of {count(len(subjects), *_NAMES[kind])}"
        return "; not judged: too few judges voted on every case" if self.judges(kind) is None else ""
