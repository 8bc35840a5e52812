"""Full-text search over sessions: an index of SQLite (FTS5) of what was asked, said and run, kept beside the rows."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.sanitize import one_line
from .common import UsageError, messages, results

if TYPE_CHECKING:
    from ..session.logfile import LogFile

# Of a session so many characters are searched.
_MOST = 400_000
# Scripts without spaces between words: each character is a word.
_IDEOGRAPH = re.compile(r"([\u3040-\u30ff\u3400-\u9fff])")


def matching(logs: Iterable[Path], words: str, store: Path, jobs: int | None) -> set[tuple[str, str]]:
    """(log, id) of each session of ``logs`` with all ``words``, the beginnings of words, in its messages or commands.

    Logs that are new, or have changed, are read into the index at ``store`` first. Raises: UsageError.
    """
    query = " ".join(f'"{word}"*' for word in _spaced(words).replace('"', " ").split())
    if not query:
        raise UsageError(f"--grep {words!r}: give a word")
    paths = [str(path) for path in logs]
    store.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(os.fspath(store))) as index, index:
        store.chmod(0o600)  # it has the words of the logs
        index.execute("CREATE TABLE IF NOT EXISTS logs (path TEXT PRIMARY KEY, size INTEGER, changed INTEGER)")
        index.execute("CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(path UNINDEXED, session UNINDEXED, words)")
        known = {path: (size, changed) for path, size, changed in index.execute("SELECT * FROM logs")}
        problems: list[str] = []
        stale = [path for path in paths if known.get(path) != _state(path)]
        for path, state, texts in results(
            stale, _texts, problems.append, jobs=jobs, label="reading sessions", total=len(stale)
        ):
            index.execute("DELETE FROM texts WHERE path = ?", (path,))
            index.executemany("INSERT INTO texts VALUES (?, ?, ?)", [(path, *text) for text in texts])
            index.execute("INSERT OR REPLACE INTO logs VALUES (?, ?, ?)", (path, *state))
        messages(problems)
        chosen, found = set(paths), index.execute("SELECT path, session FROM texts WHERE texts MATCH ?", (query,))
        return {(path, session) for path, session in found if path in chosen}


def _state(path: str) -> tuple[int, int]:
    """Size and time of the last change of a log: of a folder its own."""
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns


def _texts(log: LogFile) -> tuple[str, tuple[int, int], list[tuple[str, str]]]:
    """The path of a log, its state, and id and text of each of its sessions."""
    from ..session.model import Shell
    from ..session.registry import read_log

    state, found = _state(os.fspath(log.path or "")), []
    for trajectory in read_log(log):
        said = [s.text for s in trajectory.steps if s.role in ("user", "agent")]
        ran = [c.action.command for s in trajectory.steps for c in s.calls if isinstance(c.action, Shell)]
        found.append((trajectory.id, _spaced("\n".join([*said, *ran])[:_MOST])))
    return os.fspath(log.path or ""), state, found


def _spaced(text: str) -> str:
    return _IDEOGRAPH.sub(r" \1 ", one_line(text, _MOST))
