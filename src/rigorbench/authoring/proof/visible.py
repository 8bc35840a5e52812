"""What the starter's own tests say: which a doom-loop task leaves red, and how often one edit deceives them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...bench.tasks.hidden_tests import is_among
from ...bench.tasks.proofs import ProofCheck, TaskFault
from ...bench.tasks.suite import SuiteTask
from ...evidence.paths import role
from .runs import HiddenResults, TreeRunner, Trees, make_check

# Single edits that are tried for the difficulty of a task; more take too long.
MOST_EDITS = 10
_FILE = re.compile(r"^diff --git a/(.+?) b/.+?$", re.MULTILINE)


def leaves_red(task: SuiteTask) -> bool:
    """Whether the starter of a task has red tests on purpose."""
    return task.task.root_cause is not None and bool(task.task.root_cause.visible)


async def check_red(task: SuiteTask, runner: TreeRunner) -> list[ProofCheck]:
    """The checks of a task that leaves visible tests red: no near miss is green, nor is the first right fix."""
    cause = task.task.root_cause
    assert cause is not None
    changes = [miss.path for miss in task.task.near_misses]
    start, *found = await asyncio.gather(runner.visible(), *(runner.visible(change) for change in changes))
    if isinstance(start, TaskFault):
        return [ProofCheck("starter-red", "failed", problems=(start,))]
    red = _red(start)
    problems = [
        TaskFault("environment/repo", f"{test} is red on the starter", "name it in root_cause.visible, or repair it")
        for test in sorted(red)
        if not is_among(test, cause.visible)
    ]
    problems += [
        TaskFault("task.toml", f"root_cause.visible: {name} is not red on the starter", "correct it")
        for name in cause.visible
        if not any(is_among(test, [name]) for test in red)
    ]
    checks = [make_check("starter-red", problems, f"{len(red)} of {len(start.outcomes)} visible tests are red on it")]
    green: list[TaskFault] = []
    half, turned = [], []
    for change, run in zip(changes, found, strict=True):
        name = runner.trees.name(change)
        if isinstance(run, TaskFault):
            green.append(run)
            continue
        now = _red(run)
        if run.broken is None and not now:
            green.append(TaskFault(name, "turns every visible test green", "add a visible test of what it gets wrong"))
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


def _expect(found: Sequence[str], name: str, otherwise: str) -> ProofCheck:
    problems = [] if found else [TaskFault("near_misses", otherwise, "add such a visible test, or such a near miss")]
    return make_check(name, problems, ", ".join(found))


# -- difficulty ------------------------------------------------------------------------------------------------------


async def measure_difficulty(task: SuiteTask, runner: TreeRunner, trees: Trees) -> ProofCheck | None:
    """How often one edit deceives: the patches that turn all visible tests green and leave a hidden one red.

    The edits are the hunks of the golden solution, each alone, and the near misses that are one hunk. None: the task
    has none. It says nothing good or bad of a task; a reader of the suite compares it with the stated difficulty.
    """
    if task.task.reference is None:
        return None
    misses = [single_edits(Path(miss.path)) for miss in task.task.near_misses]
    texts = [*single_edits(Path(task.task.reference)), *(hunks[0] for hunks in misses if len(hunks) == 1)]
    edits = []
    for number, text in enumerate(list(dict.fromkeys(texts))[:MOST_EDITS]):
        edits.append(trees.directory / f"edit{number}.patch")
        edits[-1].write_text(text, encoding="utf-8")
    found = [e for e in await asyncio.gather(*(_try(runner, str(patch)) for patch in edits)) if e is not None]
    if not found:
        return None
    deceptive, solving = found.count((True, False)), found.count((True, True))
    detail = f"{deceptive} of {len(found)} single edits pass the visible tests and fail a hidden one"
    return ProofCheck("difficulty", "ok", f"{detail}; {solving} solve the task")


async def _try(runner: TreeRunner, change: str) -> tuple[bool, bool] | None:
    """Whether all visible and all hidden tests pass with a patch; None: it cannot be tried."""
    visible = await runner.visible(change)
    if isinstance(visible, TaskFault):
        return None
    if not _is_green(visible):
        # It neither deceives nor solves: the hidden tests need not run.
        return False, False
    hidden = await runner.hidden(change)
    return None if isinstance(hidden, TaskFault) else (True, _is_green(hidden))


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
