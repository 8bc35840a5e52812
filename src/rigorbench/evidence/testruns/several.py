"""Several commands of one call: whose each part of the output is, which were started, and whose the status is."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from msgspec import Struct

from ...base.patterns import Pattern, lazy
from ..commands.classify import Classified
from ..commands.programs import programs
from ..commands.targets import script_name
from ..shell.parse import printed
from .ids import is_place
from .outcome import detect_runner
from .runners import conclude, find_runner, recognise
from .runners.clean import clean

# The header of a package script: "> @acme/web@1.2.0 test /app/web".
_HEADER = lazy(r"^> (?:\S+@\S* )?([\w:.-]+)(?: /\S*)?$", re.M)


class LineRun(Struct, frozen=True):
    """A run of tests in a line."""

    tests: list[Classified]
    """Its command; several if their output cannot be told apart."""
    output: str
    status: int | None
    """Its exit status, where that is known."""
    shared: bool = False
    """``output`` is that of all runs of the line, whose counts are those of all."""


def separate(
    parts: Sequence[Classified], own: Sequence[int | None], output: str, exit_status: int | None
) -> list[LineRun] | None:
    """The runs of tests that a line started, in order; None if they cannot be told apart. ``own``: their statuses."""
    at = [n for n, p in enumerate(parts) if p.kind == "test"]
    tests = [parts[n] for n in at]
    if len(tests) < 2 or any(map(_is_hidden, tests)):
        return None
    text = clean(output)
    starts = _starts(parts, at, text)
    if len(starts) == len(tests):
        ends = [*starts[1:], len(text)]
        found = [text[a:b] for a, b in zip(starts, ends, strict=True)]
        statuses = [
            own[n] if own[n] is not None else (0 if parts[n].command.status == "if_zero" else None) for n in at[:-1]
        ] + [own[at[-1]]]
        return [LineRun([t], o, s) for t, o, s in zip(tests, found, statuses, strict=True)]
    if all(own[n] == 0 for n in at):
        return [LineRun([t], text, 0, shared=True) for t in tests]
    last = at[len(starts) - 1]
    chained = all(p.command.status == "if_zero" for p in parts[at[0] : at[-1]])
    if not exit_status or not chained or recognise(text) is None:
        return None
    # The chain ended with the last one that printed anything.
    ends = [*starts[1:], len(text)]
    stopped = exit_status if last + 1 == at[len(starts)] else None
    chain: list[int | None] = [*[0] * (len(starts) - 1), stopped]
    return [LineRun([t], text[a:b], s) for t, a, b, s in zip(tests, starts, ends, chain, strict=False)]


def _is_hidden(test: Classified) -> bool:
    """Whether a test's output is not in that of the call."""
    return test.command.background or any(
        r.operator.startswith((">", "&>", "1>")) and not r.target.startswith("&") for r in test.command.redirects
    )


def _starts(parts: Sequence[Classified], at: Sequence[int], text: str) -> list[int]:
    """Where the output of each test begins that has one, as far as it can be told."""
    starts = [0]
    for before, number in pairwise(at):
        start = _echoed(parts[before + 1 : number], text, starts[-1])
        if start is None:
            start = _header(parts[before], parts[number], text, starts[-1])
        if start is None:
            start = _closing(parts[before], parts[number], text, starts[-1])
        if start is None:
            break
        starts.append(start)
    return starts


def _echoed(between: Sequence[Classified], text: str, start: int) -> int | None:
    """Where a line begins that an ``echo`` before the test printed."""
    for part in between:
        rows = [row for row in (printed(part.command) or "").split("\n") if len(row.strip()) > 2]
        if rows:
            match = re.compile(rf"^{re.escape(rows[0].rstrip())}\s*$", re.M).search(text, start)
            if match is not None:
                return match.start()
    return None


def _header(before: Classified, test: Classified, text: str, start: int) -> int | None:
    """Where the package script of a test says that it starts."""
    managers = programs().groups.package_managers
    if test.command.program not in managers:
        return None
    name = script_name(test)
    found = [m.start() for m in _HEADER.finditer(text, start) if m[1] == name]
    if before.command.program in managers and script_name(before) == name:
        found = found[1:]  # the first is that of the test before
    return found[0] if found else None


def _closing(before: Classified, test: Classified, text: str, start: int) -> int | None:
    """The end of the closing line of the test before, if another run of tests shows below it."""
    summary = recognise(text[start:])
    runner = find_runner(summary.runner if summary is not None else before.runner)
    if runner is None or runner.closing is None:
        return None
    if runner.by_package:
        return _by_package(runner.closing, before, test, text, start)
    match = runner.closing.search(text, start)
    # Of a single summary nobody knows whose it is.
    if match is None or recognise(text[match.end() :]) is None:
        return None
    ended = recognise(text[start : match.end()])
    failed = ended is not None and conclude(ended)[0] in ("failed", "error")
    return None if failed and before.command.status == "if_zero" else match.end()


def _by_package(closing: Pattern, before: Classified, test: Classified, text: str, start: int) -> int | None:
    """With a line per package, the next run begins with one that was there before or was only asked for then."""
    seen: set[str] = set()
    end = start
    for match in closing.finditer(text, start):
        package = match[1]
        if seen and (package in seen or (_includes(test, package) and not _includes(before, package))):
            return end
        seen.add(package)
        end = match.end()
    return None


def _includes(test: Classified, package: str) -> bool:
    """Whether a run is of this package (an import path)."""
    for target in test.targets:
        if is_place(target):
            path = target.removeprefix("./").rstrip("/")
            if path == "..." or (path.endswith("/...") and f"/{path[:-4]}/" in f"/{package}/"):
                return True
            if package == path or package.endswith("/" + path):
                return True
    return False


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
