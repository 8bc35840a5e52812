"""The comparison of an experiment on a terminal: conditions, differences, analysis, what went wrong."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ...base.sanitize import one_line
from ...experiment.analysis import Analysis
from ...experiment.compare import MEASURES, Comparison, Group, Mean, Pair
from ...experiment.model import Manifest
from ...metrics.result import PILLAR_TITLES
from ..console import Printer, fit
from ..text import experiment as say
from ..text import words
from .analysis_terminal import print_analysis

PAIRS = 15
PROBLEMS = 20
_LABEL = 34
# What a row of a difference takes besides its label, and with the numbers of tasks and runs in words.
_PAIR = 77
_BASIS = 98
_MEASURE = {m.name: m for m in MEASURES}
# Column heads that fit; the pages have room for the titles.
_PROCESS = {"rigor_score": "RigorScore", **{name: name for name in PILLAR_TITLES}, "evidence_share": "evidence"}
_OUTCOME = {
    "pass_rate": "hidden tests",
    "completeness": "req. met",
    "regressions": "broken",
    "solved": "solved",
    "tokens": "tokens",
    "seconds": "time",
}
_DIFFERENCES = ("rigor_score", "pass_rate", "tokens")


def print_comparison(
    manifest: Manifest, comparison: Comparison, console: Console, analysis: Analysis | None = None
) -> None:
    """Prints the whole comparison, and the analysis. Every name in the experiment is sanitised."""
    printer = Printer(console)
    _header(printer, manifest, comparison)
    for group in comparison.groups:
        console.print()
        _group(printer, group)
    if comparison.groups:
        console.print()
        printer.lines(printer.text(say.HOW_TO_READ, "dim"), "")
    if any(g.pairs or g.pressures for g in comparison.groups):
        printer.lines(printer.text(say.method(comparison), "dim"), "")
    if analysis is not None:
        print_analysis(printer, comparison, analysis)
    console.print()
    _problems(printer, manifest, comparison)


def print_findings(manifest: Manifest, comparison: Comparison, analysis: Analysis, console: Console) -> None:
    """Prints what is not in the tables of a report: the analysis, and what went wrong."""
    printer = Printer(console)
    print_analysis(printer, comparison, analysis)
    console.print()
    _problems(printer, manifest, comparison)


def _header(printer: Printer, manifest: Manifest, comparison: Comparison) -> None:
    groups = comparison.groups
    policies = len({c.key.model for g in groups if g.scripted for c in g.conditions})
    models = len({c.key.model for g in groups if not g.scripted for c in g.conditions})
    parts = [
        words.plural(len({t for g in groups for t in g.tasks}), "task"),
        words.plural(len({c.key.agent for g in groups for c in g.conditions}), "agent"),
        words.plural(len({c.key.harness for g in groups for c in g.conditions}), "harness", "harnesses"),
        words.plural(models, "model") if models else "",
        words.plural(policies, "scripted policy", "scripted policies") if policies else "",
        f"{words.count(comparison.counted)} of {words.plural(comparison.planned, 'run')} counted",
    ]
    first = printer.text(f"Experiment {one_line(manifest.id, 60)}", "bold")
    printer.wrapped(
        [first, printer.text(f"suite {one_line(manifest.suite, 60)}"), *map(printer.text, filter(None, parts))], 0
    )
    if comparison.all_scripted:
        printer.lines(printer.text(say.ALL_SCRIPTED, "yellow"), "")
    elif policies:
        printer.lines(printer.text(say.SOME_SCRIPTED, "yellow"), "")


def _group(printer: Printer, group: Group) -> None:
    labels = say.Labels(group)
    title = printer.text(say.heading(group), "bold")
    common = ", ".join(filter(None, [one_line(labels.common, 160), words.plural(len(group.tasks), "task")]))
    title += printer.text(f" ({common})")
    printer.lines(title, "")
    _table(printer, group, labels, "process", _PROCESS)
    printer.console.print()
    _table(printer, group, labels, "outcome and effort", _OUTCOME)
    if group.scripted:
        printer.lines(printer.text(say.POLICY_TOKENS, "dim"), "")
    for what, pairs, names in (
        ("differences", group.pairs, [labels.pair(p.of, p.minus) for p in group.pairs]),
        ("under pressure", group.pressures, [labels.under(p) for p in group.pressures]),
    ):
        if pairs:
            printer.console.print()
            _pairs(printer, what, pairs, names)


def _table(printer: Printer, group: Group, labels: say.Labels, title: str, columns: dict[str, str]) -> None:
    """A row per condition; below it the number of runs with a value, where that is lower than the number counted."""
    widths = [max(5, len(head)) + 2 for head in columns.values()]
    room = min(_LABEL, max(12, printer.console.width - sum(widths) - 7))
    head = f"{title:<{room}}{'n':>5}" + "".join(
        f"{text:>{w}}" for text, w in zip(columns.values(), widths, strict=True)
    )
    printer.line(printer.text(head, "dim"))
    for condition in group.conditions:
        label = printer.text(one_line(labels.of(condition.key), 200))
        if label.cell_len >= room:
            printer.lines(label, "  ")
            label = Text("")
        means = [condition.means[name] for name in columns]
        row = fit(label, room, printer.glyphs.fine) + printer.text(f"{condition.counted:>5,}", "dim")
        row += Text().join(_cell(printer, name, m, w) for name, m, w in zip(columns, means, widths, strict=True))
        row.rstrip()
        printer.line(row)
        fewer = ["" if say.has_row_count(m) else f"n {words.count(m.runs)}" for m in means]
        if any(fewer):
            counts = "".join(f"{text:>{w}}" for text, w in zip(fewer, widths, strict=True))
            printer.line(printer.text(f"{'':<{room + 5}}{counts}".rstrip(), "dim"))


def _cell(printer: Printer, name: str, mean: Mean, width: int) -> Text:
    style = "dim" if mean.value is None else "bold" if name in ("rigor_score", "pass_rate") else ""
    return printer.text(f"{say.mean_value(mean, _MEASURE[name]):>{width}}", style)


def _pairs(printer: Printer, title: str, pairs: list[Pair], labels: list[str]) -> None:
    """Three rows per pair: process, outcome, effort. Long names are above their rows."""
    names = [one_line(label, 200) for label in labels[:PAIRS]]
    room = max(map(cell_len, names)) + 2
    beside = room <= printer.console.width - _PAIR
    if not beside:
        room = 2
    in_words = room + _BASIS <= printer.console.width
    head = f"{title:<{room + 20}}{'mean':>8}  {'95 % interval':<18}{'p':>7}{'adj.':>7}{'d':>7}  "
    head += "" if in_words else "tasks"
    printer.line(printer.text(head[: printer.console.width].rstrip(), "dim"))
    for name, pair in zip(names, pairs, strict=False):
        label = printer.text(name)
        if not beside:
            printer.lines(label, "")
        shown = [m for m in _DIFFERENCES if pair.effects[m].value is not None] or _DIFFERENCES[:1]
        for measure in (_MEASURE[m] for m in shown):
            effect = pair.effects[measure.name]
            row = fit(label if beside else Text(""), room, printer.glyphs.fine)
            row += printer.text(f"{measure.title:<20}")
            row += printer.text(f"{say.effect_value(effect, measure):>8}", "bold")
            if effect.value is None:
                row += printer.text(f"  {effect.reason}", "dim")
            else:
                row += printer.text(f"  {say.bounds(effect, measure) or say.no_interval(effect):<18}", "dim")
                row += printer.text(f"{say.p_value(effect.p):>7}", "dim")
                row += printer.text(f"{say.p_value(effect.p_adjusted):>7}")
                row += printer.text(f"{say.effect_size(effect):>7}", "dim")
                row += printer.text(f"  {say.effect_basis(effect) if in_words else f'{effect.tasks:>5}'}", "dim")
            row.rstrip()
            printer.line(row)
            label = Text("")
    if len(pairs) > PAIRS:
        printer.line(printer.text(f"and {len(pairs) - PAIRS} more pairs in the HTML report", "dim"))


def _problems(printer: Printer, manifest: Manifest, comparison: Comparison) -> None:
    if not comparison.problems:
        printer.line(printer.text("Nothing went wrong: no error, limit, gap, breach or missing run."))
        return
    printer.line(printer.text("What went wrong", "bold"))
    room = max(len(p.kind) for p in comparison.problems) + 2
    for problem in comparison.problems[:PROBLEMS]:
        front = printer.text(f"{problem.kind:<{room}}", "red" if problem.kind in ("error", "breach") else "yellow")
        front += printer.text(f"{words.plural(len(problem.cells), 'run'):>10}  ")
        what = one_line(say.problem_text(problem, manifest), 200)
        if problem.scripted and not comparison.all_scripted:
            what += " (scripted policies)"
        printer.lines(printer.text(what), " " * front.cell_len, front)
    if len(comparison.problems) > PROBLEMS:
        printer.line(printer.text(f"and {len(comparison.problems) - PROBLEMS} more kinds in the HTML report", "dim"))
