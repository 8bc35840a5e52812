"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .errors import TrackError
from .nearby import nearest, passes
from .reading import read
from .simplify import thin
from .splits import splits
from .stats import summary
from .writing import dump


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="trailbook", description="How long, how high and how fast a hike was.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("stats", "splits", "thin", "near"):
        command = commands.add_parser(name)
        command.add_argument("track", type=Path)
        if name == "splits":
            command.add_argument("--every", type=float, default=1000.0, help="metres")
        elif name == "thin":
            command.add_argument("--tolerance", type=float, default=5.0, help="metres")
        elif name == "near":
            command.add_argument("lat", type=float)
            command.add_argument("lon", type=float)
    options = parser.parse_args(argv)
    try:
        print(_run(options), end="")
    except (TrackError, OSError) as error:
        print(f"trailbook: {error}", file=sys.stderr)
        return 1
    return 0


def _run(options: argparse.Namespace) -> str:
    points = read(options.track)
    if options.command == "stats":
        s = summary(points)
        start, end = points[0], points[-1]
        return (
            f"{s.length / 1000:.2f} km, {clock(s.seconds)}, {clock(s.resting)} of it at rest, {s.speed * 3.6:.1f} km/h\n"
            f"up {s.ascent:.0f} m, down {s.descent:.0f} m, between {s.lowest:.0f} and {s.highest:.0f} m\n"
            f"from {start[0]:.4f} {start[1]:.4f} to {end[0]:.4f} {end[1]:.4f}, heading {s.heading:.0f}\n"
        )
    if options.command == "splits":
        return "".join(f"{p.length:8.0f} m {clock(p.seconds)} {p.rise:+6.0f} m\n" for p in splits(points, options.every))
    if options.command == "thin":
        return dump(thin(points, options.tolerance))
    p, away = nearest(points, options.lat, options.lon)
    times = ", ".join(f"{clock(a)}-{clock(b)}" for a, b in passes(points, options.lat, options.lon, 200))
    return f"{p[0]:.4f} {p[1]:.4f} at {p[2]:.0f} m after {clock(p[3])}, {away:.0f} m away\nwithin 200 m: {times or 'never'}\n"


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
