"""What an author of a recipe has to know: how the tests of the distributions do, and which operations they notice."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ..base.cache import cache_directory
from ..bench.outcome.hidden import HIDDEN, FileReport, PytestLayout, new_directory, run_together, sandbox
from ..evidence.testruns.results import SEPARATOR
from ..sandbox.box.box import Box
from ..sandbox.toolchain import toolchain
from ..tasks.hidden_tests import make_readable
from ..tasks.workspace import ROOT
from .distributions import package_tree
from .hidden_node_tests import REPORTER, REST
from .languages import known_tests, language
from .model import Operation, Recipe, RecipeError
from .mutation import MutationError, mutations
from .mutation.search import language_of
from .node_functions import is_one_of, normal
from .states import operated, with_dependencies, without_left_out
from .trees import Change, Tree, changes, selected, write_tree

TIMES = 3
# A mutant that more tests notice is found by one run of the suite.
MOST_KILLERS = 5
_SECONDS = 300.0
_REPORTER = "reporter.mjs"


class Runs(Struct, frozen=True):
    """Several runs of all tests on one tree.

    Attributes:
        passed: tests that passed in every run.
        others: outcome and reason of each of the others.
        stopped: why a run did not finish.
    """

    passed: set[str]
    others: dict[str, str]
    stopped: str | None = None


class PairFacts(Struct, frozen=True):
    """What the tests of two versions say.

    Attributes:
        gained: tests of the later version that fail on the earlier code, and pass on the later.
        outdated: tests of the earlier version that pass on its code, and fail on the later.
        kept: tests of the later version that pass on both, by file.
        unusable: tests of either version that pass on their own code in no run or not in each, with the reason.
        visible: tests of the earlier version that pass on both.
    """

    gained: list[str]
    outdated: list[str]
    kept: dict[str, int]
    unusable: dict[str, str]
    visible: int
    changes: list[Change]


class MutantFacts(Struct, frozen=True):
    """An operation, and the tests that fail because of it; ``stopped``: the run did not finish."""

    operation: Operation
    description: str
    killers: list[str]
    stopped: str | None = None


def run_tests(
    recipe: Recipe, tree: Tree, times: int = 1, seconds: float = _SECONDS, only: Sequence[str] = ("**",)
) -> Runs:
    """Run the tests of a tree, or those of some files, in a sandbox without network, each time in a new one."""
    return asyncio.run(_run(recipe, tree, times, seconds, only))


async def _run(recipe: Recipe, tree: Tree, times: int, seconds: float, only: Sequence[str]) -> Runs:
    kind, prefix = language(recipe), f"{recipe.tests.directory}/"
    tools = toolchain(cache_directory(), kind.tools)
    tests = [p for p in selected(tree, only) if p.startswith(prefix)]
    files = sorted(p for p in tests if kind.is_test_file(recipe, p.removeprefix(prefix)))
    whole = {**with_dependencies(recipe, tree), **kind.settings(recipe)}
    reports: list[FileReport] = []
    for _ in range(times):
        with new_directory("rigor-draft-") as name:
            write_tree(whole, Path(name) / "work")
            write_tree({_REPORTER: REPORTER.encode()}, Path(name) / "ours")
            make_readable(Path(name) / "ours")
            async with sandbox(Path(name), ROOT, tools, Path(name) / "ours") as box:
                if recipe.package.ecosystem == "pypi":
                    layout = PytestLayout(ROOT, ROOT, f"{ROOT}/pytest.ini")
                    reports.append(await run_together(box, tools, layout, files, seconds))
                else:
                    reports.append(await _run_node(recipe, box, tree, files, seconds))
        if not reports[-1].finished:
            break
    passed = set.intersection(*({t for t, o in r.outcomes.items() if o == "passed"} for r in reports))
    others = {
        test.removeprefix(prefix): f"{outcome} {report.why.get(test, '')}".strip()
        for report in reports
        for test, outcome in {**dict.fromkeys(report.why, "error"), **report.outcomes}.items()
        if test not in passed
    }
    names = {test.removeprefix(prefix) for test in passed}
    return Runs(names, others, next((r.stopped for r in reports if not r.finished), None))


async def _run_node(recipe: Recipe, box: Box, tree: Tree, files: Sequence[str], seconds: float) -> FileReport:
    command = ["node", "--test", f"--test-reporter={HIDDEN}/{_REPORTER}", *files]
    done = await box.exec(command, timeout=seconds, origin="engine")
    # Titles may have line separators of Unicode, at which splitlines() splits too.
    lines = [json.loads(line) for line in done.stdout.decode("utf-8", "replace").split("\n") if line]
    report = FileReport(timed_out=done.timed_out, finished=bool(lines) and "end" in lines.pop())
    for line in lines:
        file = str(line["file"] or line["path"][0]).removeprefix(f"{ROOT}/")
        known = known_tests(recipe, file.removeprefix(f"{recipe.tests.directory}/"), tree.get(file, b""))
        test = normal(SEPARATOR.join(line["path"]))
        # By the name that a recipe can give it: what a test makes while it runs belongs to it.
        title = next((name for name in known if is_one_of(test, [name])), REST)
        if any(name.startswith(f"{test}{SEPARATOR}") for name in known):
            continue  # a group
        outcome = "failed" if not line["passed"] else "skipped" if line["skipped"] else "passed"
        if report.outcomes.get(f"{file}::{title}", "skipped") != "failed" and outcome != "skipped":
            report.outcomes[f"{file}::{title}"] = outcome
    if not report.finished:
        report.stopped = "the time was up" if done.timed_out else f"node ended with status {done.status}"
    return report


def pair_facts(recipe: Recipe) -> PairFacts:
    """Run the tests of both versions on the code of both.

    Raises:
        DistributionError: a distribution cannot be had.
        RecipeError: a run does not finish.
    """
    package = recipe.package
    if package.before is None or package.before_sha256 is None:
        raise RecipeError(f"{recipe.file}: package.before and package.before_sha256: missing; a pair has two versions")
    earlier = without_left_out(recipe, package_tree(package, package.before, package.before_sha256))
    later = without_left_out(recipe, package_tree(package, package.version, package.sha256))
    own_earlier, own_later = _finished(recipe, earlier, TIMES), _finished(recipe, later, TIMES)
    forward = run_tests(recipe, _with_code(recipe, earlier, later))
    backward = run_tests(recipe, _with_code(recipe, later, earlier))
    both = own_earlier.passed & forward.passed
    kept: dict[str, int] = {}
    for test in own_later.passed & backward.passed:
        kept[test.partition("::")[0]] = kept.get(test.partition("::")[0], 0) + 1
    return PairFacts(
        gained=sorted(own_later.passed - backward.passed),
        outdated=sorted(own_earlier.passed - forward.passed),
        kept=dict(sorted(kept.items())),
        unusable=dict(sorted({**own_earlier.others, **own_later.others}.items())),
        visible=len(both),
        changes=changes(selected(earlier, package.source), selected(later, package.source)),
    )


def _with_code(recipe: Recipe, tree: Tree, other: Tree) -> Tree:
    """A tree with the code of another one."""
    code = selected(tree, recipe.package.source)
    return {p: c for p, c in tree.items() if p not in code} | selected(other, recipe.package.source)


def _finished(recipe: Recipe, tree: Tree, times: int) -> Runs:
    runs = run_tests(recipe, tree, times)
    if runs.stopped is not None or not runs.passed:
        why = runs.stopped or next(iter(runs.others.values()), "no test was found")
        raise RecipeError(f"{recipe.file}: the package's own tests do not run here ({why})")
    return runs


def mutant_facts(recipe: Recipe, files: Sequence[str], most: int) -> Iterator[MutantFacts | Runs]:
    """First the runs without any operation, then for up to ``most`` operations on files the tests that notice them.

    The operations are spread evenly over all that the files allow.

    Raises:
        DistributionError: the distribution cannot be had.
        RecipeError: the package's own tests do not run.
    """
    package = recipe.package
    tree = without_left_out(recipe, package_tree(package, package.version, package.sha256))
    started = time.monotonic()
    baseline = _finished(recipe, tree, TIMES)
    # Whatever takes that much longer does not end.
    seconds = 10.0 + 4.0 * (time.monotonic() - started) / TIMES
    yield baseline
    found: list[tuple[Operation, str]] = []
    for file in sorted(selected(tree, files)):
        try:
            places = mutations(tree[file].decode(), language_of(file))
        except (MutationError, UnicodeDecodeError):
            continue
        found += [(Operation(file, m.operator, m.qualname, m.line, m.index), m.description) for m in places]
    step = max(1, len(found) // most)
    for operation, description in found[::step][:most]:
        try:
            changed = operated(recipe, tree, [operation], "mutations")
        except RecipeError:
            continue
        runs = run_tests(recipe, changed, seconds=seconds)
        # A test that no longer runs has noticed it as well.
        killers = [] if runs.stopped else sorted(baseline.passed - runs.passed)
        digest = hashlib.sha256(changed[operation.file]).hexdigest()
        operation = msgspec.structs.replace(operation, sha256=digest)
        yield MutantFacts(operation, description, killers, runs.stopped)
