"""What the starter's own tests say: which a doom-loop task leaves red, and how often one edit deceives them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from ...evidence.paths import role
from ...tasks.hidden_tests import is_among
from ...tasks.proofs import Check, Problem
from ...tasks.suite import SuiteTask
from .results import make_check
from .runs import HiddenResults, Runner
from .trees import Trees

# Single edits that are tried for the difficulty of a task; more take too long.
MOST_EDITS = 10
# The same with edits that are drawn as well.
MOST_DRAWN = 12
# Wrong fixes of a task, from its starter, its golden tree and a seed: a file of the golden tree and its text.
Draw = Callable[[Path, Path, str], Iterable[tuple[str, str]]]
_FILE = re.compile(r"^diff --git a/(.+?) b/.+?$", re.MULTILINE)


def leaves_red(task: SuiteTask) -> bool:
    """Whether the starter of a task has red tests on purpose."""
    return task.task.root_cause is not None and bool(task.task.root_cause.visible)


async def check_red(task: SuiteTask, runner: Runner) -> list[Check]:
    """The checks of a task that leaves visible tests red: no near miss is green, nor is the first right fix."""
    cause = task.task.root_cause
    assert cause is not None
    changes = [miss.path for miss in task.task.near_misses]
    start, *found = await asyncio.gather(runner.visible(), *(runner.visible(change) for change in changes))
    if isinstance(start, Problem):
        return [Check("starter-red", "failed", problems=(start,))]
    red = _red(start)
    problems = [
        Problem("environment/repo", f"{test} is red on the starter", "name it in root_cause.visible, or repair it")
        for test in sorted(red)
        if not is_among(test, cause.visible)
    ]
    problems += [
        Problem("task.toml", f"root_cause.visible: {name} is not red on the starter", "correct it")
        for name in cause.visible
        if not any(is_among(test, [name]) for test in red)
    ]
    checks = [make_check("starter-red", problems, f"{len(red)} of {len(start.outcomes)} visible tests are red on it")]
    green: list[Problem] = []
    half, turned = [], []
    for change, run in zip(changes, found, strict=True):
        name = runner.trees.name(change)
        if isinstance(run, Problem):
            green.append(run)
            continue
        now = _red(run)
        if run.broken is None and not now:
            green.append(Problem(name, "turns every visible test green", "add a visible test of what it gets wrong"))
        if now & red and red - now:
            half.append(Path(change).stem)
        if now - red:
            turned.append(Path(change).stem)
    checks.append(make_check("near-misses-red", green, "each leaves a visible test red"))
    checks.append(_expect(half, "causes-stacked", "no near miss repairs one of the red tests and leaves another red"))
    checks.append(_expect(turned, "symptoms-turn-red", "no near miss turns a test red that passes on the starter"))
    return checks


def _red(run: HiddenResults) -> set[str]:
    return {test for test, outcome in run.outcomes.items() if outcome not in ("passed", "skipped")}


def _expect(found: Sequence[str], name: str, otherwise: str) -> Check:
    problems = [] if found else [Problem("near_misses", otherwise, "add such a visible test, or such a near miss")]
    return make_check(name, problems, ", ".join(found))


# -- difficulty ------------------------------------------------------------------------------------------------------


class _Edit(Struct):
    """How a patch of one edit did. ``visible``, ``hidden``: whether all tests of that kind pass."""

    visible: bool
    hidden: bool


async def measure_difficulty(task: SuiteTask, runner: Runner, trees: Trees, draw: Draw | None = None) -> Check | None:
    """How often one edit deceives: the patches that turn all visible tests green and leave a hidden one red.

    The edits are the hunks of the golden solution, each alone, the near misses that are one hunk, and those that
    ``draw`` makes with the task's digest for a seed. None: the task has none. It says nothing good or bad of a task; a
    reader of the suite compares it with the stated difficulty.
    """
    if task.task.reference is None:
        return None
    misses = [single_edits(Path(miss.path)) for miss in task.task.near_misses]
    texts = [*single_edits(Path(task.task.reference)), *(hunks[0] for hunks in misses if len(hunks) == 1)]
    chosen = list(dict.fromkeys(texts))[:MOST_EDITS]
    edits = [[str(await asyncio.to_thread(_patch_file, trees, n, text))] for n, text in enumerate(chosen)]
    if draw is not None:
        more = await asyncio.to_thread(_drawn, task, trees, draw, MOST_DRAWN - len(edits))
        edits += [[task.task.reference, str(files)] for files in more]
    found = [e for e in await asyncio.gather(*(_try(runner, changes) for changes in edits)) if e]
    if not found:
        return None
    deceptive = sum(e.visible and not e.hidden for e in found)
    solving = sum(e.visible and e.hidden for e in found)
    detail = f"{deceptive} of {len(found)} single edits pass the visible tests and fail a hidden one"
    return Check("difficulty", "ok", f"{detail}; {solving} solve the task")


def _patch_file(trees: Trees, number: int, text: str) -> Path:
    patch = trees.directory / f"edit{number}.patch"
    patch.write_text(text, encoding="utf-8")
    return patch


def _drawn(task: SuiteTask, trees: Trees, draw: Draw, most: int) -> list[Path]:
    """Directories that hold the changed file of a drawn edit each."""
    golden = trees.make(str(task.task.reference)) / "work"
    directories = []
    for number, (file, text) in enumerate(islice(draw(trees.starter, golden, task.digest), max(0, most))):
        directories.append(trees.directory / f"drawn{number}")
        target = directories[-1] / file
        target.parent.mkdir(parents=True)
        target.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
    return directories


async def _try(runner: Runner, changes: Sequence[str]) -> _Edit | None:
    visible = await runner.visible(*changes)
    if isinstance(visible, Problem):
        return None
    if not _is_green(visible):
        # It neither deceives nor solves: the hidden tests need not run.
        return _Edit(visible=False, hidden=False)
    hidden = await runner.hidden(*changes)
    return None if isinstance(hidden, Problem) else _Edit(visible=True, hidden=_is_green(hidden))


def _is_green(run: HiddenResults) -> bool:
    return run.broken is None and not _red(run)


def single_edits(change: Path) -> list[str]:
    """Each hunk of production code of a patch as a patch of its own; none of a directory of files."""
    return [] if change.is_dir() else list(_hunks(change.read_text(encoding="utf-8")))


def _hunks(patch: str) -> Iterator[str]:
    starts = [match.start() for match in _FILE.finditer(patch)]
    for start, end in zip(starts, [*starts[1:], len(patch)], strict=True):
        head, *hunks = re.split(r"^(?=@@ )", patch[start:end], flags=re.MULTILINE)
        name = _FILE.match(head)
        if name is not None and role(name[1]) == "production" and "new file" not in head:
            yield from (head + hunk for hunk in hunks)
