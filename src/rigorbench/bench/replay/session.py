"""One replay while it runs: its sandboxes, its cache, and the tests of a tree. :mod:`.run` decides what is checked."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import msgspec

from ...base.cache import cache_directory
from ...base.files import read_json, replace_file
from ...evidence.events import AnyEvent, EditEvent
from ...evidence.replayed import ReplayResult, Snapshots, TestRun
from ...session.task import Task
from .command_tests import command_run
from .compare import Baseline, TreeTests, split
from .impact import Impact, merge
from .project import Project, narrowed
from .runner import Environment, ReplayRunner, find_environment
from .sandbox import CommandLimits
from .store import ObjectStore

T = TypeVar("T")


def default_directory() -> Path:
    """``$XDG_CACHE_HOME/rigorbench/replay`` (``~/.cache`` by default)."""
    return cache_directory().with_name("replay")


class Cache:
    """A cache of results in files. A damaged entry is a miss; an unwritable cache stays empty."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.misses = 0

    def _path(self, key: tuple[str, ...]) -> Path:
        digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()
        return self.directory / digest[:2] / f"{digest[2:]}.json"

    def get(self, key: tuple[str, ...], kind: type[T]) -> T | None:
        found = read_json(self._path(key), kind)
        self.misses += found is None
        return found

    def put(self, key: tuple[str, ...], value: object) -> None:
        """Write the whole entry or none. What has names that JSON cannot hold is not kept."""
        with contextlib.suppress(OSError, UnicodeEncodeError):
            replace_file(self._path(key), msgspec.json.encode(value), mode=0o600)


Progress = Callable[[str, int, int], None]
# The hidden tests that pass on a tree of a store.
HiddenTests = Callable[[Path, str], frozenset[str]]


class ReplaySession:
    """One replay. Runners (sandboxes with a work directory each) are made as the jobs need them. ``selected``: trees of
    which only the tests that a change can reach were run."""

    def __init__(
        self,
        result: ReplayResult,
        snapshots: Snapshots,
        events: Sequence[AnyEvent],
        store: ObjectStore,
        task: Task | None,
        cache: Cache,
        limits: CommandLimits,
        jobs: int,
        directory: Path,
        progress: Progress | None,
        hidden: HiddenTests | None = None,
    ) -> None:
        self.hidden = hidden
        self.result, self.snapshots, self.store, self.task = result, snapshots, store, task
        # Each job has a work tree of its own, and to write one of these takes longer than to run its tests.
        large = len(store.files(snapshots.final_tree)) > 20_000
        self.cache, self.limits, self.jobs, self.directory = cache, limits, 1 if large else max(1, jobs), directory
        self.progress = progress
        self.environment: Environment = find_environment(() if task is None else task.tools)
        edits = [e for e in events if isinstance(e, EditEvent)]
        self.edit_paths = {e.id: e.new_path or e.path for e in edits}
        result.edit_paths = self.edit_paths
        self.roles = {self.edit_paths[e.id]: e.role for e in edits}
        self.lock = threading.Lock()
        self.idle: list[ReplayRunner] = []
        self.runners: list[ReplayRunner] = []
        self.tests_of: dict[str, TreeTests] = {}
        self.impact = Impact(store)
        self.selected: set[str] = set()
        self.project: Project
        self.run_timeout = limits.timeout
        # Its threads live as long as the session: a sandbox dies with the thread that started it.
        self.pool = ThreadPoolExecutor(self.jobs)

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)
        for runner in self.runners:
            runner.stop()

    # Helpers

    def report(self, what: str, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(what, done, total)

    def each(self, work: Callable[[T], None], items: Sequence[T], phase: str | None = None) -> None:
        """Do the work for every item, in parallel, and report the progress of the ``phase``."""
        done = 0

        def one(item: T) -> None:
            nonlocal done
            work(item)
            if phase is not None:
                with self.lock:
                    done += 1
                    self.report(phase, done, len(items))

        if self.jobs == 1 or len(items) < 2:
            for item in items:
                one(item)
            return
        for future in [self.pool.submit(one, item) for item in items]:
            future.result()

    def cached(self, key: tuple[str, ...], kind: type[T], tree: str, work: Callable[[ReplayRunner], T]) -> T:
        """The result under a key of the cache, else that of the work, with a runner that is at this tree."""
        result = self.cache.get(key, kind)
        if result is None:
            with self.borrow() as runner:
                runner.tree.switch(tree)
                result = work(runner)
            self.cache.put(key, result)
        return result

    def tests(self, tree: str) -> TreeTests:
        with self.lock:
            if tree not in self.tests_of:
                self.tests_of[tree] = TreeTests(self.store, tree)
            return self.tests_of[tree]

    @contextlib.contextmanager
    def borrow(self) -> Iterator[ReplayRunner]:
        """A runner for as long as it is needed; at most one per job is made."""
        with self.lock:
            if self.idle:
                runner = self.idle.pop()
            else:
                directory = self.directory / f"runner{len(self.runners)}"
                directory.mkdir()
                runner = ReplayRunner(self.store, self.environment, directory, self.limits)
                self.runners.append(runner)
        try:
            yield runner
        finally:
            with self.lock:
                self.idle.append(runner)

    def key(self, kind: str, tree: str, *command: str) -> tuple[str, ...]:
        return (kind, tree, str(self.store.root), self.environment.fingerprint, *command)

    # Tests

    def test(self, tree: str, *, only: Sequence[str] = (), attempt: int = 0) -> TestRun:
        """The tests of a tree, from the cache where they ran before. ``attempt`` distinguishes repeated runs.

        The first run may leave out tests that no change since a tree tested before can reach.
        """
        project, first = self.project, not only and attempt == 0
        command = project.test or project.pytest_command()
        key = self.key("test", tree, command, str(attempt), *only)
        # Whether the project's own options had to be left out: the runs after a cached run need to know that too.
        options = self.key("options", tree, command) if first and tree == self.snapshots.start_tree else None
        run = self.cache.get(key, TestRun)
        if run is not None and options is not None and self.cache.get(options, bool):
            project.args += ["-o", "addopts="]
        if run is None:
            before = len(project.args)
            if project.test is None and first and options is None:
                run = self._selected(tree)
            if run is None:
                run = self._run(tree, only, on_start=options is not None)
            self.cache.put(key, run)
            if options is not None:
                self.cache.put(options, len(project.args) != before)
        if first:
            self.impact.finished(tree, self.tests(tree).files, run)
        return run

    def _selected(self, tree: str) -> TestRun | None:
        """The tests that a change can reach were run; None: all tests must run."""
        selection, run = self.impact.select(self.tests(tree).files), TestRun(exit_status=5)
        if selection is None:
            return None
        if selection.files:
            with self.borrow() as runner:
                runner.tree.switch(tree)
                args = narrowed(self.project.args, selection.files)
                run = runner.pytest(args, timeout=self.run_timeout).run
        merged = merge(selection, run)
        if merged is not None:
            self.selected.add(tree)
        return merged

    def _run(self, tree: str, only: Sequence[str], *, on_start: bool) -> TestRun:
        project = self.project
        with self.borrow() as runner:
            runner.tree.switch(tree)
            if project.test is not None:
                run = command_run(runner.command(project.test, self.run_timeout), self.tests(tree))
            else:
                args = narrowed(project.args, only) if only else list(project.args)
                run = runner.pytest(args, timeout=self.run_timeout).run
                if run.exit_status == 4 and on_start:
                    # The project's own options name plugins that are not installed: leave them out from now on.
                    project.args += ["-o", "addopts="]
                    runner.tree.switch(tree)
                    run = runner.pytest(project.args, timeout=self.run_timeout).run
        return run

    def test_alone(self, kind: str, tree: str, tests: Sequence[str]) -> TestRun:
        """A run of pytest on these tests or files alone. ``kind``: of the key in the cache."""
        args, timeout = narrowed(self.project.args, tests), self.run_timeout
        return self.cached(self.key(kind, tree, *args), TestRun, tree, lambda r: r.pytest(args, timeout).run)

    def baseline(self, runs: dict[str, TestRun], flaky: set[str]) -> Baseline:
        start = self.snapshots.start_tree
        return Baseline(self.store, self.tests(start), runs[start], frozenset(flaky))

    def confirm(self, trees: list[str], runs: dict[str, TestRun], flaky: set[str]) -> set[str]:
        """Run the tests of ``trees`` that regressed once more, and return those that pass then: they are flaky.

        It is enough to run their files alone where that shows the same as a run of all: for a test that fails alone
        although it passes alone on the start tree, and for one that was run alone before.
        """
        baseline = self.baseline(runs, flaky)
        suspects: dict[str, list[str]] = {}
        for tree in trees:
            failed = [r.test for r in baseline.regressions(self.tests(tree), runs[tree]) if r.kind == "failed"]
            if failed:
                suspects[tree] = failed
        cleared: set[str] = set()

        def again(tree: str) -> None:
            tests = set(suspects[tree])
            files = sorted({split(test)[0] for test in tests})
            whole = self.project.test is not None or runs[tree].problem is not None or runs[tree].broken
            if not whole:
                passing = self.test(tree, only=files, attempt=1).passing()
                alone = self.test(self.snapshots.start_tree, only=files, attempt=1).passing()
                # A test that fails here and passes alone on the start tree fails whatever runs before it.
                tests = {t for t in tests if t in passing or t not in alone}
                if tests <= passing and tree in self.selected:
                    with self.lock:
                        cleared.update(tests)
                    return
            if tests:
                passing = self.test(tree, attempt=2).passing()
                with self.lock:
                    cleared.update(tests & passing)

        self.each(again, list(suspects))
        return cleared
