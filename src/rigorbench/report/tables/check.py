"""Whether a committed report still equals its runs: it is made again in memory, and every difference is named."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import msgspec

from .build import BaselineError, build
from .gather import INPUTS_SCHEMA, ExperimentInput, Inputs
from .write import INPUTS, PICTURES, TABLES, files, is_ours

_MARKDOWN_CELL = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# A vl-convert of another version may round the last digit of a coordinate otherwise.
_SAME_PLACE = 0.05
_SHOWN = 60


class CheckError(ValueError):
    """There is no report to check, or what it was made from cannot be read. One line with the remedy."""


def check(outs: Sequence[Path], directory: Path) -> list[str]:
    """One line for each file of the report in ``directory`` that is not what these runs give; empty: all are.

    Raises:
        CheckError: the directory holds no report.
        StoreError, NotComparable: as :func:`.build.build`.
    """
    noted = read_inputs(directory)
    try:
        report = build(outs, baseline=noted.baseline, formats=noted.formats)
    except BaselineError as error:
        return [f"{directory / INPUTS}: {error}"]
    fresh = files(report, pictures=False)
    found = [f"{directory / INPUTS}: {line}" for line in _inputs(noted.experiments, report.inputs.experiments)]
    for name in sorted(fresh.keys() | noted.files.keys()):
        if name == INPUTS or name.endswith(PICTURES):
            continue
        path = directory / name
        if name not in fresh:
            if path.exists():
                found.append(f"{path}: these runs give no such file")
            continue
        try:
            committed = path.read_bytes()
        except OSError as error:
            found.append(f"{path}: missing ({error.strerror})")
            continue
        where = first_difference(name, committed, fresh[name])
        if where is not None:
            found.append(f"{path}: {where}")
    beside = (
        p.relative_to(directory).as_posix() for folder in (directory, directory / TABLES) for p in folder.glob("*")
    )
    extra = {name for name in beside if is_ours(name) and name not in fresh and name not in noted.files}
    extra -= {f"{name[:-4]}{suffix}" for name in fresh if name.endswith(".svg") for suffix in PICTURES}
    return found + [f"{directory / name}: these runs give no such file" for name in sorted(extra)]


def read_inputs(directory: Path) -> Inputs:
    """What a report says that it was made from.

    Raises:
        CheckError: it says nothing that can be read.
    """
    path = directory / INPUTS
    try:
        noted = msgspec.json.decode(path.read_bytes(), type=Inputs)
    except OSError as error:
        raise CheckError(f"{path}: {error.strerror}; is this the directory of a `rigor report`?") from None
    except msgspec.DecodeError as error:
        raise CheckError(f"{path}: damaged ({' '.join(str(error).split())[:120]}); make the report again") from None
    if noted.schema != INPUTS_SCHEMA:
        raise CheckError(f"{path}: schema {noted.schema!r}, this version reads {INPUTS_SCHEMA!r}")
    return noted


def _inputs(noted: Sequence[ExperimentInput], found: Sequence[ExperimentInput]) -> Iterator[str]:
    """Which runs came, went or changed."""
    before, now = ({e.id: e for e in side} for side in (noted, found))
    for name in before.keys() - now.keys():
        yield f"made from experiment {name}, which is not among these"
    for name in now.keys() - before.keys():
        yield f"not made from experiment {name}"
    for name in [n for n in before if n in now]:
        first, second = before[name], now[name]
        olds, news = ({r.run: r for r in side.runs} for side in (first, second))
        lines = [f"run {run} is gone" for run in olds if run not in news]
        for run, new in news.items():
            old = olds.get(run)
            if old is None:
                lines.append(f"run {run} was added")
            elif old != new:
                parts = [part for part in ("result", "score") if getattr(old, part) != getattr(new, part)]
                lines += [
                    f"{part}.json of run {run} {_became(getattr(old, part), getattr(new, part))}" for part in parts
                ]
        if first.manifest != second.manifest:
            lines.append("manifest.json changed")
        lines += [
            f"votes/{file} {_became(first.votes.get(file), second.votes.get(file))}"
            for file in sorted(first.votes.keys() | second.votes.keys())
            if first.votes.get(file) != second.votes.get(file)
        ]
        yield from lines[:5]
        if len(lines) > 5:
            yield f"and {len(lines) - 5} further changes of its runs"


def _became(before: str | None, now: str | None) -> str:
    return "was added" if before is None else "is gone" if now is None else "changed"


def first_difference(name: str, committed: bytes, fresh: bytes) -> str | None:
    """Where a committed file first differs from the fresh one, in words; None: nowhere that matters."""
    if committed == fresh:
        return None
    suffix = name.rpartition(".")[2]
    try:
        old, new = committed.decode(), fresh.decode()
    except UnicodeDecodeError:
        return "is no text any more"
    if suffix == "svg":
        return _of_drawings(old, new)
    if suffix == "html":
        return _of_cells(_html_cells(old), _html_cells(new), "cell")
    if suffix == "csv":
        return _of_cells(_csv_cells(old), _csv_cells(new), "cell") or "other line ends or quotes"
    split = _MARKDOWN_CELL if suffix == "md" else re.compile(r"(?<!\\)&")
    return _of_cells(_text_cells(old, split), _text_cells(new, split), "cell") or "other line ends"


Cells = list[tuple[str, str]]


def _of_cells(old: Cells, new: Cells, what: str) -> str | None:
    for (_, a), (place, b) in zip(old, new, strict=False):
        if a != b:
            return f"{place}, {what} {_should(a, b)}"
    if len(old) != len(new):
        longer, word = (old, "one too many") if len(old) > len(new) else (new, "missing")
        place, text = longer[min(len(old), len(new))]
        return f"{place}, {what} {_quoted(text)} {word}"
    return None


def _should(a: str, b: str) -> str:
    """Both texts from shortly before where they part."""
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


class _Tables(HTMLParser):
    """What the tables, notes and captions of a page say; style, drawing and version are left out."""

    _KEPT = ("td", "th", "dd", "dt", "h1", "h2", "p", "figcaption")

    def __init__(self) -> None:
        super().__init__()
        self.cells: Cells = []
        self._open: list[list[str]] = []
        self._skip = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("footer", "svg", "style", "script"):
            self._skip = True
        if tag in self._KEPT:
            self._open.append([f"line {self.getpos()[0]}", dict(attrs).get("title") or "", ""])

    def handle_endtag(self, tag: str) -> None:
        if tag in ("footer", "svg", "style", "script"):
            self._skip = False
        if tag in self._KEPT and self._open:
            place, title, text = self._open.pop()
            if not self._skip:
                self.cells.append((place, f"{text} ({title})" if title else text))

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1][2] += data


def _html_cells(text: str) -> Cells:
    parser = _Tables()
    parser.feed(text)
    parser.close()
    return parser.cells


def _of_drawings(old: str, new: str) -> str | None:
    """By the points: what each is labelled, and where it stands."""
    try:
        first, second = _marks(old), _marks(new)
    except ElementTree.ParseError:
        return "is no SVG any more"
    for number, ((label, place), (wanted, where)) in enumerate(zip(first, second, strict=False)):
        if label != wanted:
            return f"{f'point {number}' if number else 'description'}, {_should(label, wanted)}"
        if len(place) != len(where) or any(abs(a - b) > _SAME_PLACE for a, b in zip(place, where, strict=True)):
            return f"point {number}, {_quoted(label)} stands at {place}, should stand at {where}"
    if len(first) != len(second):
        return f"{len(first) - 1} points, should be {len(second) - 1}"
    return None


def _marks(text: str) -> list[tuple[str, list[float]]]:
    root = ElementTree.fromstring(text)
    description = next((e.text or "" for e in root if e.tag.endswith("}desc")), "")
    marks = [(e.get("aria-label") or "", e.get("transform", "")) for e in root.iter() if e.get("aria-label")]
    return [(description, []), *((label, [float(n) for n in _NUMBER.findall(place)]) for label, place in marks)]
