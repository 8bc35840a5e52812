"""The option that names the task of a session."""

from __future__ import annotations

import argparse
from pathlib import Path

from .common import Usage


def add_task(p: argparse.ArgumentParser) -> None:
    """Adds --task."""
    p.add_argument("--task", metavar="FILE", help="task file: requirements, commands, whether the task can be done")


def check_task(path: str | None) -> None:
    """Raises: Usage when the task file cannot be read."""
    from ..tasks.task import TaskError, load_task

    try:
        if path is not None:
            load_task(Path(path))
    except TaskError as error:
        raise Usage(str(error)) from None
