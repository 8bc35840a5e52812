"""Table VII: how far the judges agree with each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ...panel.model import Kind, Vote
from ...stats.agreement import Agreement, Estimate, agreement
from .model import Column, Entry, Row, Table
from .spec import ReportData, TableSpec

# Kind of case -> what it is judged for.
KINDS: dict[Kind, str] = {
    "plan": "DQ: decomposition of plans",
    "clarification": "AQ: clarification",
    "abstention": "AQ: abstention",
    "commit_message": "CH: commit messages",
    "test_link": "RT: links of tests with requirements",
}
_NONE_OF_KIND = "the judges voted on no case of this kind"


def table_7(agreements: Mapping[Kind, Agreement]) -> Table:
    """``agreements``: by kind of case, for the kinds that judges voted on."""
    rows = []
    for kind, title in KINDS.items():
        found = agreements.get(kind)
        if found is None:
            rows.append(Row([title], [Entry(None, reason=_NONE_OF_KIND)] * 6))
            continue
        estimates = (found.raw, found.fleiss, found.ac1, found.alpha)
        cells = [Entry(found.subjects), Entry(found.raters), *map(_entry, estimates)]
        rows.append(Row([title], cells))
    return TABLE.table(
        "An answer is a judge's yes or no to a question about an item; intervals resample whole cases. Kappa and alpha "
        "have no value if all answers are the same, and are low if nearly all are: read them together with the raw "
        "agreement and AC1. The judges were not checked.",
        [
            Column("answers", "questions asked", "count"),
            Column("judges", "judges", "count"),
            Column("raw", "raw agreement"),
            Column("fleiss", "Fleiss' kappa", "kappa"),
            Column("ac1", "Gwet's AC1", "kappa"),
            Column("alpha", "Krippendorff's alpha", "kappa"),
        ],
        rows,
        heads=["what is judged"],
    )


def _entry(estimate: Estimate) -> Entry:
    return Entry(estimate.value, estimate.low, estimate.high, reason=estimate.reason)


def agreements(votes: Sequence[Path]) -> Mapping[Kind, Agreement]:
    """How far the judges agree, by kind of case, over the votes that count in all the directories."""
    if not votes:
        return {}
    from ...panel.votes import VoteStore

    found = {vote.key: vote for directory in votes for vote in VoteStore(directory).all(counting=True)}
    return inter_judge(found.values())


def inter_judge(votes: Iterable[Vote]) -> dict[Kind, Agreement]:
    """The agreement of the judges with each other, by kind: answers are the subjects, judges the raters, cases the
    clusters."""
    answers: dict[Kind, dict[tuple[str, str, str, str | None], dict[tuple[str, str], bool]]] = {}
    for vote in votes:
        own = answers.setdefault(vote.kind, {})
        for a in vote.answers:
            own.setdefault((vote.case, vote.rubric, a.question, a.item), {})[vote.model, vote.judge] = a.yes
    result: dict[Kind, Agreement] = {}
    for kind, rows in answers.items():
        raters = sorted({judge for row in rows.values() for judge in row})
        table = [[row.get(judge) for judge in raters] for row in rows.values()]
        result[kind] = agreement(table, categories=[False, True], clusters=[case for case, *_ in rows])
    return result


def _build(data: ReportData) -> list[Table]:
    found = agreements(data.gathered.votes)
    return [table_7(found)] if found else []


TABLE = TableSpec(
    stem="table-7",
    number="VII",
    title="Agreement of the judges with each other",
    about="how far the judges agree with each other, by what they judged; left out if nobody voted",
    build=_build,
)
