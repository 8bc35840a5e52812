"""Writes what can be generated in a task's directory: the generic files that Harbor needs, and the canaries."""

from __future__ import annotations

import re
from pathlib import Path

from ..session.task import TaskError, load_task
from .canary import new_canary, stamp
from .harbor import write_generic

_TABLE = re.compile(r"^\[metadata\.rigor\][ \t]*\n", re.MULTILINE)


def prepare_task(directory: Path) -> list[str]:
    """Write what is missing or out of date; returns the names of the files written, relative to the task.

    Raises:
        TaskError: the task file cannot be used.
        OSError: a file cannot be written.
    """
    file = directory / "task.toml"
    task = load_task(file)
    written = write_generic(directory)
    canary = task.canary
    if canary is None:
        canary = new_canary()
        text = file.read_text(encoding="utf-8")
        if _TABLE.search(text) is None:
            raise TaskError(f"{file}: no line [metadata.rigor], which the canary must follow")
        file.write_text(_TABLE.sub(f'[metadata.rigor]\ncanary = "{canary}"\n', text, count=1), encoding="utf-8")
        written.append(file.name)
    marked = [path.relative_to(directory).as_posix() for path in stamp(directory, canary)]
    return list(dict.fromkeys([*written, *marked]))
