"""The analysis of an experiment on a terminal, in plain words: relations, consistency, transfer, the weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.sanitize import one_line
from ...experiment.analysis import Analysis, Consistency, GroupAnalysis, Relation
from ...experiment.compare import MEASURES, Comparison, Group
from ...stats.consistency import Icc, Passes
from ...stats.correlation import Correlation
from ...stats.sensitivity import OrderHolds, Sensitivity
from ...stats.transfer import Transfer
from ..console import Printer
from ..text import experiment as say
from ..text import words
from ..text.numbers import number as figure

_MEASURE = {m.name: m for m in MEASURES}
_SHORT = {"pass_rate": "hidden tests"}
_MOST_CONDITIONS = 8
_MOST_PAIRS = 4
_COLUMN = 25


def print_analysis(printer: Printer, comparison: Comparison, analysis: Analysis) -> None:
    """Prints what there is to say of each group; a part without any data is one line with its reason."""
    for group, found in zip(comparison.groups, analysis.groups, strict=True):
        if not any(c.counted for c in group.conditions):
            continue
        labels = say.Labels(group)
        named = {name: one_line(labels.of(key), 60) for name, key in found.conditions.items()}
        printer.console.print()
        title = f"Analysis: {say.heading(group)[0].lower()}{say.heading(group)[1:]}"
        printer.line(printer.text(title, "bold"))
        _relations(printer, group, found)
        _consistency(printer, labels, found)
        _transfer(printer, found.transfer)
        _weights(printer, found.sensitivity, named)


def _part(printer: Printer, title: str, lines: Sequence[str]) -> None:
    """A title, and lines below it that hang together."""
    printer.lines(printer.text(title, "dim"), "")
    for line in lines:
        printer.lines(printer.text(line), "    ", printer.text("  "))


def signed(value: float | None) -> str:
    """ "+0.87", "−0.10", "+0.002", "0.00"; "–" when there is none."""
    if value is None:
        return say.NO_VALUE
    return figure(round(value, 6), "difference")


def span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"[{signed(low)}, {signed(high)}]"


def relation_title(relation: Relation, scripted: bool) -> str:
    """ "tokens – RigorScore"."""
    first, second = (_SHORT.get(m) or say.title(_MEASURE[m], scripted) for m in (relation.x, relation.y))
    return f"{first} – {second}"


def _relations(printer: Printer, group: Group, found: GroupAnalysis) -> None:
    shown = [r for r in found.relations if r.correlations.pooled.n]
    if not shown:
        return
    room = max(len(relation_title(r, group.scripted)) for r in shown) + 1
    head = f"{'Pearson r':<{room}}{'over all runs':<{_COLUMN}}{'within tasks':<{_COLUMN}}"
    printer.line(printer.text(head.rstrip()[: printer.console.width], "dim"))
    counted = max(r.correlations.pooled.n for r in shown)
    for relation in shown:
        both = relation.correlations
        row = f"{relation_title(relation, group.scripted):<{room}}{_r(both.pooled)}{_r(both.within)}".rstrip()
        printer.line(printer.text(row))
        if both.pooled.n < counted:
            printer.line(printer.text(f"{'':<{room}}n = {_basis(both.pooled)}", "dim"))
    reasons = dict.fromkeys(
        f"{relation_title(r, group.scripted)}, {where}: {c.reason}"
        for r in shown
        for where, c in (("over all runs", r.correlations.pooled), ("within tasks", r.correlations.within))
        if c.pearson is None
    )
    most = next(r.correlations for r in shown if r.correlations.pooled.n == counted)
    notes = [
        f"n = {_basis(most.pooled)}; within tasks {_basis(most.within)}. Intervals: bootstrap over tasks.",
        *reasons,
    ]
    notes += [_turned(r, group.scripted) for r in shown if r.correlations.reversal]
    for note in notes:
        printer.lines(printer.text(note, "" if "sign turns" in note else "dim"), "  ", printer.text("  "))


def _r(found: Correlation) -> str:
    return f"{signed(found.pearson):>5} {span(found.pearson_low, found.pearson_high):<{_COLUMN - 6}}"


def _basis(found: Correlation) -> str:
    return say.basis(found.tasks, found.n)


def _turned(relation: Relation, scripted: bool) -> str:
    both = relation.correlations
    title = relation_title(relation, scripted)
    if not both.clear:
        return f"{title}: the two signs differ, but not both intervals leave out zero: that is no reversal yet."
    assert both.pooled.pearson is not None
    more, less = ("more", "less") if both.pooled.pearson > 0 else ("less", "more")
    first, second = (say.title(_MEASURE[m], scripted) for m in (relation.x, relation.y))
    return (
        f"{title}: the sign turns. Over all runs more of the first ({first}) goes with {more} of the second "
        f"({second}), but within tasks with {less}: what is seen over all runs comes from how the tasks differ."
    )


def _consistency(printer: Printer, labels: say.Labels, found: GroupAnalysis) -> None:
    repeated = [c for c in found.consistency if any(i.runs for i in c.icc.values())]
    if not repeated:
        _part(printer, "Consistency over repeats", ["one run of each cell: nothing to compare (rigor run --repeats 3)"])
        return
    lines = [f"{one_line(labels.of(c.key), 60)}{_repeats(c)}" for c in repeated[:_MOST_CONDITIONS]]
    if len(repeated) > _MOST_CONDITIONS:
        lines.append(f"and {len(repeated) - _MOST_CONDITIONS} more conditions")
    _part(
        printer,
        "Consistency over repeats (ICC(1,1): 1 when the repeats of a task agree wholly, 0 or below when they are no "
        "more alike than runs of different tasks; sd: of repeats; pass@k, pass^k: the chance that one, that all of k "
        "runs solve a task)",
        lines,
    )


def _repeats(found: Consistency) -> str:
    """What follows the name of a condition; n is said once where it is the same for all measures."""
    iccs = {m: i for m, i in found.icc.items() if i.runs}
    bases = {say.basis(i.tasks, i.runs) for i in iccs.values()}
    one = len(bases) == 1
    parts = [
        f"{_SHORT.get(m) or _MEASURE[m].title} {_icc(i)}" + ("" if one else f", n = {say.basis(i.tasks, i.runs)}")
        for m, i in iccs.items()
    ]
    known = [p for p in found.passes if p.at is not None]
    parts += [", ".join(_passes(p) for p in (known[:1] if len(known) == 1 else [known[0], known[-1]]))] if known else []
    return f" ({min(bases)}): {'; '.join(parts)}" if one else f": {'; '.join(parts)}"


def _icc(found: Icc) -> str:
    value = f"ICC {signed(found.single)} {span(found.single_low, found.single_high)}".rstrip()
    spread = f", sd {found.within**0.5:.2f}" if found.within is not None else ""
    return f"{value}{spread}{f' ({found.reason})' if found.reason else ''}"


def _passes(found: Passes) -> str:
    if found.k == 1:
        return f"pass@1 {words.score(found.at)}"
    both = f"pass@{found.k} {words.score(found.at)}, pass^{found.k} {words.score(found.hat)}"
    return f"{both} ({words.plural(found.tasks, 'task')})"


def _transfer(printer: Printer, found: Transfer) -> None:
    title = "Transfer between categories of tasks"
    if found.concordance is None:
        _part(printer, title, [found.reason])
        return
    sizes = ", ".join(f"{one_line(c, 40)} {n}" for c, n in found.categories.items())
    lines = [
        f"the order of {words.plural(len(found.conditions), 'condition')} in a category follows from the other "
        f"categories for {words.percent(found.concordance)} of the pairs (chance: 50 %), p {say.p_value(found.p)}"
        f"{f'; {found.reason}' if found.reason else ''}",
        f"tasks: {sizes}" + (f"; left out {found.left_out}" if found.left_out else ""),
    ]
    _part(printer, title, lines)


def _weights(printer: Printer, found: Sensitivity, named: Mapping[str, str]) -> None:
    title = "Weights of the pillars"
    if not found.ranking:
        _part(printer, title, [found.reason])
        return
    over = ", ".join(found.weights)
    gone = f" (left out: {', '.join(found.left_out)})" if found.left_out else ""
    order = [f"{named[name]} {found.scores[name]:.2f}" for name in found.ranking[:_MOST_CONDITIONS]]
    if len(found.ranking) > _MOST_CONDITIONS:
        order.append(f"and {len(found.ranking) - _MOST_CONDITIONS} more")
    lines = [f"by the mean of {over}{gone}, each over the tasks that all have: {'; '.join(order)}"]
    open_pairs = sorted((p for p in found.pairs if not p.always), key=lambda p: p.uniform)
    always = len(found.pairs) - len(open_pairs)
    if always:
        lines.append(f"{words.plural(always, 'pair')} of {len(found.pairs)} in this order under any weights")
    lines += [_holds(pair, named) for pair in open_pairs[:_MOST_PAIRS]]
    if len(open_pairs) > _MOST_PAIRS:
        lines.append(f"and {len(open_pairs) - _MOST_PAIRS} more pairs that hold more often")
    lines += [
        f"without {w.pillar} {words.plural(len(w.reversed), 'pair turns', 'pairs turn')}: "
        f"{named[w.reversed[0][1]]} before {named[w.reversed[0][0]]}{', ...' if len(w.reversed) > 1 else ''}"
        for w in found.without
        if w.reversed
    ]
    _part(printer, title, lines)


def _holds(pair: OrderHolds, named: Mapping[str, str]) -> str:
    return (
        f"{named[pair.above]} before {named[pair.below]}: under {say.holds(pair.around)} of weights near these, "
        f"{say.holds(pair.uniform)} of all"
    )
