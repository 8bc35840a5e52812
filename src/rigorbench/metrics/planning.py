"""PF, Planning Fidelity: PAC, DQ and PEA."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import median

from ..evidence.events import AnyEvent, EditEvent, PlanEvent, SpawnEvent
from ..panel.features import decide
from ..panel.model import Vote
from ..panel.rubrics import RUBRICS
from ..trajectory.model import MAIN_LANE
from .cases import undertaking_case
from .matching import fits
from .plan_history import Book, Undertaking, books, concrete_items, evidence_groups, plans_of, undertakings
from .result import SubMetric
from .session import Session, idle, not_applicable, scored

# Fewer matched items than this say little about an order.
_FEW = 4


def score_planning(session: Session) -> dict[str, SubMetric]:
    if session.trivial:
        return {name: not_applicable("a trivial task needs no plan") for name in ("PAC", "DQ", "PEA")}
    found = books(session)
    return {"PAC": _pac(session), "DQ": _dq(session, found), "PEA": _pea(session, found)}


# -- PAC ---------------------------------------------------------------------------------------------------------


def _pac(session: Session) -> SubMetric:
    """1: a plan artifact of two concrete items before the lane's first production edit; .5: a plan in a message."""
    if session.idle:
        return idle("no plan that led anywhere")
    if not session.edits:
        return not_applicable("no edits in this session")
    if session.evidence.prompt.supplies_plan:
        return not_applicable("the user supplied the plan")
    lanes: dict[str, EditEvent] = {}
    for edit in session.production_edits or session.edits:
        lanes.setdefault(edit.lane, edit)
    values: list[float] = []
    evidence: list[str] = []
    reasons: list[str] = []
    for lane, first in lanes.items():
        value, ids, reason = lane_pac(session, lane, first)
        values.append(value)
        evidence += ids
        reasons.append(reason if lane == MAIN_LANE else f"{lane}: {reason}")
    mean = sum(values) / len(values)
    return scored(mean, "parsed", len(values), list(dict.fromkeys(evidence)), "; ".join(reasons[:3]))


def lane_pac(session: Session, lane: str, first: EditEvent) -> tuple[float, list[str], str]:
    best, plan = _best_plan(session, lane, first)
    handed: AnyEvent = first
    while best < 1.0 and lane != MAIN_LANE:
        # A plan handed down by a parent serves its sub-agents.
        spawn = next((e for e in session.events if isinstance(e, SpawnEvent) and e.spawned == lane), None)
        if spawn is None or not session.before(spawn, handed):
            break
        value, parent_plan = _best_plan(session, spawn.lane, spawn)
        if value > best:
            best, plan = value, parent_plan
        lane, handed = spawn.lane, spawn
    if plan is None:
        late = next((p for p in session.events if isinstance(p, PlanEvent) and p.lane == lane), None)
        early = next((p for p in session.events if isinstance(p, PlanEvent) and p.lane == lane), None)
        if early is not None and session.before(early, first):
            return (
                0.0,
                [early.id, first.id],
                f"no plan of concrete items that were carried out ({first.path})",
            )
        said = "the only plan came after the first edit" if late is not None else "no plan before the first edit"
        return 0.0, [*([late.id] if late is not None else []), first.id], f"{said} ({first.path})"
    kind = {
        "file": "a plan file",
        "tool": "a todo list",
        "mode": "a plan from plan mode",
        "message": "a plan in a message",
    }
    concrete = len(concrete_items(session, plan))
    reason = f"{kind[plan.origin]} of {concrete} concrete items before the first edit ({first.path})"
    return best, [plan.id, first.id], reason


def _best_plan(session: Session, lane: str, limit: AnyEvent) -> tuple[float, PlanEvent | None]:
    best, found = 0.0, None
    for plan in plans_of(session, lane):
        if not session.before(plan, limit):
            break
        value = 0.5 if plan.origin == "message" else 1.0
        if value > best and _led_somewhere(session, plan):
            best, found = value, plan
    return best, found


def _led_somewhere(session: Session, plan: PlanEvent) -> bool:
    """Whether two concrete items, or half of them, are borne out by what was done afterwards.

    A list of files that nobody ever touches is a claim, not a plan. More is not asked for here: how much of a plan was
    carried out is PEA's to say, and matching by words misses items that name neither path nor symbol.
    """
    concrete = concrete_items(session, plan)
    groups = evidence_groups(session, session.position[plan.id] + 1, len(session.events))
    borne_out = 0
    for item in concrete:
        borne_out += any(fits(item, group) for group in groups)
        if borne_out >= 2 or borne_out * 2 >= len(concrete):
            return True
    return False


# -- PEA and DQ --------------------------------------------------------------------------------------------------


def _pea(session: Session, books: list[Book]) -> SubMetric:
    """coverage x max(0, tau) over all items that were ever planned and all comparable pairs of those carried out."""
    if session.idle:
        return idle("no plan that was carried out")
    if not books:
        return not_applicable("no plan with items of its own")
    items = [i for b in books for i in b.items]
    done = [i for i in items if i.proof]
    agree, disagree = sum(b.agree for b in books), sum(b.disagree for b in books)
    tau = (agree - disagree) / (agree + disagree) if agree + disagree else 1.0
    value = len(done) / len(items) * max(0.0, tau)
    evidence = [b.plans[0].id for b in books] + [i.proof[0] for i in done]
    reason = f"{len(done)} of {len(items)} plan items are borne out by later events"
    if disagree:
        reason += f", {disagree} of {agree + disagree} pairs of them against the planned order"
    elif agree:
        reason += ", in the planned order"
    if len(done) < _FEW:
        reason += f"; low evidence (fewer than {_FEW} matched items)"
    return scored(value, "parsed", len(items), list(dict.fromkeys(evidence)), reason)


def _dq(session: Session, books: list[Book]) -> SubMetric:
    """What each judge's answers are worth on a rubric of 0, 1/3, 2/3, 1; the median over the judges.

    Where the panel did not vote, features answer the same questions (`estimated`).
    """
    if session.idle:
        return idle("no plan that led anywhere")
    if not session.edits:
        return not_applicable("no edits in this session")
    if not books:
        if session.evidence.prompt.supplies_plan:
            return not_applicable("the user supplied the plan")
        return scored(0.0, "parsed", 0, [session.edits[0].id], "there is no plan to judge")
    plans = [u for book in books for u in undertakings(book)]
    items = [i for b in books for i in b.items]
    done = [i for i in items if i.proof]
    evidence = list(dict.fromkeys([b.plans[0].id for b in books] + [i.proof[0] for i in done]))
    judges = session.judges("plan")
    if judges is not None:
        values = [_rubric(_quality(plans, votes)) for votes in judges]
        reason = f"{_said(values)}; {len(done)} of {len(items)} items were carried out"
        found = scored(median(values), "judged", len(items), evidence, reason)
        found.votes = [vote.key for votes in judges for vote in votes]
        return found
    votes = [decide(undertaking_case(session, plan), RUBRICS["plan"]) for plan in plans]
    answers = [a for vote in votes for a in vote.answers]
    single, target = (sum(a.yes for a in answers if a.question == q) for q in ("single", "target"))
    reason = (
        f"of {len(items)} items {single} hold a single concern, {target} name a target, "
        f"{sum(i.facts.names_check for i in items)} a check, and {len(done)} were carried out"
    )
    return scored(
        _rubric(_quality(plans, votes)), "estimated", len(items), evidence, reason + session.not_judged("plan")
    )


def _rubric(quality: float) -> float:
    return 1.0 if quality >= 0.75 else 2 / 3 if quality >= 0.5 else 1 / 3 if quality >= 0.25 else 0.0


def _said(values: Sequence[float]) -> str:
    worth = [str(Fraction(v).limit_denominator(3)) for v in values]
    if len(set(worth)) == 1:
        return f"{len(worth)} of {len(worth)} judges give the plan {worth[0]}"
    return f"{len(worth)} judges give the plan {', '.join(worth[:-1])} and {worth[-1]}, of which this is the median"


def _quality(plans: Sequence[Undertaking], votes: Sequence[Vote]) -> float:
    """What one judge's answers about all plans are worth, in [0, 1]: q = .6 A + .4 B.

    A: for each item that was carried out and serves the task, the share of yes on single, target and size; over all
    items. B: the share of yes on the questions about the whole plan, times the share of such items in it; the mean over
    the plans by their items. So nothing that was not carried out earns anything, whatever is said of it.
    """
    item_score = plan_score = 0.0
    total = 0
    for plan, vote in zip(plans, votes, strict=True):
        said = {(a.question, a.item): a.yes for a in vote.answers}
        names = {index: str(n) for n, index in enumerate(plan.items, 1)}
        done = [names[i] for i in plan.items if plan.book.items[i].proof and said.get(("serves", names[i]))]
        item_score += sum(sum(said.get((q, i), False) for q in ("single", "target", "size")) / 3 for i in done)
        plan_score += sum(said.get((q, None), False) for q in ("checked", "ordered", "length")) / 3 * len(done)
        total += len(plan.items)
    return (0.6 * item_score + 0.4 * plan_score) / total if total else 0.0
