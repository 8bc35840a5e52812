"""Distributions unpacked in memory, and their files chosen by patterns."""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Literal

from ...base.cache import cache_directory
from .recipe import Dependency, Recipe, RecipeError

Form = Literal["source distribution", "wheel", "tarball"]
_SECONDS = 600.0


class DistributionError(Exception):
    """A distribution cannot be used. One line."""


class Unavailable(DistributionError):
    """The index cannot be reached, or does not have the distribution any more."""


def fetch(form: Form, name: str, version: str, sha256: str) -> Path:
    """The file of a distribution, from the cache or else from the index that pip or npm is configured to use.

    Raises:
        Unavailable: the index does not have it.
        DistributionError: the index has another file of this name.
    """
    found = known_file(sha256)
    if found is not None:
        return found
    place = _place(sha256)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as name_of_draft:
        directory = Path(name_of_draft)
        if form == "tarball":
            command = ["npm", "pack", "--ignore-scripts", "--loglevel=error", f"{name}@{version}"]
            done = _run(command, "npm", name, version, directory)
            files = sorted(directory.glob("*.tgz"))
            if done.returncode or len(files) != 1:
                errors = [line for line in done.stderr.splitlines() if re.match(r"npm (error|ERR!) (?!code )", line)]
                raise _unavailable("tarball", name, version, (errors or ["npm named no reason"])[0])
            downloaded = files[0]
        else:
            requirements = directory / "requirements.txt"
            requirements.write_text(f"{name}=={version} --hash=sha256:{sha256}\n", encoding="utf-8")
            target = directory / "files"
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
            command += ["--no-deps", "--only-binary" if form == "wheel" else "--no-binary", name]
            command += ["--require-hashes", "-r", str(requirements), "-d", str(target)]
            done = _run(command, "pip", name, version, directory)
            if (got := re.search(r"^\s*Got\s+([0-9a-f]{64})\s*$", done.stderr, re.MULTILINE)) is not None:
                raise _other_hash(name, version, got.group(1), sha256)
            files = sorted(target.glob("*")) if target.is_dir() else []
            if done.returncode or len(files) != 1:
                errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
                raise _unavailable(
                    form, name, version, (errors or done.stderr.splitlines() or ["pip named no reason"])[-1]
                )
            downloaded = files[0]
        if _digest(downloaded) != sha256:
            raise _other_hash(name, version, _digest(downloaded), sha256)
        place.mkdir(exist_ok=True)
        return downloaded.rename(place / downloaded.name)


def known_file(sha256: str) -> Path | None:
    """The file of a distribution that has been fetched before."""
    found = next((f for f in _place(sha256).glob("*") if f.is_file()), None)
    return found if found is not None and _digest(found) == sha256 else None


def _place(sha256: str) -> Path:
    return cache_directory().with_name("distributions") / sha256


def _run(command: list[str], client: str, name: str, version: str, directory: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False, cwd=directory
        )
    except FileNotFoundError:
        raise Unavailable(f"{name} {version}: {client} is not installed, and it has to be fetched") from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{name} {version}: {client} did not end in {_SECONDS:.0f} s; try again") from None


def _unavailable(form: Form, name: str, version: str, why: str) -> Unavailable:
    return Unavailable(f"{name} {version}: its {form} cannot be fetched ({' '.join(why.split())[:200]})")


def _other_hash(name: str, version: str, found: str, sha256: str) -> DistributionError:
    return DistributionError(f"{name} {version}: its hash is {found}, not {sha256}; trust only what you have checked")


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


# Path -> content. Modes do not matter to a library; scripts in it are not run.
Tree = dict[str, bytes]

# Larger distributions are none of libraries that a person can survey.
_MOST_BYTES = 64 << 20
# Where node looks for packages, and which files of them a run needs.
_MODULES = "node_modules"
_NEEDED = ("**/*.js", "**/*.cjs", "**/*.mjs", "**/*.json", "LICENSE*", "LICENCE*")
_NOT_NEEDED = ("test", "tests", "benchmark*", "examples", "example", "docs", ".github", "**/*.test.js")
# What an index adds to a project.
_GENERATED = ("PKG-INFO", "*.egg-info", "**/*.egg-info", "**/*.pyc", ".git", ".idea", ".github")


def unpack(file: Path) -> Tree:
    """The regular files of a distribution, without the outermost directory of a source one; links are left out.

    Raises:
        DistributionError: it is damaged, too large, or has a path that leads out of it.
    """
    tree: Tree = {}
    size, outer = 0, int(file.suffix != ".whl")
    try:
        for name, content in _members(file):
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or len(path.parts) <= outer:
                raise DistributionError(f"{file.name}: {name!r} is not in the one directory of a distribution")
            tree["/".join(path.parts[outer:])] = content
            size += len(content)
            if size > _MOST_BYTES:
                raise DistributionError(f"{file.name}: larger than {_MOST_BYTES >> 20} MB")
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError) as error:
        raise DistributionError(f"{file.name}: cannot be unpacked ({' '.join(str(error).split())})") from None
    return tree


def _members(file: Path) -> Iterator[tuple[str, bytes]]:
    data = io.BytesIO(file.read_bytes())
    if zipfile.is_zipfile(data):
        with zipfile.ZipFile(data) as archive:
            for entry in archive.infolist():
                if not entry.is_dir():
                    yield entry.filename, archive.read(entry)
        return
    data.seek(0)
    with tarfile.open(fileobj=data) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() else None
            if content is not None:
                yield member.name, content.read()


def package_tree(recipe: Recipe, version: str, sha256: str) -> Tree:
    """The files of one version of the package, without those that an index adds.

    Raises:
        DistributionError: it cannot be fetched or unpacked.
    """
    form: Form = "source distribution" if recipe.package.ecosystem == "pypi" else "tarball"
    return selected(unpack(fetch(form, recipe.package.name, version, sha256)), ["**"], _GENERATED)


def dependencies_tree(recipe: Recipe) -> Tree:
    """The files that the dependencies add to the repository.

    Raises:
        DistributionError: one of them cannot be had.
        RecipeError: two of them have a file of the same name.
    """
    result: Tree = {}
    installed = _wheel_tree if recipe.package.ecosystem == "pypi" else _module_tree
    for number, dependency in enumerate(recipe.package.dependencies):
        place = f"package.dependencies[{number}]"
        try:
            found = installed(dependency)
        except DistributionError as error:
            raise type(error)(f"{place}: {error}") from None
        for path, content in found.items():
            if result.setdefault(path, content) != content:
                what = f"{path} is in another package as well; choose another package"
                raise RecipeError(f"{recipe.file}: {place}: {what}")
    return result


def _wheel_tree(dependency: Dependency) -> Tree:
    """The files of a Python package as pip would install them, from the root of the repository."""
    file = fetch("wheel", dependency.name, dependency.version, dependency.sha256)
    if not file.name.endswith("-none-any.whl"):
        raise DistributionError(f"{file.name}: is no wheel for every platform; choose another package")
    return unpack(file)


def _module_tree(dependency: Dependency) -> Tree:
    """The files of an npm package that a run needs, where node looks for it."""
    found = unpack(fetch("tarball", dependency.name, dependency.version, dependency.sha256))
    chosen = selected(found, _NEEDED, _NOT_NEEDED)
    return {f"{_MODULES}/{dependency.name}/{path}": content for path, content in chosen.items()}


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path is one of these, below one, or matches a glob (``*`` within a part, ``**`` any depth)."""
    return any(_pattern(pattern).fullmatch(path) for pattern in patterns)


def _pattern(glob: str) -> re.Pattern[str]:
    kinds = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = [kinds.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*\*|\*|\?)", glob.rstrip("/"))]
    return re.compile("".join(parts) + "(?:/.*)?")


def selected(tree: Tree, patterns: Iterable[str], without: Iterable[str] = ()) -> Tree:
    """The files of a tree that match one of some patterns, and none of others."""
    patterns, without = list(patterns), list(without)
    return {p: c for p, c in tree.items() if matches(p, patterns) and not matches(p, without)}


def write_tree(tree: Tree, directory: Path) -> None:
    """Raises: OSError."""
    for path, content in tree.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
