"""Tables III, V and VI, and the consumption of tokens: a row for each condition."""

from __future__ import annotations

from msgspec.structs import replace

from ...experiment.compare import Condition, Effect, Key
from ...experiment.model import RunResult
from ...metrics.result import PILLAR_TITLES
from ..text import experiment as say
from ..text import words
from ..text.cells import Column, Entry, Row, Table
from .measures import ITSELF, NO_BASELINE, Part, entry
from .suite import categories, category_of, category_title

_METHOD = (
    "A figure is the mean over tasks of the mean over repeats; its 95 % interval resamples tasks. Differences to the "
    "baseline are taken within tasks; p is that of the permutation test, adjusted for the number of comparisons. Runs "
    "that broke count nowhere."
)
_OUTCOMES = (
    Column("pass_rate", "hidden tests passed"),
    Column("completeness", "requirements met"),
    Column("solved", "solved"),
    Column("regressions", "tests broken per run", "number"),
)


def table_3(part: Part) -> Table:
    """The main results: one row per condition."""
    rows = []
    for condition in part.group.conditions:
        runs = part.runs[condition.key]
        entries = [
            _counted(condition),
            Entry(len({run.cell.task for run in runs})),
            entry(part, runs, "rigor_score"),
            entry(part, runs, "evidence_share"),
            *(entry(part, runs, column.name) for column in _OUTCOMES),
            *_difference(part, condition.key, "rigor_score"),
            *_difference(part, condition.key, "pass_rate"),
        ]
        rows.append(Row([part.label(condition.key)], entries, len(runs)))
    return Table(
        f"table-3{part.suffix}",
        "III",
        "RigorScore and outcome",
        f"{part.scope} {_METHOD}",
        [part.labels.column],
        [
            Column("runs", "runs", "count"),
            Column("tasks", "tasks", "count"),
            Column("rigor_score", "RigorScore"),
            Column("evidence_share", "evidence share", "percent"),
            *_OUTCOMES,
            Column("rigor_score_difference", "RigorScore minus baseline", "difference"),
            Column("rigor_score_p", "p (RigorScore)", "p"),
            Column("pass_rate_difference", "hidden tests minus baseline", "difference"),
            Column("pass_rate_p", "p (hidden tests)", "p"),
        ],
        rows,
        scripted=part.group.scripted,
    )


def table_5(part: Part) -> Table:
    """RigorScore of each condition in each category."""
    manifest = part.gathered.manifest
    names = categories(manifest, part.group.tasks)
    rows = []
    for condition in part.group.conditions:
        runs = part.runs[condition.key]
        entries = []
        for name in names:
            chosen = [run for run in runs if category_of(manifest, run.cell.task) == name]
            if chosen:
                entries.append(entry(part, chosen, "rigor_score"))
            else:
                entries.append(Entry(None, runs=0, tasks=0, reason="no run on a task of this category counts"))
        rows.append(Row([part.label(condition.key)], entries))
    return Table(
        f"table-5{part.suffix}",
        "V",
        "RigorScore by category of tasks",
        f"{part.scope} n: runs behind a figure. A category of other tasks is another measure: compare down a column, "
        "not along a row.",
        [part.labels.column],
        [Column(name or "none", category_title(name)) for name in names],
        rows,
        scripted=part.group.scripted,
    )


def table_6(part: Part) -> Table:
    """RigorScore and pillars of each condition."""
    rows = []
    for condition in part.group.conditions:
        runs = part.runs[condition.key]
        entries = [entry(part, runs, "rigor_score")]
        entries += [entry(part, runs, name, mean=condition.means[name]) for name in PILLAR_TITLES]
        rows.append(Row([part.label(condition.key)], entries, len(runs)))
    return Table(
        f"table-6{part.suffix}",
        "VI",
        "Pillars",
        f"{part.scope} e: evidence share, how much of the weight that applies the evidence covers, over the runs to "
        "which the pillar applies. n: runs behind a figure where not all count. AQ is Youden's J over unsolvable tasks "
        "and their solvable twins.",
        [part.labels.column],
        [
            Column("rigor_score", "RigorScore", evidence=True),
            *(Column(name, f"{name} {title}", evidence=True) for name, title in PILLAR_TITLES.items()),
        ],
        rows,
        scripted=part.group.scripted,
    )


def token_table(part: Part) -> Table:
    """Tokens, model calls, time and cost of each condition: means per run over tasks."""
    rows = []
    for condition in part.group.conditions:
        runs = part.runs[condition.key]
        entries = [
            _counted(condition),
            entry(part, runs, "tokens"),
            entry(part, runs, "output_tokens", _output),
            entry(part, runs, "model_calls"),
            entry(part, runs, "seconds"),
            entry(part, runs, "cost"),
            _difference(part, condition.key, "tokens")[0],
        ]
        rows.append(Row([part.label(condition.key)], entries, len(runs)))
    budget = part.gathered.manifest.budget
    limit = "no token limit" if budget.tokens is None else f"{words.count(budget.tokens)} tokens"
    notes = [say.POLICY_TOKENS] if part.group.scripted else []
    return Table(
        f"tokens{part.suffix}",
        "",
        "Token consumption",
        f"{part.scope} Tokens: those counted against the budget of a run ({limit}; {budget.metering}).",
        [part.labels.column],
        [
            Column("runs", "runs", "count"),
            Column("tokens", "tokens", "tokens"),
            Column("output_tokens", "output tokens", "tokens"),
            Column("model_calls", "turns" if part.group.scripted else "model calls", "number"),
            Column("seconds", "time", "seconds"),
            Column("cost", "cost", "dollars"),
            Column("tokens_difference", "tokens minus baseline", "token_difference"),
        ],
        rows,
        notes,
        part.group.scripted,
    )


def _output(run: RunResult) -> float | None:
    return None if run.tokens is None else run.tokens.get("output")


def _counted(condition: Condition) -> Entry:
    return Entry(condition.counted, reason=_not_counted(condition))


def _not_counted(condition: Condition) -> str:
    left_out = say.not_counted(condition)
    return f"of {words.plural(condition.planned, 'run')} planned: {left_out}" if left_out else ""


def _difference(part: Part, key: Key, measure: str) -> tuple[Entry, Entry]:
    """(difference to the baseline, its p adjusted)."""
    base = part.baseline_of(key)
    if base is None or base.key == key:
        empty = Entry(None, reason=NO_BASELINE if base is None else ITSELF)
        return empty, empty
    effect = effect_of(part, key, base.key, measure)
    if effect is None or effect.value is None:
        reason = "no task has a value of both" if effect is None else effect.reason or "no task has a value of both"
        empty = Entry(None, runs=0, tasks=0, reason=reason)
        return empty, empty
    found = Entry(effect.value, effect.low, effect.high, runs=effect.runs, tasks=effect.tasks, reason=effect.reason)
    if effect.p_adjusted is None:
        return found, Entry(
            None, runs=effect.runs, tasks=effect.tasks, reason="no test: too few tasks with both values"
        )
    return found, Entry(effect.p_adjusted, runs=effect.runs, tasks=effect.tasks)


def effect_of(part: Part, of: Key, minus: Key, measure: str) -> Effect | None:
    """The comparison's difference of two conditions, whichever way round it took it."""
    for pair in part.group.pairs:
        effect = pair.effects[measure]
        if (pair.of, pair.minus) == (of, minus):
            return effect
        if (pair.of, pair.minus) == (minus, of):
            return negated(effect)
    return None


def negated(effect: Effect) -> Effect:
    """The same difference taken the other way round."""

    def minus(number: float | None) -> float | None:
        return None if number is None else 0.0 - number

    return replace(
        effect,
        value=minus(effect.value),
        low=minus(effect.high),
        high=minus(effect.low),
        size=minus(effect.size),
        wins=effect.losses,
        losses=effect.wins,
    )
