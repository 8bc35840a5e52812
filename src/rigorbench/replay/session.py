"""One replay while it runs: its sandboxes, its cache, and the tests of a tree. What is checked: :mod:`.run`."""

from __future__ import annotations

import contextlib
import posixpath
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from ..evidence.events import AnyEvent, EditEvent
from ..tasks.task import Task
from .cache import Cache
from .compare import Standing, TreeTests, split
from .environment import Environment, find_environment
from .foreign import command_run
from .impact import Impact, Selection, merge
from .model import ReplayResult, Snapshots, TestRun
from .project import Project, narrowed
from .runner import Runner
from .sandbox import Limits
from .store import Store

T = TypeVar("T")
Progress = Callable[[str, int, int], None]
# How often the start tree is tested, to find tests whose outcome changes by itself.
BASELINE_RUNS = 3


class ReplaySession:
    """One replay. Runners (sandboxes with a work directory each) are made as the jobs need them."""

    def __init__(
        self,
        result: ReplayResult,
        snapshots: Snapshots,
        events: Sequence[AnyEvent],
        store: Store,
        task: Task | None,
        cache: Cache,
        limits: Limits,
        jobs: int,
        directory: Path,
        progress: Progress | None,
    ) -> None:
        self.result, self.snapshots, self.store, self.task = result, snapshots, store, task
        self.cache, self.limits, self.jobs, self.directory = cache, limits, max(1, jobs), directory
        self.progress = progress
        self.environment: Environment = find_environment(store.clone, () if task is None else task.tools)
        edits = [e for e in events if isinstance(e, EditEvent)]
        self.edit_paths = {e.id: posixpath.join(snapshots.prefix, e.new_path or e.path) for e in edits}
        result.edit_paths = self.edit_paths
        self.roles = {self.edit_paths[e.id]: e.role for e in edits}
        self.lock = threading.Lock()
        self.idle: list[Runner] = []
        self.runners: list[Runner] = []
        self.tests_of: dict[str, TreeTests] = {}
        self.has_pytest = False
        self.impact = Impact(store)
        # Trees of which only the tests that a change can reach were run.
        self.selected: set[str] = set()
        self.project: Project
        self.run_timeout = limits.timeout
        # Its threads live as long as the session: a sandbox dies with the thread that started it.
        self.pool = ThreadPoolExecutor(self.jobs)

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)
        for runner in self.runners:
            runner.stop()

    def finds_pytest(self) -> bool:
        key = ("pytest", str(self.store.clone.root), self.environment.fingerprint)
        known = self.cache.get(key, bool)
        if known is None:
            # All runners start at once: each takes a while, and all will be needed.
            others = [self.pool.submit(self._start) for _ in range(1, self.jobs)]
            known = self._start()
            for other in others:
                other.result()
            self.cache.put(key, known)
        return known

    def _start(self) -> bool:
        with self.borrow() as runner:
            runner.start()
            return runner.has_pytest

    # Helpers

    def report(self, what: str, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(what, done, total)

    def each(self, work: Callable[[T], None], items: Sequence[T]) -> None:
        if self.jobs == 1 or len(items) < 2:
            for item in items:
                work(item)
            return
        for future in [self.pool.submit(work, item) for item in items]:
            future.result()

    def tests(self, tree: str) -> TreeTests:
        with self.lock:
            if tree not in self.tests_of:
                self.tests_of[tree] = TreeTests(self.store, tree)
            return self.tests_of[tree]

    @contextlib.contextmanager
    def borrow(self) -> Iterator[Runner]:
        """A runner for as long as it is needed; at most one per job is ever made."""
        with self.lock:
            if self.idle:
                runner = self.idle.pop()
            else:
                directory = self.directory / f"runner{len(self.runners)}"
                directory.mkdir()
                runner = Runner(self.store, self.environment, directory, self.limits)
                self.runners.append(runner)
        try:
            yield runner
        finally:
            with self.lock:
                self.idle.append(runner)

    def key(self, kind: str, tree: str, *command: str) -> tuple[str, ...]:
        return (kind, tree, str(self.store.clone.root), self.environment.fingerprint, *command)

    # Tests

    def test(self, tree: str, *, only: Sequence[str] = (), attempt: int = 0) -> TestRun:
        """The tests of a tree, from the cache where they ran before. ``attempt`` tells repeated runs apart.

        The first run may leave out tests that no change since a tree tested before can reach.
        """
        project = self.project
        described = project.test or f"{project.framework} {' '.join(project.args)}"
        key = self.key("test", tree, described, str(attempt), *only)
        # Whether the project's own options had to be left out: what follows a cached run must know that too.
        options = self.key("options", tree, described) if self._is_first(tree, only, attempt) else None
        run = self.cache.get(key, TestRun)
        if run is not None and options is not None and self.cache.get(options, bool):
            project.args += ["-o", "addopts="]
        if run is None:
            before = len(project.args)
            selection = None
            if project.framework == "pytest" and not only and attempt == 0 and tree != self.snapshots.start_tree:
                selection = self.impact.select(self.tests(tree).files)
            run = self._selected(tree, selection) if selection is not None else None
            if run is None:
                run = self._run(tree, only, attempt)
            self.cache.put(key, run)
            if options is not None:
                self.cache.put(options, len(project.args) != before)
        if not only and attempt == 0:
            self.impact.finished(tree, self.tests(tree).files, run)
        return run

    def _is_first(self, tree: str, only: Sequence[str], attempt: int) -> bool:
        return not only and attempt == 0 and tree == self.snapshots.start_tree

    def _selected(self, tree: str, selection: Selection) -> TestRun | None:
        run = TestRun(exit_status=5)
        if selection.files:
            with self.borrow() as runner:
                runner.tree.switch(tree)
                args = narrowed(self.project.args, selection.files)
                run = runner.test_python("pytest", args, timeout=self.run_timeout).run
        merged = merge(selection, run)
        if merged is not None:
            self.selected.add(tree)
        return merged

    def _run(self, tree: str, only: Sequence[str], attempt: int) -> TestRun:
        project = self.project
        with self.borrow() as runner:
            runner.tree.switch(tree)
            if project.framework == "command":
                run = self.test_command(runner, tree, project.test or "")
            else:
                args = narrowed(project.args, only) if only else list(project.args)
                run = runner.test_python(project.framework, args, timeout=self.run_timeout).run
                if run.exit_status == 4 and self._is_first(tree, only, attempt):
                    # The project's own options name plugins that are not here: leave them out from now on.
                    project.args += ["-o", "addopts="]
                    runner.tree.switch(tree)
                    run = runner.test_python(project.framework, project.args, timeout=self.run_timeout).run
        return run

    def test_command(self, runner: Runner, tree: str, command: str) -> TestRun:
        """Tests of another language: the output says what came of each, the test files which there are."""
        return command_run(runner.command(command, self.run_timeout), self.tests(tree))

    def standing(self, runs: dict[str, TestRun], flaky: frozenset[str] | set[str]) -> Standing:
        start = self.snapshots.start_tree
        return Standing(self.store, self.tests(start), runs[start], frozenset(flaky))

    def confirm(self, trees: list[str], runs: dict[str, TestRun], flaky: set[str]) -> set[str]:
        """Run tests of ``trees`` that regressed once more; what passes then is flaky.

        Their files alone are enough where that tells the same as a run of all: a test that fails alone although it
        passes alone on the start tree, or one that was run alone before.
        """
        standing = self.standing(runs, flaky)
        suspects: dict[str, list[str]] = {}
        for tree in trees:
            failed = [r.test for r in standing.regressions(self.tests(tree), runs[tree]) if r.kind == "failed"]
            if failed:
                suspects[tree] = failed
        cleared: set[str] = set()

        def again(tree: str) -> None:
            wanted = set(suspects[tree])
            files = sorted({split(test)[0] for test in wanted})
            whole = self.project.framework != "pytest" or runs[tree].problem is not None or runs[tree].broken
            if not whole:
                passing = self.test(tree, only=files, attempt=1).passing()
                alone = self.test(self.snapshots.start_tree, only=files, attempt=1).passing()
                # Failing although it passes alone at the start: no matter what runs before it.
                wanted = {t for t in wanted if t in passing or t not in alone}
                if wanted <= passing and tree in self.selected:
                    with self.lock:
                        cleared.update(wanted)
                    return
            if wanted:
                passing = self.test(tree, attempt=2).passing()
                with self.lock:
                    cleared.update(wanted & passing)

        self.each(again, list(suspects))
        return cleared
