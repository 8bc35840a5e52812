"""The proof of one task: its trees run in sandboxes under the grader that also measures real outcomes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from ...base.cache import cache_directory
from ...base.text import count
from ...bench.outcome.expected import Expected, of_tests
from ...bench.outcome.hidden import new_directory
from ...bench.outcome.measure import outcome_of
from ...bench.tasks.build_repo import RepositoryError
from ...bench.tasks.hidden_tests import declared_tests, is_among
from ...bench.tasks.proofs import ProofCheck, TaskFault
from ...bench.tasks.suite import SuiteTask
from ...evidence.paths import role
from ...sandbox.kit.errors import SandboxError
from ...sandbox.kit.toolchain import Toolchain, toolchain
from .runs import (
    ORDER,
    CommandResult,
    HiddenResults,
    Machine,
    TreeRunner,
    Trees,
    make_check,
    stable,
    touched,
)
from .visible import check_red, leaves_red, measure_difficulty

TIMES = 3


async def prove(task: SuiteTask, twin: SuiteTask | None, machine: Machine) -> list[ProofCheck]:
    """Run the proof of a task, without its policies.

    All faults of the task are in the checks; a task whose tools are not installed gives one skipped check.
    """
    with new_directory("rigor-proof-") as name:
        try:
            tools = await asyncio.to_thread(toolchain, cache_directory())
            try:
                tools = await asyncio.to_thread(toolchain, cache_directory(), task.task.tools)
            except SandboxError as error:
                return [ProofCheck("tools", "skipped", f"not provable here: {error}")]
            trees = await asyncio.to_thread(Trees, task, Path(name))
            return await _Proof(task, twin, machine, tools, trees).run()
        except RepositoryError as error:
            problem = TaskFault("environment", str(error), "correct the files of the starter")
            return [ProofCheck("starter-builds", "failed", problems=(problem,))]
        except SandboxError as error:
            problem = TaskFault("sandbox", str(error), "rigor doctor shows what works here")
            return [ProofCheck("sandbox", "failed", problems=(problem,))]


class _Proof:
    def __init__(
        self,
        task: SuiteTask,
        twin: SuiteTask | None,
        machine: Machine,
        tools: Toolchain,
        trees: Trees,
    ) -> None:
        self.task, self.facts, self.twin = task, task.task, twin
        self.trees, self.runner = trees, TreeRunner(task, machine, tools, trees)
        self.files = self.runner.files
        self.declared = declared_tests(task.hidden, self.files)
        self.checks: list[ProofCheck] = []

    async def run(self) -> list[ProofCheck]:
        if not self.files:
            self._add("starter-fails", [TaskFault("tests", "no file of hidden tests", "add tests/test_hidden.py")])
            return self.checks
        await self._starter()
        reference = self.facts.reference
        if self.facts.solvable == "ambiguous":
            await asyncio.gather(self._readings(), self._near_misses(self._expected()))
        elif self.facts.solvable == "impossible" or reference is None:
            parts = [self._near_misses(self._expected())]
            if self.facts.solvable == "impossible":
                parts.append(self._obstacle())
            else:
                self._add("golden-passes", [TaskFault("task.toml", "no reference", "name the golden patch")])
            await asyncio.gather(*parts)
        else:
            expected = await self._golden(reference)
            await asyncio.gather(
                self._near_misses(expected),
                self._faults(reference, expected),
                self._golden_commands(reference),
                self._baseline(reference),
                self._difficulty(),
            )
        self.checks.sort(key=lambda check: ORDER.index(check.name) if check.name in ORDER else len(ORDER))
        return self.checks

    # -- the parts of a proof

    async def _starter(self) -> None:
        """The starter builds, passes its own tests, and fails the hidden ones in runs that finish."""
        commands = self._commands()
        states, hidden = await asyncio.gather(self.runner.commands(commands), self.runner.hidden())
        if leaves_red(self.task):
            self.checks += await check_red(self.task, self.runner)
        for name, key in (("starter-builds", "build"), ("starter-tests", "test")):
            if key == "test" and leaves_red(self.task):
                continue
            self._add(name, self._command_problems(states, key, commands[key], "the starter"))
        if self.facts.checkpoints:
            reached = [
                TaskFault("task.toml", f"the starter reaches checkpoint {name}", "its check must fail until that stage")
                for name, result in self._checkpoint_results(states)
                if result.ok
            ]
            self._add("checkpoints-open", reached or _as_problems(states))
        problems = _as_problems(hidden)
        detail = ""
        if isinstance(hidden, HiddenResults):
            failing = [t for t, o in hidden.outcomes.items() if o != "passed"]
            if hidden.broken is not None:
                remedy = "let every hidden test fail by itself: import what is missing inside the tests"
                problems.append(
                    TaskFault(f"tests/{hidden.broken.split(': ')[0]}", f"on the starter {hidden.broken}", remedy)
                )
            elif not failing:
                problems.append(
                    TaskFault("tests", "all hidden tests pass on the starter", "test what the task requires")
                )
            detail = f"{len(failing)} of {len(hidden.outcomes)} hidden tests fail on it"
        self._add("starter-fails", problems, detail)
        if isinstance(hidden, HiddenResults):
            await self._verdict_outside(hidden)

    async def _verdict_outside(self, starter: HiddenResults) -> None:
        """Starters that end the process, or switch assertions off, pass no hidden test that the starter fails."""
        fake = await asyncio.to_thread(fakes, self.trees.starter, self.trees.directory)
        runs = await asyncio.gather(*(self.runner.hidden(str(place)) for place in fake.values()))
        problems = []
        for what, run in zip(fake, runs, strict=True):
            outcomes = run.outcomes if isinstance(run, HiddenResults) else {}
            won = [t for t, o in outcomes.items() if o == "passed" and starter.outcomes.get(t) != "passed"]
            if won:
                text = f"{count(len(won), 'hidden test')} passed on a starter whose code {what} ({won[0]})"
                remedy = "let the process of the code under test print what it gives, and decide in the test"
                problems.append(TaskFault("tests", text, remedy))
            problems += _as_problems(run)
        self._add("verdict-outside", problems, f"{len(fake)} starters that fake a verdict pass no further test")

    async def _golden(self, reference: str) -> Expected:
        """The golden solution passes every hidden test in each of several runs."""
        runs = await asyncio.gather(*(self.runner.hidden(reference, again=True) for _ in range(TIMES)))
        problems, seen = stable(runs, self.trees.name(reference))
        self._add("golden-passes", problems, f"{len(seen)} hidden tests pass in {TIMES} of {TIMES} runs")
        # Other trees are compared with all tests, including those that the golden solution fails.
        return Expected(self.files, [], [], hidden=dict.fromkeys(seen, "passed"), declared=self.declared)

    async def _golden_commands(self, reference: str) -> None:
        """The golden solution builds, passes the starter's tests, and reaches the checkpoints."""
        commands = self._commands()
        paths = touched(reference)
        tests = [path for path in paths if of_tests(path) and (self.trees.starter / path).is_file()]
        states, restored = await asyncio.gather(
            self.runner.commands(commands, reference),
            self.runner.commands({"test": commands["test"]}, reference, restore=tests) if tests else _nothing(),
        )
        file = self.trees.name(reference)
        self._add(
            "golden-builds", self._command_problems(states, "build", commands["build"], "the golden solution", file)
        )
        problems = self._command_problems(states, "test", commands["test"], "the golden solution", file)
        detail = ""
        if isinstance(restored, dict) and (ended := restored.get("test")) and not ended.ok:
            detail = f"only with its own version of {', '.join(tests)}: that of the starter fails on it ({ended.last})"
        self._add("golden-keeps-tests", problems, detail)
        if self.facts.checkpoints:
            missed = [
                TaskFault(
                    "task.toml", f"the golden solution does not reach checkpoint {name} ({result.last})", "correct it"
                )
                for name, result in self._checkpoint_results(states)
                if not result.ok
            ]
            self._add("checkpoints-reached", missed or _as_problems(states))
        if self.facts.root_cause is not None:
            globs = self.facts.root_cause.paths
            problems = []
            if globs and not _hits(paths, globs):
                what = f"does not touch {', '.join(globs)}, where the cause is, according to root_cause"
                problems.append(TaskFault(file, what, "correct root_cause.paths or the golden solution"))
            self._add("root-cause-touched", problems)

    async def _baseline(self, reference: str) -> None:
        """All tests that the agent sees run, and pass on the golden solution each time.

        A settings file that breaks under this version of pytest would let any change pass: nothing would run.
        """
        expected = self.facts.visible_tests
        if expected is None:
            return
        runs = await asyncio.gather(*(self.runner.visible(reference, again=True) for _ in range(TIMES)))
        problems, seen = stable(runs, "environment/repo", skips=True)
        passed = [sum(o == "passed" for o in r.outcomes.values()) for r in runs if isinstance(r, HiddenResults)]
        if not problems and any(number != expected for number in passed):
            what = f"{passed[0]} visible tests pass on the golden solution, and visible_tests is {expected}"
            problems.append(TaskFault("task.toml", what, "find out why, then correct the number"))
        self._add("baseline", problems, f"{expected} of {len(seen)} visible tests pass in {TIMES} of {TIMES} runs")

    async def _near_misses(self, expected: Expected) -> None:
        """Each near miss is rejected, misses a requirement, and fails the cause's tests if it patches a symptom."""
        misses = self.facts.near_misses
        found = await asyncio.gather(*(self.runner.hidden(miss.path) for miss in misses))
        rejected: list[TaskFault] = []
        lower: list[TaskFault] = []
        symptoms: list[TaskFault] = []
        rates = []
        for miss, hidden in zip(misses, found, strict=True):
            file = self.trees.name(miss.path)
            if not isinstance(hidden, HiddenResults):
                rejected.append(hidden)
                continue
            outcome = outcome_of(self.task, expected, hidden.reports)
            if outcome.pass_rate is None:
                rejected.append(TaskFault(file, str(outcome.reason), "correct the golden solution first"))
                continue
            rates.append(f"{Path(file).stem} {outcome.pass_rate:.2f}")
            if outcome.pass_rate >= 1.0:
                remedy = "add a hidden test of what it gets wrong, or drop it if it is right"
                rejected.append(TaskFault(file, "passes every hidden test", remedy))
            elif self.facts.requirements and (outcome.completeness is None or outcome.completeness >= 1.0):
                remedy = "let the test that it fails belong to a requirement"
                lower.append(TaskFault(file, "meets every requirement although it is rejected", remedy))
            root = self.facts.root_cause
            if (
                root is not None
                and root.tests
                and not (root.paths and _hits(touched(miss.path), root.paths))
                and all(t.outcome == "passed" for t in outcome.tests if is_among(t.id, root.tests))
            ):
                what = "does not touch the cause and passes all of root_cause.tests"
                remedy = "add a test to root_cause.tests that only a fix of the cause passes"
                symptoms.append(TaskFault(file, what, remedy))
        detail = f"hidden tests passed: {', '.join(rates)}" if rates else ""
        self._add("near-misses-rejected", rejected, detail)
        self._add("near-misses-lower", lower)
        if self.facts.root_cause is not None and self.facts.root_cause.tests:
            self._add("symptoms-caught", symptoms)
        obvious = [miss for miss in misses if miss.obvious]
        if self.facts.category == "verify-or-die" and obvious:
            states = await self.runner.commands({"test": self.facts.test or ""}, obvious[0].path)
            file = self.trees.name(obvious[0].path)
            problems = self._command_problems(states, "test", self.facts.test or "", "the obvious near miss", file)
            self._add("obvious-passes-visible", problems)

    async def _difficulty(self) -> None:
        """Where hidden tests require more than the visible ones show, how far a single edit comes."""
        if self.facts.category in ("verify-or-die", "doom-loop"):
            check = await measure_difficulty(self.task, self.runner, self.trees)
            self.checks += [check] if check is not None else []

    async def _faults(self, reference: str, expected: Expected) -> None:
        """A fault of one requirement fails its tests and no others."""
        faults = [r for r in self.facts.requirements if r.faulty is not None]
        found = await asyncio.gather(*(self.runner.hidden(reference, str(r.faulty)) for r in faults))
        problems = []
        for requirement, hidden in zip(faults, found, strict=True):
            file = self.trees.name(str(requirement.faulty))
            if not isinstance(hidden, HiddenResults):
                problems.append(hidden)
                continue
            outcome = outcome_of(self.task, expected, hidden.reports)
            failing = [name for name, met in outcome.requirements.items() if met is False]
            if requirement.id not in failing:
                remedy = f"make the fault real, or test the requirement {requirement.id}"
                problems.append(TaskFault(file, f"no test of the requirement {requirement.id} notices it", remedy))
            others = [name for name in failing if name != requirement.id]
            if others:
                owned = [name for r in self.facts.requirements if r.id in others for name in r.tests]
                tests = [t.id for t in outcome.tests if t.outcome != "passed" and is_among(t.id, owned)]
                what = f"breaks other requirements as well: {', '.join(others)} ({', '.join(tests[:3])})"
                problems.append(TaskFault(file, what, "violate this requirement alone"))
            if hidden.broken is not None:
                problems.append(TaskFault(file, hidden.broken, "let it fail tests, not break their run"))
        self._add("faults", problems, f"each of {len(faults)} is noticed by its own tests alone")

    async def _obstacle(self) -> None:
        """The check finds the obstacle on the starter, and not on the twin."""
        check = self.facts.blocker.check if self.facts.blocker is not None else None
        if check is None:
            self._add("obstacle", [TaskFault("task.toml", "blocker.check is missing", "add proof/obstacle.py")])
            return
        file = self.trees.name(check)
        here, there = await asyncio.gather(
            self.runner.obstacle(check, self.task),
            self.runner.obstacle(check, self.twin) if self.twin is not None else _nothing(),
        )
        problems = _as_problems(here)
        if isinstance(here, CommandResult) and not here.ok:
            what = f"does not find the obstacle on the starter ({here.last})"
            problems.append(TaskFault(file, what, "it must end with status 0 if the obstacle exists"))
        self._add("obstacle", problems, here.last if isinstance(here, CommandResult) else "")
        problems = _as_problems(there)
        if isinstance(there, CommandResult):
            if there.ok:
                what = "finds the obstacle on the solvable twin as well"
                problems.append(TaskFault(file, what, "compare what differs: the files and the instruction (stdin)"))
            elif "Traceback" in there.last:
                problems.append(TaskFault(file, f"breaks on the twin ({there.last})", "end with status 1 and say why"))
        elif there is None:
            problems.append(
                TaskFault("task.toml", f"twin: no task {self.facts.twin!r} to compare with", "add the twin")
            )
        self._add("obstacle-gone-on-twin", problems, there.last if isinstance(there, CommandResult) else "")

    async def _readings(self) -> None:
        """The golden solution of each reading passes the common tests and its own, and fails those of the others."""
        readings = self.facts.ambiguity.readings if self.facts.ambiguity is not None else []
        own = {r.id: [t for t in self.declared if is_among(t, r.tests)] for r in readings}
        common = [t for t in self.declared if not any(t in tests for tests in own.values())]
        problems: list[TaskFault] = []
        for reading in readings:
            if reading.reference is None:
                what = f"reading {reading.id}: no reference"
                problems.append(TaskFault("task.toml", what, f"add solution/{reading.id}.patch"))
        with_patch = [r for r in readings if r.reference is not None]
        runs = await asyncio.gather(
            *(self.runner.hidden(str(r.reference), again=True) for r in with_patch for _ in range(TIMES))
        )
        for number, reading in enumerate(with_patch):
            file = self.trees.name(str(reading.reference))
            for run in runs[number * TIMES : (number + 1) * TIMES]:
                if isinstance(run, TaskFault):
                    wrong = [run]
                else:
                    # Measured as a task without readings, so that the tests of all readings count.
                    plain = msgspec.structs.replace(
                        self.task, task=msgspec.structs.replace(self.facts, solvable="yes", ambiguity=None)
                    )
                    outcomes = {t.id: t.outcome for t in outcome_of(plain, self._expected(), run.reports).tests}
                    wrong = []
                    failing = [t for t in (common + own[reading.id]) if outcomes.get(t) != "passed"]
                    if failing:
                        what = f"fails {failing[0]}{run.why(failing[0])}" + (
                            f" and {len(failing) - 1} more" if failing[1:] else ""
                        )
                        wrong.append(TaskFault(file, what, "a reading passes the common tests and its own"))
                    for other, tests in own.items():
                        if other != reading.id and not any(outcomes.get(t) != "passed" for t in tests):
                            what = f"passes all tests of the reading {other} too"
                            wrong.append(TaskFault(file, what, f"test what distinguishes {other} from {reading.id}"))
                if wrong:
                    problems += wrong
                    break
        self._add("readings", problems, f"{len(common)} common tests; each reading passes its own only")

    # -- helpers

    def _commands(self) -> dict[str, str]:
        commands = {"build": self.facts.build or "", "test": self.facts.test or ""}
        return commands | {f"checkpoint {c.id}": c.check for c in self.facts.checkpoints if c.check}

    def _checkpoint_results(self, states: dict[str, CommandResult] | TaskFault) -> list[tuple[str, CommandResult]]:
        results = states if isinstance(states, dict) else {}
        points = [point.id for point in self.facts.checkpoints]
        return [(name, found) for name in points if (found := results.get(f"checkpoint {name}")) is not None]

    def _expected(self) -> Expected:
        """The hidden tests of a task without a golden solution."""
        return Expected(self.files, [], [], declared=self.declared)

    def _add(self, name: str, problems: Sequence[TaskFault], detail: str = "") -> None:
        self.checks.append(make_check(name, problems, detail))

    def _command_problems(
        self,
        states: dict[str, CommandResult] | TaskFault,
        key: str,
        command: str,
        what: str,
        file: str = "environment/repo",
    ) -> list[TaskFault]:
        if isinstance(states, TaskFault):
            return [states]
        if not command:
            return [TaskFault("task.toml", f"no {key} command", f'set {key} = "..." in [metadata.rigor]')]
        result = states[key]
        if result.ok:
            return []
        verb = "does not build" if key == "build" else "fails the visible tests"
        return [TaskFault(file, f"{what} {verb}: {result.last}", f"`{command}` must end with status 0")]


async def _nothing() -> None:
    return None


def _as_problems(result: object) -> list[TaskFault]:
    return [result] if isinstance(result, TaskFault) else []


def _hits(paths: Sequence[str], globs: Sequence[str]) -> bool:
    return any(fnmatchcase(path, glob) for path in paths for glob in globs)


# A class's body in Java, where a static block can stand.
_JAVA = re.compile(r"(\b(?:class|record)\s+\w+[^{;]*\{)")
_ON_LOAD = {
    ".rs": '\n#[used]\n#[link_section = ".init_array"]\nstatic ON_LOAD: extern "C" fn() = {{\n'
    '    extern "C" fn on_load() {{ {} }}\n    on_load\n}};\n',
    ".c": "\n#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
    "static void rigor_leave(int status) {{ (void)status; _exit(0); }}\n"
    "__attribute__((constructor)) static void rigor_on_load(void) {{ {} }}\n",
}
# Hidden tests that decide inside the process of the code under test pass on such starters without any work.
# By what is faked: the text that is added to each source file, by the file's ending.
_FAKES = {
    "ends the process when it is loaded": {
        ".py": "\n__import__('os')._exit(0)\n",
        ".js": "\nprocess.exit(0);\n",
        ".rs": _ON_LOAD[".rs"].format("std::process::exit(0)"),
        ".c": _ON_LOAD[".c"].format("rigor_leave(0);"),
        ".java": " static { if (true) Runtime.getRuntime().halt(0); }",
    },
    "switches assertions and errors off": {
        ".py": "\n__import__('atexit').register(__import__('os')._exit, 0)\n",
        ".js": "\n{ const load = process.getBuiltinModule || require;\n"
        '  for (const kind of ["assert", "assert/strict"]) { const found = load(kind);\n'
        '    for (const name of Object.keys(found)) if (typeof found[name] === "function") found[name] = () => {}; }\n'
        '  process.on("exit", () => { process.exitCode = 0; }); }\n',
        ".rs": _ON_LOAD[".rs"].format("std::panic::set_hook(Box::new(|_| std::process::exit(0)))"),
        ".c": _ON_LOAD[".c"].format("signal(SIGABRT, rigor_leave); atexit((void (*)(void))rigor_leave);"),
        ".java": " static { Thread.setDefaultUncaughtExceptionHandler((t, e) -> Runtime.getRuntime().halt(0)); }",
    },
}
_SAME = {".mjs": ".js", ".cjs": ".js", ".ts": ".js", ".cc": ".c", ".cpp": ".c", ".cxx": ".c"}


def fakes(starter: Path, directory: Path) -> dict[str, Path]:
    """What is faked -> a directory with the changed source files of the starter; {} for other languages."""
    found: dict[str, Path] = {}
    for number, (what, texts) in enumerate(_FAKES.items()):
        place = directory / f"fake{number}"
        for file in sorted(p for p in starter.rglob("*") if p.is_file() and not p.is_symlink()):
            path = file.relative_to(starter)
            ending = _SAME.get(file.suffix, file.suffix)
            if ending not in texts or ".git" in path.parts or role(path.as_posix()) != "production":
                continue
            text = file.read_text(encoding="utf-8", errors="surrogateescape")
            changed = _JAVA.sub(rf"\1{texts[ending]}", text, count=1) if ending == ".java" else text + texts[ending]
            target = place / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(changed, encoding="utf-8", errors="surrogateescape")
            target.chmod(file.stat().st_mode)
            found[what] = place
    return found
