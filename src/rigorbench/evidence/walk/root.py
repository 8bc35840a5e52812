"""The root of the project that a session works in."""

from __future__ import annotations

import posixpath
import re
from collections import Counter

from ...session.model import Edit, Shell, Trajectory
from ..commands.classify import classify_line
from ..commands.vcs import git_subcommand
from ..paths import is_absolute_outside, is_rooted, relative

_CD = re.compile(r"^\s*cd\s+(/[^\s;&|'\"]+)")


def project_root(trajectory: Trajectory) -> str | None:
    """The directory of the project that the session works on, or None.

    It is the log's working directory, unless most edits are elsewhere (a container's working directory is often not the
    project). Then, and in logs without one (mini-swe-agent, SWE-agent, exec streams), it is the directory in which
    commands run (``cd ROOT && ...``), else the common directory of the edited files.
    """
    if trajectory.recording is not None and trajectory.cwd:
        return trajectory.cwd  # recorded: where the run was started
    seen: Counter[str] = Counter()
    files: list[str] = []
    for step in trajectory.steps:
        for call in step.calls:
            action = call.action
            if isinstance(action, Shell):
                if action.cwd and action.cwd.startswith("/"):
                    seen[action.cwd.rstrip("/")] += 1
                elif match := _CD.match(action.command):
                    seen[match.group(1).rstrip("/")] += 1
            elif isinstance(action, Edit):
                files += [c.path for c in action.changes if c.path.startswith("/") and not c.path.startswith("/tmp/")]
    cwd = trajectory.cwd
    # What an agent remembers stands below a hidden directory of its user.
    files = [f for f in files if "/." not in f or (cwd is not None and f.startswith(cwd))]
    trees = worktrees(trajectory, cwd)
    if cwd and sum(not is_absolute_outside(relative(f, cwd, trees), cwd) for f in files) * 2 >= len(files):
        return cwd
    seen.pop("", None)
    seen.pop("/tmp", None)
    if seen:
        ranked = [d for d, _ in seen.most_common()]
        best = ranked[0]
        # Some commands `cd ROOT/sub`: a parent directory that also occurs is the root.
        for directory in ranked:
            if best.startswith(directory + "/"):
                best = directory
        if not files or sum(f.startswith(best + "/") for f in files) * 2 >= len(files):
            return best
    return _common_directory(files) or cwd


def worktrees(trajectory: Trajectory, root: str | None) -> tuple[str, ...]:
    """The further work trees of the project that the session makes, each for a new branch: the work goes on there.

    One of a state that exists is for a look at it.
    """
    if root is None:
        return ()
    found: dict[str, None] = {}
    lines = (c.action for s in trajectory.steps for c in s.calls if isinstance(c.action, Shell))
    for line in (action for action in lines if "worktree" in action.command):
        for command in (part.command for part in classify_line(line.command) if part.command.program == "git"):
            sub, rest = git_subcommand(command.args)
            place = _new_worktree(rest) if sub == "worktree" else None
            cwd = posixpath.join(root, line.cwd or "", command.cwd or "")
            if place is not None and not is_absolute_outside(relative(cwd, root), root):
                found[relative(place if is_rooted(place) else posixpath.join(cwd, place), None)] = None
    return tuple(found)


def _new_worktree(words: list[str]) -> str | None:
    """The directory of ``git worktree add``, if it makes a branch."""
    branch = next((n for n, w in enumerate(words) if w in ("-b", "-B")), None)
    if words[:1] != ["add"] or branch is None:
        return None
    plain = [w for n, w in enumerate(words[1:], 1) if w[:1] != "-" and n != branch + 1]
    return plain[0] if plain else None


def _common_directory(files: list[str]) -> str | None:
    """The directory that most edited files share: /testbed, /repo, /workspace/repo, /home/user/repo."""
    if not files:
        return None
    tops = Counter("/".join(f.split("/")[:2]) for f in files if f.count("/") > 1)
    if not tops:
        return None
    top = tops.most_common(1)[0][0]
    if top not in ("/workspace", "/home", "/root", "/opt", "/Users", "/mnt", "/usr", "/var", "/data", "/work"):
        return top
    inside = [posixpath.dirname(f) for f in files if f.startswith(top + "/")]
    shared = posixpath.commonpath(inside)
    # A file deep in a tree shows little about the root: source folders are not the root.
    parts = shared.split("/")
    depth = 4 if top in ("/home", "/Users") else 3
    return "/".join(parts[:depth]) if len(parts) > depth else shared
