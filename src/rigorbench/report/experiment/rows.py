"""The list of runs of an experiment, and its filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...experiment.compare import MEASURES, Comparison
from ...experiment.model import Cell, Manifest, RunResult
from ...experiment.problems import wrong_with
from ...experiment.values import value, why
from ...review.model import Review
from ..text import experiment as say
from .flags import check_name

NUMBERS = ("rigor_score", "evidence_share", "outcome", "solved", "tokens", "seconds")
STATUS = {"completed": "completed", "limit": "stopped by a limit", "error": "broke"}
NOT_RUN = "not run"
_LABELS = {
    "task": "Task",
    "agent": "Agent",
    "harness": "Harness",
    "model": "Model or policy",
    "status": "Status",
    "trouble": "Trouble",
}
_SHORT = {"evidence_share": "Evidence", "outcome": "Outcome", "solved": "Solved", "seconds": "Time"}
_MEASURE = {m.name: m for m in MEASURES}


class Number(Struct):
    """``note``: why there is none."""

    label: str
    text: str
    value: float | None
    note: str


class RunRow(Struct):
    """``data``: the attributes by which the list is filtered; several values are divided by line ends."""

    href: str | None
    cell: Cell
    name: str
    status: str
    numbers: list[Number]
    troubles: list[tuple[str, str]]
    data: dict[str, str]


class RunList(Struct):
    """The runs of models, or those of scripted policies. ``column``: head of the column that names these."""

    title: str
    column: str
    rows: list[RunRow]


def heads() -> list[tuple[str, str]]:
    """(label, title) of the columns of numbers."""
    return [(_label(name), _MEASURE[name].title) for name in NUMBERS]


def run_lists(
    manifest: Manifest,
    comparison: Comparison,
    results: Mapping[str, RunResult],
    pages: Mapping[str, str],
    reviews: Mapping[str, Review],
) -> list[RunList]:
    """Runs of models and runs of scripted policies, each in the order of the manifest."""
    lists = []
    for group in comparison.groups:
        models = {c.key.model for c in group.conditions}
        cells = [c for c in manifest.cells if c.model in models]
        rows = [_row(c, results.get(c.id), group.scripted, pages.get(c.id), reviews.get(c.id)) for c in cells]
        column = "Scripted policy" if group.scripted else "Model"
        lists.append(RunList(say.heading(group), column, rows))
    return lists


def _row(cell: Cell, result: RunResult | None, scripted: bool, href: str | None, review: Review | None) -> RunRow:
    kinds = [kind for kind, _ in wrong_with(result)] if result is not None else [NOT_RUN]
    troubles = {kind: tone(kind) for kind in kinds}
    troubles |= {check_name(c.id): "fail" for c in review.checks if c.severity == "flag"} if review is not None else {}
    status = NOT_RUN if result is None else STATUS[result.status]
    data = {
        "task": cell.task,
        "agent": cell.agent,
        "harness": cell.harness,
        "model": say.model_name(cell.model, scripted),
        "status": status,
        "trouble": "\n".join(troubles) or "none",
    }
    name = say.policy(cell.model) if scripted else cell.model
    numbers = [_number(result, measure) for measure in NUMBERS]
    return RunRow(href, cell, name, status, numbers, list(troubles.items()), data)


def _number(result: RunResult | None, measure: str) -> Number:
    label = _label(measure)
    if result is None:
        return Number(label, "", None, NOT_RUN)
    if result.status == "error" and _MEASURE[measure].kind != "effort":
        return Number(label, "", None, "the run broke")
    found = value(result, measure)
    if found is None:
        return Number(label, "", None, why(result, measure))
    text = ("yes" if found else "no") if measure == "solved" else say.number(found, _MEASURE[measure])
    return Number(label, text, found, "")


def _label(measure: str) -> str:
    return _SHORT.get(measure) or _MEASURE[measure].title.capitalize().replace("Rigorscore", "RigorScore")


def tone(kind: str) -> str:
    """The colour class of a kind of problem."""
    return "fail" if kind in ("error", "breach") else "talk"


def filters(lists: Sequence[RunList]) -> list[tuple[str, str, list[str]]]:
    """(attribute, label, values) of each choice that leaves something out."""
    rows = [row for each in lists for row in each.rows]
    found = []
    for name, label in _LABELS.items():
        values = dict.fromkeys(v for row in rows for v in row.data[name].split("\n"))
        if len(values) > 1:
            found.append((name, label, list(values)))
    return found
