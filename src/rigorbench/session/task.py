"""The task file: what a session was asked to do, as far as scoring needs to know it; its keys: ``docs/task-file.md``.

:func:`load_task` reads a Harbor ``task.toml`` with the keys in its table ``[metadata.rigor]``, or a TOML or JSON file
with them at its top level. Every key is optional; any other is an error, so that a misspelt one is not ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct, field

from ..base.errors import GivenError
from ..base.strict import DocumentError, read_toml, unknown_key, unknown_keys, with_key

T = TypeVar("T", bound=Struct)
# A requirement and a test are linked if at least this share (percent) of their words match.
LINKED = 60.0
Pillar = Literal["PF", "VC", "RE", "AQ", "ATI"]
Category = Literal["plan-then-build", "verify-or-die", "doom-loop", "know-when-to-fold", "dont-break-the-build"]
Solvable = Literal["yes", "impossible", "ambiguous"]
Pressure = Literal["hurry", "no-tests", "false-report"]


class TaskError(GivenError):
    """A task file cannot be used. The message is one line that names the file and, where there is one, the key."""


class Requirement(Struct, frozen=True):
    id: str
    text: str = ""
    faulty: str | None = None
    tests: list[str] = field(default_factory=list)

    def shared_words(self, test: str, references: Iterable[str]) -> float:
        """How many words the requirement shares with a test's name and identifiers, 0 to 100."""
        from rapidfuzz import fuzz

        words = " ".join([*test.replace("_", " ").split(), *sorted(references)]).lower()
        return fuzz.token_set_ratio(f"{self.id} {self.text}".lower(), words.replace("_", " "))


class Sentence(Struct, frozen=True):
    """The beginning of a sentence of the instruction, and the requirements that check it ("context", "untested")."""

    text: str
    of: list[str] = field(default_factory=list)


class NearMiss(Struct, frozen=True):
    """A plausible wrong solution, and why it is one. ``obvious``: the one that most would try first."""

    path: str
    text: str = ""
    obvious: bool = False


class Checkpoint(Struct, frozen=True):
    """A stage of a long change; ``check`` (a shell command) succeeds from there on."""

    id: str
    text: str = ""
    check: str | None = None


class RootCause(Struct, frozen=True):
    """What distinguishes a fix from a patch of the symptom: the files that contain the cause (glob patterns, of which a
    fix changes one), and tests of it. ``visible``: the starter's own tests that are red because of it."""

    text: str
    paths: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    visible: list[str] = field(default_factory=list)


class Blocker(Struct, frozen=True):
    """Why the task is impossible; one hit in ``commands``, ``paths`` or ``words`` shows that the agent met it."""

    text: str
    proof: str = ""
    check: str | None = None
    commands: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


class TaskReading(Struct, frozen=True):
    """One way to understand an ambiguous task: its golden patch, and the hidden tests that no other reading passes."""

    id: str
    text: str
    reference: str | None = None
    tests: list[str] = field(default_factory=list)


class Ambiguity(Struct, frozen=True):
    """``keywords``: a question or an assumption about it contains one of them. ``answer``: what the scripted user says
    to such a question; ``answered``: the reading that this chooses."""

    text: str
    question: str = ""
    keywords: list[str] = field(default_factory=list)
    answer: str = ""
    answered: str = ""
    readings: list[TaskReading] = field(default_factory=list)


# Exit status of a task's build command that says: nothing has been written yet that could be built.
NOTHING_TO_BUILD = 77


class Task(Struct, frozen=True):
    """One task; paths are absolute here."""

    id: str = ""
    category: Category | None = None
    solvable: Solvable = "yes"
    twin: str | None = None
    instruction: str | None = None
    change_asked: bool = True
    commits_asked: bool | None = None
    build: str | None = None
    test: str | None = None
    coverage: str | None = None
    requirements: list[Requirement] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    reference: str | None = None
    blocker: Blocker | None = None
    ambiguity: Ambiguity | None = None
    near_misses: list[NearMiss] = field(default_factory=list)
    pillars: list[Pillar] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    root_cause: RootCause | None = None
    tools: list[str] = field(default_factory=list)
    trivial: bool = False
    pressure: list[Pressure] = field(default_factory=list)
    visible_tests: int | None = None
    """How many of the tests that the agent sees pass on the golden solution."""
    recipe: bool = False
    """`rigor suite prepare` built it from a published package: what is checked of our own tasks does not apply."""
    canary: str | None = None


_TABLES: dict[str, type[Struct]] = {
    "blocker": Blocker,
    "ambiguity": Ambiguity,
    "root_cause": RootCause,
    "requirements": Requirement,
    "sentences": Sentence,
    "near_misses": NearMiss,
    "checkpoints": Checkpoint,
}
# A file with only these keys is a Harbor task that lacks our table.
_HARBOR_KEYS = frozenset(
    {"metadata", "verifier", "agent", "environment", "task", "solution", "schema_version", "version"}
)


def load_task(path: Path) -> Task:
    """Read and check a task file.

    Raises:
        TaskError: the file is missing or no TOML or JSON, or a key is unknown, has a wrong type or a bad value.
    """
    document = _document(path)
    table, place = document, ""
    metadata = document.get("metadata")
    if isinstance(metadata, dict) and "rigor" in metadata:
        table, place = metadata["rigor"], "metadata.rigor."
    elif document and set(document) <= _HARBOR_KEYS:
        raise TaskError(f"{path}: a Harbor task without the table [metadata.rigor]")
    if not isinstance(table, dict):
        raise TaskError(f"{path}: metadata.rigor: expected a table")
    problem = unknown_key(table, Task)
    problem = f"{place}{problem}" if problem is not None else unknown_keys(table, _TABLES, place)
    if problem is None and isinstance(table.get("ambiguity"), dict):
        problem = unknown_keys(table["ambiguity"], {"readings": TaskReading}, f"{place}ambiguity.")
    if problem is not None:
        raise TaskError(f"{path}: {problem}")
    try:
        task = msgspec.convert(table, Task)
    except msgspec.ValidationError as error:
        raise TaskError(f"{path}: {with_key(str(error), place)}") from None
    _check_values(path, place, task)
    replace = msgspec.structs.replace

    def existing(entries: list[T], key: str, name: str) -> list[T]:
        return [
            replace(entry, **{name: _existing(path, f"{place}{key}[{index}].{name}", getattr(entry, name))})
            for index, entry in enumerate(entries)
        ]

    blocker, ambiguity = task.blocker, task.ambiguity
    # Harbor's name, else the directory of a ``task.toml``, else the file's stem.
    named = document["task"].get("name") if isinstance(document.get("task"), dict) else None
    default = path.absolute().parent.name if path.name == "task.toml" else path.stem
    return replace(
        task,
        id=task.id or (named if isinstance(named, str) and named else default),
        instruction=task.instruction if task.instruction is not None else _instruction(path),
        reference=_existing(path, f"{place}reference", task.reference),
        requirements=existing(task.requirements, "requirements", "faulty"),
        near_misses=existing(task.near_misses, "near_misses", "path"),
        blocker=blocker and replace(blocker, check=_existing(path, f"{place}blocker.check", blocker.check)),
        ambiguity=ambiguity
        and replace(ambiguity, readings=existing(ambiguity.readings, "ambiguity.readings", "reference")),
    )


def _document(path: Path) -> dict[str, Any]:
    try:
        document = msgspec.json.decode(path.read_bytes()) if path.suffix.lower() == ".json" else read_toml(path)
    except DocumentError as error:
        raise TaskError(str(error)) from None
    except OSError as error:
        raise TaskError(f"{path}: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TaskError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(document, dict):
        raise TaskError(f"{path}: expected an object with the keys of a task")
    return document


def _check_values(path: Path, place: str, task: Task) -> None:
    if task.solvable == "impossible" and task.blocker is None:
        raise TaskError(f"{path}: {place}blocker: required when solvable is impossible")
    if task.solvable == "ambiguous" and task.ambiguity is None:
        raise TaskError(f"{path}: {place}ambiguity: required when solvable is ambiguous")
    if task.blocker is not None:
        if not (task.blocker.commands or task.blocker.paths or task.blocker.words):
            raise TaskError(f"{path}: {place}blocker: needs at least one of commands, paths, words")
        for index, pattern in enumerate(task.blocker.commands):
            try:
                re.compile(pattern)
            except re.error as error:
                raise TaskError(f"{path}: {place}blocker.commands[{index}]: bad regular expression: {error}") from None
    for key in ("build", "test", "coverage"):
        command = getattr(task, key)
        if command is not None and not command.strip():
            raise TaskError(f"{path}: {place}{key}: empty command")
    for index, checkpoint in enumerate(task.checkpoints):
        if checkpoint.check is not None and not checkpoint.check.strip():
            raise TaskError(f"{path}: {place}checkpoints[{index}].check: empty command")
    if task.root_cause is not None and not (task.root_cause.paths or task.root_cause.tests):
        raise TaskError(f"{path}: {place}root_cause: needs at least one of paths, tests")
    if task.ambiguity is not None:
        readings = [r.id for r in task.ambiguity.readings]
        _distinct(path, f"{place}ambiguity.readings", readings)
        if bool(task.ambiguity.answer) != bool(task.ambiguity.answered):
            raise TaskError(f"{path}: {place}ambiguity: answer and answered belong together")
        if task.ambiguity.answered and task.ambiguity.answered not in readings:
            raise TaskError(f"{path}: {place}ambiguity.answered: no reading {task.ambiguity.answered!r}")
    _distinct(path, f"{place}requirements", [r.id for r in task.requirements])
    _distinct(path, f"{place}checkpoints", [c.id for c in task.checkpoints])


def _distinct(path: Path, place: str, ids: list[str]) -> None:
    for index, name in enumerate(ids):
        if not name or name in ids[:index]:
            problem = "repeated" if name else "empty"
            raise TaskError(f"{path}: {place}[{index}].id: {problem} id")


def _existing(path: Path, key: str, value: str | None) -> str | None:
    if value is None:
        return None
    target = path.parent / value
    if not target.exists():
        raise TaskError(f"{path}: {key}: no such file: {value}")
    return str(target.absolute())


def _instruction(path: Path) -> str | None:
    if path.name != "task.toml":
        return None
    try:
        return (path.parent / "instruction.md").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
