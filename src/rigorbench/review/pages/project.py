"""Which project a session was about: the repository of the directory that it worked in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

# Work trees that agents make: inside the repository, or in a folder of their own with one folder more.
_INSIDE = re.compile(r"^(.+?)[/\\](?:\.claude[/\\]worktrees|\.worktrees)[/\\].*")
_CODEX = re.compile(r"^(.*[/\\]\.codex[/\\]worktrees)[/\\][^/\\]+([/\\][^/\\]+).*")
_CURSOR = re.compile(r"^(.*[/\\]\.cursor[/\\]worktrees[/\\][^/\\]+)[/\\].*")
# A `.git` file is one line; more than this is none.
_LONGEST = 4096


@cache
def repository(directory: str) -> str:
    """The root of the repository that contains a directory; that of its main work tree, where it is one of several.

    A directory that is no longer there, or is in no repository, is its own project; the work trees that agents make
    (``.claude/worktrees/x``) are known by their paths.
    """
    path = Path(directory)
    if path.is_absolute() and path.is_dir():
        for parent in (path, *path.parents):
            git = parent / ".git"
            if git.is_file():
                return _main_tree(git) or str(parent)
            if git.is_dir():
                return str(parent)
    for layout, kept in ((_INSIDE, r"\1"), (_CODEX, r"\1\2"), (_CURSOR, r"\1")):
        if layout.match(directory):
            return layout.sub(kept, directory)
    return directory


def _main_tree(git: Path) -> str | None:
    """The main work tree that a ``.git`` file leads to; None: of a submodule, or it cannot be read."""
    try:
        with git.open(encoding="utf-8", errors="replace") as file:
            line = file.readline(_LONGEST)
    except OSError:
        return None
    if not line.startswith("gitdir:"):
        return None
    private = Path(os.path.normpath(git.parent / line.removeprefix("gitdir:").strip()))
    if private.parent.name != "worktrees":
        return None
    common = private.parent.parent
    return str(common.parent if common.name.startswith(".") else common)


def project_names(roots: Iterable[str]) -> dict[str, str]:
    """A short name for each repository: its folder; where two are alike, with the folders above that differ."""
    paths = {root: [p for p in re.split(r"[/\\]+", root) if p] or [root] for root in roots}
    names: dict[str, str] = {}
    for root, parts in paths.items():
        length = 1
        alike = [other for name, other in paths.items() if name != root]
        while length < len(parts) and any(other[-length:] == parts[-length:] for other in alike):
            length += 1
        names[root] = "/".join(parts[-length:]).removesuffix(".git")
    return names
