"""Attempts: the state of the tree after each one, and whether it repeats an earlier failed one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from ...session.model import FileChange
from ..edits.facts import Sites
from ..edits.files import WHOLE_TREE
from ..events import CommitEvent, EditEvent
from ..facts import EditFacts, Exchange

# Two attempts are the same when their (place, kind of edit) pairs have this Jaccard similarity.
REPEAT = 0.7

# A state of the tree as a hash: equal numbers mean equal trees (64 bits; a collision has probability 1 in 10^19).
Tree = int


class EditedTree:
    """The work tree as far as the edits show it: for each file, what was done to it since the session began.

    Two states are equal only if the trees certainly are. An edit whose text is not in the log makes a state that equals
    no other.
    """

    def __init__(self) -> None:
        self._files: dict[str, tuple[object, ...]] = {}
        self._committed: dict[str, tuple[object, ...]] = {}
        self._origin: dict[str, int] = {}
        self._unknown = count()
        self._aside: list[dict[str, tuple[object, ...]]] = []
        self.tree: Tree = 0
        self._production: set[str] = set()
        self._made: set[str] = set()

    def commit(self, event: CommitEvent) -> None:
        for path in event.files or list(self._files):
            if path in self._files:
                self._committed[path] = self._files[path]

    @property
    def at_start(self) -> bool:
        """Whether the production files are as they were when the session began, as far as the edits show."""
        return not any(self._files.get(p) for p in self._production)

    @property
    def reverted(self) -> bool:
        """Whether the production files were changed, and all changes undone."""
        return bool(self._production) and self.at_start

    def edit(self, event: EditEvent, facts: EditFacts, *, production: bool = True) -> None:
        path, change = event.path, facts.change
        if facts.restoring and change.after is None and change.operation == "modify":
            self._exchange(facts.restoring, path)
            return
        if production and path != WHOLE_TREE:
            self._production |= {path, event.new_path or path}
        if event.operation == "create" and path not in self._files:
            self._made.add(path)
        if change.before is not None and path not in self._made:
            self._origin.setdefault(path, hash(change.before))
        if path == WHOLE_TREE:
            self._set(path, (next(self._unknown),))
        elif change.operation == "delete":
            self._set(path, self._gone(path))
        elif event.new_path is not None:
            self._move(path, event.new_path)
        elif change.hunks and (change.before is None or change.after is None):
            self._set(path, self._patched(self._files.get(path, ()), change))
        elif change.after is not None:
            text = hash(change.after)
            self._set(path, () if self._origin.get(path) == text else (text,))
        elif facts.restored:
            self._set(path, self._committed.get(path, ()))
        else:
            self._set(path, (next(self._unknown),))

    def _exchange(self, how: Exchange, path: str) -> None:
        """Version control exchanged all changed files, or those below a path. What is untracked, it leaves."""
        inside = [n for n in self._files if path in (WHOLE_TREE, n) or n.startswith(path.rstrip("/") + "/")]
        new = {n for n in inside if n in self._made and n not in self._committed}
        if how == "aside":
            self._aside.append({n: self._files[n] for n in inside if n not in new})
        if how in ("aside", "reset"):
            for name in set(inside) - new:
                self._set(name, self._committed.get(name, ()))
        elif how == "clean":
            for name in new:
                self._set(name, ())
        elif how == "back" and self._aside:
            for name, done in self._aside.pop().items():
                self._set(name, done)

    def _move(self, path: str, new_path: str) -> None:
        """Move a file; one that is moved back is where it was."""
        done, was = self._files.get(path, ()), f"was {path}"
        if new_path not in self._files:
            self._made.add(new_path)
        self._set(new_path, done[:-1] if done[-1:] == (f"was {new_path}",) else (*done, was))
        self._set(path, self._gone(path))

    def _gone(self, path: str) -> tuple[object, ...]:
        return () if path in self._made else ("deleted",)

    def as_at_start(self, path: str) -> bool:
        """Whether the file is as it was when the session began."""
        return not self._files.get(path)

    def _set(self, path: str, done: tuple[object, ...]) -> None:
        former = self._files.get(path, ())
        self.tree ^= (hash((path, former)) if former else 0) ^ (hash((path, done)) if done else 0)
        self._files[path] = done

    def _patched(self, done: tuple[object, ...], change: FileChange) -> tuple[object, ...]:
        """The hunks applied so far; a hunk and one that reverts it cancel out."""
        hunks = list(done)
        for old, new in change.hunks:
            before, after = old.strip(), new.strip()
            # Every occurrence of a text put back is what was replaced before, unless other text contains it too.
            exact = not change.replace_all or before not in after
            if (after, before) in hunks and exact:
                hunks.remove((after, before))
            else:
                hunks.append((before, after))
        return tuple(hunks)


def find_repeats(
    attempts: Sequence[Sequence[EditEvent]], trees: Sequence[Tree], edits: Mapping[str, EditFacts]
) -> list[bool]:
    """Which of the failed attempts are repeats.

    A repeat does the same kinds of edits at the same places as an earlier failed attempt (Jaccard >= .7), or restores a
    tree that failed before, or only deletes, skips or weakens tests, which repairs nothing. ``trees``: the tree at the
    start, then after each attempt.
    """
    sites = Sites()
    seen: list[set[str]] = []
    found: list[bool] = []
    for number, attempt in enumerate(attempts, 1):
        traits = {t for e in attempt for t in sites.traits(e.path, edits[e.id].change, e.symbols)}
        same = any(traits and len(traits & other) >= REPEAT * len(traits | other) for other in seen)
        found.append(same or trees[number] in trees[:number] or all(drops_tests(e, edits[e.id]) for e in attempt))
        seen.append(traits)
    return found


def drops_tests(event: EditEvent, facts: EditFacts) -> bool:
    if event.role != "test" or any(not t.edited for t in facts.tests):
        return False
    return event.operation == "delete" or bool(facts.removed_tests or facts.weakened_tests)
