"""Distributions: fetched once from the configured index, checked by hash and licence, and unpacked in memory."""

from __future__ import annotations

import email.parser
import hashlib
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path, PurePosixPath

from ..base.cache import cache_directory
from .model import Dependency, Package
from .trees import Tree, selected

_SECONDS = 600.0
# Larger distributions are none of libraries that a person can survey.
_MOST_BYTES = 64 << 20
# What an index adds to a project.
_GENERATED = ("PKG-INFO", "*.egg-info", "**/*.egg-info", "**/*.pyc", ".git", ".idea", ".github")
_FAMILIES = {"MIT": "MIT", "BSD-2-Clause": "BSD", "BSD-3-Clause": "BSD", "Apache-2.0": "Apache"}
_PHRASES = {
    "MIT": "Permission is hereby granted, free of charge",
    "BSD": "Redistribution and use in source and binary forms",
    "Apache": "Apache License",
}


class DistributionError(Exception):
    """A distribution cannot be used. One line."""


class Unavailable(DistributionError):
    """The index cannot be reached, or does not have the distribution any more."""


def fetch(name: str, version: str, sha256: str, *, wheel: bool = False) -> Path:
    """The file of a source distribution or wheel, from the cache or else from the index that pip is configured to use.

    Raises:
        Unavailable: the index does not have it.
        DistributionError: the index has another file of this name.
    """
    found = known_file(sha256)
    if found is not None:
        return found
    place = _place(sha256)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as directory:
        downloaded = _download(name, version, sha256, Path(directory), wheel)
        place.mkdir(exist_ok=True)
        return downloaded.rename(place / downloaded.name)


def known_file(sha256: str) -> Path | None:
    """The file of a distribution that has been fetched before."""
    found = next((f for f in _place(sha256).glob("*") if f.is_file()), None)
    return found if found is not None and _digest(found) == sha256 else None


def _place(sha256: str) -> Path:
    return cache_directory().with_name("distributions") / sha256


def _download(name: str, version: str, sha256: str, directory: Path, wheel: bool) -> Path:
    requirements = directory / "requirements.txt"
    requirements.write_text(f"{name}=={version} --hash=sha256:{sha256}\n", encoding="utf-8")
    target = directory / "files"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
    command += ["--no-deps", "--only-binary" if wheel else "--no-binary", name]
    command += ["--require-hashes", "-r", str(requirements), "-d", str(target)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{name} {version}: pip did not end in {_SECONDS:.0f} s; try again") from None
    files = sorted(target.glob("*")) if target.is_dir() else []
    if (got := re.search(r"^\s*Got\s+([0-9a-f]{64})\s*$", done.stderr, re.MULTILINE)) is not None:
        raise _other_hash(name, version, got.group(1), sha256)
    if done.returncode or len(files) != 1:
        errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
        why = " ".join((errors or done.stderr.splitlines() or ["pip named no reason"])[-1].split())[:200]
        raise Unavailable(
            f"{name} {version}: its {'wheel' if wheel else 'source distribution'} cannot be fetched ({why})"
        )
    if _digest(files[0]) != sha256:
        raise _other_hash(name, version, _digest(files[0]), sha256)
    return files[0]


def _other_hash(name: str, version: str, found: str, sha256: str) -> DistributionError:
    return DistributionError(f"{name} {version}: its hash is {found}, not {sha256}; trust only what you have checked")


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


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


def package_tree(package: Package, version: str, sha256: str) -> Tree:
    """The files of one version that become a repository.

    Raises:
        DistributionError: it cannot be fetched or unpacked, or its licence is another one.
    """
    try:
        tree = unpack(fetch(package.name, version, sha256))
        problem = licence_problem(tree, package.licence)
        if problem is not None:
            raise DistributionError(f"{package.name} {version}: {problem}")
    except DistributionError as error:
        place = "before" if version == package.before else "version"
        raise type(error)(f"package.{place}: {error}") from None
    return selected(tree, package.files, [*_GENERATED, *package.drop])


def dependency_tree(dependency: Dependency) -> Tree:
    """The files of a dependency, as pip would install them.

    Raises:
        DistributionError: it cannot be fetched or unpacked, or it is made for one platform.
    """
    name, version = dependency.name, dependency.version
    try:
        file = fetch(name, version, dependency.sha256, wheel=True)
        if not file.name.endswith("-none-any.whl"):
            raise DistributionError(f"{file.name}: is no wheel for every platform; choose another package")
        return unpack(file)
    except DistributionError as error:
        raise type(error)(f"package.dependencies: {error}") from None


def licence_problem(tree: Tree, licence: str) -> str | None:
    """Why a distribution is not under this licence by its own metadata, or by its licence file if they name none."""
    family = _FAMILIES[licence]
    metadata = email.parser.BytesHeaderParser().parsebytes(tree.get("PKG-INFO", b""))
    stated = _stated(metadata)
    if stated:
        if any(re.search(r"\b(A|L)?GPL", text) for text in stated):
            return f"its metadata say {stated[0][:60]!r}; a recipe may not use it"
        return None if any(family in text for text in stated) else f"its metadata say {stated[0][:60]!r}, not {licence}"
    files = [c for p, c in tree.items() if re.fullmatch(r"(LICEN[SC]E|COPYING)[^/]*", p, re.IGNORECASE)]
    text = " ".join(b" ".join(files).decode("utf-8", "replace").split())
    return None if _PHRASES[family] in text else f"neither metadata nor a licence file say that it is {licence}"


def _stated(metadata: Message) -> list[str]:
    classifiers = [c for c in metadata.get_all("Classifier", []) if c.startswith("License ::")]
    expressions = [t for k in ("License-Expression", "License") for t in metadata.get_all(k, [])]
    short = [t for t in expressions if t.strip() and t.strip() != "UNKNOWN" and len(t) < 200]
    return [*classifiers, *short]
