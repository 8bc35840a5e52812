"""Tables as LaTeX: a file for each table environment (booktabs), and a document that includes them all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from textwrap import wrap

from ...base.sanitize import one_line
from . import cell_text
from .model import Column, Entry, Row, Table, footnotes

_SPECIAL = {
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


def text(plain: str) -> str:
    """Text that LaTeX prints as it is. A character that plain LaTeX cannot print becomes its code, such as U+4E2D."""
    return "".join(map(_character, one_line(plain)))


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if " " <= character <= "~" or character in _LATIN:
        return character
    return rf"\texttt{{U+{ord(character):04X}}}"


def render(table: Table) -> str:
    """A ``table*`` environment; needs the package booktabs. Intervals are below their values."""
    marks = footnotes(table)
    columns = "".join(map(_side, table.columns))
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table*}",
        rf"\caption{{{text(table.title)}. {text(table.caption)}}}",
        rf"\label{{tab:{table.name}}}",
        r"\footnotesize",
        r"\centering",
        rf"\begin{{tabular}}{{@{{}}{'l' * len(table.heads)}{columns}@{{}}}}",
        r"\toprule",
        _line([*map(_head, table.heads, repeat("l")), *(_head(c.title, _side(c)) for c in table.columns)]),
        r"\midrule",
    ]
    for row in table.rows:
        pairs = list(zip(row.entries, table.columns, strict=True))
        lines.append(_line([*map(text, row.labels), *(_cell(e, c, marks) for e, c in pairs)]))
        below = [_below(e, c, row) for e, c in pairs]
        if any(below):
            lines.append(_line(["" for _ in row.labels] + below))
    lines += [r"\bottomrule", r"\end{tabular}", r"\par\smallskip", r"\begin{minipage}{\linewidth}\raggedright"]
    lines += [rf"\textsuperscript{{{mark}}}\,{text(reason)}.\par" for reason, mark in marks.items()]
    lines += [rf"{text(note)}\par" for note in (*table.notes, cell_text.ROUNDING)]
    lines += [r"\end{minipage}", r"\end{table*}"]
    return "\n".join(lines) + "\n"


def document(tables: Sequence[Table]) -> str:
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
        return text(lines[0])
    return rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}" + r"\\".join(map(text, lines)) + r"\end{tabular}"


def _cell(entry: Entry, column: Column, marks: dict[str, str]) -> str:
    mark = rf"\textsuperscript{{{marks[entry.reason]}}}" if entry.reason else ""
    shown = text(cell_text.value(entry, column))
    found = (rf"\textbf{{{shown}}}" if entry.best else shown) + mark
    return (
        rf"\parbox[t]{{24mm}}{{\raggedright {found}\strut}}" if len(found) > _WIDE and _side(column) == "l" else found
    )


def _below(entry: Entry, column: Column, row: Row) -> str:
    found = " ".join(filter(None, [cell_text.interval(entry, column), cell_text.basis(entry, column, row)]))
    return rf"{{\scriptsize {text(found)}}}" if found else ""


def _line(cells: Sequence[str]) -> str:
    line = " & ".join(cells)
    # LaTeX reads a bracket or a star after the end of a line as an argument.
    return ("{}" if line[:1] in ("[", "*") else "") + line + r" \\"
