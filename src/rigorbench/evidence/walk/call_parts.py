"""What one call of the shell says of its commands: their exit statuses, and what they show."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Sequence

from ...session.model import ObservedProcess
from ..commands.classify import Classified
from ..shell.parse import Command
from ..shell.tables import programs as tables
from ..testruns.outcome import detect_runner

# Lines a to b of `sed -n a,bp`; the number of lines of `head -n a`.
_LINES = re.compile(r"-?(\d{1,6})(?:,(\d{1,6})p)?")
_EXPANDED = re.compile(r"[$*?\[{~`]")


def places(parts: Sequence[Classified], programs: Sequence[ObservedProcess]) -> list[int | None]:
    """The number of the program that each command was seen to start; every program is of one command at most."""
    left = {n: [posixpath.basename(p.argv[0]), *p.argv[1:]] for n, p in enumerate(programs) if p.argv}
    found: list[int | None] = []
    for part in parts:
        command = part.command
        try:
            words = shlex.split(command.text)
        except ValueError:
            words = []
        # The text has the redirections and variables, too; the words are those that the program was started with.
        known = [posixpath.basename(command.path), *command.args]
        written = [posixpath.basename(words[0]), *words[1:]] if words else known
        tail = [command.path, *command.args] if command.wrappers else None
        fits = (n for n, argv in left.items() if argv in (written, known) or argv[-len(known) :] == tail)
        found.append(next(fits, None))
        left.pop(-1 if found[-1] is None else found[-1], None)
    return found


def not_reached(
    parts: Sequence[Classified], at: Sequence[int | None], programs: Sequence[ObservedProcess], status: int | None
) -> set[int]:
    """The commands of a failed line after the last that was seen to run, of which no program was seen."""
    last = max((n for n, place in enumerate(at) if place is not None), default=len(parts))
    if not status or last == len(parts):
        return set()
    unclaimed = [(set(map(posixpath.basename, p.argv[:3])), p.argv) for p in programs[(at[last] or 0) + 1 :]]

    def may_be_seen(command: Command) -> bool:
        literal = {a for a in command.args if _EXPANDED.search(a) is None}
        return any(command.program in names and literal <= set(argv) for names, argv in unclaimed)

    rest = {n: parts[n].command for n in range(last + 1, len(parts))}
    return {n for n, c in rest.items() if c.program not in tables().infallible and not may_be_seen(c)}


def shown_text(part: Classified, output: str, *, tested: bool) -> str:
    """What of an output is the file's text. ``tested``: the rest of it is from tests, if the file was shown first."""
    if not tested:
        return output
    extents = [e for a in part.command.args if (e := _LINES.fullmatch(a)) is not None]
    if len(extents) != 1 or part.command.program not in ("sed", "head"):
        return ""
    first, last = extents[0].groups()
    shown = "\n".join(output.split("\n")[: int(last) - int(first) + 1 if last else int(first)])
    # The log of a long command may have lost its beginning, so that these are the runner's own words.
    return "" if detect_runner(shown) is not None else shown
