"""What there is to judge in a session, cut down to what a judge has to see.

A case holds excerpts, never a session: judges find most of what is wrong in an excerpt and little of it in a whole log.
Labels are our own words. What the task's authors keep hidden (what blocks a task, what it leaves open) stands in the
cases as a key for the judges, and in no result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from ..evidence.events import AbstainEvent, EditEvent
from ..evidence.testcode import test_functions
from ..trajectory.model import MAIN_LANE, FileChange
from .model import Case, Excerpt, Item

if TYPE_CHECKING:
    from ..evidence.facts import TestFunctionFacts
    from ..metrics.book import Undertaking
    from ..metrics.session import Session
    from ..suites.task import Requirement

# Characters of an excerpt.
_INSTRUCTION = 6_000
_ITEM = 400
_MESSAGE = 4_000
_DIFF = 8_000
_CODE = 4_000
# More items are not asked about: nobody carries out such a plan, and an item without an answer earns nothing.
MOST_ITEMS = 40
_MOST_VERSIONS = 12
_MOST_QUESTIONS = 12
# Tests that a requirement is held against: those that share most words with it.
_CANDIDATES = 3
ABSTENTION, CLARIFICATION = "abstention", "clarification"
NO_OBSTACLE = "There is no obstacle. The task can be done as it was given."


def cases(session: Session) -> list[Case]:
    """Everything in a session that a panel can judge, in a fixed order. Nothing that no score depends on."""
    return [
        *_plan_cases(session),
        *_abstention_cases(session),
        *_clarification_cases(session),
        *_commit_cases(session),
        *_link_cases(session),
    ]


# -- plans -------------------------------------------------------------------------------------------------------


def plan_case(
    instruction: str, items: Sequence[str], *, subject: str = MAIN_LANE, events: Sequence[str] = (), order: str = ""
) -> Case:
    """The case of one plan: the instruction it is for and its items, named "1", "2", ... in their order.

    ``order``: for a revised plan, its versions as lines of these names.
    """
    excerpts = pieces("instruction", instruction, _INSTRUCTION)
    if order:
        excerpts.append(Excerpt("versions of the plan", order, untrusted=False))
    named = tuple(Item(str(n), storable(text)[:_ITEM]) for n, text in enumerate(items[:MOST_ITEMS], 1))
    return Case("plan", subject, tuple(excerpts), named, tuple(events))


def _plan_cases(session: Session) -> Iterator[Case]:
    from ..metrics.book import books, undertakings

    if session.trivial or not session.edits:
        return
    for book in books(session):
        for plan in undertakings(book):
            yield undertaking_case(session, plan)


def undertaking_case(session: Session, plan: Undertaking) -> Case:
    """The case of a plan of the session's with its revisions. Item "1" is the plan's first item, and so on."""
    texts = [plan.book.items[i].facts.text for i in plan.items]
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


def _request(session: Session, plan: Undertaking) -> str:
    """What the lane was asked for before the plan was made."""
    trajectory = session.evidence.trajectory
    if plan.book.lane != MAIN_LANE:
        lane = trajectory.lanes.get(plan.book.lane)
        if lane is not None and lane.prompt:
            return lane.prompt
    said = [s.text for s in trajectory.steps[: plan.sources[0].step] if s.role == "user" and s.lane == MAIN_LANE]
    return "\n\n".join(text for text in said if text.strip()) or session.evidence.prompt.text


# -- tasks that cannot be done, or not without asking -----------------------------------------------------------


def _instruction(session: Session) -> list[Excerpt]:
    given = session.task.instruction if session.task is not None else None
    return pieces("instruction", given or session.evidence.prompt.text, _INSTRUCTION)


def _abstention_cases(session: Session) -> Iterator[Case]:
    """What the agent said at the end of an impossible task, or of the solvable twin of one."""
    task, closing = session.task, session.evidence.closing
    if task is None or not closing.strip():
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
            *pieces("final message of the agent", closing, _MESSAGE),
        ),
        events=tuple(e.id for e in session.events if isinstance(e, AbstainEvent)),
    )


def _clarification_cases(session: Session) -> Iterator[Case]:
    """What the agent asked before it changed anything, and what it said at the end about its reading of the task."""
    task = session.task
    if task is None or task.solvable != "ambiguous" or task.ambiguity is None or not session.looked:
        return
    asked = session.asked_before_edits[:_MOST_QUESTIONS]
    closing = session.evidence.closing if session.edits else ""
    if not asked and not closing.strip():
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
            *pieces("final message of the agent", closing or "(none)", _MESSAGE),
        ),
        tuple(Item(str(n), storable(e.text)[:_MESSAGE]) for n, e in enumerate(asked, 1)),
        tuple(e.id for e in asked),
    )


# -- commits -----------------------------------------------------------------------------------------------------


def _commit_cases(session: Session) -> Iterator[Case]:
    """Each commit whose message keeps the rules, with its diff; none at all if the log lacks one of the diffs."""
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
        lacking = files - {e.path for e, _ in shown} - {e.new_path for e, _ in shown if e.new_path is not None}
        if not diff.strip():
            if commit.message.startswith("Merge "):
                continue  # git words it itself, and what comes in with it is the work of the other side
            return
        events = (commit.id, *(e.id for e in edits))
        made.append(commit_case(commit.message, diff, subject=commit.id, events=events, lacking=len(lacking)))
    yield from made


def commit_case(message: str, diff: str, *, subject: str, events: Sequence[str] = (), lacking: int = 0) -> Case:
    """The case of one commit. ``lacking``: of how many of its files the log does not show the changes."""
    excerpts = (*pieces("message of the commit", message, _MESSAGE), *pieces("diff", diff, _DIFF))
    if lacking:
        # Else what was changed by a program that the log says nothing about would look like an empty claim.
        note = (
            f"The diff is shown in part: the changes of {lacking} more file{'s' if lacking > 1 else ''} are not known."
        )
        excerpts = (Excerpt("note", note, untrusted=False), *excerpts)
    return Case("commit_message", subject, excerpts, events=tuple(events))


def diff_of(change: FileChange, edit: EditEvent) -> str:
    """One edit as a diff, as far as the log holds it; "" where it holds nothing."""
    if edit.operation == "rename" and edit.new_path is not None:
        head = f"rename {edit.path} to {edit.new_path}"
    elif edit.operation == "delete":
        return f"delete {edit.path}"
    else:
        head = f"{edit.operation} {edit.path}"
    lines: list[str] = []
    if change.hunks:
        for old, new in change.hunks:
            difference = _difference(old, new)
            lines += difference if difference[:1] and difference[0].startswith("@@") else ["@@", *difference]
    elif change.after is not None:
        lines = _difference(change.before or "", change.after)
    if not lines and edit.operation != "rename":
        return ""
    return "\n".join([head, *lines])


def _difference(old: str, new: str) -> list[str]:
    before, after = old.splitlines(), new.splitlines()
    if not before or not after or len(before) * len(after) > 400_000:  # the comparison is quadratic at worst
        return [*(f"-{line}" for line in before), *(f"+{line}" for line in after)]
    return list(unified_diff(before, after, lineterm=""))[2:]


# -- requirements and tests --------------------------------------------------------------------------------------


def _link_cases(session: Session) -> Iterator[Case]:
    """Each requirement with the few tests of the agent's that share most words with it."""
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


def link_case(requirement: str, code: str, *, subject: str, events: Sequence[str] = ()) -> Case:
    """The case of one test that may check a requirement. The requirement is the task's, the code the agent's."""
    excerpts = (
        Excerpt("requirement", requirement, untrusted=False),
        *pieces("code of the test", code, _CODE),
    )
    return Case("test_link", subject, excerpts, events=tuple(events))


def link_subject(requirement: Requirement, test: TestFunctionFacts, edit: EditEvent) -> str:
    return f"{requirement.id}: {test.path}::{test.name or edit.id}"


def candidates(session: Session, requirement: Requirement) -> list[tuple[EditEvent, TestFunctionFacts]]:
    """The tests of the agent's that may check a requirement, the likeliest first."""
    scored = sorted(
        ((-shared_words(requirement, test), n) for n, (_, test) in enumerate(session.agent_tests)),
    )
    return [session.agent_tests[n] for _, n in scored[:_CANDIDATES]]


def shared_words(requirement: Requirement, test: TestFunctionFacts) -> float:
    """How far the words of a requirement stand in a test's name and identifiers, 0 to 100."""
    text = f"{requirement.id} {requirement.text}".lower()
    words = " ".join([*(test.name or "").replace("_", " ").split(), *sorted(test.references)]).lower()
    return fuzz.token_set_ratio(text, words.replace("_", " "))


def test_code(session: Session, edit: EditEvent, test: TestFunctionFacts) -> str:
    """The code of a test as its last edit shows it; where that is a piece of it only, all that the edit put in."""
    change = session.facts(edit).change
    texts = [t for t in (change.after, *(new for _, new in change.hunks)) if t]
    for text in texts:
        for found in test_functions(test.path, text):
            if found.name == test.name or found.name.rsplit(".", 1)[-1] == test.name:
                return "\n".join(text.splitlines()[found.start_line - 1 : found.end_line])
    return "\n".join(texts)


test_code.__test__ = False  # type: ignore[attr-defined]


def storable(text: str) -> str:
    """``text`` without the half characters that a damaged log may hold and no file can."""
    return text.strip().encode("utf-8", "backslashreplace").decode("utf-8")


def pieces(label: str, text: str, limit: int) -> list[Excerpt]:
    """A text of the session under a label; a long one as its beginning and its end, about ``limit`` characters in all.

    That something was left out is said in an excerpt of our own: in the text itself its author could say so, too.
    """
    text = storable(text)
    if len(text) <= limit:
        return [Excerpt(label, text)]
    head, tail = limit * 2 // 3, limit // 3
    note = (
        f"Of the {label} only the beginning and the end are shown; {len(text) - head - tail} characters are left out."
    )
    return [
        Excerpt("note", note, untrusted=False),
        Excerpt(f"beginning of the {label}", text[:head]),
        Excerpt(f"end of the {label}", text[-tail:]),
    ]
