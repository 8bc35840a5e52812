"""The task file: what a session was asked to do, as far as scoring needs to know it.

:func:`load_task` reads a Harbor ``task.toml``, whose table ``[metadata.rigor]`` holds the keys below, or a TOML or JSON
file with these keys at its top level. Every key is optional.

``id``
    Name of the task. Default: Harbor's ``[task] name``, else the directory of a ``task.toml``, else the file's stem.
``category``
    One of ``plan-then-build``, ``verify-or-die``, ``doom-loop``, ``know-when-to-fold``, ``dont-break-the-build``.
``solvable``
    ``"yes"`` (default), ``"impossible"`` (then ``blocker`` is required) or ``"ambiguous"`` (then ``ambiguity`` is).
``twin``
    Id of the task that differs from this one only in being solvable, or the reverse.
``instruction``
    What the agent was told. Default: the text of ``instruction.md`` beside a ``task.toml``.
``change_asked``
    Whether the task asks for a change of files. Default ``true``.
``commits_asked``
    Whether it asks for commits. Without the key it is not known, and the session's prompt decides.
``build``, ``test``, ``coverage``
    Shell commands, run in the root of the repository. ``coverage`` runs the tests and leaves ``lcov.info`` in the
    root. Without them the project's own are detected (Python: coverage.py is used).
``requirements``
    Array of tables ``{id, text, faulty, tests}``: ``faulty`` is a patch on the golden tree (or a directory of files to
    lay over it) that violates only this requirement, ``tests`` are ids of tests that check it (of hidden tests:
    relative to the task's ``tests/``).
``reference``
    Golden patch, on the starter.
``near_misses``
    Array of tables ``{path, text, obvious}``: patches on the starter (or directories) that look right and are wrong;
    ``text`` says why, ``obvious`` that most people would try it first. The hidden tests reject each.
``pillars``
    The pillars that the task is meant to tell apart: of ``PF``, ``VC``, ``RE``, ``AQ``, ``ATI``.
``checkpoints``
    Array of tables ``{id, text, check}``: the stations of a long change, in order; ``check`` is a shell command that
    succeeds in the root of the repository once the station is reached.
``root_cause``
    ``{text, paths, tests}``: where the cause lies (glob patterns, of which a real fix changes one), and the hidden
    tests that a patch of the symptom fails.
``blocker``
    ``{text, proof, check, commands, paths, words}``: what makes the task impossible, why that is so (the argument, in
    words), and what shows that the agent met it: regular expressions searched in the commands it ran, glob patterns
    over the files it read, words of which its final message must contain one. ``check`` is a Python file that is run in
    the root of the repository with the instruction on standard input: it ends with status 0 where the obstacle stands,
    with another where it does not, as on the twin.
``ambiguity``
    ``{text, question, keywords, readings}``: the open point, the question that resolves it, words of which a question
    or a stated assumption about it must contain one, and the readings that are possible: tables ``{id, text,
    reference, tests}`` with the golden patch of each reading (on the starter) and the hidden tests that only it passes.
``tools``
    Programs that building and testing need beyond Python and the shell: ``node``, ``cargo``, ``javac``, ``g++``, ...
``trivial``
    A change that needs no plan and no test of its own (a typo, a version number): process that it does not need must
    not raise the score, so PF and VC do not apply. Default ``false``.
``pressure``
    Which variants of the task there are: of ``hurry`` ("just do it quickly"), ``no-tests`` ("do not bother with
    tests") and ``false-report`` ("a colleague says that all tests pass", which is not so).
``canary``
    The text that stands in every hidden file of the task, by which its leaking into a training set can be found.

Paths are relative to the task file. Any other key is an error, so that a misspelt one is not silently ignored.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

Pillar = Literal["PF", "VC", "RE", "AQ", "ATI"]
Category = Literal["plan-then-build", "verify-or-die", "doom-loop", "know-when-to-fold", "dont-break-the-build"]
Solvable = Literal["yes", "impossible", "ambiguous"]
Pressure = Literal["hurry", "no-tests", "false-report"]


class TaskError(ValueError):
    """A task file cannot be used. The message is one line that names the file and, where there is one, the key."""


class Requirement(Struct, frozen=True):
    id: str
    text: str = ""
    faulty: str | None = None
    tests: list[str] = field(default_factory=list)


class NearMiss(Struct, frozen=True):
    """A plausible wrong solution. ``obvious``: the one that most would try first."""

    path: str
    text: str = ""
    obvious: bool = False


class Checkpoint(Struct, frozen=True):
    """A station of a long change; ``check`` (a shell command) succeeds from there on."""

    id: str
    text: str = ""
    check: str | None = None


class RootCause(Struct, frozen=True):
    """What tells the fix from a patch of the symptom: the files in which the cause lies, and tests of it."""

    text: str
    paths: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


class Blocker(Struct, frozen=True):
    """Why the task is impossible; one hit in any of the three lists shows that the agent met the reason."""

    text: str
    proof: str = ""
    check: str | None = None
    commands: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


class Reading(Struct, frozen=True):
    """One way to understand an ambiguous task: its golden patch, and the hidden tests that no other reading passes."""

    id: str
    text: str
    reference: str | None = None
    tests: list[str] = field(default_factory=list)


class Ambiguity(Struct, frozen=True):
    text: str
    question: str = ""
    keywords: list[str] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)


class Task(Struct, frozen=True):
    """One task. See the module's docstring for the meaning of each field; paths are absolute here."""

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
    canary: str | None = None


# Tables that make a file a Harbor task even when ours is missing from it.
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
    _check_keys(path, place, table, Task)
    for key, kind in (("blocker", Blocker), ("ambiguity", Ambiguity), ("root_cause", RootCause)):
        if isinstance(table.get(key), dict):
            _check_keys(path, f"{place}{key}.", table[key], kind)
    for key, entry_kind in (("requirements", Requirement), ("near_misses", NearMiss), ("checkpoints", Checkpoint)):
        _check_entries(path, f"{place}{key}", table.get(key), entry_kind)
    if isinstance(table.get("ambiguity"), dict):
        _check_entries(path, f"{place}ambiguity.readings", table["ambiguity"].get("readings"), Reading)
    try:
        task = msgspec.convert(table, Task)
    except msgspec.ValidationError as error:
        raise TaskError(f"{path}: {_plain(str(error), place)}") from None
    _check_values(path, place, task)
    return msgspec.structs.replace(
        task,
        id=task.id or _default_id(path, document),
        instruction=task.instruction if task.instruction is not None else _instruction(path),
        reference=_existing(path, f"{place}reference", task.reference),
        requirements=[
            msgspec.structs.replace(r, faulty=_existing(path, f"{place}requirements[{i}].faulty", r.faulty))
            for i, r in enumerate(task.requirements)
        ],
        near_misses=[
            msgspec.structs.replace(n, path=_existing(path, f"{place}near_misses[{i}].path", n.path))
            for i, n in enumerate(task.near_misses)
        ],
        blocker=task.blocker
        and msgspec.structs.replace(task.blocker, check=_existing(path, f"{place}blocker.check", task.blocker.check)),
        ambiguity=task.ambiguity
        and msgspec.structs.replace(
            task.ambiguity,
            readings=[
                msgspec.structs.replace(
                    r, reference=_existing(path, f"{place}ambiguity.readings[{i}].reference", r.reference)
                )
                for i, r in enumerate(task.ambiguity.readings)
            ],
        ),
    )


def _document(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TaskError(f"{path}: {error.strerror or error}") from None
    try:
        if path.suffix.lower() == ".json":
            document = msgspec.json.decode(data)
        else:
            document = tomllib.loads(data.decode("utf-8"))
    except (msgspec.DecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TaskError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(document, dict):
        raise TaskError(f"{path}: expected an object with the keys of a task")
    return document


def _check_keys(path: Path, place: str, table: dict[str, Any], kind: type[Struct]) -> None:
    unknown = next((key for key in table if key not in kind.__struct_fields__), None)
    if unknown is not None:
        allowed = ", ".join(kind.__struct_fields__)
        raise TaskError(f"{path}: {place}{' '.join(unknown.split())}: unknown key; allowed are {allowed}")


def _check_entries(path: Path, place: str, entries: object, kind: type[Struct]) -> None:
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, dict):
            _check_keys(path, f"{place}[{index}].", entry, kind)


_AT = re.compile(r" - at `\$\.?([^`]*)`$")


def _plain(message: str, place: str) -> str:
    """The decoder's message with the key in front."""
    match = _AT.search(message)
    if match is None:
        return f"{place.rstrip('.')}: {message}".lstrip(": ")
    return f"{place}{match.group(1)}: {message[: match.start()]}"


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
        _distinct(path, f"{place}ambiguity.readings", [r.id for r in task.ambiguity.readings])
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


def _default_id(path: Path, document: dict[str, Any]) -> str:
    task = document.get("task")
    if isinstance(task, dict) and isinstance(task.get("name"), str) and task["name"]:
        return str(task["name"])
    return path.absolute().parent.name if path.name == "task.toml" else path.stem


def _instruction(path: Path) -> str | None:
    if path.name != "task.toml":
        return None
    try:
        return (path.parent / "instruction.md").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
