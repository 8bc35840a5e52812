"""PF, Planning Fidelity: PAC, DQ and PEA."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from ..evidence.events import AnyEvent, EditEvent, PlanEvent, RunEvent, SpawnEvent
from ..evidence.facts import ItemFacts
from ..evidence.plans import Said
from ..trajectory.model import MAIN_LANE
from .matching import Descriptor, agreement, assign, candidates, fits
from .result import SubMetric
from .session import Session, idle, not_applicable, scored

# Fewer matched items than this say little about an order.
_FEW = 4
# A plan of this many items is one that a reader can hold in the head.
_SIZES = range(2, 13)


class Planned(Struct):
    """One item of a lane's plan through all its revisions. ``proof``: ids of the events that bear it out."""

    facts: ItemFacts
    proof: list[str] = field(default_factory=list)


class Book(Struct):
    """The plan of one lane with all its revisions.

    ``versions`` are the plans in force while something was done (a draft that was replaced before anything happened
    under it is none), each as the indices of its items in ``items``. ``agree``/``disagree`` count the pairs of items
    that were carried out in the planned order and against it.
    """

    plans: list[PlanEvent]
    items: list[Planned] = field(default_factory=list)
    versions: list[list[int]] = field(default_factory=list)
    agree: int = 0
    disagree: int = 0
    said: Said = field(default_factory=Said)

    def done(self) -> list[Planned]:
        return [i for i in self.items if i.proof]


def score_planning(session: Session) -> dict[str, SubMetric]:
    if session.trivial:
        return {name: not_applicable("a trivial task needs no plan") for name in ("PAC", "DQ", "PEA")}
    books = [book for lane in _planning_lanes(session) if (book := _book(session, lane)).items]
    return {"PAC": _pac(session), "DQ": _dq(session, books), "PEA": _pea(session, books)}


def _planning_lanes(session: Session) -> list[str]:
    return list(dict.fromkeys(e.lane for e in session.events if isinstance(e, PlanEvent)))


def _usable(items: Sequence[ItemFacts]) -> list[ItemFacts]:
    return [i for i in items if i.duplicate_of is None and not i.copies_prompt]


def _plans(session: Session, lane: str) -> list[PlanEvent]:
    """The lane's plans: lists of two concrete items at least, one of them of this task alone, before the last edit.

    Anything less says nothing, and takes nothing back; and a list written when the work is done plans nothing.
    """
    limit = session.position[session.edits[-1].id] if session.edits else len(session.events)
    plans = (e for e in session.events[:limit] if isinstance(e, PlanEvent) and e.lane == lane)
    return [p for p in plans if len(c := _concrete(session, p)) >= 2 and any(i.specific for i in c)]


def _evidence_groups(session: Session, start: int, end: int) -> list[Descriptor]:
    """What was done between two places that a plan item can be matched to.

    Throwaway files, plan documents and commands without any effect (``true``, ``echo``, ``git status``) show nothing.
    """
    scope = [
        e
        for e in session.events[start:end]
        if not (isinstance(e, EditEvent) and (session.facts(e).scratch or session.writes_plan(e)))
        and not (isinstance(e, RunEvent) and e.id in session.evidence.effectless)
    ]
    return [Descriptor(g) for g in candidates(scope)]


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
        value, ids, reason = _lane_pac(session, lane, first)
        values.append(value)
        evidence += ids
        reasons.append(reason if lane == MAIN_LANE else f"{lane}: {reason}")
    mean = sum(values) / len(values)
    return scored(mean, "parsed", len(values), list(dict.fromkeys(evidence)), "; ".join(reasons[:3]))


def _lane_pac(session: Session, lane: str, first: EditEvent) -> tuple[float, list[str], str]:
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
    concrete = len(_concrete(session, plan))
    reason = f"{kind[plan.origin]} of {concrete} concrete items before the first edit ({first.path})"
    return best, [plan.id, first.id], reason


def _concrete(session: Session, plan: PlanEvent) -> list[ItemFacts]:
    return [i for i in _usable(session.evidence.plans[plan.id].items) if i.concrete]


def _best_plan(session: Session, lane: str, limit: AnyEvent) -> tuple[float, PlanEvent | None]:
    best, found = 0.0, None
    for plan in _plans(session, lane):
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
    concrete = _concrete(session, plan)
    groups = _evidence_groups(session, session.position[plan.id] + 1, len(session.events))
    borne_out = 0
    for item in concrete:
        borne_out += any(fits(item, group) for group in groups)
        if borne_out >= 2 or borne_out * 2 >= len(concrete):
            return True
    return False


# -- the plan and what became of it ------------------------------------------------------------------------------


def _book(session: Session, lane: str) -> Book:
    """A lane's plan, its revisions, and which of its items later events bear out.

    An item must precede its event, an event bears out one item, and an item carried over into a revision (also in
    other words) stays the same item. Sub-agents carry out their parent's plan, so events of all lanes count. Of two
    items the first is due first: when the second is done under a plan that still holds the first, the order is broken,
    also if a later revision turns it round.
    """
    plans = _plans(session, lane)
    book = Book(plans)
    steps: list[dict[int, int]] = []
    for index, plan in enumerate(plans):
        end = session.position[plans[index + 1].id] if index + 1 < len(plans) else len(session.events)
        groups = _evidence_groups(session, session.position[plan.id] + 1, end)
        if not groups and index + 1 < len(plans):
            continue  # a draft
        version = [_enter(book, item) for item in _usable(session.evidence.plans[plan.id].items)]
        due = [n for n in dict.fromkeys(version) if not book.items[n].proof]
        chosen = assign([book.items[n].facts for n in due], groups)
        step: dict[int, int] = {}
        for i, j in chosen.items():
            book.items[due[i]].proof = [e.id for e in groups[j].group]
            step[due[i]] = groups[j].group[0].step
        book.versions.append(due)
        steps.append(step)
    for due, step in zip(book.versions, steps, strict=True):
        # What is done in a later version is done later than all of this one.
        places = [(n, step.get(n)) for n in due if book.items[n].proof]
        agree, disagree = agreement([place for _, place in places])
        book.agree += agree
        book.disagree += disagree
    return book


def _enter(book: Book, item: ItemFacts) -> int:
    """The index of an item in the book, entered if it is new."""
    number = book.said.number(item, len(book.items))
    if number == len(book.items):
        book.items.append(Planned(item))
    return number


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
    """The judges' questions, answered by features: a rubric of 0, 1/3, 2/3, 1 (`estimated`)."""
    if session.idle:
        return idle("no plan that led anywhere")
    if not session.edits:
        return not_applicable("no edits in this session")
    if not books:
        if session.evidence.prompt.supplies_plan:
            return not_applicable("the user supplied the plan")
        return scored(0.0, "estimated", 0, [session.edits[0].id], "there is no plan to judge")
    items = [i for b in books for i in b.items]
    done = [i for i in items if i.proof]
    quality = _quality(items, done, books)
    rubric = 1.0 if quality >= 0.75 else 2 / 3 if quality >= 0.5 else 1 / 3 if quality >= 0.25 else 0.0
    single = sum(i.facts.single_concern for i in items)
    targets = sum(i.facts.names_target for i in items)
    checks = sum(i.facts.names_check for i in items)
    reason = (
        f"of {len(items)} items {single} hold a single concern, {targets} name a target, {checks} a check, "
        f"and {len(done)} were carried out"
    )
    evidence = [b.plans[0].id for b in books] + [i.proof[0] for i in done]
    return scored(rubric, "estimated", len(items), list(dict.fromkeys(evidence)), reason)


def _quality(items: list[Planned], done: list[Planned], books: list[Book]) -> float:
    """Mean of item questions (over executed items) and plan questions, in [0, 1]; nothing executed earns nothing."""
    if not done:
        return 0.0
    item_score = sum((i.facts.single_concern + i.facts.names_target + i.facts.right_size) / 3 for i in done) / len(
        items
    )
    plan_score = 0.0
    versions = [(b, v) for b in books for v in b.versions if v]
    for book, version in versions:
        checks = [n for n, i in enumerate(version) if book.items[i].facts.names_check]
        # Checking comes last, or at least not only before the work.
        ordered = bool(checks) and checks[-1] >= len(version) // 2
        plan_score += (bool(checks) + ordered + (len(version) in _SIZES)) / 3
    plan_score /= max(1, len(versions))
    return 0.6 * item_score + 0.4 * plan_score * len(done) / len(items)
