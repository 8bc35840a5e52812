"""The file ``recipe.toml``: which distributions a task is made of, and what the patches beside it must give."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec
from msgspec import Struct, field

from ...base.strict import DocumentError, read_toml, unknown_key, unknown_keys, with_key
from ...bench.tasks.prepared import RECIPE

Ecosystem = Literal["pypi", "npm"]
# The licence notice of the package: patches and policies contain parts of it.
NOTICE = "LICENSE"
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
_SCOPE = re.compile(r"@[a-z0-9][a-z0-9._-]*/")


class RecipeError(ValueError):
    """A recipe cannot be used. The message is one line that names the file, the place and the remedy."""


class Dependency(Struct, frozen=True):
    """A package that the code or its tests import: a wheel, which is one for every platform, or an npm tarball."""

    name: str
    version: str
    sha256: str


class PublishedPackage(Struct, frozen=True):
    """The published package."""

    name: str
    ecosystem: Ecosystem = "pypi"
    dependencies: list[Dependency] = field(default_factory=list)
    """All packages that the code or its tests import, and what those import; of Python in the root of the repository,
    of npm in ``node_modules``."""


class Starter(Struct, frozen=True):
    """The repository from which the agent starts: a version of the package after ``starter.patch``."""

    version: str
    sha256: str
    """Of the source distribution, or of the tarball on npm."""
    digest: str
    """Of the repository, dependencies included (:func:`rigorbench.bench.tasks.prepared.directory_digest`)."""
    without: list[str] = field(default_factory=list)
    """Glob patterns of files of the package that the repository does not have."""


class Hidden(Struct, frozen=True):
    """Tests of the package that are hidden: files of a version after ``hidden.patch``."""

    files: list[str]
    """Glob patterns, relative to ``directory``."""
    digest: str
    """Of ``tests/`` of the task with these files alone."""
    version: str | None = None
    """Default: that of the starter."""
    sha256: str | None = None
    directory: str = "tests"
    """Where the package has its tests."""
    into: str = "."
    """Where the files go, below ``tests/`` of the task."""


class Recipe(Struct, frozen=True):
    """One recipe; ``directory`` is where its files are."""

    package: PublishedPackage
    starter: Starter
    hidden: Hidden | None = None
    directory: Path = Path()

    @property
    def file(self) -> Path:
        return self.directory / RECIPE

    def releases(self) -> list[tuple[str, str]]:
        """The versions of the package that the task is made of, each with its hash."""
        found = [(self.starter.version, self.starter.sha256)]
        if self.hidden is not None and self.hidden.version is not None and self.hidden.sha256 is not None:
            found.append((self.hidden.version, self.hidden.sha256))
        return found


def load_recipe(directory: Path) -> Recipe:
    """Read and check the recipe in a directory.

    Raises:
        RecipeError: a file is missing, a key is unknown, missing or of a wrong type, or values do not fit together.
    """
    file = directory / RECIPE
    try:
        table = read_toml(file)
    except DocumentError as error:
        raise RecipeError(str(error)) from None
    tables: dict[str, type[Struct]] = {"package": PublishedPackage, "starter": Starter, "hidden": Hidden}
    package = table.get("package")
    problem = "directory: unknown key" if "directory" in table else unknown_key(table, Recipe)
    problem = problem or unknown_keys(table, tables)
    if problem is None and isinstance(package, dict):
        problem = unknown_keys(package, {"dependencies": Dependency}, "package.")
    if problem is not None:
        raise RecipeError(f"{file}: {problem}")
    try:
        recipe = msgspec.convert(table, Recipe)
    except msgspec.ValidationError as error:
        raise RecipeError(f"{file}: {with_key(str(error))}") from None
    recipe = msgspec.structs.replace(recipe, directory=directory.absolute())
    package, hidden, found = recipe.package, recipe.hidden, []
    names = [("package", package.name, recipe.starter.version), ("hidden", package.name, recipe.releases()[-1][0])]
    names += [(f"package.dependencies {d.name}", d.name, d.version) for d in package.dependencies]
    for key, name, version in names:
        scope = _SCOPE.match(name) if package.ecosystem == "npm" else None
        bare = name[scope.end() :] if scope is not None else name
        if not _NAME.fullmatch(bare) or not _NAME.fullmatch(version):
            found.append(f"{key}: name or version is none of a package")
    hashes = [("starter", recipe.starter.sha256), *((f"dependencies {d.name}", d.sha256) for d in package.dependencies)]
    if hidden is not None:
        hashes += [("hidden", hidden.sha256)] if hidden.sha256 is not None else []
        if (hidden.version is None) != (hidden.sha256 is None):
            found.append("hidden.version, hidden.sha256: give both or none")
        for path in (hidden.directory, hidden.into):
            if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
                found.append(f"hidden: {path!r} is not inside the package")
    found += [f"{key}.sha256: expected 64 hexadecimal digits" for key, value in hashes if not _SHA256.fullmatch(value)]
    if found:
        raise RecipeError(f"{file}: {found[0]}")
    for name, why in (
        ("task.toml", "a recipe has the files of a task that are no package's (docs/recipes-real.md)"),
        ("instruction.md", "write the issue there, in your own words"),
        (NOTICE, "copy the licence notice of the package, of which patches and policies contain parts"),
    ):
        if not (directory / name).is_file():
            raise RecipeError(f"{directory / name}: missing; {why}")
    return recipe
