"""Credit for PF: the plans, and the work that was done as planned."""

from __future__ import annotations

from ...evidence.events import EditEvent, PlanEvent
from ...evidence.facts import ItemFacts
from ..matching import fits
from ..plan_history import Book, Planned, books, concrete_items, evidence_groups, plans_of
from ..planning import lane_pac
from ..result import SubMetric
from .shares import Shares, View

# Plans of a lane among which the one followed most is looked for: its first ones.
_RIVALS = 20


def pac(view: View, _sub: SubMetric) -> Shares:
    """To the plan that each lane worked by: of several as good by PAC, the one of which the largest share was carried
    out. The loss to the lane's first edit, which had no (proper) plan."""
    session, shares = view.session, Shares()
    lanes: dict[str, EditEvent] = {}
    for edit in session.production_edits or session.edits:
        lanes.setdefault(edit.lane, edit)
    for lane, first in lanes.items():
        value, ids, _ = lane_pac(session, lane, first)
        if value > 0:
            shares.earn(value, _worked_by(view, ids[0], first))
        shares.lose(1 - value, first)
    return shares


def dq(view: View, _sub: SubMetric) -> Shares:
    """To the plan of each lane of which the largest share was carried out, lanes weighted by the items carried out;
    the loss to the plans that first stated what was not."""
    shares = Shares()
    found = books(view.session)
    for book in found:
        shares.earn(len(book.done()), _most_followed(view, book.plans))
        for item in book.items:
            if not item.proof:
                shares.lose(1, _stated(view, book, item))
    if not shares.lost:
        shares.lost = list(shares.earned)
    if not found and view.session.edits:
        shares.lose(1, view.session.edits[0])
    return shares


def pea(view: View, _sub: SubMetric) -> Shares:
    """To the event that carried out each item. The loss: items that were not, to the plan; the wrong order, to those
    events."""
    shares = Shares()
    found = books(view.session)
    items = [(book, item) for book in found for item in book.items]
    done = [(book, item) for book, item in items if item.proof]
    agree, disagree = sum(b.agree for b in found), sum(b.disagree for b in found)
    tau = max(0.0, (agree - disagree) / (agree + disagree)) if agree + disagree else 1.0
    for book, item in items:
        if item.proof:
            proof = view.event(item.proof[0])
            shares.earn(1, proof)
            shares.lose((1 - tau) * len(done) / len(items) / len(done), proof)
        else:
            shares.lose(1 / len(items), _stated(view, book, item))
    shares.earned = view.led_somewhere(shares.earned)
    return shares


def _worked_by(view: View, identity: str, first: EditEvent) -> PlanEvent:
    """Of the plans before the first edit that are worth as much as the one that PAC found, the one followed most."""
    session, found = view.session, view.event(identity)
    assert isinstance(found, PlanEvent)
    rivals = [
        p
        for p in plans_of(session, found.lane)
        if session.before(p, first) and (p.origin == "message") == (found.origin == "message")
    ]
    return _most_followed(view, rivals or [found])


def _most_followed(view: View, plans: list[PlanEvent]) -> PlanEvent:
    """The plan with the largest share of items that later events bear out (of equal ones the first): padding a plan,
    or repeating it, takes no credit from it."""
    if len(plans) == 1:
        return plans[0]
    session = view.session
    groups = evidence_groups(session, 0, len(session.events))
    last: dict[str, int] = {}

    def borne_out(item: ItemFacts) -> int:
        """Place of the last event that the item fits, -1: none. Many plans hold the same items."""
        if item.text not in last:
            fitting = (g.group[-1].id for g in reversed(groups) if fits(item, g))
            last[item.text] = session.position.get(next(fitting, ""), -1)
        return last[item.text]

    def followed(plan: PlanEvent) -> float:
        place = session.position[plan.id]
        done = sum(borne_out(item) > place for item in concrete_items(session, plan))
        return done / len(session.evidence.plans[plan.id].items)

    return max(plans[:_RIVALS], key=followed)


def _stated(view: View, book: Book, item: Planned) -> PlanEvent:
    """The plan in which an item stood first."""
    plans = view.session.evidence.plans
    return next((p for p in book.plans if any(i is item.facts for i in plans[p.id].items)), book.plans[0])
