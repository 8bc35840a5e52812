"""``rigor suite variants``: draws variants of a suite of recipes by several seeds, and proves them."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from ..common import Usage, add_json, message, parser, variant_seed, whole, write_json
from .likeness import measured, tell
from .prepare import build, chosen_recipes
from .validate import check_machine, outcome, watcher

if TYPE_CHECKING:
    from pathlib import Path

    from ...authoring.proof.run import Options, Verdict
    from ...tasks.suite import SuiteTask

_EPILOG = """examples:
  rigor suite variants real --count 3                       the seeds 1, 2 and 3
  rigor suite variants real --variant 2026.2-a --tasks 'tinydb-*'

For each seed every recipe is drawn and prepared as by `rigor suite prepare --variant`, then proved as by
`rigor suite validate`. What is proved is recorded in variants.json in the suite's directory and not proved again,
unless --fresh is given.
Exit status: 0 every variant is proved; 1 one is not, or cannot be drawn; 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    p = parser("suite variants", "Draw variants of recipes by several seeds, and prove them.", _EPILOG)
    p.add_argument("suite", metavar="SUITE", help="a suite of recipes")
    p.add_argument("--count", type=whole("a number of seeds"), metavar="N", help="the seeds 1 to N (default: 1)")
    p.add_argument("--variant", action="append", type=variant_seed, metavar="SEED", help="this seed, and no others")
    p.add_argument("--tasks", action="append", metavar="GLOB,...", help="names of recipes; default: all")
    p.add_argument("--jobs", type=whole("a number of trees"), metavar="N", help="trees at a time (default: the cores)")
    p.add_argument("--fresh", action="store_true", help="prove everything again, whatever is recorded")
    add_json(p)
    args = p.parse_args(arguments)
    if args.count and args.variant:
        raise Usage("give --count N or --variant SEED")
    from ...authoring.proof.run import Options, cores
    from ...recipes.single_edits import single_edits
    from ...tasks.suite import SuiteError, recipes_of

    try:
        recipes = recipes_of(args.suite)
    except SuiteError as error:
        raise Usage(str(error)) from None
    if not recipes:
        raise Usage(f"{args.suite}: no recipe in it; only tasks of recipes have variants by a seed")
    chosen = chosen_recipes(args.suite, recipes, args.tasks)
    check_machine(policies=True)
    options = Options(jobs=args.jobs or cores(), fresh=args.fresh, draw=single_edits)
    rows: list[dict[str, Any]] = []
    for seed in args.variant or [str(number + 1) for number in range(args.count or 1)]:
        for row in _prove(chosen, seed, options, quiet=args.json):
            rows.append(row)
    drawn = [row for row in rows if row["status"] != "none"]
    proved = sum(row["status"] == "proven" for row in drawn)
    if args.json:
        write_json({"schema": "rigor-variants-proved/1", "suite": args.suite, "variants": rows})
    sys.stdout.flush()
    message(f"{proved} of {len(drawn)} variants proven")
    return 0 if proved == len(drawn) else 1


def _prove(recipes: list[Path], seed: str, options: Options, *, quiet: bool) -> list[dict[str, Any]]:
    """A row for each recipe of the variant that a seed draws of it."""
    from ...tasks.suite import load_suite
    from ...tasks.variant_proofs import recorded
    from ...tasks.variants import with_seed

    suite = recipes[0].parent
    rows: list[dict[str, Any]] = []
    tasks: list[SuiteTask] = []
    for recipe in recipes:
        started = time.monotonic()
        built = build(recipe, seed)
        row = {"seed": seed, "id": recipe.name, "status": built["status"], "digest": None, "failed": []}
        row |= {"draw_seconds": round(time.monotonic() - started, 1), "seconds": None, "likeness": built["likeness"]}
        rows.append({**row, "problems": built["problems"]})
        if built["directory"] is None:
            _say(f"{seed}  {recipe.name}  {'; '.join(built['problems'])}", quiet=quiet)
            continue
        task = load_suite(with_seed(str(recipe), seed)).tasks[0]
        entry = None if options.fresh else recorded(suite, seed, task)
        rows[-1].update(status="proven" if entry else "unproven", digest=task.digest)
        if entry is None:
            tasks.append(task)
        else:
            rows[-1]["seconds"] = entry.seconds
            _say(f"{seed}  {task.id}  proven  (recorded: {entry.date})", quiet=quiet)
    for task, verdict in _verdicts(suite, seed, tasks, options):
        row = next(row for row in rows if row["id"] == task.id)
        checks = verdict.proof.all_checks if verdict.proof is not None else ()
        failed = [check.name for check in checks if check.status == "failed"]
        row.update(status=verdict.standing, seconds=verdict.seconds, failed=failed)
        _say(f"{seed}  {task.id}  {outcome(verdict, policies=True)}; drawn in {row['draw_seconds']:.0f} s", quiet=quiet)
        for check in checks:
            for problem in check.problems:
                _say(f"    {check.name}: {problem}", quiet=quiet)
    alike = measured(tasks)
    if not quiet:
        tell(alike)
    for row in rows:
        if row["id"] in alike and alike[row["id"]].is_too_high:
            row.update(status="failed", failed=[*row["failed"], "likeness"])
    return rows


def _verdicts(suite: Path, seed: str, tasks: list[SuiteTask], options: Options) -> list[tuple[SuiteTask, Verdict]]:
    """Prove the tasks, and record those that are proven."""
    if not tasks:
        return []
    from ...authoring.proof.run import validate
    from ...tasks.suite import Suite
    from ...tasks.variant_proofs import record
    from ...tasks.variants import with_seed

    drawn = Suite(with_seed(suite.name, seed), suite, "", tasks, seed)
    found = list(zip(tasks, validate(drawn, tasks, options, watcher()), strict=True))
    proved = [(t, v.proof) for t, v in found if v.standing == "proven" and v.proof is not None]
    try:
        if proved:
            record(suite, seed, proved)
    except OSError as error:
        message(f"{suite}: the record of variants cannot be written ({error.strerror or error})")
    return found


def _say(text: str, *, quiet: bool) -> None:
    from ...base.sanitize import terminal

    if not quiet:
        print(terminal(text), flush=True)
