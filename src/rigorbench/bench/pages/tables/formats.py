"""Tables as Markdown, CSV, LaTeX and HTML, from the same texts of their cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from textwrap import wrap

from markupsafe import Markup

from ....base.sanitize import one_line
from ....review.pages import words
from ....review.pages.html import Page
from ....review.pages.html import render as render_page
from ....review.pages.numbers import number
from .figure import Figure, figure_svg
from .table import Column, Table, TableCell, TableRow, footnotes

ROUNDING = (
    "Shares, scores and differences are rounded to two decimals; a value that would round to 0 or 1 without being it "
    "has more decimals. The CSV files have twelve digits. An empty cell has no value; its note says why."
)
# These rest on the runs of two conditions, and the row is of one.
_OF_BOTH = ("difference", "change", "token_difference", "p")


def value(entry: TableCell, column: Column) -> str:
    """The value alone; "" without one."""
    found = entry.value
    return "" if found is None else found if isinstance(found, str) else number(found, column.unit)


def interval(entry: TableCell, column: Column) -> str:
    """ "[0.61, 0.80]"; "" without one."""
    if entry.low is None or entry.high is None:
        return ""
    return f"[{number(entry.low, column.unit)}, {number(entry.high, column.unit)}]"


def basis(entry: TableCell, column: Column, row: TableRow) -> str:
    """What follows a value: its n where it differs from the row's, and the evidence share where it is shown."""
    parts = []
    one_side = column.unit not in _OF_BOTH
    if one_side and entry.value is not None and entry.runs is not None and entry.runs != row.runs:
        parts.append(f"n {words.count(entry.runs)}")
    if column.evidence and entry.evidence_share is not None:
        parts.append(f"e {number(entry.evidence_share, 'percent')}")
    return ", ".join(parts)


def details(entry: TableCell) -> str:
    """Everything that a cell rests on, in one line."""
    parts = []
    if entry.runs is not None:
        parts.append(words.plural(entry.runs, "run"))
    if entry.tasks is not None:
        parts.append(words.plural(entry.tasks, "task"))
    if entry.evidence_share is not None:
        parts.append(f"evidence share {number(entry.evidence_share, 'percent')}")
    if entry.methods:
        parts.append(", ".join(f"{name} {number(share, 'percent')}" for name, share in entry.methods.items()))
    return "; ".join([*parts, entry.reason] if entry.reason else parts)


# -- Markdown

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#~$&])")


def markdown_text(plain: str) -> str:
    """Text that Markdown shows as it is, on one line; what is invisible becomes a visible escape."""
    return _MARKDOWN.sub(r"\\\1", one_line(plain))


def markdown(table: Table) -> str:
    """GitHub's Markdown."""
    marks = footnotes(table)
    heads = [*table.heads, *(column.title for column in table.columns)]
    lines = [
        f"## {markdown_text(table.heading)}",
        "",
        markdown_text(table.caption),
        "",
        _markdown_line([markdown_text(head) for head in heads]),
    ]
    sides = ["---" if column.unit == "text" else "---:" for column in table.columns]
    lines.append(_markdown_line([*["---"] * len(table.heads), *sides]))
    for row in table.rows:
        cells = [_markdown_cell(e, c, row, marks) for e, c in zip(row.entries, table.columns, strict=True)]
        lines.append(_markdown_line([*map(markdown_text, row.labels), *cells]))
    if not table.rows:
        lines += ["", "There are no runs."]
    for mark, reason in ((mark, reason) for reason, mark in marks.items()):
        lines += ["", f"\\[{mark}\\] {markdown_text(reason)}."]
    for note in (*table.notes, ROUNDING):
        lines += ["", markdown_text(note)]
    return "\n".join(lines) + "\n"


def _markdown_cell(entry: TableCell, column: Column, row: TableRow, marks: dict[str, str]) -> str:
    shown = markdown_text(value(entry, column))
    parts = [f"**{shown}**" if entry.best else shown, markdown_text(interval(entry, column))]
    rests_on = basis(entry, column, row)
    if rests_on:
        parts.append(f"({rests_on})")
    if entry.reason:
        parts.append(f"\\[{marks[entry.reason]}\\]")
    return " ".join(filter(None, parts))


def _markdown_line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


# -- CSV

FIELDS = ("measure", "value", "low", "high", "unit", "runs", "tasks", "evidence_share", "methods", "reason")


def delimited(table: Table) -> str:
    """CSV: one line for each cell. Texts are on one line each (RFC 4180).

    ``value`` is empty where there is none, and ``reason`` says why.
    """
    lines: list[list[object]] = [[*table.heads, *FIELDS]]
    for row in table.rows:
        for e, column in zip(row.entries, table.columns, strict=True):
            methods = "; ".join(f"{name} {share!r}" for name, share in e.methods.items())
            value = csv_text(e.value) if isinstance(e.value, str) else e.value
            basis = (e.runs, e.tasks, e.evidence_share, methods, csv_text(e.reason))
            lines.append([*map(csv_text, row.labels), csv_text(column.name), value, e.low, e.high, column.unit, *basis])
    return csv_lines(lines)


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Numbers have twelve digits, since the last ones of a sum differ from machine to machine; None is empty."""
    out = io.StringIO()
    digits = ([float(f"{v:.12g}") if isinstance(v, float) else v for v in row] for row in rows)
    csv.writer(out, lineterminator="\n").writerows(digits)
    return out.getvalue()


def csv_text(found: str) -> str:
    """On one line, and no formula to a program that opens it as a sheet."""
    line = one_line(found)
    return f"'{line}" if line[:1] in ("=", "+", "-", "@") else line


# -- LaTeX

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    '"': "''",
    "−": r"$-$",
    "–": "--",
    "—": "---",
    "…": r"\dots{}",
    "×": r"$\times$",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "\xa0": "~",
}


# Letters that LaTeX's default input encoding and fonts have without a package.
_LATIN = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžŸ")

# Characters in a line of a head, and in a cell of text before it is broken.
_HEAD, _WIDE = 13, 18


def latex_text(plain: str) -> str:
    """Text that LaTeX prints as it is. A character that plain LaTeX cannot print becomes its code, such as U+4E2D."""
    return "".join(map(_character, one_line(plain)))


def _character(character: str) -> str:
    if character in _LATEX:
        return _LATEX[character]
    if " " <= character <= "~" or character in _LATIN:
        return character
    return rf"\texttt{{U+{ord(character):04X}}}"


def latex(table: Table) -> str:
    """A ``table*`` environment; needs the package booktabs. Intervals are below their values."""
    marks = footnotes(table)
    columns = "".join(map(_side, table.columns))
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table*}",
        rf"\caption{{{latex_text(table.title)}. {latex_text(table.caption)}}}",
        rf"\label{{tab:{table.name}}}",
        r"\footnotesize",
        r"\centering",
        rf"\begin{{tabular}}{{@{{}}{'l' * len(table.heads)}{columns}@{{}}}}",
        r"\toprule",
        _latex_line([*map(_head, table.heads, repeat("l")), *(_head(c.title, _side(c)) for c in table.columns)]),
        r"\midrule",
    ]
    for row in table.rows:
        pairs = list(zip(row.entries, table.columns, strict=True))
        lines.append(_latex_line([*map(latex_text, row.labels), *(_latex_cell(e, c, marks) for e, c in pairs)]))
        below = [_below(e, c, row) for e, c in pairs]
        if any(below):
            lines.append(_latex_line(["" for _ in row.labels] + below))
    lines += [r"\bottomrule", r"\end{tabular}", r"\par\smallskip", r"\begin{minipage}{\linewidth}\raggedright"]
    lines += [rf"\textsuperscript{{{mark}}}\,{latex_text(reason)}.\par" for reason, mark in marks.items()]
    lines += [rf"{latex_text(note)}\par" for note in (*table.notes, ROUNDING)]
    lines += [r"\end{minipage}", r"\end{table*}"]
    return "\n".join(lines) + "\n"


def latex_document(tables: Sequence[Table]) -> str:
    """A document of its own that holds the files of the tables; compiled in their directory."""
    lines = [
        r"\documentclass[landscape]{article}",
        r"\usepackage{booktabs}",
        r"\setlength{\textwidth}{253mm}\setlength{\textheight}{165mm}",
        r"\setlength{\oddsidemargin}{-10mm}\setlength{\topmargin}{-20mm}\setlength{\tabcolsep}{3pt}",
        r"\begin{document}",
    ]
    for table in tables:
        lines += [rf"\input{{{table.name}.tex}}", r"\clearpage"]
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def _side(column: Column) -> str:
    return "l" if column.unit == "text" else "r"


def _head(title: str, side: str) -> str:
    """In several lines: heads are longer than most cells."""
    lines = wrap(one_line(title), _HEAD) or [""]
    if len(lines) == 1:
        return latex_text(lines[0])
    return rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}" + r"\\".join(map(latex_text, lines)) + r"\end{tabular}"


def _latex_cell(entry: TableCell, column: Column, marks: dict[str, str]) -> str:
    mark = rf"\textsuperscript{{{marks[entry.reason]}}}" if entry.reason else ""
    shown = latex_text(value(entry, column))
    found = (rf"\textbf{{{shown}}}" if entry.best else shown) + mark
    return (
        rf"\parbox[t]{{24mm}}{{\raggedright {found}\strut}}" if len(found) > _WIDE and _side(column) == "l" else found
    )


def _below(entry: TableCell, column: Column, row: TableRow) -> str:
    found = " ".join(filter(None, [interval(entry, column), basis(entry, column, row)]))
    return rf"{{\scriptsize {latex_text(found)}}}" if found else ""


def _latex_line(cells: Sequence[str]) -> str:
    line = " & ".join(cells)
    # LaTeX reads a bracket or a star after the end of a line as an argument.
    return ("{}" if line[:1] in ("[", "*") else "") + line + r" \\"


# -- HTML


class TablesPage(Page):
    """All tables and figures of an experiment, with the ``drawings`` of the figures, in which every text is escaped
    already."""

    template = "tables.html.j2"
    scripts = ("scrolls.js",)
    styles = ("tables.css",)

    tables: Sequence[Table]
    figures: Sequence[Figure]
    drawings: Sequence[Markup]
    suite: str
    experiment: str
    index: str | None
    rounding: str = ROUNDING
    footnotes: Callable[[Table], dict[str, str]] = footnotes
    value: Callable[[TableCell, Column], str] = value
    interval: Callable[[TableCell, Column], str] = interval
    basis: Callable[[TableCell, Column, TableRow], str] = basis
    details: Callable[[TableCell], str] = details


def page(tables: Sequence[Table], figures: Sequence[Figure], *, suite: str, experiment: str, index: str | None) -> str:
    """All tables and figures on one page. ``index``: address of the experiment's first page, if it has one."""
    drawn = [figure for figure in figures if figure.points]
    drawings = [figure_svg(figure) for figure in drawn]
    return render_page(TablesPage(tables, drawn, drawings, suite, experiment, index))
