"""Requirements traceability by replay: which requirements the agent's tests notice when only that one is violated."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.code.testcode import test_functions
from ...evidence.replayed import RequirementCheck, TestRun
from ...session.task import LINKED
from .compare import TreeTests, agent_tests, changed, split
from .store import Change, Entry, ObjectStore, ObjectStoreError, git

if TYPE_CHECKING:
    from ...session.task import Requirement
    from .session import ReplaySession


def solutions(session: ReplaySession) -> list[tuple[str, str]]:
    """Every right and wrong solution of the task, as (the tree that it changes, the changed tree).

    Raises:
        ObjectStoreError: one of them cannot be applied.
    """
    task, start = session.task, session.snapshots.start_tree
    if task is None:
        return []

    def on(tree: str, *changes: str | None) -> list[tuple[str, str]]:
        return [(tree, patched(session.store, tree, Path(c), session.directory)) for c in changes if c is not None]

    readings = task.ambiguity.readings if task.ambiguity is not None else []
    right = on(start, task.reference, *(r.reference for r in readings))
    wrong = [pair for _, golden in right[:1] for pair in on(golden, *(r.faulty for r in task.requirements))]
    return [*right, *wrong, *on(start, *(n.path for n in task.near_misses))] if right else []


def outdated(session: ReplaySession) -> set[str]:
    """The tests of the start tree that a right solution of the task breaks, changes or takes away.

    The request has made them outdated, and who changes or removes them as well breaks nothing.
    """
    task, start = session.task, session.tests(session.snapshots.start_tree)
    if task is None:
        return set()
    readings = task.ambiguity.readings if task.ambiguity is not None else []
    before, found = session.test(start.tree).passing(), set[str]()
    for reference in filter(None, (task.reference, *(r.reference for r in readings))):
        try:
            golden = session.tests(patched(session.store, start.tree, Path(reference), session.directory))
            passing = session.test(golden.tree, attempt=1).passing()
        except ObjectStoreError:
            continue
        found |= {t for t in before if t not in passing or changed(t, start, golden)}
    return found


def trace_requirements(session: ReplaySession, tests: set[str], steady: set[str]) -> None:
    """Fill in ``requirements``.

    The agent's tests are added to the reference solution and to each faulty one. A requirement is traced if a test of
    the agent passes on the reference and fails on the implementation that violates only this requirement.

    Args:
        tests: paths of test files that the agent made or changed.
        steady: the agent's tests that pass on its own tree, and on rewrites of it.
    """
    task = session.task
    if task is None or task.solvable == "impossible":
        return
    traceable = [r for r in task.requirements if r.faulty is not None]
    if not traceable or task.reference is None:
        return
    try:
        _Tracer(session, tests, task.reference).run(traceable, steady)
    except ObjectStoreError:
        session.result.requirements = None  # a solution of the task cannot be applied to the start tree


class _Tracer:
    def __init__(self, session: ReplaySession, tests: set[str], reference: str) -> None:
        self.session, self.store, self.result = session, session.store, session.result
        start, final = session.tests(session.snapshots.start_tree), session.tests(session.snapshots.final_tree)
        self.golden = patched(self.store, start.tree, Path(reference), session.directory)
        self.overlay: dict[str, Change] = {p: final.files.get(p) for p in tests}
        self.start = start

    def run(self, requirements: list[Requirement], steady: set[str]) -> None:
        session = self.session
        checks = {r.id: RequirementCheck(r.id) for r in requirements}
        self.result.requirements = list(checks.values())
        by_command = session.project.test is not None
        added = sorted(p for p, e in self.overlay.items() if e is not None and (by_command or p.endswith(".py")))
        if not added:
            return
        golden = self.with_tests(self.golden)
        run = self.tested(golden, added)
        mine = set(agent_tests(self.start, TreeTests(self.store, golden), run))
        sound = sorted(run.passing() & mine & steady)
        off = self.functions(sorted(steady - run.passing()))
        self.result.off_reference = len(off)
        # What the tests of a file that cannot be collected there would notice, nothing shows.
        ran = {split(test)[0] for test in run.outcomes}
        unknown = next((t for t in off if split(t)[0] not in ran), None)
        for requirement in requirements:
            like = (t for t, (name, words) in off.items() if requirement.shared_words(name, words) >= LINKED)
            checks[requirement.id].undecided = next(like, unknown)
        if not sound:
            if run.problem is not None and run.exit_status != 5:
                # Tests that did not run are unknown, which is not the same as tests that notice nothing.
                for check in checks.values():
                    check.undecided = check.undecided or next(iter(sorted(steady)), None)
            return

        def one(requirement: Requirement) -> None:
            assert requirement.faulty is not None
            base = patched(self.store, self.golden, Path(requirement.faulty), session.directory)
            tree = self.with_tests(base)
            check = checks[requirement.id]
            check.killed_by = self.killer(tree, sound) if base != self.golden else None
            check.undecided = None if check.killed_by is not None else check.undecided

        session.each(one, requirements, "requirements")

    def functions(self, tests: list[str]) -> dict[str, tuple[str, frozenset[str]]]:
        """Name and identifiers of those of the tests that can fail and that their file defines."""
        final = self.session.tests(self.session.snapshots.final_tree)
        known = {
            (path, t.name): t.references
            for path in {split(test)[0] for test in tests}
            for t in test_functions(path, final.text(path) or "")
            if final.can_fail(t)
        }
        return {t: (split(t)[1], known[split(t)]) for t in tests if split(t) in known}

    def with_tests(self, tree: str) -> str:
        return self.store.write_trees(tree, [self.overlay])[0]

    def tested(self, tree: str, files: list[str]) -> TestRun:
        """A run of the agent's test files on a tree; a project's own command runs all tests."""
        session = self.session
        if session.project.test is not None:
            return session.test(tree)
        there = self.store.files(tree)
        named = [f for f in files if f in there and split(f)[0].rsplit("/", 1)[-1] != "conftest.py"]
        return session.test_alone("traced", tree, named)

    def killer(self, tree: str, sound: list[str]) -> str | None:
        """The first of the agent's tests that passed on the reference and does not pass on this tree."""
        files = sorted({split(t)[0] for t in sound})
        run = self.tested(tree, files)
        passing = run.passing()
        failed = [t for t in sound if t in run.outcomes and t not in passing]
        if not failed and run.problem is not None and self.session.project.test is not None:
            # They compiled with the reference, so they use what this implementation does not have.
            failed = sound
        if not failed:
            failed = [
                t for t in sound if any(f and (split(t)[0] == f or split(t)[0].startswith(f)) for f in run.broken)
            ]
        return failed[0] if failed else None


def patched(store: ObjectStore, tree: str, change: Path, directory: Path) -> str:
    """A tree with a patch applied, or with the files of a directory added.

    Raises:
        ObjectStoreError: the patch does not apply, or cannot be read.
    """
    if change.is_dir():
        overlay: dict[str, Change] = {}
        for path in sorted(change.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                mode = "100755" if os.access(path, os.X_OK) else "100644"
                overlay[path.relative_to(change).as_posix()] = Entry(mode, store.put(path.read_bytes()))
        return store.write_trees(tree, [overlay])[0]
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        extra = {"GIT_INDEX_FILE": str(Path(scratch) / "index"), "GIT_WORK_TREE": scratch}
        git(store.path, "read-tree", tree, extra=extra)
        git(store.path, "apply", "--cached", "--whitespace=nowarn", str(change.absolute()), extra=extra)
        return git(store.path, "write-tree", extra=extra).decode().strip()
