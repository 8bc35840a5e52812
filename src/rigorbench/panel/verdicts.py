"""From the votes in a directory to verdicts on the cases of one session. No model is asked here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from .model import Case, Kind, Verdict, Vote
from .rubrics import RUBRICS
from .votes import PanelRecord

_NAMES: dict[Kind, tuple[str, str]] = {
    "plan": ("plan", "plans"),
    "abstention": ("final message", "final messages"),
    "clarification": ("session", "sessions"),
    "commit_message": ("commit message", "commit messages"),
    "test_link": ("pair of requirement and test", "pairs of requirement and test"),
    "criterion": ("criterion", "criteria"),
}


class Votes(Protocol):
    """What verdicts are read from; a :class:`~rigorbench.panel.votes.VoteStore` is one."""

    def find(self, case: str, rubric: str) -> list[Vote]: ...

    def panel(self) -> PanelRecord | None: ...


class Verdicts:
    """The verdicts on the cases of one session.

    A vote counts that a judge of the panel of ``panel.json`` gave, as it is set there and with a passed exam, to
    exactly this case (by its content) and to exactly these questions, each point once. Of one judge one vote counts.
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
                # What was checked when the vote was given is checked again: files can be edited.
                if vote.kind == case.kind and Counter((a.question, a.item) for a in vote.answers) == points:
                    by_judge.setdefault((vote.model, vote.judge), vote)
            if len(by_judge) >= self.quorum:
                key = (case.kind, case.subject)
                self._found[key] = Verdict(case.kind, case.subject, case.digest, tuple(by_judge.values()))

    def get(self, kind: Kind, subject: str) -> Verdict | None:
        return self._found.get((kind, subject))

    def all(self, kind: Kind) -> dict[str, Verdict] | None:
        """The verdicts on all cases of a kind by their subjects, in the order of the cases; None: one lacks, or there
        is no such case."""
        subjects = self._cases.get(kind, [])
        found = {s: v for s in subjects if (v := self.get(kind, s)) is not None}
        return found if subjects and len(found) == len(subjects) else None

    def judges(self, kind: Kind) -> list[list[Vote]] | None:
        """For each judge that voted on all cases of a kind its votes, in the order of the cases; None: no quorum."""
        found = self.all(kind)
        if found is None:
            return None
        by_case = [{(vote.model, vote.judge): vote for vote in verdict.votes} for verdict in found.values()]
        complete = [judge for judge in by_case[0] if all(judge in votes for votes in by_case)]
        return [[votes[judge] for votes in by_case] for judge in complete] if len(complete) >= self.quorum else None

    def lacking(self, kind: Kind) -> str:
        """Why a kind is not judged, to be put behind a reason; "" where there is nothing to judge."""
        subjects = self._cases.get(kind, [])
        if not subjects:
            return ""
        without = sum(self.get(kind, s) is None for s in subjects)
        if without:
            what = _NAMES[kind][len(subjects) > 1]
            return f"; not judged: {without} of {len(subjects)} {what} without enough votes"
        return "; not judged: too few judges voted on all of it" if self.judges(kind) is None else ""
