"""The root of the project that a session works in."""

from __future__ import annotations

import posixpath
import re
from collections import Counter

from ...trajectory.model import Edit, Shell, Trajectory

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
    if cwd and sum(f.startswith(cwd.rstrip("/") + "/") for f in files) * 2 >= len(files):
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
