"""Where results are (directories of experiments, Parquet files, databases), and all of them as one set of tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from ..store import MANIFEST
from .read import Tell, shown
from .rows import CORPUS, TABLES

# A folder with this file is a leaderboard's site; the tables in it repeat what it was built from.
SITE = "leaderboard.json"
DATA = "data"
DATABASES = (".duckdb", ".ddb")
PARQUET = ".parquet"
CSV = ".csv"
# Directories that are not searched: parts of an experiment, and directories that never contain one.
_SKIPPED = frozenset({"runs", "logs", "report", "store.git", "node_modules", "site-packages", "__pycache__"})


class ResultSources(Struct):
    """Where results are: (directory, its path relative to the given one) of each experiment; for each directory with
    Parquet files, the files by table; DuckDB files; CSV files, such as verdicts on the sessions of a corpus."""

    experiments: list[tuple[Path, str]] = field(default_factory=list)
    parquet: list[dict[str, list[Path]]] = field(default_factory=list)
    databases: list[Path] = field(default_factory=list)
    csv: list[Path] = field(default_factory=list)

    @property
    def number(self) -> int:
        return len(self.experiments) + len(self.parquet) + len(self.databases) + len(self.csv)

    def __bool__(self) -> bool:
        return self.number > 0


def find_sources(paths: Sequence[str | os.PathLike[str]], tell: Tell) -> ResultSources:
    """The results at ``paths``: experiments, folders of them, tables in Parquet, databases.

    Folders are searched for experiments (a directory with a manifest, which is not searched further), in the order of
    names. Links to directories, hidden directories and the sites of leaderboards are skipped.
    """
    sources = ResultSources()
    seen: set[Path] = set()
    for given in paths:
        path = Path(given)
        if os.path.isdir(path):
            before, real = sources.number, path.resolve()
            again = real in seen
            _folder(path, real, "", sources, seen, tell)
            if sources.number == before and not again:
                tell(f"{path}: neither experiments nor tables of results in it")
        elif not os.path.exists(path):
            tell(f"{path}: no such file or directory")
        elif path.suffix.lower() in DATABASES:
            sources.databases.append(path)
        elif path.suffix.lower() == PARQUET:
            from .parquet import table_of

            name = table_of(path) or (path.parent.name if path.parent.name in CORPUS else path.stem)
            sources.parquet.append({name: [path]})
        elif path.suffix.lower() == CSV:
            sources.csv.append(path)
        else:
            tell(f"{path}: no experiment, Parquet or CSV file or DuckDB database")
    return sources


def _folder(directory: Path, real: Path, place: str, sources: ResultSources, seen: set[Path], tell: Tell) -> None:
    if real in seen:
        return
    seen.add(real)
    if os.path.isfile(directory / MANIFEST):
        sources.experiments.append((directory, place or shown(real.name) or "."))
        return
    try:
        with os.scandir(directory) as entries:
            listed = sorted((e.name, e.is_dir(follow_symlinks=False)) for e in entries if not e.name.startswith("."))
    except OSError as error:
        tell(f"{directory}: {error.strerror}")
        return
    if place and any(name == SITE for name, _ in listed):
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
    # The site of a leaderboard in the directory of its sources: its tables repeat them.
    own = [DATA] if any(name == SITE for name, _ in listed) else []
    for name, is_directory in listed:
        if is_directory and name not in (*_SKIPPED, *own):
            under = f"{place}/{shown(name)}" if place else shown(name)
            _folder(directory / name, real / name, under, sources, seen, tell)
    if own and sources.number == before and os.path.isdir(directory / DATA):
        _folder(directory / DATA, real / DATA, DATA, sources, seen, tell)
