"""Where results lie: directories of experiments, Parquet files, databases; and one set of tables from all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from ..store import MANIFEST
from .read import Tell, shown
from .schema import CORPUS, TABLES

# A folder with this file is a leaderboard's site; the tables in it repeat what it was built from.
SITE = "leaderboard.json"
DATA = "data"
DATABASES = (".duckdb", ".ddb")
PARQUET = ".parquet"
_DEEPEST = 40
# Directories of an experiment, and of no experiment at all.
_PASSED_BY = frozenset({"runs", "logs", "report", "store.git", "node_modules", "site-packages", "__pycache__"})


class Sources(Struct):
    """``experiments``: (directory, its place under what was given) each. ``parquet``: files by table, one dict for each
    directory that holds some. ``databases``: DuckDB files."""

    experiments: list[tuple[Path, str]] = field(default_factory=list)
    parquet: list[dict[str, list[Path]]] = field(default_factory=list)
    databases: list[Path] = field(default_factory=list)

    @property
    def number(self) -> int:
        return len(self.experiments) + len(self.parquet) + len(self.databases)

    def __bool__(self) -> bool:
        return self.number > 0


def find_sources(paths: Sequence[str | os.PathLike[str]], tell: Tell) -> Sources:
    """What lies at ``paths``: experiments, folders of them, tables in Parquet, databases.

    Folders are searched for experiments (a directory with a manifest; what lies in one is part of it), in the order of
    names. Links to directories, hidden directories and the sites of leaderboards are passed by.
    """
    sources = Sources()
    seen: set[Path] = set()
    for given in paths:
        path = Path(given)
        if os.path.isdir(path):
            before, real = sources.number, path.resolve()
            again = real in seen
            _folder(path, real, "", sources, seen, tell, 0)
            if sources.number == before and not again:
                tell(f"{path}: neither experiments nor tables of results in it")
        elif not os.path.exists(path):
            tell(f"{path}: no such file or directory")
        elif path.suffix.lower() in DATABASES or _is_database(path):
            sources.databases.append(path)
        elif path.suffix.lower() == PARQUET:
            _file(path, sources)
        else:
            tell(f"{path}: no experiment, Parquet file or DuckDB database")
    return sources


def _is_database(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(12)[8:] == b"DUCK"
    except OSError:
        return False


def _file(path: Path, sources: Sources) -> None:
    from .parquet import table_of

    name = table_of(path) or (path.parent.name if path.parent.name in CORPUS else path.stem)
    sources.parquet.append({name: [path]})


def _folder(directory: Path, real: Path, place: str, sources: Sources, seen: set[Path], tell: Tell, depth: int) -> None:
    if real in seen:
        return
    seen.add(real)
    if os.path.isfile(directory / MANIFEST):
        sources.experiments.append((directory, place or shown(real.name) or "."))
        return
    if depth > _DEEPEST:
        tell(f"{directory}: too deep; not searched further")
        return
    try:
        with os.scandir(directory) as entries:
            listed = sorted((e.name, e.is_dir(follow_symlinks=False)) for e in entries if not e.name.startswith("."))
    except OSError as error:
        tell(f"{directory}: {error.strerror}")
        return
    if depth and any(name == SITE for name, _ in listed):
        return
    files = [name for name, is_directory in listed if not is_directory]
    tables = {n: [directory / f"{n}{PARQUET}"] for n in TABLES if f"{n}{PARQUET}" in files}
    for name in CORPUS:
        folder = directory if directory.name == name else directory / name
        parts = [
            p for p in sorted(folder.glob(f"*{PARQUET}")) if not p.name.startswith((".", "_")) and os.path.isfile(p)
        ]
        if parts:
            tables[name] = parts
            seen.add(folder.resolve())
    if tables:
        sources.parquet.append(tables)
    sources.databases += [directory / n for n in files if n.lower().endswith(DATABASES)]
    before = sources.number
    # The site of a leaderboard among its own sources: its tables repeat them.
    own = [DATA] if any(name == SITE for name, _ in listed) else []
    for name, is_directory in listed:
        if is_directory and name not in (*_PASSED_BY, *own):
            under = f"{place}/{shown(name)}" if place else shown(name)
            _folder(directory / name, real / name, under, sources, seen, tell, depth + 1)
    if own and sources.number == before and os.path.isdir(directory / DATA):
        _folder(directory / DATA, real / DATA, DATA, sources, seen, tell, depth + 1)
