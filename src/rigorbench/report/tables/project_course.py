"""Projects: how the points rose with the turns, and where the runs stopped rising."""

from __future__ import annotations

from ...experiment.compare import Condition
from ...experiment.model import ProjectOutcome, RunResult
from ...judge.scores.formulas import curve
from .groups import GroupData
from .measures import entry
from .model import Column, Entry, Table
from .of_projects import of_project, per_group_with_projects, project_runs
from .spec import TableSpec

# The best submission made within so many turns.
_TURNS = (10, 20, 40, 80, 160, 320)
_COURSES = {"solved": "solved", "plateau": "plateau", "improving": "rising", "none": "nothing judged"}


def _within(project: ProjectOutcome, turns: int) -> float | None:
    """The best counted submission made within so many turns; 0 before the first. None: their turns are unknown."""
    counted = [s for s in project.submissions if s.counted]
    if any(s.turn is None for s in counted):
        return None
    best = [
        b for s, b in zip(counted, project.execution_at, strict=False) if s.turn is not None and s.turn <= turns and b
    ]
    return max(best, default=0.0)


def _course(project: ProjectOutcome) -> str:
    return curve([one.points for one in project.submissions if one.counted]).progress


def _table(group: GroupData) -> Table:
    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        found = project_runs(runs)

        def points(turns: int) -> Entry:
            return entry(group, found, f"t{turns}", of_project(lambda p: _within(p, turns)), because=_because)

        def share(course: str) -> Entry:
            return entry(group, found, course, of_project(lambda p: float(_course(p) == course)), because=_because)

        return [*map(points, _TURNS), *map(share, _COURSES)]

    return TABLE.table(
        "Points of 100 of the best submission made within so many model calls. Course of a run: solved; plateau: three "
        "submissions or more since the last gain; rising: fewer; nothing judged.",
        [
            *(Column(f"turns_{n}", f"within {n} turns", "number", best="most") for n in _TURNS),
            *(Column(name, title, "percent") for name, title in _COURSES.items()),
        ],
        group.rows(entries),
        group=group,
    )


def _because(run: RunResult) -> str:
    return "the turns of its submissions are not known"


TABLE = TableSpec(
    stem="projects-course",
    title="The course of projects",
    about="of projects: points within 10, 20, 40 ... turns, and shares of runs that solved it, rose, or stopped rising",
    build=per_group_with_projects(_table),
)
