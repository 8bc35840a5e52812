"""What a session shows of the text of files, and which edits were made without knowing it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from msgspec.structs import replace as copy

from ..session.model import Edit, Shell, ToolCall
from .commands.classify import classify_line
from .edits.facts import change_texts
from .events import AnyEvent, EditEvent, ReadEvent, SearchEvent, VcsEvent
from .facts import Evidence

_WORD = re.compile(r"[^\s'\"`:;|&()]+")
_GIT_SHOWS = re.compile(r"git (?:-\S+ )*(?:show|diff|blame|annotate|cat-file|log|grep)\b")
_WILD = re.compile(r"(\*\*/|\*\*|\*|\?)")
_AS_REGEX = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
# Shorter lines occur in any text.
_TELLING = 8
_ONLY_EDITS = {"edit", "read", "search", "probe", "noop"}


class FileReads:
    """The looks at files of one session. Positions are indexes into its events."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence

    @cached_property
    def _calls(self) -> dict[str, list[ToolCall]]:
        """The completed calls of each lane."""
        found: dict[str, list[ToolCall]] = {}
        for step in self.evidence.trajectory.steps:
            completed = [c for c in step.calls if c.result is not None] if step.role == "agent" else []
            found.setdefault(step.lane, []).extend(completed)
        return found

    def call(self, event: AnyEvent) -> ToolCall | None:
        """The call that an event is from; None where that is not known."""
        calls = self._calls.get(event.lane, [])
        return None if event.call is None or event.call >= len(calls) else calls[event.call]

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
            said = str(getattr(event, "target", None) or getattr(event, "command", ""))
            if self._shows(event, said, path):
                return True
            if isinstance(event, ReadEvent):
                unsure |= name in said or path.startswith(f"{said}/")
            elif said and not unsure:
                unsure = name in said or (event.id not in self.evidence.effectless and name in self.shown(event))
        return None if unsure else False

    def _shows(self, event: AnyEvent, said: str, path: str) -> bool:
        """Whether an event shows a file: it reads it, searches it, or is a look of version control at it."""
        if isinstance(event, ReadEvent):
            return is_file(said, path)
        looks = isinstance(event, VcsEvent) and _GIT_SHOWS.match(said) is not None
        if not looks and not isinstance(event, SearchEvent):
            return False
        if any(is_file(word, path) for word in _WORD.findall(said)):
            return True
        return looks and any(f"\n{mark}{path}\n" in self.shown(event) for mark in ("--- a/", "+++ b/"))

    def knew(self, edit: EditEvent) -> bool | None:
        """Whether the agent knew the text of a file that it edits: it was shown before, or the edit itself names it.

        None: the log does not show it. What a program writes, the agent need not have read.
        """
        place = (n for n, e in enumerate(self.evidence.events) if e.id == edit.id)
        if edit.operation != "modify" or (read := self.was_read(edit.path, next(place))):
            return True
        change, call = self.evidence.edits[edit.id].change, self.call(edit)
        command = call.action.command if call is not None and isinstance(call.action, Shell) else ""
        named = call.action.changes if call is not None and isinstance(call.action, Edit) else [change]
        if not command and any(old.strip() for c in named for old, _ in c.hunks):
            return True
        added, former = change_texts(change)
        lines = {line.strip() for line in former.splitlines()}
        removed = lines.difference(line.strip() for line in added.splitlines()) or lines
        telling = [line for line in removed if len(line) >= _TELLING]
        texts = [command, *self._texts(edit.step, call)]
        if any(line in text for line in telling for text in texts):
            return True
        by_program = edit.via == "background" or {p.kind for p in classify_line(command)} - _ONLY_EDITS
        mentioned = not telling and any(posixpath.basename(edit.path) in text for text in texts[1:])
        # An edit of which the log states the file alone may have named the text as well.
        untold = not command and self.evidence.edits[edit.id].blind
        return None if read is None or by_program or change.formatted or mentioned or untold else False

    def _texts(self, last: int, call: ToolCall | None) -> Iterator[str]:
        """What was said to the agent, or printed, up to a step. ``call``: one that does not count."""
        for step in self.evidence.trajectory.steps[: last + 1]:
            yield "" if step.role == "agent" else step.text
            yield from (c.result.text for c in step.calls if c.result is not None and c is not call)


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
    parts = _WILD.split(word)
    return len(parts) > 1 and re.fullmatch("".join(_AS_REGEX.get(p, re.escape(p)) for p in parts), path) is not None
