"""The report of one experiment on disk: how it is written, and whether it is up to date with its runs.

A check makes it again in memory and lists every difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from ....base.errors import GivenError
from ....base.files import read_json
from ....base.version import __version__
from ...experiment.results.files import INPUTS_SCHEMA, ExperimentInput, Inputs
from ...experiment.store import Unreadable, decode, read_file
from ..tables.build import FOLDER, INPUTS, PAGE, PICTURES, BaselineError, ReportTables, build, files, is_ours, write
from ..tables.gather import gather
from ..tables.table import FORMATS
from .site import INDEX, write_site

_SHOWN = 60


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


class CheckError(GivenError):
    """There is no report to check, or what it was made from cannot be read. One line with the remedy."""


def check(outs: Sequence[Path], directory: Path) -> list[str]:
    """One line for each file of the report in ``directory`` that differs from a new report of these runs.

    Raises: CheckError, ExperimentError, NotComparable.
    """
    record = directory / INPUTS
    try:
        data = read_file(record)
        if data is None:
            raise CheckError(f"{directory}: there is no report to check; `rigor report RUNS` writes one")
        noted = decode(data, Inputs, INPUTS_SCHEMA)
    except Unreadable as error:
        raise CheckError(f"{record}: {error}; write the report again") from None
    try:
        report = build(outs, baseline=noted.baseline, formats=noted.formats, paper_exact=noted.paper_exact)
    except BaselineError as error:
        return [f"{record}: {error}"]
    pages = len(outs) == 1 and "html" in noted.formats and (directory / INDEX).is_file()
    fresh = files(report, pictures=False, index=INDEX if pages else None)
    site = _site(outs[0], report) if pages else {}
    found = [f"{record}: {line}" for line in _inputs(noted.experiments, report.inputs.experiments)]
    for name in [*sorted(fresh.keys() | noted.files.keys()), *site]:
        if name == INPUTS or name.endswith(PICTURES):
            continue
        path = directory / name
        expected = fresh.get(name, site.get(name))
        if expected is None:
            if path.exists():
                found.append(f"{path}: the runs produce no such file")
            continue
        try:
            committed = path.read_bytes()
        except OSError as error:
            found.append(f"{path}: missing ({error.strerror})")
            continue
        where = _first_difference(name, committed, expected)
        if where is not None:
            found.append(f"{path}: {where}")
    beside = (
        p.relative_to(directory).as_posix() for folder in (directory, directory / FOLDER) for p in folder.glob("*")
    )
    extra = {name for name in beside if is_ours(name) and name not in fresh and name not in noted.files}
    extra -= {f"{name[:-4]}{suffix}" for name in fresh if name.endswith(".svg") for suffix in PICTURES}
    return found + [f"{directory / name}: the runs produce no such file" for name in sorted(extra)]


def _site(out: Path, report: ReportTables) -> Mapping[str, bytes]:
    """The pages of an experiment, made again in a directory of their own: name -> content, the first page first."""
    with TemporaryDirectory(prefix="rigor-check-") as folder:
        made = Path(folder)
        (made / PAGE).touch()
        write_site(out, report.gathered.manifest, report.gathered.results, made)
        names = sorted(p.relative_to(made).as_posix() for p in made.rglob("*.html"))
        return {name: (made / name).read_bytes() for name in [INDEX, *names] if name != PAGE}


def _inputs(noted: Sequence[ExperimentInput], found: Sequence[ExperimentInput]) -> Iterator[str]:
    before, now = ({e.id: e for e in side} for side in (noted, found))
    for name in before.keys() - now.keys():
        yield f"made from experiment {name}, which is not among these"
    for name in now.keys() - before.keys():
        yield f"not made from experiment {name}"
    for name in [n for n in before if n in now]:
        first, second = before[name], now[name]
        olds, news = ({r.run: r for r in side.runs} for side in (first, second))
        lines = [f"run {run} was removed" for run in olds if run not in news]
        for run, new in news.items():
            old = olds.get(run)
            if old is None:
                lines.append(f"run {run} was added")
            elif old != new:
                for part in ("result", "score", "review"):
                    was, now_is = getattr(old, part), getattr(new, part)
                    became = "was added" if was is None else "was removed" if now_is is None else "changed"
                    lines += [f"{part}.json of run {run} {became}"] if was != now_is else []
        if first.manifest != second.manifest:
            lines.append("manifest.json changed")
        yield from lines[:5]
        if len(lines) > 5:
            yield f"and {len(lines) - 5} further changes in its runs"


# What a page has besides its content: its looks, and the version that wrote it.
_BESIDE = re.compile(r"<(style|script|footer)\b.*?</\1>", re.DOTALL)


def _first_difference(name: str, committed: bytes, fresh: bytes) -> str | None:
    """The first line in which a committed file differs from the new one; None without a relevant difference."""
    if committed == fresh:
        return None
    try:
        old, new = committed.decode(), fresh.decode()
    except UnicodeDecodeError:
        return "is no longer text"
    if name.endswith(".html"):
        old, new = (_BESIDE.sub(lambda found: "\n" * found[0].count("\n"), text) for text in (old, new))
    for number, (a, b) in enumerate(zip_longest(old.splitlines(), new.splitlines()), 1):
        if a is None or b is None:
            return f"line {number}, {_quoted(a or b or '')} {'missing' if a is None else 'one too many'}"
        if a != b:
            start = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            cut = max(0, start - _SHOWN // 3) if max(len(a), len(b)) > _SHOWN else 0
            mark = "…" if cut else ""
            return f"line {number}, {_quoted(mark + a[cut:])} should be {_quoted(mark + b[cut:])}"
    return None if name.endswith(".html") else "different line ends"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
