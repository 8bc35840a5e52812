"""The answer when settings change while a session runs: none may take the hook away from it.

Claude Code takes over what changes in its settings at once, so an agent could end the review of its own session by one
edit. Who edits cannot be seen here: a user's own edit holds from the next session on as well.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .places import PLACES, project_root
from .settings import SettingsError, read, starts


def keep(agent: str | None, cwd: Path, *, block: bool) -> dict[str, Any] | None:
    """The reply to a change of settings; None: the hook is still started by some of them, with its option."""
    place = PLACES.get(agent or "")
    if place is None or "ConfigChange" not in place.events:
        return None
    found: list[dict[str, Any]] = []
    for file in place.files(project_root(cwd)):
        try:
            found.append(read(file))
        except SettingsError:
            continue  # not to be understood by the agent's program either
    off = any(settings.get("disableAllHooks") for settings in found)
    if not off and any(starts(settings, "--block" if block else "") for settings in found):
        return None
    why = "this change of settings would end the review of this session, so it holds from the next session on"
    return {"decision": "block", "reason": f"rigor: {why}", "systemMessage": f"rigor: {why}"}
