"""The command line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .apply import apply
from .cloud import Cloud
from .errors import GroundworkError
from .language import Resource, parse
from .plan import describe, make_plan
from .state import State, load_state, save_state


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except GroundworkError as error:
        print(f"groundwork: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="groundwork")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("plan", "tell what apply would do"), ("apply", "make it as the file says")):
        commands.add_parser(name, help=text).add_argument("file", type=Path)
    commands.add_parser("show", help="what was made")
    for command in commands.choices.values():
        command.add_argument("--state", type=Path, default=Path("groundwork.state"))
        command.add_argument("--cloud", type=Path, default=Path("cloud.json"))
    return parser


def _run(options: argparse.Namespace) -> int:
    state, cloud = load_state(options.state), Cloud(options.cloud)
    if options.command == "show":
        print(_shown(state))
        return 0
    steps = make_plan(_read(options.file), state)
    print(describe(steps))
    if options.command == "apply":
        apply(steps, state, cloud, lambda now: save_state(now, options.state))
    return 0


def _read(file: Path) -> list[Resource]:
    try:
        return parse(file.read_text(encoding="utf-8"), str(file))
    except OSError as error:
        raise GroundworkError(f"{file}: {error.strerror}") from None


def _shown(state: State) -> str:
    """A line for each object, with its attributes below."""
    lines = []
    for address, made in state.resources.items():
        lines.append(f"{address}  {made.id}")
        lines += [f"  {name} = {json.dumps(value)}" for name, value in made.attributes.items()]
    return "\n".join(lines) if lines else "nothing was made"
