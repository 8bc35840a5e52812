"""The recipe file: which distributions, what is done to them, and what the task requires."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from ..tasks.prepared import RECIPE
from ..tasks.strict import DocumentError, read_toml, unknown_key, with_key
from ..tasks.task import Category, Pressure, Sentence, Solvable
from .fold_model import Ambiguity, Blocker, Reading
from .restructure import Move, Rename, Retarget, Step
from .rewrites import Rewrite

Kind = Literal["version-pair", "mutant", "stacked", "fold", "refactor"]
Ecosystem = Literal["pypi", "npm"]
LICENCES = ("MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0")
# The tests by which a careful engineer would reproduce the issue.
ISSUE_TESTS: dict[Ecosystem, str] = {"pypi": "issue_test.py", "npm": "issue_test.js"}
# Hidden tests of our own, and the program that looks for an obstacle.
HIDDEN_TEST, OBSTACLE = "hidden_test.py", "obstacle.py"
# How many mutations a stack has: least and most.
MUTATIONS = (2, 3)
# Right fixes of a stack and patches of its symptom that the disciplined policy tries.
PATCHES = 4
# Stages of a refactoring, at least.
STEPS = 2
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
# Part of a shell command: no blank, and nothing but * and ? is special.
_PATTERN = re.compile(r"[A-Za-z0-9_.*?/-]+")
_SCOPE = re.compile(r"@[a-z0-9][a-z0-9._-]*/")


class RecipeError(ValueError):
    """A recipe cannot be used. The message is one line that names the file, the place and the remedy."""


class Dependency(Struct, frozen=True):
    """A package that the code or its tests import: a wheel, which is one for every platform, or an npm tarball."""

    name: str
    version: str
    sha256: str


class Package(Struct, frozen=True):
    """The distributions.

    Attributes:
        version: the one whose code is the golden solution.
        sha256: of its source distribution, or of its tarball on npm.
        before: of a version pair the version from which the agent starts, with its hash.
        files: glob patterns of the files that become the repository; default: all.
        drop: those that are left out again.
        source: glob patterns of the code; a golden solution changes nothing else.
        renamed: the seed by which private symbols of the code get other names; None: they keep theirs.
        dependencies: all packages that the code or its tests import, and what those import; of Python in the root of
            the repository, of npm in ``node_modules``.
    """

    name: str
    version: str
    sha256: str
    licence: str
    source: list[str]
    ecosystem: Ecosystem = "pypi"
    before: str | None = None
    before_sha256: str | None = None
    files: list[str] = field(default_factory=lambda: ["**"])
    drop: list[str] = field(default_factory=list)
    renamed: int | None = None
    dependencies: list[Dependency] = field(default_factory=list)


class LeftOut(Struct, frozen=True):
    """Tests that are in no suite of the task: ids of functions, classes or files, and why."""

    tests: list[str]
    reason: str


class Tests(Struct, frozen=True):
    """The tests of the package.

    Attributes:
        directory: where they are.
        visible: how many pass on the golden solution, of those that the agent sees.
        hidden: of a version pair the files of the later version that are hidden; of a mutant the functions that it
            fails. Paths are relative to ``directory``.
        red: of stacked mutants those of the hidden functions that the agent sees as well, red.
        path: directories from which the tests import, relative to the root.
        settings: more lines of the section ``[pytest]``.
        files: npm only: which files of the directory node runs, as shell patterns.
    """

    visible: int = 0
    hidden: list[str] = field(default_factory=list)
    red: list[str] = field(default_factory=list)
    directory: str = "tests"
    path: list[str] = field(default_factory=lambda: ["."])
    settings: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=lambda: ["*.test.js"])
    leave_out: list[LeftOut] = field(default_factory=list)


class Operation(Struct, frozen=True):
    """One operation on the syntax tree of a file; ``sha256`` is that of the file afterwards."""

    file: str
    operator: str
    function: str
    line: int
    index: int = 0
    sha256: str | None = None


class Requirement(Struct, frozen=True):
    """What the task requires. ``tests``: ids relative to the tests' directory. ``undo``: the changes of the golden
    solution without which this requirement alone is violated (FILE, or FILE#N for its Nth change); default: all.
    ``mutate``: operations on the golden solution that violate it, in place of ``undo``."""

    id: str
    text: str
    tests: list[str]
    undo: list[str] = field(default_factory=list)
    mutate: list[Operation] = field(default_factory=list)


class NearMiss(Struct, frozen=True):
    """A plausible wrong solution: the golden one without some changes, or a tree with operations or rewrites.

    ``only_if``: of a recipe with one mutation, the golden solution whose fix works only under this condition.
    """

    id: str
    text: str
    obvious: bool = False
    undo: list[str] = field(default_factory=list)
    mutate: list[Operation] = field(default_factory=list)
    rewrites: list[Rewrite] = field(default_factory=list)
    on: Literal["golden", "starter"] = "golden"
    only_if: str | None = None


class Recipe(Struct, frozen=True):
    """One recipe; ``directory`` is where its files are, and its name is the id of the task.

    Attributes:
        erase: of a fold task: lines of the package that give way in every tree, to delete a fact.
        rewrites: of a fold task that can be done: its golden solution on the package; default: the package itself.
        steps: of a refactor task: the stages of its golden solution.
        twin: of a fold task: the one that differs in one fact.
    """

    kind: Kind
    category: Category
    difficulty: Literal["easy", "medium", "hard"]
    description: str
    package: Package
    tests: Tests
    requirements: list[Requirement] = field(default_factory=list)
    near_misses: list[NearMiss] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    mutations: list[Operation] = field(default_factory=list)
    erase: list[Rewrite] = field(default_factory=list)
    rewrites: list[Rewrite] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    twin: str | None = None
    blocker: Blocker | None = None
    ambiguity: Ambiguity | None = None
    commits_asked: bool = False
    pressure: list[Pressure] = field(default_factory=list)
    directory: Path = Path()

    @property
    def id(self) -> str:
        return self.directory.name

    @property
    def file(self) -> Path:
        return self.directory / RECIPE

    @property
    def issue_test(self) -> Path:
        return self.directory / ISSUE_TESTS[self.package.ecosystem]

    @property
    def solvable(self) -> Solvable:
        if self.blocker is not None:
            return "impossible"
        return "yes" if self.ambiguity is None else "ambiguous"


_TABLES: dict[str, type[Struct]] = {
    "package": Package,
    "package.dependencies": Dependency,
    "tests": Tests,
    "tests.leave_out": LeftOut,
    "requirements": Requirement,
    "requirements.mutate": Operation,
    "near_misses": NearMiss,
    "near_misses.mutate": Operation,
    "near_misses.rewrites": Rewrite,
    "sentences": Sentence,
    "mutations": Operation,
    "erase": Rewrite,
    "rewrites": Rewrite,
    "steps": Step,
    "steps.moves": Move,
    "steps.retargets": Retarget,
    "steps.renames": Rename,
    "steps.rewrites": Rewrite,
    "blocker": Blocker,
    "ambiguity": Ambiguity,
    "ambiguity.readings": Reading,
    "ambiguity.readings.rewrites": Rewrite,
}


def load_recipe(directory: Path, *, draft: bool = False) -> Recipe:
    """Read and check the recipe in a directory; that of a draft may lack what is found out by running its tests.

    Raises:
        RecipeError: a file is missing, a key is unknown, missing or of a wrong type, or values do not fit together.
    """
    file = directory / RECIPE
    try:
        table = read_toml(file)
    except DocumentError as error:
        raise RecipeError(str(error)) from None
    problem = unknown_key({k: v for k, v in table.items() if k != "directory"}, Recipe)
    for place, kind in _TABLES.items():
        problem = problem or _unknown(table, place.split("."), kind, "")
    if problem is not None or "directory" in table:
        raise RecipeError(f"{file}: {problem or 'directory: unknown key'}")
    try:
        recipe = msgspec.convert({**table}, Recipe)
    except msgspec.ValidationError as error:
        raise RecipeError(f"{file}: {with_key(str(error))}") from None
    recipe = msgspec.structs.replace(recipe, directory=directory.absolute())
    for line in _problems(recipe) + ([] if draft else _gaps(recipe)):
        raise RecipeError(f"{file}: {line}")
    if draft:
        return recipe
    for name in _needed_files(recipe):
        if not (directory / name).is_file():
            raise RecipeError(f"{directory / name}: missing; {_WHY[name]}")
    return recipe


_WHY = {
    "instruction.md": "write the issue there, in your own words",
    **dict.fromkeys(
        ISSUE_TESTS.values(), "write the tests there by which a careful engineer would reproduce the issue"
    ),
    HIDDEN_TEST: "write the hidden tests of your own there",
    OBSTACLE: "write a program there that ends with status 0 where the obstacle exists",
}


def _needed_files(recipe: Recipe) -> list[str]:
    own = [HIDDEN_TEST] if recipe.kind in ("fold", "refactor") else []
    return ["instruction.md", *own, OBSTACLE if recipe.blocker is not None else recipe.issue_test.name]


def _unknown(value: Any, path: list[str], kind: type[Struct], place: str) -> str | None:
    """A message about the first unknown key of the tables at a path."""
    if isinstance(value, list):
        return next((p for n, v in enumerate(value) if (p := _unknown(v, path, kind, f"{place[:-1]}[{n}]."))), None)
    if not isinstance(value, dict):
        return None
    if path:
        return _unknown(value.get(path[0]), path[1:], kind, f"{place}{path[0]}.")
    problem = unknown_key(value, kind)
    return f"{place}{problem}" if problem is not None else None


def _problems(recipe: Recipe) -> list[str]:
    package, found = recipe.package, []
    releases = [("package", package.name, package.version)]
    releases += [(f"package.dependencies {d.name}", d.name, d.version) for d in package.dependencies]
    for key, name, version in releases:
        if not _is_name(name, package.ecosystem) or not _NAME.fullmatch(version):
            found.append(f"{key}: name or version is none of a package")
    if package.licence not in LICENCES:
        found.append(f"package.licence: {package.licence!r}; only {', '.join(LICENCES)} may be used")
    pair = recipe.kind == "version-pair"
    if pair != (package.before is not None) or pair != (package.before_sha256 is not None):
        what = "required by" if pair else "used only by"
        found.append(f"package.before, package.before_sha256: {what} a version-pair")
    hashes = [("sha256", package.sha256), ("before_sha256", package.before_sha256)]
    hashes += [(f"dependencies {d.name}: sha256", d.sha256) for d in package.dependencies]
    for key, value in hashes:
        if value is not None and not _SHA256.fullmatch(value):
            found.append(f"package.{key}: expected 64 hexadecimal digits")
    for path in (recipe.tests.directory, *(m.file for m in recipe.mutations)):
        if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            found.append(f"{path!r} is not inside the repository; give it from its root")
    for name, ids in (("requirements", recipe.requirements), ("near_misses", recipe.near_misses)):
        names = [entry.id for entry in ids]
        if any(not _NAME.fullmatch(n) for n in names) or len(set(names)) < len(names):
            found.append(f"{name}: each needs an id of its own, of letters, digits and hyphens")
    for miss in recipe.near_misses:
        if miss.only_if is not None and (miss.undo or miss.on == "starter"):
            found.append(f"near_misses {miss.id}: only_if is for the golden solution, without undo")
    if (recipe.kind == "stacked") != (recipe.category == "doom-loop"):
        found.append("category: doom-loop is that of the kind stacked, and of no other")
    if (recipe.kind == "fold") != (recipe.category == "know-when-to-fold"):
        found.append("category: know-when-to-fold is that of the kind fold, and of no other")
    if (recipe.kind == "refactor") != (recipe.category == "dont-break-the-build"):
        found.append("category: dont-break-the-build is that of the kind refactor, and of no other")
    if recipe.tests.red and recipe.kind != "stacked":
        found.append("tests.red: used only by the kind stacked")
    found += _ecosystem_problems(recipe)
    if any(r.id == KEPT for r in recipe.requirements):
        found.append(f"requirements: the id {KEPT!r} is that of the tests that pass before and after")
    return found


def _is_name(name: str, ecosystem: Ecosystem) -> bool:
    scope = _SCOPE.match(name) if ecosystem == "npm" else None
    return _NAME.fullmatch(name[scope.end() :] if scope is not None else name) is not None


def _ecosystem_problems(recipe: Recipe) -> list[str]:
    """What one of the ecosystems does not have."""
    tests, found = recipe.tests, []
    if recipe.package.ecosystem == "pypi":
        return ["tests.files: used only by npm packages"] if tests.files != Tests().files else []
    if recipe.kind not in ("version-pair", "mutant"):
        found.append(f"kind: {recipe.kind} is for Python packages; choose version-pair or mutant")
    if recipe.package.renamed is not None or any(miss.only_if is not None for miss in recipe.near_misses):
        found.append("package.renamed, near_misses.only_if: used only by Python packages")
    if any(not _PATTERN.fullmatch(pattern) for pattern in tests.files) or not tests.files:
        found.append("tests.files: expected patterns like '*.test.js', relative to tests.directory")
    if tests.settings or tests.path != ["."]:
        found.append("tests.settings, tests.path: used only by Python packages")
    return found


def _gaps(recipe: Recipe) -> list[str]:
    """What a recipe lacks that a draft may lack."""
    found = []
    if sum(miss.obvious for miss in recipe.near_misses) != 1:
        found.append("near_misses: exactly one is obvious = true, the one that most would try first")
    if recipe.kind in ("fold", "refactor"):
        if not recipe.requirements:
            found.append("requirements: empty; name what the hidden tests require in any case")
        return [*(_fold_gaps(recipe) if recipe.kind == "fold" else _refactor_gaps(recipe)), *found]
    if (recipe.kind != "version-pair") != bool(recipe.mutations):
        found.append(f"mutations: {'empty' if not recipe.mutations else 'given'}, and the kind is {recipe.kind}")
    found += _stacked_gaps(recipe) if recipe.kind == "stacked" else []
    for name, value in (("tests.hidden", recipe.tests.hidden), ("requirements", recipe.requirements)):
        if not value:
            found.append(f"{name}: empty; rigor suite draft {recipe.directory} shows what belongs there")
    return found


def _fold_gaps(recipe: Recipe) -> list[str]:
    found = []
    if recipe.twin is None:
        found.append("twin: missing; a fold task has one that differs in one fact")
    if recipe.blocker is not None and recipe.ambiguity is not None:
        found.append("blocker, ambiguity: a task has at most one of them")
    if recipe.rewrites and recipe.solvable != "yes":
        found.append("rewrites: the golden solution of a task that can be done, and of no other")
    ambiguity = recipe.ambiguity
    if ambiguity is not None and ambiguity.answered not in [reading.id for reading in ambiguity.readings]:
        found.append(f"ambiguity.answered: no reading {ambiguity.answered!r}")
    return found


def _refactor_gaps(recipe: Recipe) -> list[str]:
    if len(recipe.steps) < STEPS:
        return [f"steps: at least {STEPS}, each a commit at which all tests pass"]
    return []


def _stacked_gaps(recipe: Recipe) -> list[str]:
    found, tests = [], recipe.tests
    files = [operation.file for operation in recipe.mutations]
    if not MUTATIONS[0] <= len(files) <= MUTATIONS[1] or len(set(files)) < len(files):
        found.append(f"mutations: a stack has {MUTATIONS[0]} or {MUTATIONS[1]}, each in a file of its own")
    if not tests.red:
        found.append("tests.red: empty; name the hidden tests that the agent sees as well")
    # The first patch makes the error an episode, and two more must fail in it before the last cause is repaired.
    if len(files) + sum(miss.on == "starter" for miss in recipe.near_misses) < PATCHES:
        found.append(f"near_misses: with the mutations at least {PATCHES} patches; add one with on = 'starter'")
    found += [f"tests.red: {test!r} is not among tests.hidden" for test in tests.red if test not in tests.hidden]
    return found


# The requirement of the hidden tests that pass on the starter.
KEPT = "kept"
