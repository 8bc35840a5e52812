"""``rigor judge calibrate``: how much more time and memory other languages need than C++ on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..common import Usage, add_json, message, parser, whole, write_json

if TYPE_CHECKING:
    from ...judge.calibration.measure import Calibrated, Calibration

_EPILOG = """examples:
  rigor judge calibrate
  rigor judge calibrate --language python --language rust --repeats 7 --json
  rigor judge calibrate --write ~/.config/rigorbench/languages.toml

The limit of a problem for a language is its limit times the factor, unless the problem sets one itself.
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "judge calibrate",
        "Run the same small programs in every language of the table, in the judge's sandbox, and compare.",
        _EPILOG,
    )
    p.add_argument("--language", action="append", metavar="L", help="only this language besides C++ (may be repeated)")
    p.add_argument(
        "--repeats", type=whole("a number of rounds", 1, 100), default=5, metavar="K",
        help="rounds; medians are used (default: 5)",
    )  # fmt: skip
    add_json(p)
    p.add_argument("--write", type=Path, metavar="FILE", help="write the factors as a table that overrides ours")
    args = p.parse_args(arguments)
    from ...judge.build.table import LanguageError, find, languages
    from ...judge.calibration.measure import as_table, calibrate
    from ...judge.model import JudgeError

    try:
        table = languages()
        names = [find(name, table).id for name in args.language] if args.language else list(table)
    except LanguageError as error:
        raise Usage(str(error)) from None
    if args.write is not None and args.write.exists():
        raise Usage(f"{args.write} exists: name a new file, and merge the two by hand")
    if args.write is not None:
        # The measurement takes minutes: what cannot be written is said before it.
        try:
            args.write.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Usage(f"{args.write}: cannot be written ({error.strerror})") from None
    try:
        calibration = calibrate(table, names, args.repeats, message if sys.stderr.isatty() else lambda _: None)
    except JudgeError as error:
        message(f"rigor judge calibrate: {error}")
        return 1
    if args.write is not None:
        args.write.write_text(as_table(calibration), encoding="utf-8")
    if args.json:
        write_json(calibration)
    else:
        _show(calibration)
    for name, why in calibration.missing.items():
        message(f"{name}: {why}")
    return 0


def _show(calibration: Calibration) -> None:
    from rich.console import Console
    from rich.table import Table

    from ...judge.calibration.measure import KERNELS

    shown = Table(title=f"factors relative to C++ (medians of {calibration.repeats})", title_justify="left", box=None)
    for title in ("language", "time", "spread", "memory", "startup", *KERNELS):
        shown.add_column(title, justify="left" if title == "language" else "right")
    for found in calibration.languages:
        shown.add_row(*_row(found, KERNELS))
    width = None if os.environ.get("COLUMNS") or sys.stdout.isatty() else 120
    Console(width=width).print(shown)


def _row(found: Calibrated, kernels: tuple[str, ...]) -> tuple[str, ...]:
    spread = f"{found.spread[0]:.2f}-{found.spread[1]:.2f}" if found.spread else "-"
    startup = f"{found.startup_cpu * 1000:.0f} ms"
    if found.startup_memory is not None:
        startup += f" {found.startup_memory / (1 << 20):.1f} MiB"
    cells = []
    for name in kernels:
        kernel = found.kernels[name]
        ratio = kernel.time_ratio
        cells.append(f"{ratio:.2f}" if ratio is not None else f"{sorted(kernel.cpu)[len(kernel.cpu) // 2]:.3f} s")
    return (found.language, _number(found.time), spread, _number(found.memory), startup, *cells)


def _number(value: float | None) -> str:
    return "1" if value is None else f"{value:.2f}"
