"""Checks of the task file, the instruction, the hidden tests and the other hidden parts."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ...bench.tasks.hidden_tests import pytest_files
from ...bench.tasks.policies.policy import TARGETS
from ...bench.tasks.proofs import TaskFault
from .. import harbor
from ..canary import MARK, unmarked
from .facts import Checklist, Problems, TwinFacts, below, is_ours

CHECKS = Checklist()
INSTRUCTION_LINES = (1, 40)
REQUIREMENTS = 8
_CANARY = re.compile(rf"{MARK} [0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}")
# Words of an instruction that hint that giving up, or asking, is an answer.
_HINTS = (
    r"\bimpossible\b",
    r"\binfeasible\b",
    r"\b(can ?not|can't|cannot) be done\b",
    r"\bnot (be )?(possible|feasible|doable)\b",
    r"\bif (it|this|that|something|anything) (can ?not|can't|won't work|is ambiguous|is unclear)",
    r"\bgive up\b",
    r"\babstain",
    r"\b(let (me|us) know|tell (me|us)|say so) if\b",
    r"\b(feel free to|please|do) ask\b",
    r"\bask (me|us|if|when|before)\b",
    r"\b(unclear|ambiguous|clarif\w+)\b",
    r"\bunsolvable\b",
)
_HINT = re.compile("|".join(_HINTS), re.IGNORECASE)


@CHECKS.check("metadata")
def _metadata(facts: TwinFacts) -> Problems:
    task = facts.suite_task.task
    for key, example in (("license", "MIT"), ("language", "python"), ("difficulty", "medium")):
        if not isinstance(facts.metadata.get(key), str) or not facts.metadata[key].strip():
            yield TaskFault("task.toml", f"[metadata] {key} is missing", f'state it: {key} = "{example}"')
    for key in ("build", "test"):
        if getattr(task, key) is None:
            yield TaskFault("task.toml", f"no {key} command", f'set {key} = "..." in [metadata.rigor]')
    if facts.metadata.get("language") not in (None, "python") and not task.tools:
        yield TaskFault("task.toml", "tools is missing", "name the programs that building and testing need")
    if facts.trivial:
        return
    if task.category is None:
        yield TaskFault("task.toml", "no category", f"one of {', '.join(TARGETS)}")
        return
    missing = [p for p in TARGETS[task.category] if p not in task.pillars]
    if missing:
        yield TaskFault("task.toml", f"pillars lacks {', '.join(missing)}", f"{task.category} measures these")
    if task.solvable != "yes" and task.category != "know-when-to-fold":
        yield TaskFault("task.toml", f"solvable is {task.solvable!r}", "only tasks of know-when-to-fold may be so")


@CHECKS.check("instruction")
def _instruction(facts: TwinFacts) -> Problems:
    task, file = facts.suite_task.task, "instruction.md"
    lines = [line for line in facts.instruction.splitlines() if line.strip()]
    least, most = INSTRUCTION_LINES
    if not least <= len(lines) <= most:
        yield TaskFault(file, f"{len(lines)} lines of text", f"{least} to {most}, in the words of a user")
    hint = _HINT.search(facts.instruction)
    if hint is not None:
        yield TaskFault(file, f"says {hint.group(0)!r}", "never hint that giving up or asking is an answer")
    asks = re.search(r"\bcommit", facts.instruction, re.IGNORECASE) is not None
    if task.commits_asked is None and not facts.trivial:
        yield TaskFault("task.toml", "commits_asked is missing", "state whether the instruction asks for commits")
    elif task.commits_asked and not asks:
        yield TaskFault(file, "does not ask for commits", "commits_asked says that it does")
    elif asks and task.commits_asked is False:
        yield TaskFault(file, "speaks of commits", "commits_asked says that it does not ask for any")
    if task.category == "doom-loop" and task.root_cause is not None:
        for path in task.root_cause.paths:
            name = PurePosixPath(path).name
            if "*" not in name and re.search(rf"\b{re.escape(name)}\b", facts.instruction):
                yield TaskFault(file, f"names {name}, which contains the cause", "describe the symptom, not the cause")


@CHECKS.check("canary")
def _canary(facts: TwinFacts) -> Problems:
    directory, canary = facts.suite_task.directory, facts.suite_task.task.canary
    remedy = f"rigor suite prepare {directory}"
    if canary is None or not _CANARY.fullmatch(canary):
        yield TaskFault("task.toml", "no canary, or not one of ours", remedy)
        return
    for path in unmarked(directory, canary):
        yield TaskFault(facts.name(path), "does not contain the task's canary", remedy)
    shown = {"instruction.md": facts.instruction.encode()}
    shown |= {f"environment/repo/{name}": content for name, content in facts.files.items()}
    for name, content in shown.items():
        if MARK.encode() in content:
            yield TaskFault(name, "contains a canary", "agents see this file: remove it there")


@CHECKS.check("harbor")
def _harbor(facts: TwinFacts) -> Problems:
    directory = facts.suite_task.directory
    for line in harbor.check_task(directory):
        place, _, what = line.partition(": ")
        yield TaskFault(facts.name(place), what, "see docs/engines.md" if "--write" not in what else "")


@CHECKS.check("requirements")
def _requirements(facts: TwinFacts) -> Problems:
    task = facts.suite_task.task
    least = 1 if facts.trivial or not is_ours(facts) else 3 if task.category in ("verify-or-die", "doom-loop") else 4
    if not least <= len(task.requirements) <= REQUIREMENTS:
        yield TaskFault("task.toml", f"{len(task.requirements)} requirements", f"{least} to {REQUIREMENTS}")
    for requirement in task.requirements:
        if not requirement.text.strip():
            yield TaskFault("task.toml", f"requirement {requirement.id}: no text", "say what is required")
        if not requirement.tests:
            yield TaskFault("task.toml", f"requirement {requirement.id}: no tests", "name its hidden tests")
        if requirement.faulty is None and task.solvable == "yes" and not facts.trivial and is_ours(facts):
            remedy = f"write faulty/{requirement.id}.patch on the golden tree"
            yield TaskFault("task.toml", f"requirement {requirement.id}: no faulty implementation", remedy)


@CHECKS.check("hidden-tests")
def _hidden_tests(facts: TwinFacts) -> Problems:
    """Every hidden test belongs to one requirement or one reading; one test of the whole may belong to none."""
    task = facts.suite_task.task
    if not facts.declared:
        yield TaskFault("tests", "no hidden tests", "write tests/test_hidden.py")
        return
    owners = {f"requirement {r.id}": r.tests for r in task.requirements}
    readings = {f"reading {r.id}": r.tests for r in task.ambiguity.readings} if task.ambiguity is not None else {}
    for owner, ids in (*owners.items(), *readings.items()):
        for name in ids:
            # The tests of a package may be inherited, or made when their file is imported: a run shows them.
            made = not is_ours(facts) and name.partition("::")[0] in pytest_files(facts.suite_task.hidden)
            if not made and not any(below(test, [name]) for test in facts.declared):
                remedy = "ids are like test_hidden.py::test_name"
                yield TaskFault("task.toml", f"{owner}: no hidden test {name}", remedy)
    alone = []
    for test in facts.declared:
        mine = [owner for owner, ids in owners.items() if below(test, ids)]
        if len(mine) > 1:
            yield TaskFault("task.toml", f"{test} belongs to {' and '.join(mine)}", "let it belong to one")
        if not mine and not any(below(test, ids) for ids in readings.values()):
            alone.append(test)
    if len(alone) > 1:
        what = f"{len(alone)} hidden tests belong to no requirement: {', '.join(alone[:4])}"
        yield TaskFault("task.toml", what, "only one test of the whole may belong to none")


@CHECKS.check("near-misses")
def _near_misses(facts: TwinFacts) -> Problems:
    misses = facts.suite_task.task.near_misses
    least = 1 if facts.trivial or not is_ours(facts) else 3
    if len(misses) < least:
        yield TaskFault("task.toml", f"{len(misses)} near misses", f"at least {least}")
    obvious = sum(miss.obvious for miss in misses)
    if obvious != 1 and not (facts.trivial and len(misses) == 1):
        yield TaskFault("task.toml", f"{obvious} near misses are marked obvious", "exactly one is what most would try")
    for miss in misses:
        if not miss.text.strip():
            yield TaskFault(facts.name(miss.path), "no text in task.toml", "say why it is wrong")


@CHECKS.check("solution")
def _solution(facts: TwinFacts) -> Problems:
    task, solution = facts.suite_task.task, facts.suite_task.directory / "solution"
    patches = sorted(path.name for path in solution.glob("*.patch")) if solution.is_dir() else []
    if task.solvable == "impossible":
        if task.reference is not None:
            yield TaskFault("task.toml", "an impossible task has a reference", "nothing can solve it: remove the key")
        for name in patches:
            yield TaskFault(f"solution/{name}", "an impossible task has a golden solution", "remove it")
    elif task.solvable == "ambiguous":
        if task.reference is not None:
            yield TaskFault("task.toml", "an ambiguous task has a reference", "each reading has its own instead")
    elif task.reference is None:
        yield TaskFault("task.toml", "no reference", 'reference = "solution/solution.patch"')
