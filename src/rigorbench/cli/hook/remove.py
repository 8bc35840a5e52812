"""``rigor hook remove``: takes the hook out of the settings again."""

from __future__ import annotations

from pathlib import Path

from ..common import message, parser
from .change import add_targets, apply, chosen, failed
from .places import PLACES, project_root
from .settings import SettingsError, read, without_hook


def command(arguments: list[str]) -> int:
    p = parser("hook remove", "Take the hook out of the settings again, wherever it is (default: everywhere).")
    add_targets(p)
    args = p.parse_args(arguments)
    both = args.user == args.project
    root = project_root(Path.cwd())
    removed = False
    try:
        for place in chosen(args.agents or list(PLACES)):
            files = [place.user()] if args.user or both else []
            files += [place.project(root)] if args.project or both else []
            for file in dict.fromkeys(files):
                before = read(file)
                after = without_hook(before)
                if after == before:
                    continue
                apply(file, before, after, dry_run=args.dry_run)
                removed = True
                message(f"{place.agent}: the hook {'would be' if args.dry_run else 'is'} out of {file}")
    except SettingsError as error:
        return failed(error)
    if not removed:
        message("the hook is in none of the settings")
    return 0
