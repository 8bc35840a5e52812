"""The recorded file changes of a shell call, divided among the commands of its line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from ...session.model import FileChange
from ...session.patches import hunks
from ..commands.classify import Classified
from ..commands.vcs import exchange
from ..facts import Exchange
from ..paths import is_absolute_outside
from .files import WHOLE_TREE

# Commands that write files which their text does not name.
_WRITERS = ("edit", "run", "install", "service")
_SOMETIMES = ("noop", "lint", "build", "vcs", "commit", "read", "wait")


class PartEdits(Struct):
    """The edits of one command of a line."""

    inside: list[FileChange] = field(default_factory=list)
    """Recorded edits of the project's files."""
    outside: list[FileChange] = field(default_factory=list)
    """Edits of files outside the project, by the text of the command."""
    restoring: Exchange = ""
    """How version control exchanged the whole tree; "": it did not."""


def share_out(
    parts: Sequence[Classified],
    observed: Sequence[FileChange],
    by_text: Callable[[Classified], list[FileChange]],
    event_path: Callable[[str], str],
    root: str | None,
) -> list[PartEdits]:
    """The edits of each command of a line, and one entry more for those that no command explains.

    A change goes to the first command that names its file, and a later one of that file to the next; else to the first
    that may write any file; else (only tests were run) to the last entry. ``by_text``: the edits that the text of a
    command names; ``event_path``: a path as events name it.
    """
    found = [PartEdits() for _ in range(len(parts) + 1)]
    names: list[list[str]] = []
    for part, edits in zip(parts, found, strict=False):
        names.append([])
        git = part.command.program == "git"
        for change in by_text(part) if part.kind not in ("test", "probe") else ():
            paths = [event_path(p) for p in (change.path, change.new_path) if p is not None]
            if all(is_absolute_outside(p, root) for p in paths):
                edits.outside.append(change)
            else:
                names[-1] += paths
                if git and (WHOLE_TREE in paths or exchange(part.command) in ("aside", "back")):
                    edits.restoring = exchange(part.command)
        if git and not names[-1] and exchange(part.command) == "switch":
            names[-1], edits.restoring = [WHOLE_TREE], "switch"
    left = list(observed)
    for number, edits in enumerate(found[:-1]):
        mine: list[FileChange] = []
        for path in dict.fromkeys(c.path for name in names[number] for c in left if _named(c, [name])):
            same = [c for c in left if c.path == path]
            later = sum(_named(same[0], n) for n in names[number + 1 :])
            mine += same[: max(1, len(same) - later)]
        edits.inside += net(mine)
        left = [c for c in left if not any(c is m for m in mine)]
    if left:
        found[_writer(parts)].inside += net(left)
    return found


def net(observed: Sequence[FileChange]) -> list[FileChange]:
    """What is changed in the end: git, for one, removes a file before it writes it anew."""
    found: dict[str, FileChange] = {}
    for change in observed:
        earlier = found.get(change.path)
        moved = found.get(change.new_path or "")
        if moved is not None and moved.new_path == change.path and moved.before == change.after:
            del found[moved.path]  # and moved back
            continue
        if earlier is None or "rename" in (earlier.operation, change.operation):
            found[change.path] = change
            continue
        gone, came = change.operation == "delete", earlier.operation == "create"
        if (gone and came) or (not gone and earlier.before is not None and earlier.before == change.after):
            del found[change.path]
            continue
        joined = FileChange(change.path, "delete" if gone else "create" if came else "modify", before=earlier.before)
        joined.after = change.after
        if joined.operation == "modify" and joined.before is not None and joined.after is not None:
            joined.hunks = list(hunks(joined.before, joined.after))
        found[change.path] = joined
    return list(found.values())


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
