"""How far the runs of a plan are in the directory of an experiment."""

from __future__ import annotations

from msgspec import Struct, field

from ...experiment.model import Cell
from ...experiment.store import ExperimentDirectory
from .plan import Plan


class CellStates(Struct):
    """The cells of a plan by their state."""

    done: list[Cell] = field(default_factory=list)
    unscored: list[Cell] = field(default_factory=list)
    to_run: list[Cell] = field(default_factory=list)


def survey(plan: Plan, directory: ExperimentDirectory, *, retry_errors: bool = False) -> CellStates:
    """The state of each cell of a plan, without changing anything; ``retry_errors``: broken runs are to run again."""
    states = CellStates()
    for cell in plan.cells:
        state = directory.state(cell)
        if state == "done":
            result = directory.result(cell)
            again = retry_errors and result is not None and result.status == "error"
            (states.to_run if again else states.done).append(cell)
        else:
            (states.unscored if state == "unscored" else states.to_run).append(cell)
    return states
