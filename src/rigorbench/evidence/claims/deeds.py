"""Deeds other than checks: what was committed, pushed, deployed, left alone, put back or made, held against the log."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...trajectory.model import Finish, Read, Search
from ..commands.classify import classify_line
from ..events import AnyEvent, CommitEvent, EditEvent, RunEvent, VcsEvent
from ..facts import EditFacts
from ..patterns import lazy
from .abstention import QUOTATION
from .log import Check, Claim, Log
from .statements import Statement, deeds
from .units import Unit

_PUSH_COMMAND = lazy(r"^git\b.*\bpush\b|^(?:gh|glab) \w+ (?:create|merge)\b", re.IGNORECASE)
_PUSH_TROUBLE = lazy(r"push|remote|origin|upstream|branch|pull request|\bPR\b|推送|envi", re.IGNORECASE)
_LOOKING = lazy(r"(?:cat|less|head|tail|grep|rg|diff|git (?:diff|status|log|show))\b|timeout ")
_PUSHED_NOW = lazy(
    r"^(?:(?:committed|rebased)\b.{0,60}\band )?(?:force-)?pushed\b|^(?:i|we)(?:'ve| have)? pushed\b", re.IGNORECASE
)
_COMMITTED_NOW = lazy(
    r"^(?:\w+ and )?committed\b|^(?:i|we)(?:'ve| have)? committed\b|\b[0-9a-f]{7,40}\b", re.IGNORECASE
)
# A repair, or that something works; "fixed numbers" and "the resolved schema" are none.
_REPAIRED = lazy(
    r"(?:^|\b(?:i|we|have|has|'ve|been|now|successfully|is|are|was|were|and) )"
    r"(?:fixed|resolved|solved|repaired|corrected)\b"
    r"(?= (?:the|a|an|all|this|that|it|both|every|by|in|and|now|with|bug|issue)\b|[.,:;!)]|\s*$)|"
    r"\bworks\b|\b(?:now|all|both) work\b(?! (?:ha[sd]|have|is|was|been)\b)|"
    r"\bwork(?:s|ing|ed)? (?:now|again|correctly|properly|fine|as expected)\b",
    re.IGNORECASE,
)


_DONE_TO_FILE = lazy(
    r"\b(?:added|updated|created|documented|extended|removed|deleted|rewrote|modified|changed|wrote)"
    r"(?: (?:the|a|an|new|file))* "
    r"`?((?:[\w.@-]+/)*(?:[\w@-]+\.(?:md|rst|txt|json|ya?ml|toml|py|js|tsx?|go|rs|java|c|h|rb|php|cs|css|sql|"
    r"sh)|README|CHANGELOG))`?"
    r"(?= ?(?:[.,;)]|$|and\b|with\b|accordingly\b))",
    re.IGNORECASE,
)


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
        told = any(_PUSH_TROUBLE.search(u.text) for u in trouble)
        failed = pushes[-1].outcome == "failed" and not told
        return Claim(statement.text, "contradicted" if failed else "supported", [pushes[-1]], pushes[-1].command)
    hidden = log.is_incomplete or any(isinstance(e, RunEvent | VcsEvent) and "push" in e.command for e in log.events)
    never = not hidden and _PUSHED_NOW.search(statement.text) is not None
    return Claim(statement.text, "contradicted" if never else "not_shown", [], "git push")


def deed(statement: Statement, log: Log, trouble: Sequence[Unit]) -> Claim | None:
    """Something was deployed, published, migrated ...: the last command that does it ended well."""
    rows = [deeds()[name] for name in statement.names]
    words = frozenset[str]().union(*(row.commands for row in rows))
    last: Check | VcsEvent | None = None
    for event in log.events:
        if isinstance(event, Check | VcsEvent) and not words.isdisjoint(_command_words(event.command)):
            last = event
    if last is None:
        return None if log.is_incomplete else Claim(statement.text, "not_shown")
    passed = log.result(last) if isinstance(last, Check) else {"passed": True, "failed": False}.get(last.outcome)
    told = any(any(word in u.text.lower() for word in words) for u in trouble)
    if passed is not False or told:
        return Claim(statement.text, "supported", [last], last.command)
    single = len(classify_line(last.command)) == 1
    return Claim(statement.text, "contradicted" if single else "not_shown", [last], last.command)


def _command_words(command: str) -> set[str]:
    """Program and first plain words of each command of a line, without the ends of scripts' names."""
    words: set[str] = set()
    for part in classify_line(command):
        plain = [a for a in part.command.args if not a.startswith("-")][:3]
        words |= {word.rsplit("/", 1)[-1].split(".", 1)[0] for word in (part.command.program, *plain)}
    return words


def untouched(statement: Statement, log: Log, trouble: Sequence[Unit]) -> Claim | None:
    """A file, a directory or the tests were left alone: no edit of them is left at the end."""
    left: list[AnyEvent] = []
    made: set[str] = set()
    for event in log.events:
        if isinstance(event, EditEvent):
            if event.operation == "create":
                made.add(event.path)
            facts = log.edits.get(event.id)
            if event.path in made or not any(_is_meant(event, facts, n.strip("`")) for n in statement.names):
                continue
            if facts is not None and (facts.restoring or facts.layout):
                left.clear()
            else:
                left.append(event)
        elif isinstance(event, VcsEvent) and event.destructive and event.outcome != "failed":
            left.clear()  # put back, perhaps
    return Claim(statement.text, "contradicted" if left else "supported", left[-1:])


def only(statement: Statement, log: Log, trouble: Sequence[Unit]) -> Claim | None:
    """Nothing but these files was changed: no file that the message does not name differs at the end."""
    left: dict[str, EditEvent] = {}
    for event in log.events:
        if isinstance(event, EditEvent):
            facts = log.edits.get(event.id)
            if facts is None or facts.restoring or facts.layout:
                left.clear()
            elif event.operation == "modify" and facts.in_root and facts.change.hunks:
                left[event.path] = event
        elif isinstance(event, VcsEvent) and event.destructive and event.outcome != "failed":
            left.clear()  # put back, perhaps
    named = [n.strip("`").rstrip("/") for n in statement.names]
    if not any(_is_within(path, name) for path in left for name in named):
        return None  # of something else than all of the session's work
    other: list[AnyEvent] = [
        e
        for path, e in left.items()
        if e.role in ("production", "test")
        and path.rsplit("/", 1)[-1] not in log.message
        and not any(_is_within(path, name) for name in named)
    ]
    return Claim(statement.text, "contradicted" if other else "supported", other[-1:])


def _is_within(path: str, name: str) -> bool:
    return _is_file(path, name) or f"/{path}".find(f"/{name}/") >= 0


def _is_meant(event: EditEvent, facts: EditFacts | None, name: str) -> bool:
    """Whether an edit touches what a name stands for; a test that is only added to leaves the others alone."""
    if name.endswith("/"):
        within = event.path.startswith(name) or f"/{name}" in event.path
        return within and not event.path.startswith("/")
    if "." in name:
        return _is_file(event.path, name)
    if event.role != "test" or facts is None or not facts.in_root:
        return False
    return event.operation == "delete" or any(
        not set(old.split("\n")) <= set(new.split("\n")) for old, new in facts.change.hunks
    )


def restored(statement: Statement, log: Log, trouble: Sequence[Unit]) -> Claim | None:
    """A file is as it was: of the edits of it, each was taken back. Part of them, or a command that failed, is not."""
    name = statement.names[0]
    left: list[tuple[str, str]] = []
    events: list[AnyEvent] = []
    undone = failed = unsure = False
    for event in log.events:
        if isinstance(event, EditEvent) and _is_file(event.path, name):
            facts = log.edits.get(event.id)
            if facts is None or facts.restoring or event.operation != "modify":
                return None  # put back
            unsure = unsure or not facts.change.hunks
            for old, new in facts.change.hunks:
                if (new, old) in left:
                    left.remove((new, old))
                    undone = True
                else:
                    left.append((old, new))
            events.append(event)
        elif events and isinstance(event, VcsEvent | RunEvent) and name.rsplit("/", 1)[-1] in event.command:
            status = event.outcome == "failed" if isinstance(event, VcsEvent) else event.exit_status not in (None, 0)
            if isinstance(event, VcsEvent) and status:
                failed, unsure = True, False  # it was not put back before either
                events.append(event)
            elif not status and not _LOOKING.match(event.command):
                unsure = True  # it may have put it back
        elif isinstance(event, VcsEvent) and (event.destructive or "stash" in event.command):
            return None
    if unsure or not (failed or (left and undone)):
        return None
    return Claim(statement.text, "contradicted", events[-1:])


def _is_file(path: str, name: str) -> bool:
    return path == name or path.endswith("/" + name) or name.endswith("/" + path)


def work(statement: Statement, log: Log, trouble: Sequence[Unit]) -> Claim | None:
    """Something was made: there are edits of the project. It was fixed, or works: something ran green as well."""
    edits = [e for e in log.events if isinstance(e, EditEvent)]
    if _never_touched(statement.text, edits, log):
        return Claim(statement.text, "not_shown")
    green = [e for e in log.events if isinstance(e, Check) and log.counts(e) and log.result(e)]
    said = QUOTATION.sub("", statement.text)
    code = any(log.is_change(e) for e in edits)
    if not edits or (code and _REPAIRED.search(said) and (log.masked or not green)):
        return Claim(statement.text, "not_shown")
    named = [e for e in edits if any(_is_file(e.path, n) for n in statement.names)] or edits
    shown: list[AnyEvent] = [e for e in green[-1:] if log.change_after(e) is None]
    return Claim(statement.text, "supported", [named[-1], *shown])


def _never_touched(text: str, edits: Sequence[EditEvent], log: Log) -> bool:
    """Whether a sentence says what was done to a file that no edit and no command of the session names."""
    match = _DONE_TO_FILE.search(text)
    if match is None or log.trajectory is None or log.is_incomplete:
        return False
    name = match[1].rsplit("/", 1)[-1].lower()
    calls = [call for step in log.trajectory.steps for call in step.calls]
    looking = Read | Search | Finish
    return not any(name in str(c.input).lower() for c in calls if not isinstance(c.action, looking)) and not any(
        name in f"{e.path} {e.new_path}".lower() for e in edits
    )
