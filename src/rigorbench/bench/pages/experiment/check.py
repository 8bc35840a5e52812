"""Whether a committed report still matches its runs: it is made again in memory, and every difference is listed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import msgspec

from ....base.errors import GivenError
from ...experiment.results.files import INPUTS_SCHEMA, ExperimentInput, Inputs
from ..tables.build import BaselineError, ReportTables, build
from ..tables.write import INPUTS, PAGE, PICTURES, TABLES, files, is_ours

_INDEX = "index.html"
# Place and text.
Cells = list[tuple[str, str]]
_MARKDOWN_CELL = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# Another version of vl-convert may round the last digit of a coordinate differently.
_SAME_PLACE = 0.05
_GEOMETRY = ("transform", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "points")
_SHOWN = 60


class CheckError(GivenError):
    """There is no report to check, or what it was made from cannot be read. One line with the remedy."""


def check(outs: Sequence[Path], directory: Path) -> list[str]:
    """One line for each file of the report in ``directory`` that differs from a new report of these runs.

    Raises: CheckError, ExperimentError, NotComparable.
    """
    record = directory / INPUTS
    try:
        noted = msgspec.json.decode(record.read_bytes(), type=Inputs)
    except FileNotFoundError:
        raise CheckError(f"{directory}: there is no report to check; `rigor report RUNS` writes one") from None
    except OSError as error:
        raise CheckError(f"{record}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CheckError(f"{record}: damaged ({' '.join(str(error).split())[:120]}); write the report again") from None
    if noted.schema != INPUTS_SCHEMA:
        raise CheckError(f"{record}: schema {noted.schema!r}, this version reads {INPUTS_SCHEMA!r}")
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
        where = _first_difference(name, committed, expected)
        if where is not None:
            found.append(f"{path}: {where}")
    beside = (
        p.relative_to(directory).as_posix() for folder in (directory, directory / TABLES) for p in folder.glob("*")
    )
    extra = {name for name in beside if is_ours(name) and name not in fresh and name not in noted.files}
    extra -= {f"{name[:-4]}{suffix}" for name in fresh if name.endswith(".svg") for suffix in PICTURES}
    return found + [f"{directory / name}: the runs produce no such file" for name in sorted(extra)]


def _site(out: Path, report: ReportTables) -> Mapping[str, bytes]:
    """The pages of an experiment, made again in a directory of their own: name -> content, the first page first."""
    from .site import write_site

    with TemporaryDirectory(prefix="rigor-check-") as folder:
        made = Path(folder)
        (made / PAGE).touch()
        write_site(out, report.gathered.manifest, report.gathered.results, made)
        names = sorted(p.relative_to(made).as_posix() for p in made.rglob("*.html"))
        return {name: (made / name).read_bytes() for name in [_INDEX, *names] if name != PAGE}


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


# -- two files of a report, cell by cell: tables, pages, and the drawings in them


def _first_difference(name: str, committed: bytes, fresh: bytes) -> str | None:
    """The first place where a committed file differs from the new one, in words; None without a relevant difference."""
    if committed == fresh:
        return None
    suffix = name.rpartition(".")[2]
    try:
        old, new = committed.decode(), fresh.decode()
    except UnicodeDecodeError:
        return "is no longer text"
    if suffix == "svg":
        try:
            ElementTree.fromstring(old)
        except ElementTree.ParseError:
            return "is no longer SVG"
    if suffix in ("svg", "html"):
        return _of_cells(_markup_cells(old), _markup_cells(new), "text")
    if suffix == "csv":
        return _of_cells(_csv_cells(old), _csv_cells(new), "cell") or "different line ends or quotes"
    split = _MARKDOWN_CELL if suffix == "md" else re.compile(r"(?<!\\)&")
    return _of_cells(_text_cells(old, split), _text_cells(new, split), "cell") or "different line ends"


def _of_cells(old: Cells, new: Cells, what: str) -> str | None:
    for (_, a), (place, b) in zip(old, new, strict=False):
        if a != b and not _same_place(place, a, b):
            return f"{place}, {what} {_should(a, b)}"
    if len(old) != len(new):
        longer, word = (old, "one too many") if len(old) > len(new) else (new, "missing")
        place, text = longer[min(len(old), len(new))]
        return f"{place}, {what} {_quoted(text)} {word}"
    return None


def _should(a: str, b: str) -> str:
    start = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    cut = max(0, start - _SHOWN // 3) if max(len(a), len(b)) > _SHOWN else 0
    mark = "…" if cut else ""
    return f"{_quoted(mark + a[cut:])} should be {_quoted(mark + b[cut:])}"


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…")


def _text_cells(text: str, split: re.Pattern[str]) -> Cells:
    return [(f"line {n}", cell.strip()) for n, line in enumerate(text.splitlines(), 1) for cell in split.split(line)]


def _csv_cells(text: str) -> Cells:
    rows = list(csv.reader(io.StringIO(text)))
    heads = rows[0] if rows else []
    return [
        (f"line {n}, column {heads[m] if m < len(heads) else m + 1}", cell)
        for n, row in enumerate(rows, 1)
        for m, cell in enumerate(row)
    ]


class _Markup(HTMLParser):
    """The content of a page: text, names, labels and drawings; not style, script and the footer with the version."""

    _LEFT_OUT = ("footer", "style", "script")
    _SAID = ("title", "aria-label", "alt", "hidden")

    def __init__(self) -> None:
        super().__init__()
        self.cells: Cells = []
        self._drawing = 0
        self._points = 0
        self._skip = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        drawing = self._drawing > 0 or tag == "svg"
        if tag == "svg":
            self._drawing += 1
        elif tag in self._LEFT_OUT and not drawing:
            self._skip += 1
        if self._skip:
            return
        said = {name: value or "" for name, value in attrs}
        place = f"line {self.getpos()[0]}"
        if drawing and "aria-label" in said:
            self._points += 1
            place = f"point {self._points}"
            self.cells.append((place, said.pop("aria-label")))
        for name, value in said.items():
            if drawing or name in self._SAID or name.startswith("data-"):
                self.cells.append((f"{place}, {tag} {name}", value))

    def handle_endtag(self, tag: str) -> None:
        if tag == "svg":
            self._drawing = max(0, self._drawing - 1)
        elif tag in self._LEFT_OUT and not self._drawing:
            self._skip = max(0, self._skip - 1)

    def handle_data(self, data: str) -> None:
        if not self._skip and (text := " ".join(data.split())):
            self.cells.append((f"line {self.getpos()[0]}", text))


def _markup_cells(text: str) -> Cells:
    parser = _Markup()
    parser.feed(text)
    parser.close()
    return parser.cells


def _same_place(place: str, a: str, b: str) -> bool:
    """Whether a coordinate of a drawing differs by no more than its rounding."""
    if not place.endswith(tuple(f" {name}" for name in _GEOMETRY)) or _NUMBER.split(a) != _NUMBER.split(b):
        return False
    pairs = zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=True)
    return all(abs(float(x) - float(y)) <= _SAME_PLACE for x, y in pairs)
