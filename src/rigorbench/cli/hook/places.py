"""Where agents keep the settings that start hooks."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct


class HookPlace(Struct, frozen=True):
    """The settings of one agent.

    Attributes:
        folder: of the user's settings, relative to the home directory, and of a project's, relative to its root.
        file: in that folder. Both agents use the same form: ``hooks.Stop[].hooks[].command``.
        others: further files of that folder that decide which hooks run.
        variable: an environment variable that names another folder of the user's settings.
        events: at which the hook is started. "ConfigChange": Claude Code takes changed settings over at once.
        after: what the user still has to do.
    """

    agent: str
    folder: str
    file: str
    others: tuple[str, ...]
    variable: str
    events: tuple[str, ...] = ("Stop",)
    after: str = ""

    def user(self) -> Path:
        moved = os.environ.get(self.variable)
        return (Path(moved) if moved else Path.home() / self.folder) / self.file

    def project(self, root: Path) -> Path:
        return root / self.folder / self.file

    def files(self, root: Path) -> list[Path]:
        """All files of the user's and the project's settings that decide which hooks run."""
        return [p.parent / name for p in (self.user(), self.project(root)) for name in (self.file, *self.others)]


PLACES = {
    place.agent: place
    for place in (
        HookPlace(
            "claude-code",
            ".claude",
            "settings.json",
            ("settings.local.json",),
            "CLAUDE_CONFIG_DIR",
            ("Stop", "ConfigChange"),
        ),
        HookPlace(
            "codex",
            ".codex",
            "hooks.json",
            ("config.toml",),
            "CODEX_HOME",
            after="Codex runs a new hook only after you have trusted it: start `codex`, which asks, or type /hooks.",
        ),
    )
}


def project_root(directory: Path) -> Path:
    """The nearest directory with a repository, else the directory itself."""
    return next((d for d in (directory, *directory.parents) if (d / ".git").exists()), directory)
