"""Projects: points, code review and effort of each condition."""

from __future__ import annotations

from ...experiment.compare import Condition
from ...experiment.model import ProjectOutcome, RunResult
from .groups import GroupData
from .measures import Value, counted_entry, entry
from .model import Column, Entry, Table
from .of_projects import of_project, per_group_with_projects, project_runs, submitted
from .spec import TableSpec

# The best of the first k submissions is shown for so many k.
_CURVE = 3
_NO_PROJECT = "not a project"


def _because(run: RunResult) -> str:
    if run.project is None:
        return _NO_PROJECT
    return run.project.missing[0] if run.project.missing else "not measured"


_FIRST_PASS = of_project(lambda p: None if p.first_pass is None else p.first_pass.turn)


def _at(k: int) -> Value:
    def value(project: ProjectOutcome) -> float | None:
        curve = project.execution_at
        return curve[min(k, len(curve)) - 1] if curve else project.execution

    return of_project(value)


def _means(group: GroupData) -> Table:
    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        def mean(name: str, of: Value) -> Entry:
            return entry(group, project_runs(runs), name, of, because=_because)

        return [
            counted_entry(condition),
            mean("execution", of_project(lambda p: p.execution)),
            mean("review", of_project(lambda p: p.review)),
            mean("final", of_project(lambda p: p.final)),
            *(mean(f"at_{k}", _at(k)) for k in range(1, _CURVE + 1)),
            mean("submissions", of_project(submitted)),
            entry(
                group, project_runs(runs), "first_pass", _FIRST_PASS, because=lambda run: "no submission has all points"
            ),
            mean("turns", lambda run: run.model_calls),
            entry(group, project_runs(runs), "tokens"),
            entry(group, project_runs(runs), "seconds"),
            mean("files", of_project(lambda p: None if p.size is None else p.size.files)),
            mean("lines", of_project(lambda p: None if p.size is None else p.size.lines)),
        ]

    return TABLE.table(
        "Points of 100. Execution: the best submission. Final: .8 execution + .2 code review. Exec@k: the best of the "
        "first k submissions; a run that stopped earlier keeps its points. First pass: model calls before the first "
        "submission with all points, of the runs that have one. Files and lines of the best submission, without tests.",
        [
            Column("runs", "runs", "count"),
            Column("execution", "execution", "number", best="most"),
            Column("review", "code review", "number", best="most"),
            Column("final", "final", "number", best="most"),
            *(Column(f"at_{k}", f"Exec@{k}", "number") for k in range(1, _CURVE + 1)),
            Column("submissions", "submissions", "number"),
            Column("first_pass", "first pass at turn", "number"),
            Column("turns", "turns", "number"),
            Column("tokens", "tokens", "tokens"),
            Column("seconds", "time", "seconds"),
            Column("files", "files", "number"),
            Column("lines", "lines", "number"),
        ],
        group.rows(entries),
        group=group,
    )


TABLE = TableSpec(
    stem="projects",
    title="Projects",
    about="of projects: execution, code review, final, Exec@k, submissions, turn of the first pass, effort, size",
    build=per_group_with_projects(_means),
)
