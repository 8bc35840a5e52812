"""What one call of the shell says of its commands: their exit statuses, and what they show."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Sequence
from itertools import pairwise

from ...trajectory.model import ObservedProcess
from ..commands.classify import Classified
from ..testruns.outcome import detect_runner

# Lines a to b of `sed -n a,bp`; the number of lines of `head -n a`.
_LINES = re.compile(r"-?(\d{1,6})(?:,(\d{1,6})p)?")


def guard_each_other(tests: Sequence[Classified]) -> bool:
    """Whether the first of these that fails keeps the others from running."""
    return all(a.command.text in b.command.guards for a, b in pairwise(tests))


def recorded_statuses(
    parts: Sequence[Classified], own: Sequence[int | None], programs: Sequence[ObservedProcess]
) -> list[int | None]:
    """The commands' exit statuses: as recorded, else as far as the status of the whole line shows them."""
    left = [(posixpath.basename(p.argv[0]), p.argv[1:], p.exit_status) for p in programs if p.argv]
    found: list[int | None] = []
    for part, status in zip(parts, own, strict=True):
        try:
            words = shlex.split(part.command.text)
        except ValueError:
            words = []
        # The text has the redirections, too; the words are those that the program was started with.
        command = part.command
        argvs = [(posixpath.basename(words[0]), words[1:])] if words else []
        argvs.append((posixpath.basename(command.path), list(command.args)))
        recorded = next((p for p in left if (p[0], p[1]) in argvs), None)
        if recorded is not None:
            left.remove(recorded)
        found.append(status if recorded is None or recorded[2] is None else recorded[2])
    return found


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
