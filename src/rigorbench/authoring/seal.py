"""Seals a suite: the files that agents get stay readable, everything else goes into one encrypted archive."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
import tomllib
from pathlib import Path
from typing import Any

from ..base.sealed import ARCHIVE, is_sealed
from ..bench.tasks.prepared import RECIPE
from ..bench.tasks.sealed import SealError, cipher, fernet_class, make_directory
from ..bench.tasks.suite import LAYOUT
from ..bench.tasks.variants import DIRECTORY
from .canary import HIDDEN_PARTS

_OPEN = ("environment", "instruction.md")
# The parts of a problem package that its agent gets; everything else of it is sealed.
_OPEN_OF_PROJECT = frozenset(("attachments", "statement", "problem.yaml"))
_LITTER = shutil.ignore_patterns("__pycache__", ".pytest_cache", "*.pyc")
# The keys of [metadata.rigor] that may be known before the work is done.
_PUBLIC = (
    "id",
    "category",
    "pillars",
    "tools",
    "pressure",
    "trivial",
    "commits_asked",
    "change_asked",
    "build",
    "test",
)
_HARBOR = ("task", "metadata", "agent", "verifier", "environment")


def new_key() -> str:
    return str(fernet_class().generate_key().decode())


def seal(suite: Path, out: Path, key: str) -> int:
    """Write a sealed copy of a suite into the new directory ``out``; returns the number of its tasks.

    Raises:
        SealError: the suite contains no task or is sealed already, ``out`` is not empty, or the key has the wrong form.
    """
    if is_sealed(suite):
        raise SealError(f"{suite}: is sealed already")
    tasks = sorted(path.parent for path in suite.glob("*/*/task.toml"))
    projects = sorted(path.parent for path in suite.glob("*/problem.yaml"))
    recipes = sorted(path.parent for path in suite.glob(f"*/{RECIPE}"))
    if not tasks and not projects and not recipes:
        raise SealError(f"{suite}: no task in it; a suite contains {LAYOUT}")
    make_directory(out)
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for task in tasks:
            name = task.relative_to(suite)
            for part in ("task.toml", *HIDDEN_PARTS):
                if (task / part).exists():
                    archive.add(task / part, str(name / part), filter=_entry)
            for part in _OPEN:
                _copy(task / part, out / name / part)
            # The task file without everything that reveals the answer.
            document = tomllib.loads((task / "task.toml").read_text(encoding="utf-8"))
            rigor = document.get("metadata", {}).get("rigor", {})
            lines = [f"schema_version = {json.dumps(document.get('schema_version', '1.4'))}"]
            for table in _HARBOR:
                values = {k: v for k, v in document.get(table, {}).items() if not isinstance(v, dict)}
                if table == "task":
                    # A description for people reveals the trap.
                    values = {k: v for k, v in values.items() if k in ("name", "version")}
                lines += _table(table, values)
                if table == "metadata":
                    lines += _table("metadata.rigor", {k: rigor[k] for k in _PUBLIC if k in rigor})
                    for requirement in rigor.get("requirements", ()):
                        lines += ["", "[[metadata.rigor.requirements]]"]
                        lines += [f"{k} = {json.dumps(requirement[k])}" for k in ("id", "text") if k in requirement]
            (out / name / "task.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for project in projects:
            for entry in sorted(project.iterdir()):
                if entry.name in _OPEN_OF_PROJECT:
                    _copy(entry, out / project.name / entry.name)
                else:
                    archive.add(entry, str(entry.relative_to(suite)), filter=_entry)
        # What agents see of a recipe is in its package, not in the suite.
        for directory in [*recipes, *([suite / DIRECTORY] if recipes and (suite / DIRECTORY).is_dir() else [])]:
            archive.add(directory, directory.name, filter=_entry)
        for file in sorted(path for path in suite.iterdir() if path.is_file()):
            archive.add(file, file.name, filter=_entry)
    (out / ARCHIVE).write_bytes(cipher(key).encrypt(data.getvalue()))
    return len(tasks) + len(projects) + len(recipes)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=_LITTER)
    elif source.is_file():
        shutil.copyfile(source, target)


def _entry(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Remove this machine, its users and the time from an entry of the archive."""
    name = info.name.rsplit("/", 1)[-1]
    if name in ("__pycache__", ".pytest_cache") or name.endswith(".pyc"):
        return None
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = 0
    info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
    return info


def _table(name: str, values: dict[str, Any]) -> list[str]:
    # A JSON text, number, boolean or list of these is also a TOML value.
    return ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items())] if values else []
