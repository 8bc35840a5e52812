"""One session as the metrics see it: its evidence, the task (if given) and the replay (if made)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from ..evidence.claims.abstention import question_context
from ..evidence.edits.facts import lasting
from ..evidence.episodes.attempts import EditedTree, Tree
from ..evidence.events import (
    AbstainEvent,
    AnyEvent,
    AskEvent,
    BuildEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    PlanEvent,
    ReadEvent,
    ReproductionEvent,
    RunEvent,
    SearchEvent,
    TestRunEvent,
    VcsEvent,
    WaitEvent,
)
from ..evidence.facts import EditFacts, Evidence, TestFunctionFacts
from ..evidence.reading import FileReads
from ..session.model import MAIN_LANE, Edit
from ..session.patches import new_files, unified

if TYPE_CHECKING:
    from ..evidence.replayed import ReplayResult
    from ..session.task import Task
    from .answers import JudgedPoints

_RUNS = (BuildEvent, TestRunEvent, RunEvent)


def tests_left(
    edits: Iterable[EditEvent], facts_of: Callable[[EditEvent], EditFacts]
) -> list[tuple[EditEvent, TestFunctionFacts]]:
    """The tests that the edits made or changed, that exist after the last one and can fail, each with its edit."""
    alive: dict[str, dict[str, tuple[EditEvent, TestFunctionFacts]]] = {}
    anonymous: dict[str, list[tuple[EditEvent, TestFunctionFacts]]] = {}
    for edit in edits:
        facts, path = facts_of(edit), edit.new_path or edit.path
        if edit.new_path is not None:
            for kept in (alive, anonymous):
                if edit.path in kept:
                    kept[path] = kept.pop(edit.path)  # type: ignore[assignment]
        elif edit.operation == "delete" or (facts.change.after is not None and not facts.change.hunks):
            # Deleted (perhaps a directory) or rewritten: tests that the new text does not contain are gone.
            for gone in [p for p in (*alive, *anonymous) if p == path or p.startswith(path + "/")]:
                alive.pop(gone, None)
                anonymous.pop(gone, None)
        for name in facts.removed_tests:
            alive.get(path, {}).pop(name, None)
        for test in facts.tests:
            if test.name is None:
                anonymous.setdefault(path, []).append((edit, test))
            else:
                alive.setdefault(path, {})[test.name] = (edit, test)
    found = [row for rows in alive.values() for row in rows.values()]
    found += [row for rows in anonymous.values() for row in rows]
    return [(e, t) for e, t in found if t.has_assertion and not t.skipped]


def whole_checks(
    edits: Iterable[EditEvent],
    with_functions: Collection[str],
    events: Sequence[AnyEvent],
    position: Mapping[str, int],
) -> list[EditEvent]:
    """Test files without test functions that were run, or compiled, red and later green; each with its first edit.

    Args:
        with_functions: paths of the files that have test functions.
        position: index of each event in ``events``.
    """
    found: dict[str, EditEvent] = {}
    for edit in edits:
        if edit.role == "test" and edit.operation != "delete" and edit.path not in with_functions:
            ends = list(_ends(events[position[edit.id] :], posixpath.basename(edit.path)))
            # Of a script that has failed, an end without a failure is a success, whatever it prints.
            if True in ends and False in ends[ends.index(True) :]:
                found.setdefault(edit.path, edit)
    return list(found.values())


def _ends(events: Iterable[AnyEvent], name: str) -> Iterator[bool]:
    """Whether each check of a file failed: its command names it, or runs what was compiled from it."""
    program: str | None = None
    for event in events:
        words = event.command.split() if isinstance(event, _RUNS) else []
        if isinstance(event, BuildEvent | TestRunEvent | ReproductionEvent):
            if any(posixpath.basename(word) == name for word in words):
                program = next((b for a, b in pairwise(words) if a == "-o"), program)
                yield event.outcome in ("failed", "error")
        elif isinstance(event, RunEvent) and words[:1] == [program]:
            yield event.exit_status not in (None, 0)


T = TypeVar("T")


_NAMED = 3


# How a run ended that did not end by itself.
_CUT = {
    "error": "an error ended the run",
    "limit": "a limit ended the run",
    "interrupted": "the session was interrupted",
}


def file_names(edits: Iterable[EditEvent]) -> str:
    """The files of edits: the first few by name."""
    paths = list(dict.fromkeys(e.path for e in edits))
    return ", ".join([*paths[:_NAMED], *["..."][: len(paths) > _NAMED]])


class Session:
    """Views on the evidence that several metrics share.

    Args:
        evidence: the events of the session, and the facts behind them.
        task: the task that was given, if known.
        replay: what a replay found, if there was one.
        judged: what a reader says of the points that scores rest on; None: nobody was asked.
        cause_removed: whether the hidden tests of the task's root cause pass on the final tree; None: they did not run.
        touched: of the requirements that the starter does not meet, how many the change meets, and their number;
            None: unknown.
    """

    def __init__(
        self,
        evidence: Evidence,
        task: Task | None = None,
        replay: ReplayResult | None = None,
        judged: JudgedPoints | None = None,
        *,
        cause_removed: bool | None = None,
        touched: tuple[float, int] | None = None,
    ) -> None:
        self.evidence, self.task, self.replay, self.judged = evidence, task, replay, judged
        self.cause_removed = cause_removed
        self.given_touched = touched
        self.events: Sequence[AnyEvent] = evidence.events
        self._cache: dict[Callable[[Session], Any], Any] = {}

    def cached(self, compute: Callable[[Session], T]) -> T:
        """``compute(self)``, computed once."""
        if compute not in self._cache:
            self._cache[compute] = compute(self)
        found: T = self._cache[compute]
        return found

    @cached_property
    def position(self) -> dict[str, int]:
        """Event id -> index in the order of events."""
        return {e.id: n for n, e in enumerate(self.events)}

    def before(self, a: AnyEvent, b: AnyEvent) -> bool:
        return self.position[a.id] < self.position[b.id]

    @cached_property
    def reading(self) -> FileReads:
        """Which files the session shows."""
        return FileReads(self.evidence)

    # -- what was done

    @cached_property
    def plan_files(self) -> set[tuple[int, int | None]]:
        """(step, call) of the edits that wrote a plan file."""
        return {(e.step, e.call) for e in self.events if isinstance(e, PlanEvent) and e.origin == "file"}

    def writes_plan(self, edit: EditEvent) -> bool:
        return edit.role == "document" and (edit.step, edit.call) in self.plan_files

    def facts(self, edit: EditEvent) -> EditFacts:
        return self.evidence.edits[edit.id]

    def restores(self, edit: EditEvent) -> bool:
        """Whether an edit only puts the whole work tree back (``git stash``, ``git reset --hard``)."""
        return bool(self.facts(edit).restoring)

    @cached_property
    def project_edits(self) -> list[EditEvent]:
        """Edits inside the project's root, without throwaway files, plan documents and mere restoring."""
        return [
            e
            for e in self.events
            if isinstance(e, EditEvent) and not (self.facts(e).scratch or self.writes_plan(e) or self.restores(e))
        ]

    @cached_property
    def edits(self) -> list[EditEvent]:
        """The project's edits of which something is left at the end.

        Empty if only tests were touched and none is left that could fail. What tests share is a change all the same.
        """
        tree = self._walk[1]
        left = {e.path for e in self.lasting(self.project_edits)}
        found = [
            e
            for e in self.project_edits
            if e.path in left and not (tree.as_at_start(e.path) and tree.as_at_start(e.new_path or e.path))
        ]
        if any(self.facts(e).blind and e.role == "test" for e in found):
            return found  # whether these tests can fail is not known
        only_tests = all(
            e.role == "test" and (self.facts(e).code or e.operation == "delete") and not self._beside_tests(e)
            for e in found
        )
        # No task but a trivial one asks for a change of comments and blank space alone.
        remarks = self.task is not None and not self.task.trivial
        remarks &= all(e.role == "production" and e.operation == "modify" and self.facts(e).layout for e in found)
        return [] if remarks or (only_tests and not tests_left(found, self.facts)) else found

    def lasting(self, edits: Iterable[EditEvent]) -> list[EditEvent]:
        """The edits but those that a later one took back, and those later ones."""
        found = list(edits)
        return [found[n] for n in lasting([(e.path, self.facts(e).change) for e in found])]

    @cached_property
    def submitted(self) -> frozenset[str]:
        """The files of the final diff that some logs state; empty without one."""
        text = self.evidence.trajectory.extra.get("submission")
        return frozenset(c.new_path or c.path for c in unified(text)) if isinstance(text, str) else frozenset()

    @cached_property
    def new_files(self) -> list[str]:
        """The files that the work added, as far as the log shows that they are in its result: those that the final diff
        adds, and those that the agent made and committed."""
        text = self.evidence.trajectory.extra.get("submission")
        committed = {path for commit in self.commits for path in commit.files}
        made = [e.path for e in self.edits if e.operation == "create" and e.path in committed]
        return list(dict.fromkeys([*(new_files(text) if isinstance(text, str) else ()), *made]))

    def _beside_tests(self, edit: EditEvent) -> bool:
        """Whether an edit shows a change of code in a test file that was there before, and of none of its tests."""
        facts = self.facts(edit)
        if edit.operation != "modify" or facts.layout or facts.tests or facts.removed_tests:
            return False
        return any(old.strip() != new.strip() for old, new in facts.change.hunks if old.strip())

    @cached_property
    def production_edits(self) -> list[EditEvent]:
        return [e for e in self.edits if e.role == "production"]

    @cached_property
    def first_edits(self) -> dict[str, EditEvent]:
        """Lane -> its first production edit; the first edit of any kind if no lane changed production code."""
        found: dict[str, EditEvent] = {}
        for edit in self.production_edits or self.edits:
            found.setdefault(edit.lane, edit)
        return found

    @cached_property
    def code_edits(self) -> list[EditEvent]:
        """Production edits of files that have code units, without those of comments and blank space only."""
        return [e for e in self.production_edits if self.facts(e).code and not self.facts(e).layout]

    @cached_property
    def test_runs(self) -> list[TestRunEvent]:
        return [e for e in self.events if isinstance(e, TestRunEvent)]

    def failed_before(self, event: AnyEvent) -> bool:
        """Whether all that failed in a test run had failed before the first edit."""
        failing = event.failing if isinstance(event, TestRunEvent) else []
        first = self.position[self.edits[0].id] if self.edits else len(self.events)
        earlier = {test for run in self.test_runs if self.position[run.id] < first for test in run.failing}
        return bool(failing) and earlier.issuperset(failing)

    @cached_property
    def builds(self) -> list[BuildEvent]:
        return [e for e in self.events if isinstance(e, BuildEvent)]

    @cached_property
    def episodes(self) -> list[EpisodeEvent]:
        """The error episodes of the agent's own work, and those of which the log does not show whose they are."""
        return [e for e in self.events if isinstance(e, EpisodeEvent) and e.counts]

    @cached_property
    def foreign_failures(self) -> list[EpisodeEvent]:
        """Failures that were there before, of the environment, or of a test of the agent's own that was wrong."""
        return [e for e in self.events if isinstance(e, EpisodeEvent) and not e.counts]

    @cached_property
    def commits(self) -> list[CommitEvent]:
        return [
            e
            for e in self.events
            if isinstance(e, CommitEvent) and not e.amended and not self.evidence.commits[e.id].empty
        ]

    @cached_property
    def may_have_committed(self) -> bool:
        """Whether a commit may have been made that the log does not show: its command did not report, or a call is
        not understood."""
        asked = (e for e in self.events if isinstance(e, VcsEvent) and e.outcome == "unknown")
        unseen = self.evidence.trajectory.recording is None and any("edit" in u.may for u in self.evidence.unplaced)
        return unseen or any(" commit" in e.command for e in asked)

    @cached_property
    def abstained(self) -> AbstainEvent | None:
        return next((e for e in reversed(self.events) if isinstance(e, AbstainEvent)), None)

    @cached_property
    def spoke_before_edits(self) -> bool:
        """Whether the agent said anything before its first edit, or with it, as text or in its reasoning."""
        steps = self.evidence.trajectory.steps[: self.edits[0].step + 1]
        return any(s.role == "agent" and f"{s.text}{s.reasoning}".strip() for s in steps)

    @cached_property
    def instruction(self) -> str:
        """What the agent was asked to do: by the task, else in all messages of the user."""
        if self.task is not None and self.task.instruction:
            return self.task.instruction
        steps = self.evidence.trajectory.steps
        messages = [s.text.strip() for s in steps if s.role == "user" and s.lane == MAIN_LANE]
        return "\n\n".join(dict.fromkeys(filter(None, messages))) or self.evidence.prompt.text

    @property
    def asks_change(self) -> bool | None:
        """Whether a change was requested; None when neither task nor prompt says."""
        if self.task is not None:
            return self.task.change_asked and self.task.solvable != "impossible"
        return self.evidence.prompt.asks_change

    @property
    def trivial(self) -> bool:
        """The task needs neither plan nor tests, and the agent did something about it: PF and VC are n/a.

        Otherwise process that nobody needs would score higher than doing the task.
        """
        return self.task is not None and self.task.trivial and not self.idle

    @cached_property
    def idle(self) -> bool:
        """A change was requested and the agent made none: what it chose not to do scores 0, never n/a.

        An agent that waits for the answer to a question it had to ask is not idle, and it is only said where the log
        decides it.
        """
        return not self.edits and self.asks_change is True and not self.waits_for_answer and self.why_unchanged is None

    @property
    def touched(self) -> tuple[float, int] | None:
        """Of the requirements that the starter does not meet, how many the change meets, and their number.

        None: unknown, or no change was to be made: none was asked for, or the agent waits for an answer.
        """
        return None if self.asks_change is not True or self.waits_for_answer else self.given_touched

    @cached_property
    def no_change(self) -> str:
        """What is said where no edit of the project counts: that the log shows none, or what was changed instead."""
        if found := self.project_edits:
            return f"the log shows no lasting change of code or of a test that can fail ({file_names(found)})"
        edits = [e for e in self.events if isinstance(e, EditEvent) and not self.restores(e)]
        what = "plans, throwaway files or " if any(self.facts(e).in_root for e in edits) else ""
        others = f"the log shows only changes of {what}files outside the project ({file_names(edits)})"
        return others if edits else "the log shows no edit in the project"

    @cached_property
    def why_unchanged(self) -> str | None:
        """Why the log does not show whether the agent left all as it was, or why it could not help it.

        None: something was changed, or nothing was by its own choice. The recording of a run shows it in any case.
        """
        trajectory = self.evidence.trajectory
        if self.edits or trajectory.recording is not None:
            return None
        results = [c.result for s in trajectory.steps for c in s.calls if c.result is not None]
        unseen = next((u for u in self.evidence.unplaced if "edit" in u.may), None)
        if any(r.denied for r in results):
            also = "" if unseen is None else f", and what was done to files by {unseen.why} is not known"
            return f"a call of the agent was not allowed, and {self.no_change}{also}"
        back = {lane.id for lane in trajectory.lanes.values() if lane.taken_back}
        if any(isinstance(c.action, Edit) for s in trajectory.steps if s.lane in back for c in s.calls):
            return "the user took back what the agent had changed"
        if trajectory.end in _CUT:
            only = "and no change of code is left" if self.project_edits else "before the log shows an edit"
            return f"{_CUT[trajectory.end]} {only}"
        if unseen is not None:
            return f"{self.no_change}, and what was done to files by {unseen.why} is not known"
        return "the log does not show the change that was submitted" if trajectory.extra.get("submission") else None

    @cached_property
    def why_unscorable(self) -> str | None:
        """Why the log cannot show what the agent did or left undone, so that nothing is scored; None: it can.

        A recorded run shows it in any case.
        """
        trajectory = self.evidence.trajectory
        if trajectory.recording is not None:
            return None
        if self.task is None and self.why_no_answer is not None:
            return self.why_no_answer
        if trajectory.complete is False and self.why_no_answer is None:
            return "the log is cut off, so what the agent did in the end is not known"
        if self.why_unchanged is not None:
            return self.why_unchanged
        if not self.edits and self.task is None and not self.evidence.prompt.text:
            return f"the log has no message of a user, and {self.no_change}"
        return None

    @property
    def why_no_answer(self) -> str | None:
        """Why the log contains no answer of the model; None: it contains one."""
        trajectory = self.evidence.trajectory
        if not trajectory.steps:
            return "the log contains no messages"
        if any(step.role == "agent" for step in trajectory.steps):
            return None
        if trajectory.end == "error":
            return "an error ended the run before the first answer of the model"
        return "the log ends before the first model call"

    def why_not_applicable(self, pillar: str) -> str | None:
        """Why a pillar does not apply as a whole; None: its sub-metrics decide."""
        if self.trivial and pillar in ("PF", "VC"):
            return f"a trivial task needs no {'plan' if pillar == 'PF' else 'test of its own'}"
        return "the agent stopped to wait for an answer" if pillar == "VC" and self.waits_for_answer else None

    @property
    def waits_for_answer(self) -> bool:
        """The session ended with the right question, before any edit that lasted."""
        asked = self.clarifying_question
        return (
            asked is not None
            and not self.edits
            and not any(s.role == "user" for s in self.evidence.trajectory.steps[asked.step + 1 :])
        )

    @cached_property
    def asked_before_edits(self) -> list[AskEvent]:
        """Questions to the user before the first edit that lasted."""
        first = self.position[self.edits[0].id] if self.edits else len(self.events)
        return [e for e in self.events[:first] if isinstance(e, AskEvent)]

    @cached_property
    def clarifying_question(self) -> AskEvent | None:
        """On an ambiguous task: the question about the ambiguity that an agent asked after looking, before any edit.

        A reader decides which question that is; without one, the keywords of the task do.
        """
        if self.task is None or self.task.ambiguity is None or not self.looked:
            return None
        judged = self.judged
        if judged is not None and judged.has("assumes"):
            asked = enumerate(self.asked_before_edits, 1)
            return next((e for n, e in asked if judged.majority(f"asks/{n}")), None)
        words = [w.lower() for w in self.task.ambiguity.keywords]
        for event in self.asked_before_edits:
            context = question_context(self.evidence.trajectory.steps[event.step].text, event.text).lower()
            if any(w in context for w in words):
                return event
        return None

    @property
    def trees(self) -> dict[str, Tree]:
        """Edit id -> the state of the work tree after it."""
        return self._walk[0]

    @cached_property
    def _walk(self) -> tuple[dict[str, Tree], EditedTree]:
        """The state of the work tree after each edit, and the tree at the end."""
        tree = EditedTree()
        found: dict[str, Tree] = {}
        for event in self.events:
            if isinstance(event, EditEvent):
                if self.facts(event).in_root:
                    tree.edit(event, self.facts(event))
                found[event.id] = tree.tree
            elif isinstance(event, CommitEvent):
                tree.commit(event)
        return found, tree

    @cached_property
    def looked(self) -> bool:
        """Whether the agent looked at anything at all: read, searched, ran or changed something."""
        return any(
            isinstance(e, ReadEvent | SearchEvent | RunEvent | TestRunEvent | BuildEvent | EditEvent)
            and e.id not in self.evidence.effectless
            for e in self.events
        )

    @cached_property
    def agent_tests(self) -> list[tuple[EditEvent, TestFunctionFacts]]:
        """The tests that the agent wrote or edited, that exist at the end and can fail, each with its edit."""
        return tests_left(self.edits, self.facts)

    @cached_property
    def blind_tests(self) -> list[EditEvent]:
        """Edits of test files of which the log does not state what they wrote."""
        return [e for e in self.edits if e.role == "test" and self.facts(e).blind]

    @cached_property
    def whole_checks(self) -> list[EditEvent]:
        """The agent's checks of the program as a whole: test files that remain, without test functions, that it ran,
        or compiled, red and later green. One that was never red may not be able to fail.
        """
        with_functions = {test.path for _, test in self.agent_tests}
        return whole_checks(self.edits, with_functions, self.events, self.position)

    def bursts(self) -> list[list[EditEvent]]:
        """Edit bursts of the project: edits up to the next action that does something else.

        Looking around (reading, searching, ``git status``, ``true``) between two edits does not end a burst: otherwise
        an agent could create states that nobody would expect it to check.
        """
        bursts: list[list[EditEvent]] = []
        counted = {e.id for e in self.project_edits if self._counts(e)} if self.edits else set()
        current: list[EditEvent] = []
        for event in self.events:
            if isinstance(event, EditEvent):
                if event.id in counted:
                    current.append(event)
            elif event.call is not None and current and not self._looks_around(event):
                bursts.append(current)
                current = []
        if current:
            bursts.append(current)
        return bursts

    def _counts(self, edit: EditEvent) -> bool:
        """Whether an edit makes a state worth checking: documents do not, nor do new tests that cannot fail."""
        facts = self.facts(edit)
        added = [t for t in facts.tests if t.name is not None and not t.edited]
        if added and len(added) == len(facts.tests) and not facts.removed_tests and not facts.weakened_tests:
            return any(t.has_assertion and not t.skipped for t in added)
        return edit.role != "document"

    def _looks_around(self, event: AnyEvent) -> bool:
        return event.id in self.evidence.effectless or isinstance(
            event, EpisodeEvent | PlanEvent | ReadEvent | SearchEvent | VcsEvent | WaitEvent
        )
