"""What one run of an experiment needs before its agent starts, and the first line of its journal."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ....base import journal
from ....base.text import count
from ...experiment.grid import is_scripted
from ...experiment.manifest import without_home
from ...experiment.records import Cell
from ...experiment.store import ExperimentDirectory
from ...harness.harness import HarnessWorkspace
from ...projects.endpoint import JudgeEndpoint, Open
from ..planning.plan import ExperimentPlan, build_workspace, split_sandbox


class Prepared:
    """Everything that one run needs. ``directory``: for its evidence; ``judge``: where a project is submitted."""

    def __init__(
        self,
        plan: ExperimentPlan,
        cell: Cell,
        workspace: HarnessWorkspace,
        directory: Path,
        judge: JudgeEndpoint | None,
    ) -> None:
        self.plan, self.cell, self.workspace, self.directory, self.judge = plan, cell, workspace, directory, judge
        self.suite_task, self.agent = plan.tasks[cell.task], plan.agents[cell.agent]
        self.sandbox, config = split_sandbox(plan.request.sandbox)
        self.config = str(Path(config).absolute()) if config is not None else None
        """The file that the user gave for the sandbox."""


def prepare_cells(
    plan: ExperimentPlan,
    cells: Sequence[Cell],
    workspaces: Path,
    out: ExperimentDirectory,
    open_endpoint: Open | None = None,
) -> list[Prepared]:
    """Prepare runs. Those of a task, harness and agent start from one repository, which is built in ``workspaces``.

    ``open_endpoint``: opens where a project is submitted.

    Raises:
        PlanError: a workspace cannot be built.
    """
    built: dict[tuple[str, str, str], HarnessWorkspace] = {}
    prepared = []
    for cell in cells:
        key = (cell.task, cell.harness, cell.agent)
        if key not in built:
            task, harness = plan.tasks[cell.task], plan.harnesses[cell.harness]
            built[key] = build_workspace(plan, task, harness, cell.agent, workspaces / str(len(built)))
        judge = open_endpoint(cell, plan.budget.hints) if open_endpoint and plan.tasks[cell.task].project else None
        prepared.append(Prepared(plan, cell, built[key], out.run(cell).absolute(), judge))
    return prepared


def run_record(prepared: Prepared, root: str) -> journal.RunRecord:
    """First line of the journal. The sandbox itself adds to ``features`` what it records."""
    p, w, of, suite = prepared, prepared.workspace, prepared.suite_task, prepared.plan.suite
    # With which the task is found again.
    locator = suite.name if suite.installed else without_home([suite.locator])[0]
    return journal.RunRecord(
        time=time.time(),
        schema=journal.SCHEMA,
        id=p.cell.id,
        root=root,
        start_commit=w.start_commit,
        start_tree=w.start_tree,
        base_tree=w.base_tree,
        # Without the text that a harness puts before it: the user did not write that.
        prompt=p.suite_task.task.instruction,
        task={"name": p.cell.task, "suite": locator, "digest": of.digest, "category": of.task.category},
        agent={"name": p.cell.agent, "version": p.plan.readiness[p.cell.agent].version},
        harness={**w.facts, "name": p.cell.harness},
        model=p.cell.model,
        scripted=is_scripted(p.cell.model),
        features=["models"],
    )


# Runs in a row that broke since the model did not answer.
RUNS = 2


class Breaker:
    """Counts, for each model, the runs in a row that its provider broke."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        """Why the runs of a model were stopped."""
        self.skipped: dict[str, Cell] = {}
        """Cells by id that are not run."""
        self._broken: Counter[str] = Counter()

    def skips(self, cell: Cell) -> bool:
        """Whether this run is not to be made."""
        if cell.model in self.reasons:
            self.skipped[cell.id] = cell
        return cell.id in self.skipped

    def broke(self, cell: Cell, why: str) -> None:
        self._broken[cell.model] += 1
        if self._broken[cell.model] >= RUNS:
            self.reasons.setdefault(cell.model, why)

    def answered(self, cell: Cell) -> None:
        self._broken[cell.model] = 0

    def problems(self) -> list[str]:
        """One line for each model whose further runs were not made."""
        left = Counter(cell.model for cell in self.skipped.values())
        return [
            f"model {model}: did not answer in {RUNS} runs, and {count(number, 'further run')} were not made "
            f"({self.reasons[model]}); the same command with --retry-errors continues when it answers again"
            for model, number in left.items()
        ]
