"""What one run of an experiment needs before its agent starts, and the first line of its journal."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from ..experiment.model import Budget, Cell
from ..tasks.harness.model import Workspace
from ..tasks.suite import SuiteTask
from ..trajectory import journal
from .agents import AgentSpec
from .projects import Desk


class Prepared(Struct, frozen=True):
    """Everything that one run needs. ``directory``: of the run, in which the evidence is kept.

    ``sandbox``: its kind; ``config``: the file that the user gave for it. ``desk``: where a project is submitted.
    """

    cell: Cell
    suite_task: SuiteTask
    agent: AgentSpec
    workspace: Workspace
    budget: Budget
    sandbox: str
    directory: Path
    root: str
    scripted: bool
    agent_version: str | None = None
    network: bool = False
    config: str | None = None
    desk: Desk | None = None


def run_record(prepared: Prepared, root: str) -> journal.Run:
    """First line of the journal. The witnesses of the sandbox are added to ``features`` by the sandbox itself."""
    p, w = prepared, prepared.workspace
    return journal.Run(
        time=time.time(),
        schema=journal.SCHEMA,
        id=p.cell.id,
        root=root,
        start_commit=w.start_commit,
        start_tree=w.start_tree,
        base_tree=w.base_tree,
        # Without what a harness puts in front of it: that is not the user's word.
        prompt=p.suite_task.task.instruction,
        task={"name": p.cell.task, "digest": p.suite_task.digest, "category": p.suite_task.task.category},
        agent={"name": p.cell.agent, "version": p.agent_version},
        harness={**w.facts, "name": p.cell.harness},
        model=p.cell.model,
        scripted=p.scripted,
        features=["models"],
    )


def cell_metadata(prepared: Prepared) -> dict[str, Any]:
    """What the sample says about itself (bench/context.py), and which cell it is."""
    return {
        **to_builtins(prepared.cell),
        "task_directory": prepared.suite_task.place,
        "root": prepared.root,
    }
