"""Which tree commands run on: the agent's own, or one that git or a copy put in its place for a while.

It turns out only when the agent comes back that a tree was another: whoever never comes back works on that one.
"""

from __future__ import annotations

import posixpath
import re
from itertools import takewhile

from msgspec import Struct, field

from ..commands.vcs import exchange, git_subcommand, revision, stash_action
from ..edits.files import sources_and_target
from ..edits.index import Index
from ..events import AnyEvent, EditEvent, Position
from ..facts import CheckFacts, Unplaced
from ..paths import is_absolute_outside
from ..shell.types import SimpleCommand
from .found import Found

_ON_BRANCH = re.compile(r"^On branch (\S+)$", re.MULTILINE)
_DETACHED = re.compile(r"[@~^]|HEAD|[0-9a-f]{7,40}$")


class Visit(Struct):
    """A time in which other files are in a work tree than those of the agent's work."""

    origin: str | None = None
    """The branch that was left; None: its name is not known."""
    sure: bool = True
    """The log shows that the files were exchanged."""
    mixed: bool = True
    """Some of the agent's changes are there, or it is another revision than the first."""
    edited: bool = False
    """The agent edits files there."""
    over: bool = False
    """The agent came back."""
    runs: list[tuple[str, CheckFacts | None]] = field(default_factory=list)
    """What ran there so far: event ids, and facts."""


class SessionTrees:
    """The work trees of a session.

    Attributes:
        committed: the agent has committed, so that only an older state is without its changes.
        copies: other work trees, clones and copies of the project by directory; None: it equals the agent's own.
    """

    def __init__(self, found: Found, index: Index) -> None:
        self.found, self.index = found, index
        self.committed = False
        self.copies: dict[str, Visit | None] = {}
        self._stashes: list[Visit] = []
        self._visits: list[Visit] = []
        self._branch: str | None = None

    def now(self, cwd: str | None) -> list[Visit]:
        """The visits that a command in this directory is part of."""
        directory = self.found.path(cwd or ".")
        copy = self._copy(directory)
        if copy is not None:
            visit = self.copies[copy]
            return [visit] if visit is not None else []
        return [] if is_absolute_outside(directory, self.found.root) else [*self._stashes, *self._visits]

    def ran(self, event: str, visits: list[Visit], facts: CheckFacts | None = None) -> None:
        """Note that an event is of something that ran during these visits."""
        for visit in visits:
            visit.runs.append((event, facts))
            if visit.over:
                self._end(visit)

    def edited(self, path: str, *, in_root: bool) -> None:
        """Note an edit: in a copy it makes that a place of the agent's work, in the project it makes copies old."""
        copy = self._copy(posixpath.dirname(path))
        if copy is not None:
            del self.copies[copy]
        elif in_root:
            self.copies = {c: v or Visit(over=True) for c, v in self.copies.items()}
            for visit in (*self._stashes, *self._visits):
                visit.edited = True

    def copied(self, command: SimpleCommand, cwd: str | None) -> None:
        """Take in a command that may have copied the whole project (``cp -r . DIR``)."""
        recursive = any(a[:1] == "-" and a[1:2] != "-" and set("rRa").intersection(a) for a in command.args)
        sources, target = sources_and_target(command.args)
        if recursive and len(sources) == 1 and self.found.path(sources[0], cwd).rstrip("/") in (".", ""):
            inside = posixpath.basename(sources[0].rstrip("/.")) if target.endswith("/") else ""
            self.copies[posixpath.normpath(posixpath.join(self.found.path(target, cwd), inside))] = None

    def git(self, command: SimpleCommand, output: str, cwd: str | None, *, failed: bool) -> bool:
        """Take in a git command; whether it may have changed files."""
        sub, rest = git_subcommand(command.args)
        directory = self.found.path(cwd or ".")
        copy = self._copy(directory)
        if copy is not None or is_absolute_outside(directory, self.found.root):
            switched = exchange(command) in ("aside", "reset") or revision(command) is not None
            if copy is not None and not failed and switched:
                self.copies[copy] = Visit(over=True, mixed=self.committed)
        elif sub == "stash":
            return self._stash(rest, output, failed=failed)
        elif failed:
            pass
        elif (target := revision(command)) is not None:
            self._switch(target, command, output)
        elif sub == "status" and (on := _ON_BRANCH.search(output)) is not None:
            self._branch = on[1]
        elif (place := self._new_copy(sub, rest)) is not None:
            new = sub == "clone" and self.committed  # a clone has what is committed
            self.copies[self.found.path(place, cwd).rstrip("/")] = None if new else Visit(over=True, mixed=False)
        return True

    @property
    def away(self) -> bool:
        """Whether another revision is in the work tree than at first."""
        return bool(self._visits)

    def left(self) -> bool:
        """Whether the session ends on another revision than the one on which it began, which it did not edit."""
        return any(not visit.edited for visit in self._visits)

    def _copy(self, directory: str) -> str | None:
        return next((c for c in self.copies if f"{directory.rstrip('/')}/".startswith(f"{c}/")), None)

    def _new_copy(self, sub: str, rest: list[str]) -> str | None:
        """The directory of a clone, or of a new work tree without the agent's changes; None if there is none."""
        words = [a for a in rest if not a.startswith("-")]
        if sub == "worktree" and words[:1] == ["add"] and len(words) > 1 and not {"-b", "-B"} & set(rest):
            state = words[2] if len(words) > 2 else "HEAD"
            return words[1] if not self.committed or state not in ("HEAD", "@") else None
        if sub == "clone" and len(words) == 2 and words[0].startswith((".", "/")):
            return words[1]
        return None

    def _stash(self, rest: list[str], output: str, *, failed: bool) -> bool:
        action, paths = stash_action(rest)
        nothing = "No local changes to save" in output or "No stash entries found" in output
        if action in ("push", "save"):
            saved = "Saved working directory" in output
            untracked = bool({"-u", "-a", "--include-untracked", "--all"} & set(rest))
            sure = not failed and (saved if saved != nothing else self.index.has_changes(untracked=untracked))
            part = bool(paths) or bool({"-k", "--keep-index", "-p", "--patch", "-S", "--staged"} & set(rest))
            self._stashes.append(Visit(sure=sure, mixed=part or self.committed))
            return sure
        if action in ("drop", "clear"):
            del self._stashes[-1 if action == "drop" else 0 :]
        if action not in ("pop", "apply") or not self._stashes:
            return not nothing
        if failed and not nothing and "CONFLICT" not in output:
            return False
        visit = self._stashes.pop()
        if nothing or not (visit.sure or "Dropped refs/stash" in output):
            return False
        visit.mixed |= visit.edited
        self._end(visit)
        return True

    def _switch(self, target: str, command: SimpleCommand, output: str) -> None:
        """Another revision is in the work tree: a visit begins, or some end."""
        if exchange(command) != "switch":
            self._branch = target  # a new branch, on the same files
            return
        if "Already on" in output or "from the index" in output:
            return
        origins = [v.origin for v in self._visits]
        back: int | None = None
        if target == "-" and origins:
            back = len(origins) - 1
        elif target in origins:
            back = origins.index(target)
        elif None in origins and not _DETACHED.search(target) and "HEAD is now at" not in output:
            back = origins.index(None)
        if back is None:
            self._visits.append(Visit(self._branch))
        else:
            for visit in self._visits[back:]:
                if not visit.edited:
                    self._end(visit)
            target = target if target != "-" else origins[back] or ""
            del self._visits[back:]
        self._branch = target or None

    def taken_back(self, command: SimpleCommand, at: Position, cwd: str | None) -> None:
        """Git has put the files back that it names: what ran in the same call since they were edited ran on a tree that
        is no part of the work. Whether a failure there was one of the work as well, nothing shows."""
        named = {self.found.path(a, cwd).rstrip("/") for a in git_subcommand(command.args)[1] if a[:1] != "-"}
        here = (at.step, at.call, at.lane)
        inside = [*takewhile(lambda e: (e.step, e.call, e.lane) == here, reversed(self.found.events))][::-1]
        edits = [n for n, e in enumerate(inside) if isinstance(e, EditEvent) and e.path in named]
        for event in inside[edits[0] : edits[-1]] if edits else ():
            facts = self.found.checks.get(event.id)
            self._end(Visit(runs=[(event.id, facts)]))
            if facts is not None and facts.failed:
                self._unplaced("on a change that its call took back", event)

    def _unplaced(self, where: str, event: AnyEvent) -> None:
        why = f"`{getattr(event, 'command', '')}` {where}"
        self.found.unplaced.append(Unplaced(why, frozenset(("run",)), event.step, event.call, event.lane))

    def _end(self, visit: Visit) -> None:
        visit.over = True
        for event, facts in visit.runs:
            self.found.elsewhere.add(event)
            if visit.edited and facts is not None and not facts.failed:
                # Of the work that was stashed, or of what was edited meanwhile.
                self._unplaced("while other changes were stashed", next(e for e in self.found.events if e.id == event))
            if facts is not None:
                facts.start_tree = True
                facts.mixed |= visit.mixed
