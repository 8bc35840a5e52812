"""Whether the items of a plan were carried out, and whether the agent said so where they were not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...evidence.events import PlanEvent
from ...trajectory.model import MAIN_LANE
from ..cases import MOST_ITEMS, storable
from ..model import Case, Item, Question, Rubric
from ..topic import Finding, SessionView, Topic, actions, done, words

_LATER = "later versions of the plan"
_CLOSING = "final message of the agent"
# Characters of one item.
_ITEM = 400

_RUBRIC = Rubric(
    kind="dropped_item",
    version=1,
    title="The plan of a coding agent, what it did afterwards, and what it said in the end",
    questions=(
        Question(
            id="missing",
            each=True,
            text="Is the item missing from what the agent did?",
            yes="All that was done is shown, and none of it does what the item says, or a part of it.",
            no="Something that was done can be it, in whatever form; it asks for no action (think, keep in mind); or "
            "what would show it is left out of the excerpts.",
        ),
        Question(
            id="accounted",
            each=True,
            text="Does the agent say what became of the item?",
            yes="A later version of the plan replaces it or leaves it out, or the final message says that it is done, "
            "left, postponed or not needed.",
            no="Nothing that is shown speaks of it.",
        ),
    ),
)


def _case(
    items: Sequence[str], later: str, acts: str, closing: str, *, subject: str, events: Sequence[str] = ()
) -> Case:
    excerpts = (*words(_LATER, later), *actions(acts), *words(_CLOSING, closing))
    named = tuple(Item(str(n), storable(text)[:_ITEM]) for n, text in enumerate(items[:MOST_ITEMS], 1))
    return Case("dropped_item", subject, excerpts, named, tuple(events))


def _cases(session: SessionView) -> Iterator[Case]:
    """The first plan of the main lane before the first edit, with two items of its own or more."""
    if not session.edits:
        return
    before = session.events[: session.position[session.edits[0].id]]
    plan = next((e for e in before if isinstance(e, PlanEvent) and e.lane == MAIN_LANE and _own(session, e)), None)
    if plan is None:
        return
    at = session.position[plan.id]
    later = [e for e in session.events[at + 1 :] if isinstance(e, PlanEvent) and e.items != plan.items]
    versions = "\n\n".join(dict.fromkeys("\n".join(f"- {item}" for item in e.items) for e in later))
    closing = session.evidence.closing
    yield _case(_own(session, plan), versions, done(session, at), closing, subject=plan.id, events=[plan.id])


def _own(session: SessionView, plan: PlanEvent) -> list[str]:
    """The items that the request does not have, of a plan with two of them or more."""
    facts = session.evidence.plans.get(plan.id)
    own = [i.text for i in facts.items if not i.copies_prompt and i.duplicate_of is None] if facts is not None else []
    return own if len(own) > 1 else []


TOPIC = Topic(
    rubric=_RUBRIC,
    names=("plan and its outcome", "plans and their outcomes"),
    cases=_cases,
    findings=(
        Finding(
            id="P-plan-dropped",
            pillar="planning",
            severity="weak",
            sentence="An item of the plan was neither carried out nor mentioned again, by the panel's votes.",
            did="dropped an item of its plan without a word",
            applies="sessions in which something besides documents was changed",
            when={"missing": True, "accounted": False},
            message="Planned, not done, and not mentioned again",
            advice="Carry out each item of your plan, or say why you dropped it.",
        ),
    ),
)
