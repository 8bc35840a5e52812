"""What ``rigor hook install`` and ``rigor hook remove`` share: which files, and how a change is shown and written."""

from __future__ import annotations

import argparse
import sys
from difflib import unified_diff
from pathlib import Path
from typing import Any

from ..common import Usage, message, unknown
from .places import PLACES, HookPlace
from .settings import SettingsError, written


def add_targets(p: argparse.ArgumentParser) -> None:
    p.add_argument("agents", nargs="*", metavar="AGENT", help="claude-code, codex; default: those that are set up here")
    p.add_argument("--user", action="store_true", help="in your own settings, for all projects")
    p.add_argument("--project", action="store_true", help="in the settings of the project in the working directory")
    p.add_argument("--dry-run", action="store_true", help="show the change and write nothing")


def chosen(names: list[str]) -> list[HookPlace]:
    """The agents of these names; without names, those whose settings folder exists. Raises: Usage."""
    for name in names:
        if name not in PLACES:
            raise unknown("agent", name, PLACES)
    found = [PLACES[n] for n in names] or [p for p in PLACES.values() if p.user().parent.is_dir()]
    if not found:
        raise Usage(f"found no settings of an agent; name one: {', '.join(PLACES)}")
    return found


def apply(file: Path, before: dict[str, Any], after: dict[str, Any], *, dry_run: bool) -> None:
    """Write a change of settings, or show it. A file in which nothing is left is removed. Raises: SettingsError."""
    text = written(after)
    if dry_run:
        old = file.read_text("utf-8") if file.exists() else ""
        lines = unified_diff(old.splitlines(True), text.splitlines(True), str(file), str(file))
        sys.stdout.writelines(line if line.endswith("\n") else line + "\n" for line in lines)
        return
    from ...base.files import replace_file

    # Settings are often links into a folder under version control: the link stays.
    target = file.resolve()
    try:
        if text:
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_file(target, text.encode(), target.stat().st_mode & 0o777 if target.exists() else 0o600)
        else:
            target.unlink()
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror or error}") from None


def failed(error: SettingsError) -> int:
    message(f"rigor hook: {error}")
    return 1
