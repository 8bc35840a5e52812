"""Snapshots of the work tree from the start commit and the logged edits, where that is exact."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ..evidence.code.units import is_source
from ..evidence.edits.shell import shell_edits
from ..evidence.events import AnyEvent, EditEvent
from ..evidence.shell.parse import Command, parse, statuses
from ..evidence.walk.root import project_root
from ..trajectory.model import Edit, FileChange, Plan, Shell, ToolCall, Trajectory
from .calls import edits_by_call, keyed_calls
from .effects import FOLLOWED, follow
from .model import InexactState, Snapshot, Snapshots
from .state import EditError, How, State, apply
from .store import Change, Clone, Store, StoreError

_COMMITTED = re.compile(r"^\[[^\]\n]*?([0-9a-f]{7,40})\]", re.MULTILINE)


def rebuild(trajectory: Trajectory, events: Sequence[AnyEvent], clone: Clone, store: Store) -> Snapshots | InexactState:
    """The states of the work tree after each edit burst of the session.

    The start commit is the one that the log names. Else it is the last commit on the session's branch (in the clone;
    its current branch if the log names none) whose committer date is not after the session's start. For a log without
    times it is the clone's current commit.
    """
    commit = _start_commit(trajectory, clone)
    if isinstance(commit, InexactState):
        return commit
    try:
        return _Walk(trajectory, events, clone, store, commit).run()
    except StoreError as error:
        return InexactState(str(error))


def _start_commit(trajectory: Trajectory, clone: Clone) -> str | InexactState:
    if trajectory.start_commit is not None:
        missing = f"the clone does not have the session's start commit {trajectory.start_commit[:12]}"
        return clone.commit(trajectory.start_commit) or InexactState(missing)
    if trajectory.started_at is None:
        return clone.commit("HEAD") or InexactState("the clone has no commit")
    branch = trajectory.branch if trajectory.branch and clone.commit(trajectory.branch) else "HEAD"
    before = clone.commit_before(trajectory.started_at, branch)
    return before or InexactState("the clone has no commit from before the session")


class _Walk:
    def __init__(
        self, trajectory: Trajectory, events: Sequence[AnyEvent], clone: Clone, store: Store, commit: str
    ) -> None:
        self.trajectory, self.clone, self.store, self.commit = trajectory, clone, store, commit
        self.tree = store.tree_of(commit)
        self.state = State(store, self.tree)
        self.edits = edits_by_call(events)
        self.root = (trajectory.cwd or project_root(trajectory) or "").rstrip("/")
        self.top = self._top([e for group in self.edits.values() for e in group])
        self.burst: list[EditEvent] = []
        self.overlays: list[dict[str, Change]] = []
        self.states: list[Snapshot] = []
        self.why: str | None = None

    def _top(self, edits: list[EditEvent]) -> str:
        """The repository's root as the log would write it: the directory that contains the files it edits.

        The session may have worked in a directory inside the repository, and without a working directory in the log its
        root is only a guess.
        """
        edited = {self._absolute(e.path) for e in edits if e.operation != "create"}
        directories = {d for path in self.state.start for d in _parents(path)}
        candidates = [self.root, *_ancestors(self.root)]
        for path in sorted(edited):
            candidates += [d for d in _ancestors(path) if d.startswith(self.root + "/")]

        def hits(top: str) -> int:
            return sum(p.startswith(top + "/") and p[len(top) + 1 :] in self.state.start for p in edited)

        best = self.root
        for top in dict.fromkeys(candidates):
            inside = self.root[len(top) + 1 :] if self.root.startswith(top + "/") else ""
            if hits(top) > hits(best) and (not inside or inside in directories):
                best = top
        return best

    def _prefix(self) -> str:
        return self.root[len(self.top) + 1 :] if self.root.startswith(self.top + "/") else ""

    def _absolute(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self.root or "/", path))

    def run(self) -> Snapshots:
        for key, call in keyed_calls(self.trajectory):
            action, step, group = call.action, key[0], self.edits.get(key, [])
            if isinstance(action, Plan):
                continue  # it neither reads the files nor changes them
            if isinstance(action, Edit):
                if group:
                    self._edit_call(step, call, action, group)
                elif call.result is None or not (call.result.is_error or call.result.denied):
                    self._close()
                continue
            if isinstance(action, Shell) and call.result is not None and not call.result.denied:
                self._shell_call(step, call, action, group)
            else:
                self._close()
        self._close()
        trees = self.store.write_trees(self.tree, self.overlays)
        for snapshot, tree in zip(self.states, trees, strict=True):
            snapshot.tree = tree
        return Snapshots(self.commit, self.tree, self.states, self.why, self._prefix())

    # Bursts

    def _note_edits(self, group: list[EditEvent]) -> None:
        self.burst += [e for e in group if self._in_repository(e.path) is not None]

    def _close(self) -> None:
        """End the burst: the current tree becomes a snapshot."""
        if not self.burst:
            return
        self.why = self.why or self.state.why()
        self.overlays.append(dict(self.state.work))
        self.states.append(Snapshot("", [e.id for e in self.burst], self.state.exact))
        self.burst = []

    # Calls

    def _edit_call(self, step: int, call: ToolCall, action: Edit, group: list[EditEvent]) -> None:
        patch = _patch_text(call)
        for event, change in _paired(group, action.changes):
            self._apply(event, change, f"step {step}", patch)
        self._note_edits(group)

    def _shell_call(self, step: int, call: ToolCall, action: Shell, group: list[EditEvent]) -> None:
        if not group:
            self._close()
        commands = parse(action.command)
        assert call.result is not None
        known = statuses(commands, call.result.exit_status)
        waiting = list(group)
        for command, status in zip(commands, known, strict=True):
            if status not in (None, 0) and not waiting:
                continue
            where = f"step {step} ({_short(command)})"
            changes = shell_edits(command)
            mine = [w for w in waiting if any(_same_file(w, c) for c in changes)][: len(changes)]
            waiting = [w for w in waiting if w not in mine]
            # Git and the file tools are carried out on our own states; what others write, only their text shows.
            shown = command.program == "git" and any(c.hunks or c.after is not None for c in changes)
            followed = command.program in FOLLOWED and not shown
            if not followed:
                for event, change in _paired(mine, changes):
                    self._apply(event, change, where, _heredoc_patch(command), command)
            if status in (None, 0):
                self._follow(command, action, where, edits_seen=bool(mine) and not followed)
        for event in waiting:
            path = self._in_repository(event.path)
            if path is not None:
                self.state.mark_unknown([path], f"step {step}: the log does not show what was changed in {path}")
        self._resync(call, commands)
        self._note_edits(group)
        if group and len(commands) > len(group):
            self._close()

    def _follow(self, command: Command, action: Shell, where: str, *, edits_seen: bool) -> None:
        base = posixpath.join(self.root if self.trajectory.cwd else self.top, action.cwd or "", command.cwd or "")

        def resolve(name: str) -> str | None:
            if name.startswith(("~", "$")):
                return None
            return self._in_repository(posixpath.join(base, name) if base else name)

        try:
            follow(self.state, command, resolve, where, edits_seen=edits_seen)
        except StoreError as error:
            self.state.lose(f"{where}: {error}")

    def _apply(
        self, event: EditEvent, change: FileChange, where: str, patch: str | None, command: Command | None = None
    ) -> None:
        path = self._in_repository(event.path)
        new_path = None if event.new_path is None else self._in_repository(event.new_path)
        if path is None and new_path is None:
            return
        try:
            if path is None or (event.new_path is not None and new_path is None):
                raise EditError("a file moves across the border of the repository")
            how: How = "patch" if patch is not None else "shell" if command is not None else "tool"
            if self.trajectory.format == "aider" and how == "tool":
                how = "lines"
            apply(self.state, path, change, new_path, how=how, anchored=patch is not None and "\n@@ " in patch)
        except (EditError, StoreError) as error:
            target = new_path or path or event.path
            if target in ("", "."):
                self.state.lose(f"{where}: {error}")
            elif is_source(target) or self.state.get(target) is not None:
                self.state.mark_unknown([target], f"{where}: {error}")
            # Else it is the output of a command: no source, so no build or test depends on it.

    def _resync(self, call: ToolCall, commands: Sequence[Command]) -> None:
        """Take the committed files from a commit of the session that the clone still has: they are exact."""
        if call.result is None or not any(c.program == "git" and "commit" in c.args for c in commands):
            return
        match = _COMMITTED.search(call.result.text)
        commit = self.clone.commit(match.group(1)) if match else None
        if commit is None:
            return
        committed = self.store.files(self.store.tree_of(commit))
        if self.state.lost is not None:
            # Only the files in the commit are certain; what is uncommitted is not known.
            everything = any("-A" in c.args or "." in c.args or "--all" in c.args for c in commands)
            if not everything:
                return
            self.state.work.clear()
            self.state.unknown.clear()
            self.state.lost = None
            for path in set(self.state.start) - set(committed):
                self.state.set(path, None)
            for path, entry in committed.items():
                self.state.set(path, entry)
        for path, entry in committed.items():
            ours = self.state.get(path, self.state.index)
            if path in self.state.unknown or (ours != entry and ours == self.state.get(path)):
                self.state.set(path, entry)
        self.state.index = dict(self.state.work)
        self.state.head = dict(self.state.index)

    def _in_repository(self, path: str) -> str | None:
        """A path, absolute or relative to the session's root, relative to the repository's root; None outside it."""
        if not path.isprintable():
            return None  # not a name that a tool would write: a damaged log
        inside = self._inside(self._absolute(path))
        if (
            self.trajectory.cwd is None
            and not path.startswith("/")
            and (inside is None or not self.state.under(inside))
        ):
            # The root is a guess here, so a relative path that exists in the repository means that file.
            other = self._inside(posixpath.normpath(posixpath.join(self.top or "/", path)))
            return other if other is not None and (inside is None or self.state.under(other)) else inside
        return inside

    def _inside(self, path: str) -> str | None:
        if path == self.top:
            return ""
        return path[len(self.top) + 1 :] if path.startswith(self.top + "/") else None


def _ancestors(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:n]) for n in range(len(parts) - 1, 0, -1)]


def _parents(path: str) -> Iterator[str]:
    at = path.find("/")
    while at > 0:
        yield path[:at]
        at = path.find("/", at + 1)


def _short(command: Command) -> str:
    text = " ".join((command.text or command.program).split())
    return text if len(text) <= 60 else text[:57] + "..."


def _patch_text(call: ToolCall) -> str | None:
    """The raw patch when the call edits by lines."""
    if "patch" not in call.name.lower() and "diff" not in call.name.lower():
        return None
    if isinstance(call.input, str):
        return call.input
    if isinstance(call.input, dict):
        return "\n".join(v for v in call.input.values() if isinstance(v, str))
    return ""


def _heredoc_patch(command: Command) -> str | None:
    if "patch" not in command.program and command.program != "git":
        return None
    return "\n".join([command.stdin or "", *command.args])


def _same_file(event: EditEvent, change: FileChange) -> bool:
    return posixpath.basename(event.path.rstrip("/")) == posixpath.basename(change.path.rstrip("/"))


def _paired(events: list[EditEvent], changes: Sequence[FileChange]) -> Iterator[tuple[EditEvent, FileChange]]:
    """Each event with its change, in order."""
    left = list(changes)
    for event in events:
        change = next((c for c in left if _same_file(event, c)), None)
        if change is not None:
            left.remove(change)
            yield event, change
