"""Which files are uncommitted and staged, as far as a session's edits and git commands show it."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..commands.vcs import git_subcommand, stash_action
from ..shell.parse import SimpleCommand
from .files import WHOLE_TREE

_REVISION = re.compile(r"[0-9a-f]{7,40}|ORIG_HEAD|[\w.-]+/HEAD")
_BACK = re.compile(r"^(?:HEAD|@)(?:~(\d*)|(\^+))$")


class Index:
    """Git's index. Paths are as events name them; files of the start tree are known only once they are edited."""

    def __init__(self) -> None:
        self._dirty: dict[str, None] = {}
        self._staged: dict[str, None] = {}
        self._untracked: set[str] = set()
        self._commits: list[list[str]] = []
        self._aside: list[list[str]] = []

    def edited(self, path: str, *, created: bool, deleted: bool) -> None:
        """Record a change. A file that is made and removed again between two commits is in neither."""
        if path == WHOLE_TREE or path.split("/", 1)[0] == ".git":
            return
        if deleted:
            gone = _inside(self._untracked, path)
            for name in gone:
                self._forget(name)
            if gone:
                return
        elif created:
            self._untracked.add(path)
        self._dirty[path] = None

    def has_changes(self, *, untracked: bool) -> bool:
        """Whether files are changed that ``git stash`` would take."""
        return any(untracked or p not in self._untracked or p in self._staged for p in self._dirty)

    def git(self, command: SimpleCommand, name: Callable[[str], str]) -> int:
        """Record a git command that succeeded; how many commits of the session it takes back.

        ``name`` turns a path as written into a path as events name it.
        """
        sub, words = git_subcommand(command.args)
        args = [a for a in words if a != "--"]
        rest = [a for a in args if not a.startswith("-")]
        paths = [name(p) for p in rest]
        if sub == "add":
            everything = not rest or any(p in (".", "*", ":/") for p in rest) or bool({"-A", "-u", "--all"} & set(args))
            self._add(None if everything else paths)
        elif sub == "stash":
            self._stash(stash_action(words)[0], untracked=bool({"-u", "-a"} & set(args)))
        elif sub == "rm":
            self._staged.update(dict.fromkeys(paths))
        elif sub == "reset":
            return self._reset(args, rest, paths)
        elif sub == "restore" and "--staged" in args:
            self._unstage(paths)
        elif sub == "restore" or (sub == "checkout" and ("--" in words or rest in (["."], [":/"]))):
            self._discard(paths)
        return 0

    def _stash(self, action: str, *, untracked: bool) -> None:
        if action in ("push", "save"):
            gone = [p for p in self._dirty if untracked or p not in self._untracked]
            self._aside.append(gone)
            for path in gone:
                del self._dirty[path]
            self._staged.clear()
        elif self._aside and action in ("pop", "apply", "drop"):
            back = self._aside.pop()
            self._dirty.update(dict.fromkeys(back if action != "drop" else ()))

    def commit(self, *, everything: bool, untracked: bool = False, only: list[str] | None = None) -> list[str]:
        """The files of a commit made now.

        Args:
            everything: all changed files are committed (``-a``), but new ones only if ``untracked``.
            only: only these paths are committed, as they are in the work tree.
        """
        if only:
            return list(dict.fromkeys(inside for path in only for inside in _inside(self._dirty, path) or [path]))
        if everything:
            tracked = [p for p in self._dirty if untracked or p not in self._untracked]
            return list(dict.fromkeys([*self._staged, *tracked]))
        return list(self._staged)

    def committed(self, files: list[str]) -> None:
        for path in files:
            self._forget(path)
        self._staged.clear()
        self._commits.append(files)

    def amended(self) -> None:
        """The last commit is replaced by one that has its files too."""
        del self._commits[-1:]

    def _forget(self, path: str) -> None:
        self._dirty.pop(path, None)
        self._staged.pop(path, None)
        self._untracked.discard(path)

    def _add(self, paths: list[str] | None) -> None:
        if paths is None:
            self._staged.update(self._dirty)
            return
        for path in paths:
            self._staged.update(dict.fromkeys(_inside(self._dirty, path) or [path]))

    def _unstage(self, paths: list[str]) -> None:
        for path in paths:
            for inside in list(self._staged) if path == WHOLE_TREE else _inside(self._staged, path):
                self._staged.pop(inside, None)

    def _discard(self, paths: list[str]) -> None:
        for path in paths:
            for inside in list(self._dirty) if path == WHOLE_TREE else _inside(self._dirty, path):
                if inside not in self._untracked:
                    self._forget(inside)

    def _reset(self, args: list[str], rest: list[str], paths: list[str]) -> int:
        modes = {"--hard", "--soft", "--mixed", "--merge", "--keep"} & set(args)
        word = rest[0] if rest else ""
        revision = word in ("HEAD", "@") or _BACK.match(word) or _REVISION.fullmatch(word)
        named = paths[1:] if revision else paths
        if named and not modes:
            self._unstage(named)
            return 0
        back = _BACK.match(rest[0]) if rest else None
        count = 0 if not rest or rest[0] in ("HEAD", "@") else len(self._commits)
        if back is not None:
            count = int(back[1] or 1) if back[1] is not None else len(back[2])
        count = min(count, len(self._commits))
        undone = [path for files in self._commits[len(self._commits) - count :] for path in files] if count else []
        del self._commits[len(self._commits) - count :]
        if "--hard" in modes:
            self._discard([WHOLE_TREE])
            self._staged.clear()
            return count
        self._dirty.update(dict.fromkeys(undone))
        if "--soft" in modes:
            self._staged.update(dict.fromkeys(undone))
        else:
            self._staged.clear()
        return count


def _inside(known: dict[str, None] | set[str], path: str) -> list[str]:
    """The known files that a path names: itself, or those below it."""
    if path in known:
        return [path]
    below = path.rstrip("/") + "/"
    return sorted(k for k in known if k == path or k.startswith(below))
