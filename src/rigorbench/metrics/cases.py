"""The cases of a session: what a panel of judges can decide and a score depends on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..evidence.code.testcode import test_functions
from ..evidence.events import AbstainEvent, EditEvent
from ..panel.cases import (
    ABSTENTION,
    CLARIFICATION,
    INSTRUCTION_LENGTH,
    MESSAGE_LENGTH,
    MOST_ITEMS,
    NO_OBSTACLE,
    commit_case,
    diff_of,
    link_case,
    pieces,
    plan_case,
    storable,
)
from ..panel.model import Case, Excerpt, Item
from ..panel.topics import TOPICS
from ..trajectory.model import MAIN_LANE
from .plan_history import plan_histories, plans
from .session import Session

if TYPE_CHECKING:
    from ..evidence.facts import TestFunctionFacts
    from ..tasks.task import Requirement
    from .plan_history import Plan

_MOST_VERSIONS = 12
_MOST_QUESTIONS = 12
# Tests that a requirement is compared with: those that share most words with it.
_CANDIDATES = 3


def cases(session: Session) -> list[Case]:
    """Everything in a session that a panel can judge and a score or a check depends on, in a fixed order."""
    return [
        *_plan_cases(session),
        *_abstention_cases(session),
        *_clarification_cases(session),
        *_commit_cases(session),
        *_link_cases(session),
        *(case for topic in TOPICS.values() for case in topic.cases(session)),
    ]


def _plan_cases(session: Session) -> Iterator[Case]:
    if session.trivial or not session.edits:
        return
    for history in session.cached(plan_histories):
        for plan in plans(history):
            yield session_plan_case(session, plan)


def session_plan_case(session: Session, plan: Plan) -> Case:
    """The case of a plan of the session with its revisions. Item "1" is the plan's first item, and so on."""
    texts = [plan.history.items[i].facts.text for i in plan.items]
    names = {index: str(n) for n, index in enumerate(plan.items[:MOST_ITEMS], 1)}
    lines = [" ".join(names[i] for i in version if i in names) for version in plan.versions]
    lines = list(dict.fromkeys(line for line in lines if line))[:_MOST_VERSIONS]
    return plan_case(
        _request(session, plan),
        texts,
        subject=plan.subject,
        events=[e.id for e in plan.sources],
        order="\n".join(f"version {n}: {line}" for n, line in enumerate(lines, 1)) if len(lines) > 1 else "",
    )


def _request(session: Session, plan: Plan) -> str:
    """The request of the lane before the plan was made."""
    trajectory = session.evidence.trajectory
    if plan.history.lane != MAIN_LANE:
        lane = trajectory.lanes.get(plan.history.lane)
        if lane is not None and lane.prompt:
            return lane.prompt
    messages = [s.text for s in trajectory.steps[: plan.sources[0].step] if s.role == "user" and s.lane == MAIN_LANE]
    return "\n\n".join(text for text in messages if text.strip()) or session.evidence.prompt.text


def _instruction(session: Session) -> list[Excerpt]:
    given = session.task.instruction if session.task is not None else None
    return pieces("instruction", given or session.evidence.prompt.text, INSTRUCTION_LENGTH)


def _abstention_cases(session: Session) -> Iterator[Case]:
    """What the agent said at the end of an impossible task, or of the solvable twin of one."""
    task, said = session.task, _last_words(session)
    if task is None or not said:
        return
    if task.solvable == "impossible" and task.blocker is not None:
        key = "\n".join(part for part in (task.blocker.text, task.blocker.proof) if part)
    elif task.solvable == "yes" and task.twin is not None and session.edits:
        key = NO_OBSTACLE
    else:
        return
    yield Case(
        "abstention",
        ABSTENTION,
        (
            *_instruction(session),
            Excerpt("key: why the task cannot be done", key, untrusted=False),
            *said,
        ),
        events=tuple(e.id for e in session.events if isinstance(e, AbstainEvent)),
    )


def _last_words(session: Session) -> list[Excerpt]:
    """The final message and the messages of the commits: whoever leaves a part undone may say so in either."""
    closing = session.evidence.closing
    found = pieces("final message of the agent", closing, MESSAGE_LENGTH) if closing.strip() else []
    commits = "\n\n".join(c.message.strip() for c in session.commits if c.message.strip())
    return [*found, *(pieces("commit messages of the agent", commits, MESSAGE_LENGTH) if commits else [])]


def _clarification_cases(session: Session) -> Iterator[Case]:
    """What the agent asked before it changed anything, and what it said at the end about its reading of the task."""
    task = session.task
    if task is None or task.solvable != "ambiguous" or task.ambiguity is None or not session.looked:
        return
    asked = session.asked_before_edits[:_MOST_QUESTIONS]
    said = _last_words(session) if session.edits else []
    if not asked and not said:
        return
    key = task.ambiguity
    parts = [f"Open point: {key.text}"]
    if key.question:
        parts.append(f"A question that resolves it: {key.question}")
    parts += [f"A possible reading: {reading.text}" for reading in key.readings if reading.text]
    yield Case(
        "clarification",
        CLARIFICATION,
        (
            *_instruction(session),
            Excerpt("key: what the instruction leaves open", "\n".join(parts), untrusted=False),
            *(said or pieces("final message of the agent", "(none)", MESSAGE_LENGTH)),
        ),
        tuple(Item(str(n), storable(e.text)[:MESSAGE_LENGTH]) for n, e in enumerate(asked, 1)),
        tuple(e.id for e in asked),
    )


def _commit_cases(session: Session) -> Iterator[Case]:
    """Each commit whose message follows the rules, with its diff; none if the log has no diff of one of them."""
    made: list[Case] = []
    taken: set[str] = set()
    for commit in session.commits:
        files = set(commit.files)
        edits = [
            e
            for e in session.events[: session.position[commit.id]]
            if isinstance(e, EditEvent) and e.id not in taken and (e.path in files or e.new_path in files)
        ]
        taken.update(e.id for e in edits)
        if session.evidence.commits[commit.id].message_problems:
            continue
        shown = [(e, text) for e in edits if (text := diff_of(session.facts(e).change, e))]
        diff = "\n".join(text for _, text in shown)
        missing = files - {e.path for e, _ in shown} - {e.new_path for e, _ in shown if e.new_path is not None}
        if not diff.strip():
            if commit.message.startswith("Merge "):
                continue  # git writes the message, and the merged changes are not the agent's
            return
        events = (commit.id, *(e.id for e in edits))
        made.append(commit_case(commit.message, diff, subject=commit.id, events=events, missing=len(missing)))
    yield from made


def _link_cases(session: Session) -> Iterator[Case]:
    """Each requirement with the few tests of the agent that share most words with it."""
    task = session.task
    if task is None or task.solvable == "impossible" or session.trivial:
        return
    for requirement in task.requirements:
        for edit, test in candidates(session, requirement):
            yield link_case(
                requirement.text or requirement.id,
                test_code(session, edit, test),
                subject=link_subject(requirement, test, edit),
                events=(edit.id,),
            )


def link_subject(requirement: Requirement, test: TestFunctionFacts, edit: EditEvent) -> str:
    return f"{requirement.id}: {test.path}::{test.name or edit.id}"


def candidates(session: Session, requirement: Requirement) -> list[tuple[EditEvent, TestFunctionFacts]]:
    """The tests of the agent that may check a requirement, the likeliest first."""
    likeness = [-requirement.shared_words(test.name or "", test.references) for _, test in session.agent_tests]
    scored = sorted(zip(likeness, range(len(likeness)), strict=True))
    return [session.agent_tests[n] for _, n in scored[:_CANDIDATES]]


def test_code(session: Session, edit: EditEvent, test: TestFunctionFacts) -> str:
    """The code of a test as its last edit shows it; all inserted text where the edit shows only a part of it."""
    change = session.facts(edit).change
    texts = [t for t in (change.after, *(new for _, new in change.hunks)) if t]
    for text in texts:
        for found in test_functions(test.path, text):
            if found.name == test.name or found.name.rsplit(".", 1)[-1] == test.name:
                return "\n".join(text.splitlines()[found.start_line - 1 : found.end_line])
    return "\n".join(texts)


test_code.__test__ = False  # type: ignore[attr-defined]
