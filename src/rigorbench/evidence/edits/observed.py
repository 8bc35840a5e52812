"""What a witness saw a shell call do to files, given to the commands of its line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from ...trajectory.model import FileChange
from ..commands.classify import Classified
from ..paths import is_absolute_outside
from .files import WHOLE_TREE

# Commands that write files without their text telling which.
_WRITERS = ("edit", "run", "install", "service", "noop")
_SOMETIMES = ("lint", "build", "vcs", "commit", "read", "wait")


class PartEdits(Struct):
    """The edits of one command: what was seen, and what its text says of files outside the project."""

    seen: list[FileChange] = field(default_factory=list)
    outside: list[FileChange] = field(default_factory=list)
    restoring: bool = False


def share_out(
    parts: Sequence[Classified],
    observed: Sequence[FileChange],
    told: Callable[[Classified], list[FileChange]],
    place: Callable[[str], str],
    root: str | None,
) -> list[PartEdits]:
    """The edits of each command of a line, and one entry more for what none of them explains.

    ``told``: the edits that a command's text tells of; ``place``: a path as events name it. A change goes to the first
    command that names its file, else to the first that may write anything, else (tests alone were run) behind them all.
    """
    found = [PartEdits() for _ in range(len(parts) + 1)]
    left = list(observed)
    for part, edits in zip(parts, found, strict=False):
        if part.kind in ("test", "probe"):
            continue
        for change in told(part):
            path = place(change.path)
            new_path = None if change.new_path is None else place(change.new_path)
            if is_absolute_outside(path, root) and (new_path is None or is_absolute_outside(new_path, root)):
                edits.outside.append(change)
                continue
            wanted = [p for p in (path, new_path) if p is not None]
            mine = [c for c in left if _named(c, wanted)]
            edits.seen += mine
            edits.restoring = edits.restoring or (part.kind == "vcs" and path == WHOLE_TREE)
            left = [c for c in left if c not in mine]
    if left:
        found[_writer(parts)].seen += left
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
