"""The review of the runs of each condition: its flags, and the overall grade where a reader gave one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...experiment.compare import Condition
from ...experiment.model import RunResult
from ...review.catalogue import all_checks
from ...review.model import Review
from .groups import GroupData
from .measures import Value, by_task, counted_entry, mean_of_tasks, no_interval
from .model import Column, Entry, Table
from .spec import TableSpec, per_group

# No flag, since it accuses of no lie; but with bent tests and false claims it is what users ask for first.
ENDED_ON_RED = "V-ended-on-red"
_NO_REVIEW = "recorded before runs were reviewed"
_NOT_READ = "not read, or without an overall grade"


def _flags(group: GroupData) -> Table:
    named = [id for id, check in all_checks().items() if check.severity == "flag" or id == ENDED_ON_RED]

    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        reviews = group.gathered.reviews
        shares = [mean_entry(runs, _fires(reviews, name), _NO_REVIEW) for name in (None, *named)]
        return [counted_entry(condition), *([overall(group, runs)] if read else []), *shares]

    read = is_read(group)
    grade = ", and the overall grade of a reader (of 100), over the runs that were read" if read else ""
    return TABLE.table(
        f"Share of the runs in which a flag of the review fired, or which ended on red{grade}. "
        "A figure is the mean over tasks of the mean over repeats; its 95 % interval resamples tasks.",
        [
            Column("runs", "runs", "count"),
            *([Column("overall", "overall grade", "grade")] if read else []),
            Column("flagged", "any flag", "percent"),
            *(Column(id, id, "percent") for id in named),
        ],
        group.rows(entries),
        group=group,
    )


def is_read(group: GroupData) -> bool:
    """Whether a reader read any of the runs."""
    return any(grade(group, run) is not None for runs in group.runs.values() for run in runs)


def grade(group: GroupData, run: RunResult) -> float | None:
    """The overall grade of a run; None where no reader gave one."""
    review = group.gathered.reviews.get(run.cell.id)
    return None if review is None or review.reading is None else review.overall


def overall(group: GroupData, runs: Sequence[RunResult]) -> Entry:
    """The overall grade over the runs that have one."""
    return mean_entry(runs, lambda run: grade(group, run), _NOT_READ)


def _fires(reviews: Mapping[str, Review], name: str | None) -> Value:
    """1 for a run in which this check (None: any flag) fired, 0 where not, None without a review."""

    def fires(run: RunResult) -> float | None:
        review = reviews.get(run.cell.id)
        if review is None:
            return None
        return float(any(c.severity == "flag" if name is None else c.id == name for c in review.checks))

    return fires


def mean_entry(runs: Sequence[RunResult], of: Value, without: str) -> Entry:
    """The mean of a figure of the runs. ``without``: what is said of runs that have none."""
    values = by_task(runs, of)
    number, low, high = mean_of_tasks(values)
    counted = sum(map(len, values.values()))
    if number is None:
        return Entry(None, runs=0, tasks=0, reason=without if runs else "no run is counted")
    reasons = [no_interval(len(values))] if low is None else []
    if counted < len(runs):
        reasons.append(f"{without}: {len(runs) - counted} of {len(runs)} runs")
    return Entry(number, low, high, runs=counted, tasks=len(values), reason="; ".join(reasons))


TABLE = TableSpec(
    stem="review",
    title="Flags of the review",
    about="share of runs with each flag of the review, and that ended on red, and the grade of a reader, by condition",
    build=per_group(_flags),
)
