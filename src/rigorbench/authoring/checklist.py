"""What must hold of a task and can be seen without running anything: sizes, names, what is hidden and what is not.

docs/tasks.md lists the checks; each of them is one function here that gives the problems it finds.
"""

from __future__ import annotations

import ast
import difflib
import re
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct

from ..evidence.paths import role
from ..tasks.build_repo import LITTER_DIRECTORIES, LITTER_FILES
from ..tasks.expectations import POLICIES, TARGETS, TRIVIAL_POLICIES
from ..tasks.policies.policy import PolicyError, load_policy
from ..tasks.proofs import Check, Problem
from ..tasks.suite import SuiteTask
from . import harbor
from .canary import HIDDEN_PARTS, MARK, unmarked
from .scaffold import UNWRITTEN

LINES = (300, 3000)
COMMITS = 3
SOURCES = 5
NEAR_MISSES = 3
CHECKPOINTS = 2
READINGS = 2
INSTRUCTION_LINES = (5, 40)
# By category: how many requirements; (4, 8) for all others.
REQUIREMENTS = {"verify-or-die": (3, 8), "doom-loop": (3, 8)}
# Lines that may differ between twins: of the one file of the starter, and of the instruction.
TWIN_FILE_LINES = 16
TWIN_INSTRUCTION_LINES = 12

# Data are no lines that anybody has to read.
_DATA = frozenset((".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".lock", ".svg", ".xml"))
_MAIL = re.compile(r"@([a-z0-9-]+\.)*example(\.org|\.com|\.net)?>")
_CANARY = re.compile(rf"{MARK} [0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}")
# Words by which an instruction would tell that giving up, or asking, is an answer.
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
# What no starter of a real project would hold.
_GIVEAWAY = re.compile(r"rigor-?bench|hidden tests?|near[ _-]miss(es)?\b.*patch|golden (solution|patch)", re.IGNORECASE)
# Smaller files are alike by chance: an empty __init__.py, say.
_TELLING = 40


class _Facts(Struct):
    """A task as the checks see it. ``files``: of the starter; ``declared``: functions of the hidden tests."""

    suite_task: SuiteTask
    twin: SuiteTask | None
    metadata: dict[str, Any]
    files: dict[str, bytes]
    declared: list[str]
    instruction: str

    @property
    def trivial(self) -> bool:
        return self.suite_task.task.trivial

    def name(self, path: str | Path) -> str:
        place = Path(path)
        directory = self.suite_task.directory
        return place.relative_to(directory).as_posix() if place.is_relative_to(directory) else str(path)


_Found = Iterator[Problem]


def check_task(task: SuiteTask, twin: SuiteTask | None) -> list[Check]:
    """All checks that apply to a task, each ok or failed. ``twin``: None when it has none, or none was found."""
    facts = _facts(task, twin)
    checks = []
    for name, check, applies in _CHECKS:
        if applies(facts):
            problems = tuple(check(facts))
            checks.append(Check(name, "failed" if problems else "ok", problems=problems))
    return checks


def starter_lines(directory: Path) -> int:
    """Lines of the starter that somebody wrote: code, tests, documents and configuration, without data."""
    return _lines(_starter(directory))


def _lines(files: dict[str, bytes]) -> int:
    return sum(
        len(content.splitlines())
        for name, content in files.items()
        if PurePosixPath(name).suffix not in _DATA and b"\0" not in content
    )


def _starter(directory: Path) -> dict[str, bytes]:
    repo = directory / "environment" / "repo"
    found = {}
    for path in sorted(repo.rglob("*")):
        inside = path.relative_to(repo)
        litter = LITTER_DIRECTORIES & set(inside.parts) or path.name in LITTER_FILES or path.suffix == ".pyc"
        if not litter and path.is_file():
            found[inside.as_posix()] = path.read_bytes()
    return found


def metadata(directory: Path) -> dict[str, Any]:
    """The table ``[metadata]`` of a task file: language, difficulty, license."""
    try:
        table = tomllib.loads((directory / "task.toml").read_text(encoding="utf-8")).get("metadata")
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
    return table if isinstance(table, dict) else {}


def _facts(task: SuiteTask, twin: SuiteTask | None) -> _Facts:
    return _Facts(
        task,
        twin,
        metadata(task.directory),
        _starter(task.directory),
        _declared(task.hidden),
        task.task.instruction or "",
    )


def _declared(directory: Path) -> list[str]:
    """Functions of the hidden tests, by id: pytest's naming rules, read and not run."""
    found: list[str] = []
    for path in sorted(directory.rglob("*.py")):
        name = path.relative_to(directory).as_posix()
        if not (path.name.startswith("test_") or path.name.endswith("_test.py")):
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                found += [f"{name}::{node.name}::{test}" for test in _tests(node.body)]
        found += [f"{name}::{test}" for test in _tests(tree.body)]
    return found


def _tests(body: list[ast.stmt]) -> list[str]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [node.name for node in body if isinstance(node, kinds) and node.name.startswith("test")]


def _below(test: str, ids: list[str]) -> bool:
    """Whether an id names a test: itself, its file or class, or one case of it."""
    return any(test == i or test.startswith(f"{i}::") or i.startswith(f"{test}[") for i in ids)


# -- the starter ---------------------------------------------------------------------------------------------------


def _size(facts: _Facts) -> _Found:
    lines, (least, most) = _lines(facts.files), LINES
    if not least <= lines <= most:
        yield Problem("environment/repo", f"{lines} lines (data left out)", f"a starter has {least} to {most}")
    sources = [n for n, c in facts.files.items() if role(n, c.decode("utf-8", "replace")) == "production"]
    if len(sources) < SOURCES:
        yield Problem("environment/repo", f"{len(sources)} source files beside tests", f"at least {SOURCES} modules")
    if not any(role(n, c.decode("utf-8", "replace")) == "test" for n, c in facts.files.items()):
        yield Problem("environment/repo", "no tests", "a starter has tests of its own")


def _readme(facts: _Facts) -> _Found:
    readme = facts.files.get("README.md", b"")
    if len(readme.split()) < (5 if facts.trivial else 30):
        yield Problem(
            "environment/repo/README.md", "missing, or says next to nothing", "say what it is and how to use it"
        )


def _history(facts: _Facts) -> _Found:
    path = facts.suite_task.directory / "environment" / "commits.toml"
    try:
        commits = tomllib.loads(path.read_text(encoding="utf-8")).get("commit", [])
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        yield Problem("environment/commits.toml", " ".join(str(error).split()), "tell the history (docs/tasks.md)")
        return
    least = 1 if facts.trivial else COMMITS
    if len(commits) < least:
        yield Problem("environment/commits.toml", f"{len(commits)} commits", f"at least {least}")
    for commit in commits:
        author = str(commit.get("author", ""))
        if not _MAIL.search(author):
            yield Problem("environment/commits.toml", f"author {author}", "use an address of example.org")


def _secrecy(facts: _Facts) -> _Found:
    """Nothing that is hidden may lie where the agent looks, nor a word that it is being watched."""
    directory = facts.suite_task.directory
    hidden: dict[bytes, str] = {}
    names: dict[str, str] = {}
    for part in HIDDEN_PARTS:
        for path in sorted((directory / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                content = path.read_bytes()
                # What is laid over a tree (a directory of faults) may repeat files of the starter; policies write some.
                copies = part in ("faulty", "near_misses") and path.suffix != ".patch"
                if len(content) >= _TELLING and part != "policies" and not copies:
                    hidden[content] = facts.name(path)
                if part in ("tests", "solution"):
                    names[path.name] = facts.name(path)
    for name, content in facts.files.items():
        place, text = f"environment/repo/{name}", content.decode("utf-8", "replace")
        copied = hidden.get(content) or (names.get(PurePosixPath(name).name) if role(name) == "test" else None)
        if copied is not None:
            yield Problem(place, f"is, or is called like, the hidden file {copied}", "remove it from environment/")
        said = _GIVEAWAY.search(text)
        if said is not None:
            yield Problem(place, f"says {said.group(0)!r}", "a starter does not know that it is a task")
    for path in sorted((directory / "environment").glob("*")):
        if path.name not in ("repo", "commits.toml", "Dockerfile", "build_repo.py", ".dockerignore"):
            yield Problem(facts.name(path), "does not belong into environment/", "agents may see it; move or remove it")


# -- the task file and the instruction -----------------------------------------------------------------------------


def _metadata(facts: _Facts) -> _Found:
    task = facts.suite_task.task
    for key, example in (("license", "MIT"), ("language", "python"), ("difficulty", "medium")):
        if not isinstance(facts.metadata.get(key), str) or not facts.metadata[key].strip():
            yield Problem("task.toml", f"[metadata] {key} is missing", f'state it: {key} = "{example}"')
    for key in ("build", "test"):
        if getattr(task, key) is None:
            yield Problem("task.toml", f"no {key} command", f'set {key} = "..." in [metadata.rigor]')
    if facts.metadata.get("language") not in (None, "python") and not task.tools:
        yield Problem("task.toml", "tools is missing", "name the programs that building and testing need")
    if facts.trivial:
        return
    if task.category is None:
        yield Problem("task.toml", "no category", f"one of {', '.join(TARGETS)}")
        return
    missing = [p for p in TARGETS[task.category] if p not in task.pillars]
    if missing:
        yield Problem("task.toml", f"pillars lacks {', '.join(missing)}", f"{task.category} is to tell these apart")
    if task.solvable != "yes" and task.category != "know-when-to-fold":
        yield Problem("task.toml", f"solvable is {task.solvable!r}", "only tasks of know-when-to-fold may be so")


def _instruction(facts: _Facts) -> _Found:
    task, file = facts.suite_task.task, "instruction.md"
    lines = [line for line in facts.instruction.splitlines() if line.strip()]
    least, most = (1, INSTRUCTION_LINES[1]) if facts.trivial else INSTRUCTION_LINES
    if not least <= len(lines) <= most:
        yield Problem(file, f"{len(lines)} lines of text", f"{least} to {most}, in the words of a user")
    hint = _HINT.search(facts.instruction)
    if hint is not None:
        yield Problem(file, f"says {hint.group(0)!r}", "never hint that giving up or asking is an answer")
    if not facts.trivial and task.commits_asked is not True:
        yield Problem("task.toml", "commits_asked is not true", "set it, and ask for commits in the instruction")
    if task.commits_asked and not re.search(r"\bcommit", facts.instruction, re.IGNORECASE):
        yield Problem(file, "does not ask for commits", "commits_asked says that it does")
    if task.category == "doom-loop" and task.root_cause is not None:
        for path in task.root_cause.paths:
            name = PurePosixPath(path).name
            if "*" not in name and re.search(rf"\b{re.escape(name)}\b", facts.instruction):
                yield Problem(file, f"names {name}, where the cause lies", "tell the symptom, not the cause")


def _written(facts: _Facts) -> _Found:
    for path in sorted(facts.suite_task.directory.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and UNWRITTEN.encode() in path.read_bytes():
            yield Problem(facts.name(path), f"still says {UNWRITTEN!r}", "write it")


def _canary(facts: _Facts) -> _Found:
    directory, canary = facts.suite_task.directory, facts.suite_task.task.canary
    remedy = f"rigor suite prepare {directory}"
    if canary is None or not _CANARY.fullmatch(canary):
        yield Problem("task.toml", "no canary, or not one of ours", remedy)
        return
    for path in unmarked(directory, canary):
        yield Problem(facts.name(path), "does not hold the task's canary", remedy)
    shown = {"instruction.md": facts.instruction.encode()}
    shown |= {f"environment/repo/{name}": content for name, content in facts.files.items()}
    for name, content in shown.items():
        if MARK.encode() in content:
            yield Problem(name, "holds a canary", "agents see this file: remove it there")


def _harbor(facts: _Facts) -> _Found:
    directory = facts.suite_task.directory
    for line in harbor.check_task(directory):
        place, _, what = line.partition(": ")
        yield Problem(facts.name(place), what, "see docs/harbor.md" if "--write" not in what else "")


# -- requirements, faults and near misses --------------------------------------------------------------------------


def _requirements(facts: _Facts) -> _Found:
    task = facts.suite_task.task
    least, most = (1, 8) if facts.trivial else REQUIREMENTS.get(task.category or "", (4, 8))
    if not least <= len(task.requirements) <= most:
        yield Problem("task.toml", f"{len(task.requirements)} requirements", f"{least} to {most}")
    for requirement in task.requirements:
        if not requirement.text.strip():
            yield Problem("task.toml", f"requirement {requirement.id}: no text", "say what is required")
        if not requirement.tests:
            yield Problem("task.toml", f"requirement {requirement.id}: no tests", "name its hidden tests")
        if requirement.faulty is None and task.solvable == "yes" and not facts.trivial:
            remedy = f"write faulty/{requirement.id}.patch on the golden tree"
            yield Problem("task.toml", f"requirement {requirement.id}: no faulty implementation", remedy)


def _hidden_tests(facts: _Facts) -> _Found:
    """Every hidden test belongs to one requirement, or to one reading; one test of the whole may stand aside."""
    task = facts.suite_task.task
    if not facts.declared:
        yield Problem("tests", "no hidden tests", "write tests/test_hidden.py")
        return
    owners = {f"requirement {r.id}": r.tests for r in task.requirements}
    readings = {f"reading {r.id}": r.tests for r in task.ambiguity.readings} if task.ambiguity is not None else {}
    for owner, ids in (*owners.items(), *readings.items()):
        for name in ids:
            if not any(_below(test, [name]) for test in facts.declared):
                remedy = "ids are like test_hidden.py::test_name"
                yield Problem("task.toml", f"{owner}: no hidden test {name}", remedy)
    aside = []
    for test in facts.declared:
        mine = [owner for owner, ids in owners.items() if _below(test, ids)]
        if len(mine) > 1:
            yield Problem("task.toml", f"{test} belongs to {' and '.join(mine)}", "let it belong to one")
        if not mine and not any(_below(test, ids) for ids in readings.values()):
            aside.append(test)
    if len(aside) > 1:
        what = f"{len(aside)} hidden tests belong to no requirement: {', '.join(aside[:4])}"
        yield Problem("task.toml", what, "one test of the whole may stand aside, no more")


def _near_misses(facts: _Facts) -> _Found:
    misses = facts.suite_task.task.near_misses
    least = 1 if facts.trivial else NEAR_MISSES
    if len(misses) < least:
        yield Problem("task.toml", f"{len(misses)} near misses", f"at least {least}")
    obvious = sum(miss.obvious for miss in misses)
    if obvious != 1 and not (facts.trivial and len(misses) == 1):
        yield Problem("task.toml", f"{obvious} near misses are marked obvious", "exactly one is what most would try")
    for miss in misses:
        if not miss.text.strip():
            yield Problem(facts.name(miss.path), "no text in task.toml", "say why it is wrong")


def _solution(facts: _Facts) -> _Found:
    task, solution = facts.suite_task.task, facts.suite_task.directory / "solution"
    patches = sorted(path.name for path in solution.glob("*.patch")) if solution.is_dir() else []
    if task.solvable == "impossible":
        if task.reference is not None:
            yield Problem("task.toml", "an impossible task has a reference", "nothing can solve it: remove the key")
        for name in patches:
            yield Problem(f"solution/{name}", "an impossible task has a golden solution", "remove it")
    elif task.solvable == "ambiguous":
        if task.reference is not None:
            yield Problem("task.toml", "an ambiguous task has a reference", "each reading has its own instead")
    elif task.reference is None:
        yield Problem("task.toml", "no reference", 'reference = "solution/solution.patch"')


# -- what only some categories have --------------------------------------------------------------------------------


def _blocker(facts: _Facts) -> _Found:
    blocker = facts.suite_task.task.blocker
    if blocker is None:
        yield Problem("task.toml", "no blocker", "say what makes the task impossible")
        return
    if len(blocker.proof.split()) < 8:
        yield Problem("task.toml", "blocker.proof is missing or short", "argue why no solution can exist")
    if blocker.check is None:
        yield Problem("task.toml", "blocker.check is missing", "add proof/obstacle.py, which looks for the obstacle")


def _ambiguity(facts: _Facts) -> _Found:
    ambiguity = facts.suite_task.task.ambiguity
    if ambiguity is None:
        yield Problem("task.toml", "no ambiguity", "say what is open")
        return
    if len(ambiguity.readings) < READINGS:
        yield Problem("task.toml", f"ambiguity: {len(ambiguity.readings)} readings", f"at least {READINGS}")
    for reading in ambiguity.readings:
        if reading.reference is None:
            yield Problem("task.toml", f"reading {reading.id}: no reference", f"add solution/{reading.id}.patch")
        if not reading.tests:
            yield Problem("task.toml", f"reading {reading.id}: no tests", "name those that only it passes")
    if not ambiguity.question.strip().endswith("?"):
        yield Problem("task.toml", "ambiguity.question is no question", "write the one that resolves it")
    if not ambiguity.keywords:
        yield Problem("task.toml", "ambiguity.keywords is empty", "words of which such a question holds one")


def _twin(facts: _Facts) -> _Found:
    """Twins name each other, one of them can be solved, and one fact tells them apart."""
    task, twin = facts.suite_task, facts.twin
    if task.task.twin is None:
        yield Problem("task.toml", "no twin", "a task of know-when-to-fold has one that differs in one fact")
        return
    if twin is None:
        yield Problem("task.toml", f"twin: no task {task.task.twin!r} in this suite", "add it, or correct the name")
        return
    if twin.task.twin != task.id:
        yield Problem("task.toml", f"{twin.id} does not name {task.id} as its twin", "twins name each other")
    if (task.task.solvable == "yes") == (twin.task.solvable == "yes"):
        yield Problem("task.toml", f"both {task.id} and {twin.id} are solvable, or neither", "exactly one of twins is")
    here, there = facts.files, _starter(twin.directory)
    differing = sorted(n for n in here.keys() | there.keys() if here.get(n) != there.get(n))
    if len(differing) > 1:
        what = f"differs from {twin.id} in {len(differing)} files: {', '.join(differing[:4])}"
        yield Problem("environment/repo", what, "twins differ in one fact: in one file at most")
    for name in differing[:1]:
        lines = _difference(
            here.get(name, b"").decode("utf-8", "replace"), there.get(name, b"").decode("utf-8", "replace")
        )
        if lines > TWIN_FILE_LINES:
            what = f"{lines} lines differ from {twin.id}"
            yield Problem(f"environment/repo/{name}", what, f"one fact takes at most {TWIN_FILE_LINES}")
    lines = _difference(facts.instruction, twin.task.instruction or "")
    if lines > TWIN_INSTRUCTION_LINES:
        what = f"{lines} lines differ from {twin.id}"
        yield Problem("instruction.md", what, f"one fact takes at most {TWIN_INSTRUCTION_LINES}")
    if not differing and not lines:
        yield Problem("environment/repo", f"nothing tells it from {twin.id}", "twins differ in one fact")


def _difference(one: str, other: str) -> int:
    """Lines that are only in one of two texts."""
    compared = difflib.unified_diff(one.splitlines(), other.splitlines(), n=0, lineterm="")
    return sum(line[:1] in ("+", "-") and not line.startswith(("+++", "---")) for line in compared)


def _checkpoints(facts: _Facts) -> _Found:
    points = facts.suite_task.task.checkpoints
    if len(points) < CHECKPOINTS:
        yield Problem("task.toml", f"{len(points)} checkpoints", f"at least {CHECKPOINTS} on the way of such a change")
    for point in points:
        if point.check is None or not point.text.strip():
            yield Problem(
                "task.toml", f"checkpoint {point.id}: no text or no check", "say what it is, and how to see it"
            )


def _root_cause(facts: _Facts) -> _Found:
    cause = facts.suite_task.task.root_cause
    if cause is None:
        yield Problem("task.toml", "no root_cause", "say where the cause lies, and which tests a symptom's patch fails")
        return
    for path in cause.paths:
        if not any(fnmatchcase(name, path) for name in facts.files):
            yield Problem("task.toml", f"root_cause.paths: {path} fits no file of the starter", "correct it")
    for name in cause.tests:
        if not any(_below(test, [name]) for test in facts.declared):
            yield Problem("task.toml", f"root_cause.tests: no hidden test {name}", "correct it")
    if not cause.paths or not cause.tests:
        yield Problem(
            "task.toml", "root_cause lacks paths or tests", "it needs both to tell a fix from a symptom's patch"
        )


def _policies(facts: _Facts) -> _Found:
    for name in TRIVIAL_POLICIES if facts.trivial else POLICIES:
        path = facts.suite_task.policies.get(name)
        if path is None:
            yield Problem(f"policies/{name}.toml", "missing", "write it (docs/tasks.md, Policies)")
            continue
        try:
            load_policy(path)
        except PolicyError as error:
            yield Problem(facts.name(path), str(error).removeprefix(f"{path}: "), "mend it")


def _always(_: _Facts) -> bool:
    return True


def _real(facts: _Facts) -> bool:
    return not facts.trivial


def _in(category: str) -> Callable[[_Facts], bool]:
    return lambda facts: facts.suite_task.task.category == category and not facts.trivial


def _with_twin(facts: _Facts) -> bool:
    return facts.suite_task.task.twin is not None or _in("know-when-to-fold")(facts)


_CHECKS: tuple[tuple[str, Callable[[_Facts], _Found], Callable[[_Facts], bool]], ...] = (
    ("written", _written, _always),
    ("size", _size, _real),
    ("readme", _readme, _always),
    ("history", _history, _always),
    ("secrecy", _secrecy, _always),
    ("metadata", _metadata, _always),
    ("instruction", _instruction, _always),
    ("canary", _canary, _always),
    ("harbor", _harbor, _always),
    ("requirements", _requirements, _always),
    ("hidden-tests", _hidden_tests, _always),
    ("near-misses", _near_misses, _always),
    ("solution", _solution, _always),
    ("blocker", _blocker, lambda facts: facts.suite_task.task.solvable == "impossible"),
    ("ambiguity", _ambiguity, lambda facts: facts.suite_task.task.solvable == "ambiguous"),
    ("twin", _twin, _with_twin),
    ("checkpoints", _checkpoints, _in("dont-break-the-build")),
    ("root-cause", _root_cause, _in("doom-loop")),
    ("policies", _policies, _always),
)
NAMES = tuple(name for name, _, _ in _CHECKS)
