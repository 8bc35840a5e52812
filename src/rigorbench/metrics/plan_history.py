"""The plans of a session, and what became of their items: which of them later events bear out."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from ..evidence.events import EditEvent, PlanEvent, RunEvent
from ..evidence.facts import ItemFacts
from ..evidence.plans.revisions import KnownItems
from .matching import Descriptor, agreement, assign, candidates
from .session import Session


class Planned(Struct):
    """One item of a lane's plan through all its revisions. ``proof``: ids of the events that bear it out."""

    facts: ItemFacts
    proof: list[str] = field(default_factory=list)


class Book(Struct):
    """The plan of one lane with all its revisions.

    ``versions`` are the plans in force while something was done (a draft that was replaced before anything happened
    under it is none), each as the indices of its items in ``items``; ``sources`` are their events. ``agree`` and
    ``disagree`` count the pairs of items that were carried out in the planned order and against it.
    """

    lane: str
    plans: list[PlanEvent]
    items: list[Planned] = field(default_factory=list)
    versions: list[list[int]] = field(default_factory=list)
    sources: list[PlanEvent] = field(default_factory=list)
    agree: int = 0
    disagree: int = 0
    said: KnownItems = field(default_factory=KnownItems)

    def done(self) -> list[Planned]:
        return [i for i in self.items if i.proof]


class Undertaking(Struct):
    """One plan through its revisions: versions of a lane's plan that share items. A plan of other items begins another.

    ``subject``: its name in the session (the lane, numbered from the second on). ``items``: indices into the book, in
    the order of their first appearance.
    """

    subject: str
    book: Book
    items: list[int]
    versions: list[list[int]]
    sources: list[PlanEvent]


def undertakings(book: Book) -> list[Undertaking]:
    """The plans of a lane, each through its revisions, in the order in which they began."""
    found: list[Undertaking] = []
    for version, source in zip(book.versions, book.sources, strict=True):
        related = [u for u in found if not set(u.items).isdisjoint(version)]
        new = Undertaking("", book, [], [], [])
        for known in related:
            new.items += known.items
            new.versions += known.versions
            new.sources += known.sources
        new.items = list(dict.fromkeys([*new.items, *version]))
        new.versions.append(version)
        new.sources.append(source)
        if related:
            found = [new if u is related[0] else u for u in found]
            found = [u for u in found if not any(u is r for r in related[1:])]
        else:
            found.append(new)
    for number, undertaking in enumerate(found, 1):
        undertaking.subject = book.lane if number == 1 else f"{book.lane} {number}"
    return found


def books(session: Session) -> list[Book]:
    """The plans of all lanes, of those that have items of their own."""
    lanes = dict.fromkeys(e.lane for e in session.events if isinstance(e, PlanEvent))
    return [book for lane in lanes if (book := book_of(session, lane)).items]


def _usable(items: Sequence[ItemFacts]) -> list[ItemFacts]:
    return [i for i in items if i.duplicate_of is None and not i.copies_prompt]


def plans_of(session: Session, lane: str) -> list[PlanEvent]:
    """The lane's plans: lists of two concrete items at least, one of them of this task alone, before the last edit.

    Anything less says nothing, and takes nothing back; and a list written when the work is done plans nothing.
    """
    limit = session.position[session.edits[-1].id] if session.edits else len(session.events)
    plans = (e for e in session.events[:limit] if isinstance(e, PlanEvent) and e.lane == lane)
    return [p for p in plans if len(c := concrete_items(session, p)) >= 2 and any(i.specific for i in c)]


def evidence_groups(session: Session, start: int, end: int) -> list[Descriptor]:
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


def concrete_items(session: Session, plan: PlanEvent) -> list[ItemFacts]:
    """The items that say what is to be done to what, without repeats and without copies of the prompt."""
    return [i for i in _usable(session.evidence.plans[plan.id].items) if i.concrete]


def book_of(session: Session, lane: str) -> Book:
    """A lane's plan, its revisions, and which of its items later events bear out.

    An item must precede its event, an event bears out one item, and an item carried over into a revision (also in
    other words) stays the same item. Sub-agents carry out their parent's plan, so events of all lanes count. Of two
    items the first is due first: when the second is done under a plan that still holds the first, the order is broken,
    also if a later revision turns it round.
    """
    plans = plans_of(session, lane)
    book = Book(lane, plans)
    steps: list[tuple[list[int], dict[int, int]]] = []
    for index, plan in enumerate(plans):
        end = session.position[plans[index + 1].id] if index + 1 < len(plans) else len(session.events)
        groups = evidence_groups(session, session.position[plan.id] + 1, end)
        if not groups and index + 1 < len(plans):
            continue  # a draft
        version = list(dict.fromkeys(_enter(book, item) for item in _usable(session.evidence.plans[plan.id].items)))
        due = [n for n in version if not book.items[n].proof]
        chosen = assign([book.items[n].facts for n in due], groups)
        step: dict[int, int] = {}
        for i, j in chosen.items():
            book.items[due[i]].proof = [e.id for e in groups[j].group]
            step[due[i]] = groups[j].group[0].step
        if version:
            book.versions.append(version)
            book.sources.append(plan)
        steps.append((due, step))
    for due, step in steps:
        # What is done in a later version is done later than all of this one.
        places = [(n, step.get(n)) for n in due if book.items[n].proof]
        agree, disagree = agreement([place for _, place in places])
        book.agree += agree
        book.disagree += disagree
    return book


def _enter(book: Book, item: ItemFacts) -> int:
    """The index of an item in the book, entered if it is new."""
    number = book.said.first_index(item, len(book.items))
    if number == len(book.items):
        book.items.append(Planned(item))
    return number
