"""The root of the project a session works in, and the paths inside it."""

from __future__ import annotations

import posixpath
import re
from collections import Counter

from ...trajectory.model import Edit, Shell, Trajectory

_CD = re.compile(r"^\s*cd\s+(/[^\s;&|'\"]+)")


def project_root(trajectory: Trajectory) -> str | None:
    """The directory that holds what the session works on, or None.

    That is the log's working directory, unless most edits lie elsewhere (a container's working directory is often not
    the project). Then, and in logs without one (mini-swe-agent, SWE-agent, exec streams), it is the directory that
    commands start from (``cd ROOT && ...``), else the common directory of the edited files.
    """
    if trajectory.recording is not None and trajectory.cwd:
        return trajectory.cwd  # where the run was started: a fact and no guess
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
    if cwd and sum(f.startswith(cwd.rstrip("/") + "/") for f in files) * 2 >= len(files):
        return cwd
    seen.pop("", None)
    seen.pop("/tmp", None)
    if seen:
        ranked = [d for d, _ in seen.most_common()]
        best = ranked[0]
        # `cd ROOT/sub` now and then: the parent that also occurs is the root.
        for directory in ranked:
            if best.startswith(directory + "/"):
                best = directory
        if not files or sum(f.startswith(best + "/") for f in files) * 2 >= len(files):
            return best
    return _common_directory(files) or cwd


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
    # One edited file deep in a tree says little about the root: its source folders are not it.
    parts = shared.split("/")
    depth = 4 if top in ("/home", "/Users") else 3
    return "/".join(parts[:depth]) if len(parts) > depth else shared
