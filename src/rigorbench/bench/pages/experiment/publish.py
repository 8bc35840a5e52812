"""The report of one experiment on disk: tables, figure and pages together, and whether they are up to date."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ....base.files import read_json
from ....base.version import __version__
from ...experiment.results.files import Inputs
from ..tables.build import ReportTables
from ..tables.gather import gather
from ..tables.table import FORMATS
from ..tables.write import INPUTS, files, write
from .site import INDEX, write_site


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
    write(site, files(report, index=INDEX))
    return write_site(out, report.gathered.manifest, report.gathered.results, site, progress=progress, problem=problem)


def up_to_date(out: Path, site: Path) -> bool:
    """Whether this version wrote the report in ``site`` without options, from the results as they are now.

    Never where a run is damaged: that is to be said again.
    """
    noted = read_json(site / INPUTS, Inputs)
    if noted is None or not all((site / name).is_file() for name in (INDEX, *noted.files)):
        return False
    gathered = gather([out])
    made = (noted.rigorbench, noted.baseline, noted.formats, noted.paper_exact, noted.experiments)
    return made == (__version__, None, list(FORMATS), False, gathered.experiments) and not gathered.damaged
