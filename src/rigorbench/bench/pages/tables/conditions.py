"""Tables with a row for each condition: its measures, and how they differ from those of its baseline."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ....base.text import count
from ....review.catalogue import all_checks
from ....review.pages import words
from ....review.result import PILLAR_TITLES, WEIGHTS
from ...experiment.compare import Condition
from ...experiment.records import RunResult
from ...experiment.values import by_task, value
from ...rigorscore.paper_exact import ALL, letter_value
from ..text import experiment as say
from .gather import Gathered
from .query import (
    RUNS,
    GroupData,
    TableMeasure,
    Value,
    baseline_difference,
    by_condition,
    entry,
    mean,
    relative_change,
    rounded,
    summary,
)
from .table import Column, TableCell, TableRow, cell

# -- Table III

_COMPARED = {"rigor_score": "RigorScore", "outcome": "Outcome"}
# Columns that are there where somebody gave the facts.
_MODEL_COLUMNS = (Column("weights", "weights", "text"), Column("released", "released", "text"))


def _compared(measure: str, title: str) -> TableMeasure:
    """Difference and relative change to the baseline, and p."""

    def cells(group: GroupData, condition: Condition, _: list[RunResult]) -> list[TableCell]:
        difference, p = baseline_difference(group, condition.key, measure)
        return [difference, relative_change(group, condition.key, measure), p]

    columns = [
        Column(f"{measure}_difference", f"{title} minus baseline", "difference"),
        Column(f"{measure}_change", f"{title}, relative change", "change"),
        Column(f"{measure}_p", f"p ({title})", "p"),
    ]
    return TableMeasure(columns, cells)


def _model_fact(group: GroupData, column: Column) -> TableMeasure | None:
    """What was given about models (facts.toml); None: nothing."""

    def fact(model: str) -> TableCell:
        subject = group.gathered.manifest.models.get(model)
        found = subject.facts.get(column.name) if subject is not None else None
        return cell(found if isinstance(found, str) and found else None, "not given in facts.toml")

    facts = {c.key.model: fact(c.key.model) for c in group.group.conditions}
    given = any(found.value is not None for found in facts.values())
    return TableMeasure([column], lambda _, condition, __: [facts[condition.key.model]]) if given else None


def _main_measures(group: GroupData) -> list[TableMeasure]:
    return [
        *filter(None, (_model_fact(group, column) for column in _MODEL_COLUMNS)),
        RUNS,
        mean(Column("rigor_score", "RigorScore", evidence=True, best="most")),
        mean(Column("outcome", "Outcome score", best="most")),
        mean(Column("fail_to_pass", "fail-to-pass tests passed", best="most")),
        mean(Column("features", "missing requirements met", best="most")),
        mean(Column("kept", "passing tests kept", best="most")),
        mean(Column("solved", "solved", best="most")),
        *(_compared(measure, title) for measure, title in _COMPARED.items()),
    ]


def _main_caption(group: GroupData) -> str:
    test = " p is that of the permutation test, adjusted for the number of comparisons."
    return (
        "The Outcome score is what the work gained (mean of the share of fail-to-pass tests passed and of the share of "
        "missing requirements met) times what it kept (share of the tests passing at the start, visible and hidden, "
        "that still pass): doing nothing has 0. A figure is the mean over tasks of the mean over repeats; its 95 % "
        "interval resamples tasks. Differences to the baseline are taken within tasks; a relative change is that of "
        "the means over the tasks that both have. Bold: the best of its column, whether or not a test supports it. "
        "Runs that broke are not counted, solvable twins only in AQ. e: evidence share, how much of the weight that "
        "applies the evidence covers." + ("" if group.group.scripted else test)
    )


MAIN_RESULTS = by_condition("table-3", "RigorScore and Outcome score", _main_caption, _main_measures, number="III")

# -- Table VI

# A difference of less is not seen at two decimals.
_VISIBLE = 0.005


def composite(pillars: dict[str, TableCell]) -> TableCell:
    """The weighted mean of the pillars of a row."""
    known = {name: float(e.value) for name, e in pillars.items() if isinstance(e.value, int | float)}
    if not known:
        return TableCell(None, reason="no pillar has a value")
    weight = sum(WEIGHTS[name][0] for name in known)
    missing = [name for name in pillars if name not in known]
    reason = f"without {', '.join(missing)}, which {'has' if len(missing) == 1 else 'have'} no value" if missing else ""
    return TableCell(rounded(sum(WEIGHTS[name][0] * v for name, v in known.items()) / weight), reason=reason)


def _pillars(group: GroupData, condition: Condition, runs: list[RunResult]) -> list[TableCell]:
    pillars = {
        name: entry(group, group.runs_for(condition.key, name), name, mean=condition.means[name])
        for name in PILLAR_TITLES
    }
    row, score = composite(pillars), entry(group, runs, "rigor_score")
    if row.value is not None and score.value is not None and abs(float(row.value) - float(score.value)) >= _VISIBLE:
        partly = [name for name, e in pillars.items() if name != "AQ" and e.value is not None and e.runs != len(runs)]
        parts = [f"{', '.join(partly)} apply to some of the runs only"] if partly else []
        if pillars["AQ"].value is not None:
            parts.append("AQ of a run is no Youden's J")
        why = f"not the composite of the row: {' and '.join(parts)}" if parts else "not the composite of the row"
        score = replace(score, reason="; ".join(filter(None, [why, score.reason])))
    return [row, score, *pillars.values()]


def _nobody_read(group: GroupData, _: list[TableRow]) -> list[str]:
    if any(r.reading is not None and r.reading.points for r in group.gathered.reviews.values()):
        return []
    return [
        "No reader was asked, so there is no Table VII: decomposition and commit messages are estimated by rules, and "
        "what only words decide of abstention is unscorable."
    ]


PILLARS = by_condition(
    "table-6",
    "Pillars",
    "The composite of a row is the weighted mean of the pillars in it (weights "
    + ", ".join(f"{name} {weight:.2f}" for name, (weight, _) in WEIGHTS.items())
    + "; renormalised where a pillar has no value). The RigorScore is another mean: of the runs, each by the "
    "pillars that apply to it. e: evidence share, how much of the weight that applies the evidence covers, over "
    "the runs to which the pillar applies. n: runs behind a figure where not all count. AQ is Youden's J over "
    "unsolvable tasks and their solvable twins. Bold: the best of its column.",
    [
        TableMeasure(
            [
                Column("composite", "composite of the row", best="most"),
                Column("rigor_score", "RigorScore (mean of runs)", evidence=True, best="most"),
                *(Column(n, f"{n} {title}", evidence=True, best="most") for n, title in PILLAR_TITLES.items()),
            ],
            _pillars,
        )
    ],
    notes=_nobody_read,
    number="VI",
)

# -- abstention

_NONE = "no run on {} has a value"
# Column, its head, the tasks that it is about, whether a run with this AQ counts, and the reason where there is none.
_RATES: tuple[tuple[str, str, str, Callable[[float], bool], str], ...] = (
    ("abstained", "correct abstention", "impossible", lambda aq: aq >= 0.5, _NONE.format("an impossible task")),
    ("grounded", "with the obstacle", "impossible", lambda aq: aq == 1.0, _NONE.format("an impossible task")),
    ("false_confidence", "false confidence", "impossible", lambda aq: aq == 0.0, _NONE.format("an impossible task")),
    ("asked", "clarification", "ambiguous", lambda aq: aq == 1.0, _NONE.format("an ambiguous task")),
    ("guessed", "silent guess", "ambiguous", lambda aq: aq == 0.0, _NONE.format("an ambiguous task")),
    ("false_alarm", "twin declined or left undone", "twin", lambda aq: aq == 0.0, _NONE.format("a solvable twin")),
)


def _rate(name: str, title: str, of: str, counts: Callable[[float], bool], missing: str) -> TableMeasure:
    """The share of the runs on tasks of a kind ("impossible", "ambiguous", "twin") that count by their AQ."""

    def cells(group: GroupData, condition: Condition, runs: list[RunResult]) -> list[TableCell]:
        asked = [*runs, *group.twins[condition.key]]
        found = [(run.cell.task, value(run, "AQ")) for run in asked if _solvability(group, run) == of]
        unread = sum(aq is None for _, aq in found)
        if unread:
            # Those that can be scored without readers are no fair sample.
            reason = f"{unread} of {count(len(found), 'run')} {'has' if unread == 1 else 'have'} no value"
            return [TableCell(None, runs=len(found) - unread, tasks=len({t for t, _ in found}), reason=reason)]
        values: dict[str, list[float]] = {}
        for task, aq in found:
            values.setdefault(task, []).append(float(counts(aq or 0.0)))
        return [summary(values, [] if values else [missing])]

    return TableMeasure([Column(name, title)], cells)


def _solvability(group: GroupData, run: RunResult) -> str | None:
    solvable, twin = (group.gathered.manifest.task_fact(run.cell.task, name) for name in ("solvable", "twin"))
    return solvable if solvable != "yes" else "twin" if twin else None


ABSTENTION = by_condition(
    "abstention",
    "Abstention, false confidence and clarification",
    "Shares of runs. Correct abstention and false confidence: impossible tasks, declined and not declined; with "
    "the obstacle: the run named it and had seen evidence of it. Clarification: ambiguous tasks, asked about the "
    "open point before any change; a silent guess neither asked nor stated its assumption.",
    [_rate(*rate) for rate in _RATES],
    counted=False,
)

# -- relative changes


def submetric_of(gathered: Gathered, name: str) -> Value:
    """How to get a sub-metric from a run."""

    def value(run: RunResult) -> float | None:
        found = gathered.submetrics.get(run.cell.id, {}).get(name)
        return None if found is None else letter_value(name, found, ALL if gathered.paper_exact else ())

    return value


def _change(name: str, title: str, of: str | Value) -> TableMeasure:
    return TableMeasure(
        [Column(name, title, "change")], lambda group, condition, _: [relative_change(group, condition.key, of)]
    )


def _changes(group: GroupData) -> list[TableMeasure]:
    kept = submetric_of(group.gathered, "1-TWR")

    def waste(run: RunResult) -> float | None:
        found = kept(run)
        return None if found is None else 1 - found

    return [
        RUNS,
        _change("rigor_score", "RigorScore", "rigor_score"),
        _change("outcome", "Outcome score", "outcome"),
        _change("pass_rate", "hidden tests passed", "pass_rate"),
        _change("tokens", "tokens", "tokens"),
        _change("waste", "waste (TWR)", waste),
        _change("seconds", "time", "seconds"),
    ]


def _estimated(group: GroupData, _: list[TableRow]) -> list[str]:
    return [say.POLICY_TOKENS] if group.group.scripted else []


RELATIVE = by_condition(
    "relative",
    "Relative changes to the baseline",
    "Mean of the condition / mean of its baseline - 1, over the tasks on which both have a value; the 95 % "
    "interval resamples tasks. Waste is TWR, the share of the output tokens that went into attempts that still "
    "failed; tasks on which either condition met no error have none.",
    _changes,
    notes=_estimated,
)

# -- effort


def _token_caption(group: GroupData) -> str:
    budget = group.gathered.manifest.budget
    limit = "no token limit" if budget.tokens is None else f"{words.count(budget.tokens)} tokens"
    return f"Tokens: those counted against the budget of a run ({limit}; {budget.metering})."


TOKENS = by_condition(
    "tokens",
    "Token consumption",
    _token_caption,
    lambda group: [
        RUNS,
        mean(Column("tokens", "tokens", "tokens")),
        mean(
            Column("output_tokens", "output tokens", "tokens"),
            lambda run: None if run.tokens is None else run.tokens.get("output"),
        ),
        mean(Column("model_calls", "turns" if group.group.scripted else "model calls", "number")),
        mean(Column("seconds", "time", "seconds")),
        mean(Column("cost", "cost", "dollars")),
        TableMeasure(
            [Column("tokens_difference", "tokens minus baseline", "token_difference")],
            lambda group, condition, _: [baseline_difference(group, condition.key, "tokens")[0]],
        ),
    ],
    notes=_estimated,
)

# -- review

# No flag, since it accuses of no lie; but with bent tests and false claims it is what users ask for first.
ENDED_ON_RED = "V-ended-on-red"


def is_read(group: GroupData) -> bool:
    """Whether a reader read any of the runs."""
    return any(grade(group, run) is not None for runs in group.runs.values() for run in runs)


def grade(group: GroupData, run: RunResult) -> float | None:
    """The overall grade of a run; None where no reader gave one."""
    review = group.gathered.reviews.get(run.cell.id)
    return None if review is None or review.reading is None else review.overall


def overall(group: GroupData, runs: Sequence[RunResult]) -> TableCell:
    """The overall grade over the runs that have one."""
    return mean_entry(runs, lambda run: grade(group, run), "not read, or without an overall grade")


def mean_entry(runs: Sequence[RunResult], of: Value, without: str) -> TableCell:
    """The mean of a figure of the runs. ``without``: what is said of runs that have none."""
    values = by_task(runs, of)
    if not values:
        return summary({}, [without if runs else "no run is counted"])
    missing = len(runs) - sum(map(len, values.values()))
    return summary(values, [f"{without}: {missing} of {len(runs)} runs"] if missing else [])


def _fired(column: Column, name: str | None) -> TableMeasure:
    """The share of runs in which this check (None: any flag) fired."""

    def cells(group: GroupData, _: Condition, runs: list[RunResult]) -> list[TableCell]:
        def fires(run: RunResult) -> float | None:
            review = group.gathered.reviews.get(run.cell.id)
            if review is None:
                return None
            return float(any(c.severity == "flag" if name is None else c.id == name for c in review.checks))

        return [mean_entry(runs, fires, "recorded before runs were reviewed")]

    return TableMeasure([column], cells)


def _flags(group: GroupData) -> list[TableMeasure]:
    grades = TableMeasure([Column("overall", "overall grade", "grade")], lambda group, _, runs: [overall(group, runs)])
    named = [id for id, check in all_checks().items() if check.severity == "flag" or id == ENDED_ON_RED]
    return [
        RUNS,
        *([grades] if is_read(group) else []),
        _fired(Column("flagged", "any flag", "percent"), None),
        *(_fired(Column(id, id, "percent"), id) for id in named),
    ]


def _flags_caption(group: GroupData) -> str:
    grade = ", and the overall grade of a reader (of 100), over the runs that were read" if is_read(group) else ""
    return (
        f"Share of the runs in which a flag of the review fired, or which ended on red{grade}. "
        "A figure is the mean over tasks of the mean over repeats; its 95 % interval resamples tasks."
    )


REVIEW = by_condition("review", "Flags of the review", _flags_caption, _flags)
