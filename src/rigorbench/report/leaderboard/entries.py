"""Entries of a leaderboard: figures, coverage and provenance of one agent, harness and model on one board."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from ...judge.scores.formulas import distribution
from ...metrics.abstention import harness_abstention
from ...metrics.result import PILLAR_TITLES
from ...problems.verdicts import VERDICTS
from ...review.catalogue import all_checks
from ...review.model import GRADES
from ..text.words import plural
from .model import Entry, Figure, Key, Run, Source, TaskFigures, Thresholds
from .rank import interval

# Figure -> column of the table of runs.
FIGURES: dict[str, str] = {
    "rigor_score": "rigor_score",
    **{p: p.lower() for p in PILLAR_TITLES},
    "evidence_share": "evidence_share",
    "overall": "overall",
    **{name: name for name in GRADES},
    "flagged": "flagged",
    "outcome": "outcome",
    "pass_rate": "pass_rate",
    "completeness": "completeness",
    "regressions": "regressions",
    "solved": "solved",
    "tokens": "tokens",
    "cost": "cost",
    "seconds": "seconds",
    "model_calls": "model_calls",
    **{name: name for name in ("execution", "code_review", "final", "submissions", "files", "lines")},
}
# Those whose interval is shown, besides that of each flag.
_WITH_INTERVAL = ("rigor_score", "overall", *GRADES, "flagged", "final")
# Those that are shown for each task.
MEASURES = ("rigor_score", "evidence_share", "outcome", "solved", "tokens")
DIGITS = 6


def make_entry(
    key: Key,
    groups: Mapping[str, list[Run]],
    experiments: Mapping[str, Run],
    size: int,
    limits: Thresholds,
    since: datetime | None,
) -> Entry:
    """The entry of a key from its planned runs by experiment.

    ``size``: tasks of the suite; ``limits``: what it takes to be ranked; ``since``: what began later is new.
    """
    # Solvable twins are no further tasks: they count in AQ alone.
    twins = [run for of in groups.values() for run in of if run["twin"] and run["counted"]]
    groups = {name: [run for run in of if not run["twin"]] for name, of in groups.items()}
    runs = [run for of in groups.values() for run in of]
    counted = [run for run in runs if run["counted"]]
    by_task: defaultdict[str, list[Run]] = defaultdict(list)
    for run in counted:
        by_task[run["task"]].append(run)
    tasks = [_task(name, by_task[name]) for name in sorted(by_task)]
    sources = [_source(experiments[name], of) for name, of in groups.items()]
    sources.sort(key=lambda s: (s.date or datetime.min, s.experiment))
    dates = [r["started"] for r in counted if r["started"] is not None]
    statuses = Counter(r["status"] for r in runs)
    enough = sum(sum(r["rigor_score"] is not None for r in of) >= max(1, limits.repeats) for of in by_task.values())
    coverage = min(1.0, enough / size) if size else 0.0
    first, figures = min(dates, default=None), _figures(counted, twins)
    entry = Entry(
        key, "", 0, dict(sorted(statuses.items())), figures, round(coverage, DIGITS), tasks, sources, first,
        max(dates, default=None), _flags(runs, counted), new=since is not None and first is not None and first > since,
    )  # fmt: skip
    given = [verdict for run in counted for verdict in run["verdicts"] or ()]
    known = distribution(verdict for verdict in VERDICTS for one in given if one == verdict)
    entry.verdicts = {name: number for name, (number, _) in known.items() if number}
    entry.lacks = _lacks(enough, coverage, len(counted), len(runs), size, limits)
    return entry


def _lacks(enough: int, coverage: float, counted: int, planned: int, size: int, limits: Thresholds) -> list[str]:
    repeats = f" with {limits.repeats} scored runs each" if limits.repeats > 1 else ""
    found = []
    if enough < limits.tasks or coverage < limits.coverage:
        needed = max(limits.tasks, math.ceil(limits.coverage * size - 1e-9))
        found.append(f"ran {enough} of {plural(size, 'task')}{repeats}, at least {needed} are needed")
    if counted < limits.complete * planned:
        share = f"{limits.complete * 100:.0f} %"
        found.append(f"{counted} of {planned} planned runs are counted, at least {share} are needed")
    return found


def _flags(runs: Sequence[Run], counted: Sequence[Run]) -> dict[str, int]:
    found = {
        "broke": sum(r["status"] == "error" for r in runs),
        "crashed": sum(r["status"] == "crashed" for r in runs),
        "not run": sum(r["status"] == "missing" for r in runs),
        "damaged": sum(r["status"] == "damaged" for r in runs),
        "stopped by a limit": sum(r["status"] == "limit" for r in runs),
        "with breaches": sum(bool(r["breaches"]) for r in counted),
        "without the harness loaded": sum(r["harness_loaded"] is False for r in counted),
        "without a RigorScore": sum(r["rigor_score"] is None for r in counted),
    }
    if any(r["reader"] is not None for r in counted):
        found["not read"] = sum(r["reader"] is None for r in counted)
    return {name: number for name, number in found.items() if number}


def _figures(runs: Sequence[Run], twins: Sequence[Run]) -> dict[str, Figure]:
    figures = {name: _figure(_by_task(runs, column)) for name, column in FIGURES.items()}
    asked = [r for r in (*runs, *twins) if r["aq"] is not None]
    unsolvable = [r["aq"] for r in runs if r["solvable"] in ("impossible", "ambiguous")]
    solvable = [r["aq"] for r in asked if r["solvable"] == "yes"]
    if unsolvable or solvable:
        # Always and never abstaining both earn 0: Youden's J, as in the report of an experiment.
        joint = harness_abstention(unsolvable, solvable)
        plain = _figure(_by_task(asked, "aq"))
        figures["AQ"] = Figure(None if joint is None else round(joint, DIGITS), plain.tasks, plain.runs)
    for name in _WITH_INTERVAL:
        figures[name] = _with_interval(_by_task(runs, FIGURES[name]))
    for flag in flag_checks():
        fired = [{**run, flag: flag in run["flags"]} for run in runs if run["flags"] is not None]
        figures[flag] = _with_interval(_by_task(fired, flag))
    return figures


def flag_checks() -> list[str]:
    """Ids of the checks that accuse: each is a figure, the share of runs in which it fired."""
    return [check.id for check in all_checks().values() if check.severity == "flag"]


def _with_interval(by_task: Mapping[str, Sequence[float]]) -> Figure:
    figure = _figure(by_task)
    ends = interval([_mean(by_task[t]) for t in sorted(by_task)])
    if ends is not None:
        figure.low, figure.high = (round(e, DIGITS) for e in ends)
    return figure


def _by_task(runs: Iterable[Run], column: str) -> dict[str, list[float]]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for run in runs:
        if run[column] is not None:
            found[run["task"]].append(float(run[column]))
    return found


def _figure(by_task: Mapping[str, Sequence[float]]) -> Figure:
    runs = sum(map(len, by_task.values()))
    value = round(_mean([_mean(v) for v in by_task.values()]), DIGITS) if by_task else None
    return Figure(value, len(by_task), runs)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _task(name: str, runs: Sequence[Run]) -> TaskFigures:
    values = {m: [float(r[FIGURES[m]]) for r in runs if r[FIGURES[m]] is not None] for m in MEASURES}
    means = {m: round(_mean(v), DIGITS) for m, v in values.items() if v}
    return TaskFigures(name, runs[0]["category"], runs[0]["task_digest"], len(runs), means)


def _source(experiment: Run, runs: Sequence[Run]) -> Source:
    counted = [r for r in runs if r["counted"]]
    score = _with_interval(_by_task(counted, "rigor_score"))
    date = max((r["started"] for r in counted if r["started"] is not None), default=experiment["created"])
    machine = ", ".join(
        str(part)
        for part in (
            experiment["os"],
            experiment["architecture"],
            f"{experiment['cores']} cores" if experiment["cores"] is not None else None,
        )
        if part
    )
    statuses = Counter(r["status"] for r in runs)
    return Source(
        experiment["experiment"],
        experiment["place"] or "",
        date,
        dict(sorted(statuses.items())),
        score,
        experiment["rigorbench"],
        machine,
        experiment["manifest_digest"],
        experiment["report"],
        experiment["report_stale"],
    )
