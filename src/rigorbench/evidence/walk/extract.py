"""The walk over a trajectory that turns its steps and calls into events."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from ...trajectory.model import (
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
from ..code.grammars import is_source
from ..episodes.build import find_episodes
from ..events import (
    AbstainEvent,
    AnyEvent,
    AskEvent,
    ClaimEvent,
    CompactionEvent,
    EpisodeEvent,
    InterruptEvent,
    PlanEvent,
    ReadEvent,
    SearchEvent,
    SpawnEvent,
    WaitEvent,
)
from ..facts import Evidence, PlanFacts, StepTokens
from ..paths import is_absolute_outside
from ..plans import revisions as plans
from ..testruns.trust import Trust
from .changes import Changes
from .late_runs import Runs
from .ledger import Ledger
from .shell_calls import ShellCalls
from .tokens import step_tokens

# What editing tools say when they changed nothing, in logs that carry no error flag.
_NOT_APPLIED = re.compile(
    r"No replacement was performed|did not appear verbatim|introduced new syntax error|"
    r"Your changes have NOT been applied|"
    r"String to replace not found|old_string.{0,40}not found|patch does not apply|verification failed|Failed to edit|"
    r"Error: .{0,80}(not found|not unique|no match)|Invalid `path` parameter|Cannot overwrite|already exists at|"
    r"Invalid context|"
    r"Failed to find expected lines",
    re.IGNORECASE,
)


class _Walk:
    def __init__(self, trajectory: Trajectory) -> None:
        self.has_results = any(c.result is not None for s in trajectory.steps for c in s.calls)
        self.ledger = Ledger(trajectory)
        self.trust = Trust(trajectory, self.ledger.root)
        self.runs = Runs(self.ledger, self.trust)
        self.changes = Changes(self.ledger, self.trust, self.runs)
        self.commands = ShellCalls(self.ledger, self.trust, self.runs, self.changes, has_results=self.has_results)
        self.calls_done: dict[str, int] = {}
        self.todo: dict[str, plans.PlanState] = {}
        self.linked: list[tuple[ClaimEvent, list[AnyEvent]]] = []
        self.closing_text = ""
        self.last_agent = max(
            (i for i, s in enumerate(trajectory.steps) if s.role == "agent" and s.lane == MAIN_LANE), default=None
        )
        self.reports = _reports(trajectory)
        self.turn_ends = _turn_ends(trajectory)

    def run(self) -> Evidence:
        for index, step in enumerate(self.ledger.trajectory.steps):
            if step.role == "agent":
                self.agent_step(index, step)
            elif step.role == "compaction":
                self.ledger.add(CompactionEvent(**self.ledger.place(index, None, step.lane, step.source, step.time)))
            elif step.role == "interrupt":
                self.ledger.add(InterruptEvent(**self.ledger.place(index, None, step.lane, step.source, step.time)))
        self.remaining_commits()
        self.runs.unread_runs()
        self.ledger.events.sort(key=lambda e: e.step)
        tokens = step_tokens(self.ledger.trajectory)
        episodes = find_episodes(
            self.ledger.trajectory,
            self.ledger.events,
            self.ledger.check_facts,
            self.ledger.edit_facts,
            self.ledger.prompt,
        )
        final = self.final_step()
        self.closing(final, episodes)
        return self.finish(episodes, tokens)

    def remaining_commits(self) -> None:
        """Commits that a witness saw, and that no call explains."""
        for commit in [c for seen in (self.changes.witnessed or {}).values() for c in seen]:
            step = commit.step if commit.step is not None else len(self.ledger.trajectory.steps) - 1
            place = self.ledger.place(max(0, step), None, MAIN_LANE, commit.source, commit.time)
            self.changes.seen_commit(commit, place, amend=False)

    def agent_step(self, index: int, step: Step) -> None:
        if step.text:
            self.message(index, step)
        for call in step.calls:
            number: int | None = None
            if call.result is not None:
                number = self.calls_done.get(step.lane, 0)
                self.calls_done[step.lane] = number + 1
            time = (
                call.result.time if call.result is not None and call.result.time is not None else call.time or step.time
            )
            self.call(call, self.ledger.place(index, number, step.lane, call.source, time))

    def message(self, index: int, step: Step) -> None:
        if index in self.turn_ends and (asked := abstention.question(step.text)):
            self.ledger.add(AskEvent(**self.ledger.place(index, None, step.lane, step.source, step.time), text=asked))
        if index in self.reports:
            return
        items = plans.items_of_message(step.text)
        if items:
            event = PlanEvent(
                **self.ledger.place(index, None, step.lane, step.source, step.time),
                items=[i.text for i in items],
                origin="message",
            )
            self.ledger.add(event)
            self.ledger.plan_facts[id(event)] = PlanFacts(plans.describe(items, self.ledger.prompt.text), "message")

    def call(self, call: ToolCall, place: dict[str, Any]) -> None:
        action, result = call.action, call.result
        if isinstance(action, Shell):
            self.commands.shell(action, result, place, call.observed, call.id)
            self.changes.unexplained_commits(call.id, place)
        elif call.observed is not None and (call.observed or isinstance(action, Edit)):
            self.seen(call, place)
        elif isinstance(action, Edit):
            if self.applied(result):
                for change in action.changes:
                    self.changes.edit(change, place, via="tool")
        elif isinstance(action, Read):
            path = self.ledger.path(action.target)
            self.ledger.add(ReadEvent(**place, target=path))
            if result is not None and result.is_error is not True:
                self.changes.workspace.saw(path)
                if is_source(path):
                    self.changes.memory.show(path, result.text)
            if result is not None:
                self.runs.read_later(action.target, result, result.text, place)
        elif isinstance(action, Search):
            self.ledger.add(SearchEvent(**place, target=action.target))
        elif isinstance(action, ShellOutput):
            self.runs.poll(action, result, place)
        elif isinstance(action, Plan):
            self.plan(action, result, place)
        elif isinstance(action, Spawn):
            self.ledger.add(SpawnEvent(**place, spawned=action.lane))
        elif isinstance(action, Ask):
            self.ledger.add(AskEvent(**place, text=action.text))
        elif isinstance(action, Wait):
            self.ledger.add(WaitEvent(**place))

    def seen(self, call: ToolCall, place: dict[str, Any]) -> None:
        """The edits that a witness saw a tool make; of files outside the project there is only what the log says."""
        if isinstance(call.action, Edit) and self.applied(call.result):
            for change in call.action.changes:
                if is_absolute_outside(self.ledger.path(change.path), self.ledger.root):
                    self.changes.edit(change, place, via="tool")
        for change in call.observed or ():
            self.changes.edit(change, place, via="background" if call.background else "tool", observed=True)
        if call.background:
            self.changes.unexplained_commits(call.id, place)

    def applied(self, result: Result | None) -> bool:
        """Whether an edit happened: its result does not say that it failed. Without any result it did not."""
        if result is None:
            return not self.has_results
        if result.is_error or result.denied:
            return False
        return result.is_error is False or not _NOT_APPLIED.search(result.text[:2000])

    def plan(self, action: Plan, result: Result | None, place: dict[str, Any]) -> None:
        if result is not None and result.is_error and not (action.mode == "mode" and result.denied):
            return
        state = self.todo.setdefault(place["lane"], plans.PlanState())
        if not state.apply(action):
            return
        items = state.live()
        if not items:
            return
        event = PlanEvent(
            **place,
            items=[i.text for i in items],
            origin="mode" if action.mode == "mode" else "tool",
            completed=[i.text for i in items if i.status == "completed"],
        )
        self.ledger.add(event)
        self.ledger.plan_facts[id(event)] = PlanFacts(plans.describe(items, self.ledger.prompt.text), event.origin)

    def final_step(self) -> int | None:
        """The agent's closing message in the main lane: its last step with text that is followed by no further work."""
        index = self.last_agent
        if index is None:
            return None
        step = self.ledger.trajectory.steps[index]
        if step.text.strip() or any(isinstance(c.action, Finish) for c in step.calls):
            return index
        return None

    def closing(self, final: int | None, episodes: list[EpisodeEvent]) -> None:
        if final is None:
            return
        step = self.ledger.trajectory.steps[final]
        finish = next((c.action.text for c in step.calls if isinstance(c.action, Finish) and c.action.text), "")
        text = step.text if finish in step.text or not finish else f"{step.text}\n{finish}".strip()
        self.closing_text = text
        place = self.ledger.place(final, None, step.lane, step.source, step.time)
        masked = any(e.resolved == "masked" for e in episodes)
        for sentence, support in claims.claims(
            text,
            self.ledger.events,
            step=final,
            masked=masked,
            counts=lambda e: not self.ledger.edit_facts[id(e)].scratch,
            checks=self.ledger.check_facts,
        ):
            event = ClaimEvent(**place, text=sentence, supported_by=[])
            self.linked.append((event, support))
            self.ledger.add(event)
        abstained = abstention.abstention(text)
        if abstained:
            self.ledger.add(AbstainEvent(**place, text=abstained))
            for episode in episodes:
                if episode.resolved == "unresolved":
                    episode.resolved = "given_up"
                    episode.rule += "; the agent says that it gave up"
        asked = abstention.question(text)
        if asked:
            self.ledger.add(AskEvent(**place, text=asked))

    def finish(self, episodes: list[EpisodeEvent], tokens: StepTokens) -> Evidence:
        self.ledger.events += episodes
        self.ledger.events.sort(key=lambda e: e.step)
        ids: dict[int, str] = {}
        for number, event in enumerate(self.ledger.events):
            event.id = f"e{number}"
            ids[id(event)] = event.id
        for claim, support in self.linked:
            claim.supported_by = [e.id for e in support]
        for episode in episodes:
            episode.checks = [ids[int(c)] for c in episode.checks]
            episode.attempt_edits = [[ids[int(c)] for c in edits] for edits in episode.attempt_edits]
        return Evidence(
            trajectory=self.ledger.trajectory,
            root=self.ledger.root,
            events=self.ledger.events,
            prompt=self.ledger.prompt,
            tokens=tokens,
            plans={ids[k]: v for k, v in self.ledger.plan_facts.items()},
            edits={ids[k]: v for k, v in self.ledger.edit_facts.items()},
            checks={ids[k]: v for k, v in self.ledger.check_facts.items()},
            commits={ids[k]: v for k, v in self.ledger.commit_facts.items()},
            effectless={ids[k] for k in self.ledger.effectless},
            closing=self.closing_text,
            states_assumption=abstention.assumption(self.closing_text),
        )


# Words with which a plan is put before the user for approval, where no question mark does it.
_PROPOSES = re.compile(
    r"\?|\blet me know\b|\b(?:approve|proceed|go[- ]ahead|your (?:call|thoughts|input))\b", re.IGNORECASE
)


def _turn_ends(trajectory: Trajectory) -> set[int]:
    """The messages after which the agent waited and the user spoke again."""
    main = [(n, s) for n, s in enumerate(trajectory.steps) if s.lane == MAIN_LANE and s.role in ("agent", "user")]
    return {n for (n, s), (_, after) in pairwise(main) if s.role == "agent" and not s.calls and after.role == "user"}


def _reports(trajectory: Trajectory) -> set[int]:
    """The messages that close a turn without asking for anything: they tell what was done, they plan nothing."""
    found: set[int] = set()
    last: int | None = None
    for index, step in enumerate(trajectory.steps):
        if step.lane != MAIN_LANE:
            continue
        if step.role == "user" and last is not None:
            if not _PROPOSES.search(trajectory.steps[last].text[-400:]):
                found.add(last)
            last = None
        elif step.role == "agent":
            last = index if not step.calls else None
    if last is not None:
        found.add(last)
    return found


def extract(trajectory: Trajectory) -> Evidence:
    """All evidence of a trajectory. Total: any trajectory gives evidence, an empty one none."""
    return _Walk(trajectory).run()
