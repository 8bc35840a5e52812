"""``rigor power``: how many repeats, or tasks, it takes to see a difference between two conditions."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .common import Usage, existing_directory, message, parser, write_line

if TYPE_CHECKING:
    from ..stats.power import Components, Plan

SCHEMA = "rigor-power/1"
# Round numbers, so that nobody takes them for measured ones.
_ASSUMED = 0.10
_MEASURES = ("rigor_score", "pass_rate")
_EPILOG = """examples:
  rigor power --difference .05 --tasks 30                  under assumptions, which are stated
  rigor power --from out/pilot --difference .05            with the spread that an experiment had
  rigor power --within .12 --between .05 --repeats 5       how many tasks, with five repeats each?

The spread has two parts: that of repeats of one run (--within), which more repeats average out, and that of the true
difference between tasks (--between), which only more tasks do.
"""


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    if args.power <= args.alpha:
        raise Usage(f"--power {args.power:g} must be above --alpha {args.alpha:g}")
    try:
        from ..stats.power import plan
    except ModuleNotFoundError as error:
        missing = (error.name or "a library").partition(".")[0]
        raise Usage(f"{missing} is missing: pip install 'rigorbench[report]'") from None
    found, scripted, failed = _measured(args.sources, args.measure, args.within)
    if failed and found is None:
        return 1
    within, between = args.within, args.between
    source = {"within": "given", "between": "given"}
    if within is None:
        within, source["within"] = (
            (found.within, "measured") if found is not None and found.within is not None else (_ASSUMED, "assumed")
        )
    if between is None:
        between, source["between"] = (
            (found.between, "measured") if found is not None and found.between is not None else (_ASSUMED, "assumed")
        )
    made = plan(
        args.difference, args.tasks, within=within, between=between, target=args.power,
        alpha=args.alpha / args.comparisons, repeats=max(10, args.repeats or 0),
    )  # fmt: skip
    if args.json:
        import msgspec

        document = {
            "schema": SCHEMA, "measure": args.measure, "repeats": args.repeats, "comparisons": args.comparisons,
            "source": source, "scripted": scripted, "components": found, "plan": made,
        }  # fmt: skip
        write_line(msgspec.json.encode(document))
        return 1 if failed else 0
    _print(args, made, source, found, scripted=scripted)
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    p = parser(
        "power",
        "How many repeats, or tasks, it takes to see a difference between two conditions that run the same tasks.",
        _EPILOG,
    )
    p.add_argument("--difference", type=_above_zero, default=0.05, metavar="D", help="true difference (default .05)")
    p.add_argument("--tasks", type=_whole(2, 100_000), default=30, metavar="N", help="tasks (default 30)")
    p.add_argument("--repeats", type=_whole(1, 1_000), metavar="K", help="repeats: how many tasks do they take?")
    p.add_argument(
        "--power", type=_share, default=0.8, metavar="P", help="chance to see it that is wanted (default .8)"
    )
    p.add_argument("--alpha", type=_share, default=0.05, metavar="A", help="level of the two-sided test (default .05)")
    p.add_argument(
        "--comparisons", type=_whole(1, 10_000), default=1, metavar="M", help="tests in the family: the level is A / M"
    )
    p.add_argument("--within", type=_from_zero, metavar="SD", help="standard deviation of repeats of one run")
    p.add_argument("--between", type=_from_zero, metavar="SD", help="that of the true difference between tasks")
    p.add_argument(
        "--from", dest="sources", nargs="+", type=existing_directory, default=[], metavar="OUT",
        help="measure both in these experiments (the --out of a `rigor run`)",
    )  # fmt: skip
    p.add_argument("--measure", choices=_MEASURES, default=_MEASURES[0], help="what is measured (default rigor_score)")
    p.add_argument("--json", action="store_true", help="one JSON document")
    return p


def _number(value: str, low: float, high: float, what: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise argparse.ArgumentTypeError(f"{value}: {what}")
    return number


def _above_zero(value: str) -> float:
    return _number(value, 1e-6, 1e6, "a number above 0")


def _from_zero(value: str) -> float:
    return _number(value, 0.0, 1e6, "a number from 0")


def _share(value: str) -> float:
    return _number(value, 1e-6, 1 - 1e-6, "a number between 0 and 1")


def _whole(low: int, high: int) -> Any:
    def read(value: str) -> int:
        number = int(value) if value.isascii() and value.isdigit() else -1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{value}: a whole number from {low} to {high:,}")
        return number

    return read


def _measured(sources: Sequence[Path], measure: str, within: float | None) -> tuple[Components | None, bool, bool]:
    """(components, whether they are of scripted policies, whether a source failed); models go before policies."""
    from ..experiment.conditions import Key, groups
    from ..experiment.store import MANIFEST, StoreError, load_manifest, load_results
    from ..experiment.values import by_task
    from ..stats.power import components

    failed = False
    values: dict[bool, dict[str, Mapping[str, Sequence[float]]]] = {False: {}, True: {}}
    pairs: dict[bool, list[tuple[str, str]]] = {False: [], True: []}
    for number, out in enumerate(sources):
        if not (out / MANIFEST).exists():
            raise Usage(f"{out}: no {MANIFEST}; give the --out directory of a `rigor run`")
        try:
            found = groups(load_manifest(out), load_results(out))
        except StoreError as error:
            message(str(error))
            failed = True
            continue

        def name(key: Key, number: int = number) -> str:
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
    args: argparse.Namespace, plan: Plan, source: Mapping[str, str], found: Components | None, *, scripted: bool
) -> None:
    from rich.console import Console

    from ..report.console import Printer
    from .common import color, width

    printer = Printer(Console(width=width(), no_color=not color(), highlight=False))

    def say(text: str, style: str = "") -> None:
        printer.lines(printer.text(text, style), "")

    what = {"rigor_score": "RigorScore", "pass_rate": "the share of hidden tests passed"}[args.measure]
    say(
        f"A difference of {plan.difference:g} in {what} between two conditions on the same {plan.tasks:,} tasks", "bold"
    )
    level = f"two-sided at {args.alpha:g}"
    if args.comparisons > 1:
        level += f" / {args.comparisons} comparisons = {plan.alpha:.3g}"
    say(f"wanted: power {plan.target:g}, test over tasks, {level}")
    for line in _spread(plan, source, found, scripted=scripted):
        say(line)
    printer.console.print()
    say(f"{'repeats':>7}{'runs':>9}{'power':>9}{'smallest seen':>16}{'tasks needed':>15}", "dim")
    for row in plan.rows:
        smallest = "–" if row.smallest is None else f"{row.smallest:.3f}"
        needed = "–" if row.tasks_needed is None else f"{row.tasks_needed:,}"
        style = "bold" if row.repeats == (args.repeats or plan.repeats_needed) else ""
        say(f"{row.repeats:>7}{row.runs:>9,}{shown(row.power):>9}{smallest:>16}{needed:>15}", style)
    best = "–" if plan.tasks_at_best is None else f"{plan.tasks_at_best:,}"
    say(f"{'endless':>7}{'':>9}{shown(plan.best_power):>9}{'':>16}{best:>15}", "dim")
    say(
        "runs: of both conditions together. smallest seen: the difference that these repeats show with the power "
        "wanted. tasks needed: for the difference asked for, with these repeats.",
        "dim",
    )
    printer.console.print()
    for line in answers(plan, args.repeats):
        say(line, "bold")


def shown(power: float) -> str:
    """ "0.83"; never "1.00" or "0.00" where it is less or more."""
    return ">0.99" if 0.995 <= power < 1 else "<0.01" if 0 < power < 0.005 else f"{power:.2f}"


def _spread(plan: Plan, source: Mapping[str, str], found: Components | None, *, scripted: bool) -> list[str]:
    words = {"given": "given", "assumed": "assumed, not measured", "measured": "measured"}
    parts = [
        f"standard deviation of repeats {plan.within:.3g} ({words[source['within']]})",
        f"of the true difference between tasks {plan.between:.3g} ({words[source['between']]})",
    ]
    lines = [", ".join(parts)]
    if found is not None:
        measured = f"from {found.runs:,} runs: {found.cells:,} cells with repeats, {found.pairs:,} pairs of conditions"
        if found.pairs:
            measured += f" on up to {found.tasks:,} tasks"
        lines.append(f"{measured}{f'; {found.reason}' if found.reason else ''}")
        if scripted and "measured" in source.values():
            lines.append(
                "Scripted policies: played-back actions hardly vary, so this says nothing about a model's runs."
            )
        if source["between"] == "measured" and plan.between == 0:
            lines.append("The differences between tasks are no larger than the repeats explain: taken as none.")
    if "assumed" in source.values():
        lines.append("The answer hangs on what is assumed: --from OUT measures it, --within and --between set it.")
    return lines


def answers(plan: Plan, repeats: int | None = None) -> list[str]:
    """The plan in sentences."""
    tasks, target = f"{plan.tasks:,} tasks", f"{plan.target:g}"
    lines: list[str] = []
    if plan.tasks < plan.fewest_tasks:
        lines.append(
            f"{tasks} are too few for any difference: a permutation test reaches {plan.alpha:.3g} from "
            f"{plan.fewest_tasks} tasks on."
        )
    elif plan.repeats_needed is not None:
        one = plan.repeats_needed == 1
        lines.append(f"{plan.repeats_needed:,} repeat{'' if one else 's'} on {tasks} {'is' if one else 'are'} enough.")
    elif plan.best_power >= plan.target:
        lines.append(f"More than a thousand repeats on {tasks}: take more tasks.")
    else:
        lines.append(
            f"No number of repeats is enough on {tasks}: endless ones have power {shown(plan.best_power)}, because "
            "the difference itself varies from task to task. It takes at least "
            f"{_count(plan.tasks_at_best)} tasks, and more with few repeats: see the last column."
        )
    if repeats is not None:
        row = plan.rows[repeats - 1]
        lines.append(
            f"With {repeats:,} repeat{'' if repeats == 1 else 's'}: power {shown(row.power)} on {tasks}; "
            f"{_count(row.tasks_needed)} tasks for power {target}."
        )
    return lines


def _count(number: int | None) -> str:
    return "more than a million" if number is None else f"{number:,}"
