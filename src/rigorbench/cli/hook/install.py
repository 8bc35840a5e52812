"""``rigor hook install``: lets an agent start the hook when it stops."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from ..common import Usage, message, parser
from .change import add_targets, apply, chosen, failed
from .places import HookPlace, project_root
from .settings import SettingsError, read, with_hook

_EPILOG = """examples:
  rigor hook install --dry-run              what would be written, and where
  rigor hook install claude-code --block    flags send the agent back to work, at most once a turn
  rigor hook install codex --project        for everyone who works in this repository
"""


def command(arguments: list[str]) -> int:
    p = parser("hook install", "Let an agent start the hook when it stops (default: in your own settings).", _EPILOG)
    add_targets(p)
    p.add_argument("--block", action="store_true", help="send the agent back to work for a flag, at most once a turn")
    args = p.parse_args(arguments)
    if args.user and args.project:
        raise Usage("give --user or --project")
    try:
        for place in chosen(args.agents):
            _install(place, project=args.project, block=args.block, dry_run=args.dry_run)
    except SettingsError as error:
        return failed(error)
    return 0


def _install(place: HookPlace, *, project: bool, block: bool, dry_run: bool) -> None:
    file = place.project(project_root(Path.cwd())) if project else place.user()
    before = read(file)
    after = with_hook(before, _line(place, project=project, block=block), place.events)
    if after == before:
        message(f"{place.agent}: the hook is in {file} already")
        return
    apply(file, before, after, dry_run=dry_run)
    message(f"{place.agent}: the hook {'would be' if dry_run else 'is'} in {file}")
    if project:
        message("  the agent can edit this file, and a change of it is reported; --user keeps it out of the project")
    if place.after:
        message(f"  {place.after}")


def _line(place: HookPlace, *, project: bool, block: bool) -> str:
    """The command in the settings. ``|| true``: for both agents, status 2 of a program that fails means "go on"."""
    # Settings of a project are shared: there the program is the one on the PATH of whoever works in it.
    program = "rigor" if project else shlex.join(_program())
    return f"{program} hook run --agent {place.agent}{' --block' if block else ''} || true"


def _program() -> list[str]:
    """This very program by its path, so that no other one of that name is started."""
    started = Path(sys.argv[0])
    if started.name == "rigor" and started.is_file():
        return [str(started.absolute())]
    beside = Path(sys.executable).with_name("rigor")
    found = str(beside) if beside.is_file() else shutil.which("rigor")
    if found:
        return [found]
    return [sys.executable, "-c", "import sys; from rigorbench.cli import main; sys.exit(main())"]
