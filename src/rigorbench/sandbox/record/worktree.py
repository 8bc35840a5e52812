"""The records of the work tree: one whenever it, or the repository's history, has changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from ...base import journal
from .gitwatch import GitWatch
from .ignoring import Ignoring
from .scan import TOO_MANY, Scanner
from .treestore import TreeWriter
from .writer import text

Cause = Literal["start", "before", "after", "model", "background", "end"]
_PATHS: Final = 1000
_SKIPPED: Final = 200


class RecordedTree:
    """Scans ``root`` and writes records with ``note``. The first look records the state at the start. ``limit``: Bytes
    that may be stored after the first look. What comes after them is a gap."""

    def __init__(
        self, root: Path, store: Path, note: Callable[[journal.JournalRecord], None], limit: int | None = None
    ) -> None:
        self.limit = limit
        self._root = root
        self._path = store
        self._note = note
        self._tree: str | None = None
        self._skipped: dict[str, str] = {}
        self._gaps: set[tuple[str, str]] = set()
        self._left_out = 0
        self._scanner: Scanner | None = None
        self._ignoring: Ignoring | None = None
        self._git: GitWatch | None = None
        self._store = TreeWriter(store)
        self._at_start = 0

    @property
    def begun(self) -> bool:
        return self._scanner is not None

    @property
    def offered(self) -> int:
        """Bytes of what was to be stored after the first look."""
        return self._store.offered - self._at_start

    def look(self, cause: Cause, command: str | None, *, everything: bool = False) -> str | None:
        """The tree now; None: it cannot be read (a Gap gives the reason). ``everything``: read all files again."""
        try:
            if self._scanner is None:
                git = GitWatch(self._root, self._store)
                git.start()
                self._ignoring = Ignoring(self._root, self._path / "ignore")
                self._git = git
                self._scanner = Scanner(str(self._root), self._store, self._ignoring.ignored)
                if cause != "start":
                    self._look("start", None, everything=False)
            return self._look(cause, command, everything=everything)
        except OSError as error:
            self._gap("trees", f"the work tree could not be recorded: {error.strerror or error}")
        except Exception as error:  # the boundary to what an agent wrote: a defect of ours must not end the recording
            self._gap("trees", f"the work tree could not be recorded: {type(error).__name__}")
        return None

    def close(self) -> None:
        if self._ignoring is not None:
            self._ignoring.close()

    def _look(self, cause: Cause, command: str | None, *, everything: bool) -> str:
        assert self._scanner is not None
        assert self._git is not None
        seen = self._scanner.look(everything=everything, passing=cause == "background")
        if self._tree is None and self.limit is not None:
            self._at_start = self._store.offered
            self._store.limit = self._at_start + self.limit
        if seen.tree != self._tree:
            self._store.keep("trees", seen.tree)
            self._note(
                journal.TreeRecord(
                    time.time(),
                    seen.tree,
                    cause,
                    command,
                    [text(path) for path in seen.paths[:_PATHS]],
                    max(0, len(seen.paths) - _PATHS),
                    {text(path): why for path, why in list(seen.skipped.items())[:_SKIPPED]},
                )
            )
            self._tree = seen.tree
            self._skipped.update(seen.skipped)
        if TOO_MANY in seen.skipped.values():
            self._gap("trees", f"the work tree has {TOO_MANY}: the new ones beyond that are in no recorded tree")
        # Record which paths are in no tree, even when no tree has changed.
        assert self._ignoring is not None
        for path, why in seen.skipped.items():
            if self._skipped.get(path) != why and len(self._skipped) < _SKIPPED:
                self._skipped[path] = why
                self._gap("trees", f"{text(path) or 'the work tree'} is not recorded: {why}")
        if self._ignoring.problem is not None:
            self._gap("trees", f"ignore rules are not applied: {self._ignoring.problem}")
        left_out = self._ignoring.left_out
        if len(left_out) > self._left_out:
            self._left_out = len(left_out)
            paths = [text(path) for path in self._ignoring.newly_left_out()]
            self._note(journal.Note(time.time(), "excluded", {"paths": paths, "why": "what tools leave behind"}))
        try:
            news = self._git.look(final=cause == "end")
            if news is not None:
                for name, data in news.notes:
                    if command is not None:
                        data["command"] = command
                    self._note(journal.Note(time.time(), name, data))
                    if data.get("deleted"):
                        self._gap("git", "the repository's .git is gone: commits after this are not seen")
                for reason in news.gaps:
                    self._gap("git", reason)
        except Exception as error:  # as above; the trees go on without it
            self._gap("git", f"the repository could not be looked into: {type(error).__name__}")
        return seen.tree

    def _gap(self, what: str, reason: str) -> None:
        if (what, reason) not in self._gaps:
            self._gaps.add((what, reason))
            self._note(journal.Gap(time.time(), what, reason))
