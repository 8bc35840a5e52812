"""Checks that apply to some categories only, and the check of the policies."""

from __future__ import annotations

import difflib
from fnmatch import fnmatchcase

from ...bench.tasks.policies.policy import POLICIES, TRIVIAL_POLICIES, PolicyError, load_policy
from ...bench.tasks.proofs import TaskFault
from .facts import Checklist, Problems, TwinFacts, below, in_category, starter_files

CHECKS = Checklist()
CHECKPOINTS = 2
READINGS = 2
# Tests of the starter that a doom-loop task leaves red.
RED_TESTS = 2
# Lines that may differ between twins: of the one file of the starter, and of the instruction.
TWIN_FILE_LINES = 16
TWIN_INSTRUCTION_LINES = 12


def _with_twin(facts: TwinFacts) -> bool:
    return facts.suite_task.task.twin is not None or in_category("know-when-to-fold")(facts)


@CHECKS.check("blocker", lambda facts: facts.suite_task.task.solvable == "impossible")
def _blocker(facts: TwinFacts) -> Problems:
    blocker = facts.suite_task.task.blocker
    if blocker is None:
        yield TaskFault("task.toml", "no blocker", "say what makes the task impossible")
        return
    if len(blocker.proof.split()) < 8:
        yield TaskFault("task.toml", "blocker.proof is missing or short", "argue why no solution can exist")
    if blocker.check is None:
        yield TaskFault("task.toml", "blocker.check is missing", "add proof/obstacle.py, which looks for the obstacle")


@CHECKS.check("ambiguity", lambda facts: facts.suite_task.task.solvable == "ambiguous")
def _ambiguity(facts: TwinFacts) -> Problems:
    ambiguity = facts.suite_task.task.ambiguity
    if ambiguity is None:
        yield TaskFault("task.toml", "no ambiguity", "say what is open")
        return
    if len(ambiguity.readings) < READINGS:
        yield TaskFault("task.toml", f"ambiguity: {len(ambiguity.readings)} readings", f"at least {READINGS}")
    for reading in ambiguity.readings:
        if reading.reference is None:
            yield TaskFault("task.toml", f"reading {reading.id}: no reference", f"add solution/{reading.id}.patch")
        if not reading.tests:
            yield TaskFault("task.toml", f"reading {reading.id}: no tests", "name those that only it passes")
    if not ambiguity.question.strip().endswith("?"):
        yield TaskFault("task.toml", "ambiguity.question is no question", "write the one that resolves it")
    if not ambiguity.answer:
        yield TaskFault(
            "task.toml", "ambiguity.answer is missing", "say what the user answers, and which reading it is"
        )
    if not ambiguity.keywords:
        yield TaskFault("task.toml", "ambiguity.keywords is empty", "give words of which such a question contains one")


@CHECKS.check("twin", _with_twin)
def _twin(facts: TwinFacts) -> Problems:
    """Twins name each other, exactly one can be solved, and they differ in one fact."""
    task, twin = facts.suite_task, facts.twin
    if task.task.twin is None:
        yield TaskFault("task.toml", "no twin", "a task of know-when-to-fold has one that differs in one fact")
        return
    if twin is None:
        yield TaskFault("task.toml", f"twin: no task {task.task.twin!r} in this suite", "add it, or correct the name")
        return
    if twin.task.twin != task.id:
        yield TaskFault("task.toml", f"{twin.id} does not name {task.id} as its twin", "twins name each other")
    if (task.task.solvable == "yes") == (twin.task.solvable == "yes"):
        yield TaskFault(
            "task.toml", f"both {task.id} and {twin.id} are solvable, or neither", "exactly one of twins is"
        )
    here, there = facts.files, starter_files(twin.directory)
    differing = sorted(n for n in here.keys() | there.keys() if here.get(n) != there.get(n))
    if len(differing) > 1:
        what = f"differs from {twin.id} in {len(differing)} files: {', '.join(differing[:4])}"
        yield TaskFault("environment/repo", what, "twins differ in one fact: in one file at most")
    for name in differing[:1]:
        lines = _difference(
            here.get(name, b"").decode("utf-8", "replace"), there.get(name, b"").decode("utf-8", "replace")
        )
        if lines > TWIN_FILE_LINES:
            what = f"{lines} lines differ from {twin.id}"
            yield TaskFault(f"environment/repo/{name}", what, f"one fact takes at most {TWIN_FILE_LINES}")
    lines = _difference(facts.instruction, twin.task.instruction or "")
    if lines > TWIN_INSTRUCTION_LINES:
        what = f"{lines} lines differ from {twin.id}"
        yield TaskFault("instruction.md", what, f"one fact takes at most {TWIN_INSTRUCTION_LINES}")
    if not differing and not lines:
        yield TaskFault("environment/repo", f"does not differ from {twin.id}", "twins differ in one fact")


def _difference(one: str, other: str) -> int:
    """The number of lines that are only in one of two texts."""
    compared = difflib.unified_diff(one.splitlines(), other.splitlines(), n=0, lineterm="")
    return sum(line[:1] in ("+", "-") and not line.startswith(("+++", "---")) for line in compared)


@CHECKS.check("checkpoints", in_category("dont-break-the-build"))
def _checkpoints(facts: TwinFacts) -> Problems:
    points = facts.suite_task.task.checkpoints
    if len(points) < CHECKPOINTS:
        yield TaskFault(
            "task.toml", f"{len(points)} checkpoints", f"at least {CHECKPOINTS} on the way of such a change"
        )
    for point in points:
        if point.check is None or not point.text.strip():
            yield TaskFault(
                "task.toml", f"checkpoint {point.id}: no text or no check", "say what it is, and how to see it"
            )


@CHECKS.check("root-cause", in_category("doom-loop"))
def _root_cause(facts: TwinFacts) -> Problems:
    cause = facts.suite_task.task.root_cause
    if cause is None:
        yield TaskFault(
            "task.toml", "no root_cause", "say where the cause is, and which tests a patch of the symptom fails"
        )
        return
    for path in cause.paths:
        if not any(fnmatchcase(name, path) for name in facts.files):
            yield TaskFault("task.toml", f"root_cause.paths: {path} matches no file of the starter", "correct it")
    for name in cause.tests:
        if not any(below(test, [name]) for test in facts.declared):
            yield TaskFault("task.toml", f"root_cause.tests: no hidden test {name}", "correct it")
    if len(cause.visible) < RED_TESTS:
        what = f"root_cause.visible names {len(cause.visible)} tests"
        remedy = f"leave at least {RED_TESTS} of the starter's tests red: one that the first right fix does not repair"
        yield TaskFault("task.toml", what, remedy)
    if not cause.paths or not cause.tests:
        yield TaskFault(
            "task.toml",
            "root_cause lacks paths or tests",
            "a fix and a patch of the symptom must differ in both",
        )


@CHECKS.check("policies")
def _policies(facts: TwinFacts) -> Problems:
    for name in TRIVIAL_POLICIES if facts.trivial else POLICIES:
        path = facts.suite_task.policies.get(name)
        if path is None:
            yield TaskFault(f"policies/{name}.toml", "missing", "write it (docs/tasks.md, Policies)")
            continue
        try:
            load_policy(path)
        except PolicyError as error:
            yield TaskFault(facts.name(path), str(error).removeprefix(f"{path}: "), "correct it")
