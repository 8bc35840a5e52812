"""The second half of a replay, on the final tree only: coverage of the agent's changes, and mutants of its units."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from ...evidence.code.units import changed_units, is_source
from ...evidence.paths import role
from ...evidence.replayed import FileCoverage, TestRun, UnitCheck
from .command_tests import command_mutants, command_run, has_mutants, is_compiled
from .compare import agent_tests, split
from .measure import (
    Mutant,
    changed_constants,
    changed_lines,
    checking,
    delta,
    executing,
    mutants,
    read_lcov,
    without_new_exclusions,
)
from .project import narrowed
from .requirements import solutions, trace_requirements
from .rewrites import MOST, REWRITES, can_be_rewritten, rewritten
from .runner import NO_PROGRAM, CoveredRun, ReplayRunner
from .store import Change, Entry, ObjectStoreError

if TYPE_CHECKING:
    from .session import ReplaySession

T = TypeVar("T")
# The report that a task's coverage command writes into the root.
REPORT = "lcov.info"
# What a shell prints whose last program is not there.
_MISSING = re.compile(r"([^\s:]+): (?:command not found|not found|No such file or directory)$", re.MULTILINE)
_UNSTEADY = "the start's tests do not pass on a rewrite of the code"
_CONFIGURATION = (".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml")


def measure_session(session: ReplaySession) -> None:
    """Fill in ``agent_tests``, ``coverage`` and ``units`` of the session's result."""
    _Final(session).run()


class _Final:
    def __init__(self, session: ReplaySession) -> None:
        self.session, self.result, self.store = session, session.result, session.store
        snapshots = session.snapshots
        self.start, self.final = session.tests(snapshots.start_tree), session.tests(snapshots.final_tree)
        self.changed = self.store.changed(self.start.tree, self.final.tree)
        self.tests = {p for p in self.changed if self._role(p) == "test"}
        self.production = [p for p in self.changed if self._role(p) == "production" and is_source(p)]
        self.run_final = next((c.tests for c in self.result.checked if c.tree == self.final.tree), None)
        self.command = session.task.coverage if session.task is not None else None

    def _role(self, path: str) -> str:
        known = self.session.roles.get(path)
        if known is not None:
            return known
        text = self.final.text(path) or self.start.text(path)
        return role(path, text)

    def run(self) -> None:
        result = self.result
        result.production_changed = bool(self.production)
        if self.run_final is None:
            return
        result.agent_tests = agent_tests(self.start, self.final, self.run_final)
        passing = self.run_final.passing() - set(result.flaky)
        steady = self._steady(sorted(t for t in result.agent_tests if t in passing))
        if steady is not None and (self.run_final.problem is None or self.run_final.exit_status == 5):
            trace_requirements(self.session, self.tests, set(steady))
        foreign = [p for p in self.production if not p.endswith(".py")]
        by_command = self.session.project.test is not None
        if foreign or by_command or self.command is not None:
            result.units_reason = "mutants of changed units need pytest or a test command"
            result.coverage_reason = "no coverage command is known for this project (task file: coverage)"
            self._coverage_by_command()
            if by_command:
                self._units_by_command(steady)
            return
        if self.run_final.problem is not None:
            result.coverage_reason = result.units_reason = f"the final tree cannot be tested: {self.run_final.problem}"
            return
        # Changes to the final tree for measuring: the coverage configuration of the start, and no new exclusions.
        frozen: dict[str, Change] = {}
        for path, changed in self.lines.items():
            text = self.final.text(path) or ""
            plain = without_new_exclusions(text, changed)
            if plain != text:
                frozen[path] = self._entry(path, plain)
        if ".coveragerc" in self.changed:
            frozen[".coveragerc"] = self.start.files.get(".coveragerc")
        mine = sorted(t for t in result.agent_tests if t in passing)
        by_agent = self._measured(frozen, mine) if mine and self.lines else CoveredRun(self.run_final)
        self._coverage(frozen, by_agent)
        if steady is None:
            result.units_reason = _UNSTEADY
            return
        seen = by_agent.run.passing()
        noticing = [t for t in checking(steady, self.final) if t in seen]
        found = [m for p in sorted(self.lines) for m in mutants(p, self.start.text(p), self.final.text(p) or "")]
        self._check_units(found, lambda m: self._killed_by_pytest(m, executing(m, noticing, by_agent)))

    @cached_property
    def lines(self) -> dict[str, set[int]]:
        """By file of the production code that is there in the end, the changed lines."""
        kept = [p for p in self.production if p in self.final.files]
        return {p: changed_lines(self.start.text(p), self.final.text(p) or "") for p in kept}

    # Tests

    def _steady(self, tests: list[str]) -> list[str] | None:
        """The tests that pass on every rewrite of the code, too; the others look at its text, not at what it does.

        None: other tests fail on a rewrite as well.
        """
        session = self.session
        by_command = session.project.test is not None
        paths = sorted(p for p in {*self.production, *self.asked} & self.final.files.keys() if can_be_rewritten(p))
        clean = 0
        for number in range(1, MOST + 1):
            texts = {p: rewritten(p, self.final.text(p) or "", number) for p in paths}
            tree = self._tree({p: self._entry(p, text) for p, text in texts.items() if text is not None})
            if not tests or tree == self.final.tree or clean == REWRITES:
                break
            passing = (session.test(tree) if by_command else session.test_alone("rewritten", tree, tests)).passing()
            # The cases of a test are one test.
            failed = {split(t) for t in tests if t not in passing}
            # None of the others fails on the rewrite.
            assert self.run_final is not None
            others = self.run_final.passing() - set(self.result.flaky) - set(self.result.agent_tests)
            if failed and not (others <= self.session.test(tree).passing()):
                return None
            tests = [t for t in tests if split(t) not in failed]
            clean = 0 if failed else clean + 1
        return tests

    @cached_property
    def asked(self) -> dict[str, set[str]]:
        """The units that a right or wrong solution of the task changes, by path; empty where none is known."""
        found: dict[str, set[str]] = {}
        try:
            pairs = solutions(self.session)
        except ObjectStoreError:
            return {}  # one of them does not apply to the start tree
        for before, after in pairs:
            old, new = self.session.tests(before), self.session.tests(after)
            for path in self.store.changed(before, after):
                if is_source(path) and self._role(path) == "production":
                    changed = {*changed_units(path, old.text(path), new.text(path))}
                    if path.endswith(".py"):
                        changed |= changed_constants(old.text(path), new.text(path))
                    found.setdefault(path, set()).update(changed)
        return found

    def _only_asked(self, found: list[Mutant]) -> list[Mutant]:
        """Those of units that belong to the task; what else was changed is neither for the agent nor against it."""
        kept = [m for m in found if m.check.unit in self.asked.get(m.path, ())] if self.asked else found
        if not kept:
            self.result.foreign = bool(found)
            self.result.units_reason = (
                "no right or wrong solution of the task changes a unit that was changed here"
                if found
                else "no function, method, class or constant of the production code changed"
            )
        return kept

    def _needed(self, found: list[Mutant]) -> list[UnitCheck]:
        """Those whose change does something: with the unit as it was, a test fails, the agent's or a hidden one."""
        hidden, store = self.session.hidden, self.store.path
        passing = hidden(store, self.final.tree) if hidden is not None and found else frozenset()

        def idle(mutant: Mutant) -> bool:
            if not passing or hidden is None or mutant.check.killed_by is not None or mutant.check.how != "reverted":
                return False
            return passing == hidden(store, self._tree({mutant.path: self._entry(mutant.path, mutant.texts[0])}))

        needed = [m.check for m in found if not idle(m)]
        if found and not needed:
            self.result.units_reason = "no test notices what was changed if it is put back, nor does a hidden one"
        return needed

    # Coverage

    def _entry(self, path: str, text: str) -> Entry:
        return Entry(self.final.files[path].mode, self.store.put(text.encode("utf-8", "surrogatepass")))

    def _tree(self, overlay: dict[str, Change]) -> str:
        if not overlay:
            return self.final.tree
        return self.store.write_trees(self.final.tree, [overlay])[0]

    def _measured(self, overlay: dict[str, Change], tests: list[str]) -> CoveredRun:
        """Run tests on the final tree (with ``overlay``) under coverage; without ``tests`` all of them."""
        session = self.session
        # The file of the start tree that configures coverage.
        texts = ((name, self.start.text(name)) for name in _CONFIGURATION)
        config = next((n for n, text in texts if text is not None and (n == ".coveragerc" or "coverage" in text)), None)
        if config is not None and config in self.changed:
            # Only coverage uses the old configuration, so it gets another name; the project's tools use their own.
            name = ".rigor-coverage" + ("" if config != "pyproject.toml" else ".toml")
            overlay = {**overlay, name: self.start.files[config]}
            config = name
        tree, files, project = self._tree(overlay), sorted(self.lines), session.project
        key = session.key("coverage", tree, project.pytest_command(), config or "", *files, "--", *tests)
        request = {"files": files, "config": config, "contexts": bool(tests)}
        args = narrowed(project.args, tests) if tests else project.args
        return session.cached(key, CoveredRun, tree, lambda r: r.pytest(args, session.limits.timeout, request))

    def _coverage(self, frozen: dict[str, Change], by_agent: CoveredRun) -> None:
        result = self.result
        if not self.lines:
            result.coverage_reason = "no production file changed"
            return
        self.session.report("coverage", 0, 1)
        # T0: the tests as they were at the start, on the final production code.
        overlay = {**frozen, **{p: self.start.files.get(p) for p in self.tests}}
        before = self._measured(overlay, [])
        if before.run.problem is not None and before.run.exit_status != 5:
            result.coverage_reason = f"the start tests do not run on the final tree: {before.run.problem}"
            return
        self._add_coverage(before.files, by_agent.files)
        self.session.report("coverage", 1, 1)

    def _add_coverage(self, start_tests: dict[str, FileCoverage], all_tests: dict[str, FileCoverage]) -> None:
        found = self.result.coverage = delta(self.lines, start_tests, [all_tests])
        found.edits = [e for e, path in self.session.edit_paths.items() if path in self.tests or path in self.lines]

    def _coverage_by_command(self) -> None:
        """Coverage by the task's own command, on the final tree with the start's tests and with all."""
        if self.command is None or not self.production:
            return
        trees = [self._tree({p: self.start.files.get(p) for p in self.tests}), self.final.tree]
        reports = []
        for number, tree in enumerate(trees):
            self.session.report("coverage", number, len(trees))
            report = self._reported(tree, self.command)
            if isinstance(report, str):
                self.result.coverage_reason = report
                return
            reports.append(report)
        self._add_coverage(*reports)

    def _reported(self, tree: str, command: str) -> dict[str, FileCoverage] | str:
        """What the coverage command reports of a tree, or why it reports nothing."""
        session = self.session
        key = session.key("lcov", tree, command)
        cached = session.cache.get(key, dict[str, FileCoverage])
        if cached is not None:
            return cached
        with session.borrow() as runner:
            runner.tree.switch(tree)
            path = runner.tree.path / REPORT
            # A report that was committed says nothing about this tree.
            path.unlink(missing_ok=True)
            done = runner.command(command)
            if done.exit_status == NO_PROGRAM:
                named = _MISSING.findall(done.output)
                program = posixpath.basename(named[-1]) if named else "of the task's coverage command"
                return f"coverage tool {program} is missing"
            try:
                text = path.read_text(encoding="utf-8", errors="replace")
            except OSError:
                text = ""
        report = read_lcov(text, str(self.store.root))
        if not report:
            last = " ".join(done.output.strip().rpartition("\n")[2].split())[:200]
            return f"the coverage command leaves no {REPORT}" + (f": {last}" if last else "")
        session.cache.put(key, report)
        return report

    # Units

    def _units_by_command(self, steady: list[str] | None) -> None:
        """Mutants in a project that a command tests. All its tests run each time; only the agent's tests count."""
        result, run = self.result, self.run_final
        assert run is not None
        if run.problem is not None or steady is None:
            why = f"the final tree cannot be tested: {run.problem}" if run.problem is not None else _UNSTEADY
            result.units_reason = why
            return
        kept = sorted(self.lines)
        if not all(has_mutants(p) for p in kept):
            result.units_reason = "no mutants can be made in this language"
            return
        found = [m for p in kept for m in command_mutants(p, self.start.text(p), self.final.text(p) or "")]
        mine = checking(steady, self.final)
        self._check_units(found, lambda mutant: not mine or self._killed_by_command(mutant, mine))

    def _check_units(self, found: list[Mutant], judge: Callable[[Mutant], bool]) -> None:
        """Fill in ``units``. ``judge`` notes which test fails with a mutant; False: it does not even compile."""
        asked = self._only_asked(found)
        judged: dict[int, bool] = {}

        def one(number: int) -> None:
            mutant = asked[number]
            mutant.check.edits = [e for e, p in self.session.edit_paths.items() if p == mutant.path]
            judged[number] = judge(mutant)

        self.session.each(one, range(len(asked)), "units")
        self.result.units = self._needed([m for n, m in enumerate(asked) if judged[n]])

    def _with_mutant(
        self, mutant: Mutant, text: str, key: tuple[str, ...], kind: type[T], run: Callable[[ReplayRunner], T]
    ) -> T:
        """The result of a run on the final tree with a text of a mutant. ``key``: what it depends on besides."""
        data = text.encode("utf-8", "surrogatepass")
        # By content, so that a cached result serves the same mutant of another replay.
        command, *tests = key
        whole = self.session.key("mutant", self.final.tree, command, mutant.path, self.store.put(data), *tests)

        def work(runner: ReplayRunner) -> T:
            runner.tree.write(mutant.path, data)
            return run(runner)

        return self.session.cached(whole, kind, self.final.tree, work)

    def _killed_by_command(self, mutant: Mutant, mine: list[str]) -> bool:
        """Find the first of the agent's tests that fails with the mutant; False: none of its texts even compiles."""
        command, timeout = self.session.project.test or "", self.session.run_timeout
        judged = False
        for text in mutant.texts:
            run = self._with_mutant(
                mutant, text, (command,), TestRun, lambda r: command_run(r.command(command, timeout), self.final)
            )
            if run.problem is not None and is_compiled(mutant.path):
                continue
            judged = True
            passing = run.passing()
            mutant.check.killed_by = next((t for t in mine if t not in passing), None)
            if mutant.check.killed_by is not None or mutant.check.how == "reverted":
                break  # if no test noticed the reverted unit: to empty it instead would be easier to notice
        return judged

    def _killed_by_pytest(self, mutant: Mutant, tests: list[str]) -> bool:
        """Find the first of the tests that fails with the mutant in place of the unit."""
        project, timeout = self.session.project, self.session.run_timeout

        def first_failed(runner: ReplayRunner) -> list[str]:
            run = runner.pytest([*narrowed(project.args, tests), "-x"], timeout).run
            passing = run.passing()
            failed = [t for t in tests if t in run.outcomes and t not in passing]
            if not failed and (run.broken or run.problem is not None):
                failed = tests
            return failed[:1]

        for text in mutant.texts if tests else ():
            found = self._with_mutant(mutant, text, (project.pytest_command(), *tests), list[str], first_failed)
            if found:
                mutant.check.killed_by = found[0]
                break
        return True
