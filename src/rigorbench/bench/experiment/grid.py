"""The grid: the runs of an experiment, from the options of the user."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...base.text import did_you_mean
from .records import Cell

# A model of this provider is a scripted policy, not a model.
SCRIPTED = "scripted/"


class GridError(ValueError):
    """The options do not give a grid. One line that names the possible values."""


def listed(values: Iterable[str]) -> list[str]:
    """Values given by repetition, by commas or both, each once, in the order given; surrounding blanks are dropped."""
    parts = (part.strip() for value in values for part in value.split(","))
    return list(dict.fromkeys(part for part in parts if part))


def check_names(what: str, names: Sequence[str], known: Sequence[str]) -> None:
    """Raises: GridError if a name is unknown, or none was given."""
    if not names:
        raise GridError(f"no {what} given; possible: {', '.join(known)}")
    for name in names:
        if name not in known:
            raise GridError(f"no {what} {name!r}{did_you_mean(name, known)}; possible: {', '.join(known)}")


def make_cells(
    tasks: Sequence[str], agents: Sequence[str], harnesses: Sequence[str], models: Sequence[str], repeats: int
) -> list[Cell]:
    """All runs of the grid, in the order of execution.

    Conditions alternate within a task, and a repeat begins when the previous one is done: an experiment that is stopped
    early is still a fair comparison, and a machine or service that changes over time affects all conditions alike.

    Raises:
        GridError: two cells would have the same directory.
    """
    if repeats < 1:
        raise GridError(f"{repeats} repeats: at least 1")
    cells = [
        Cell(task, agent, harness, model, repeat)
        for repeat in range(1, repeats + 1)
        for task in tasks
        for agent in agents
        for model in models
        for harness in harnesses
    ]
    check_ids(cells)
    return cells


def check_ids(cells: Iterable[Cell]) -> None:
    """Raises: GridError if two cells differ only in characters that a directory's name cannot contain."""
    seen: dict[str, Cell] = {}
    for cell in cells:
        other = seen.setdefault(cell.id, cell)
        if other != cell:
            raise GridError(f"the runs {_described(other)} and {_described(cell)} have one directory, runs/{cell.id}")


def is_scripted(model: str) -> bool:
    return model.startswith(SCRIPTED)


def _described(cell: Cell) -> str:
    return f"{cell.task}/{cell.agent}/{cell.harness}/{cell.model}/{cell.repeat}"
