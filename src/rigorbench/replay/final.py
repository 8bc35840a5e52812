"""The second half of a replay, on the final tree only: coverage of the agent's changes, and its units taken back."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from ..evidence.code.units import is_source
from ..evidence.paths import role
from .compare import agent_tests
from .foreign import command_mutants, command_run, has_mutants, is_compiled
from .lcov import read_lcov
from .measure import Mutant, changed_lines, checking, delta, executing, mutants, without_new_exclusions
from .model import FileCoverage, TestRun, UnitCheck
from .project import narrowed
from .requirements import trace_requirements
from .runner import CoverageRequest, Measured
from .store import Change, Entry

if TYPE_CHECKING:
    from .session import ReplaySession

# What a task's coverage command leaves in the root.
REPORT = "lcov.info"
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

    def _role(self, path: str) -> str:
        known = self.session.roles.get(path)
        if known is not None:
            return known
        text = self.final.text(path) or self.start.text(path)
        return role(path, text)

    def run(self) -> None:
        result = self.result
        result.production_changed = bool(self.production)
        trace_requirements(self.session, self.tests)
        if self.run_final is None:
            return
        result.agent_tests = agent_tests(self.start, self.final, self.run_final)
        python = [p for p in self.production if p.endswith(".py") and p in self.final.files]
        foreign = [p for p in self.production if not p.endswith(".py")]
        framework = self.session.project.framework
        if foreign or framework == "command" or self._command() is not None:
            result.units_reason = "changed units are taken back under pytest, unittest or a test command only"
            result.coverage_reason = "no coverage command is known for this project (task file: coverage)"
            self._coverage_by_command()
            if framework == "command":
                self._units_by_command()
            return
        if self.run_final.problem is not None:
            result.coverage_reason = result.units_reason = f"the final tree cannot be tested: {self.run_final.problem}"
            return
        lines = {p: changed_lines(self.start.text(p), self.final.text(p) or "") for p in python}
        frozen = self._frozen(lines)
        passing = self.run_final.passing() - set(result.flaky)
        mine = sorted(t for t in result.agent_tests if t in passing)
        by_agent = self._measured(frozen, python, mine) if mine and python else Measured(self.run_final)
        self._coverage(frozen, python, lines, by_agent)
        self._units(python, [t for t in checking(mine, self.final) if t in by_agent.run.passing()], by_agent)

    # Coverage

    def _frozen(self, lines: dict[str, set[int]]) -> dict[str, Change]:
        """Changes to the final tree for measuring: the start's coverage configuration, no new exclusions."""
        overlay: dict[str, Change] = {}
        for path, changed in lines.items():
            text = self.final.text(path) or ""
            plain = without_new_exclusions(text, changed)
            if plain != text:
                overlay[path] = self._entry(path, plain)
        if ".coveragerc" in self.changed:
            overlay[".coveragerc"] = self.start.files.get(".coveragerc")
        return overlay

    def _entry(self, path: str, text: str) -> Entry:
        return Entry(self.final.files[path].mode, self.store.put(text.encode("utf-8", "surrogatepass")))

    def _config(self) -> str | None:
        """The file of the start tree that configures coverage."""
        for name in _CONFIGURATION:
            text = self.start.text(name)
            if text is not None and (name == ".coveragerc" or "coverage" in text):
                return name
        return None

    def _tree(self, overlay: dict[str, Change]) -> str:
        if not overlay:
            return self.final.tree
        return self.store.write_trees(self.final.tree, [overlay])[0]

    def _measured(self, overlay: dict[str, Change], python: list[str], tests: list[str]) -> Measured:
        """Run tests on the final tree (with ``overlay``) under coverage; no ``tests``: all that there are."""
        session = self.session
        config = self._config()
        overlay = dict(overlay)
        if config is not None and config in self.changed:
            # Only coverage shall see the old configuration, the project's tools their own: it gets another name.
            overlay[".rigor-coverage"] = self.start.files[config]
            name: str | None = ".rigor-coverage" + ("" if config != "pyproject.toml" else ".toml")
            overlay[str(name)] = overlay.pop(".rigor-coverage")
        else:
            name = config
        tree = self._tree(overlay)
        described = f"{session.project.framework} {' '.join(session.project.args)}"
        key = session.key("coverage", tree, described, name or "", *sorted(python), "--", *tests)
        cached = session.cache.get(key, Measured)
        if cached is not None:
            return cached
        with session.borrow() as runner:
            runner.tree.switch(tree)
            request = CoverageRequest(sorted(python), name)
            framework, args = session.project.framework, session.project.args
            if tests:
                args = narrowed(args, tests)
            measured = runner.test_python(framework, args, timeout=session.limits.timeout, coverage=request)
        session.cache.put(key, measured)
        return measured

    def _coverage(
        self, frozen: dict[str, Change], python: list[str], lines: dict[str, set[int]], by_agent: Measured
    ) -> None:
        result = self.result
        if not python:
            result.coverage_reason = "no production file changed"
            return
        self.session.report("coverage", 0, 1)
        # T0: the tests as they were at the start, on the final production code.
        overlay = {**frozen, **{p: self.start.files.get(p) for p in self.tests}}
        before = self._measured(overlay, python, [])
        if before.run.problem is not None and before.run.exit_status != 5:
            result.coverage_reason = f"the start tests do not run on the final tree: {before.run.problem}"
            return
        result.coverage = delta(lines, before.files, [by_agent.files])
        result.coverage.edits = self._edits(lines)
        self.session.report("coverage", 1, 1)

    def _command(self) -> str | None:
        task = self.session.task
        return None if task is None else task.coverage

    def _coverage_by_command(self) -> None:
        """Coverage by the task's own command, on the final tree with the start's tests and with all."""
        command = self._command()
        if command is None or not self.production:
            return
        trees = [self._tree({p: self.start.files.get(p) for p in self.tests}), self.final.tree]
        reports = []
        for number, tree in enumerate(trees):
            self.session.report("coverage", number, len(trees))
            report = self._reported(tree, command)
            if report is None:
                self.result.coverage_reason = f"the coverage command leaves no {REPORT}"
                return
            reports.append(report)
        kept = [p for p in self.production if p in self.final.files]
        lines = {p: changed_lines(self.start.text(p), self.final.text(p) or "") for p in kept}
        self.result.coverage = delta(lines, reports[0], reports[1:])
        self.result.coverage.edits = self._edits(lines)

    def _reported(self, tree: str, command: str) -> dict[str, FileCoverage] | None:
        session = self.session
        key = session.key("lcov", tree, command)
        cached = session.cache.get(key, dict[str, FileCoverage])
        if cached is not None:
            return cached
        with session.borrow() as runner:
            runner.tree.switch(tree)
            runner.command(command)
            try:
                text = (runner.tree.path / REPORT).read_text(encoding="utf-8", errors="replace")
            except OSError:
                return None
        report = read_lcov(text, str(self.store.clone.root))
        session.cache.put(key, report)
        return report

    def _edits(self, lines: Container[str]) -> list[str]:
        return [e for e, path in self.session.edit_paths.items() if path in self.tests or path in lines]

    # Units

    def _units(self, python: list[str], tests: list[str], by_agent: Measured) -> None:
        found: list[Mutant] = []
        for path in sorted(python):
            found += mutants(path, self.start.text(path), self.final.text(path) or "")
        by_id = {f"{m.path}::{m.unit.name}": m for m in found}
        done = 0

        def one(name: str) -> None:
            nonlocal done
            mutant = by_id[name]
            mutant.check.edits = [e for e, p in self.session.edit_paths.items() if p == mutant.path]
            mutant.check.killed_by = self._killer(mutant, executing(mutant, tests, by_agent))
            with self.session.lock:
                done += 1
                self.session.report("units", done, len(found))

        self.session.each(one, list(by_id))
        checks: list[UnitCheck] = [m.check for m in found]
        self.result.units = checks
        if not checks:
            self.result.units_reason = "no function, method or class changed"

    def _units_by_command(self) -> None:
        """Units of a project that its own command tests. All its tests run each time; only the agent's own count."""
        session, result, run = self.session, self.result, self.run_final
        assert run is not None
        if run.problem is not None:
            result.units_reason = f"the final tree cannot be tested: {run.problem}"
            return
        kept = sorted(p for p in self.production if p in self.final.files)
        if not all(has_mutants(p) for p in kept):
            result.units_reason = "units of this language cannot be taken back"
            return
        found = [m for p in kept for m in command_mutants(p, self.start.text(p), self.final.text(p) or "")]
        passing = run.passing() - set(result.flaky)
        mine = checking(sorted(t for t in result.agent_tests if t in passing), self.final)
        checks: list[UnitCheck] = []
        done = 0

        def one(mutant: Mutant) -> None:
            nonlocal done
            mutant.check.edits = [e for e, p in session.edit_paths.items() if p == mutant.path]
            says_something = not mine or self._killed_by_command(mutant, mine)
            with session.lock:
                if says_something:
                    checks.append(mutant.check)
                done += 1
                session.report("units", done, len(found))

        session.each(one, found)
        order = {(m.path, m.unit.name): n for n, m in enumerate(found)}
        result.units = sorted(checks, key=lambda c: order[c.path, c.unit])
        if not result.units:
            result.units_reason = "no function, method or class changed"

    def _killed_by_command(self, mutant: Mutant, mine: list[str]) -> bool:
        """Find the first of the agent's tests that fails with the mutant; False: none of its texts even compiles."""
        session = self.session
        says_something = False
        for text in mutant.texts:
            data = text.encode("utf-8", "surrogatepass")
            key = session.key("mutant", self.final.tree, session.project.test or "", mutant.path, self.store.put(data))
            run = session.cache.get(key, TestRun)
            if run is None:
                with session.borrow() as runner:
                    runner.tree.switch(self.final.tree)
                    runner.tree.write(mutant.path, data)
                    run = command_run(runner.command(session.project.test or "", session.run_timeout), self.final)
                session.cache.put(key, run)
            if run.problem is not None and is_compiled(mutant.path):
                continue
            says_something = True
            passing = run.passing()
            killed = [t for t in mine if t not in passing]
            if killed:
                mutant.check.killed_by = killed[0]
                break
            if mutant.check.how == "reverted":
                break  # put back as it was, and nothing noticed: emptying it instead would be easier to notice
        return says_something

    def _killer(self, mutant: Mutant, tests: list[str]) -> str | None:
        """The first of the tests that fails with the mutant in place of the unit."""
        if not tests:
            return None
        session = self.session
        for text in mutant.texts:
            # Keyed by content, so that a cached result holds for the same mutant of another replay.
            sha = self.store.put(text.encode("utf-8", "surrogatepass"))
            described = f"{session.project.framework} {' '.join(session.project.args)}"
            key = session.key("mutant", self.final.tree, described, mutant.path, sha, *tests)
            killer = session.cache.get(key, list[str])
            if killer is None:
                with session.borrow() as runner:
                    runner.tree.switch(self.final.tree)
                    runner.tree.write(mutant.path, text.encode("utf-8", "surrogatepass"))
                    args = narrowed(session.project.args, tests)
                    if session.project.framework == "pytest":
                        args.append("-x")
                    run = runner.test_python(session.project.framework, args, timeout=session.run_timeout).run
                passing = run.passing()
                failed = [t for t in tests if t in run.outcomes and t not in passing]
                if not failed and (run.broken or run.problem is not None):
                    failed = tests[:1]
                killer = failed[:1]
                session.cache.put(key, killer)
            if killer:
                return killer[0]
        return None
