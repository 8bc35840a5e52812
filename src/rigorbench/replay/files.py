"""The file tools (rm, mv, cp), carried out on the files of a session."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..evidence.code.units import is_source
from ..evidence.edits.files import sources_and_target
from ..evidence.shell.values import operands
from .state import State

# From a path as the command writes it to the path in the repository (None: outside).
Resolve = Callable[[str], str | None]
EXTENSION = re.compile(r"\.\w{1,6}$")


def has_pattern(path: str) -> bool:
    """Whether the shell expands something in a path, so that its text does not name the file."""
    return any(c in path for c in "*?$`{[")


def move_files(state: State, program: str, args: list[str], resolve: Resolve, where: str) -> None:
    """Carry out rm, mv or cp; of rsync only that files change."""
    reason = f"{where}: the files that {program} changes are not certain"
    if program == "rm":
        for path in (p for a in operands(args) if (p := resolve(a)) is not None):
            if not has_pattern(path):
                for file in state.under(path) if path else []:
                    state.set(file, None)
            elif is_source(path) or not EXTENSION.search(path):
                state.lose(reason)
        return
    sources, target = sources_and_target(args)
    if program != "rsync" and len(sources) == 1:
        _move_one(state, program, sources[0], target, resolve, where)
    elif any(resolve(a) is not None for a in (*sources, target)):
        state.lose(reason)


def _move_one(state: State, program: str, old: str, new: str, resolve: Resolve, where: str) -> None:
    source, target = resolve(old), resolve(new)
    if source is None and target is None:
        return
    if source is not None and has_pattern(source):
        state.lose(f"{where}: the files that {program} changes are not certain")
        return
    inside = state.under(source) if source else []
    if target is None:
        if program == "mv":
            for path in inside:
                state.set(path, None)
        return
    if new.endswith("/") or target == "" or (state.get(target) is None and state.under(target)):
        target = f"{target}/{(source or old).rsplit('/', 1)[-1]}".lstrip("/")
    if source is None or not inside:
        # From outside the repository, or a file that the log does not know.
        if source is None or is_source(target):
            state.mark_unknown([target], f"{where} writes {target}, and the log does not show what")
        return
    for path in inside:
        state.set(target + path[len(source) :], state.get(path))
        if program == "mv":
            state.set(path, None)
