"""Leaderboards: from tables of results to entries, the boards on which they may be compared, and their ranks."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice

import numpy as np

from ....base.stats.resampling import LEVEL, SEED
from ....base.text import count as plural
from ....base.version import __version__
from ....judge.problems.verdicts import VERDICTS
from ....review.result import PILLAR_TITLES
from ....review.review import GRADES
from ...experiment.results.read import ResultTables
from ...experiment.results.rows import Row as Run
from ...projects.scores.formulas import distribution
from ...rigorscore.abstention import harness_abstention
from .board import (
    SCHEMA,
    Board,
    BoardEntry,
    BoardMean,
    Conditions,
    EntryKey,
    EntrySource,
    Leaderboard,
    TaskFigures,
    Thresholds,
    Versus,
    flag_checks,
)
from .rank import RESAMPLES, Array, adjusted, differences, matrix, mean_interval, rank_ranges
from .words import differences_in_words

NEW_FOR = timedelta(days=30)
# The most boards and entries that the pages compare one with.
MOST_BOARDS = 12
MOST_OTHERS = 60
_VERSION = re.compile(r"(\d+)\.(\d+)")
# Figure -> column of the table of runs.
FIGURES: dict[str, str] = {
    "rigor_score": "rigor_score",
    **{p: p.lower() for p in PILLAR_TITLES},
    **{name: name for name in ("evidence_share", "overall", *GRADES, "flagged", "outcome", "pass_rate")},
    **{name: name for name in ("completeness", "regressions", "solved", "tokens", "cost", "seconds", "model_calls")},
    **{name: name for name in ("execution", "code_review", "final", "submissions", "files", "lines")},
}
# Those whose interval is shown, besides that of each flag.
_WITH_INTERVAL = ("rigor_score", "overall", *GRADES, "flagged", "final")
# Those that are shown for each task.
MEASURES = ("rigor_score", "evidence_share", "outcome", "solved", "tokens")
DIGITS = 6

Tell = Callable[[str], None]


def build(
    tables: ResultTables,
    *,
    title: str = "RigorBench leaderboard",
    thresholds: Thresholds | None = None,
    since: datetime | None = None,
    suites: Mapping[str, Mapping[str, str]] | None = None,
    tell: Tell = lambda line: None,
) -> Leaderboard:
    """The leaderboard of all experiments in ``tables``.

    Args:
        suites: digest of each task by its id, by the digest of the suite, for suites that are available: an
            experiment that names one of them and has other tasks is left out.
        thresholds: what an entry needs to be ranked.
        since: an entry whose first run began after this moment is new; default: 30 days before the latest run.
        tell: called with a line about each experiment that is left out.
    """
    limits = thresholds if thresholds is not None else Thresholds()
    experiments = _usable({e["experiment"]: e for e in tables.rows["experiments"]}, tables, suites or {}, tell)
    runs: defaultdict[str, list[Run]] = defaultdict(list)
    for run in tables.rows["runs"]:
        if run["experiment"] in experiments:
            runs[run["experiment"]].append(run)
    tasks: defaultdict[str, list[Run]] = defaultdict(list)
    for task in tables.rows["tasks"]:
        tasks[task["experiment"]].append(task)
    latest = max((r["started"] for of in runs.values() for r in of if r["started"] is not None), default=None)
    if since is None and latest is not None:
        since = latest - NEW_FOR
    groups: defaultdict[Conditions, defaultdict[EntryKey, dict[str, list[Run]]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for name, of in runs.items():
        # A run without a result does not say that its model is a policy; other runs do.
        played = {run["model"] for run in of if run["scripted"]}
        for scripted in (False, True):
            mine = [run for run in of if (run["model"] in played) is scripted]
            conditions = _conditions(experiments[name], scripted, _judging(mine), tasks[name])
            for run in mine:
                if not run["beside"]:
                    key = EntryKey(**{part: run[part] for part in EntryKey.__struct_fields__})
                    groups[conditions][key].setdefault(name, []).append(run)
    boards = [_board(c, entries, experiments, limits, since) for c, entries in groups.items()]
    boards = [board for board in boards if board.entries]
    boards.sort(key=lambda b: (b.conditions.scripted, -b.ranked, -len(b.entries), repr(b.conditions)))
    for number, board in enumerate(boards, 1):
        board.number = number
    for board in boards:
        board.differs = _differing(board, boards)
    # The file of an entry has the same name as long as the entry is the same.
    for board in boards:
        for entry in board.entries:
            key = entry.key
            stem = re.sub(r"[^a-z0-9]+", "-", f"{key.agent}-{key.harness}-{key.model}".lower()).strip("-")[:60]
            digest = hashlib.sha256(f"{board.conditions!r} {key!r}".encode("utf-8", "backslashreplace")).hexdigest()
            entry.page = f"entries/{stem or 'entry'}-{digest[:10]}.html"
    every = [run for of in runs.values() for run in of]
    return Leaderboard(
        SCHEMA, title, __version__, limits, since, latest, len(experiments), len(every),
        sum(bool(r["counted"]) for r in every), boards, RESAMPLES, SEED, LEVEL,
    )  # fmt: skip


def _usable(
    experiments: Mapping[str, Run], tables: ResultTables, suites: Mapping[str, Mapping[str, str]], tell: Tell
) -> dict[str, Run]:
    """Without those whose tasks contradict their suite, or an older experiment of the same suite."""
    tasks: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for task in tables.rows["tasks"]:
        if task["digest"] is not None:
            tasks[task["experiment"]][task["task"]] = task["digest"]
        elif experiments[task["experiment"]]["suite_digest"] in suites:
            tasks[task["experiment"]][task["task"]] = ""
    known: dict[tuple[str, str], tuple[str, str]] = {}
    usable: dict[str, Run] = {}
    for name, experiment in sorted(experiments.items(), key=lambda kv: (kv[1]["created"] or datetime.max, kv[0])):
        suite = experiment["suite_digest"]
        true = suites.get(suite, {}) if suite is not None else {}
        foreign = next((t for t, d in tasks[name].items() if true and true.get(t) != d), None)
        if foreign is not None:
            tell(f"{experiment['place']}: task {foreign} differs from the suite that it names; experiment left out")
            continue
        held = {t: known.get((suite, t), (d, name)) for t, d in tasks[name].items()} if suite is not None else {}
        wrong = next((t for t, (digest, _) in held.items() if digest != tasks[name][t]), None)
        if wrong is not None:
            tell(
                f"{experiment['place']}: task {wrong} has other content than in {held[wrong][1]}, but the suite is "
                "named the same; experiment left out"
            )
            continue
        known |= {(suite, t): found for t, found in held.items()}
        usable[name] = experiment
    return usable


def _judging(runs: Sequence[Run]) -> str:
    scored = [r for r in runs if r["counted"] and r["rigor_score"] is not None]
    known = [r for r in scored if r["judged"] is not None]
    if len(known) < len(scored) or not scored:
        return "unknown"
    asked = [r for r in known if r["judged"] or r["estimated"]]
    judged = sum(bool(r["judged"]) for r in asked)
    if not asked:
        return "not needed"
    return "estimated" if not judged else "judged" if judged == len(asked) else "partly judged"


def _conditions(experiment: Run, scripted: bool, how: str, tasks: Sequence[Run]) -> Conditions:
    """``how``: its runs were judged."""
    names = {t["task"] for t in tasks}
    alone = [t for t in tasks if t["plain"] not in names and not (t["solvable"] == "yes" and t["twin"] in names)]
    listed = "\n".join(sorted(f"{t['task']} {t['digest']}" for t in alone))
    whole = experiment["suite_digest"] is not None and experiment["suite_tasks"] is not None
    version = _VERSION.match(experiment["rigorbench"] or "")
    return Conditions(
        experiment["suite"] or "",
        experiment["suite_digest"] or hashlib.sha256(listed.encode()).hexdigest(),
        whole,
        experiment["suite_tasks"] if whole else len(alone),
        experiment["seconds_limit"],
        experiment["tokens_limit"],
        experiment["metering"],
        experiment["sandbox"],
        f"{version[1]}.{version[2]}" if version else None,
        how,
        ", ".join(experiment["readers"] or ()) or None if "judged" in how else None,
        scripted,
        experiment["hints_limit"] or 0,
        experiment["context_limit"],
    )


def _board(
    conditions: Conditions,
    groups: Mapping[EntryKey, Mapping[str, list[Run]]],
    experiments: Mapping[str, Run],
    limits: Thresholds,
    since: datetime | None,
) -> Board:
    entries = [make_entry(key, of, experiments, conditions.size, limits, since) for key, of in groups.items()]
    ranked = [e for e in entries if not e.lacks and e.score.value is not None]
    for entry, mean in zip(ranked, adjusted(_matrix(ranked)) if ranked else (), strict=True):
        entry.adjusted = round(float(mean), DIGITS)

    def best(entry: BoardEntry) -> float:
        return next((v for v in (entry.adjusted, entry.score.value) if v is not None), -1.0)

    entries.sort(key=lambda e: (e.adjusted is None, -best(e), repr(e.key)))
    for number, entry in enumerate(entries):
        entry.number = number
    _rank(entries[: len(ranked)])
    # If all are new, the mark says nothing.
    if all(e.new for e in entries):
        for entry in entries:
            entry.new = False
    return Board(0, conditions, entries)


def _matrix(entries: Sequence[BoardEntry]) -> Array:
    return matrix([{t.task: t.means["rigor_score"] for t in e.tasks if "rigor_score" in t.means} for e in entries])


def _rank(ranked: Sequence[BoardEntry]) -> None:
    """Ranks the entries that meet the thresholds, which are in the order of the board."""
    found = differences(_matrix(ranked))
    for number, (entry, ends) in enumerate(zip(ranked, rank_ranges(found), strict=True)):
        entry.rank, entry.last_rank = ends
        others = [n for n in range(len(ranked)) if n != number and found.shared[number, n]]
        # Nobody reads all pairs of hundreds of entries; the ranks rest on all of them.
        nearest = sorted(others, key=lambda n: (abs(n - number), n))[:MOST_OTHERS]
        entry.versus = [
            Versus(
                n,
                round(float(found.value[number, n]), DIGITS),
                _known(found.low[number, n]),
                _known(found.high[number, n]),
                int(found.shared[number, n]),
            )
            for n in sorted(nearest)
        ]


def _known(value: np.float64) -> float | None:
    return None if np.isnan(value) else round(float(value), DIGITS)


def _differing(board: Board, boards: Sequence[Board]) -> list[tuple[int, str]]:
    """In what each other board of the same suite, of models or of policies alike, differs from this one."""
    others = (
        other
        for other in boards
        if other is not board
        and other.conditions.suite == board.conditions.suite
        and other.conditions.scripted == board.conditions.scripted
    )
    return [(o.number, differences_in_words(board.conditions, o.conditions)) for o in islice(others, MOST_BOARDS)]


# -- entries


def make_entry(
    key: EntryKey,
    groups: Mapping[str, list[Run]],
    experiments: Mapping[str, Run],
    size: int,
    limits: Thresholds,
    since: datetime | None,
) -> BoardEntry:
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
    flags = {
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
        flags["not read"] = sum(r["reader"] is None for r in counted)
    entry = BoardEntry(
        key, "", 0, dict(sorted(statuses.items())), figures, round(coverage, DIGITS), tasks, sources, first,
        max(dates, default=None), {name: number for name, number in flags.items() if number},
        new=since is not None and first is not None and first > since,
    )  # fmt: skip
    given = [verdict for run in counted for verdict in run["verdicts"] or ()]
    known = distribution(verdict for verdict in VERDICTS for one in given if one == verdict)
    entry.verdicts = {name: number for name, (number, _) in known.items() if number}
    repeats = f" with {limits.repeats} scored runs each" if limits.repeats > 1 else ""
    if enough < limits.tasks or coverage < limits.coverage:
        needed = max(limits.tasks, math.ceil(limits.coverage * size - 1e-9))
        entry.lacks.append(f"ran {enough} of {plural(size, 'task')}{repeats}, at least {needed} are needed")
    if len(counted) < limits.complete * len(runs):
        share = f"{limits.complete * 100:.0f} %"
        entry.lacks.append(f"{len(counted)} of {len(runs)} planned runs are counted, at least {share} are needed")
    return entry


def _figures(runs: Sequence[Run], twins: Sequence[Run]) -> dict[str, BoardMean]:
    figures = {
        name: _figure(_by_task(runs, column), interval=name in _WITH_INTERVAL) for name, column in FIGURES.items()
    }
    asked = [r for r in (*runs, *twins) if r["aq"] is not None]
    unsolvable = [r["aq"] for r in runs if r["solvable"] in ("impossible", "ambiguous")]
    solvable = [r["aq"] for r in asked if r["solvable"] == "yes"]
    if unsolvable or solvable:
        # Always and never abstaining both earn 0: Youden's J, as in the report of an experiment.
        joint = harness_abstention(unsolvable, solvable)
        plain = _figure(_by_task(asked, "aq"))
        figures["AQ"] = BoardMean(None if joint is None else round(joint, DIGITS), plain.tasks, plain.runs)
    for flag in flag_checks():
        fired = [{**run, flag: flag in run["flags"]} for run in runs if run["flags"] is not None]
        figures[flag] = _figure(_by_task(fired, flag), interval=True)
    return figures


def _by_task(runs: Iterable[Run], column: str) -> dict[str, list[float]]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for run in runs:
        if run[column] is not None:
            found[run["task"]].append(float(run[column]))
    return found


def _figure(by_task: Mapping[str, Sequence[float]], *, interval: bool = False) -> BoardMean:
    means = {task: _mean(found) for task, found in by_task.items()}
    ends = mean_interval([means[task] for task in sorted(means)]) if interval else None
    low, high = (None, None) if ends is None else (round(end, DIGITS) for end in ends)
    value = round(_mean([*means.values()]), DIGITS) if means else None
    return BoardMean(value, len(means), sum(map(len, by_task.values())), low, high)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _task(name: str, runs: Sequence[Run]) -> TaskFigures:
    values = {m: [float(r[FIGURES[m]]) for r in runs if r[FIGURES[m]] is not None] for m in MEASURES}
    means = {m: round(_mean(v), DIGITS) for m, v in values.items() if v}
    return TaskFigures(name, runs[0]["category"], runs[0]["task_digest"], len(runs), means)


def _source(experiment: Run, runs: Sequence[Run]) -> EntrySource:
    counted = [r for r in runs if r["counted"]]
    score = _figure(_by_task(counted, "rigor_score"), interval=True)
    date = max((r["started"] for r in counted if r["started"] is not None), default=experiment["created"])
    cores = None if experiment["cores"] is None else f"{experiment['cores']} cores"
    machine = ", ".join(str(part) for part in (experiment["os"], experiment["architecture"], cores) if part)
    statuses = Counter(r["status"] for r in runs)
    return EntrySource(
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
