"""What the file tools (rm, mv, cp and alike) do to the files of a session."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..evidence.code.units import is_source
from .state import State

# From a path as the command writes it to the path in the repository (None: outside).
Resolve = Callable[[str], str | None]
EXTENSION = re.compile(r"\.\w{1,6}$")


def has(args: list[str], option: str) -> bool:
    """Whether an option is given, alone, with ``=value``, or among letters behind one dash."""
    return any(a == option or (option.startswith("--") and a.startswith(option + "=")) for a in args) or (
        len(option) == 2 and any(a.startswith(option) and not a.startswith("--") and len(a) > 2 for a in args)
    )


def move_files(state: State, program: str, args: list[str], resolve: Resolve, where: str) -> None:
    plain = [a for a in args if not a.startswith("-")]
    reason = f"{where}: the files that {program} changes are not certain"
    if program == "rm":
        for arg in plain:
            path = resolve(arg)
            if path is None or any(c in path for c in "*?$`{["):
                if path is not None and EXTENSION.search(path) and not is_source(path):
                    continue
                if path is not None:
                    state.lose(reason)
                continue
            for victim in state.under(path) if path else []:
                state.set(victim, None)
        return
    if program in ("mv", "cp") and len(plain) == 2:
        source, target = resolve(plain[0]), resolve(plain[1])
        if source is None and target is None:
            return
        if source is not None and any(c in source for c in "*?$`{["):
            state.lose(reason)
            return
        inside = state.under(source) if source else []
        if target is None:
            if program == "mv":
                for victim in inside:
                    state.set(victim, None)
            return
        if plain[1].endswith("/") or target == "" or (state.get(target) is None and state.under(target)):
            target = f"{target}/{(source or plain[0]).rsplit('/', 1)[-1]}".lstrip("/")
        if source is None or not inside:
            # From outside the repository, or a file that the log does not know.
            if source is None or is_source(target):
                state.doubt([target], f"{where} writes {target}, and the log does not show what")
            return
        for path in inside:
            entry = state.get(path)
            state.set(target + path[len(source) :], entry)
            if program == "mv":
                state.set(path, None)
        return
    if any(resolve(a) is not None for a in plain) and program in ("mv", "cp", "rsync"):
        state.lose(reason)
