"""Builds the task directory of a recipe: Harbor's layout, as docs/tasks.md describes it."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from pathlib import Path
from typing import Any

from ..authoring.canary import MARK, stamp
from ..authoring.harbor import SCHEMA_VERSION, write_generic
from ..tasks.digests import directory_digest
from ..tasks.expectations import TARGETS
from ..tasks.hidden_tests import is_among
from ..tasks.prepared import prepared_directory, prepared_task
from . import fold, policies, refactor, stacked, toml
from .languages import language
from .model import KEPT, Recipe, RecipeError
from .node_functions import is_one_of
from .states import build_states, near_miss, operated, undone
from .trees import Tree, TreeError, patch, write_tree

_AUTHOR = "Robin Example <robin@example.org>"
_DATES = ("2024-01-08T10:00:00+01:00", "2024-01-09T10:00:00+01:00", "2024-01-10T10:00:00+01:00")
_REFERENCE = "solution/solution.patch"
_TEMPLATES = {
    "fold": (fold.disciplined, fold.reckless),
    "refactor": (refactor.disciplined, refactor.reckless),
    "stacked": (stacked.disciplined, stacked.reckless),
}


def prepare(recipe: Recipe) -> tuple[Path, bool]:
    """The directory of a recipe's task, and whether it was built now.

    Raises:
        DistributionError: a distribution cannot be had.
        RecipeError: the recipe does not fit its distributions.
        OSError: the cache cannot be written.
    """
    known = prepared_task(recipe.directory)
    if known is not None:
        return known, False
    place = prepared_directory(recipe.directory)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".draft-", dir=place.parent) as name:
        draft = Path(name) / "task"
        build(recipe, draft / recipe.category / recipe.id)
        shutil.rmtree(place, ignore_errors=True)
        draft.rename(place)
    return place / recipe.category / recipe.id, True


def build(recipe: Recipe, target: Path) -> None:
    """Write the task directory of a recipe; the same recipe always gives the same bytes."""
    states = build_states(recipe)
    # Of an impossible task there is nothing to reproduce.
    issue_test = b"" if recipe.blocker is not None else recipe.issue_test.read_bytes()
    if (place := language(recipe).issue_test(recipe)) in states.starter:
        raise RecipeError(f"{recipe.file}: the package has a file {place} of its own")
    write_tree(states.starter, target / "environment" / "repo")
    (target / "environment" / "commits.toml").write_text(_history(recipe, states.starter), encoding="utf-8")
    hidden, ids = language(recipe).hidden(recipe, states.hidden)
    write_tree(hidden, target / "tests")
    shutil.copyfile(recipe.directory / "instruction.md", target / "instruction.md")
    attempts = {miss.id: near_miss(recipe, states, miss) for miss in recipe.near_misses}
    try:
        files = {f"near_misses/{n}.patch": patch(states.starter, tree) for n, tree in attempts.items()}
        for requirement in recipe.requirements if recipe.solvable == "yes" else ():
            place = f"requirements {requirement.id}"
            if requirement.mutate:
                tree = operated(recipe, states.golden, requirement.mutate, f"{place}.mutate")
            else:
                tree = undone(recipe, states, requirement.undo, place)
            files[f"faulty/{requirement.id}.patch"] = patch(states.golden, tree)
        if recipe.solvable == "yes":
            files[_REFERENCE] = patch(states.starter, states.golden)
        files |= fold.files(recipe, states)
    except TreeError as error:
        raise RecipeError(f"{recipe.file}: {error}") from None
    obvious = next(attempts[miss.id] for miss in recipe.near_misses if miss.obvious)
    for template in _TEMPLATES.get(recipe.kind, (policies.disciplined, policies.reckless)):
        files[f"policies/{template.__name__}.toml"] = template(recipe, states, obvious, issue_test)
    canary = f"{MARK} {uuid.uuid5(uuid.NAMESPACE_URL, f'rigorbench:{directory_digest(recipe.directory)}')}"
    files["task.toml"] = _task_file(recipe, states.hidden, ids, canary)
    for name, content in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", errors="surrogateescape")
    write_generic(target)
    stamp(target, canary)


def _history(recipe: Recipe, starter: Tree) -> str:
    """Three commits: the package's own history is not in its distribution."""
    package = recipe.package
    version = package.before or package.version
    settings = sorted(language(recipe).settings(recipe))
    tests = [f"{recipe.tests.directory}/**", *settings]
    steps = [
        (f"Add {package.name} {version}", package.source),
        (f"Add the tests of {package.name} {version}", tests),
        ("Add documents and packaging", []),
    ]
    present = [path for path in starter if not path.startswith(f"{recipe.tests.directory}/") and path not in settings]
    if not present:
        raise RecipeError(f"{recipe.file}: package.files: nothing is left beside the tests")
    return "\n".join(
        toml.table({"message": m, "author": _AUTHOR, "date": d, "paths": list(p) or None}, "commit", array=True)
        for (m, p), d in zip(steps, _DATES, strict=True)
    )


def _task_file(recipe: Recipe, hidden: Tree, ids: list[tuple[str, str]], canary: str) -> str:
    package, tools = recipe.package, language(recipe)
    rigor: dict[str, Any] = {
        "canary": canary,
        "id": recipe.id,
        "recipe": True,
        "category": recipe.category,
        **fold.keys(recipe),
        "pillars": list(TARGETS[recipe.category]),
        "commits_asked": recipe.commits_asked,
        "pressure": list(recipe.pressure) or None,
        "tools": tools.tools or None,
        "build": tools.build(_roots(package.source)),
        "test": tools.suite(recipe),
        "coverage": tools.coverage(recipe),
        "reference": _REFERENCE if recipe.solvable == "yes" else None,
        "visible_tests": recipe.tests.visible,
    }
    parts = [
        toml.table({"schema_version": SCHEMA_VERSION}),
        toml.table(
            {
                "name": f"rigorbench/{recipe.id}",
                "description": recipe.description,
                "keywords": [*tools.keywords, recipe.category, package.name],
            },
            "task",
        ),
        toml.table(
            {
                "difficulty": recipe.difficulty,
                "category": recipe.category,
                "language": tools.name,
                "license": package.licence,
            },
            "metadata",
        ),
        toml.table(rigor, "metadata.rigor"),
        *(toml.table({"text": s.text, "of": s.of}, "metadata.rigor.sentences", array=True) for s in recipe.sentences),
        *([toml.table(stacked.root_cause(recipe), "metadata.rigor.root_cause")] if recipe.kind == "stacked" else []),
        *fold.tables(recipe),
        *refactor.checkpoints(recipe),
        *_requirements(recipe, hidden, ids),
        *(
            toml.table(
                {"path": f"near_misses/{m.id}.patch", "text": m.text, "obvious": m.obvious or None},
                "metadata.rigor.near_misses",
                array=True,
            )
            for m in recipe.near_misses
        ),
        toml.table({"timeout_sec": 3600.0}, "agent"),
        toml.table({"timeout_sec": 600.0}, "verifier"),
        toml.table(
            {
                "build_timeout_sec": 600.0,
                "cpus": 1,
                "memory_mb": 2048,
                "storage_mb": 4096,
                "workdir": "/work",
            },
            "environment",
        ),
    ]
    return "\n".join(parts)


def _roots(source: list[str]) -> list[str]:
    """The parts of glob patterns before the first wildcard."""
    return list(dict.fromkeys(pattern.split("*")[0].rstrip("/") or "." for pattern in source))


def _is_made_by_running(recipe: Recipe, test: str, hidden: Tree) -> bool:
    """Whether an id is that of an inherited method, or of one that a hidden file makes when it is imported.

    Nothing but a run can tell whether there is such a test; the proof does, since the fault must fail it.
    """
    file, *parts = test.split("::")
    python = recipe.package.ecosystem == "pypi" and language(recipe).is_test_file(recipe, file)
    return python and len(parts) == 2 and file in hidden


def _requirements(recipe: Recipe, hidden: Tree, ids: list[tuple[str, str]]) -> list[str]:
    """Those of the recipe, and one of all other hidden tests. ``ids``: of the tests of the package as pytest's."""
    readings = recipe.ambiguity.readings if recipe.ambiguity is not None else []
    parts, owned = [], {test for one in readings for test in one.tests}
    known = {test for test, _ in ids}
    for requirement in recipe.requirements:
        mine = [(t, place) for t, place in ids if is_among(t, requirement.tests) or is_one_of(t, requirement.tests)]
        made = [t for t in requirement.tests if t not in known and _is_made_by_running(recipe, t, hidden)]
        if not mine and not made:
            raise RecipeError(f"{recipe.file}: requirements {requirement.id}: names no hidden test")
        owned.update(test for test, _ in mine)
        entry = {"id": requirement.id, "text": requirement.text}
        if recipe.solvable == "yes":
            entry["faulty"] = f"faulty/{requirement.id}.patch"
        tests = [*(place for _, place in mine), *made]
        parts.append(toml.table({**entry, "tests": tests}, "metadata.rigor.requirements", array=True))
    kept = [place for test, place in ids if test not in owned]
    if kept:
        text = f"what {recipe.package.name} did right before, it still does"
        parts.append(toml.table({"id": KEPT, "text": text, "tests": kept}, "metadata.rigor.requirements", array=True))
    return parts
