"""What replay works on and what it finds: snapshots of the work tree, and the builds and tests re-run on them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from .facts import RefutedPass

TestOutcome = Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed"]


class Snapshot(Struct):
    """The work tree after one edit burst (edits up to the next action that is no edit), or the tree of a commit.

    Attributes:
        tree: git tree hash.
        edits: ids of the burst's edit events; of a commit: its event.
    """

    tree: str
    edits: list[str]


class Snapshots(Struct):
    """All states of a session.

    Attributes:
        commits: what was committed since the start, where it was recorded. A commit may have a tree that the work tree
            never had: work that is cut into commits afterwards.
        tested_on: for the agent's test runs (event ids) the tree that they ran on, where it is known exactly.
    """

    start_tree: str
    states: list[Snapshot]
    commits: list[Snapshot] = field(default_factory=list)
    tested_on: dict[str, str] = field(default_factory=dict)

    @property
    def final_tree(self) -> str:
        return self.states[-1].tree if self.states else self.start_tree

    def trees(self) -> list[str]:
        """The distinct trees in order of their first appearance, the start tree first, those only committed last."""
        return list(dict.fromkeys([self.start_tree, *(s.tree for s in (*self.states, *self.commits))]))


class Build(Struct):
    """One build of one tree.

    Attributes:
        ok: None when it could not be judged (``problem`` says why).
        missing: foreign modules that were imported and are not installed on this machine ("lacking" in the cache), or
            the build command whose program is not.
        absent: sources that the build file names and that are not in the tree.
    """

    ok: bool | None
    problem: str = ""
    seconds: float = 0.0
    missing: list[str] = field(default_factory=list, name="lacking")
    absent: list[str] = field(default_factory=list)


class TestRun(Struct):
    """One run of the tests on one tree, by test id (pytest node id, or ``file::name`` with other runners).

    Attributes:
        broken: why test files could not be loaded, by file.
        problem: why the whole run has no result; None: it has.
    """

    __test__ = False

    outcomes: dict[str, TestOutcome] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    problem: str | None = None
    exit_status: int | None = None
    seconds: float = 0.0

    def passing(self) -> set[str]:
        return {test for test, outcome in self.outcomes.items() if outcome in ("passed", "xpassed")}


class Regression(Struct):
    """A test that passed before and no longer does; ``kind``: in what way."""

    test: str
    kind: Literal["failed", "deleted", "skipped"]


class Checked(Struct):
    """One distinct tree, built and tested. ``regressions`` exclude flaky and renamed tests.

    Attributes:
        edits: ids of the edits that led to it; of a tree that was only committed: of the commits.
        committed: it is the tree of a commit.
    """

    tree: str
    edits: list[str]
    build: Build
    tests: TestRun | None
    regressions: list[Regression] = field(default_factory=list)
    is_start: bool = False
    committed: bool = False

    @property
    def regressed(self) -> set[str]:
        """The tests that passed in an earlier replay and fail in each of this tree: all that they need is there."""
        return {r.test for r in self.regressions if r.kind == "failed"}


class FileCoverage(Struct):
    """Statement and branch coverage of one file: executed and missing lines, and (from, to) branches."""

    executed: set[int] = field(default_factory=set)
    missing: set[int] = field(default_factory=set)
    branches: set[tuple[int, int]] = field(default_factory=set)
    missing_branches: set[tuple[int, int]] = field(default_factory=set)


class CoverageDelta(Struct):
    """Coverage of the lines and branches that the agent changed.

    Attributes:
        points: those that can be covered.
        start_tests: those that the start's tests (T0) cover.
        all_tests: those that T0 and the agent's tests (Ta) cover.
        edits: ids of the edits of these files.
    """

    points: int
    start_tests: int
    all_tests: int
    edits: list[str] = field(default_factory=list)


class UnitCheck(Struct):
    """One changed unit, reverted or mutated. ``killed_by``: the agent's test that failed then; None: none did."""

    path: str
    unit: str
    how: Literal["reverted", "mutated"]
    killed_by: str | None = None
    edits: list[str] = field(default_factory=list)


class RequirementCheck(Struct):
    """A requirement, and the agent's test (or None) that passes on the reference and fails if only it is violated.

    ``undecided``: without one, a test that shares the requirement's words and does not run or pass on the reference, so
    that it is not known whether it would notice. ``judged``: what a reader says of that.
    """

    id: str
    killed_by: str | None = None
    undecided: str | None = None
    judged: bool | None = None


class Disagreement(Struct):
    """A test run of the agent for which a replay on the same tree has another result."""

    event: str
    """Id of the test run."""
    tree: str
    seen: str
    """What the agent saw, in words."""
    replayed: str
    """What the replay found, in words."""
    tests: list[str] = field(default_factory=list)
    """The tests whose outcomes differ, where they are known."""
    refuted: list[str] = field(default_factory=list)
    """Tests that passed in an earlier replay and fail in every replay of this tree, although the agent saw a pass."""
    covered: bool = False
    """Whether the recorded programs show that the run had to run the refuted tests."""
    elsewhere: bool = False
    """Whether it ran on another tree, such as a copy; then it is a disagreement only if the agent claims the pass."""
    forged: bool = False
    """Whether a pass is refuted that no later run of the agent corrects, and the tests fail on the final tree too."""


class ReplayResult(Struct):
    """Everything that replay found. The sub-metrics are computed from this alone.

    Attributes:
        unavailable: why nothing was replayed (no bubblewrap, a damaged store).
        checked: each distinct tree once, the start tree first.
        flaky: tests whose outcome changed on one and the same tree.
        agent_tests: tests that the agent made or edited, as of the final tree.
        from_nothing: the start tree has no production code.
        merged_stages: number of the task's checkpoints that were reached together with another one; None: it has none.
        change_asked: whether the task requests a change; None: no task.
        missing_task: the name of the task of the run, of which nothing but its name is known here.
        coverage: None when not measured, like ``units`` and ``requirements``; ``coverage_reason`` etc. say why.
        foreign: units were changed, and none of them is one that a right or wrong solution of the task changes.
        edit_paths: the file of each edit event.
        compared: number of the agent's own test runs that could be compared with ours.
        disagreements: those of them that differ.
        refuted: the passes that have the outcome of the replay, by the number of the run among all test runs.
        seconds: wall clock.
        executed: number of results that were not in the cache.
    """

    snapshots: Snapshots | None = None
    unavailable: str | None = None
    build_command: str | None = None
    test_command: str | None = None
    checked: list[Checked] = field(default_factory=list)
    flaky: list[str] = field(default_factory=list)
    agent_tests: list[str] = field(default_factory=list)
    production_changed: bool = False
    from_nothing: bool = False
    merged_stages: int | None = None
    change_asked: bool | None = None
    missing_task: str | None = None
    coverage: CoverageDelta | None = None
    coverage_reason: str = ""
    units: list[UnitCheck] | None = None
    units_reason: str = ""
    foreign: bool = False
    requirements: list[RequirementCheck] | None = None
    off_reference: int = 0
    """The agent's tests that check something and do not run or pass on the task's own solution."""
    edit_paths: dict[str, str] = field(default_factory=dict)
    compared: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)
    refuted: dict[int, RefutedPass] = field(default_factory=dict)
    seconds: float = 0.0
    executed: int = 0

    def red_commits(self) -> set[str]:
        """The commits (event ids) at which tests fail that passed before."""
        red = {c.tree for c in self.checked if c.regressed}
        return {e for s in (self.snapshots.commits if self.snapshots else ()) if s.tree in red for e in s.edits}
