"""Distributions unpacked in memory: their files, and their licence by their own metadata."""

from __future__ import annotations

import email.parser
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path, PurePosixPath

from .fetching import DistributionError, Form, fetch
from .model import Dependency, Package
from .trees import Tree, selected

# Larger distributions are none of libraries that a person can survey.
_MOST_BYTES = 64 << 20
# Where node looks for packages, and which files of them a run needs.
_MODULES = "node_modules"
_NEEDED = ("**/*.js", "**/*.cjs", "**/*.mjs", "**/*.json", "LICENSE*", "LICENCE*")
_NOT_NEEDED = ("test", "tests", "benchmark*", "examples", "example", "docs", ".github", "**/*.test.js")
# What an index adds to a project.
_GENERATED = ("PKG-INFO", "*.egg-info", "**/*.egg-info", "**/*.pyc", ".git", ".idea", ".github")
_FAMILIES = {"MIT": "MIT", "BSD-2-Clause": "BSD", "BSD-3-Clause": "BSD", "Apache-2.0": "Apache"}
_PHRASES = {
    "MIT": "Permission is hereby granted, free of charge",
    "BSD": "Redistribution and use in source and binary forms",
    "Apache": "Apache License",
}


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
    form: Form = "source distribution" if package.ecosystem == "pypi" else "tarball"
    try:
        tree = unpack(fetch(form, package.name, version, sha256))
        problem = licence_problem(tree, package.licence)
        if problem is not None:
            raise DistributionError(f"{package.name} {version}: {problem}")
    except DistributionError as error:
        place = "before" if version == package.before else "version"
        raise type(error)(f"package.{place}: {error}") from None
    return selected(tree, package.files, [*_GENERATED, *package.drop])


def wheel_tree(dependency: Dependency) -> Tree:
    """The files of a Python package as pip would install them, from the root of the repository.

    Raises:
        DistributionError: it cannot be fetched or unpacked, or it is made for one platform.
    """
    file = fetch("wheel", dependency.name, dependency.version, dependency.sha256)
    if not file.name.endswith("-none-any.whl"):
        raise DistributionError(f"{file.name}: is no wheel for every platform; choose another package")
    return unpack(file)


def module_tree(dependency: Dependency) -> Tree:
    """The files of an npm package that a run needs, where node looks for it.

    Raises:
        DistributionError: it cannot be fetched or unpacked.
    """
    found = unpack(fetch("tarball", dependency.name, dependency.version, dependency.sha256))
    chosen = selected(found, _NEEDED, _NOT_NEEDED)
    return {f"{_MODULES}/{dependency.name}/{path}": content for path, content in chosen.items()}


def licence_problem(tree: Tree, licence: str) -> str | None:
    """Why a distribution is not under this licence by its own metadata, or by its licence file if they name none."""
    family = _FAMILIES[licence]
    metadata = email.parser.BytesHeaderParser().parsebytes(tree.get("PKG-INFO", b""))
    stated = _stated(metadata) or _stated_for_npm(tree.get("package.json", b"{}"))
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


def _stated_for_npm(manifest: bytes) -> list[str]:
    try:
        licence = json.loads(manifest).get("license")
    except (ValueError, AttributeError):
        return []
    return [licence] if isinstance(licence, str) else []
