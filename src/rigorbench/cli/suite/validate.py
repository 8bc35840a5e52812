"""``rigor suite validate``: proves every task by running it."""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import msgspec

from ...authoring.recipes.recipe import RecipeError, load_recipe
from ...base.extras import install
from ...base.sanitize import terminal
from ...bench.agents.readiness import missing_packages
from ...bench.experiment.grid import listed
from ...bench.run.planning.prerequisites import sandbox_problem
from ...bench.tasks.prepared import prepared_task
from ...bench.tasks.suite import NotPrepared, Suite, SuiteError, SuiteTask, load_leniently, recipes_of
from ...bench.tasks.variants import with_variant
from ..common import ProgressBar, UsageError, add_json, add_suite, message, parser, whole, write_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...authoring.proof.run import TaskVerdict
    from ...authoring.recipes.likeness import Likeness

_EPILOG = """examples:
  rigor suite validate rigor
  rigor suite validate path/to/suite --tasks 'verify-or-die/*' --jobs 2
  rigor suite validate rigor --sample 3      (CI: what changed, and three proved tasks again)

For every task the starter, the golden solution (three times), the near misses and the faults run in sandboxes against
the hidden tests; then two scripted policies are played from end to end and scored. Results are kept in proofs.json in
the suite's directory: a task that is proved in its present state is not run again, unless --fresh is given.
The issue of a recipe may not repeat the package's own change log or README (docs/recipes-real.md).
Of a recipe that is not prepared (rigor suite prepare) only the recipe is checked; it is reported in one line and left
out, as a task whose tools are missing.
Exit status: 0 every task is proved, or what it takes to prove it is missing; 1 a proof failed; 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    p = parser("suite validate", "Prove the tasks of a suite by running them in the sandbox.", _EPILOG)
    add_suite(p)
    p.add_argument("--tasks", action="append", metavar="GLOB,...", help="task ids or CATEGORY/TASK; default: all")
    p.add_argument("--jobs", type=whole("a number of trees"), metavar="N", help="trees at a time (default: the cores)")
    p.add_argument("--fresh", action="store_true", help="prove everything again, whatever is recorded")
    p.add_argument("--no-policies", action="store_true", help="do not play the scripted policies")
    number = whole("a number of tasks", 0)
    p.add_argument("--sample", type=number, default=0, metavar="N", help="prove N tasks again that are proved already")
    p.add_argument("--seed", metavar="TEXT", help="seed of --sample (default: the suite's content)")
    add_json(p)
    args = p.parse_args(arguments)
    if args.sample and args.fresh:
        raise UsageError("give --sample N or --fresh: with --fresh every task is run")
    name = with_variant(args.suite, args.variant)
    left = _unprepared(name, args.tasks)
    suite, tasks, unusable = _load(name, args.tasks, list(left))
    unusable += [line for line, usable in left.values() if not usable]
    unprepared = [line for line, usable in left.values() if usable]
    if tasks:
        problem = sandbox_problem("bwrap")
        if problem is not None:
            raise UsageError(f"{problem}; proofs need the sandbox")
        if not args.no_policies and (packages := missing_packages()):
            raise UsageError(
                f"{', '.join(packages)}: playing policies needs the extra: {install('bench')}; "
                "--no-policies proves the rest"
            )
    from ...authoring.proof.run import validate
    from ...authoring.recipes.likeness import measured

    options = {"jobs": args.jobs or len(os.sched_getaffinity(0)), "fresh": args.fresh, "policies": not args.no_policies}
    options |= {"sample": args.sample, "seed": args.seed}
    started = time.monotonic()
    with ExitStack() as closing:

        def watch(steps: int) -> Callable[[str], None]:
            bar = ProgressBar("starting", steps, enabled=steps > 0)
            closing.callback(bar.close)
            return lambda text: bar.advance(1, text)

        verdicts = validate(suite, tasks, watch=watch, **options) if tasks else []
    seconds = time.monotonic() - started
    alike = {task.id: measured(task.recipe) for task in tasks if task.recipe is not None}
    if args.json:
        write_line(_document(suite, verdicts, unusable, unprepared, seconds, alike, policies=not args.no_policies))
    else:
        _tell(verdicts, unusable, unprepared, seconds, policies=not args.no_policies)
        _tell_likeness(alike)
    copied = any(one.is_too_high for one in alike.values())
    return 1 if unusable or copied or any(v.failed or v.unsaved for v in verdicts) else 0


def _unprepared(name: str, patterns: list[str] | None) -> dict[str, tuple[str, bool]]:
    """The recipes that are not prepared: for each name a line about it, and whether it can be used.

    Nothing of them can be run, so the recipe itself is all that is checked.

    Raises:
        SuiteError: there is no such suite.
    """
    left: dict[str, tuple[str, bool]] = {}
    chosen = listed(patterns or []) or ["*"]
    for directory in recipes_of(name):
        if prepared_task(directory) is not None or not any(fnmatchcase(directory.name, p) for p in chosen):
            continue
        todo = f"rigor suite prepare {directory.parent} --tasks {directory.name}"
        try:
            load_recipe(directory)
            line = f"{directory.name}: it is not prepared, so only its recipe was checked; {todo}"
            left[directory.name] = line, True
        except RecipeError as error:
            left[directory.name] = str(error), False
    return left


def _load(name: str, patterns: list[str] | None, unprepared: list[str]) -> tuple[Suite, list[SuiteTask], list[str]]:
    """The suite, the tasks to validate, and why others cannot be read. Raises: SuiteError, TaskError."""
    chosen = listed(patterns or [])
    try:
        suite, errors = load_leniently(name)
    except NotPrepared:
        path = recipes_of(name)[0].parent
        for pattern in chosen:
            if not any(fnmatchcase(recipe, pattern) for recipe in unprepared):
                raise UsageError(f"{path}: no recipe matches {pattern!r}; rigor suite prepare {path} first") from None
        return Suite(path.name, path, "", []), [], []
    unusable = [str(e) for e in errors if not isinstance(e, NotPrepared)]
    projects = [task for task in suite.tasks if task.project]
    if projects:
        raise UsageError(
            f"{suite.path}: has problem packages, which the judge proves: "
            f"rigor judge verify {' '.join(str(task.directory) for task in projects[:3])}{' ...' * (len(projects) > 3)}"
        )
    if not chosen:
        return suite, suite.tasks, unusable
    chosen = [p for p in chosen if suite.has(p) or not any(fnmatchcase(recipe, p) for recipe in unprepared)]
    if not chosen:
        return suite, [], []
    try:
        tasks = [task for task in suite.select(*chosen).tasks if task.pressure is None]
    except SuiteError as error:
        more = f"; cannot be read: {'; '.join(unusable)}" if unusable else ""
        raise UsageError(f"{error}{more}") from None
    if not tasks:
        raise UsageError("a pressure variant is proved with its task: give the name of the task, without @")
    return suite, tasks, []


def _tell(
    verdicts: Sequence[TaskVerdict],
    unusable: Sequence[str],
    unprepared: Sequence[str],
    seconds: float,
    *,
    policies: bool,
) -> None:
    def line(text: str) -> None:
        print(terminal(text))

    width = max((len(v.id) for v in verdicts), default=0)
    for verdict in verdicts:
        line(f"{verdict.id:<{width}}  {_outcome(verdict, policies=policies)}")
        for check in verdict.proof.all_checks if verdict.proof is not None else ():
            if check.status == "skipped" and verdict.failed:
                line(f"    {check.name}: {check.detail}")
            for problem in check.problems:
                line(f"    {check.name}: {problem.file}: {problem.what}")
                if problem.remedy:
                    line(f"        -> {problem.remedy}")
        if verdict.unsaved is not None:
            line(f"    {verdict.unsaved}")
    for text in unusable:
        line(f"cannot be read: {text}")
    for text in unprepared:
        line(f"not provable here: {text}")
    sys.stdout.flush()
    left_out = sum(v.skipped is not None and not v.failed for v in verdicts)
    failed = sum(v.failed for v in verdicts) + len(unusable)
    proven = sum(v.standing == "proven" for v in verdicts)
    cached = sum(v.cached and v.standing == "proven" for v in verdicts)
    rest = len(verdicts) + len(unusable) - proven - failed - left_out
    parts = [f"{proven} proven" + (f" ({cached} of them cached)" if cached else "")]
    parts += [f"{rest} passed so far"] if rest else []
    parts += [f"{failed} failed"] if failed else []
    left_out += len(unprepared)
    parts += [f"{left_out} not provable here"] if left_out else []
    message(f"{', '.join(parts)}; {seconds:.0f} s")


def _tell_likeness(alike: Mapping[str, Likeness]) -> None:
    """Say on standard error which issue is most like its package's texts, and which are too much so."""
    from ...authoring.recipes.likeness import LIMIT

    known = sorted((one.ratio, name, one) for name, one in alike.items() if one.ratio is not None)
    if known:
        ratio, name, one = known[-1]
        message(f"issues like the texts of their packages: at most {ratio:.2f} ({name}, {one.place}; limit {LIMIT:g})")
    for name, one in alike.items():
        if one.is_too_high:
            message(
                f"{name}: FAILED: {one.sentence[:80]!r} is like {one.place} ({one.ratio:.2f}); say it in other words"
            )
        elif one.ratio is None:
            message(f"{name}: likeness not measured: {one.reason}")


def _outcome(verdict: TaskVerdict, *, policies: bool) -> str:
    skipped = verdict.skipped
    if skipped is not None and not verdict.failed:
        return skipped
    if verdict.proof is None:
        return "not proved"
    date = verdict.proof.date
    checks = verdict.proof.all_checks
    good = sum(c.status == "ok" for c in checks)
    if verdict.failed:
        failed = [c.name for c in checks if c.status == "failed"]
        return f"FAILED  {', '.join(failed)}  ({good} of {len(checks)} checks passed)"
    if verdict.cached and verdict.standing == "proven":
        return f"proven  (cached: {date})"
    open_ = [f"{c.name}: {c.detail}" for c in checks if c.status == "skipped"]
    played = "" if verdict.proof.policy_checks is not None else "; its policies were not played"
    again = ", a sample" if verdict.sampled else ""
    if verdict.standing == "proven":
        return f"proven  ({good} checks, {verdict.seconds:.0f} s{again})"
    cached = "cached, " if verdict.cached else ""
    why = f"; {'; '.join(open_)}" if open_ else played
    return f"passed so far  ({cached}{good} checks, {verdict.seconds:.0f} s{why})"


def _document(
    suite: Suite,
    verdicts: Sequence[TaskVerdict],
    unusable: Sequence[str],
    unprepared: Sequence[str],
    seconds: float,
    alike: Mapping[str, Likeness],
    *,
    policies: bool,
) -> bytes:
    return msgspec.json.encode(
        {
            "schema": "rigor-validation/1",
            "suite": suite.name,
            "digest": suite.digest,
            "policies": policies,
            "seconds": round(seconds, 1),
            "unusable": list(unusable),
            "unprepared": list(unprepared),
            "likeness": alike,
            "tasks": [{**msgspec.to_builtins(v), "failed": v.failed, "skipped": v.skipped} for v in verdicts],
        }
    )
