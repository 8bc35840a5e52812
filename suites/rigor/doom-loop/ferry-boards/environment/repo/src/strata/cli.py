"""The command line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .errors import SettingsError
from .loader import load


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="strata", description="Layered settings for display boards.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, help_text in (
        ("show", "print all settings"),
        ("get", "print one setting"),
        ("origin", "print the file and line that has set it"),
    ):
        command = commands.add_parser(name, help=help_text)
        command.add_argument("file", type=Path)
        if name != "show":
            command.add_argument("name")
    given = parser.parse_args(arguments)
    try:
        settings = load(given.file)
        if given.command == "origin":
            place = settings.origin(given.name)
            return _print(str(place) if place else None, given.name)
        values = settings.resolved()
    except SettingsError as error:
        sys.stderr.write(f"strata: {error}\n")
        return 1
    if given.command == "get":
        return _print(written(values[given.name]) if given.name in values else None, given.name)
    for name, value in values.items():
        sys.stdout.write(f"{name} = {written(value)}\n")
    return 0


def written(value: object) -> str:
    """A value on one line, as JSON has it."""
    return json.dumps(value, ensure_ascii=False)


def _print(found: str | None, name: str) -> int:
    if found is None:
        sys.stderr.write(f"strata: {name} is not set\n")
        return 1
    sys.stdout.write(found + "\n")
    return 0
