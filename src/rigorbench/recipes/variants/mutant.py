"""Draws another mutant of a recipe's package: an operation that few tests notice, with all that a recipe says of it."""

from __future__ import annotations

import ast
import hashlib
import time
from collections.abc import Mapping, Sequence
from random import Random

import msgspec
from msgspec import Struct

from ...tasks.task import Sentence
from ..distributions import package_tree
from ..draft import MOST_KILLERS, run_tests
from ..languages import known_tests, language
from ..model import NearMiss, Operation, Recipe, RecipeError, Requirement
from ..mutation import Kill, Limits, MutationError, near_misses, search
from ..mutation.mutate import places
from ..mutation.search import PASSED, Outcomes
from ..mutation.stack import broken_tree
from ..renamed import renamed
from ..rewrites import Rewrite
from ..states import without_left_out
from ..test_functions import TestFunctionError, only
from ..trees import Tree, changes, lines, matches
from .examples import Example, example
from .failures import failures
from .voices import FAULT, issue

# Runs of all tests that the search for an operation may cost, and those that look for its near misses.
RUNS = 80
_NEAR_RUNS = 8
_EXAMPLES = 2
_SECONDS = 10.0


class Drawn(Struct, frozen=True):
    """What replaces the parts of a recipe.

    Attributes:
        hidden: the test functions that notice the operation.
        visible: how many of the other tests pass.
        runs: how often all tests ran until the operation was found.
    """

    operation: Operation
    hidden: list[str]
    visible: int
    near_miss: NearMiss
    instruction: str
    sentences: list[Sentence]
    issue_test: str
    runs: int

    def into(self, recipe: Recipe) -> Recipe:
        """The recipe of the drawn mutant."""
        text = "the reported calls give what they gave before the fault"
        return msgspec.structs.replace(
            recipe,
            description=f"The calls of {recipe.package.name} that were reported give the right result again",
            mutations=[self.operation],
            tests=msgspec.structs.replace(recipe.tests, hidden=self.hidden, visible=self.visible),
            requirements=[Requirement(FAULT, text, self.hidden)],
            near_misses=[self.near_miss],
            sentences=self.sentences,
        )


def draw_mutant(recipe: Recipe, seed: str) -> Drawn:
    """Search the package of a recipe, with its names as ``package.renamed`` says, for another mutant.

    Raises:
        DistributionError: the distribution cannot be had.
        RecipeError: its tests do not run, or no operation that was tried gives a task.
    """
    package = recipe.package
    (tree,) = renamed(recipe, package_tree(package, package.version, package.sha256))
    return _Draw(recipe, without_left_out(recipe, tree), seed).drawn()


class _Draw:
    def __init__(self, recipe: Recipe, tree: Tree, seed: str) -> None:
        self.recipe, self.tree, self.seed = recipe, tree, seed
        self.code = {path: text for path, content in tree.items() if (text := self._code(path, content)) is not None}
        started = time.monotonic()
        runs = run_tests(recipe, tree)
        if runs.stopped is not None or not runs.passed:
            raise RecipeError(
                f"{recipe.file}: the package's own tests do not run here ({runs.stopped or 'none passes'})"
            )
        # Whatever takes that much longer does not end.
        self.seconds = _SECONDS + 4.0 * (time.monotonic() - started)
        self.baseline = _outcomes(runs.passed, runs.others)
        self.found: Drawn | None = None

    def drawn(self) -> Drawn:
        limits = Limits(tuple(sorted(self.code)), kills=1, runs=RUNS, most=MOST_KILLERS)
        found = search(self.code, self.baseline, self.run, self.rng("search"), limits, self.accept)
        if self.found is None:
            counts = f"{found.survived} unnoticed, {found.too_many} noticed by more than {MOST_KILLERS} tests"
            what = f"no mutant in {found.runs} runs of its tests ({counts}, {found.refused} of no use)"
            raise RecipeError(f"{self.recipe.file}: {what}; choose another seed")
        return msgspec.structs.replace(self.found, runs=found.runs)

    def rng(self, what: str) -> Random:
        return Random(f"{self.seed}\0{self.recipe.id}\0{what}")

    def run(self, code: Mapping[str, str]) -> Outcomes | None:
        runs = run_tests(self.recipe, self.with_code(code), seconds=self.seconds)
        return None if runs.stopped is not None else _outcomes(runs.passed, runs.others)

    def with_code(self, code: Mapping[str, str]) -> Tree:
        return {**self.tree, **{path: text.encode() for path, text in code.items()}}

    def accept(self, kill: Kill) -> bool:
        """Whether a kill gives a task: one with an example, a test of the issue, and a near miss."""
        if any((o.file, o.line, o.operator) == _place(kill) for o in self.recipe.mutations):
            return False
        hidden = list(dict.fromkeys(test.partition("[")[0] for test in kill.tests))
        broken = self.with_code(broken_tree(self.code, [kill]))
        examples = self._examples(kill, broken) if set(hidden) <= set(self._declared()) else []
        issue_test = self._issue_test(hidden) if examples else None
        if (
            issue_test is None
            or not self._issue_passes(self.tree, issue_test)
            or self._issue_passes(broken, issue_test)
        ):
            return False
        miss = self._near_miss(kill, hidden, issue_test)
        if miss is None:
            return False
        text, said = issue(self.recipe.package.name, examples, self.rng("voice"))
        mutation = kill.mutation
        operation = Operation(
            kill.file,
            mutation.operator,
            mutation.qualname,
            mutation.line,
            mutation.index,
            hashlib.sha256(broken[kill.file]).hexdigest(),
        )
        visible = sum(o == PASSED and test.partition("[")[0] not in hidden for test, o in self.baseline.items())
        self.found = Drawn(operation, hidden, visible, miss, text, said, issue_test, 0)
        return True

    def _examples(self, kill: Kill, broken: Tree) -> list[Example]:
        found: dict[str, Example] = {}
        for failure in failures(self.recipe, broken, kill.tests):
            function = failure.test.partition("[")[0]
            source = self.tree.get(failure.test.partition("::")[0], b"").decode("utf-8", "replace")
            if function not in found and (one := example(source, failure)) is not None:
                found[function] = one
        # One example in each file of tests is enough, and the shortest tell most.
        return sorted(found.values(), key=lambda one: len(one.setup) + len(one.call))[:_EXAMPLES]

    def _near_miss(self, kill: Kill, hidden: Sequence[str], issue_test: str) -> NearMiss | None:
        cases = [test for test in self.baseline if test.partition("[")[0] in hidden]
        rng = self.rng("near")
        for near in near_misses(self.code, [kill], self.baseline, cases, self.run, rng, _NEAR_RUNS).found:
            tree = self.with_code({near.patch.file: near.patch.text})
            if not self._issue_passes(tree, issue_test):
                return NearMiss("drawn", near.patch.what, True, rewrites=_rewrites(self.tree, tree))
        return None

    def _issue_test(self, hidden: Sequence[str]) -> str | None:
        """The hidden functions of one file, which the disciplined policy writes as its own tests of the issue."""
        file = hidden[0].partition("::")[0]
        mine = [name.partition("::")[2] for name in hidden if name.startswith(f"{file}::")]
        try:
            return only(self.tree[f"{self.recipe.tests.directory}/{file}"], mine).decode()
        except (TestFunctionError, UnicodeDecodeError):
            return None

    def _issue_passes(self, tree: Tree, issue_test: str) -> bool:
        path = language(self.recipe).issue_test(self.recipe)
        runs = run_tests(self.recipe, {**tree, path: issue_test.encode()}, seconds=self.seconds, only=[path])
        return runs.stopped is None and bool(runs.passed) and not runs.others

    def _declared(self) -> list[str]:
        prefix = f"{self.recipe.tests.directory}/"
        tests = {p.removeprefix(prefix): content for p, content in self.tree.items() if p.startswith(prefix)}
        return [f"{p}::{name}" for p, content in tests.items() for name in known_tests(self.recipe, p, content)]

    def _code(self, path: str, content: bytes) -> str | None:
        """The text of a module of the code that can be changed."""
        is_test = path.startswith(f"{self.recipe.tests.directory}/")
        if not path.endswith(".py") or is_test or not matches(path, self.recipe.package.source):
            return None
        try:
            text = content.decode()
            ast.parse(text)
            places(text)
        except (UnicodeDecodeError, SyntaxError, ValueError, MutationError):
            return None
        return text


def _place(kill: Kill) -> tuple[str, int, str]:
    return kill.file, kill.mutation.line, kill.mutation.operator


def _outcomes(passed: set[str], others: Mapping[str, str]) -> dict[str, str]:
    """Outcomes that are the same in each run: a test that does not pass may say another thing each time."""
    return {**dict.fromkeys(others, "other"), **dict.fromkeys(passed, PASSED)}


def _rewrites(old: Tree, new: Tree) -> list[Rewrite]:
    """The changes of one tree to another as a recipe writes them."""
    return [
        Rewrite(c.file, (c.start + 1, c.end), "".join(lines(new[c.file])[c.new_start : c.new_end]))
        for c in changes(old, new)
    ]
