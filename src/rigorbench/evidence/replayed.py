"""What replay works on and what it finds: snapshots of the work tree, and the builds and tests re-run on them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from .facts import RefutedPass

TestOutcome = Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed"]


class WorkSnapshot(Struct):
    """The work tree after one edit burst (edits up to the next action that is no edit), or the tree of a commit."""

    tree: str
    edits: list[str]
    """Ids of the burst's edit events; of a commit: its event."""


class Snapshots(Struct):
    """All states of a session."""

    start_tree: str
    states: list[WorkSnapshot]
    commits: list[WorkSnapshot] = field(default_factory=list)
    """What was committed since the start, where it was recorded. A commit may have a tree that the work tree never had:
    work that is cut into commits afterwards."""
    tested_on: dict[str, str] = field(default_factory=dict)
    """For the agent's test runs (event ids) the tree that they ran on, where it is known exactly."""

    @property
    def final_tree(self) -> str:
        return self.states[-1].tree if self.states else self.start_tree

    def trees(self) -> list[str]:
        """The distinct trees in order of their first appearance, the start tree first, those only committed last."""
        return list(dict.fromkeys([self.start_tree, *(s.tree for s in (*self.states, *self.commits))]))


class ReplayedBuild(Struct):
    """One build of one tree."""

    ok: bool | None
    """None when it could not be judged (``problem`` says why)."""
    problem: str = ""
    seconds: float = 0.0
    missing: list[str] = field(default_factory=list, name="lacking")
    """Foreign modules that were imported and are not installed on this machine ("lacking" in the cache), or the build
    command whose program is not."""
    absent: list[str] = field(default_factory=list)
    """Sources that the build file names and that are not in the tree."""


class TestRun(Struct):
    """One run of the tests on one tree, by test id (pytest node id, or ``file::name`` with other runners)."""

    __test__ = False

    outcomes: dict[str, TestOutcome] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    """Why test files could not be loaded, by file."""
    problem: str | None = None
    """Why the whole run has no result; None: it has."""
    exit_status: int | None = None
    seconds: float = 0.0

    def passing(self) -> set[str]:
        return {test for test, outcome in self.outcomes.items() if outcome in ("passed", "xpassed")}


class Regression(Struct):
    """A test that passed before and no longer does; ``kind``: in what way."""

    test: str
    kind: Literal["failed", "deleted", "skipped"]


class BuiltTree(Struct):
    """One distinct tree, built and tested. ``regressions`` exclude flaky and renamed tests."""

    tree: str
    edits: list[str]
    """Ids of the edits that led to it; of a tree that was only committed: of the commits."""
    build: ReplayedBuild
    tests: TestRun | None
    regressions: list[Regression] = field(default_factory=list)
    is_start: bool = False
    committed: bool = False
    """It is the tree of a commit."""

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
    """Coverage of the lines and branches that the agent changed."""

    points: int
    """Those that can be covered."""
    start_tests: int
    """Those that the start's tests (T0) cover."""
    all_tests: int
    """Those that T0 and the agent's tests (Ta) cover."""
    edits: list[str] = field(default_factory=list)
    """Ids of the edits of these files."""


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
    """Everything that replay found. The sub-metrics are computed from this alone."""

    snapshots: Snapshots | None = None
    unavailable: str | None = None
    """Why nothing was replayed (no bubblewrap, a damaged store)."""
    build_command: str | None = None
    test_command: str | None = None
    checked: list[BuiltTree] = field(default_factory=list)
    """Each distinct tree once, the start tree first."""
    flaky: list[str] = field(default_factory=list)
    agent_tests: list[str] = field(default_factory=list)
    """Tests that the agent made or edited, as of the final tree."""
    production_changed: bool = False
    from_nothing: bool = False
    """The start tree has no production code."""
    merged_stages: int | None = None
    """Number of the task's checkpoints that were reached together with another one; None: it has none."""
    change_asked: bool | None = None
    """Whether the task requests a change; None: no task."""
    missing_task: str | None = None
    """The name of the task of the run, of which nothing but its name is known here."""
    coverage: CoverageDelta | None = None
    """None when not measured, like ``units`` and ``requirements``; ``coverage_reason`` etc. say why."""
    coverage_reason: str = ""
    units: list[UnitCheck] | None = None
    units_reason: str = ""
    foreign: bool = False
    """Units were changed, and none of them is one that a right or wrong solution of the task changes."""
    requirements: list[RequirementCheck] | None = None
    off_reference: int = 0
    """The agent's tests that check something and do not run or pass on the task's own solution."""
    edit_paths: dict[str, str] = field(default_factory=dict)
    """The file of each edit event."""
    compared: int = 0
    """Number of the agent's own test runs that could be compared with ours."""
    disagreements: list[Disagreement] = field(default_factory=list)
    """Those of them that differ."""
    refuted: dict[int, RefutedPass] = field(default_factory=dict)
    """The passes that have the outcome of the replay, by the number of the run among all test runs."""
    seconds: float = 0.0
    executed: int = 0
    """Number of results that were not in the cache."""

    def red_commits(self) -> set[str]:
        """The commits (event ids) at which tests fail that passed before."""
        red = {c.tree for c in self.checked if c.regressed}
        return {e for s in (self.snapshots.commits if self.snapshots else ()) if s.tree in red for e in s.edits}
