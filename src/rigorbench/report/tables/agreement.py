"""Table VII: how far readings agree with each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...reader.model import Reading
from ...stats.agreement import Agreement, Estimate, agreement
from .model import Column, Entry, Row, Table
from .spec import ReportData, TableSpec

# Sub-metric -> what of it is judged.
JUDGED = {
    "DQ": "DQ: decomposition of plans",
    "AQ": "AQ: abstention and clarification",
    "CH": "CH: commit messages",
    "RT": "RT: links of tests with requirements",
}
_NOT_ASKED = "no reader was asked about this"


def table_7(agreements: Mapping[str, Agreement]) -> Table:
    """``agreements``: by sub-metric, for those that readers were asked about."""
    rows = []
    for name, title in JUDGED.items():
        found = agreements.get(name)
        if found is None:
            rows.append(Row([title], [Entry(None, reason=_NOT_ASKED)] * 6))
            continue
        estimates = (found.raw, found.fleiss, found.ac1, found.alpha)
        cells = [Entry(found.subjects), Entry(found.raters), *map(_entry, estimates)]
        rows.append(Row([title], cells))
    return TABLE.table(
        "An answer is a reading's yes or no to a question, about an item or the whole; intervals resample whole runs. "
        "Kappa and alpha have no value if all answers are the same, and are low if nearly all are: read them together "
        "with the raw agreement and AC1.",
        [
            Column("answers", "questions asked", "count"),
            Column("readings", "readings", "count"),
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


def agreements(readings: Iterable[Reading]) -> dict[str, Agreement]:
    """The agreement of readings with each other, by sub-metric: answers are the subjects, runs the clusters."""
    tables: dict[str, list[list[bool | None]]] = {}
    runs: dict[str, list[str]] = {}
    for run, reading in enumerate(readings):
        for point in reading.points:
            tables.setdefault(point.about, []).append(list(point.said))
            runs.setdefault(point.about, []).append(str(run))
    found = {}
    for about, table in tables.items():
        raters = max(map(len, table))
        filled = [[*said, *[None] * (raters - len(said))] for said in table]
        found[about] = agreement(filled, categories=[False, True], clusters=runs[about])
    return found


def _build(data: ReportData) -> list[Table]:
    reviews = data.gathered.reviews.values()
    found = agreements(review.reading for review in reviews if review.reading is not None)
    return [table_7(found)] if found else []


TABLE = TableSpec(
    stem="table-7",
    number="VII",
    title="Agreement of the readings with each other",
    about="how far readings agree with each other, by what was judged; left out if no reader was asked",
    build=_build,
)
