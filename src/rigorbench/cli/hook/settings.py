"""Where agents keep the settings that start hooks; puts the hook into them and takes it out again.

Everything else in a file of settings stays as it is.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

# Whatever path the program has: the settings may have been written by another installation.
_OURS = re.compile(r"\bhook run --agent \S+")
# Seconds after which the agent stops the hook; the hook ends before that by itself.
_TIMEOUT = 20


class HookPlace(Struct, frozen=True):
    """The settings of one agent."""

    agent: str
    folder: str
    """Of the user's settings, relative to the home directory, and of a project's, relative to its root."""
    file: str
    """In that folder. Both agents use the same form: ``hooks.Stop[].hooks[].command``."""
    others: tuple[str, ...]
    """Further files of that folder that decide which hooks run."""
    variable: str
    """An environment variable that names another folder of the user's settings."""
    events: tuple[str, ...] = ("Stop",)
    """At which the hook is started. "ConfigChange": Claude Code takes changed settings over at once."""
    after: str = ""
    """What the user still has to do."""

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


class SettingsError(Exception):
    """Settings that are not changed, because they are not what they should be: one line."""


def read(file: Path) -> dict[str, Any]:
    """The settings in a file; {} if there is none. Raises: SettingsError."""
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: cannot be read ({error})") from None
    try:
        found = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise SettingsError(f"{file}: is no JSON ({error}); it was left as it is") from None
    hooks = found.get("hooks", {}) if isinstance(found, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise SettingsError(f"{file}: its hooks have another form than expected; it was left as it is")
    made: dict[str, Any] = found
    return made


def written(settings: dict[str, Any]) -> str:
    """The text of the file; "" for settings that are empty."""
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n" if settings else ""


def with_hook(settings: dict[str, Any], command: str, events: Sequence[str] = ("Stop",)) -> dict[str, Any]:
    """The settings with our hook at these events, in place of an earlier one of ours."""
    made = without_hook(settings)
    hooks = {**made.get("hooks", {})}
    for event in events:
        entry = {"hooks": [{"type": "command", "command": command, "timeout": _TIMEOUT}]}
        hooks[event] = [*hooks.get(event, []), entry]
    return {**made, "hooks": hooks}


def without_hook(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings without our hook, and without what would be empty then."""
    hooks: dict[str, Any] = {}
    for event, groups in settings.get("hooks", {}).items():
        kept = [group for group in map(_cleaned, groups) if group is not None]
        if kept or kept == groups:
            hooks[event] = kept
    if hooks == settings.get("hooks", {}):
        return settings
    made = {**settings, "hooks": hooks}
    if not hooks:
        del made["hooks"]
    return made


def starts(settings: dict[str, Any], option: str = "") -> bool:
    """Whether these settings start our hook when the agent stops, with this option in its command."""
    if settings.get("disableAllHooks"):
        return False
    commands = [
        str(hook.get("command", ""))
        for group in settings.get("hooks", {}).get("Stop", [])
        if isinstance(group, dict) and isinstance(group.get("hooks"), list)
        for hook in group["hooks"]
        if isinstance(hook, dict)
    ]
    return any(is_ours(command) and option in command for command in commands)


def is_ours(text: str) -> bool:
    """Whether a text (a command, or whole settings) starts our hook."""
    return _OURS.search(text) is not None


def _cleaned(group: Any) -> Any:
    """A group of hooks without ours; None: nothing is left of it."""
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    kept = [h for h in group["hooks"] if not (isinstance(h, dict) and is_ours(str(h.get("command", ""))))]
    if len(kept) == len(group["hooks"]):
        return group
    return {**group, "hooks": kept} if kept else None
