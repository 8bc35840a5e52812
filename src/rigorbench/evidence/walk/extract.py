"""From a log to its evidence, stage by stage: calls; edits, runs, commits and plans; episodes; claims; tampering."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from ...base.code.grammars import is_source
from ...base.patterns import lazy
from ...session.model import (
    MAIN_LANE,
    Ask,
    Edit,
    FileChange,
    Plan,
    Read,
    Result,
    Search,
    Shell,
    ShellOutput,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
    Wait,
)
from ...session.patches import unified
from ..calls import (
    ANYTHING,
    Call,
    closing_message,
    last_message,
    lost_parts,
    of_step,
    read_calls,
    reports,
    taken_back,
    turn_ends,
    understood,
    unplaced_call,
)
from ..claims.abstention import abstention, question
from ..claims.closing import find_claims
from ..edits.index import Index
from ..edits.observed import net
from ..edits.tests import drop_moved
from ..episodes.attempts import EditedTree
from ..episodes.build import find_episodes
from ..episodes.tampering import find_tampering
from ..events import (
    AbstainEvent,
    AskEvent,
    BuildEvent,
    CommitEvent,
    CompactionEvent,
    EditEvent,
    InterruptEvent,
    Outcome,
    PlanOrigin,
    Position,
    ReadEvent,
    ReproductionEvent,
    RunEvent,
    SearchEvent,
    SpawnEvent,
    TestRunEvent,
    WaitEvent,
    head,
)
from ..facts import Evidence, RefutedPass, Unplaced
from ..paths import is_absolute_outside
from ..plans import revisions as plans
from ..plans.prohibitions import find_prohibitions
from ..reading import spread_patterns
from ..testruns.trust import Trust
from .changes import FileChanges
from .found import Found, begin
from .late_runs import LateRuns, RunningProcesses
from .shell_calls import ShellCalls
from .trees import SessionTrees

# What editing tools answer when they changed nothing, in logs without an error flag.
# In lower case, as plain strings: an expression takes many times longer.
_NOT_APPLIED = (
    "no replacement was performed", "did not appear verbatim", "introduced new syntax error",
    "your changes have not been applied", "string to replace not found", "patch does not apply", "verification failed",
    "failed to edit", "invalid `path` parameter", "cannot overwrite", "already exists at", "invalid context",
    "failed to find expected lines",
)  # fmt: skip
_NOT_FOUND = {
    "old_string": lazy(r"old_string.{0,40}not found"),
    "error: ": lazy(r"error: .{0,80}(?:not found|not unique|no match)"),
}


def _says_not_applied(text: str) -> bool:
    lower = text.lower()
    return any(said in lower for said in _NOT_APPLIED) or any(
        sign in lower and said.search(lower) is not None for sign, said in _NOT_FOUND.items()
    )


class _Walk:
    """The walk over the calls: what a command did depends on what was done before it."""

    def __init__(self, found: Found) -> None:
        self.found, self.trajectory = found, found.trajectory
        self.has_results = any(c.result is not None for s in self.trajectory.steps for c in s.calls)
        self.trust = Trust(self.trajectory, found.root)
        self.trees = SessionTrees(found, Index())
        self.runs = LateRuns(found, self.trust, self.trees)
        self.changes = FileChanges(found, self.trust, self.runs)
        self.commands = ShellCalls(found, self.trust, self.runs, self.changes, has_results=self.has_results)
        self.processes = RunningProcesses(found)
        self.todo: dict[tuple[str, bool], plans.PlanState] = {}
        self.reports = reports(self.trajectory)
        self.turn_ends = turn_ends(self.trajectory)

    def run(self, calls: Iterable[Call]) -> None:
        found, gone = self.found, taken_back(self.trajectory)
        of_steps: defaultdict[int, list[Call]] = defaultdict(list)
        for call in calls:
            of_steps[call.at.step].append(call)
        for index, step in enumerate(self.trajectory.steps):
            if step.lane in gone:
                if step.calls:
                    why = "a turn that the user took back"
                    found.unplaced.append(Unplaced(why, ANYTHING, index, None, step.lane))
            elif step.role == "agent":
                if step.text:
                    self.message(index, step)
                for call in of_steps[index]:
                    self.call(call.tool, call.at)
            elif step.role == "compaction":
                found.add(CompactionEvent(**found.head(of_step(index, step))))
            elif step.role == "interrupt":
                found.add(InterruptEvent(**found.head(of_step(index, step))))
        for tool, at in self.processes.left():
            self.commands.shell(tool, at)
        self.submitted()
        self.remaining_commits()
        self.runs.unread_runs()
        if self.trees.left() and self.trajectory.recording is None:
            found.unplaced.append(Unplaced("a revision that was checked out", frozenset(("edit",))))

    def submitted(self) -> None:
        """Edits that only the final diff shows."""
        changes = _unexplained_changes(self.found)
        at = _place(self.found) if changes else None
        if at is not None:
            # When it was done is a guess: what was read before and checked after it is not known.
            self.found.unplaced.append(Unplaced("the change that only the final diff shows", ANYTHING))
            for change in changes:
                self.changes.edit(change, at, via="shell")

    def remaining_commits(self) -> None:
        """Commits that the recording shows and no call explains."""
        for commit in [c for seen in (self.changes.recorded or {}).values() for c in seen]:
            step = commit.step if commit.step is not None else len(self.trajectory.steps) - 1
            at = Position(max(0, step), None, MAIN_LANE, commit.time, commit.source)
            self.changes.recorded_commit(commit, at, amend=False)

    def message(self, index: int, step: Step) -> None:
        at = of_step(index, step)
        if index in self.turn_ends and (asked := question(step.text)):
            self.found.add(AskEvent(**self.found.head(at), text=asked))
        if index not in self.reports:
            edits = any(isinstance(c.action, Edit) or c.observed for c in step.calls)
            if boxes := plans.todo_list(step.text):
                self.todo_list(Plan(boxes), "message", at)
            elif items := plans.items_of_message(step.text, before_edit=edits):
                self.found.add_plan(at, items, "message")

    def call(self, call: ToolCall, at: Position) -> None:
        action, result, found = call.action, call.result, self.found
        if (missing := unplaced_call(call, at, has_results=self.has_results)) is not None:
            found.unplaced.append(missing)
        if isinstance(action, Shell):
            if not self.processes.goes_on(call, action, at):
                self.commands.shell(call, at)
            self.changes.unexplained_commits(call.id, at, action.command)
        elif call.observed is not None and (call.observed or isinstance(action, Edit)):
            self.observed(call, at)
        elif isinstance(action, Edit):
            if self.applied(result):
                for change in action.changes:
                    self.changes.edit(change, at, via="tool")
        elif isinstance(action, Read):
            paths = [found.path(target) for target in action.target.split("\n")]
            if result is None or result.is_error is not True:
                for path in paths:
                    found.add(ReadEvent(**found.head(at), target=path))
            if result is not None and result.is_error is not True and len(paths) == 1:
                self.changes.workspace.saw(paths[0])
                self.changes.targets.learn(paths[0], result.text)
                if is_source(paths[0]):
                    self.changes.memory.show(paths[0], result.text)
            if result is not None:
                self.runs.read_later(action.target, result, result.text, at)
        elif isinstance(action, Search):
            found.add(SearchEvent(**found.head(at), target=action.target))
        elif isinstance(action, ShellOutput):
            ended = self.processes.asked(action, result, at)
            if ended is None:
                self.runs.poll(action, result, at)
            else:
                self.commands.shell(*ended)
        elif isinstance(action, Plan):
            self.plan(action, result, at)
        elif isinstance(action, Spawn):
            found.add(SpawnEvent(**found.head(at), spawned=action.lane))
        elif isinstance(action, Ask):
            found.add(AskEvent(**found.head(at), text=action.text))
        elif isinstance(action, Wait):
            found.add(WaitEvent(**found.head(at)))
        elif isinstance(call.input, dict) and isinstance(thought := call.input.get("thought"), str):
            # A tool in which the agent writes down what it thinks, and perhaps what it is going to do.
            follows = self.trajectory.steps[at.step + 1 : at.step + 2]
            edits = any(isinstance(c.action, Edit) for s in follows for c in s.calls)
            if items := plans.items_of_message(thought, before_edit=edits):
                found.add_plan(at, items, "tool")

    def observed(self, call: ToolCall, at: Position) -> None:
        """The edits of a tool as recorded; for files outside the project, as logged."""
        if isinstance(call.action, Edit) and self.applied(call.result):
            for change in call.action.changes:
                if is_absolute_outside(self.found.path(change.path), self.found.root):
                    self.changes.edit(change, at, via="tool")
        for change in net(call.observed or ()):
            self.changes.edit(change, at, via="background" if call.background else "tool", observed=True)
        if call.background:
            self.changes.unexplained_commits(call.id, at)

    def applied(self, result: Result | None) -> bool:
        """Whether an edit happened: its result does not report a failure. Without any result it did not."""
        if result is None:
            return not self.has_results
        if result.is_error or result.denied:
            return False
        return result.is_error is False or not _says_not_applied(result.text[:2000])

    def plan(self, action: Plan, result: Result | None, at: Position) -> None:
        if result is not None and result.is_error and not (action.mode == "mode" and result.denied):
            return
        self.todo_list(action, "mode" if action.mode == "mode" else "tool", at)

    def todo_list(self, plan: Plan, origin: PlanOrigin, at: Position) -> None:
        """A list, wherever it is kept; that it is repeated with other ticks is no further plan."""
        # The list of a tool has keys, and a list in a message does not replace it.
        state = self.todo.setdefault((at.lane, origin == "message"), plans.PlanState())
        if state.apply(plan) and (items := state.live()):
            self.found.add_plan(at, items, origin)


def _unexplained_changes(found: Found) -> list[FileChange]:
    """The changes of the final diff that some logs state, to files that the agent edited and put back by its calls.

    Other files of the diff may have been changed before the session began, or by a build; but where the calls show no
    edit that is left, all of it is the agent's.
    """
    text = found.trajectory.extra.get("submission")
    if not isinstance(text, str) or "\n@@" not in text:
        return []
    tree, touched, thrown_away = EditedTree(), set[str](), set[str]()
    for event in found.events:
        if isinstance(event, EditEvent) and found.edits[event.id].in_root:
            tree.edit(event, found.edits[event.id])
            touched.add(event.path)
            thrown_away |= {event.path} if found.edits[event.id].scratch else set()
        elif isinstance(event, CommitEvent):
            tree.commit(event)
    changes = [(change, found.path(change.path)) for change in unified(text)]
    if all(tree.as_at_start(path) for path in touched - thrown_away):
        return [change for change, _ in changes]
    return [change for change, path in changes if path in touched and tree.as_at_start(path)]


def _place(found: Found) -> Position | None:
    """Where such changes were made, as far as one can say: in a program that may have written any file.

    It is the last one before the last test run, so that nothing counts as untested that may have been tested; where no
    such program was run, the last step of the agent. None: there is none.
    """
    runs = [(n, e) for n, e in enumerate(found.events) if isinstance(e, RunEvent) and e.lane == MAIN_LANE]
    opaque = [(n, e) for n, e in runs if e.id not in found.effectless]
    tested = max((n for n, e in enumerate(found.events) if isinstance(e, TestRunEvent)), default=len(found.events))
    before = [e for n, e in opaque if n < tested] or [e for _, e in opaque]
    if before:
        return before[-1].position
    last = last_message(found.trajectory)
    return None if last is None else Position(last, None, MAIN_LANE, None, found.trajectory.steps[last].source)


def _refute(found: Found, refuted: Mapping[int, RefutedPass]) -> None:
    """Give the passes that a replay refutes the outcome of the replay."""
    runs = [event for event in found.events if isinstance(event, TestRunEvent)]
    for number, pass_ in refuted.items():
        event, facts = runs[number], found.checks[runs[number].id]
        event.passed, facts.passed, facts.distrusted, facts.start_tree = None, False, False, False
        found.elsewhere.discard(event.id)
        event.outcome = "failed" if pass_.covered else "unknown"
        if pass_.covered:
            event.failing, event.failed = list(pass_.tests), len(pass_.tests)
            facts.failed = facts.failing_known = True
            facts.failing, facts.signature = frozenset(pass_.tests), ", ".join(pass_.tests)


def _runs_of_other_code(found: Found) -> None:
    """Excuse the failing runs of as many tests as had all passed on the same files by another command: it may name
    other code, as a copy of the sources before the change."""
    passed: dict[str, list[TestRunEvent]] = {}
    for event in found.events:
        facts = found.checks.get(event.id)
        if isinstance(event, EditEvent) or event.id in found.exchanges:
            passed.clear()
        elif isinstance(event, TestRunEvent) and facts is not None and not facts.start_tree:
            all_passed = [e for e in passed.get(facts.key, ()) if e.passed == (event.passed or 0) + (event.failed or 0)]
            if facts.passed and event.passed:
                passed.setdefault(facts.key, []).append(event)
            elif facts.failed and event.failed and all_passed and event.command not in {e.command for e in all_passed}:
                facts.infrastructure = "as many tests had passed on the same files by another command"


def _builds_of_throwaway_files(found: Found) -> None:
    """Turn the builds of the agent's throwaway files into reproductions: they try the project's code.

    A compiler that succeeds shows nothing about what the agent wanted to see, so their outcome is known only if they
    failed.
    """
    edits = [(e.path, found.edits[e.id].scratch) for e in found.events if isinstance(e, EditEvent)]
    for index, event in enumerate(found.events):
        if not isinstance(event, BuildEvent) or event.id not in found.builds:
            continue
        inputs = found.builds[event.id]
        own = [scratch for path, scratch in edits if any(path == i or path.startswith(i + "/") for i in inputs)]
        if own and all(own):
            outcome: Outcome = "unknown" if event.outcome == "passed" else event.outcome
            first = head(event.position, event.id)
            found.events[index] = ReproductionEvent(**first, command=event.command, exit_status=None, outcome=outcome)


def extract(trajectory: Trajectory, refuted: Mapping[int, RefutedPass] | None = None) -> Evidence:
    """All evidence of a trajectory. ``refuted``: the passes that a replay refutes, by the number of the test run."""
    found = begin(trajectory)
    calls = list(read_calls(trajectory))
    _Walk(found).run(calls)
    found.events = spread_patterns(found.events)
    found.events.sort(key=lambda e: e.step)
    _runs_of_other_code(found)
    _refute(found, refuted or {})
    _builds_of_throwaway_files(found)
    drop_moved(found.edits.values())
    places = {(c.at.lane, c.at.call): c.tool.action.cwd for c in calls if isinstance(c.tool.action, Shell)}
    for event in found.events:
        if (facts := found.checks.get(event.id)) is not None:
            facts.cwd = facts.cwd or places.get((event.lane, event.call))
    found.unplaced = [*lost_parts(trajectory), *found.unplaced]
    found.understood = understood(trajectory)
    closing = closing_message(trajectory)
    found.closing = closing.text if closing is not None else ""
    episodes, red_phase = find_episodes(found)
    for event in found.events:
        if isinstance(event, TestRunEvent):
            event.red_phase = event.id in red_phase
    found.events += find_claims(found)
    if closing is not None:
        at = of_step(closing.index, trajectory.steps[closing.index])
        if said := abstention(closing.text):
            found.add(AbstainEvent(**head(at), text=said))
        if asked := question(closing.text):
            found.add(AskEvent(**head(at), text=asked))
    found.events += episodes
    found.number_events()
    found.prohibitions = find_prohibitions(trajectory)
    found.tampering = find_tampering(found)
    return found
