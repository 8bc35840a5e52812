"""Deeds other than checks: what was committed, pushed, deployed, left alone, put back or made, held against the log."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..events import AnyEvent, CommitEvent, CompactionEvent, EditEvent, RunEvent, SpawnEvent, VcsEvent
from .log import Check, Claim, Log
from .statements import Statement, Unit

_PUSH_COMMAND = re.compile(r"^git\b.*\bpush\b|^(?:gh|glab) \w+ (?:create|merge)\b", re.IGNORECASE)
_PUSHED_NOW = re.compile(
    r"^(?:(?:committed|rebased)\b.{0,60}\band )?(?:force-)?pushed\b|^(?:i|we)(?:'ve| have)? pushed\b", re.IGNORECASE
)
_COMMITTED_NOW = re.compile(
    r"^(?:\w+ and )?committed\b|^(?:i|we)(?:'ve| have)? committed\b|\b[0-9a-f]{7,40}\b", re.IGNORECASE
)
_REPAIRED = re.compile(r"\b(?:fix\w*|resolved|solved|works?|repaired|corrected)\b", re.IGNORECASE)


def committed(statement: Statement, log: Log, trouble: Sequence[Unit]) -> Claim | None:
    for event in reversed(log.events):
        if isinstance(event, CommitEvent):
            return Claim(statement.text, "supported", [event])
        if isinstance(event, VcsEvent) and event.outcome == "failed" and re.match(r"git\b.* commit\b", event.command):
            return Claim(statement.text, "contradicted", [event], event.command)
    return Claim(statement.text, "not_shown") if _COMMITTED_NOW.search(statement.text) else None


def pushed(statement: Statement, log: Log, trouble: Sequence[Unit]) -> Claim | None:
    """Something was pushed: by the last command that pushes. Without any in a log that is all there, it never was."""
    pushes = [e for e in log.events if isinstance(e, VcsEvent) and _PUSH_COMMAND.search(e.command)]
    if pushes:
        failed = pushes[-1].outcome == "failed" and not trouble
        return Claim(statement.text, "contradicted" if failed else "supported", [pushes[-1]], pushes[-1].command)
    hidden = any(isinstance(e, SpawnEvent | CompactionEvent) for e in log.events) or any(
        isinstance(e, RunEvent | VcsEvent) and "push" in e.command for e in log.events
    )
    never = not hidden and _PUSHED_NOW.search(statement.text) is not None
    return Claim(statement.text, "contradicted" if never else "not_shown", [], "git push")


def untouched(statement: Statement, log: Log, trouble: Sequence[Unit]) -> Claim | None:
    """A file was left alone: no edit of it is left at the end."""
    left: list[AnyEvent] = []
    for event in log.events:
        if isinstance(event, EditEvent) and any(_is_file(event.path, n) for n in statement.names):
            facts = log.edits.get(event.id)
            if facts is not None and (facts.restoring or facts.layout):
                left.clear()
            else:
                left.append(event)
        elif isinstance(event, VcsEvent) and event.destructive:
            left.clear()  # put back, perhaps
    return Claim(statement.text, "contradicted" if left else "supported", left[-1:])


def _is_file(path: str, name: str) -> bool:
    return path == name or path.endswith("/" + name) or name.endswith("/" + path)


def work(statement: Statement, log: Log, trouble: Sequence[Unit]) -> Claim | None:
    """Something was made: there are edits of the project. It was fixed, or works: something ran green as well."""
    edits = [e for e in log.events if isinstance(e, EditEvent)]
    green = [e for e in log.events if isinstance(e, Check) and log.counts(e) and log.result(e)]
    if not edits or (_REPAIRED.search(statement.text) and (log.masked or not green)):
        return Claim(statement.text, "not_shown")
    named = [e for e in edits if any(_is_file(e.path, n) for n in statement.names)] or edits
    shown: list[AnyEvent] = [e for e in green[-1:] if log.change_after(e) is None]
    return Claim(statement.text, "supported", [named[-1], *shown])
