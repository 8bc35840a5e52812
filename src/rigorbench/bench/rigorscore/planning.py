"""PF, Planning Fidelity: PAC, DQ and PEA."""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from ...base.text import count
from ...evidence.edits.facts import change_texts
from ...evidence.events import AnyEvent, EditEvent, PlanEvent, SpawnEvent
from ...review.answers import JudgedPoints
from ...review.result import SubMetric, not_applicable, nothing_done, scored
from ...review.session import Session
from ...session.model import MAIN_LANE
from .judged import estimated_plan, plan_name, session_plans
from .matching import fits
from .plan_history import (
    PlanHistory,
    PlanItemProgress,
    RevisedPlan,
    concrete_items,
    evidence_groups,
    plan_events,
    plan_histories,
)

_SUFFIXES = frozenset("py js ts tsx jsx go rs rb java c h cpp cs php kt swift md".split())
# A file or a name of code in a text.
_NAME = re.compile(r"\w[\w.-]*\w")
_LONG_NAME = re.compile(r"\b[A-Za-z_]\w{3,}\b")
_MARKED = re.compile(r"`([\w.-]+)(?:\(\))?`")
# The review asks for as many where it asks for an approach.
_SOME_WORDS = 15
# With fewer items carried out than this, their order is weak evidence.
_FEW = 4


# -- PAC ---------------------------------------------------------------------------------------------------------


def pac(session: Session) -> SubMetric:
    """1: a plan of two concrete items before the lane's first production edit: in a file, a todo list or a message.

    .5: words before it, in a message or in the reasoning, that name what is changed or written later, or of which the
    readings say that they tell what will be done.
    """
    if session.idle:
        return nothing_done("no plan was carried out")
    if not session.edits:
        return not_applicable(session.no_change)
    if session.evidence.prompt.supplies_plan:
        return not_applicable("the user supplied the plan")
    values: list[float] = []
    evidence: list[str] = []
    reasons: list[str] = []
    readers: list[str] = []
    judged = session.judged
    told = None if judged is None else judged.majority(f"{plan_name(0)}_plan")
    for lane, first in session.first_edits.items():
        value, ids, reason = lane_pac(session, lane, first)
        if judged is not None and told is not None and lane == MAIN_LANE and not value:
            readers = judged.by
            words = "the words before the first edit"
            value, reason = 0.5 * told, f"by most readings {words} {'' if told else 'do not '}tell what will be done"
        values.append(value)
        evidence += ids
        reasons.append(reason if lane == MAIN_LANE else f"{lane}: {reason}")
    mean, ids = sum(values) / len(values), list(dict.fromkeys(evidence))
    # That rules find no plan, or words only, is an estimate.
    found = scored(
        mean, "judged" if readers else "parsed" if mean == 1 else "estimated", len(values), ids, "; ".join(reasons[:3])
    )
    found.readers = readers
    return found


def lane_pac(session: Session, lane: str, first: EditEvent) -> tuple[float, list[str], str]:
    """PAC of the lane whose first edit is ``first``: (value, evidence, reason)."""
    plan = _carried_out_plan(session, lane, first)
    limit: AnyEvent = first
    while plan is None and lane != MAIN_LANE:
        # A plan that a parent made before it started its sub-agents is theirs as well.
        spawn = next((e for e in session.events if isinstance(e, SpawnEvent) and e.spawned == lane), None)
        if spawn is None or not session.before(spawn, limit):
            break
        plan = _carried_out_plan(session, spawn.lane, spawn)
        lane, limit = spawn.lane, spawn
    if plan is None:
        stated = next((p for p in session.events if isinstance(p, PlanEvent) and p.lane == lane), None)
        inline = _named_inline(session, lane, first)
        if inline is not None:
            named = f"words before the first edit name code of the later change (`{inline}`)"
            return 0.5, [first.id], f"{named}: half the value; whether they are a plan is for a reader"
        if stated is None:
            reason = "before the first edit the rules found no list that is a plan, and no name of code of the change"
            return 0.0, [first.id], f"{reason}; whether there was a plan is for a reader"
        if session.before(stated, first):
            reason = f"the rules match too few steps of the plan before the first edit ({first.path}) with later work"
        else:
            reason = f"the agent planned only after its first edit ({first.path})"
        return 0.0, [stated.id, first.id], reason
    kind = {
        "file": "a plan file",
        "tool": "a todo list",
        "mode": "a plan from plan mode",
        "message": "a plan in a message",
    }
    planned = f"{kind[plan.origin]} before the first edit ({first.path}), at least a part of it carried out"
    return 1.0, [plan.id, first.id], planned


def _named_inline(session: Session, lane: str, first: EditEvent) -> str | None:
    """A name of the change that the agent had told before its first edit, among other words.

    The name of a file, function or class that it changed, or any that it wrote. Reasons are for readers to judge; a few
    words beside a call give none. What may be a plain word (``check``, ``JSON``) counts only if it is marked as code.
    """
    symbols = {part for edit in session.code_edits for s in edit.symbols for part in (s, s.rpartition(".")[0]) if part}
    names = symbols | {posixpath.basename(edit.path) for edit in session.code_edits}
    names |= session.cached(_written)
    if (told := _named_in_list(session, lane)) is not None:
        return told
    for step in session.evidence.trajectory.steps[: first.step + 1]:
        if step.role != "agent" or step.lane != lane:
            continue
        for text in (step.text, step.reasoning):
            words = {w for w in _NAME.findall(text) if not w.isalpha() or not (w[1:].islower() or w.isupper())}
            words.update(_MARKED.findall(text))
            found = sorted({w for n in names for w in (n, n.rsplit(".", 1)[-1]) if w in words and w not in _SUFFIXES})
            if found and len(text.split()) >= _SOME_WORDS:
                return found[0]
    return None


def _named_in_list(session: Session, lane: str) -> str | None:
    """A function or class of the change that two steps of a list before the first edit name, be it by a plain word."""
    until = session.position[session.first_edits[lane].id] if lane in session.first_edits else 0
    plans = [e for e in session.events[:until] if isinstance(e, PlanEvent) and e.lane == lane]
    symbols = {s.rpartition(".")[2] for edit in session.code_edits for s in edit.symbols}
    named = [found for p in plans for item in p.items if (found := symbols & set(_LONG_NAME.findall(item)))]
    return min(named[0]) if len(named) > 1 else None


def _written(session: Session) -> set[str]:
    """The names in the lines of code that the agent added."""
    return {n for e in session.code_edits for n in _LONG_NAME.findall(change_texts(session.facts(e).change)[0])}


def _why_none(session: Session) -> str:
    """Why no plan has steps to be compared with what was done."""
    if any(isinstance(e, PlanEvent) for e in session.events):
        return "the rules took fewer than two steps of each plan for concrete"
    return "the rules took no list for a plan; whether there was one is for a reader"


def _carried_out_plan(session: Session, lane: str, limit: AnyEvent) -> PlanEvent | None:
    """The first plan of a lane before ``limit`` that was carried out at least in part.

    Where it is written makes no difference: whether a program offers a todo list is not the model's work.
    """
    before = (plan for plan in plan_events(session, lane) if session.before(plan, limit))
    return next((plan for plan in before if _was_carried_out(session, plan)), None)


def _was_carried_out(session: Session, plan: PlanEvent) -> bool:
    """Whether two concrete items, or half of them, match what was done afterwards.

    A list of files that nobody ever touches is a claim, not a plan. PAC requires no more than that: PEA measures how
    much of a plan was carried out, and matching by words misses items that name neither path nor symbol.
    """
    concrete = concrete_items(session, plan)
    groups = evidence_groups(session, session.position[plan.id] + 1, len(session.events))
    done = 0
    for item in concrete:
        done += any(fits(item, group) for group in groups)
        if done >= 2 or done * 2 >= len(concrete):
            return True
    return False


# -- PEA and DQ --------------------------------------------------------------------------------------------------


def order_agreement(histories: Sequence[PlanHistory]) -> tuple[int, int, float]:
    """(pairs in the planned order, pairs against it, gamma of both; 1 without a pair)."""
    agree, disagree = sum(h.agree for h in histories), sum(h.disagree for h in histories)
    return agree, disagree, (agree - disagree) / (agree + disagree) if agree + disagree else 1.0


def pea(session: Session) -> SubMetric:
    """coverage x max(0, gamma) over all items that were ever planned and all comparable pairs of those carried out."""
    if session.idle:
        return nothing_done("no plan was carried out")
    histories = session.cached(plan_histories)
    if not histories:
        return not_applicable(_why_none(session))
    items = [i for h in histories for i in h.items]
    done = [i for i in items if i.proof]
    agree, disagree, tau = order_agreement(histories)
    value = len(done) / len(items) * max(0.0, tau)
    reason = f"later events match {len(done)} of {count(len(items), 'item')} in their words"
    if len(done) < len(items):
        reason += " (others may be done as well)"
    if disagree:
        reason += f", and {disagree} of {count(agree + disagree, 'pair')} in the wrong order"
    elif agree:
        reason += ", in the planned order"
    if len(done) < _FEW:
        reason += f"; weak evidence (fewer than {_FEW} items matched)"
    found = scored(value, "parsed", len(items), _evidence(histories, done), reason)
    # The paper has Kendall's tau of the two orders alone: ties lower it, and items that were never carried out do not.
    pairs = (agree + disagree) * (agree + disagree + sum(h.tied for h in histories))
    found.paper = max(0.0, (agree - disagree) / math.sqrt(pairs)) if pairs else None
    return found


def _evidence(histories: Sequence[PlanHistory], done: Sequence[PlanItemProgress]) -> list[str]:
    return list(dict.fromkeys([h.plans[0].id for h in histories] + [i.proof[0] for i in done]))


def dq(session: Session) -> SubMetric:
    """What each reading's answers are worth on a rubric of 0, 1/3, 2/3, 1; of several readings, see `agreed_level`.

    Without a reading features answer the same questions (`estimated`).
    """
    if session.idle:
        return nothing_done("no plan was carried out")
    if not session.edits:
        return not_applicable(session.no_change)
    histories = session.cached(plan_histories)
    if not histories:
        if session.evidence.prompt.supplies_plan:
            return not_applicable("the user supplied the plan")
        return _without_list(session)
    found = session_plans(session)
    items = [i for h in histories for i in h.items]
    done = [i for i in items if i.proof]
    evidence = _evidence(histories, done)
    matched = f"later events match {len(done)} of {count(len(items), 'item')} in their words"
    judged = session.judged
    if judged is not None and judged.has(f"{plan_name(0)}_single"):
        read = [plan for n, plan in enumerate(found) if judged.has(f"{plan_name(n)}_single")]
        rated = [_quality(read, [judged.of(n)] * len(read)) for n in range(len(judged.by))]
        return _rated(rated, judged, len(items), evidence, matched)
    estimates = [estimated_plan(session, n, plan).of(0) for n, plan in enumerate(found)]
    answers = [(key, value) for said in estimates for key, value in said.items()]
    single, target = (sum(v is True for k, v in answers if f"_{q}/" in k) for q in ("single", "target"))
    reason = (
        f"{count(len(items), 'item')} of a list, as features read it: {single} with a single concern, "
        f"{target} with a target, {sum(i.facts.names_check for i in items)} with the words of a check; "
        f"later events match {len(done)} in their words"
    )
    return scored(_rubric(_quality(found, estimates)), "estimated", len(items), evidence, reason)


def _without_list(session: Session) -> SubMetric:
    """DQ where the rules took no list for a plan: 0 where nothing was said before the first edit, else a reader's."""
    judged, first, name = session.judged, [session.edits[0].id], plan_name(0)
    if any(isinstance(e, PlanEvent) for e in session.events) and _named_in_list(session, MAIN_LANE) is None:
        return scored(0.0, "parsed", 0, first, _why_none(session))
    if not session.spoke_before_edits:
        return scored(0.0, "parsed", 0, first, "nothing was said before the first edit")
    if judged is None or not judged.has(f"{name}_plan"):
        return not_applicable(f"it rates lists of steps; {_why_none(session)}")
    said = [judged.of(n) for n in range(len(judged.by))]
    return _rated([_whole(s, name) if s.get(f"{name}_plan") else 0.0 for s in said], judged, 0, first, "no list")


def _rated(qualities: Sequence[float], judged: JudgedPoints, n: int, evidence: Sequence[str], of: str) -> SubMetric:
    values = [_rubric(q) for q in qualities]
    result = scored(agreed_level(values), "judged", n, evidence, f"{_ratings(values)}; {of}")
    result.readers = judged.by
    return result


def _whole(said: Mapping[str, bool | None], name: str) -> float:
    """The share of yes on the questions about a whole plan."""
    return sum(said.get(f"{name}_{q}") or 0 for q in ("checked", "ordered", "length")) / 3


def _rubric(quality: float) -> float:
    return 1.0 if quality >= 0.75 else 2 / 3 if quality >= 0.5 else 1 / 3 if quality >= 0.25 else 0.0


def agreed_level(ratings: Sequence[float]) -> float:
    """The highest level that more than half of the readings gave or exceeded, for any number of them.

    Where more than half gave the same level, it is that one. Half of an even number are no majority: of 1, 1, 0 and 0
    it is 0.
    """
    return sorted(ratings)[(len(ratings) - 1) // 2]


def _ratings(values: Sequence[float]) -> str:
    worth = [str(Fraction(v).limit_denominator(3)) for v in values]
    if len(set(worth)) == 1:
        return f"{count(len(worth), 'reading')} rated the plan {worth[0]}"
    said = f"{len(worth)} readings rated the plan {', '.join(worth[:-1])} and {worth[-1]}"
    return f"{said}; more than half gave at least {Fraction(agreed_level(values)).limit_denominator(3)}"


def _quality(planned: Sequence[RevisedPlan], said: Sequence[Mapping[str, bool | None]]) -> float:
    """What one reading's answers about all plans are worth, in [0, 1]: q = .6 A + .4 B.

    A: for each item that was carried out and serves the task, the share of yes on single, target and size; over all
    items. B: the share of yes on the questions about the whole plan, times the share of such items in it; the mean over
    the plans by their items. So an item that was not carried out adds nothing, whatever a reader answers.
    """
    item_score = plan_score = 0.0
    total = 0
    for number, (plan, yes) in enumerate(zip(planned, said, strict=True)):
        name = plan_name(number)
        names = {index: n for n, index in enumerate(plan.items, 1)}
        done = [names[i] for i in plan.items if plan.history.items[i].proof and yes.get(f"{name}_serves/{names[i]}")]
        item_score += sum(sum(yes.get(f"{name}_{q}/{i}") or 0 for q in ("single", "target", "size")) / 3 for i in done)
        plan_score += _whole(yes, name) * len(done)
        total += len(plan.items)
    return (0.6 * item_score + 0.4 * plan_score) / total if total else 0.0
