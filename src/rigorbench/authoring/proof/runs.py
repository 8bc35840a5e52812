"""Runs on the trees of a task: its hidden tests, its own commands, a blocker's check, each in a fresh sandbox."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

from msgspec import Struct

from ...bench.outcome.expected import ExpectedError, find_expected, run_visible, visible_tests
from ...bench.outcome.hidden import HIDDEN, FileReport, HiddenSeconds, new_directory, run_hidden, sandbox
from ...bench.tasks.build_repo import RepositoryError
from ...bench.tasks.hidden_tests import make_readable, pytest_files
from ...bench.tasks.prepared import directory_digest
from ...bench.tasks.proofs import ProofCheck, TaskFault
from ...bench.tasks.suite import SuiteTask
from ...bench.tasks.workspace import apply_change, build_repository
from ...sandbox.box.box import Box
from ...sandbox.kit.errors import SandboxError
from ...sandbox.kit.toolchain import PYTHON, Toolchain

_NAMES = re.compile(r"^(?:\+\+\+ b/|--- a/|rename (?:from|to) )(.+?)\s*$", re.MULTILINE)


class PatchError(ValueError):
    """A patch does not apply: its file, and why in one line."""


class Trees:
    """The trees of one task, below ``directory``."""

    def __init__(self, task: SuiteTask, directory: Path) -> None:
        """Raises: rigorbench.bench.tasks.build_repo.RepositoryError when the starter cannot be built."""
        self.task, self.directory, self._count = task, directory, 0
        self.starter = directory / "starter"
        build_repository(task.directory, self.starter)

    def make(self, *changes: str, history: bool = False, restore: Sequence[str] = ()) -> Path:
        """A new directory whose ``work`` is the starter with changes (patches, directories) applied.

        ``restore``: files of which it has the starter's version all the same.

        Raises:
            PatchError: a change does not apply.
        """
        self._count += 1
        tree = self.directory / f"tree{self._count}"
        ignore = None if history else shutil.ignore_patterns(".git")
        shutil.copytree(self.starter, tree / "work", ignore=ignore)
        for number, change in enumerate(changes):
            why = apply_change(Path(change), tree / "work")
            if why is not None:
                base = "the golden solution" if number else "the starter"
                raise PatchError(self.name(change), f"does not apply to {base} ({why[:240]})")
        for name in restore:
            target = tree / "work" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.starter / name, target)
        return tree

    def name(self, path: str) -> str:
        """A file of the task in messages: relative to the task's directory."""
        file = Path(path)
        return file.relative_to(self.task.directory).as_posix() if file.is_relative_to(self.task.directory) else path


def touched(change: str) -> list[str]:
    """The paths that a patch or a directory of files changes."""
    path = Path(change)
    if path.is_dir():
        return sorted(f.relative_to(path).as_posix() for f in path.rglob("*") if f.is_file())
    names = _NAMES.findall(path.read_text(encoding="utf-8", errors="replace"))
    return sorted({name.strip('"').split("\t")[0] for name in names})


# Seconds for a file of hidden tests on one tree, and for one command of the task.
BUDGET = HiddenSeconds(file=90.0, total=180.0)
COMMAND_SECONDS = 300.0
_OUTPUT = 1 << 20


class Machine:
    """Limits how many trees of all tasks run at a time, and measures each task's seconds."""

    def __init__(self, jobs: int) -> None:
        self.free = asyncio.Semaphore(jobs)
        self.seconds: dict[str, float] = {}

    @contextlib.asynccontextmanager
    async def turn(self, task: SuiteTask) -> AsyncIterator[None]:
        """Wait for a free slot; the time in the block counts as the task's."""
        async with self.free:
            started = time.monotonic()
            try:
                yield
            finally:
                self.seconds[task.id] = self.seconds.get(task.id, 0.0) + time.monotonic() - started


class CommandResult(Struct):
    """How a command of the task ended; ``last``: the last line of its output."""

    ok: bool
    last: str


class HiddenResults(Struct):
    """The results of the hidden tests on one tree, or of the visible ones."""

    reports: dict[str, FileReport]

    @property
    def outcomes(self) -> dict[str, str]:
        return {t: o for r in self.reports.values() if not r.tampering for t, o in r.outcomes.items()}

    @property
    def broken(self) -> str | None:
        """Why a run did not finish, or ran no test; None: all runs are complete."""
        for file, report in self.reports.items():
            if report.tampering:
                return f"{file}: the code under test {report.tampering[0]}"
            if not report.finished:
                return f"{file}: the run broke off ({report.stopped})"
            if not report.outcomes:
                why = next(iter(report.why.values()), "no test in it")
                return f"{file}: no test ran ({last_line(why)})"
        return None

    def why(self, test: str) -> str:
        for report in self.reports.values():
            if test in report.why:
                return f" ({last_line(report.why[test])})"
        return ""


class TreeRunner:
    """Runs on the trees of one task. A run that is not possible returns a problem with its remedy.

    Several checks may ask for the same tests on the same tree (the fault of the only requirement is often the starter):
    they share one run. ``again=True`` runs them once more.
    """

    def __init__(self, task: SuiteTask, machine: Machine, tools: Toolchain, trees: Trees) -> None:
        self.task, self.machine, self.tools, self.trees = task, machine, tools, trees
        self.files = pytest_files(task.hidden)
        self._runs: dict[tuple[str, str], asyncio.Task[HiddenResults]] = {}

    async def hidden(self, *changes: str, again: bool = False) -> HiddenResults | TaskFault:
        """Run the hidden tests on the starter with changes applied."""
        return await self._on_tree("hidden", self._hidden, changes, again=again)

    async def visible(self, *changes: str, again: bool = False) -> HiddenResults | TaskFault:
        """Run the starter's own tests on the starter with changes applied."""
        return await self._on_tree("visible", self._visible, changes, again=again)

    async def _on_tree(
        self, what: str, run: Callable[[Path], Awaitable[HiddenResults]], changes: Sequence[str], *, again: bool
    ) -> HiddenResults | TaskFault:
        try:
            async with self.machine.turn(self.task):
                tree = await asyncio.to_thread(self.trees.make, *changes)
                key = what, await asyncio.to_thread(directory_digest, tree / "work")
            if again or key not in self._runs:
                self._runs[key] = asyncio.ensure_future(self._in_turn(run, tree))
            return await self._runs[key]
        except (PatchError, SandboxError) as error:
            return _problem(error)

    async def _in_turn(self, run: Callable[[Path], Awaitable[HiddenResults]], tree: Path) -> HiddenResults:
        async with self.machine.turn(self.task):
            return await run(tree)

    async def _hidden(self, tree: Path) -> HiddenResults:
        try:
            isolated = (await find_expected(self.task, self.tools, BUDGET)).isolated
        except (ExpectedError, RepositoryError):
            isolated = []  # the checks say what is wrong with the task

        def place(work: Path) -> None:
            shutil.copytree(tree / "work", work, symlinks=True, dirs_exist_ok=True)

        # Each file may take its time, however many there are.
        budget = HiddenSeconds(BUDGET.file, BUDGET.file * len(self.files))
        return HiddenResults(await run_hidden(self.tools, self.task.hidden, self.files, isolated, budget, place))

    async def _visible(self, tree: Path) -> HiddenResults:
        async with sandbox(tree, self.tools) as box:
            tests = visible_tests(self.task, tree / "work")
            return HiddenResults(await run_visible(box, tests, BUDGET))

    async def commands(
        self, commands: dict[str, str], *changes: str, restore: Sequence[str] = ()
    ) -> dict[str, CommandResult] | TaskFault:
        """Run commands of the task by their names, one after the other, in a tree with its history.

        ``restore``: files of which the starter's version is used.
        """
        async with self.machine.turn(self.task):
            try:
                tree = await asyncio.to_thread(self.trees.make, *changes, history=True, restore=restore)
                async with sandbox(tree, self.tools) as box:
                    return {name: await _shell(box, command) for name, command in commands.items() if command}
            except (PatchError, SandboxError) as error:
                return _problem(error)

    async def obstacle(self, check: str, on: SuiteTask) -> CommandResult | TaskFault:
        """Run a blocker's check on the starter of a task: this one, or its twin."""
        async with self.machine.turn(self.task):
            try:
                with new_directory("rigor-obstacle-") as name:
                    trees = self.trees if on is self.task else await asyncio.to_thread(Trees, on, Path(name))
                    return await self._obstacle(Path(check), on, trees)
            except RepositoryError as error:
                return TaskFault(str(on.directory), str(error), "correct the files of the starter")
            except SandboxError as error:
                return _problem(error)

    async def _obstacle(self, check: Path, on: SuiteTask, trees: Trees) -> CommandResult:
        tree = await asyncio.to_thread(trees.make, history=True)
        proof = tree / "proof"
        if check.parent == self.task.directory:
            proof.mkdir()
            shutil.copyfile(check, proof / check.name)
        else:
            shutil.copytree(check.parent, proof, ignore=shutil.ignore_patterns("__pycache__"))
        make_readable(proof)
        async with sandbox(tree, self.tools, proof) as box:
            done = await box.exec(
                [PYTHON, "-B", f"{HIDDEN}/{check.name}"],
                input=(on.task.instruction or "").encode(),
                timeout=COMMAND_SECONDS,
                output_limit=_OUTPUT,
                origin="engine",
            )
        last = last_line((done.stdout + b"\n" + done.stderr).decode("utf-8", "replace"))
        if b"Traceback (most recent call last)" in done.stderr:
            last = f"Traceback: {last}"
        return CommandResult(done.status == 0, last)


def _problem(error: PatchError | SandboxError) -> TaskFault:
    if isinstance(error, PatchError):
        file, why = error.args
        return TaskFault(file, why, "make the patch again")
    return TaskFault("sandbox", " ".join(str(error).split()), "run it again")


async def _shell(box: Box, command: str) -> CommandResult:
    done = await box.exec(["bash", "-c", command], timeout=COMMAND_SECONDS, output_limit=_OUTPUT, origin="engine")
    if done.timed_out:
        return CommandResult(False, f"it ran longer than {COMMAND_SECONDS:.0f} s")
    last = last_line((done.stdout + b"\n" + done.stderr).decode("utf-8", "replace"))
    return CommandResult(done.status == 0, f"status {done.status}: {last}" if done.status else last)


def last_line(text: str) -> str:
    """The last line that is not empty, cut to a readable length."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "".join(c if c.isprintable() else "?" for c in lines[-1][:200]) if lines else "no output"


# The order of checks in a report; the parts of a proof end in any order.
ORDER = (
    "starter-builds",
    "starter-tests",
    "starter-red",
    "starter-fails",
    "verdict-outside",
    "golden-passes",
    "baseline",
    "golden-builds",
    "golden-keeps-tests",
    "near-misses-rejected",
    "near-misses-lower",
    "near-misses-red",
    "causes-stacked",
    "symptoms-turn-red",
    "obvious-passes-visible",
    "faults",
    "checkpoints-open",
    "checkpoints-reached",
    "root-cause-touched",
    "symptoms-caught",
    "difficulty",
    "obstacle",
    "obstacle-gone-on-twin",
    "readings",
)


def make_check(name: str, problems: Sequence[TaskFault], detail: str = "") -> ProofCheck:
    return ProofCheck(name, "failed", problems=tuple(problems)) if problems else ProofCheck(name, "ok", detail)


def stable(
    runs: Sequence[HiddenResults | TaskFault], file: str, *, skips: bool = False
) -> tuple[list[TaskFault], list[str]]:
    """Problems of the golden solution, which must pass every test in each run; and all tests that any run contained.

    ``skips``: a test may be skipped instead.
    """
    fine = ("passed", "skipped") if skips else ("passed",)
    seen: dict[str, list[str]] = {}
    for number, run in enumerate(runs, 1):
        if isinstance(run, TaskFault):
            return [run], []
        if run.broken is not None:
            return [TaskFault(file, f"the golden solution, time {number}: {run.broken}", "correct it or the test")], []
        for test in run.outcomes:
            seen.setdefault(test, [])
    problems = []
    for test, whys in seen.items():
        for run in runs:
            if isinstance(run, HiddenResults) and run.outcomes.get(test) not in fine:
                whys.append(f"{run.outcomes.get(test, 'not run')}{run.why(test)}")
        if whys:
            times = len(runs) - len(whys)
            remedy = "make the test deterministic" if times else "correct the golden solution or the test"
            wrong = f"the golden solution passes {test} in {times} of {len(runs)} runs: {whys[0]}"
            problems.append(TaskFault(file, wrong, remedy))
    return problems, list(seen)
