"""The record of proofs: ``proofs.json`` in the directory of a suite, one entry for each task that was validated.

An entry holds for one state of a task: it names the digest of the task's directory (and of its twin's), and the version
of the checks. Where the suite cannot be written, entries are kept in the user's cache directory instead; both places
are read, and the entry that fits the present state of a task counts.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, field

from .suite import LAYOUT, Suite, SuiteError, SuiteTask, is_task, load_suite, task_directories
from .task import TaskError

FILE = "proofs.json"
SCHEMA = "rigor-proofs/1"
# To be raised when the checks change: what was proved by fewer checks is proved again.
VERSION = 2

Status = Literal["ok", "failed", "skipped"]
Standing = Literal["proven", "stale", "failed", "unproven"]


class Problem(Struct, frozen=True, omit_defaults=True):
    """One thing that does not hold: ``file`` is relative to the task's directory."""

    file: str
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.what}" + (f"; {self.remedy}" if self.remedy else "")


class Check(Struct, frozen=True, omit_defaults=True):
    """What came of one check. ``detail``: what was seen, in one line, or why it was skipped."""

    name: str
    status: Status
    detail: str = ""
    problems: tuple[Problem, ...] = ()


class Play(Struct, frozen=True, omit_defaults=True):
    """What a scripted policy reached. ``pillars``: values with a replay, None where there is none."""

    rigor_score: float | None = None
    solved: bool | None = None
    pass_rate: float | None = None
    completeness: float | None = None
    pillars: dict[str, float | None] = field(default_factory=dict)


class Proof(Struct, frozen=True):
    """The proof of one task. ``checks``: those without the policies; ``policy_checks`` is None until they were played.

    ``digest``, ``twin``: of the task and of its twin (None: it has none). ``seconds``: of work, summed over its parts.
    """

    digest: str
    version: int
    date: str
    checks: tuple[Check, ...]
    twin: str | None = None
    policy_checks: tuple[Check, ...] | None = None
    policies: dict[str, Play] = field(default_factory=dict)
    seconds: float = 0.0
    tools: dict[str, str] = field(default_factory=dict)

    @property
    def all_checks(self) -> tuple[Check, ...]:
        return (*self.checks, *(self.policy_checks or ()))


class _File(Struct):
    schema: str
    tasks: dict[str, Proof] = field(default_factory=dict)


def today() -> str:
    """The present moment as it stands in records."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


# -- where records lie ---------------------------------------------------------------------------------------------


def suite_directory(task: SuiteTask) -> Path | None:
    """The directory of the suite to which a task belongs; None when the task stands alone."""
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
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if base.startswith("/") else Path.home() / ".cache"
    name = hashlib.sha256(os.fsencode(directory.absolute())).hexdigest()[:24]
    return root / "rigorbench" / "proofs" / name / FILE


def places(task: SuiteTask) -> list[Path]:
    """Files in which the record of a task may lie, the preferred one first."""
    directory = suite_directory(task)
    # A record in the directory of a task alone would change the task's own digest.
    return [_cached(task.directory)] if directory is None else [directory / FILE, _cached(directory)]


# -- reading and writing -------------------------------------------------------------------------------------------


def _read(path: Path) -> dict[str, Proof]:
    """Entries that can be used; a damaged file, or one of another schema, counts as none: all can be proved again."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_File)
    except (OSError, msgspec.DecodeError):
        return {}
    return found.tasks if found.schema == SCHEMA else {}


def load(tasks: Iterable[SuiteTask]) -> dict[str, Proof]:
    """The entry of each task that has one, by task id: the one that holds for its present state, where there is."""
    known: dict[Path, dict[str, Proof]] = {}
    found: dict[str, Proof] = {}
    for task in tasks:
        entries = [known.setdefault(p, _read(p)).get(task.id) for p in places(task)]
        present = [e for e in entries if e is not None]
        if present:
            found[task.id] = next((e for e in present if e.digest == task.digest), present[0])
    return found


def save(task: SuiteTask, proof: Proof) -> Path:
    """Put the entry of a task into the record; other entries stay. Returns the file that was written.

    Raises:
        OSError: neither the suite nor the cache directory can be written.
    """
    first, *others = places(task)
    for place in (first, *others):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with _locked(place.parent):
                _write(place, {**_read(place), task.id: proof})
            return place
        except OSError:
            if place == (first, *others)[-1]:
                raise
    raise AssertionError("there is always a place")


def prune(directory: Path, ids: Iterable[str]) -> None:
    """Drop entries of tasks that a suite no longer has; where that cannot be written they do no harm."""
    place, kept = directory / FILE, set(ids)
    with contextlib.suppress(OSError):
        if not place.is_file():
            return
        with _locked(directory):
            entries = _read(place)
            if not entries.keys() <= kept:
                _write(place, {name: proof for name, proof in entries.items() if name in kept})


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """The lock is on the directory, so that no file is left behind; it ends with this process, however it ends."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _write(path: Path, entries: Mapping[str, Proof]) -> None:
    document = _File(SCHEMA, dict(sorted(entries.items())))
    data = msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=1) + b"\n"
    descriptor, draft = tempfile.mkstemp(prefix=f".{FILE}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), 0o644)
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


# -- what a record is worth ----------------------------------------------------------------------------------------


def find_twin(task: SuiteTask) -> SuiteTask | None:
    """The twin of a task, from the suite in which the task lies; None when it has none, or when it cannot be used."""
    name = task.task.twin
    directory = suite_directory(task)
    if name is None or directory is None:
        return None
    near = [task.directory.parent / name, *_directories(task.directory.parent)]
    far = [d for category in _directories(directory) for d in _directories(category)]
    for place in dict.fromkeys([*near, *far]):
        if place == task.directory or not (place / "task.toml").is_file():
            continue
        try:
            found = load_suite(place).tasks[0]
        except (SuiteError, TaskError):
            continue
        if found.id == name:
            return found
    return None


def holds(proof: Proof | None, task: SuiteTask, twin: SuiteTask | None) -> bool:
    """Whether an entry is about the present state of a task and its twin, by the present checks."""
    if proof is None or proof.digest != task.digest or proof.version != VERSION:
        return False
    return proof.twin == (twin.digest if twin is not None else None)


def standing_of(proof: Proof | None, task: SuiteTask, twin: SuiteTask | None) -> Standing:
    if proof is None:
        return "unproven"
    if not holds(proof, task, twin):
        return "stale"
    checks = proof.all_checks
    if any(check.status == "failed" for check in checks):
        return "failed"
    if proof.policy_checks is None or not checks or any(check.status == "skipped" for check in checks):
        return "unproven"
    return "proven"


def standing(task: SuiteTask) -> Standing:
    """What the record says about a task: proved as it is now, proved in another state, failed, or nothing."""
    return standing_of(load([task]).get(task.id), task, find_twin(task))


# -- suites with damaged tasks -------------------------------------------------------------------------------------


def load_leniently(name_or_path: str) -> tuple[Suite, list[str]]:
    """A suite without its tasks that cannot be read, and one line for each of those.

    Raises:
        SuiteError: there is no such suite, or none of its tasks can be read.
        TaskError: it is a single task, which cannot be read.
    """
    try:
        return load_suite(name_or_path), []
    except TaskError:
        path = Path(name_or_path)
        if not path.is_dir() or is_task(path):
            raise
    except SuiteError:
        path = Path(name_or_path)
        if not path.is_dir() or is_task(path):
            raise
    tasks: list[SuiteTask] = []
    problems: list[str] = []
    for directory in task_directories(path.absolute()):
        try:
            task = load_suite(directory).tasks[0]
        except (SuiteError, TaskError) as error:
            problems.append(str(error))
            continue
        twice = next((t for t in tasks if t.id == task.id), None)
        if twice is not None:
            problems.append(f"{directory}: its id {task.id!r} is that of {twice.key} as well; give it another")
        else:
            tasks.append(task)
    if not tasks:
        raise SuiteError(problems[0] if problems else f"{path}: no task in it; a suite holds {LAYOUT}")
    total = hashlib.sha256("".join(f"{t.id}\0{t.digest}\n" for t in tasks).encode()).hexdigest()
    return Suite(path.absolute().name, path.absolute(), total, tasks), problems
