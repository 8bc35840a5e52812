"""The record of proofs: ``proofs.json`` in the directory of a suite, one entry for each task that was validated.

An entry is valid for one state of a task: it contains the digest of the task's directory (and of its twin's), and the
version of the checks. If the suite cannot be written, entries are kept in the user's cache directory. Both files are
read, and the entry that is valid for the present state of a task counts.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from ...base.cache import cache_directory
from ...base.files import read_json, write_record
from ...session.task import TaskError
from .suite import SuiteError, SuiteTask, is_task, load_suite

FILE = "proofs.json"
SCHEMA = "rigor-proofs/1"
# Raise it when the checks change: tasks that were proved by fewer checks are then proved again.
VERSION = 2

# How the check `difficulty` begins (see authoring/proof/visible.py).
_DECEIVING = re.compile(r"(\d+) of (\d+) single edits ")

Status = Literal["ok", "failed", "skipped"]
Standing = Literal["proven", "stale", "failed", "unproven"]


class TaskFault(Struct, frozen=True, omit_defaults=True):
    """One fault of a task; ``file`` is relative to the task's directory."""

    file: str
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.what}" + (f"; {self.remedy}" if self.remedy else "")


class ProofCheck(Struct, frozen=True, omit_defaults=True):
    """The result of one check; ``detail``: what was observed, in one line, or why the check was skipped."""

    name: str
    status: Status
    detail: str = ""
    problems: tuple[TaskFault, ...] = ()


class Play(Struct, frozen=True, omit_defaults=True):
    """The result of a scripted policy's run; ``pillars``: values with a replay, None: no value."""

    rigor_score: float | None = None
    solved: bool | None = None
    pass_rate: float | None = None
    completeness: float | None = None
    pillars: dict[str, float | None] = field(default_factory=dict)


class TaskProof(Struct, frozen=True):
    """The proof of one task.

    Attributes:
        checks: those without the policies.
        policy_checks: None: the policies have not been played.
        seconds: of work, summed over its parts.
    """

    digest: str
    version: int
    date: str
    checks: tuple[ProofCheck, ...]
    twin: str | None = None
    policy_checks: tuple[ProofCheck, ...] | None = None
    policies: dict[str, Play] = field(default_factory=dict)
    seconds: float = 0.0
    tools: dict[str, str] = field(default_factory=dict)

    @property
    def all_checks(self) -> tuple[ProofCheck, ...]:
        return (*self.checks, *(self.policy_checks or ()))


def deceiving_edits(proof: TaskProof) -> tuple[int, int] | None:
    """How many single edits deceive the visible tests of a task, of how many; None: it was not measured."""
    details = (check.detail for check in proof.checks if check.name == "difficulty" and check.status == "ok")
    found = next((m for detail in details if (m := _DECEIVING.match(detail))), None)
    return (int(found[1]), int(found[2])) if found is not None else None


class _File(Struct):
    schema: str
    tasks: dict[str, TaskProof] = field(default_factory=dict)


def today() -> str:
    """The present time in the form of the records."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


# -- the files of the record ---------------------------------------------------------------------------------------


def suite_directory(task: SuiteTask) -> Path | None:
    """The directory of the suite to which a task belongs; None: it belongs to none."""
    if task.recipe is not None:
        return task.recipe.parent
    category, above = task.directory.parent, task.directory.parent.parent
    if (above / FILE).is_file() or category.name == task.task.category or task.task.trivial:
        return above
    siblings = sum((d / "task.toml").is_file() for d in _directories(category))
    return above if siblings > 1 else None


def _directories(path: Path) -> list[Path]:
    try:
        return [entry for entry in path.iterdir() if entry.is_dir()]
    except OSError:
        return []


def _cached(directory: Path) -> Path:
    name = hashlib.sha256(os.fsencode(directory.absolute())).hexdigest()[:24]
    return cache_directory().with_name("proofs") / name / FILE


def record_files(task: SuiteTask) -> list[Path]:
    """Files that may contain the record of a task, the preferred one first."""
    directory = suite_directory(task)
    # A record in the directory of a task alone would change the task's own digest.
    return [_cached(task.directory)] if directory is None else [directory / FILE, _cached(directory)]


# -- reading and writing -------------------------------------------------------------------------------------------


def _read(path: Path) -> dict[str, TaskProof]:
    """The entries of a file; a damaged file, or one of another schema, has none, since all can be proved again."""
    found = read_json(path, _File)
    return found.tasks if found is not None and found.schema == SCHEMA else {}


def load(tasks: Iterable[SuiteTask]) -> dict[str, TaskProof]:
    """The entry of each task that has one, by task id; one that is valid for its present state is preferred."""
    known: dict[Path, dict[str, TaskProof]] = {}
    found: dict[str, TaskProof] = {}
    for task in tasks:
        entries = [known.setdefault(p, _read(p)).get(task.id) for p in record_files(task)]
        present = [e for e in entries if e is not None]
        if present:
            found[task.id] = next((e for e in present if e.digest == task.digest), present[0])
    return found


def save(task: SuiteTask, proof: TaskProof) -> Path:
    """Write the entry of a task into the record; returns the file that was written.

    Raises:
        OSError: neither the suite nor the cache directory can be written.
    """
    *preferred, last = record_files(task)
    for file in preferred:
        with contextlib.suppress(OSError):
            return _save(file, task, proof)
    return _save(last, task, proof)


def _save(file: Path, task: SuiteTask, proof: TaskProof) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    with _locked(file.parent):
        _write(file, {**_read(file), task.id: proof})
    return file


def prune(directory: Path, ids: Iterable[str]) -> None:
    """Drop entries of tasks that a suite no longer has; if the file cannot be written, they do no harm."""
    file, kept = directory / FILE, set(ids)
    with contextlib.suppress(OSError):
        if not file.is_file():
            return
        with _locked(directory):
            entries = _read(file)
            if not entries.keys() <= kept:
                _write(file, {name: proof for name, proof in entries.items() if name in kept})


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Lock the directory itself, so that no lock file is left; the lock ends with this process at the latest."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _write(path: Path, entries: Mapping[str, TaskProof]) -> None:
    write_record(path, _File(SCHEMA, dict(sorted(entries.items()))))


# -- the state of a proof ------------------------------------------------------------------------------------------


def find_twin(task: SuiteTask) -> SuiteTask | None:
    """The twin of a task, from its suite; None: it has none, or its twin cannot be read."""
    name = task.task.twin
    directory = suite_directory(task)
    if name is None or directory is None:
        return None
    near = [task.directory.parent / name, *_directories(task.directory.parent)]
    far = [d for category in _directories(directory) for d in _directories(category)]
    recipes = [directory / name, *_directories(directory)] if task.recipe is not None else []
    for candidate in dict.fromkeys([*recipes, *near, *far]):
        if candidate in (task.directory, task.recipe) or not is_task(candidate):
            continue
        try:
            found = load_suite(candidate).tasks[0]
        except (SuiteError, TaskError):
            continue
        if found.id == name:
            return found
    return None


def is_valid(proof: TaskProof | None, task: SuiteTask, twin: SuiteTask | None) -> bool:
    """Whether an entry is valid for the present state of a task and its twin, and for the present checks."""
    if proof is None or proof.digest != task.digest or proof.version != VERSION:
        return False
    return proof.twin == (twin.digest if twin is not None else None)


def standing_of(proof: TaskProof | None, task: SuiteTask, twin: SuiteTask | None) -> Standing:
    if proof is None:
        return "unproven"
    if not is_valid(proof, task, twin):
        return "stale"
    checks = proof.all_checks
    if any(check.status == "failed" for check in checks):
        return "failed"
    if proof.policy_checks is None or not checks or any(check.status == "skipped" for check in checks):
        return "unproven"
    return "proven"


def standing(task: SuiteTask) -> Standing:
    """The standing of a task: proved as it is now, proved in another state ("stale"), failed, or unproven."""
    return standing_of(load([task]).get(task.id), task, find_twin(task))
