"""The command line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .errors import GaugeError
from .pipeline import load_pipeline, option_names
from .runner import Job, run
from .stages import STAGES


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        if options.command == "stages":
            print(_stages())
            return 0
        return _run(options)
    except GaugeError as error:
        print(f"gaugeline: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gaugeline")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("stages", help="the stages there are")
    command = commands.add_parser("run", help="take readings through a pipeline")
    command.add_argument("source", type=Path)
    command.add_argument("target", type=Path)
    command.add_argument("--pipeline", type=Path, required=True)
    command.add_argument("--checkpoint", type=Path)
    command.add_argument("--resume", action="store_true")
    command.add_argument("--every", type=int, default=1000, metavar="LINES")
    command.add_argument("--limit", type=int, metavar="LINES")
    command.add_argument("--report", type=Path, metavar="FILE")
    return parser


def _stages() -> str:
    lines = []
    for name, kind in sorted(STAGES.items()):
        first = (kind.__doc__ or "").partition("\n")[0]
        lines.append(f"{name:<10}{first}")
        lines.extend(f"{'':<12}{option}" for option in option_names(kind))
    return "\n".join(lines)


def _run(options: argparse.Namespace) -> int:
    report = run(
        Job(
            options.source,
            options.target,
            load_pipeline(options.pipeline),
            checkpoint=options.checkpoint,
            resume=options.resume,
            limit=options.limit,
            every=options.every,
        )
    )
    print(report.as_text())
    if options.report is not None:
        options.report.write_text(json.dumps(report.as_json(), indent=2) + "\n", encoding="utf-8")
    return 0
