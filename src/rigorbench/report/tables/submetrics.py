"""Each sub-metric under each condition, with the difference to the baseline; 1-TWR among them."""

from __future__ import annotations

from ...experiment.model import RunResult
from ...metrics.paper_exact import ALL, letter_value
from ...metrics.result import SUBMETRIC_TITLES, WEIGHTS
from ..text import words
from .differences import from_baseline, runs_difference
from .gather import Gathered
from .groups import GroupData
from .measures import Value, entry
from .model import Column, Row, Table
from .spec import TableSpec, per_group

_CAPTION = (
    "Each over the runs in which it applies and has enough evidence. Differences to the baseline are taken within "
    "tasks, without a test. Bold: the best condition. AQ has one sub-metric, which is the pillar itself (Table VI)."
)
_COLUMNS = [
    Column("value", "value", best="most"),
    Column("difference", "minus baseline", "difference"),
]


def submetric_of(gathered: Gathered, name: str) -> Value:
    """How to get a sub-metric from a run."""

    def value(run: RunResult) -> float | None:
        found = gathered.submetrics.get(run.cell.id, {}).get(name)
        return None if found is None else letter_value(name, found, ALL if gathered.paper_exact else ())

    return value


def _table(group: GroupData) -> Table:
    gathered = group.gathered
    rows = []
    for pillar, (_, parts) in WEIGHTS.items():
        for name in parts if pillar != "AQ" else ():
            of = submetric_of(gathered, name)

            def because(run: RunResult, name: str = name) -> str:
                found = gathered.submetrics.get(run.cell.id, {}).get(name)
                if found is None:
                    return gathered.no_evidence.get(run.cell.id, "not in score.json")
                return words.STATUS_WORDS.get(found.status, found.status)

            for condition in group.group.conditions:
                runs = group.runs[condition.key]
                base, empty = from_baseline(group, condition.key)
                difference = empty if base is None else runs_difference(runs, group.runs[base], of)
                cells = [entry(group, runs, name, of, because=because), difference]
                label = [pillar, f"{name}: {SUBMETRIC_TITLES[name]}", group.label(condition.key)]
                rows.append(Row(label, cells, len(runs)))
    heads = ["pillar", "sub-metric", group.labels.column]
    return TABLE.table(_CAPTION, _COLUMNS, rows, heads=heads, block=2, group=group)


TABLE = TableSpec(
    stem="submetrics",
    title="Sub-metrics",
    about="each sub-metric of each condition, 1-TWR among them, with the difference to the baseline",
    build=per_group(_table),
)
