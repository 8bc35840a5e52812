"""The plans of a session through their revisions, and which of their items were carried out."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from ...evidence.events import EditEvent, PlanEvent, RunEvent
from ...evidence.facts import EditFacts, ItemFacts
from ...evidence.plans.revisions import KnownItems
from ...review.session import Session
from .matching import Descriptor, agreement, assign, candidates


class PlanItemProgress(Struct):
    """One item of a lane's plan through all its revisions. ``proof``: ids of the events that carried it out."""

    facts: ItemFacts
    proof: list[str] = field(default_factory=list)


class PlanHistory(Struct):
    """Everything that one lane planned.

    Attributes:
        plans: the events of all plans, drafts included.
        items: every item that was ever planned, once each.
        versions: the plans under which something was done, as indices into ``items``; a draft that was replaced before
            anything happened is not among them.
        agree: pairs of items that were carried out in the planned order.
        disagree: pairs of items that were carried out in the reverse order.
        tied: pairs of items that were carried out at one place, or both under a later version.
        known: finds the item that a further one repeats.
    """

    plans: list[PlanEvent]
    items: list[PlanItemProgress] = field(default_factory=list)
    versions: list[list[int]] = field(default_factory=list)
    agree: int = 0
    disagree: int = 0
    tied: int = 0
    known: KnownItems = field(default_factory=KnownItems)

    def done(self) -> list[PlanItemProgress]:
        return [i for i in self.items if i.proof]

    def index_of(self, item: ItemFacts) -> int:
        """The index of an item in ``items``, to which it is added if it is new."""
        number = self.known.first_index(item, len(self.items))
        if number == len(self.items):
            self.items.append(PlanItemProgress(item))
        return number


class RevisedPlan(Struct):
    """One plan through its revisions: versions of a lane's plan that share items.

    Attributes:
        items: indices into ``history.items``, in the order of their first appearance.
    """

    history: PlanHistory
    items: list[int]
    versions: list[list[int]]


def plans(history: PlanHistory) -> list[RevisedPlan]:
    """The plans of a lane, each through its revisions, in the order in which they began."""
    found: list[RevisedPlan] = []
    for version in history.versions:
        related = [plan for plan in found if not set(plan.items).isdisjoint(version)]
        new = RevisedPlan(history, [], [])
        for known in related:
            new.items += known.items
            new.versions += known.versions
        new.items = list(dict.fromkeys([*new.items, *version]))
        new.versions.append(version)
        if related:
            found = [new if plan is related[0] else plan for plan in found]
            found = [plan for plan in found if not any(plan is r for r in related[1:])]
        else:
            found.append(new)
    return found


def plan_histories(session: Session) -> list[PlanHistory]:
    """What each lane planned; lanes whose plans have no items of their own are left out."""
    lanes = dict.fromkeys(e.lane for e in session.events if isinstance(e, PlanEvent))
    return [history for lane in lanes if (history := lane_history(session, lane)).items]


def _usable(items: Sequence[ItemFacts]) -> list[ItemFacts]:
    return [i for i in items if i.duplicate_of is None and not i.copies_prompt]


def plan_events(session: Session, lane: str) -> list[PlanEvent]:
    """The lane's plans: lists of at least two concrete items, one of them specific to this task, before the last edit.

    Shorter or vaguer lists neither count as plans nor revise one, and a list written after the work plans nothing.
    """
    limit = session.position[session.edits[-1].id] if session.edits else len(session.events)
    events = (e for e in session.events[:limit] if isinstance(e, PlanEvent) and e.lane == lane)
    return [p for p in events if len(c := concrete_items(session, p)) >= 2 and any(i.specific for i in c)]


def _idle(session: Session, facts: EditFacts) -> bool:
    """Whether an edit can be no planned work. Comments can, where the agent changed nothing else."""
    return facts.scratch or (facts.layout and bool(session.code_edits))


def evidence_groups(session: Session, start: int, end: int) -> list[Descriptor]:
    """What was done between two positions that a plan item can be matched to.

    Throwaway files, plan documents, edits of comments and blank space beside those of code, and commands without any
    effect (``true``, ``echo``, ``git status``) are left out.
    """
    scope = [
        e
        for e in session.events[start:end]
        if not (isinstance(e, EditEvent) and (_idle(session, session.facts(e)) or session.writes_plan(e)))
        and not (isinstance(e, RunEvent) and e.id in session.evidence.effectless)
    ]
    return [Descriptor(g) for g in candidates(scope)]


def concrete_items(session: Session, plan: PlanEvent) -> list[ItemFacts]:
    """The items that name an action and its object, without repeats and without copies of the prompt."""
    return [i for i in _usable(session.evidence.plans[plan.id].items) if i.concrete]


def lane_history(session: Session, lane: str) -> PlanHistory:
    """What a lane planned, and which of the items were carried out.

    An item must precede the event that carries it out, an event carries out one item, and an item that a revision
    repeats (also in other words) stays the same item. Sub-agents carry out their parent's plan, so events of all lanes
    count. Items are due in the order of the plan: when the second is done while the plan still contains the first, the
    pair is out of order, even if a later revision swaps them.
    """
    events = plan_events(session, lane)
    history = PlanHistory(events)
    rounds: list[tuple[list[int], dict[int, int]]] = []
    for index, plan in enumerate(events):
        end = session.position[events[index + 1].id] if index + 1 < len(events) else len(session.events)
        groups = evidence_groups(session, session.position[plan.id] + 1, end)
        if not groups and index + 1 < len(events):
            continue  # a draft
        version = list(dict.fromkeys(history.index_of(i) for i in _usable(session.evidence.plans[plan.id].items)))
        due = [n for n in version if not history.items[n].proof]
        chosen = assign([history.items[n].facts for n in due], groups)
        step: dict[int, int] = {}
        for i, j in chosen.items():
            history.items[due[i]].proof = [e.id for e in groups[j].group]
            step[due[i]] = groups[j].group[0].step
        if version:
            history.versions.append(version)
        rounds.append((due, step))
    for due, step in rounds:
        # An item done under a later version was done after everything done under this one.
        agree, disagree, tied = agreement([step.get(n) for n in due if history.items[n].proof])
        history.agree += agree
        history.disagree += disagree
        history.tied += tied
    return history
