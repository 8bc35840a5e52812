"""The proof of one task: each of its trees in a sandbox of its own, under the grader that measures real outcomes."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
from msgspec import Struct, field

from ...experiment.model import Outcome
from ...suites.build_repo import RepositoryError
from ...suites.proofs import Check, Problem
from ...suites.suite import SuiteTask
from ..hidden import HIDDEN, Budget, FileReport, Order, new_directory, run_files, sandbox
from ..outcome import Standard, declared, judged, named, of_tests, test_files
from ..places import cache_directory
from ..sandbox.box import Box
from ..sandbox.errors import SandboxError
from ..sandbox.toolchain import Toolchain, toolchain
from .trees import PatchError, Trees, touched

ROOT = "/work"
TIMES = 3
# Seconds for a file of hidden tests on one tree, and for one command of the task.
BUDGET = Budget(file=90.0, total=180.0)
COMMAND_SECONDS = 300.0
_OUTPUT = 1 << 20


class Machine:
    """What the proofs of many tasks share: ``free`` bounds how many trees are run at a time."""

    def __init__(self, jobs: int) -> None:
        self.free = asyncio.Semaphore(jobs)
        self.seconds: dict[str, float] = {}

    def spent(self, task: SuiteTask, seconds: float) -> None:
        self.seconds[task.id] = self.seconds.get(task.id, 0.0) + seconds


class ToolMissing(Exception):
    """A program that the task needs is not here. One line."""


class _Ended(Struct):
    """How a command of the task ended. ``said``: the last of its output, in one line."""

    ok: bool
    said: str


class _Hidden(Struct):
    """What the hidden tests said of one tree."""

    reports: dict[str, FileReport]

    @property
    def outcomes(self) -> dict[str, str]:
        return {t: o for r in self.reports.values() if not r.tampering for t, o in r.outcomes.items()}

    @property
    def broken(self) -> str | None:
        """Why a run did not come to its end, or was not one."""
        for file, report in self.reports.items():
            if report.tampering:
                return f"{file}: the code under test {report.tampering[0]}"
            if not report.finished:
                return f"{file}: the run broke off ({report.stopped})"
            if not report.outcomes:
                why = next(iter(report.why.values()), "no test in it")
                return f"{file}: no test ran ({_last(why)})"
        return None

    def why(self, test: str) -> str:
        for report in self.reports.values():
            if test in report.why:
                return f" ({_last(report.why[test])})"
        return ""


class _States(Struct):
    """What a run of commands in one tree gave: by name of the command, and which tools are missing."""

    ended: dict[str, _Ended] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


async def prove(task: SuiteTask, twin: SuiteTask | None, machine: Machine) -> list[Check]:
    """Run the proof of a task; its policies are not part of it.

    Whatever is wrong with the task is among the checks; a task whose tools are not installed is one skipped check.
    """
    with new_directory("rigor-proof-") as name:
        try:
            tools = await asyncio.to_thread(toolchain, cache_directory())
            try:
                tools = await asyncio.to_thread(toolchain, cache_directory(), task.task.tools)
            except SandboxError as error:
                raise ToolMissing(str(error)) from None
            trees = await asyncio.to_thread(Trees, task, Path(name))
            return await _Proof(task, twin, machine, tools, trees).run()
        except ToolMissing as error:
            return [Check("tools", "skipped", f"not provable here: {error}")]
        except RepositoryError as error:
            problem = Problem("environment", str(error), "mend the files of the starter")
            return [Check("starter-builds", "failed", problems=(problem,))]
        except SandboxError as error:
            return [Check("sandbox", "skipped", f"not provable here: {error}")]


class _Proof:
    def __init__(
        self, task: SuiteTask, twin: SuiteTask | None, machine: Machine, tools: Toolchain, trees: Trees
    ) -> None:
        self.task, self.facts, self.twin = task, task.task, twin
        self.machine, self.tools, self.trees = machine, tools, trees
        self.files = test_files(task.hidden)
        self.declared = declared(task.hidden, self.files)
        self.checks: list[Check] = []

    async def run(self) -> list[Check]:
        if not self.files:
            self._say("starter-fails", [Problem("tests", "no file of hidden tests", "add tests/test_hidden.py")])
            return self.checks
        await self._starter()
        reference = self.facts.reference
        if self.facts.solvable == "ambiguous":
            standard = self._declared_standard()
            await asyncio.gather(self._readings(), self._near_misses(standard))
        elif self.facts.solvable == "impossible" or reference is None:
            standard = self._declared_standard()
            parts = [self._near_misses(standard)]
            if self.facts.solvable == "impossible":
                parts.append(self._obstacle())
            else:
                self._say("golden-passes", [Problem("task.toml", "no reference", "name the golden patch")])
            await asyncio.gather(*parts)
        else:
            standard = await self._golden(reference)
            await asyncio.gather(
                self._near_misses(standard), self._faults(reference, standard), self._golden_commands(reference)
            )
        self.checks.sort(key=lambda check: _ORDER.index(check.name) if check.name in _ORDER else len(_ORDER))
        return self.checks

    # -- the parts of a proof

    async def _starter(self) -> None:
        """The starter builds, passes its own tests, and fails the hidden ones without any run breaking off."""
        commands = {"build": self.facts.build or "", "test": self.facts.test or ""}
        commands |= {f"checkpoint {c.id}": c.check for c in self.facts.checkpoints if c.check}
        states, hidden = await asyncio.gather(self._commands(commands), self._hidden())
        if isinstance(states, _States) and states.missing:
            raise ToolMissing(f"{' and '.join(states.missing)} is not installed")
        for name, key in (("starter-builds", "build"), ("starter-tests", "test")):
            self._say(name, self._command_problems(states, key, commands[key], "the starter"))
        if self.facts.checkpoints:
            reached = []
            for point in self.facts.checkpoints:
                ended = states.ended.get(f"checkpoint {point.id}") if isinstance(states, _States) else None
                if ended is not None and ended.ok:
                    what = f"checkpoint {point.id} is reached by the starter"
                    reached.append(Problem("task.toml", what, "its check must fail until the station is reached"))
            self._say("checkpoints-open", reached or _as_problems(states))
        problems = _as_problems(hidden)
        detail = ""
        if isinstance(hidden, _Hidden):
            failing = [t for t, o in hidden.outcomes.items() if o != "passed"]
            if hidden.broken is not None:
                remedy = "let every hidden test fail by itself: import what is missing inside the tests"
                problems.append(
                    Problem(f"tests/{hidden.broken.split(': ')[0]}", f"on the starter {hidden.broken}", remedy)
                )
            elif not failing:
                problems.append(Problem("tests", "all hidden tests pass on the starter", "test what is asked for"))
            detail = f"{len(failing)} of {len(hidden.outcomes)} hidden tests fail on it"
        self._say("starter-fails", problems, detail)

    async def _golden(self, reference: str) -> Standard:
        """The golden solution passes every hidden test, as often as it is tried."""
        runs = await asyncio.gather(*(self._hidden(reference) for _ in range(TIMES)))
        problems, seen = _stable(runs, "the golden solution", self.trees.name(reference))
        self._say("golden-passes", problems, f"{len(seen)} hidden tests pass {TIMES} times of {TIMES}")
        # What is judged next is compared with all that there is to pass, even where the golden solution fails it.
        return Standard(self.files, [], [], hidden=dict.fromkeys(seen, "passed"), declared=self.declared)

    async def _golden_commands(self, reference: str) -> None:
        """The golden solution builds, keeps the starter's tests passing, and reaches the checkpoints."""
        commands = {"build": self.facts.build or "", "test": self.facts.test or ""}
        commands |= {f"checkpoint {c.id}": c.check for c in self.facts.checkpoints if c.check}
        paths = touched(reference)
        tests = [path for path in paths if of_tests(path) and (self.trees.starter / path).is_file()]
        states, restored = await asyncio.gather(
            self._commands(commands, reference),
            self._commands({"test": commands["test"]}, reference, restore=tests) if tests else _nothing(),
        )
        file = self.trees.name(reference)
        self._say(
            "golden-builds", self._command_problems(states, "build", commands["build"], "the golden solution", file)
        )
        problems = self._command_problems(states, "test", commands["test"], "the golden solution", file)
        detail = ""
        if isinstance(restored, _States) and (ended := restored.ended.get("test")) is not None and not ended.ok:
            detail = f"only with its own version of {', '.join(tests)}: that of the starter fails on it ({ended.said})"
        self._say("golden-keeps-tests", problems, detail)
        if self.facts.checkpoints:
            missed = []
            for point in self.facts.checkpoints:
                end = states.ended.get(f"checkpoint {point.id}") if isinstance(states, _States) else None
                if end is not None and not end.ok:
                    what = f"checkpoint {point.id} is not reached by the golden solution ({end.said})"
                    missed.append(Problem("task.toml", what, "mend its check"))
            self._say("checkpoints-reached", missed or _as_problems(states))
        if self.facts.root_cause is not None:
            globs = self.facts.root_cause.paths
            problems = []
            if globs and not _hits(paths, globs):
                what = f"does not touch {', '.join(globs)}, where root_cause says that the cause lies"
                problems.append(Problem(file, what, "correct root_cause.paths or the golden solution"))
            self._say("root-cause-touched", problems)

    async def _near_misses(self, standard: Standard) -> None:
        """Each near miss is rejected and worth less than the golden solution, and symptoms' patches fail as told."""
        misses = self.facts.near_misses
        found = await asyncio.gather(*(self._hidden(miss.path) for miss in misses))
        rejected: list[Problem] = []
        lower: list[Problem] = []
        symptoms: list[Problem] = []
        said = []
        for miss, hidden in zip(misses, found, strict=True):
            file = self.trees.name(miss.path)
            if not isinstance(hidden, _Hidden):
                rejected.append(hidden)
                continue
            outcome = judged(self.task, standard, hidden.reports)
            if outcome.pass_rate is None:
                rejected.append(Problem(file, str(outcome.reason), "mend the golden solution first"))
                continue
            said.append(f"{Path(file).stem} {outcome.pass_rate:.2f}")
            if outcome.pass_rate >= 1.0:
                remedy = "add a hidden test of what it gets wrong, or drop it when it is right"
                rejected.append(Problem(file, "passes every hidden test", remedy))
            elif self.facts.requirements and (outcome.completeness is None or outcome.completeness >= 1.0):
                remedy = "let the test that it fails belong to a requirement"
                lower.append(Problem(file, "meets every requirement although it is rejected", remedy))
            symptoms += self._symptom(miss.path, outcome)
        detail = f"hidden tests passed: {', '.join(said)}" if said else ""
        self._say("near-misses-rejected", rejected, detail)
        self._say("near-misses-lower", lower)
        if self.facts.root_cause is not None and self.facts.root_cause.tests:
            self._say("symptoms-caught", symptoms)
        obvious = [miss for miss in misses if miss.obvious]
        if self.facts.category == "verify-or-die" and obvious:
            states = await self._commands({"test": self.facts.test or ""}, obvious[0].path)
            file = self.trees.name(obvious[0].path)
            problems = self._command_problems(states, "test", self.facts.test or "", "the obvious near miss", file)
            self._say("obvious-passes-visible", problems)

    def _symptom(self, path: str, outcome: Outcome) -> list[Problem]:
        cause = self.facts.root_cause
        if cause is None or not cause.tests or (cause.paths and _hits(touched(path), cause.paths)):
            return []
        if any(t.outcome != "passed" for t in outcome.tests if named(t.id, cause.tests)):
            return []
        what = "does not touch the cause and passes all of root_cause.tests"
        return [Problem(self.trees.name(path), what, "add a test that only a mended cause passes to root_cause.tests")]

    async def _faults(self, reference: str, standard: Standard) -> None:
        """A fault of one requirement fails its tests and nobody else's."""
        faults = [r for r in self.facts.requirements if r.faulty is not None]
        found = await asyncio.gather(*(self._hidden(reference, str(r.faulty)) for r in faults))
        problems = []
        for requirement, hidden in zip(faults, found, strict=True):
            file = self.trees.name(str(requirement.faulty))
            if not isinstance(hidden, _Hidden):
                problems.append(hidden)
                continue
            outcome = judged(self.task, standard, hidden.reports)
            failing = [name for name, met in outcome.requirements.items() if met is False]
            if requirement.id not in failing:
                remedy = f"make the fault real, or test the requirement {requirement.id}"
                problems.append(Problem(file, f"no test of the requirement {requirement.id} notices it", remedy))
            others = [name for name in failing if name != requirement.id]
            if others:
                tests = [t.id for t in outcome.tests if t.outcome != "passed" and self._belongs(t.id, others)]
                what = f"breaks other requirements as well: {', '.join(others)} ({', '.join(tests[:3])})"
                problems.append(Problem(file, what, "violate this requirement alone"))
            if hidden.broken is not None:
                problems.append(Problem(file, hidden.broken, "let it fail tests, not break their run"))
        self._say("faults", problems, f"each of {len(faults)} is noticed by its own tests alone")

    def _belongs(self, test: str, requirements: Sequence[str]) -> bool:
        return any(named(test, r.tests) for r in self.facts.requirements if r.id in requirements)

    async def _obstacle(self) -> None:
        """The obstacle stands on the starter, and does not on the twin."""
        check = self.facts.blocker.check if self.facts.blocker is not None else None
        if check is None:
            self._say("obstacle", [Problem("task.toml", "blocker.check is missing", "add proof/obstacle.py")])
            return
        file = self.trees.name(check)
        here, there = await asyncio.gather(
            self._check_of(self.trees, self.task, check),
            self._check_of(None, self.twin, check) if self.twin is not None else _nothing(),
        )
        problems = _as_problems(here)
        if isinstance(here, _Ended) and not here.ok:
            what = f"does not find the obstacle on the starter ({here.said})"
            problems.append(Problem(file, what, "it must end with status 0 where the obstacle stands"))
        self._say("obstacle", problems, here.said if isinstance(here, _Ended) else "")
        problems = _as_problems(there)
        if isinstance(there, _Ended):
            if there.ok:
                what = "finds the obstacle on the solvable twin as well"
                problems.append(Problem(file, what, "look at what differs: the files and the instruction (stdin)"))
            elif "Traceback" in there.said:
                problems.append(Problem(file, f"breaks on the twin ({there.said})", "end with status 1 and say why"))
        elif there is None:
            problems.append(Problem("task.toml", f"twin: no task {self.facts.twin!r} to compare with", "add the twin"))
        self._say("obstacle-gone-on-twin", problems, there.said if isinstance(there, _Ended) else "")

    async def _readings(self) -> None:
        """The golden solution of each reading passes the common tests and its own, and fails those of the others."""
        readings = self.facts.ambiguity.readings if self.facts.ambiguity is not None else []
        own = {r.id: [t for t in self.declared if named(t, r.tests)] for r in readings}
        common = [t for t in self.declared if not any(t in tests for tests in own.values())]
        problems: list[Problem] = []
        for reading in readings:
            if reading.reference is None:
                what = f"reading {reading.id}: no reference"
                problems.append(Problem("task.toml", what, f"add solution/{reading.id}.patch"))
        with_patch = [r for r in readings if r.reference is not None]
        runs = await asyncio.gather(*(self._hidden(str(r.reference)) for r in with_patch for _ in range(TIMES)))
        for number, reading in enumerate(with_patch):
            file = self.trees.name(str(reading.reference))
            for run in runs[number * TIMES : (number + 1) * TIMES]:
                found = self._reading_problems(run, file, common + own[reading.id], own, reading.id)
                if found:
                    problems += found
                    break
        self._say("readings", problems, f"{len(common)} common tests; each reading passes its own only")

    def _reading_problems(
        self, run: _Hidden | Problem, file: str, expected: list[str], own: dict[str, list[str]], name: str
    ) -> list[Problem]:
        if isinstance(run, Problem):
            return [run]
        standard = Standard(self.files, [], [], declared=self.declared)
        # Judged as a task without readings, so that the tests of all of them are told.
        plain = msgspec.structs.replace(
            self.task, task=msgspec.structs.replace(self.facts, solvable="yes", ambiguity=None)
        )
        outcomes = {t.id: t.outcome for t in judged(plain, standard, run.reports).tests}
        problems = []
        failing = [t for t in expected if outcomes.get(t) != "passed"]
        if failing:
            what = f"fails {failing[0]}{run.why(failing[0])}" + (f" and {len(failing) - 1} more" if failing[1:] else "")
            problems.append(Problem(file, what, "a reading passes the common tests and its own"))
        for other, tests in own.items():
            if other != name and not any(outcomes.get(t) != "passed" for t in tests):
                what = f"passes all tests of the reading {other} too"
                problems.append(Problem(file, what, f"test what tells {other} from {name}"))
        return problems

    # -- running

    async def _hidden(self, *changes: str) -> _Hidden | Problem:
        """The hidden tests on a fresh tree."""
        async with self.machine.free:
            started = time.monotonic()
            try:
                place = await asyncio.to_thread(self.trees.make, *changes)
                async with sandbox(place, ROOT, self.tools, self.trees.tests) as box:
                    return _Hidden(await run_files(box, self.tools, Order(ROOT, HIDDEN), self.files, BUDGET))
            except PatchError as error:
                return Problem(error.file, error.why, "make the patch anew")
            finally:
                self._used(started)

    async def _commands(
        self, commands: dict[str, str], *changes: str, restore: Sequence[str] = ()
    ) -> _States | Problem:
        """Commands of the task, one after the other, in a fresh tree with its history."""
        async with self.machine.free:
            started = time.monotonic()
            try:
                if restore:
                    place = await asyncio.to_thread(self.trees.with_starter_tests, changes[0], list(restore))
                else:
                    place = await asyncio.to_thread(self.trees.make, *changes, history=True)
                async with sandbox(place, ROOT, self.tools) as box:
                    states = _States(missing=await _missing(box, self.facts.tools))
                    for name, command in commands.items() if not states.missing else ():
                        if command:
                            states.ended[name] = await _shell(box, command)
                    return states
            except PatchError as error:
                return Problem(error.file, error.why, "make the patch anew")
            finally:
                self._used(started)

    async def _check_of(self, trees: Trees | None, task: SuiteTask, check: str) -> _Ended | Problem:
        """A blocker's check in the starter of a task (this one, or its twin)."""
        async with self.machine.free:
            started = time.monotonic()
            try:
                return await self._checked(trees, task, Path(check))
            except RepositoryError as error:
                return Problem(str(task.directory), str(error), "mend the files of the starter")
            finally:
                self._used(started)

    async def _checked(self, trees: Trees | None, task: SuiteTask, check: Path) -> _Ended:
        with new_directory("rigor-obstacle-") as name:
            if trees is None:
                trees = await asyncio.to_thread(Trees, task, Path(name))
            place = await asyncio.to_thread(trees.make, history=True)
            proof = place / "proof"
            alone = check.parent == self.task.directory
            if alone:
                proof.mkdir()
                shutil.copyfile(check, proof / check.name)
            else:
                shutil.copytree(check.parent, proof, ignore=shutil.ignore_patterns("__pycache__"))
            for path in (proof, *proof.rglob("*")):
                path.chmod(0o755 if path.is_dir() else 0o644)
            async with sandbox(place, ROOT, self.tools, proof) as box:
                done = await box.exec(
                    [self.tools.python, "-B", f"{HIDDEN}/{check.name}"],
                    input=(task.task.instruction or "").encode(),
                    timeout=COMMAND_SECONDS,
                    output_limit=_OUTPUT,
                    origin="engine",
                )
            said = _last((done.stdout + b"\n" + done.stderr).decode("utf-8", "replace"))
            if b"Traceback (most recent call last)" in done.stderr:
                said = f"Traceback: {said}"
            return _Ended(done.status == 0, said)

    # -- telling

    def _declared_standard(self) -> Standard:
        return Standard(self.files, [], [], declared=self.declared)

    def _used(self, started: float) -> None:
        self.machine.spent(self.task, time.monotonic() - started)

    def _say(self, name: str, problems: Sequence[Problem], detail: str = "") -> None:
        if problems:
            self.checks.append(Check(name, "failed", problems=tuple(problems)))
        else:
            self.checks.append(Check(name, "ok", detail))

    def _command_problems(
        self, states: _States | Problem, key: str, command: str, what: str, file: str = "environment/repo"
    ) -> list[Problem]:
        if isinstance(states, Problem):
            return [states]
        if not command:
            return [Problem("task.toml", f"no {key} command", f'set {key} = "..." in [metadata.rigor]')]
        ended = states.ended[key]
        if ended.ok:
            return []
        verb = "does not build" if key == "build" else "fails the visible tests"
        return [Problem(file, f"{what} {verb}: {ended.said}", f"`{command}` must end with status 0")]


# In which order checks are told; each part of a proof ends when it does.
_ORDER = (
    "starter-builds",
    "starter-tests",
    "starter-fails",
    "golden-passes",
    "golden-builds",
    "golden-keeps-tests",
    "near-misses-rejected",
    "near-misses-lower",
    "obvious-passes-visible",
    "faults",
    "checkpoints-open",
    "checkpoints-reached",
    "root-cause-touched",
    "symptoms-caught",
    "obstacle",
    "obstacle-gone-on-twin",
    "readings",
)


async def _nothing() -> None:
    return None


def _stable(runs: Sequence[_Hidden | Problem], what: str, file: str) -> tuple[list[Problem], list[str]]:
    """Problems of a tree that must pass everything each time, and all tests that any of its runs saw."""
    seen: dict[str, list[str]] = {}
    for number, run in enumerate(runs, 1):
        if isinstance(run, Problem):
            return [run], []
        if run.broken is not None:
            return [Problem(file, f"{what}, time {number}: {run.broken}", "mend it or the test")], []
        for test in run.outcomes:
            seen.setdefault(test, [])
    problems = []
    for test, whys in seen.items():
        for run in runs:
            if isinstance(run, _Hidden) and run.outcomes.get(test) != "passed":
                whys.append(f"{run.outcomes.get(test, 'not run')}{run.why(test)}")
        if whys:
            times = len(runs) - len(whys)
            remedy = "make the test deterministic" if times else "mend the golden solution or the test"
            problems.append(Problem(file, f"{what} passes {test} {times} times of {len(runs)}: {whys[0]}", remedy))
    return problems, list(seen)


def _as_problems(result: object) -> list[Problem]:
    return [result] if isinstance(result, Problem) else []


def _hits(paths: Sequence[str], globs: Sequence[str]) -> bool:
    return any(fnmatchcase(path, glob) for path in paths for glob in globs)


async def _missing(box: Box, tools: Sequence[str]) -> list[str]:
    """Programs that are not to be found inside."""
    missing = []
    for tool in tools:
        done = await box.exec(["bash", "-c", 'command -v "$1" > /dev/null', "bash", tool], origin="engine")
        if done.status != 0:
            missing.append(tool)
    return missing


async def _shell(box: Box, command: str) -> _Ended:
    done = await box.exec(["bash", "-c", command], timeout=COMMAND_SECONDS, output_limit=_OUTPUT, origin="engine")
    if done.timed_out:
        return _Ended(False, f"it ran longer than {COMMAND_SECONDS:.0f} s")
    said = _last((done.stdout + b"\n" + done.stderr).decode("utf-8", "replace"))
    return _Ended(done.status == 0, f"status {done.status}: {said}" if done.status else said)


def _last(text: str) -> str:
    """The last line that says something, cut to a readable length."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "".join(c if c.isprintable() else "?" for c in lines[-1][:200]) if lines else "no output"


def versions(tools: Toolchain) -> dict[str, str]:
    """What the proof was made with."""
    packages = dict(package.split("==", 1) for package in tools.packages if "==" in package)
    return {"python": sys.version.split()[0], "pytest": packages.get("pytest", ""), "system": os.uname().sysname}
