"""Attempts: the state of the tree after each one, and whether it repeats an earlier failed one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from ...trajectory.model import FileChange
from ..edits.facts import Sites
from ..events import AnyEvent, CommitEvent, EditEvent, VcsEvent
from ..facts import EditFacts

# Two attempts are the same when their (place, kind of edit) pairs have this Jaccard similarity.
REPEAT = 0.7
WHOLE_TREE = "."

# A state of the tree as a hash: equal numbers mean equal trees (64 bits; a collision has probability 1 in 10^19).
Tree = int


class WorkTree:
    """The work tree as far as the edits show it: for each file, what was done to it since the session began.

    Two states are equal only if the trees certainly are. An edit whose text is not in the log makes a state that equals
    no other.
    """

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self._files: dict[str, tuple[object, ...]] = {}
        self._committed: dict[str, tuple[object, ...]] = {}
        self._origin: dict[str, int] = {}
        self._unknown = count()
        self._git = _git_commands(events)
        self._stashed: tuple[object, ...] = ()
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

    def stashes(self, event: EditEvent) -> bool:
        """Whether git put the changes aside, or back from there."""
        return "stash" in self._git.get(event.id, "").split()

    def restores(self, event: EditEvent) -> bool:
        """Whether git put this file back."""
        words = self._git.get(event.id, "").split()
        return not {"checkout", "restore", "reset", "stash"}.isdisjoint(words)

    def edit(self, event: EditEvent, change: FileChange, *, production: bool = True) -> None:
        path = event.path
        if production and path != WHOLE_TREE:
            self._production |= {path, event.new_path or path}
        git = self._git.get(event.id)
        if event.operation == "create" and path not in self._files:
            self._made.add(path)
        if path == WHOLE_TREE:
            if git is not None and {"pop", "apply"} & set(git.split()):
                self._set(path, self._stashed)
            elif git is not None and "stash" not in git:
                for name in list(self._files):
                    self._set(name, self._committed.get(name, ()))
            else:
                self._stashed = self._files.get(path, ())
                self._set(path, (next(self._unknown),))
        elif change.operation == "delete":
            self._set(path, self._gone(path))
        elif event.new_path is not None:
            self._set(event.new_path, (*self._files.get(path, ()), f"was {path}"))
            self._set(path, self._gone(path))
        elif change.hunks and (change.before is None or change.after is None):
            self._set(path, self._patched(self._files.get(path, ()), change))
        elif change.after is not None:
            if change.before is not None:
                self._origin.setdefault(path, hash(change.before))
            text = hash(change.after)
            self._set(path, () if self._origin.get(path) == text else (text,))
        elif git is not None:
            self._set(path, self._committed.get(path, ()))
        else:
            self._set(path, (next(self._unknown),))

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


def _git_commands(events: Sequence[AnyEvent]) -> dict[str, str]:
    """The git command behind an edit, by the edit's id: the next one of its call."""
    found: dict[str, str] = {}
    commands: dict[tuple[int, int | None], str] = {}
    for event in reversed(events):
        here = (event.step, event.call)
        if isinstance(event, VcsEvent):
            commands[here] = event.command
        elif isinstance(event, EditEvent) and here in commands:
            found[event.id] = commands[here]
    return found


def find_repeats(
    attempts: Sequence[Sequence[EditEvent]], trees: Sequence[Tree], edits: Mapping[str, EditFacts]
) -> list[bool]:
    """Which of the failed attempts are repeats.

    A repeat does the same kinds of edits at the same places as an earlier failed attempt (Jaccard >= .7), or restores a
    tree that failed before, or only deletes, skips or weakens tests, which repairs nothing.

    Args:
        trees: the tree at the start, then after each attempt.
        edits: facts of the edits by event id.
    """
    sites = Sites()
    seen: list[set[str]] = []
    found: list[bool] = []
    for number, attempt in enumerate(attempts, 1):
        traits = {t for e in attempt for t in sites.traits(e.path, edits[e.id].change, e.symbols)}
        same = any(jaccard(traits, other) >= REPEAT for other in seen)
        found.append(same or trees[number] in trees[:number] or all(drops_tests(e, edits[e.id]) for e in attempt))
        seen.append(traits)
    return found


def drops_tests(event: EditEvent, facts: EditFacts) -> bool:
    if event.role != "test" or any(not t.edited for t in facts.tests):
        return False
    return event.operation == "delete" or bool(facts.removed_tests or facts.weakened_tests)


def jaccard(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.0
