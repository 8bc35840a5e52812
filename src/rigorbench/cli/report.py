"""``rigor report``: the comparison of an experiment, from what lies on disk."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .common import Usage, existing_directory, message, parser, write_line

if TYPE_CHECKING:
    from ..experiment.model import Manifest, RunResult

_EPILOG = """examples:
  rigor report out/bench
  rigor report out/bench --html public/
  rigor report out/bench --json | jq '.groups[].pairs'
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "report",
        "Print the comparison of an experiment that `rigor run` made, and write its pages again. Needs no engine.",
        _EPILOG,
    )
    p.add_argument("out", type=existing_directory, metavar="DIR", help="the --out directory of a `rigor run`")
    p.add_argument("--html", metavar="DIR", help="write the pages there (default: DIR/report)")
    p.add_argument(
        "--json", action="store_true", help="one JSON document; pages are then written only where --html says so"
    )
    args = p.parse_args(arguments)
    from ..experiment.store import MANIFEST, StoreError, load_manifest, load_results

    if not (args.out / MANIFEST).exists():
        raise Usage(f"{args.out}: no {MANIFEST}; give the --out directory of a `rigor run`")
    try:
        manifest, results = load_manifest(args.out), load_results(args.out)
    except StoreError as error:
        message(str(error))
        return 1
    site = Path(args.html) if args.html is not None else args.out / "report"
    if args.json:
        write_line(document(manifest, results))
        sys.stdout.flush()
        return _pages(args.out, manifest, results, site) if args.html is not None else 0
    from rich.console import Console

    from ..report.experiment import print_comparison
    from .score import color, width

    print_comparison(manifest, results, Console(width=width(), no_color=not color(), highlight=False))
    sys.stdout.flush()
    return _pages(args.out, manifest, results, site)


def document(manifest: Manifest, results: list[RunResult]) -> bytes:
    """The comparison with the manifest and the results that it rests on."""
    import msgspec

    from ..experiment.compare import compare

    found = msgspec.to_builtins(compare(manifest, results))
    return msgspec.json.encode({**found, "manifest": manifest, "runs": results})


def _pages(out: Path, manifest: Manifest, results: list[RunResult], site: Path) -> int:
    from ..report.experiment import write_site
    from .score import tell

    problems: list[str] = []
    try:
        index = write_site(out, manifest, results, site, progress=partial(tell, "pages"), problem=problems.append)
    except OSError as error:
        raise Usage(f"{error.filename or site}: the pages cannot be written ({error.strerror})") from None
    for problem in problems:
        message(problem)
    message(f"report: {index}")
    return 1 if problems else 0
