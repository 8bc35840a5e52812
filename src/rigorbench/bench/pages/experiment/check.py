"""Whether a committed report still matches its runs: it is made again in memory, and every difference is listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from ....base.errors import GivenError
from ...experiment.results.files import INPUTS_SCHEMA, ExperimentInput, Inputs
from ..tables.build import BaselineError, Report, build
from ..tables.write import INPUTS, PAGE, PICTURES, TABLES, files, is_ours
from .difference import first_difference

_INDEX = "index.html"


class CheckError(GivenError):
    """There is no report to check, or what it was made from cannot be read. One line with the remedy."""


def check(outs: Sequence[Path], directory: Path) -> list[str]:
    """One line for each file of the report in ``directory`` that differs from a new report of these runs.

    Raises:
        CheckError: the directory contains no report.
        StoreError, NotComparable: as :func:`.build.build`.
    """
    noted = read_inputs(directory)
    try:
        report = build(outs, baseline=noted.baseline, formats=noted.formats, paper_exact=noted.paper_exact)
    except BaselineError as error:
        return [f"{directory / INPUTS}: {error}"]
    pages = len(outs) == 1 and "html" in noted.formats and (directory / _INDEX).is_file()
    fresh = files(report, pictures=False, index=_INDEX if pages else None)
    site = _site(outs[0], report) if pages else {}
    found = [f"{directory / INPUTS}: {line}" for line in _inputs(noted.experiments, report.inputs.experiments)]
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
        where = first_difference(name, committed, expected)
        if where is not None:
            found.append(f"{path}: {where}")
    beside = (
        p.relative_to(directory).as_posix() for folder in (directory, directory / TABLES) for p in folder.glob("*")
    )
    extra = {name for name in beside if is_ours(name) and name not in fresh and name not in noted.files}
    extra -= {f"{name[:-4]}{suffix}" for name in fresh if name.endswith(".svg") for suffix in PICTURES}
    return found + [f"{directory / name}: the runs produce no such file" for name in sorted(extra)]


def _site(out: Path, report: Report) -> Mapping[str, bytes]:
    """The pages of an experiment, made again in a directory of their own: name -> content, the first page first."""
    from .site import write_site

    with TemporaryDirectory(prefix="rigor-check-") as folder:
        made = Path(folder)
        (made / PAGE).touch()
        write_site(out, report.gathered.manifest, report.gathered.results, made)
        names = sorted(p.relative_to(made).as_posix() for p in made.rglob("*.html"))
        return {name: (made / name).read_bytes() for name in [_INDEX, *names] if name != PAGE}


def read_inputs(directory: Path) -> Inputs:
    """The record of what a report was made from.

    Raises:
        CheckError: there is none, or it cannot be read.
    """
    path = directory / INPUTS
    try:
        noted = msgspec.json.decode(path.read_bytes(), type=Inputs)
    except FileNotFoundError:
        raise CheckError(f"{directory}: there is no report to check; `rigor report RUNS` writes one") from None
    except OSError as error:
        raise CheckError(f"{path}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CheckError(f"{path}: damaged ({' '.join(str(error).split())[:120]}); write the report again") from None
    if noted.schema != INPUTS_SCHEMA:
        raise CheckError(f"{path}: schema {noted.schema!r}, this version reads {INPUTS_SCHEMA!r}")
    return noted


def _inputs(noted: Sequence[ExperimentInput], found: Sequence[ExperimentInput]) -> Iterator[str]:
    """Which runs were added, removed or changed."""
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
                parts = [part for part in ("result", "score", "review") if getattr(old, part) != getattr(new, part)]
                lines += [
                    f"{part}.json of run {run} {_became(getattr(old, part), getattr(new, part))}" for part in parts
                ]
        if first.manifest != second.manifest:
            lines.append("manifest.json changed")
        yield from lines[:5]
        if len(lines) > 5:
            yield f"and {len(lines) - 5} further changes in its runs"


def _became(before: str | None, now: str | None) -> str:
    return "was added" if before is None else "was removed" if now is None else "changed"
