"""Which command stopped a line of ``a && b``, and so whether its tests were started and whose its exit status is."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ...base.patterns import lazy
from ..commands.classify import Classified
from ..commands.programs import programs
from ..commands.targets import script_name
from .outcome import detect_runner
from .runners.clean import clean

# Kinds of commands that fail only with a message of their own.
_TALKATIVE = frozenset(("read", "probe", "noop", "edit", "search"))


# With these lines pnpm says last which script of a package failed.
_SCRIPT_FAILED = lazy(r"ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\S*\s+(\S+) ([\w:.-]+): `[^\n]*`\nExit status \d+\s*\Z")


def never_started(parts: Sequence[Classified], at: int, output: str) -> bool:
    """Whether a command before the check at ``at`` reported an error with which the ``&&`` chain ended."""
    if not any(p.command.status == "if_zero" for p in parts[:at]):
        return False
    text = clean(output)
    complains = any(p.command.status == "if_zero" and _complains(p, text) for p in parts[:at])
    return (complains and detect_runner(text) is None) or _ended_in_script(parts[at:], text)


def _ended_in_script(rest: Sequence[Classified], text: str) -> bool:
    """Whether the last words are those of a failed script that none of the commands in ``rest`` runs."""
    failed = _SCRIPT_FAILED.search(text) if "ERR_PNPM" in text else None
    if failed is None:
        return False
    names = {script_name(p) for p in rest if p.command.program in programs().groups.task_runners}
    return failed[2] not in names and not any(
        re.search(rf"^> \S+@\S* {re.escape(name)}(?: |$)", text, re.MULTILINE) for name in names
    )


def chain_status(
    parts: Sequence[Classified], at: int, output: str, exit_status: int | None, passed: Collection[int] = ()
) -> int | None:
    """The exit status of a failed ``&&`` chain, if only the command at ``at`` can have failed; else None.

    ``passed``: those of which it is known that they passed.
    """
    if not exit_status or parts[at].command.status != "if_zero" or not output.strip():
        return None
    text = clean(output)
    listers = programs().groups.file_listers
    for part in (p for n, p in enumerate(parts) if n != at and n not in passed):
        known = part.kind in _TALKATIVE or part.command.program in listers
        if not known or part.command.status != "if_zero" or _complains(part, text):
            return None
    return exit_status


def _complains(part: Classified, text: str) -> bool:
    """Whether a program, or the shell in its name, printed an error (``bash: line 1: cd: x: No such file``)."""
    name = part.command.program
    if f"{name}:" not in text:
        return False
    shell = r"(?:(?:\(eval\)|\S*sh): ?(?:line \d+: ?|\d+: ?)?)?"
    return re.search(rf"^{shell}(?:\S*/)?{re.escape(name)}:(?:\d+:)? \S", text, re.MULTILINE) is not None
