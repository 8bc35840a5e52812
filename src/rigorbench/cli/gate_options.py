"""Options that make a command end with status 3."""

from __future__ import annotations

from argparse import ArgumentParser, _ArgumentGroup

from .common import whole


def add_gate(p: ArgumentParser | _ArgumentGroup) -> None:
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
