"""The size of the work that remains at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..base.text import differences
from ..evidence.events import EditEvent
from .model import Size
from .session import Session

# (files, lines) from which work is medium and large: review.md, section 2.
MEDIUM = (3, 150)
LARGE = (10, 500)
# Up to here one file's change is trivial.
TRIVIAL_LINES = 10


def size_of(session: Session) -> Size | None:
    """The size of the work; None: the log shows which files changed, but not enough of their text to tell."""
    edits = [e for e in session.edits if e.role != "document"]
    production = [e for e in edits if e.role == "production"] or edits
    if not edits:
        return "none"
    files = {e.new_path or e.path for e in production if e.operation != "delete"} or {e.path for e in production}
    if len(files) >= LARGE[0]:
        return "large"
    of: defaultdict[str, list[EditEvent]] = defaultdict(list)
    for edit in production:
        of[edit.new_path or edit.path].append(edit)
    lines = [changed_lines(session, path, of[path]) for path in files]
    known = sum(n for n in lines if n is not None)
    if known >= LARGE[1]:
        return "large"
    if len(files) >= MEDIUM[0] or known >= MEDIUM[1]:
        return "medium"
    if None in lines:
        return None
    return "trivial" if len(files) == 1 and known <= TRIVIAL_LINES else "small"


def changed_lines(session: Session, path: str, edits: Sequence[EditEvent]) -> int | None:
    """Lines of a file that were added or removed from its first to its last edit; None: the log does not show them."""
    made = [session.facts(e).change for e in edits]
    first, last = made[0], made[-1]
    before = first.before if first.operation != "create" else ""
    if before is not None and last.after is not None:
        return _different(before, last.after)
    total = 0
    for change in made:
        if change.hunks:
            total += sum(_different(old, new) for old, new in change.hunks)
        elif change.after is not None and change.operation == "create":
            total += change.after.count("\n") + 1
        else:
            return None
    return total


def _different(before: str, after: str) -> int:
    return sum(max(i2 - i1, j2 - j1) for i1, i2, j1, j2 in differences(before.splitlines(), after.splitlines()))
