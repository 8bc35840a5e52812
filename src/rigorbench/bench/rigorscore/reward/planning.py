"""Rewards for PF: the plans, and the work that followed them."""

from __future__ import annotations

from ....evidence.events import EditEvent, PlanEvent
from ....evidence.facts import ItemFacts
from ....review.result import SubMetric
from ..matching import fits
from ..plan_history import (
    PlanHistory,
    PlanItemProgress,
    concrete_items,
    evidence_groups,
    plan_events,
    plan_histories,
)
from ..planning import lane_pac, order_agreement
from .share import Shares, View

# The plan that was followed most is looked for among this many plans of a lane, the first ones.
_CANDIDATES = 20


def pac(view: View, _sub: SubMetric) -> Shares:
    """To the plan that each lane followed: among those with the same PAC, the one with the largest share carried out.

    The loss goes to the lane's first edit, which had no (proper) plan, as does what words before it are worth.
    """
    session, shares = view.session, Shares()
    for lane, first in session.first_edits.items():
        value, ids, _ = lane_pac(session, lane, first)
        if value > 0:
            planned = ids[0] != first.id
            shares.add_credit(value, _followed_plan(view, ids[0], first) if planned else first)
        shares.add_loss(1 - value, first)
    return shares


def dq(view: View, _sub: SubMetric) -> Shares:
    """To the plan of each lane with the largest share carried out, lanes weighted by the items carried out.

    The loss goes to the plans that first stated an item that was not carried out.
    """
    shares = Shares()
    histories = view.session.cached(plan_histories)
    for history in histories:
        shares.add_credit(len(history.done()), _most_followed(view, history.plans))
        for item in history.items:
            if not item.proof:
                shares.add_loss(1, _first_stated(view, history, item))
    if not shares.lost:
        shares.lost = list(shares.earned)
    if not histories and view.session.edits:
        shares.add_loss(1, view.session.edits[0])
    return shares


def pea(view: View, _sub: SubMetric) -> Shares:
    """To the event that carried out each item.

    The loss of an item that was not carried out goes to its plan, the loss of the wrong order to the events.
    """
    shares = Shares()
    histories = view.session.cached(plan_histories)
    total = sum(len(h.items) for h in histories)
    done = sum(len(h.done()) for h in histories)
    tau = max(0.0, order_agreement(histories)[2])
    for history in histories:
        for item in history.items:
            if item.proof:
                proof = view.event(item.proof[0])
                shares.add_credit(1, proof)
                shares.add_loss((1 - tau) * done / total / done, proof)
            else:
                shares.add_loss(1 / total, _first_stated(view, history, item))
    shares.earned = view.with_effect(shares.earned)
    return shares


def _followed_plan(view: View, identity: str, first: EditEvent) -> PlanEvent:
    """Of the plans before the first edit, the one followed most."""
    session, found = view.session, view.event(identity)
    assert isinstance(found, PlanEvent)
    equal = [p for p in plan_events(session, found.lane) if session.before(p, first)]
    return _most_followed(view, equal or [found])


def _most_followed(view: View, plans: list[PlanEvent]) -> PlanEvent:
    """The plan with the largest share of items carried out, of equal ones the first.

    So padding a plan, or repeating it, takes no reward from it.
    """
    if len(plans) == 1:
        return plans[0]
    session = view.session
    groups = evidence_groups(session, 0, len(session.events))
    last: dict[str, int] = {}

    def last_match(item: ItemFacts) -> int:
        """Position of the last event that the item fits, -1: none. Cached, since many plans repeat their items."""
        if item.text not in last:
            fitting = (g.group[-1].id for g in reversed(groups) if fits(item, g))
            last[item.text] = session.position.get(next(fitting, ""), -1)
        return last[item.text]

    def followed(plan: PlanEvent) -> float:
        position = session.position[plan.id]
        done = sum(last_match(item) > position for item in concrete_items(session, plan))
        return done / len(session.evidence.plans[plan.id].items)

    return max(plans[:_CANDIDATES], key=followed)


def _first_stated(view: View, history: PlanHistory, item: PlanItemProgress) -> PlanEvent:
    """The plan in which an item first appeared."""
    plans = view.session.evidence.plans
    return next((p for p in history.plans if any(i is item.facts for i in plans[p.id].items)), history.plans[0])
