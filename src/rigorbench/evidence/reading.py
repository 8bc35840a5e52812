"""What a session shows of the text of files, and which edits were made without knowing it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from msgspec.structs import replace as copy

from ..trajectory.model import Edit, Shell, ToolCall
from .commands.classify import classify_line
from .edits.facts import change_texts
from .events import (
    AnyEvent,
    BuildEvent,
    EditEvent,
    LintEvent,
    ReadEvent,
    RunEvent,
    SearchEvent,
    TestRunEvent,
    VcsEvent,
)
from .facts import Evidence

_WORD = re.compile(r"[^\s'\"`:;|&()]+")
_GIT_SHOWS = re.compile(r"git (?:-\S+ )*(?:show|diff|blame|annotate|cat-file|log|grep)\b")
_PATTERN = re.compile(r"\*\*/|\*\*|\*|\?|\[[^\]/]+\]")
_AS_REGEX = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
# Shorter lines occur in any text.
_TELLING = 8
# So much of a file's text in the command that edits it was known, and is not just what to look for.
_KNOWN = 20


class Reading:
    """The looks at files of one session. Positions are indexes into its events."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence

    @cached_property
    def _calls(self) -> dict[tuple[str, int], ToolCall]:
        """The completed calls, by lane and number."""
        found: dict[tuple[str, int], ToolCall] = {}
        done: dict[str, int] = {}
        for step in self.evidence.trajectory.steps:
            for call in step.calls if step.role == "agent" else ():
                if call.result is not None:
                    number = done.get(step.lane, 0)
                    done[step.lane] = number + 1
                    found[step.lane, number] = call
        return found

    def call(self, event: AnyEvent) -> ToolCall | None:
        """The call that an event is from; None where that is not known."""
        return None if event.call is None else self._calls.get((event.lane, event.call))

    def shown(self, event: AnyEvent) -> str:
        """What the call of an event printed; "" where that is not known."""
        call = self.call(event)
        return "" if call is None or call.result is None else call.result.text

    def was_read(self, path: str, before: int) -> bool | None:
        """Whether a file was read, or shown by a search or by version control, before a position.

        None: something was shown that may have been its text.
        """
        name = posixpath.basename(path)
        unsure = self.evidence.may_have("read", before=before)
        for event in self.evidence.events[:before]:
            if self._names(event, path):
                return True
            if isinstance(event, ReadEvent):
                unsure |= name in event.target or path.startswith(f"{event.target}/")
            elif isinstance(event, SearchEvent | RunEvent | TestRunEvent | BuildEvent | LintEvent | VcsEvent):
                said = event.target if isinstance(event, SearchEvent) else event.command
                unsure |= name in said or (event.id not in self.evidence.effectless and name in self.shown(event))
        return None if unsure else False

    def _names(self, event: AnyEvent, path: str) -> bool:
        """Whether an event shows a file: it reads it, searches it, or is a look of version control at it."""
        if isinstance(event, ReadEvent):
            return is_file(event.target, path)
        if isinstance(event, SearchEvent):
            return any(is_file(word, path) for word in _WORD.findall(event.target))
        if not isinstance(event, VcsEvent) or _GIT_SHOWS.match(event.command) is None:
            return False
        if any(is_file(word, path) for word in _WORD.findall(event.command)):
            return True
        return any(f"\n{mark}{path}\n" in self.shown(event) for mark in ("--- a/", "+++ b/"))

    def knew(self, edit: EditEvent) -> bool | None:
        """Whether the agent knew the text of a file that it edits: it was shown before, or the edit itself names it.

        None: the log does not show it. Only an edit by a tool, or by a command that only edits, can be one of a file
        whose text was not known: what other programs write, the agent need not have read.
        """
        at = next(n for n, e in enumerate(self.evidence.events) if e.id == edit.id)
        if edit.operation != "modify" or (read := self.was_read(edit.path, at)):
            return True
        added, former = change_texts(self.evidence.edits[edit.id].change)
        lines = {line.strip() for line in former.splitlines()}
        removed = (lines - {line.strip() for line in added.splitlines()}) or lines
        own = "\n".join(self._own_words(edit))
        if any(len(line) >= (1 if edit.via == "tool" else _KNOWN) and line in own for line in removed):
            return True
        telling = [line for line in removed if len(line) >= _TELLING]
        name = posixpath.basename(edit.path)
        for text in self._texts(edit):
            if any(line in text for line in telling):
                return True
            if not telling and name in text:
                return None
        return None if read is None or not self._by_hand(edit) else False

    def _own_words(self, edit: EditEvent) -> Iterator[str]:
        """What the agent itself wrote to make an edit."""
        call = self.call(edit)
        changes = [self.evidence.edits[edit.id].change] if edit.via != "background" else []
        if call is not None and isinstance(call.action, Shell):
            yield call.action.command
            return
        for change in call.action.changes if call is not None and isinstance(call.action, Edit) else changes:
            yield from (old for old, _ in change.hunks)
            yield change.after or ""

    def _texts(self, edit: EditEvent) -> Iterator[str]:
        """What had been said to the agent, or printed, before an edit."""
        for step in self.evidence.trajectory.steps[: edit.step + 1]:
            if step.role != "agent":
                yield step.text
            for call in step.calls:
                if call is self.call(edit):
                    return
                if call.result is not None:
                    yield call.result.text

    def _by_hand(self, edit: EditEvent) -> bool:
        """Whether an edit is the agent's own writing, and not what a program made."""
        call = self.call(edit)
        if edit.via == "background" or self.evidence.edits[edit.id].change.formatted:
            return False
        if call is None or not isinstance(call.action, Shell):
            return edit.via == "tool"
        return {p.kind for p in classify_line(call.action.command)} <= {"edit", "read", "search", "probe", "noop"}


def spread_patterns(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """The events, with a read of each file that is known in place of a read of a pattern that it matches."""
    known: dict[str, bool] = {}
    for event in events:
        if isinstance(event, EditEvent):
            known.setdefault(event.path, event.operation != "create")
        elif isinstance(event, ReadEvent) and "*" not in event.target:
            known[event.target] = True
    found: list[AnyEvent] = []
    for event in events:
        if isinstance(event, ReadEvent) and "*" in event.target:
            files = [path for path, there in known.items() if there and is_file(event.target, path)]
            found += [copy(event, id=f"{event.id}.{path}", target=path) for path in files] or [event]
        else:
            found.append(event)
    return found


@lru_cache(4096)
def is_file(word: str, path: str) -> bool:
    """Whether a word of a command, perhaps a pattern, is a file's path, or the end of it as seen from a directory."""
    word = word.removeprefix("./")
    if word and (path == word or path.endswith(f"/{word}") or word.endswith(f"/{path}")):
        return True
    return _PATTERN.search(word) is not None and _regex(word).fullmatch(path) is not None


@lru_cache(256)
def _regex(pattern: str) -> re.Pattern[str]:
    """A pattern of the shell as an expression."""
    pieces: list[str] = []
    at = 0
    for mark in _PATTERN.finditer(pattern):
        pieces += (re.escape(pattern[at : mark.start()]), _AS_REGEX.get(mark[0], mark[0].replace("[!", "[^")))
        at = mark.end()
    try:
        return re.compile("".join([*pieces, re.escape(pattern[at:])]))
    except re.error:
        return re.compile(re.escape(pattern))
