"""The tables of ``rigor panel validate``, for the terminal and in Markdown; reasons of empty cells are below them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from ...base.sanitize import one_line
from ...stats.agreement import Agreement, Estimate
from ..labels.model import OWN_KINDS
from ..model import Kind
from .bias import Bias
from .calibration import Calibration
from .ratings import MAJORITY
from .validate import Validation

_MARKUP = re.compile(r"([\\`*_<>|~&!\[\]#])")
ALL = "all questions"
_COEFFICIENTS = ("raw", "fleiss", "cohen", "alpha", "ac1")
_HEADINGS = ["raw", "Fleiss kappa", "Cohen kappa", "alpha", "AC1"]


class Table(Struct):
    """A table.

    Attributes:
        title: above the table.
        headings: of the columns.
        left: how many columns are text, aligned left.
        short: how many of these are never long.
        rows: the cells as text.
        notes: reasons of empty cells, in the order of the marks in them.
        lead: a sentence above the table.
    """

    title: str
    headings: list[str]
    left: int
    short: int
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lead: str = ""

    def cell(self, estimate: Estimate) -> str:
        """``.83 [.71, .92]``, with the number of a note if a part is missing."""
        parts = []
        if estimate.value is not None:
            parts.append(number(estimate.value))
        if estimate.low is not None and estimate.high is not None:
            parts.append(f"[{number(estimate.low)}, {number(estimate.high)}]")
        if estimate.reason:
            if estimate.reason not in self.notes:
                self.notes.append(estimate.reason)
            parts.append(f"({self.notes.index(estimate.reason) + 1})")
        return " ".join(parts)


def number(value: float) -> str:
    """Two digits: ``.83``, ``-.02``, ``1.00``; never ``-.00``."""
    text = f"{value:.2f}"
    if float(text) == 0:
        return ".00"
    return text.replace("0.", ".", 1) if abs(value) < 0.995 else text


def tables(
    validation: Validation | None,
    inter_judge: Mapping[Kind, Agreement],
    calibrations: Sequence[Calibration],
    biases: Sequence[Bias],
) -> list[Table]:
    found = []
    if validation is not None:
        found += [_compared(validation), _people(validation), _findings(validation)]
        found += [_confusions(validation), _lenient(validation)]
    found += [_between(inter_judge), _calibrated(calibrations), _verdicts(calibrations), _biases(biases)]
    return [table for table in found if table.rows]


def _compared(v: Validation) -> Table:
    table = Table(
        "Judges against people",
        ["about", "question", "judge", "n", "cases", "accuracy", "Cohen kappa", "AC1", "leniency"],
        3,
        3,
        lead="Leniency: how often the judge favours the agent and people do not, minus the reverse.",
    )
    for c in v.comparisons:
        name = c.judge if c.against == MAJORITY else f"{c.judge} / {c.against}"
        cells = [table.cell(e) for e in (c.accuracy, c.kappa, c.ac1, c.leniency)]
        table.rows.append([c.kind, c.question or ALL, name, str(c.n), str(c.cases), *cells])
    return table


def _people(v: Validation) -> Table:
    table = Table(
        "People among each other", ["about", "question", "n", "labellers", *_HEADINGS, "alpha, ordinal"], 2, 2
    )
    for c in v.humans:
        found = c.agreement
        cells = [table.cell(getattr(found, name)) for name in _COEFFICIENTS]
        ordinal = table.cell(found.alpha_ordinal) if found.alpha_ordinal.value is not None else ""
        table.rows.append([c.kind, c.question or ALL, str(found.pairable), str(found.raters), *cells, ordinal])
    return table


def _confusions(v: Validation) -> Table:
    table = Table("What judges say where people say what", ["about", "question", "judge", "people", "judge says"], 5, 4)
    for c in v.comparisons:
        if c.against == MAJORITY and (c.question is not None or c.kind not in OWN_KINDS):
            for human, row in sorted(c.confusion.items()):
                says = ", ".join(f"{word} {n}" for word, n in sorted(row.items()))
                table.rows.append([c.kind, c.question or ALL, c.judge, human, says])
    return table


def _findings(v: Validation) -> Table:
    table = Table("Findings of the review that people find right", ["check", "n", "right", "worth", "sessions"], 1, 1)
    for f in v.findings:
        worth = "" if f.worth is None else str(f.worth)
        table.rows.append([f.check, str(f.n), f"{f.right} ({number(f.right / f.n)})", worth, str(f.sessions)])
    return table


def _lenient(v: Validation, most: int = 30) -> Table:
    table = Table("Where judges are lenient", ["judge", "about", "question", "case", "item", "text"], 6, 5)
    for one in v.lenient[:most]:
        table.rows.append([one.judge, one.kind, one.question, one.case[:12], one.item or "", one.text])
    if len(v.lenient) > most:
        table.lead = f"The first {most} of {len(v.lenient)}; all are in --json."
    return table


def _between(inter_judge: Mapping[Kind, Agreement]) -> Table:
    table = Table("Judges among each other", ["about", "n", "judges", *_HEADINGS], 1, 1)
    for kind, found in inter_judge.items():
        cells = [table.cell(getattr(found, name)) for name in _COEFFICIENTS]
        table.rows.append([kind, str(found.pairable), str(found.raters), *cells])
    return table


def _calibrated(calibrations: Sequence[Calibration]) -> Table:
    table = Table("Calibration", ["about", "judges that say yes", "n", "people that say yes"], 2, 2)
    for c in calibrations:
        for one in c.bins:
            table.rows.append([c.kind, f"{one.yes} of {one.votes}", str(one.n), table.cell(one.people)])
        table.rows.append([c.kind, "share of yes, judges minus people", str(c.n), table.cell(c.gap)])
    return table


def _verdicts(calibrations: Sequence[Calibration]) -> Table:
    table = Table("Unanimous and split verdicts", ["about", "unanimous", "n", "split", "n", "difference"], 1, 1)
    for c in calibrations:
        row = [table.cell(c.unanimous), str(c.unanimous_n), table.cell(c.split), str(c.split_n), table.cell(c.gain)]
        table.rows.append([c.kind, *row])
    return table


def _biases(biases: Sequence[Bias]) -> Table:
    table = Table("Bias of each judge (0: none)", ["judge", "bias", "value", "points", "cases", "changed"], 2, 2)
    for b in biases:
        changed = "" if b.changed is None else number(b.changed)
        row = [table.cell(b.value), str(b.points), str(b.cases), changed]
        table.rows.append([b.judge, b.name, *row])
    titles = dict.fromkeys(f"{b.name}: {b.title}" for b in biases)
    table.lead = "; ".join(titles)
    return table


def markdown(found: Sequence[Table]) -> str:
    """All tables; text of sessions is escaped, so that it cannot end a cell or begin markup."""
    parts = []
    for table in found:
        lines = [f"## {table.title}", ""]
        if table.lead:
            lines += [table.lead, ""]
        lines.append("| " + " | ".join(table.headings) + " |")
        lines.append("| " + " | ".join("---" if n < table.left else "---:" for n in range(len(table.headings))) + " |")
        lines += ["| " + " | ".join(_escaped(cell) for cell in row) + " |" for row in table.rows]
        if table.notes:
            lines += ["", *(f"({n}) {_escaped(note)}  " for n, note in enumerate(table.notes, 1))]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", one_line(text))
