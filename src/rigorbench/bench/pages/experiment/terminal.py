"""An experiment on a terminal: a summary that fits one screen."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ....base.sanitize import one_line
from ....review.pages import words
from ....review.pages.console import Printer, default_console, fit
from ....review.result import PILLAR_TITLES
from ...experiment.compare import MEASURE, SIGNIFICANT, Comparison, ConditionGroup, Mean, compare
from ...experiment.projects import ProjectMeans, project_means
from ...experiment.records import Manifest, RunResult
from ..text import experiment as say
from . import figures

# Rows of the summary, over all groups together: with headings and notes they fill one screen of 40 lines.
CONDITIONS = 8
PAIRS = 5
PROBLEMS = 4
_LABEL = 34
# Of a figure of projects.
_FIGURE = 11

# Column heads that fit; the pages have room for the titles. The pillars are left out where the terminal is narrow.
_PILLARS = {name: name for name in PILLAR_TITLES}
_OUTCOME = {"outcome": "Outcome", "solved": "solved", "tokens": "tokens", "seconds": "time"}
_COLUMNS = {"rigor_score": "RigorScore", **_OUTCOME}
_WIDE_COLUMNS = {"rigor_score": "RigorScore", **_PILLARS, **_OUTCOME}


def print_summary(
    manifest: Manifest,
    results: Sequence[RunResult],
    console: Console | None = None,
    *,
    comparison: Comparison | None = None,
) -> None:
    """Prints the figures of each condition, their differences and what went wrong, in at most 40 lines of 80 columns;
    then projects. Every name in the experiment is sanitised.

    Args:
        console: default: one on stdout, without colours when that is no terminal.
        comparison: of the results; default: with the usual baseline.
    """
    console = console if console is not None else default_console()
    comparison = comparison or compare(manifest, results)
    printer = Printer(console)
    _header(printer, manifest, comparison)
    groups = comparison.groups
    conditions = _split([len(g.conditions) for g in groups], CONDITIONS)
    pairs = _split([len(g.pairs) + len(g.pressures) for g in groups], PAIRS)
    for group, rows, drawn in zip(groups, conditions, pairs, strict=True):
        console.print()
        labels = say.Labels(group)
        title = printer.text(say.heading(group), "bold")
        common = ", ".join(filter(None, [one_line(labels.common, 160), words.plural(len(group.tasks), "task")]))
        printer.line(_cut(printer, title + printer.text(f" ({common})")))
        names = [one_line(labels.of(c.key), 200) for c in group.conditions]
        room = min(_LABEL, max([12, *(cell_len(name) + 2 for name in names)]))
        columns = (
            _WIDE_COLUMNS if room + 5 + sum(map(_width, _WIDE_COLUMNS.values())) <= printer.console.width else _COLUMNS
        )
        room = min(room, max(12, printer.console.width - 5 - sum(map(_width, columns.values()))))
        head = f"{'':<{room}}{'runs':>5}" + "".join(f"{text:>{_width(text)}}" for text in columns.values())
        printer.line(printer.text(head, "dim"))
        for name, condition in zip(names[:rows], group.conditions, strict=False):
            row = fit(printer.text(name), room, printer.glyphs.fine) + printer.text(f"{condition.counted:>5,}", "dim")
            row += Text().join(_cell(printer, key, condition.means[key], _width(text)) for key, text in columns.items())
            row.rstrip()
            printer.line(row)
        if len(names) > rows:
            printer.line(printer.text(f"and {words.plural(len(names) - rows, 'more condition')}", "dim"))
        _differences(printer, group, drawn)
    console.print()
    _problems(printer, manifest, comparison)
    printer.lines(printer.text(say.ON_THE_PAGES, "dim"), "")
    print_projects(project_means(manifest, results), printer)


def _header(printer: Printer, manifest: Manifest, comparison: Comparison) -> None:
    groups = comparison.groups
    policies = len({c.key.model for g in groups if g.scripted for c in g.conditions})
    models = len({c.key.model for g in groups if not g.scripted for c in g.conditions})
    counted = f"{words.count(comparison.counted)} of {words.plural(comparison.planned, 'run')} counted"
    # Why more runs count than the tables have.
    twins = sum(c.twins for g in groups for c in g.conditions)
    parts = [
        words.plural(len({t for g in groups for t in g.tasks}), "task"),
        words.plural(len({c.key.agent for g in groups for c in g.conditions}), "agent"),
        words.plural(len({c.key.harness for g in groups for c in g.conditions}), "harness", "harnesses"),
        words.plural(models, "model") if models else "",
        words.plural(policies, "scripted policy", "scripted policies") if policies else "",
        counted + (f", {words.count(twins)} of them on solvable twins, in AQ alone" if twins else ""),
    ]
    first = printer.text(f"Experiment {one_line(manifest.id, 60)}", "bold")
    printer.wrapped(
        [first, printer.text(f"suite {one_line(manifest.suite, 60)}"), *map(printer.text, filter(None, parts))], 0
    )
    if comparison.all_scripted:
        printer.lines(printer.text(say.SCRIPTED_ONLY, "yellow"), "")
    elif policies:
        printer.lines(printer.text(say.SOME_SCRIPTED, "yellow"), "")


def _split(sizes: Sequence[int], most: int) -> list[int]:
    """How many of ``most`` rows each group gets; what a small group does not need is left to the others."""
    found = [0] * len(sizes)
    for _ in range(most):
        short = [n for n, size in enumerate(sizes) if found[n] < size]
        if short:
            found[min(short, key=found.__getitem__)] += 1
    return found


def _width(head: str) -> int:
    return max(5, len(head)) + 2


def _cell(printer: Printer, name: str, mean: Mean, width: int) -> Text:
    style = "dim" if mean.value is None else "bold" if name in ("rigor_score", "outcome") else ""
    return printer.text(f"{say.mean_value(mean, MEASURE[name]):>{width}}", style)


def _differences(printer: Printer, group: ConditionGroup, rows: int) -> None:
    """A row for each pair of conditions: the difference in the RigorScore, and its p or on how many tasks it is so."""
    labels = say.Labels(group)
    pairs = [(labels.pair(p.of, p.minus), p) for p in group.pairs]
    pairs += [(labels.under(p), p) for p in group.pressures]
    if not rows:
        return
    names = [one_line(name, 200) for name, _ in pairs[:rows]]
    room = min(max(map(cell_len, names)) + 2, max(20, printer.console.width - 50))
    head = "RigorScore: difference, 95 % interval"
    if any(pair.effects["rigor_score"].p_adjusted is not None for _, pair in pairs):
        head += ", p corrected for all comparisons"
    elif needed := max(pair.effects["rigor_score"].needed or 0 for _, pair in pairs):
        head += f"; too few tasks for a test ({needed} needed)"
    printer.line(printer.text(head, "dim"))
    for name, (_, pair) in zip(names, pairs, strict=False):
        row = fit(printer.text(name), room - 1, printer.glyphs.fine) + printer.text(" ")
        effect = pair.effects["rigor_score"]
        measure = MEASURE["rigor_score"]
        if effect.value is None:
            difference = printer.text(effect.reason, "dim")
        else:
            text = printer.text(f"{say.effect_value(effect, measure):>6}  ", "bold")
            text += printer.text(f"{say.bounds(effect, measure) or say.no_interval(effect):<17}", "dim")
            tested = effect.p_adjusted is not None
            told = f"p {say.p_value(effect.p_adjusted)}" if tested else say.untested(effect).partition(";")[0]
            found = [told] if told else []
            if effect.tasks < len(group.tasks):
                found.append(f"on {words.plural(effect.tasks, 'task')}")
            if effect.p_adjusted is not None and effect.p_adjusted >= SIGNIFICANT:
                found.append("may be chance")
            difference = text + printer.text(", ".join(found))
        row += difference
        row.rstrip()
        printer.line(_cut(printer, row))
    if len(pairs) > rows:
        printer.line(printer.text(f"and {words.plural(len(pairs) - rows, 'more pair')}", "dim"))


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
        printer.line(_cut(printer, front + printer.text(what)))
    if len(comparison.problems) > PROBLEMS:
        printer.line(
            printer.text(f"and {words.plural(len(comparison.problems) - PROBLEMS, 'more kind')} on the pages", "dim")
        )


def _cut(printer: Printer, text: Text) -> Text:
    """``text`` on one line, with a mark where it is cut."""
    if text.cell_len > printer.console.width:
        end = "…" if printer.glyphs.fine else "..."
        text.truncate(printer.console.width - len(end))
        text.append(end)
    return text


def print_projects(rows: Sequence[ProjectMeans], printer: Printer) -> None:
    """Print a row for each condition, and the best of its first k submissions; nothing without rows."""
    if not rows:
        return
    conditions = figures.named(rows)
    room = min(
        max(len(name) for name, _ in conditions) + 2, max(12, printer.console.width - 6 - _FIGURE * len(figures.HEADS))
    )
    printer.console.print()
    printer.line(printer.text("Projects: points of 100 by the judge and the review (80 to 20)", "bold"))
    head = f"{'condition':<{room}}{'runs':>6}" + "".join(f"{name:>{_FIGURE}}" for name in figures.HEADS)
    printer.line(printer.text(head, "dim"))
    for name, row in conditions:
        label = printer.text(name)
        if label.cell_len >= room:
            printer.lines(label, "  ")
            label = printer.text("")
        values = f"{row.runs:>6}" + "".join(f"{value:>{_FIGURE}}" for value in figures.of_projects(row))
        printer.line(fit(label, room, printer.glyphs.fine) + printer.text(values))
        if len(row.execution_at) > 1:
            printer.lines(
                printer.text(f"  best of the first 1, 2, ... submissions: {figures.best_of_first(row)}", "dim"), "    "
            )
