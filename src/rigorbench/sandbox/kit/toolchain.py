"""A read-only Python with pytest for the inside of a sandbox, made offline from what is installed here."""

from __future__ import annotations

import compileall
import hashlib
import importlib.metadata as metadata
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from ...base.extras import install
from .bwrap import SYSTEM_PATH
from .errors import SandboxError
from .languages import find_languages
from .mount import Mount

TARGET = "/opt/rigor"
PYTHON = f"{TARGET}/bin/python"
# Packages that are required, packages that are added if installed, and the scripts that are made.
_NEEDED = ("pytest",)
_WANTED = ("coverage", "hypothesis")
_SCRIPTS = ("pytest", "py.test", "coverage")
_LAYOUT = 2  # to be raised when the layout of the same packages changes


class Toolchain(Struct, frozen=True):
    """What a sandbox needs to run tests."""

    binds: tuple[Mount, ...]
    """For ``BoxSpec.binds``; the first one is the Python with pytest."""
    path: str
    packages: tuple[str, ...] = ()
    """Changes when other tools would be run."""
    env: tuple[tuple[str, str], ...] = ()
    """More variables that the tools need."""


def toolchain(cache: Path, tools: Sequence[str] = ()) -> Toolchain:
    """The toolchain of this installation, built in ``cache`` the first time (a few seconds) and found there later.

    It has pytest and what pytest needs, coverage and hypothesis where installed, and nothing of RigorBench: an agent
    finds no task and no scoring rule in it. The interpreter is this process's own, mounted at its own path.

    Args:
        cache: A directory for it.
        tools: What a task needs beside Python (`Task.tools`).

    Raises:
        SandboxError: pytest or one of ``tools`` is not installed, or files of a package are missing.
    """
    others = find_languages(tools)
    if others.missing:
        raise SandboxError("; ".join(others.missing))
    found: dict[str, metadata.Distribution] = {}
    waiting = [(name, True) for name in _NEEDED] + [(name, False) for name in _WANTED]
    while waiting:
        name, needed = waiting.pop()
        name = canonicalize_name(name)
        if name in found:
            continue
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            if needed:
                raise SandboxError(
                    f"the Python package {name} is not installed here, so nothing can be tested in a sandbox: "
                    f"{install('bench')}"
                ) from None
            continue
        found[name] = distribution
        for line in distribution.requires or ():
            try:
                requirement = Requirement(line)
            except InvalidRequirement:
                continue
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append((requirement.name, True))
    distributions = found
    interpreter = Path(os.path.realpath(sys.executable))
    packages = tuple(f"{name}=={d.version}" for name, d in sorted(distributions.items()))
    key = hashlib.sha256("\n".join([str(_LAYOUT), sys.version, str(interpreter), *packages]).encode()).hexdigest()[:20]
    directory = cache / f"toolchain-{key}"
    if not directory.is_dir():
        _build(directory, interpreter, distributions)
    binds = [Mount(str(directory), TARGET)]
    binds += [Mount(str(directory)) for directory in _interpreter_directories(interpreter)]
    path = ":".join([f"{TARGET}/bin", *others.path, SYSTEM_PATH])
    known = (*packages, *others.identity)
    return Toolchain((*binds, *others.binds), path, known, others.env)


def _interpreter_directories(interpreter: Path) -> Iterator[Path]:
    """What must show inside so that the interpreter starts: its prefixes that are not below ``/usr``."""
    seen: list[Path] = []
    for path in (Path(sys.base_prefix).resolve(), Path(sys.base_exec_prefix).resolve(), interpreter.parent):
        covered = [Path("/usr"), Path("/bin"), Path("/lib"), *seen]
        if not any(path.is_relative_to(c) for c in covered):
            seen.append(path)
            yield path


def _build(directory: Path, interpreter: Path, distributions: dict[str, metadata.Distribution]) -> None:
    directory.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".toolchain-", dir=directory.parent))
    try:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        packages = draft / "lib" / f"python{version}" / "site-packages"
        packages.mkdir(parents=True)
        for name, distribution in distributions.items():
            # Copy the files of a distribution in ``site-packages``, with their times, so that compiled files stay
            # valid.
            copied = 0
            base = Path(str(distribution.locate_file("")))
            for file in distribution.files or ():
                source = base / file
                if (
                    ".." in file.parts
                    or not source.is_file()
                    or file.name in ("direct_url.json", "RECORD", "INSTALLER")
                ):
                    continue
                target = packages / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
                copied += file.suffix == ".py"
            if not copied:
                raise SandboxError(
                    f"the files of the Python package {name} are not known to its installer, so it cannot be copied "
                    f"into a sandbox: reinstall it with pip (pip install --force-reinstall {name})"
                )
        binaries = draft / "bin"
        binaries.mkdir()
        for link in ("python", "python3", f"python{version}"):
            (binaries / link).symlink_to(interpreter)
        for distribution in distributions.values():
            for entry in distribution.entry_points.select(group="console_scripts"):
                if entry.name in _SCRIPTS:
                    start = f"import sys\nfrom {entry.module} import {entry.attr}\nsys.exit({entry.attr}())\n"
                    (binaries / entry.name).write_text(f"#!{PYTHON}\n{start}", encoding="utf-8")
                    (binaries / entry.name).chmod(0o755)
        settings = f"home = {interpreter.parent}\ninclude-system-site-packages = false\nversion = {version}\n"
        (draft / "pyvenv.cfg").write_text(settings, encoding="utf-8")
        # Inside this is read-only: a module that is not compiled now would be compiled at every start.
        compileall.compile_dir(packages, quiet=2, stripdir=str(draft), prependdir=TARGET)
        for path, directories, files in os.walk(draft):
            for inside in (path, *(os.path.join(path, n) for n in (*directories, *files))):
                if not os.path.islink(inside):
                    mode = os.stat(inside).st_mode
                    os.chmod(inside, mode | 0o444 | (0o111 if mode & 0o100 or os.path.isdir(inside) else 0))
        try:
            draft.rename(directory)
        except OSError:
            if not directory.is_dir():  # another process was faster: its toolchain is as good
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
