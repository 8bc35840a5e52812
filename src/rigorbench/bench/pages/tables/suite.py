"""Tables that need no result of a run: benchmarks of coding agents (I), and the tasks as they were run (II)."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from ....review.pages import words
from ....sandbox.kit.programs import TOOLS
from ...experiment.conditions import is_variant
from ...experiment.records import Manifest, RunResult, Subject
from .query import TableSpec
from .table import Column, Table, TableCell, TableRow, cell

FILE = Path(__file__).with_name("benchmarks.toml")
# What each pillar is called in the file.
ASPECTS = {
    "planning": "planning",
    "verification": "verification",
    "recovery": "recovery",
    "abstention": "abstention",
    "integrity": "integrity of states",
}


def benchmarks() -> list[dict[str, Any]]:
    """All benchmarks of the survey, in the order of their years. ``outcome``: how the result is graded, missing if only
    the process is; the aspects: whether a score of them is reported; ``note``: what "partly" means; ``source``: where
    this is from."""
    found: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["benchmark"]
    return found


def _survey(*_: object) -> list[Table]:
    rows = []
    for one in benchmarks():
        found = [TableCell(one["tasks"]), cell(one.get("outcome"), "the result is not graded")]
        found += [TableCell(one.get(name, "no")) for name in ASPECTS]
        source = TableCell(one["source"], reason=one.get("note", ""))
        rows.append(TableRow([one["name"], str(one["year"])], [*found, source]))
    columns = [Column("tasks", "tasks", "text"), Column("outcome", "outcome", "text")]
    columns += [Column(name, title, "text") for name, title in ASPECTS.items()]
    columns.append(Column("source", "source", "text"))
    caption = "What a benchmark reports a score of. It may need more of an agent than it scores."
    title = "Benchmarks and what they score"
    return [Table("table-1", "I", title, caption, ["benchmark", "year"], columns, rows)]


SURVEY = TableSpec("table-1", _survey)


class Category(Struct, frozen=True):
    """A category of the task suite (RigorBench, arXiv 2606.22678), in our words."""

    title: str
    what: str
    pillars: str
    difficulty: str


CATEGORIES: dict[str, Category] = {
    "plan-then-build": Category("Plan-Then-Build", "features that span several files", "PF, ATI", "medium to hard"),
    "verify-or-die": Category("Verify-Or-Die", "subtle bugs behind fixes that look obvious", "VC, RE", "medium"),
    "doom-loop": Category("Doom Loop Gauntlet", "tasks whose first attempt is made to fail", "RE", "hard"),
    "know-when-to-fold": Category("Know When to Fold", "impossible or ambiguous tasks", "AQ", "variable"),
    "dont-break-the-build": Category(
        "Don't Break the Build", "refactorings in several steps with checkpoints", "ATI, PF", "hard"
    ),
}
# Columns that are there where somebody gave the facts.
_HUMAN = {
    "minutes": Column("human_minutes", "minutes of people", "number"),
    "solved": Column("human_solved", "solved by people"),
}
_OF_PAPER = "from the paper; the manifest does not say what the tasks declare"
_NOT_OF_PAPER = "not one of the paper's categories"
_NOWHERE = "in neither the paper nor the manifest"
_SIZE_UNKNOWN = "the manifest does not say how large the suite is"
_NO_TASK = "no task of this category was run"


def category_title(name: str) -> str:
    return CATEGORIES[name].title if name in CATEGORIES else name or "no category"


def categories(manifest: Manifest, tasks: Iterable[str]) -> list[str]:
    """The paper's categories in its order, then those that tasks have besides."""
    used = dict.fromkeys(manifest.task_text(task, "category") for task in tasks)
    return [*CATEGORIES, *sorted(c for c in used if c not in CATEGORIES)]


def table_2(manifest: Manifest, results: Iterable[RunResult]) -> Table:
    """The tasks that were run, by category."""
    counted = [r for r in results if r.status != "error"]
    run = dict.fromkeys(r.cell.task for r in counted)
    tests: dict[str, int] = {}
    for result in counted:
        if result.outcome is not None and result.outcome.tests:
            tests[result.cell.task] = max(tests.get(result.cell.task, 0), len(result.outcome.tests))
    of_category: defaultdict[str, list[str]] = defaultdict(list)
    variants: Counter[str] = Counter()
    for task in run:
        if is_variant(manifest.tasks, task):
            variants[manifest.task_text(task, "category")] += 1
        else:
            of_category[manifest.task_text(task, "category")].append(task)

    def people_of(tasks: list[str], name: str) -> TableCell:
        return _over(
            tasks,
            lambda task: _human(manifest, task, name),
            lambda known: round(sum(known) / len(known), 6),
            lambda n: f"not given in facts.toml for {n}",
        )

    people = [name for name in _HUMAN if any(_human(manifest, task, name) is not None for task in run)]
    rows = []
    for name in categories(manifest, run):
        tasks = sorted(of_category[name])
        entries = _entries(manifest, name, tasks, variants[name], tests)
        rows.append(TableRow([category_title(name)], [*entries, *(people_of(tasks, n) for n in people)]))
    return Table(
        "table-2",
        "II",
        "The task suite as it was run",
        f"Suite {manifest.suite}. Tasks of which at least one run counts.",
        ["category"],
        [
            Column("what", "what it is", "text"),
            Column("pillars", "primary pillars", "text"),
            Column("difficulty", "difficulty", "text"),
            Column("tasks", "tasks run", "count"),
            Column("suite_tasks", "tasks in the suite", "count"),
            Column("twins", "solvable twins run", "count"),
            Column("suite_twins", "solvable twins in the suite", "count"),
            Column("variants", "pressure variants run", "count"),
            Column("requirements", "requirements", "count"),
            Column("hidden_tests", "hidden tests", "count"),
            Column("toolchains", "toolchains beyond Python", "text"),
            *(_HUMAN[name] for name in people),
        ],
        rows,
        [
            "Description and difficulty of a category are from its design (RigorBench, arXiv 2606.22678), not "
            "measured. A solvable twin differs from an impossible or ambiguous task only in being solvable. Hidden "
            "tests: the most that an outcome of a run lists, summed over tasks and twins."
        ],
    )


def _entries(manifest: Manifest, name: str, tasks: list[str], variants: int, tests: dict[str, int]) -> list[TableCell]:
    subjects = {task: manifest.tasks[task] for task in tasks if task in manifest.tasks}
    twins = [task for task, s in subjects.items() if s.facts.get("twin") and s.facts.get("solvable") == "yes"]
    known = CATEGORIES.get(name)
    size = manifest.suite_facts
    declared = [p for s in subjects.values() for p in _strings(s.facts.get("pillars"))]
    pillars = cell(", ".join(p for p, _ in Counter(declared).most_common()) or None, _NOWHERE)
    if known is not None and not declared:
        pillars = TableCell(known.pillars, reason=_OF_PAPER if subjects else "")
    return [
        cell(known.what if known else None, _NOT_OF_PAPER),
        pillars,
        cell(known.difficulty if known else None, _NOT_OF_PAPER),
        TableCell(len(tasks) - len(twins)),
        _of_suite(size.get("tasks"), name),
        TableCell(len(twins)),
        _of_suite(size.get("twins"), name),
        TableCell(variants),
        _over(tasks, lambda t: _requirements(manifest, t), sum, lambda n: f"not in the manifest for {n}"),
        _over(tasks, tests.get, sum, lambda n: f"no run of {n} has an outcome"),
        _toolchains(tasks, subjects),
    ]


def _human(manifest: Manifest, task: str, name: str) -> float | None:
    """What was given about people on a task (facts.toml)."""
    human = manifest.task_fact(task, "human")
    found = human.get(name) if isinstance(human, dict) else None
    return float(found) if isinstance(found, int | float) else None


def _of_suite(counts: object, name: str) -> TableCell:
    found = counts.get(name, 0) if isinstance(counts, dict) else None
    return cell(found if isinstance(found, int) else None, _SIZE_UNKNOWN)


def _strings(found: object) -> list[str]:
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _requirements(manifest: Manifest, task: str) -> int | None:
    found = manifest.task_fact(task, "requirements")
    return len(found) if isinstance(found, dict) else None


def _over(
    tasks: list[str],
    of: Callable[[str], float | None],
    total: Callable[[list[float]], float],
    missing: Callable[[str], str],
) -> TableCell:
    """A figure over the tasks that have one. ``missing``: what is said of the others, as in "2 tasks"."""
    known = [number for task in tasks if (number := of(task)) is not None]
    unknown = len(tasks) - len(known)
    reason = missing(words.plural(unknown, "task")) if unknown else ""
    if not known:
        return TableCell(None, reason=reason or _NO_TASK)
    return TableCell(total(known), tasks=len(known), reason=reason)


def _toolchains(tasks: list[str], subjects: dict[str, Subject]) -> TableCell:
    if not tasks:
        return TableCell(None, reason=_NO_TASK)
    if not all(isinstance(s.facts.get("tools"), list) for s in subjects.values()) or len(subjects) < len(tasks):
        return TableCell(None, reason="the manifest does not say what the tasks need")
    found: Counter[str] = Counter()
    for subject in subjects.values():
        names = {TOOLS[t].name if t in TOOLS else t for t in _strings(subject.facts["tools"])}
        found.update(names - {"make", "cmake"} or names)
    if not found:
        return TableCell("none")
    return TableCell(", ".join(f"{name} ({n})" for name, n in sorted(found.items(), key=lambda kv: (-kv[1], kv[0]))))


SUITE = TableSpec("table-2", lambda gathered, _: [table_2(gathered.manifest, gathered.results)])
