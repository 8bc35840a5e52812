"""What was recorded of a run: its commands and the states of its work tree."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path

from msgspec import Struct

from ...base.sanitize import one_line
from ...metrics.result import ReplayedTree, ReplaySummary
from ...trajectory.journal import JOURNAL
from ...trajectory.logfile import LogFile
from ...trajectory.readers.capture.records import Journal, ObservedCommand
from ..text import words
from .diffs import TreeChange, tree_changes

# What a page lists at most; the rest is counted.
COMMANDS_SHOWN = 400
TREES_SHOWN = 400
PATHS_SHOWN = 40
_COMMAND_LENGTH = 600
_HASH = 12
_CAUSES = {
    "start": "start",
    "before": "before the command",
    "after": "after the command",
    "model": "before a model call",
    "background": "in the background",
    "end": "end",
}


class CommandView(Struct):
    """A command of the agent.

    Attributes:
        line: of the journal.
        at: time since the run began.
        shell: the shell that ran it, when ``text`` is a script.
        nested: how many programs it started.
    """

    anchor: str
    line: int
    at: str
    shell: str
    text: str
    cwd: str
    origin: str
    status: str
    tone: str
    duration: str
    nested: int


class TreeView(Struct):
    """A state of the work tree.

    Attributes:
        cause: why it was recorded; ``command``: anchor of the command.
        paths: the first of the files that changed; ``more``: how many others did.
        skipped: files that were not stored, with the reason.
        same: journal line of an earlier state that is equal.
        change: the change since the state before; None for the first.
        checked: the results of our own build and tests of this state; empty: they were not run on it.
    """

    tree: str
    at: str
    cause: str
    command: str | None
    paths: list[str]
    more: int
    skipped: list[str]
    line: int
    same: int | None
    change: TreeChange | None
    checked: str
    tone: str
    regressions: list[str]


def read_journal(directory: Path, problems: list[str]) -> Journal | None:
    path = directory / JOURNAL
    if not path.is_file():
        problems.append(f"{JOURNAL} is missing: nothing was recorded, or it was deleted")
        return None
    log = LogFile(path, name=JOURNAL)
    try:
        journal = Journal(log)
    except OSError as error:
        problems.append(f"{JOURNAL} cannot be read ({error.strerror})")
        return None
    if log.skipped:
        first = log.skipped[0]
        place = JOURNAL if first.line is None else f"{JOURNAL}:{first.line}"
        problems.append(
            f"{words.plural(len(log.skipped), 'line')} of the journal cannot be read; the first: {place} {first.reason}"
        )
    return journal


def every_command(journal: Journal) -> list[ObservedCommand]:
    """The commands of the agent, without the programs that they started."""
    found = [c for c in journal.commands.values() if c.record.origin in ("tool", "agent")]
    return sorted(found, key=lambda c: (c.start, c.line))


def listed(journal: Journal) -> list[ObservedCommand]:
    return every_command(journal)[:COMMANDS_SHOWN]


def count(journal: Journal | None, origin: str) -> int:
    return 0 if journal is None else sum(c.record.origin == origin for c in journal.commands.values())


def commands(journal: Journal) -> list[CommandView]:
    start = _start(journal)
    inside = Counter(_outermost(journal, c) for c in journal.commands.values() if c.record.origin == "nested")
    return [_command(c, start, inside[c.record.id]) for c in listed(journal)]


def _outermost(journal: Journal, command: ObservedCommand) -> str:
    seen: set[str] = set()
    while command.record.origin == "nested" and command.record.id not in seen:
        seen.add(command.record.id)
        above = journal.commands.get(command.record.parent or "")
        if above is None:
            break
        command = above
    return command.record.id


def _command(command: ObservedCommand, start: float, nested: int) -> CommandView:
    record, ended = command.record, command.exit
    if ended is None:
        status, tone = "end not recorded", "muted"
    elif ended.reason == "exit":
        status = "?" if ended.status is None else str(ended.status)
        tone = "" if ended.status == 0 else "fail"
    else:
        number = "" if ended.signal is None else f" {ended.signal}"
        status, tone = f"{ended.reason}{number}", "fail"
    text, shell = shlex.join(record.argv), ""
    if command.script is not None and command.script in record.argv:
        # The script of a shell is easier to read unquoted.
        text, shell = command.script, shlex.join(record.argv[: record.argv.index(command.script)])
    return CommandView(
        f"c{command.line}",
        command.line,
        _offset(record.time, start),
        shell,
        text[:_COMMAND_LENGTH] + (" …" if record.cut or len(text) > _COMMAND_LENGTH else ""),
        record.cwd or "",
        record.origin,
        status,
        tone,
        "" if command.end is None else _seconds(command.end - record.time),
        nested,
    )


def trees(journal: Journal, replay: ReplaySummary | None, store: Path) -> list[TreeView]:
    """The states of the work tree, with their changes (read from ``store``) and the results of the replay."""
    start = _start(journal)
    shown = {c.record.id: f"c{c.line}" for c in listed(journal)}
    replayed = {} if replay is None else {t.tree: t for t in replay.trees}
    records = journal.trees[:TREES_SHOWN]
    changes = tree_changes(store, [tree.tree for _, tree in records])
    seen: dict[str, int] = {}
    found = []
    for (line, tree), change in zip(records, changes, strict=True):
        checked = replayed.get(tree.tree)
        found.append(
            TreeView(
                tree.tree[:_HASH],
                _offset(tree.time, start),
                _CAUSES.get(tree.cause, tree.cause),
                shown.get(tree.command or ""),
                [one_line(p, 300) for p in tree.paths[:PATHS_SHOWN]],
                tree.more + max(0, len(tree.paths) - PATHS_SHOWN),
                [f"{p}: {reason}" for p, reason in list(tree.skipped.items())[:PATHS_SHOWN]],
                line,
                seen.get(tree.tree),
                change,
                "" if checked is None else _checked(checked),
                "" if checked is None else _tone(checked),
                [] if checked is None else checked.regressions,
            )
        )
        seen.setdefault(tree.tree, line)
    return found


def _checked(tree: ReplayedTree) -> str:
    parts = [f"build {tree.build}"] if tree.build is not None else []
    if tree.passed is not None:
        parts.append(f"{words.count(tree.passed)} passed")
    if tree.failed:
        parts.append(f"{words.count(tree.failed)} failed")
    if tree.regressions:
        parts.append(words.plural(len(tree.regressions), "regression"))
    return ", ".join(parts)


def _tone(tree: ReplayedTree) -> str:
    if tree.build == "failed" or tree.failed or tree.regressions:
        return "fail"
    return "pass" if tree.build == "passed" or tree.passed else "muted"


def _start(journal: Journal) -> float:
    """When the sandbox was ready: a run is announced earlier, and may have waited."""
    if journal.trees:
        return journal.trees[0][1].time
    return journal.run.time if journal.run is not None else 0.0


def _offset(time: float, start: float) -> str:
    """Time since the run began: "+1:02.3", with hours where there are any."""
    passed = max(0.0, time - start)
    if not passed < 1e9:
        return ""
    minutes, seconds = divmod(passed, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"+{hours}:{minutes:02d}:{seconds:04.1f}" if hours else f"+{minutes}:{seconds:04.1f}"


def _seconds(passed: float) -> str:
    return f"{passed:.2f} s" if 0 <= passed < 60 else words.duration(passed) if passed < 1e9 else ""
