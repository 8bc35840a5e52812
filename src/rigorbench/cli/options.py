"""Options that several commands have: what fails a session, the task of a session, pages."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from .common import Usage, message, whole

if TYPE_CHECKING:
    from ..session.task import Task


def add_gate(p: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Adds --fail-under and --fail-on."""
    p.add_argument(
        "--fail-under", type=whole("a grade", 0, 100), metavar="N", help="a session with an overall grade below N fails"
    )
    p.add_argument(
        "--fail-on", metavar="WHAT", help="a session with these findings fails: flag, weak or note, checks, V,H"
    )


def status(complete: bool, passed: bool) -> int:
    """The exit status: 3 some session fails, else 1 some input could not be read, else 0."""
    return 3 if not passed else 0 if complete else 1


def add_task(p: argparse.ArgumentParser) -> None:
    """Adds --task."""
    p.add_argument("--task", metavar="FILE", help="task file: requirements, commands, whether the task can be done")


def check_task(path: str | None) -> Task | None:
    """The task in a file. Raises: TaskError when it cannot be read."""
    from ..session.task import load_task

    return load_task(Path(path)) if path is not None else None


def add_page(p: argparse.ArgumentParser, help: str, metavar: str = "FILE") -> None:
    """Adds --html and --open."""
    p.add_argument("--html", metavar=metavar, help=help)
    p.add_argument("--open", action="store_true", help="show the page in the browser")


def check_page_options(args: argparse.Namespace) -> None:
    """Raises: Usage when the options of :func:`add_page` do not fit, or the page cannot be written."""
    if args.open and args.html is None:
        raise Usage("--open needs --html FILE")
    if args.html is not None:
        check_page(Path(args.html))


def is_site(target: str) -> bool:
    """Whether ``--html`` names a folder of pages, and not a page."""
    return not target.endswith((".html", ".htm"))


def check_page(target: Path) -> None:
    """Raises: Usage when a page cannot be written there, which is no fault of the log."""
    folder = target.parent
    if not folder.is_dir():
        raise Usage(f"--html {target}: there is no folder {folder}; make it first")
    if target.is_dir():
        raise Usage(f"--html {target}: is a folder; name a file in it")
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise Usage(f"--html {target}: you may not write there")


def check_site(target: Path) -> None:
    """Raises: Usage when no folder of pages can be made there."""
    there = next(p for p in (target, *target.absolute().parents) if p.exists())
    if not there.is_dir():
        raise Usage(f"--html {target}: {there} is a file, not a folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise Usage(f"--html {target}: you may not write to {there}")


def write_page(page: str, target: str, *, show: bool) -> None:
    """Writes a page, says where, and shows it in the browser. Raises: OSError."""
    path = Path(target)
    path.write_text(page, encoding="utf-8", newline="\n")
    message(f"page: {target}")
    if show:
        show_page(path)


def show_page(path: Path) -> None:
    """Shows a page in the browser."""
    import webbrowser

    if not webbrowser.open(path.absolute().as_uri()):
        message("no browser could be started; open the file yourself")
