"""What a session shows of its work tree: which files exist, their roles, and which are only tools of the work."""

from __future__ import annotations

import posixpath
import re

from ...base.patterns import lazy
from ...session.model import FileChange
from ..events import EditEvent, FileRole, Operation
from ..paths import role

# A file that the agent makes at the root of the project under such a name is an experiment.
_TRIAL_NAME = lazy(r"^(?:repro\w*|debug|scratch|tmp|temp|poc)(?:[_\-. ]|$)", re.IGNORECASE)
# A directory whose name says that its files are temporary.
_TRIAL_DIRECTORY = lazy(r"^\.?(?:[\w.]+[_-])?(?:scratch|tmp|temp)(?:[_-]\w+)?$", re.IGNORECASE)
_COPY = lazy(r"(?:\.(?:bak|backup|orig|old|save)|~)$")
# A diff at the root will be applied or handed in.
_DIFF = lazy(r"\.(?:patch|diff)$|^patch\.txt$")


class SessionFiles:
    """Files by their path as events name them (relative to the project's root when inside it)."""

    def __init__(self) -> None:
        self._exists: set[str] = set()
        self._roles: dict[str, FileRole] = {}
        self.mine: set[str] = set()
        """Those that the agent made."""

    def saw(self, path: str) -> None:
        """A tool showed the file: it exists."""
        self._exists.add(path)

    def knows(self, path: str) -> bool:
        """Whether the log has shown this file, or one in this directory."""
        return path in self._exists or any(p.startswith(path + "/") for p in self._exists)

    def role(self, path: str, change: FileChange) -> FileRole:
        """The role of a file by its path and text. A fragment does not overrule the whole text."""
        if change.after is None and path in self._roles:
            return self._roles[path]
        found = role(path, change.after)
        if change.after is not None:
            self._roles[path] = found
        return found

    def operation(self, path: str, change: FileChange) -> Operation:
        """What the change does; writing a whole file that exists is a modification."""
        if change.operation == "create" and path in self._exists:
            return "modify"
        return change.operation

    def apply(self, event: EditEvent) -> None:
        """Record an edit."""
        path = event.path
        if event.operation == "delete":
            self._exists.discard(path)
        elif event.new_path is not None:
            self._exists.discard(path)
            self._exists.add(event.new_path)
            if path in self.mine:
                self.mine.add(event.new_path)
        else:
            self._exists.add(path)
            if event.operation == "create":
                self.mine.add(path)

    def is_trial(self, path: str) -> bool:
        """Whether a file that the agent made is, by its name, a tool of its work and not a part of the project."""
        if path.startswith(".git/") and not path.startswith(".git/hooks/"):
            return True  # git's own files: a stale lock, the excludes of this clone
        if path not in self.mine:
            return False
        directory, name = posixpath.split(path)
        if _COPY.search(name) or any(_TRIAL_DIRECTORY.match(part) for part in directory.split("/") if part):
            return True
        return not directory and bool(_TRIAL_NAME.match(name) or _DIFF.search(name))
