"""The command line."""

from __future__ import annotations

import argparse
import random
import re
import sys

from .chronicle import chronicle
from .errors import WorldError
from .gazetteer import gazetteer
from .render import render
from .world import World, generate


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="hexland", description="Makes up a small land for an evening of play.")
    parser.add_argument("command", choices=("map", "gazetteer", "chronicle", "book"))
    parser.add_argument("--seed", type=int)
    parser.add_argument("--size", default="10x8", help="hexes across and down")
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--season", default="spring")
    options = parser.parse_args(argv)
    try:
        print(_run(options), end="")
    except WorldError as error:
        print(f"hexland: {error}", file=sys.stderr)
        return 1
    return 0


def _run(options: argparse.Namespace) -> str:
    size = re.fullmatch(r"(\d+)x(\d+)", options.size)
    if size is None:
        raise WorldError(f"size {options.size!r}: expected something like 10x8")
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    world = generate(seed, int(size[1]), int(size[2]))
    parts = [f"seed {seed}\n"]
    if options.command in ("map", "book"):
        parts.append(render(world))
    if options.command in ("gazetteer", "book"):
        parts.append(gazetteer(world))
    if options.command in ("chronicle", "book"):
        parts.append(_days(world, options.days, options.season))
    return "\n".join(parts) if options.command == "book" else "".join(parts)


def _days(world: World, days: int, season: str) -> str:
    return "".join(f"{line}\n" for line in chronicle(world, days, season))
