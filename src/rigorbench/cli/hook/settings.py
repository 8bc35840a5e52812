"""Puts the hook into an agent's settings and takes it out again. Everything else in the file stays as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

# Whatever path the program has: the settings may have been written by another installation.
_OURS = re.compile(r"\bhook run --agent \S+")
# Seconds after which the agent stops the hook; the hook ends before that by itself.
_TIMEOUT = 20


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
    if not isinstance(hooks, dict) or not isinstance(hooks.get("Stop", []), list):
        raise SettingsError(f"{file}: its hooks have another form than expected; it was left as it is")
    made: dict[str, Any] = found
    return made


def written(settings: dict[str, Any]) -> str:
    """The text of the file; "" for settings that are empty."""
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n" if settings else ""


def with_hook(settings: dict[str, Any], command: str) -> dict[str, Any]:
    """The settings with our hook, in place of an earlier one of ours."""
    made = without_hook(settings)
    hooks = {**made.get("hooks", {})}
    entry = {"hooks": [{"type": "command", "command": command, "timeout": _TIMEOUT}]}
    hooks["Stop"] = [*hooks.get("Stop", []), entry]
    return {**made, "hooks": hooks}


def without_hook(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings without our hook, and without what would be empty then."""
    hooks = {**settings.get("hooks", {})}
    groups = [_cleaned(group) for group in hooks.get("Stop", [])]
    kept = [group for group in groups if group is not None]
    if kept == hooks.get("Stop", []):
        return settings
    hooks["Stop"] = kept
    if not kept:
        del hooks["Stop"]
    made = {**settings, "hooks": hooks}
    if not hooks:
        del made["hooks"]
    return made


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
