"""Options about the context of a session: its task, and the votes on it."""

from __future__ import annotations

import argparse
from pathlib import Path

from .common import Usage, existing_directory, messages


def add_session_options(p: argparse.ArgumentParser) -> None:
    """Adds --task and --votes."""
    p.add_argument("--task", metavar="FILE", help="task file: requirements, commands, whether the task can be done")
    p.add_argument(
        "--votes", type=existing_directory, metavar="DIR", help="judges' votes, as `rigor panel ask` stores them"
    )


def check_session_options(args: argparse.Namespace) -> None:
    """Raises: Usage when the task or the votes cannot be read."""
    if args.task is not None:
        check_task(args.task)
    if args.votes is not None:
        _check_votes(args.votes)


def check_task(path: str) -> None:
    """Raises: Usage when the task file cannot be read."""
    from ..tasks.task import TaskError, load_task

    try:
        load_task(Path(path))
    except TaskError as error:
        raise Usage(str(error)) from None


def _check_votes(directory: Path) -> None:
    """Reports votes that cannot be read and so do not count."""
    from ..panel.votes import StoreError, VoteStore

    try:
        messages(VoteStore(directory).damaged)
    except StoreError as error:
        raise Usage(str(error)) from None
