"""``rigor power``: how many repeats or tasks are needed to detect a difference between two conditions."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.text import count as plural
from ..bench.experiment.conditions import groups
from ..bench.experiment.records import ConditionKey
from ..bench.experiment.store import MANIFEST, ExperimentError, load_manifest, load_results
from ..bench.experiment.values import by_task
from .common import UsageError, add_json, console, decimal, existing_directory, message, parser, whole, write_json

if TYPE_CHECKING:
    from ..base.stats.power import Components, PowerPlan

SCHEMA = "rigor-power/1"
# A round number, so that nobody takes it for a measured one.
_ASSUMED = 0.10
# Of the differences on 12 tasks that one model played once under two conditions; nearly every Outcome was 1.
_PLAYED = {"rigor_score": 0.073}
_MEASURES = ("rigor_score", "outcome")
_MEASURE_IT = "--from OUT measures them, --within and --between set them"
_EPILOG = """examples:
  rigor power --difference .05 --tasks 30                  under assumptions, which are printed
  rigor power --from out/pilot --difference .05            with the spread of an experiment
  rigor power --within .12 --between .05 --repeats 5       how many tasks, with five repeats each?

The spread has two parts: repeats of one run differ (--within), which more repeats average out; and the true difference
varies from task to task (--between), which only more tasks average out.
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "power",
        "How many repeats or tasks are needed to detect a difference between two conditions that run the same tasks.",
        _EPILOG,
    )
    share, deviation = decimal(1e-6, 1 - 1e-6, "a number between 0 and 1"), decimal(0, 1e6, "a number from 0")
    above_zero, number = decimal(1e-6, 1e6, "a number above 0"), "a whole number"
    p.add_argument("--difference", type=above_zero, default=0.05, metavar="D", help="true difference (default .05)")
    p.add_argument("--tasks", type=whole(number, 2, 100_000), default=30, metavar="N", help="tasks (default 30)")
    p.add_argument("--repeats", type=whole(number, 1, 1_000), metavar="K", help="find the tasks that K repeats need")
    p.add_argument("--power", type=share, default=0.8, metavar="P", help="required chance to detect it (default .8)")
    p.add_argument("--alpha", type=share, default=0.05, metavar="A", help="level of the two-sided test (default .05)")
    p.add_argument(
        "--comparisons", type=whole(number, 1, 10_000), default=1, metavar="M",
        help="tests in the family: the level is A / M",
    )  # fmt: skip
    p.add_argument("--within", type=deviation, metavar="SD", help="standard deviation of repeats of one run")
    p.add_argument("--between", type=deviation, metavar="SD", help="that of the true difference between tasks")
    p.add_argument(
        "--from", dest="sources", nargs="+", type=existing_directory, default=[], metavar="OUT",
        help="measure both in these experiments (--out directories of `rigor run`)",
    )  # fmt: skip
    p.add_argument("--measure", choices=_MEASURES, default=_MEASURES[0], help="what is measured (default rigor_score)")
    add_json(p)
    args = p.parse_args(arguments)
    if args.power <= args.alpha:
        raise UsageError(f"--power {args.power:g} must be above --alpha {args.alpha:g}")
    from ..base.stats.power import plan

    found, scripted, failed = _measured(args.sources, args.measure, args.within)
    if failed and found is None:
        return 1
    spread: dict[str, float] = {}
    source: dict[str, str] = {}
    for part in ("within", "between"):
        known = (("given", getattr(args, part)), ("measured", getattr(found, part, None)), ("assumed", _ASSUMED))
        source[part], spread[part] = next((how, value) for how, value in known if value is not None)
    if source == {"within": "assumed", "between": "measured"}:
        source["within"], spread["within"] = "measured", 0.0  # it is in the other part
    elif "given" not in source.values() and not args.sources and args.measure in _PLAYED:
        source, spread = dict.fromkeys(source, "played"), {"within": 0.0, "between": _PLAYED[args.measure]}
    made = plan(
        args.difference, args.tasks, **spread, target=args.power,
        alpha=args.alpha / args.comparisons, repeats=max(10, args.repeats or 0),
    )  # fmt: skip
    if args.json:
        document = {
            "schema": SCHEMA, "measure": args.measure, "repeats": args.repeats, "comparisons": args.comparisons,
            "source": source, "scripted": scripted, "components": found, "plan": made,
        }  # fmt: skip
        write_json(document)
        return 1 if failed else 0
    _print(args, made, source, found, scripted=scripted)
    return 1 if failed else 0


def _measured(sources: Sequence[Path], measure: str, within: float | None) -> tuple[Components | None, bool, bool]:
    """(components, whether they are of scripted policies, whether a source failed); models go before policies."""
    from ..base.stats.power import components

    failed = False
    values: dict[bool, dict[str, Mapping[str, Sequence[float]]]] = {False: {}, True: {}}
    pairs: dict[bool, list[tuple[str, str]]] = {False: [], True: []}
    for number, out in enumerate(sources):
        if not (out / MANIFEST).exists():
            raise UsageError(f"{out}: no {MANIFEST}; give the --out directory of a `rigor run`")
        try:
            found = groups(load_manifest(out), load_results(out))
        except ExperimentError as error:
            message(str(error))
            failed = True
            continue

        def name(key: ConditionKey, number: int = number) -> str:
            return f"{number} {key}"

        for group in found:
            values[group.scripted] |= {name(c.key): by_task(c.runs, measure) for c in group.conditions}
            pairs[group.scripted] += [(name(a.key), name(b.key)) for a, b in group.pairs]
    scripted = not any(values[False].values())
    if not any(values[scripted].values()):
        if sources and not failed:
            message(f"{', '.join(map(str, sources))}: no run has a value of {measure}")
        return None, False, failed or bool(sources)
    return components(values[scripted], pairs[scripted], within=within), scripted, failed


def _print(
    args: argparse.Namespace, plan: PowerPlan, source: Mapping[str, str], found: Components | None, *, scripted: bool
) -> None:
    from ..review.pages.console import Printer

    printer = Printer(console())

    def say(text: str, style: str = "") -> None:
        printer.lines(printer.text(text, style), "")

    what = {"rigor_score": "RigorScore", "outcome": "the Outcome score"}[args.measure]
    say(
        f"A difference of {plan.difference:g} in {what} between two conditions on the same {plan.tasks:,} tasks", "bold"
    )
    level = f"two-sided at {args.alpha:g}"
    if args.comparisons > 1:
        level += f" / {args.comparisons} comparisons = {plan.alpha:.3g}"
    say(f"required power {plan.target:g}, test over tasks, {level}")
    for line in _spread(plan, source, found, scripted=scripted):
        say(line)
    printer.console.print()
    say(f"{'repeats':>7}{'runs':>9}{'power':>9}{'smallest':>16}{'tasks needed':>15}", "dim")
    for row in plan.rows if plan.within or args.repeats else plan.rows[:1]:
        smallest = "–" if row.smallest is None else f"{row.smallest:.3f}"
        needed = "–" if row.tasks_needed is None else f"{row.tasks_needed:,}"
        style = "bold" if row.repeats == (args.repeats or plan.repeats_needed) else ""
        say(f"{row.repeats:>7}{row.runs:>9,}{shown(row.power):>9}{smallest:>16}{needed:>15}", style)
    best = "–" if plan.tasks_at_best is None else f"{plan.tasks_at_best:,}"
    say(f"{'inf':>7}{'':>9}{shown(plan.best_power):>9}{'':>16}{best:>15}", "dim")
    say(
        "runs: of both conditions together. smallest: the smallest difference that these repeats detect with the "
        "required power. tasks needed: for the given difference, with these repeats.",
        "dim",
    )
    printer.console.print()
    for line in answers(plan, args.repeats):
        say(line, "bold")


def shown(power: float) -> str:
    """ "0.83"; never "1.00" or "0.00" where it is less or more."""
    return ">0.99" if 0.995 <= power < 1 else "<0.01" if 0 < power < 0.005 else f"{power:.2f}"


def _spread(plan: PowerPlan, source: Mapping[str, str], found: Components | None, *, scripted: bool) -> list[str]:
    if "played" in source.values():
        spread = f"standard deviation of the differences between tasks {plan.between:g}, with the noise of a run in it"
        return [f"{spread}: as 12 tasks had, played once by one model (95 %: 0.05 to 0.12)", f"{_MEASURE_IT}."]
    within, between = (how + ", not measured" * (how == "assumed") for how in source.values())
    lines = [
        f"standard deviation of repeats {plan.within:.3g} ({within}), "
        f"of the true difference between tasks {plan.between:.3g} ({between})"
    ]
    if found is not None:
        measured = (
            f"from {plural(found.runs, 'run')}: {plural(found.cells, 'cell')} with repeats, "
            f"{plural(found.pairs, 'pair')} of conditions on up to {plural(found.tasks, 'task')}"
        )
        lines.append(f"{measured}{f'; {found.reason}' if found.reason else ''}")
        if scripted and "measured" in source.values():
            lines.append(
                "Scripted policies play back fixed actions and hardly vary, so this says nothing about runs of a model."
            )
        if source["between"] == "measured" and plan.between == 0:
            lines.append("Repeats alone explain the differences between tasks: their own deviation is taken as 0.")
    if "assumed" in source.values():
        lines.append(f"The answer depends on the assumed values: {_MEASURE_IT}.")
    return lines


def answers(plan: PowerPlan, repeats: int | None = None) -> list[str]:
    """The plan in sentences."""
    tasks, target = f"{plan.tasks:,} tasks", f"{plan.target:g}"
    lines: list[str] = []
    if plan.tasks < plan.fewest_tasks:
        lines.append(
            f"{tasks} are too few for any difference: a permutation test needs at least {plan.fewest_tasks} tasks to "
            f"reach {plan.alpha:.3g}."
        )
    elif plan.repeats_needed is not None:
        verb = "is" if plan.repeats_needed == 1 else "are"
        lines.append(f"{plural(plan.repeats_needed, 'repeat')} on {tasks} {verb} enough.")
    elif plan.best_power >= plan.target:
        lines.append(f"More than a thousand repeats are needed on {tasks}: use more tasks.")
    else:
        lines.append(
            f"No number of repeats is enough on {tasks}: even infinitely many have power {shown(plan.best_power)}, "
            "because the difference itself varies from task to task. At least "
            f"{_count(plan.tasks_at_best)} tasks are needed, and more with few repeats: see the last column."
        )
    if repeats is not None:
        row = plan.rows[repeats - 1]
        lines.append(
            f"With {plural(repeats, 'repeat')}: power {shown(row.power)} on {tasks}; "
            f"{_count(row.tasks_needed)} tasks for power {target}."
        )
    return lines


def _count(number: int | None) -> str:
    return "more than a million" if number is None else f"{number:,}"
