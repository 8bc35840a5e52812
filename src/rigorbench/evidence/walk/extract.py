"""The walk over a trajectory that turns its steps and calls into events."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...base.code.grammars import is_source
from ...base.patterns import lazy
from ...session.model import (
    MAIN_LANE,
    Ask,
    Edit,
    Finish,
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
from ..claims import abstention
from ..claims import closing as claims
from ..claims.said import About
from ..edits.index import Index
from ..edits.observed import net
from ..edits.tests import drop_moved
from ..episodes.build import find_episodes
from ..episodes.tampering import find_tampering
from ..events import (
    AbstainEvent,
    AnyEvent,
    AskEvent,
    ClaimEvent,
    CommitEvent,
    CompactionEvent,
    EpisodeEvent,
    InterruptEvent,
    PlanOrigin,
    Position,
    ReadEvent,
    SearchEvent,
    SpawnEvent,
    TestRunEvent,
    WaitEvent,
)
from ..facts import Evidence, RefutedPass, Unplaced
from ..paths import is_absolute_outside
from ..plans import revisions as plans
from ..plans.prohibitions import find_prohibitions
from ..reading import spread_patterns
from ..testruns.trust import Trust
from .changes import Changes
from .late_runs import Runs
from .ledger import Ledger
from .own_builds import builds_of_throwaway_files
from .processes import Processes
from .shell_calls import ShellCalls
from .submission import place, unexplained_changes
from .tokens import step_tokens
from .trees import Trees
from .turns import reports, turn_ends
from .unplaced import ANYTHING, lost_parts, understood, unplaced_call

# What editing tools answer when they changed nothing, in logs without an error flag.
# In lower case, as plain strings: an expression takes many times longer.
_NOT_APPLIED = (
    "no replacement was performed", "did not appear verbatim", "introduced new syntax error",
    "your changes have not been applied", "string to replace not found", "patch does not apply", "verification failed",
    "failed to edit", "invalid `path` parameter", "cannot overwrite", "already exists at", "invalid context",
    "failed to find expected lines",
)  # fmt: skip
_TAKEN_BACK = "a turn that the user took back"
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
    def __init__(self, trajectory: Trajectory, refuted: Mapping[int, RefutedPass]) -> None:
        self.trajectory = trajectory
        self.refuted = refuted
        self.has_results = any(c.result is not None for s in trajectory.steps for c in s.calls)
        self.ledger = Ledger(trajectory)
        self.trust = Trust(trajectory, self.ledger.root)
        self.trees = Trees(self.ledger, Index())
        self.runs = Runs(self.ledger, self.trust, self.trees)
        self.changes = Changes(self.ledger, self.trust, self.runs)
        self.commands = ShellCalls(self.ledger, self.trust, self.runs, self.changes, has_results=self.has_results)
        self.processes = Processes(self.ledger)
        self.calls_done: dict[str, int] = {}
        self.places: dict[tuple[str, int | None], str | None] = {}  # the directory of each call
        self.todo: dict[tuple[str, bool], plans.PlanState] = {}
        self.closing_text = ""
        self.reports = reports(trajectory)
        self.turn_ends = turn_ends(trajectory)

    def run(self) -> Evidence:
        taken_back = {lane.id for lane in self.trajectory.lanes.values() if lane.taken_back}
        taken_back |= {lane.id for lane in self.trajectory.lanes.values() if lane.parent in taken_back}
        for index, step in enumerate(self.trajectory.steps):
            if step.lane in taken_back:
                if step.calls:
                    self.ledger.unplaced.append(Unplaced(_TAKEN_BACK, ANYTHING, index, None, step.lane))
            elif step.role == "agent":
                self.agent_step(index, step)
            elif step.role == "compaction":
                self.ledger.add(CompactionEvent(**self.ledger.head(_of_step(index, step))))
            elif step.role == "interrupt":
                self.ledger.add(InterruptEvent(**self.ledger.head(_of_step(index, step))))
        for call, at in self.processes.left():
            self.process(call, at)
        self.submitted()
        self.remaining_commits()
        self.runs.unread_runs()
        ledger = self.ledger
        ledger.events = spread_patterns(ledger.events)
        ledger.events.sort(key=lambda e: e.step)
        self.refute()
        builds_of_throwaway_files(ledger)
        drop_moved(ledger.edits.values())
        for event in ledger.events:
            if (facts := ledger.checks.get(event.id)) is not None:
                facts.cwd = facts.cwd or self.places.get((event.lane, event.call))
        episodes = find_episodes(
            self.trajectory,
            ledger.events,
            ledger.checks,
            ledger.edits,
            ledger.prompt,
            outside=ledger.outside,
            head=ledger.head,
        )
        self.closing(episodes)
        ledger.events += episodes
        ledger.number_events()
        prohibitions = find_prohibitions(self.trajectory)
        tampering = find_tampering(
            self.trajectory,
            ledger.events,
            ledger.checks,
            ledger.edits,
            ledger.prompt,
            self.closing_text,
            prohibited=any(p.deed == "tests" for p in prohibitions),
        )
        if self.trees.left() and self.trajectory.recording is None:
            ledger.unplaced.append(Unplaced("a revision that was checked out", frozenset(("edit",))))
        unplaced = [*lost_parts(self.trajectory), *ledger.unplaced]
        return Evidence(
            trajectory=self.trajectory,
            root=ledger.root,
            worktrees=ledger.worktrees,
            events=ledger.events,
            prompt=ledger.prompt,
            tokens=step_tokens(self.trajectory),
            plans=ledger.plans,
            edits=ledger.edits,
            checks=ledger.checks,
            commits=ledger.commits,
            exchanges=ledger.exchanges,
            effectless=ledger.effectless,
            elsewhere=ledger.elsewhere,
            closing=self.closing_text,
            tampering=tampering,
            prohibitions=prohibitions,
            unplaced=unplaced,
            understood=understood(self.trajectory),
        )

    def refute(self) -> None:
        """Give the passes that a replay refutes the outcome of the replay."""
        runs = [event for event in self.ledger.events if isinstance(event, TestRunEvent)]
        for number, refuted in self.refuted.items():
            event, facts = runs[number], self.ledger.checks[runs[number].id]
            event.passed, facts.passed, facts.distrusted, facts.start_tree = None, False, False, False
            self.ledger.elsewhere.discard(event.id)
            event.outcome = "failed" if refuted.covered else "unknown"
            if refuted.covered:
                event.failing, event.failed = list(refuted.tests), len(refuted.tests)
                facts.failed = facts.failing_known = True
                facts.failing, facts.signature = frozenset(refuted.tests), ", ".join(refuted.tests)

    def submitted(self) -> None:
        """Edits that only the final diff shows."""
        changes = unexplained_changes(self.trajectory, self.ledger)
        at = place(self.ledger) if changes else None
        if at is not None:
            # When it was done is a guess: what was read before and checked after it is not known.
            self.ledger.unplaced.append(Unplaced("the change that only the final diff shows", ANYTHING))
            for change in changes:
                self.changes.edit(change, at, via="shell")

    def remaining_commits(self) -> None:
        """Commits that the recording shows and no call explains."""
        for commit in [c for seen in (self.changes.recorded or {}).values() for c in seen]:
            step = commit.step if commit.step is not None else len(self.trajectory.steps) - 1
            at = Position(max(0, step), None, MAIN_LANE, commit.time, commit.source)
            self.changes.recorded_commit(commit, at, amend=False)

    def agent_step(self, index: int, step: Step) -> None:
        if step.text:
            self.message(index, step)
        for call in step.calls:
            number: int | None = None
            time = call.time or step.time
            if call.result is not None:
                number = self.calls_done.get(step.lane, 0)
                self.calls_done[step.lane] = number + 1
                if call.result.time is not None:
                    time = call.result.time
            self.call(call, Position(index, number, step.lane, time, call.source))

    def message(self, index: int, step: Step) -> None:
        at = _of_step(index, step)
        if index in self.turn_ends and (asked := abstention.question(step.text)):
            self.ledger.add(AskEvent(**self.ledger.head(at), text=asked))
        if index not in self.reports:
            edits = any(isinstance(c.action, Edit) or c.observed for c in step.calls)
            if boxes := plans.todo_list(step.text):
                self.todo_list(Plan(boxes), "message", at)
            elif items := plans.items_of_message(step.text, before_edit=edits):
                self.ledger.add_plan(at, items, "message")

    def call(self, call: ToolCall, at: Position) -> None:
        action, result, ledger = call.action, call.result, self.ledger
        if (missing := unplaced_call(call, at, has_results=self.has_results)) is not None:
            ledger.unplaced.append(missing)
        if isinstance(action, Shell):
            if at.call is not None:
                self.places[at.lane, at.call] = action.cwd
            if not self.processes.goes_on(call, action, at):
                self.commands.shell(call, action, at)
            self.changes.unexplained_commits(call.id, at, action.command)
        elif call.observed is not None and (call.observed or isinstance(action, Edit)):
            self.observed(call, at)
        elif isinstance(action, Edit):
            if self.applied(result):
                for change in action.changes:
                    self.changes.edit(change, at, via="tool")
        elif isinstance(action, Read):
            paths = [ledger.path(target) for target in action.target.split("\n")]
            if result is None or result.is_error is not True:
                for path in paths:
                    ledger.add(ReadEvent(**ledger.head(at), target=path))
            if result is not None and result.is_error is not True and len(paths) == 1:
                self.changes.workspace.saw(paths[0])
                self.changes.targets.learn(paths[0], result.text)
                if is_source(paths[0]):
                    self.changes.memory.show(paths[0], result.text)
            if result is not None:
                self.runs.read_later(action.target, result, result.text, at)
        elif isinstance(action, Search):
            ledger.add(SearchEvent(**ledger.head(at), target=action.target))
        elif isinstance(action, ShellOutput):
            ended = self.processes.asked(action, result, at)
            if ended is None:
                self.runs.poll(action, result, at)
            else:
                self.process(*ended)
        elif isinstance(action, Plan):
            self.plan(action, result, at)
        elif isinstance(action, Spawn):
            ledger.add(SpawnEvent(**ledger.head(at), spawned=action.lane))
        elif isinstance(action, Ask):
            ledger.add(AskEvent(**ledger.head(at), text=action.text))
        elif isinstance(action, Wait):
            ledger.add(WaitEvent(**ledger.head(at)))
        elif isinstance(call.input, dict) and isinstance(thought := call.input.get("thought"), str):
            # A tool in which the agent writes down what it thinks, and perhaps what it is going to do.
            follows = self.trajectory.steps[at.step + 1 : at.step + 2]
            edits = any(isinstance(c.action, Edit) for s in follows for c in s.calls)
            if items := plans.items_of_message(thought, before_edit=edits):
                ledger.add_plan(at, items, "tool")

    def process(self, call: ToolCall, at: Position) -> None:
        """The events of a command that outlived its call."""
        assert isinstance(call.action, Shell)
        self.commands.shell(call, call.action, at)

    def observed(self, call: ToolCall, at: Position) -> None:
        """The edits of a tool as recorded; for files outside the project, as logged."""
        if isinstance(call.action, Edit) and self.applied(call.result):
            for change in call.action.changes:
                if is_absolute_outside(self.ledger.path(change.path), self.ledger.root):
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
            self.ledger.add_plan(at, items, origin)

    def closing(self, episodes: list[EpisodeEvent]) -> None:
        """The claims of commits and of messages that end a turn, and the events of the closing message.

        The closing message is the last agent step of the main lane, if nothing was to follow it: a reply with calls is
        none where a limit kept the agent from seeing what they did.
        """
        steps, ledger = self.trajectory.steps, self.ledger
        for event in [e for e in ledger.events if isinstance(e, CommitEvent)]:
            before = ledger.events[: ledger.events.index(event)]
            self.add_claims(event.message, event.position, before, about=("command", "tests"), decided=True)
        last = max((i for i, s in enumerate(steps) if s.role == "agent" and s.lane == MAIN_LANE), default=None)
        if last is None:
            return
        for index in sorted(self.turn_ends - {last}):
            at = _of_step(index, steps[index])
            self.add_claims(steps[index].text, at, [e for e in ledger.events if e.step <= index], decided=True)
        step = steps[last]
        finishes = any(isinstance(c.action, Finish) for c in step.calls)
        cut_off = not finishes and bool(step.calls)
        if (not step.text.strip() and not finishes) or (cut_off and self.trajectory.end in ("limit", "error")):
            return
        finish = next((c.action.text for c in step.calls if isinstance(c.action, Finish) and c.action.text), "")
        text = step.text if finish in step.text or not finish else f"{step.text}\n{finish}".strip()
        self.closing_text = text
        at = _of_step(last, step)
        if finishes or not step.calls:
            self.add_claims(text, at, [e for e in ledger.events if e.step <= last])
        abstained = abstention.abstention(text)
        if abstained:
            ledger.add(AbstainEvent(**ledger.head(at), text=abstained))
            for episode in episodes:
                if episode.resolved == "unresolved" and episode.counts:
                    episode.resolved = "given_up"
                    episode.rule += "; the agent says that it gave up"
        asked = abstention.question(text)
        if asked:
            ledger.add(AskEvent(**ledger.head(at), text=asked))

    def add_claims(
        self,
        text: str,
        at: Position,
        before: Sequence[AnyEvent],
        *,
        about: Collection[About] | None = None,
        decided: bool = False,
    ) -> None:
        """The claims of a message.

        Args:
            before: the events that it may speak of.
            about: only those about these (a commit message is about its changes).
            decided: only those that an event decides.
        """
        ledger = self.ledger
        unplaced = [*lost_parts(self.trajectory), *ledger.unplaced]
        log = claims.Log(
            text,
            before,
            ledger.checks,
            ledger.edits,
            self.trajectory,
            ledger.effectless,
            [u for u in unplaced if u.step is None or u.step <= at.step],
            ledger.prompt,
        )
        for sentence, claim in claims.claims(log, about):
            if decided and not claim.events:
                continue
            ledger.add(
                ClaimEvent(
                    **ledger.head(at),
                    text=sentence[:400],
                    verdict=claim.verdict,
                    why=claim.why,
                    decided_by=[e.id for e in claim.events],
                    check=claim.command,
                )
            )


def _of_step(index: int, step: Step) -> Position:
    return Position(index, None, step.lane, step.time, step.source)


def extract(trajectory: Trajectory, refuted: Mapping[int, RefutedPass] | None = None) -> Evidence:
    """All evidence of a trajectory. Never raises; an empty trajectory has no events.

    Args:
        refuted: the passes that a replay refutes, by the number of the test run among all test runs.
    """
    return _Walk(trajectory, refuted or {}).run()
