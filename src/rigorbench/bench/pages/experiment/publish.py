"""The report of one experiment on disk: tables, figure and pages together, and whether they are up to date."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ....base.files import read_json, write_json
from ....base.journal import JOURNAL
from ....base.version import __version__
from ...experiment.store import ExperimentDirectory, load_manifest
from ..tables.build import ReportTables
from ..tables.gather import Gathered, gather
from ..tables.write import files, write
from .site import INDEX, write_site

# Beside the pages: what they were drawn from.
_DRAWN = ".drawn.json"
_PACKAGE = Path(__file__).resolve().parents[3]


class _Drawn(Struct):
    """``key``: digest of everything that the files of a report depend on. ``files``: their names."""

    key: str
    files: list[str]


def publish(
    out: Path,
    report: ReportTables,
    site: Path,
    *,
    progress: Callable[[int, int], None] = lambda done, pages: None,
    problem: Callable[[str], None] = lambda line: None,
) -> Path:
    """Write the tables and figures of a report, then the pages, which link to them; return the first page.

    ``out``: directory of the experiment. ``progress``, ``problem``: as of :func:`.site.write_site`. Raises: OSError.
    """
    written = write(site, files(report, index=INDEX))
    damaged: list[str] = []
    manifest, results = report.gathered.manifest, report.gathered.results
    first = write_site(out, manifest, results, site, progress=progress, problem=damaged.append)
    for line in damaged:
        problem(line)
    if damaged:
        (site / _DRAWN).unlink(missing_ok=True)  # to be said again the next time
    else:
        names = {path.relative_to(site).as_posix() for path in [*written, *site.rglob("*.html")]}
        write_json(site / _DRAWN, _Drawn(_key(out, report.gathered, report.inputs.baseline), sorted(names)))
    return first


def up_to_date(out: Path, site: Path) -> bool:
    """Whether the report in ``site`` is what :func:`publish` would write now without options, by what it depends on."""
    drawn = read_json(site / _DRAWN, _Drawn)
    if drawn is None or not all((site / name).is_file() for name in drawn.files):
        return False
    return drawn.key == _key(out, gather([out]), None)


def _key(out: Path, gathered: Gathered, baseline: str | None) -> str:
    """Digest of the files of the experiment, of what they are called by, and of the code that draws them."""
    directory = ExperimentDirectory(out)
    journals = [_state(directory.run(cell) / JOURNAL) for cell in load_manifest(out).cells]
    # Digest of RigorBench's own source: in a checkout it changes while the version stays.
    digest = hashlib.sha256()
    for path in sorted(p for p in _PACKAGE.rglob("*") if p.suffix in (".py", ".j2", ".css", ".js", ".toml")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    parts = (__version__, digest.hexdigest(), baseline, gathered.experiments, directory.aside(), journals)
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _state(path: Path) -> Sequence[int]:
    """Size and time of a file that is too large to be read for this; empty when there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_size, found.st_mtime_ns)
