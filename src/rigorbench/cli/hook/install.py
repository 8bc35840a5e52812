"""``rigor hook install``, ``remove`` and ``watch``: the settings of agents, and their options."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from difflib import unified_diff
from pathlib import Path
from typing import Any

from ...base.files import replace_file
from ..common import UsageError, actions, add_action, message, parser, unknown
from .settings import PLACES, HookPlace, SettingsError, project_root, read, with_hook, without_hook, written
from .watch import add_watch

_EPILOG = """examples:
  rigor hook install --dry-run              what would be written, and where
  rigor hook install claude-code --block    flags send the agent back to work, at most once a turn
  rigor hook install codex --project        for everyone who works in this repository
  rigor hook remove                         wherever it is
  rigor hook watch                          the latest session of this machine, without any settings

Agents: claude-code, codex. The hook shows flags, each with the event that decides and the command to run.
It warns; with --block it also sends the agent back to work, at most once a turn. Whatever goes wrong, the agent may
stop. See docs/hooks.md.
"""


def parser_of_actions() -> argparse.ArgumentParser:
    top = parser("hook", "Review a session whenever its agent stops, or while it runs.", _EPILOG)
    commands = actions(top)
    install = add_action(commands, "install", _install, "let an agent start the hook when it stops")
    remove = add_action(commands, "remove", _remove, "take the hook out of the settings again")
    for p in (install, remove):
        p.add_argument("agents", nargs="*", metavar="AGENT", help="claude-code, codex; default: those set up here")
        p.add_argument("--user", action="store_true", help="in your own settings, for all projects (default: install)")
        p.add_argument("--project", action="store_true", help="in the settings of the project in the working directory")
        p.add_argument("--dry-run", action="store_true", help="show the change and write nothing")
    text = "send the agent back to work for a flag, at most once a turn"
    install.add_argument("--block", action="store_true", help=text)
    add_watch(commands)
    commands.add_parser("run", help="what the agent starts: reviews the session that standard input names")
    return top


def _install(args: argparse.Namespace) -> int:
    if args.user and args.project:
        raise UsageError("give --user or --project")
    try:
        for place in _chosen(args.agents):
            file = place.project(project_root(Path.cwd())) if args.project else place.user()
            before = read(file)
            # ``|| true``: for both agents, status 2 of a program that fails means "go on".
            # Settings of a project are shared: there the program is the one on the PATH of whoever works in it.
            program = "rigor" if args.project else shlex.join(_program())
            command = f"{program} hook run --agent {place.agent}{' --block' if args.block else ''} || true"
            after = with_hook(before, command, place.events)
            if after == before:
                message(f"{place.agent}: the hook is in {file} already")
                continue
            _write(file, after, dry_run=args.dry_run)
            message(f"{place.agent}: the hook {'would be' if args.dry_run else 'is'} in {file}")
            if args.project:
                message(
                    "  the agent can edit this file, and a change of it is reported; --user keeps it out of the project"
                )
            if place.after:
                message(f"  {place.after}")
    except SettingsError as error:
        message(f"rigor hook: {error}")
        return 1
    return 0


def _chosen(names: list[str]) -> list[HookPlace]:
    """The agents of these names; without names, those whose settings folder exists. Raises: Usage."""
    for name in names:
        if name not in PLACES:
            raise unknown("agent", name, PLACES)
    found = [PLACES[n] for n in names] or [p for p in PLACES.values() if p.user().parent.is_dir()]
    if not found:
        raise UsageError(f"found no settings of an agent; name one: {', '.join(PLACES)}")
    return found


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


def _remove(args: argparse.Namespace) -> int:
    both = args.user == args.project
    root = project_root(Path.cwd())
    removed = False
    try:
        for place in _chosen(args.agents or list(PLACES)):
            files = [place.user()] if args.user or both else []
            files += [place.project(root)] if args.project or both else []
            for file in dict.fromkeys(files):
                before = read(file)
                after = without_hook(before)
                if after == before:
                    continue
                _write(file, after, dry_run=args.dry_run)
                removed = True
                message(f"{place.agent}: the hook {'would be' if args.dry_run else 'is'} out of {file}")
    except SettingsError as error:
        message(f"rigor hook: {error}")
        return 1
    if not removed:
        message("the hook is in none of the settings")
    return 0


def _write(file: Path, settings: dict[str, Any], *, dry_run: bool) -> None:
    """Write settings, or show the change. A file in which nothing is left is removed. Raises: SettingsError."""
    text = written(settings)
    if dry_run:
        old = file.read_text("utf-8") if file.exists() else ""
        lines = unified_diff(old.splitlines(True), text.splitlines(True), str(file), str(file))
        sys.stdout.writelines(line if line.endswith("\n") else line + "\n" for line in lines)
        return
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
