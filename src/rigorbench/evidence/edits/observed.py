"""The recorded file changes of a shell call, divided among the commands of its line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from ...trajectory.model import FileChange
from ..commands.classify import Classified
from ..paths import is_absolute_outside
from .files import WHOLE_TREE

# Commands that write files which their text does not name.
_WRITERS = ("edit", "run", "install", "service", "noop")
_SOMETIMES = ("lint", "build", "vcs", "commit", "read", "wait")


class PartEdits(Struct):
    """The edits of one command of a line.

    Attributes:
        inside: recorded edits of the project's files.
        outside: edits of files outside the project, by the text of the command.
        restoring: version control put the whole tree back.
    """

    inside: list[FileChange] = field(default_factory=list)
    outside: list[FileChange] = field(default_factory=list)
    restoring: bool = False


def share_out(
    parts: Sequence[Classified],
    observed: Sequence[FileChange],
    by_text: Callable[[Classified], list[FileChange]],
    event_path: Callable[[str], str],
    root: str | None,
) -> list[PartEdits]:
    """The edits of each command of a line, and one entry more for those that no command explains.

    A change goes to the first command that names its file, else to the first that may write any file, else (only tests
    were run) to the last entry.

    Args:
        observed: the recorded changes of the whole line.
        by_text: the edits that the text of a command names.
        event_path: a path as events name it.
    """
    found = [PartEdits() for _ in range(len(parts) + 1)]
    left = list(observed)
    for part, edits in zip(parts, found, strict=False):
        if part.kind in ("test", "probe"):
            continue
        for change in by_text(part):
            path = event_path(change.path)
            new_path = None if change.new_path is None else event_path(change.new_path)
            if is_absolute_outside(path, root) and (new_path is None or is_absolute_outside(new_path, root)):
                edits.outside.append(change)
                continue
            mine = [c for c in left if _named(c, [p for p in (path, new_path) if p is not None])]
            edits.inside += mine
            edits.restoring = edits.restoring or (part.kind == "vcs" and path == WHOLE_TREE)
            left = [c for c in left if c not in mine]
    if left:
        found[_writer(parts)].inside += left
    return found


def _named(change: FileChange, paths: Sequence[str]) -> bool:
    for path in paths:
        if path == WHOLE_TREE:
            return True
        for own in (change.path, change.new_path):
            if own is not None and (own == path or own.startswith(path.rstrip("/") + "/")):
                return True
    return False


def _writer(parts: Sequence[Classified]) -> int:
    for kinds in (_WRITERS, _SOMETIMES):
        for index, part in enumerate(parts):
            if part.kind in kinds:
                return index
    return len(parts)
