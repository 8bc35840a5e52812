"""The tables of results, ``rigor-results/1``, with the columns of docs/results.tsv, and their rows from files of runs.

Unknown is NULL, never 0 or "".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from msgspec import Struct, structs

from ....base.data import data_path
from ....review.result import PILLAR_TITLES
from ....review.review import GRADES, Review
from ..conditions import is_twin, is_variant
from ..grid import is_scripted
from ..records import Cell, Manifest, Outcome, ProjectOutcome, RunResult, Subject
from ..values import OUTCOMES, RESULTS, stored
from .files import RunFiles, ScoreFile

SCHEMA = "rigor-results/1"
# "share": a number in [0, 1]; "time": a moment in UTC, to the microsecond.
Type = Literal["text", "integer", "number", "share", "flag", "time", "texts"]


class SchemaColumn(Struct, frozen=True):
    """``meaning``: one line with the unit, as in the metadata of Parquet files."""

    name: str
    type: Type
    meaning: str


class SchemaTable(Struct, frozen=True):
    """``key``: the columns that name a row."""

    name: str
    key: tuple[str, ...]
    columns: list[SchemaColumn]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


TABLES: dict[str, SchemaTable] = {
    name: SchemaTable(name, key, [])
    for name, key in {
        "experiments": ("experiment",),
        "tasks": ("experiment", "task"),
        "runs": ("experiment", "run"),
        "submetrics": ("experiment", "run", "submetric"),
        "tests": ("experiment", "run", "test"),
        "submissions": ("experiment", "run", "submission"),
        "project_failures": ("experiment", "run", "number"),
        "hints": ("experiment", "run", "hint"),
    }.items()
}
for _line in data_path("docs/results.tsv").read_text(encoding="utf-8").splitlines()[1:]:
    _table, _name, _type, _meaning = _line.split("\t")
    TABLES[_table].columns.append(SchemaColumn(_name, _type, _meaning))  # type: ignore[arg-type]
EXPERIMENTS, TASKS, RUNS, SUBMETRICS, TESTS, SUBMISSIONS, PROJECT_FAILURES, HINTS = TABLES.values()
# What `rigor corpus` writes of a corpus: folders of Parquet files, each a view.
CORPUS = ("scores", "failures")

Row = dict[str, Any]

_NOBODY = Subject("")
_EPOCH = datetime(1970, 1, 1)
COUNTED = ("completed", "limit", "crashed")
# Columns with the values of measures, as the comparison has them.
_MEASURES = (*RESULTS, "tokens", *OUTCOMES, "regressions", *PILLAR_TITLES)
# How wrong a clock may be before its times are ignored.
_SLACK = 24 * 3600.0


def row(table: SchemaTable, *values: Any) -> Row:
    return dict(zip(table.names, values, strict=True))


def moment(seconds: float) -> datetime | None:
    """Seconds since 1970 as a time in UTC without a zone; None: outside the calendar."""
    try:
        found = _EPOCH + timedelta(seconds=round(seconds, 6))
    except (OverflowError, ValueError):
        return None
    return found if found.year >= 1970 else None


def wrong_clock(result: RunResult, created: float, now: float) -> str | None:
    """Why the start time of a run cannot be right; None: it can."""
    if moment(result.started) is None or result.started > now + _SLACK:
        return "began in the future"
    if created <= now + _SLACK and result.started < created - _SLACK:
        return "began before its experiment was planned"
    return None


def _part(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def blank_row(manifest: Manifest, cell: Cell, status: str) -> Row:
    """The row of a run without a result that can be read, whose ``status`` is "missing" or "damaged"."""
    return {**dict.fromkeys(RUNS.names), **_planned(manifest, cell), "status": status, "counted": False}


def _planned(manifest: Manifest, cell: Cell) -> dict[str, Any]:
    """The columns of a run that are known without its result."""
    task = manifest.tasks.get(cell.task, _NOBODY)
    harness = manifest.harnesses.get(cell.harness, _NOBODY)
    model = manifest.models.get(cell.model, _NOBODY)
    overlay = _part(_part(harness.facts, "agents"), cell.agent)
    return {
        "experiment": manifest.id,
        "run": cell.id,
        **structs.asdict(cell),
        "scripted": cell.model in manifest.scripted or is_scripted(cell.model),
        "beside": is_variant(manifest.tasks, cell.task),
        "twin": is_twin(manifest.tasks, cell.task),
        "task_digest": task.digest,
        **{name: text(task.facts.get(name)) for name in ("category", "solvable", "pressure")},
        "agent_version": manifest.agents.get(cell.agent, _NOBODY).version,
        "harness_version": harness.version,
        "harness_digest": harness.digest,
        "overlay_digest": text(_part(overlay, "digest")),
        "model_version": model.version,
        "policy_digest": text(_part(_part(model.facts, "policies"), cell.task)),
        "suite": manifest.suite,
        "sandbox": manifest.sandbox,
        "rigorbench": manifest.versions.get("rigorbench"),
    }


def run_row(manifest: Manifest, files: RunFiles, result: RunResult, *, clock: bool) -> Row:
    """The row of a run with a ``result``. ``clock``: its time can be believed."""
    score, review = files.score, files.review
    planned, tokens = _planned(manifest, result.cell), result.tokens or {}
    outcome = result.outcome or Outcome()
    # Whether the log is whole. A recording does not say so itself, but knows its gaps.
    if score is None or score.trajectory.complete is not None:
        complete = None if score is None else score.trajectory.complete
    else:
        complete = True if result.status in COUNTED and not result.gaps else None
    return {
        **dict.fromkeys(RUNS.names),
        **planned,
        "scripted": result.scripted or planned["scripted"],
        "status": result.status,
        "counted": result.status in COUNTED,
        "limited_by": result.limit,
        "error": result.error,
        "started": moment(result.started) if clock else None,
        "working": result.working,
        **{name.lower(): stored(result, name) for name in _MEASURES},
        **{f"tokens_{part}": tokens.get(part) for part in ("input", "cache_read", "cache_write", "output")},
        **{f"{p.lower()}_status": result.pillar_status.get(p) for p in PILLAR_TITLES},
        **({} if score is None else _methods(score)),
        "solved": outcome.solved,
        "hidden_tests": len(outcome.tests) or None,
        "hidden_passed": sum(t.outcome == "passed" for t in outcome.tests) if outcome.tests else None,
        "tampering": None if result.outcome is None else len(outcome.tampering),
        "no_outcome": outcome.reason,
        "harness_loaded": None if result.manipulation is None else result.manipulation.loaded,
        "breaches": len(result.breaches),
        "breach_kinds": sorted({b.kind for b in result.breaches}),
        "gaps": len(result.gaps),
        **({} if result.project is None else _project_columns(result.project)),
        "final_tree": outcome.final_tree,
        "complete": complete,
        **({} if review is None else _reviewed(review)),
        "result_digest": files.digests.result,
        "score_digest": files.digests.score,
        "review_digest": files.digests.review,
    }


def _reviewed(review: Review) -> dict[str, Any]:
    flags = list(dict.fromkeys(c.id for c in review.checks if c.severity == "flag"))
    return {
        "reader": None if review.reading is None else review.reading.reader,
        # Runs that were recorded before there were readers have grades that rules made.
        "overall": None if review.reading is None else review.overall,
        **{name: review.grades[name].value if review.reading and name in review.grades else None for name in GRADES},
        "work_size": review.size,
        "checks": list(dict.fromkeys(c.id for c in review.checks)),
        "flags": flags,
        "flagged": bool(flags),
    }


def _methods(score: ScoreFile) -> dict[str, int]:
    parts = [s for p in score.pillars.values() for s in p.submetrics.values() if s.status == "scored"]
    return {method: sum(s.method == method for s in parts) for method in ("replayed", "parsed", "judged", "estimated")}


def submetric_rows(experiment: str, run: str, score: ScoreFile) -> Iterable[Row]:
    pillars = [(name, p.submetrics, p.evidence_share) for name, p in score.pillars.items()]
    for pillar, submetrics, share in (*pillars, (None, score.extended, None)):
        for name, sub in submetrics.items():
            value = sub.value if sub.status == "scored" else None
            found = (value, sub.status, sub.method, sub.n, len(sub.evidence), len(sub.readers), share, sub.reason)
            yield row(SUBMETRICS, experiment, run, pillar, name, *found)


def task_rows(manifest: Manifest) -> Iterable[Row]:
    for name in dict.fromkeys([*manifest.tasks, *(c.task for c in manifest.cells)]):
        task = manifest.tasks.get(name, _NOBODY)
        facts = (text(task.facts.get(k)) for k in ("category", "solvable", "twin", "pressure", "plain"))
        project = task.facts.get("project")
        starter = found if isinstance(found := _part(project, "starter"), bool) else None
        yield row(TASKS, manifest.id, name, task.digest, *facts, text(_part(project, "difficulty")), starter)


def _project_columns(project: ProjectOutcome) -> dict[str, Any]:
    """The columns of a run that only projects have."""
    counted, first = project.counted, project.first_pass
    size = {} if project.size is None else structs.asdict(project.size)
    return {
        "execution": project.execution,
        "code_review": project.review,
        "final": project.final,
        "submissions": len(counted),
        "verdicts": [one.verdict or "none" for one in counted],
        "hints": sum(one.text is not None for one in project.hints),
        "best_submission": project.best,
        "first_pass_turn": None if first is None else first.turn,
        "unsubmitted": project.unsubmitted,
        **{name: size.get(name) for name in ("files", "lines", "complexity")},
        "failure_modes": list(dict.fromkeys(one.kind for one in project.failures)),
    }


def submission_rows(experiment: str, run: str, project: ProjectOutcome) -> Iterable[Row]:
    best: float | None = None
    for one in {s.number: s for s in project.submissions}.values():
        points = one.points
        if one.counted and points is not None:
            best = points if best is None else max(best, points)
        seconds = one.time if one.time is not None and one.time >= 0 else None
        course = (one.number, seconds, one.turn, one.verdict, points, best, one.counted, one.local, one.revision)
        yield row(SUBMISSIONS, experiment, run, *course)


def failure_rows(experiment: str, run: str, project: ProjectOutcome) -> Iterable[Row]:
    for number, one in enumerate(project.failures, 1):
        yield row(PROJECT_FAILURES, experiment, run, number, one.kind, one.submission, one.evidence)


def hint_rows(experiment: str, run: str, project: ProjectOutcome) -> Iterable[Row]:
    for one in {h.number: h for h in project.hints}.values():
        seconds = one.time if one.time is not None and one.time >= 0 else None
        said = (one.number, one.source, one.group, one.question, one.text)
        yield row(HINTS, experiment, run, *said, seconds, one.turn, one.before, one.after)
