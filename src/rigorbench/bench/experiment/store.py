"""An experiment on disk: its manifest, the directory of each run, and which of the runs are done.

Files that mark something as done are written to a temporary file and moved into place, so that a run killed at any
time leaves either nothing or all of it. Layout: :mod:`rigorbench.bench.experiment.records`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from ...base.decoding import decoder
from ...base.errors import GivenError
from ...base.files import read_json, sync_directory, write_json
from ...base.journal import JOURNAL
from .records import MANIFEST_SCHEMA, RESULT_SCHEMA, Cell, Manifest, RunResult, Status

MANIFEST = "manifest.json"
RESULT = "result.json"
FACTS = "run.json"
FACTS_SCHEMA = "rigor-run-facts/1"
# The files that scoring writes, in this order; scoring a run again removes them first.
SCORED = ("score.json", "review.json", "outcome.json", RESULT)

State = Literal["done", "unscored", "leftover", "absent"]
T = TypeVar("T")


class ExperimentError(GivenError):
    """An experiment's directory cannot be used. One line that names the file and the remedy."""


class Unreadable(ValueError):
    """A file cannot be used. The message does not name it."""


class RunFacts(Struct, omit_defaults=True):
    """What the engine knows about a finished run: ``run.json``, written before the journal's last line.

    Scoring needs it in addition to the journal. Fields as in :class:`~rigorbench.bench.experiment.records.RunResult`;
    ``missing``: what this kind of sandbox does not record.
    """

    schema: str
    cell: Cell
    status: Status
    started: float
    seconds: float
    sandbox: str = "bwrap"
    working: float | None = None
    scripted: bool = False
    limit: str | None = None
    error: str | None = None
    cost: float | None = None
    start_commit: str | None = None
    start_tree: str | None = None
    missing: list[str] = []
    notes: list[str] = []


class ExperimentDirectory:
    """The directory of one experiment, which is created by the first write."""

    def __init__(self, out: str | os.PathLike[str]) -> None:
        self.path = Path(out)
        self.runs = self.path / "runs"
        self.logs = self.path / "logs"

    def run(self, cell: Cell) -> Path:
        return self.runs / cell.id

    @contextlib.contextmanager
    def locked(self, patience: float = 10.0) -> Iterator[None]:
        """Lock the directory while runs are made in it; the lock ends with this process, however it ends.

        Raises:
            ExperimentError: another process kept it locked for ``patience`` seconds, or it cannot be written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise ExperimentError(f"{self.path}: cannot be written ({error.strerror}); choose another --out") from None
        try:
            if not _lock(descriptor, patience):
                raise ExperimentError(
                    f"{self.path}: another `rigor run` uses it; wait for that, or choose another --out"
                )
            yield
        finally:
            os.close(descriptor)

    # -- the manifest

    def manifest(self) -> Manifest | None:
        """Raises: ExperimentError if there is one and it cannot be read."""
        path = self.path / MANIFEST
        try:
            data = read_file(path)
            return None if data is None else decode(data, Manifest, MANIFEST_SCHEMA)
        except Unreadable as error:
            raise ExperimentError(f"{path}: {error}; restore it, or start in another directory") from None

    def write_manifest(self, manifest: Manifest) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        write_json(self.path / MANIFEST, manifest)

    # -- runs

    def state(self, cell: Cell) -> State:
        """The state of a run.

        "done": it has a result. "unscored": it ended normally, but has no score. "leftover": there are files, but the
        run did not end. "absent": there is nothing.
        """
        directory = self.run(cell)
        if not directory.exists():
            return "absent"
        if self.result(cell) is not None:
            return "done"
        return "unscored" if self.facts(cell) is not None and ended(directory / JOURNAL) else "leftover"

    def result(self, cell: Cell) -> RunResult | None:
        return read_result(self.run(cell))

    def facts(self, cell: Cell) -> RunFacts | None:
        facts = read_json(self.run(cell) / FACTS, RunFacts)
        return facts if facts is not None and facts.schema == FACTS_SCHEMA else None

    def set_aside(self, cell: Cell, why: str = "killed", patience: float = 30.0) -> Path:
        """Rename what is left of a run to ``<cell id>.<why>-<number>``, so that the run can be repeated.

        Waits for the recorder of a killed run, which finishes on its own.

        Raises:
            ExperimentError: the recorder has not finished after ``patience`` seconds.
        """
        directory = self.run(cell)
        # The recorder unlocks the journal after its last write.
        with contextlib.suppress(OSError), open(directory / JOURNAL, "rb") as journal:
            if not _lock(journal.fileno(), patience):
                raise ExperimentError(f"{directory}: its recorder still runs after {patience:.0f} s; stop it first")
        number = 1
        while (target := directory.with_name(f"{directory.name}.{why}-{number}")).exists():
            number += 1
        directory.rename(target)
        sync_directory(self.runs)
        return target

    def aside(self) -> list[str]:
        """Names of the directories that were set aside: kept as evidence and listed, but not counted as runs."""
        if not self.runs.is_dir():
            return []
        return sorted(p.name for p in self.runs.iterdir() if set_aside_name(p.name) is not None)


def set_aside_name(name: str) -> tuple[str, str] | None:
    """(cell id, why) from the name of a directory that was set aside, None for any other."""
    head, dot, tail = name.rpartition(".")
    why, dash, number = tail.rpartition("-")
    return (head, why) if dot and dash and number.isdigit() and why in ("killed", "failed") else None


def load_manifest(out: str | os.PathLike[str]) -> Manifest:
    """The manifest of an experiment. Raises: ExperimentError."""
    manifest = ExperimentDirectory(out).manifest()
    if manifest is None:
        raise ExperimentError(f"{os.fspath(out)}: no {MANIFEST}; is this the --out directory of a `rigor run`?")
    return manifest


def load_results(out: str | os.PathLike[str], cells: Sequence[Cell] | None = None) -> list[RunResult]:
    """The existing results, in the order of the manifest's cells (or of ``cells``). A damaged one counts as missing.

    Raises:
        ExperimentError: the directory has no manifest, or a damaged one.
    """
    directory = ExperimentDirectory(out)
    chosen = load_manifest(out).cells if cells is None else cells
    return [result for cell in chosen if (result := directory.result(cell)) is not None]


def read_file(path: Path) -> bytes | None:
    """The content of a file; None if there is none. Raises: Unreadable."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unreadable(error.strerror or "cannot be read") from None


def decode(data: bytes, kind: type[T], schema: str) -> T:
    """Raises: Unreadable if the content is invalid, or has a schema that this version does not read."""
    try:
        found: T = decoder(kind).decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"damaged ({' '.join(str(error).split())[:140]})") from None
    named = getattr(found, "schema", schema)
    if named != schema:
        raise Unreadable(f"schema {named[:60]!r}, this version reads {schema!r}")
    return found


def read_result(run: Path) -> RunResult | None:
    """The result in the directory of a run; None if there is none, or none that can be read."""
    result = read_json(run / RESULT, RunResult)
    return result if result is not None and result.schema == RESULT_SCHEMA else None


def ended(journal: Path) -> bool:
    """Whether a journal's last line says that the run ended (also by a limit or an error of the run)."""
    try:
        with open(journal, "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - (1 << 16)))
            lines = file.read().split(b"\n")
    except OSError:
        return False
    # After the last newline: nothing, or an incomplete line of a killed run.
    if len(lines) < 2:
        return False
    try:
        last = msgspec.json.decode(lines[-2])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(last, dict) and last.get("type") == "end" and last.get("state") != "interrupted"


def _lock(descriptor: int, patience: float) -> bool:
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
