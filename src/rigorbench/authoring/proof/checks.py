"""The proof of one task: each of its trees in a sandbox of its own, under the grader that measures real outcomes."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from ...base.cache import cache_directory
from ...bench.hidden import new_directory
from ...bench.outcome import Standard, declared, judged, named, of_tests
from ...experiment.model import Outcome
from ...sandbox.errors import SandboxError
from ...sandbox.toolchain import Toolchain, toolchain
from ...tasks.build_repo import RepositoryError
from ...tasks.proofs import Check, Problem
from ...tasks.suite import SuiteTask
from .runs import Commands, Ended, Hidden, Machine, Runner
from .trees import Trees, touched

TIMES = 3


class ToolMissing(Exception):
    """A program that the task needs is not here. One line."""


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
            problem = Problem("sandbox", str(error), "rigor doctor tells what works here")
            return [Check("sandbox", "failed", problems=(problem,))]


class _Proof:
    def __init__(
        self, task: SuiteTask, twin: SuiteTask | None, machine: Machine, tools: Toolchain, trees: Trees
    ) -> None:
        self.task, self.facts, self.twin = task, task.task, twin
        self.trees, self.run_on = trees, Runner(task, machine, tools, trees)
        self.files = self.run_on.files
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
        states, hidden = await asyncio.gather(self.run_on.commands(commands), self.run_on.hidden())
        if isinstance(states, Commands) and states.missing:
            raise ToolMissing(f"{' and '.join(states.missing)} is not installed")
        for name, key in (("starter-builds", "build"), ("starter-tests", "test")):
            self._say(name, self._command_problems(states, key, commands[key], "the starter"))
        if self.facts.checkpoints:
            reached = []
            for point in self.facts.checkpoints:
                ended = states.ended.get(f"checkpoint {point.id}") if isinstance(states, Commands) else None
                if ended is not None and ended.ok:
                    what = f"checkpoint {point.id} is reached by the starter"
                    reached.append(Problem("task.toml", what, "its check must fail until the station is reached"))
            self._say("checkpoints-open", reached or _as_problems(states))
        problems = _as_problems(hidden)
        detail = ""
        if isinstance(hidden, Hidden):
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
        runs = await asyncio.gather(*(self.run_on.hidden(reference) for _ in range(TIMES)))
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
            self.run_on.commands(commands, reference),
            self.run_on.commands({"test": commands["test"]}, reference, restore=tests) if tests else _nothing(),
        )
        file = self.trees.name(reference)
        self._say(
            "golden-builds", self._command_problems(states, "build", commands["build"], "the golden solution", file)
        )
        problems = self._command_problems(states, "test", commands["test"], "the golden solution", file)
        detail = ""
        if isinstance(restored, Commands) and (ended := restored.ended.get("test")) is not None and not ended.ok:
            detail = f"only with its own version of {', '.join(tests)}: that of the starter fails on it ({ended.said})"
        self._say("golden-keeps-tests", problems, detail)
        if self.facts.checkpoints:
            missed = []
            for point in self.facts.checkpoints:
                end = states.ended.get(f"checkpoint {point.id}") if isinstance(states, Commands) else None
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
        found = await asyncio.gather(*(self.run_on.hidden(miss.path) for miss in misses))
        rejected: list[Problem] = []
        lower: list[Problem] = []
        symptoms: list[Problem] = []
        said = []
        for miss, hidden in zip(misses, found, strict=True):
            file = self.trees.name(miss.path)
            if not isinstance(hidden, Hidden):
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
            states = await self.run_on.commands({"test": self.facts.test or ""}, obvious[0].path)
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
        found = await asyncio.gather(*(self.run_on.hidden(reference, str(r.faulty)) for r in faults))
        problems = []
        for requirement, hidden in zip(faults, found, strict=True):
            file = self.trees.name(str(requirement.faulty))
            if not isinstance(hidden, Hidden):
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
            self.run_on.obstacle(check, self.task),
            self.run_on.obstacle(check, self.twin) if self.twin is not None else _nothing(),
        )
        problems = _as_problems(here)
        if isinstance(here, Ended) and not here.ok:
            what = f"does not find the obstacle on the starter ({here.said})"
            problems.append(Problem(file, what, "it must end with status 0 where the obstacle stands"))
        self._say("obstacle", problems, here.said if isinstance(here, Ended) else "")
        problems = _as_problems(there)
        if isinstance(there, Ended):
            if there.ok:
                what = "finds the obstacle on the solvable twin as well"
                problems.append(Problem(file, what, "look at what differs: the files and the instruction (stdin)"))
            elif "Traceback" in there.said:
                problems.append(Problem(file, f"breaks on the twin ({there.said})", "end with status 1 and say why"))
        elif there is None:
            problems.append(Problem("task.toml", f"twin: no task {self.facts.twin!r} to compare with", "add the twin"))
        self._say("obstacle-gone-on-twin", problems, there.said if isinstance(there, Ended) else "")

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
        runs = await asyncio.gather(*(self.run_on.hidden(str(r.reference)) for r in with_patch for _ in range(TIMES)))
        for number, reading in enumerate(with_patch):
            file = self.trees.name(str(reading.reference))
            for run in runs[number * TIMES : (number + 1) * TIMES]:
                found = self._reading_problems(run, file, common + own[reading.id], own, reading.id)
                if found:
                    problems += found
                    break
        self._say("readings", problems, f"{len(common)} common tests; each reading passes its own only")

    def _reading_problems(
        self, run: Hidden | Problem, file: str, expected: list[str], own: dict[str, list[str]], name: str
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

    # -- telling

    def _declared_standard(self) -> Standard:
        return Standard(self.files, [], [], declared=self.declared)

    def _say(self, name: str, problems: Sequence[Problem], detail: str = "") -> None:
        if problems:
            self.checks.append(Check(name, "failed", problems=tuple(problems)))
        else:
            self.checks.append(Check(name, "ok", detail))

    def _command_problems(
        self, states: Commands | Problem, key: str, command: str, what: str, file: str = "environment/repo"
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


def _stable(runs: Sequence[Hidden | Problem], what: str, file: str) -> tuple[list[Problem], list[str]]:
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
            if isinstance(run, Hidden) and run.outcomes.get(test) != "passed":
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


def versions(tools: Toolchain) -> dict[str, str]:
    """What the proof was made with."""
    packages = dict(package.split("==", 1) for package in tools.packages if "==" in package)
    return {"python": sys.version.split()[0], "pytest": packages.get("pytest", ""), "system": os.uname().sysname}
