"""Compares two files of a report cell by cell: tables, pages, and the drawings in them."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

_MARKDOWN_CELL = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# Another version of vl-convert may round the last digit of a coordinate differently.
_SAME_PLACE = 0.05
_GEOMETRY = ("transform", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "points")
_SHOWN = 60


def first_difference(name: str, committed: bytes, fresh: bytes) -> str | None:
    """The first place where a committed file differs from the new one, in words; None without a relevant difference."""
    if committed == fresh:
        return None
    suffix = name.rpartition(".")[2]
    try:
        old, new = committed.decode(), fresh.decode()
    except UnicodeDecodeError:
        return "is no longer text"
    if suffix == "svg" and not _is_xml(old):
        return "is no longer SVG"
    if suffix in ("svg", "html"):
        return _of_cells(_markup_cells(old), _markup_cells(new), "text")
    if suffix == "csv":
        return _of_cells(_csv_cells(old), _csv_cells(new), "cell") or "different line ends or quotes"
    split = _MARKDOWN_CELL if suffix == "md" else re.compile(r"(?<!\\)&")
    return _of_cells(_text_cells(old, split), _text_cells(new, split), "cell") or "different line ends"


Cells = list[tuple[str, str]]


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
    """Both texts, from shortly before their first difference."""
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


def _is_xml(text: str) -> bool:
    try:
        ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return False
    return True
