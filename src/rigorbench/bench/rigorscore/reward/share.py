"""The reward of one session: a measure of it, shared out over the steps whose evidence earned it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct, field

from ....base.version import __version__
from ....evidence.events import AnyEvent, CommitEvent, EditEvent
from ....review.pillars import SUBMETRICS
from ....review.result import WEIGHTS, Score
from ....review.session import Session
from ..combining import load
from ..recovery import effectless_steps
from .reward import SCHEMA, CallReward, Reward, RewardPart, StepReward

# An event, or the index of a step as a whole; None: no step shows it.
Target = AnyEvent | int | None
HALF = Fraction(1, 2)


class Share(Struct):
    """A part of a credit or a loss, as a weight: of an event, of a step by its index, or of none."""

    weight: Fraction
    target: Target


class Shares(Struct):
    """Who gains and who loses by one part of a measure, each in proportion to the weights.

    Attributes:
        earned: who gets its value.
        lost: who is charged what is missing to 1; empty if no step shows it, because something was not done.
    """

    earned: list[Share] = field(default_factory=list)
    lost: list[Share] = field(default_factory=list)

    def add_credit(self, weight: float | Fraction, *targets: Target) -> None:
        """Adds ``weight`` in equal parts to the targets."""
        _add(self.earned, weight, targets)

    def add_loss(self, weight: float | Fraction, *targets: Target) -> None:
        """Adds ``weight`` in equal parts to the targets."""
        _add(self.lost, weight, targets)


def _add(shares: list[Share], weight: float | Fraction, targets: Sequence[Target]) -> None:
    if weight > 0:
        shares += [Share(Fraction(weight) / len(targets), target) for target in targets]


class View:
    """A session as the reward rules need it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.effectless = effectless_steps(session)

    def event(self, identity: str) -> AnyEvent:
        return self.session.events[self.session.position[identity]]

    def events(self, identities: Iterable[str]) -> list[AnyEvent]:
        """The events with these ids; ids that this session does not have are left out."""
        return [self.event(i) for i in identities if i in self.session.position]

    def edits(self, identities: Iterable[str]) -> list[EditEvent]:
        return [e for e in self.events(identities) if isinstance(e, EditEvent)]

    def files(self, events: Sequence[AnyEvent]) -> list[EditEvent]:
        """The last edit of each file that was worked on, so that many edits of one file count once."""
        found: dict[str, EditEvent] = {}
        for edit in events:
            if isinstance(edit, EditEvent) and edit.step not in self.effectless:
                facts = self.session.facts(edit)
                if not (facts.scratch or facts.layout):
                    found[edit.new_path or edit.path] = edit
        return list(found.values())

    def changed_files(self, commit: CommitEvent) -> int:
        """Number of files with real changes that were edited since the previous commit."""
        session = self.session
        since = max((session.position[c.id] for c in session.commits if session.before(c, commit)), default=-1)
        return len(self.files(session.events[since + 1 : session.position[commit.id]]))

    def with_effect(self, shares: list[Share]) -> list[Share]:
        """The shares without those of effectless steps (a check repeated on the same tree, edits that were undone).

        All of them if nothing else is left.
        """
        return [s for s in shares if self._step(s.target) not in self.effectless] or shares

    @staticmethod
    def _step(target: Target) -> int | None:
        return target if target is None or isinstance(target, int) else target.step


def share_out(whole: int, weights: Sequence[Fraction]) -> list[int]:
    """``whole`` in whole parts that are as nearly as possible proportional to ``weights``.

    By largest remainders; of equal remainders the first part gets the unit.

    Raises:
        ValueError: no weight is positive, or one is negative.
    """
    total = sum(weights, Fraction(0))
    if total <= 0 or any(w < 0 for w in weights):
        raise ValueError("weights must not be negative, and one must be positive")
    exact = [whole * w / total for w in weights]
    parts = [math.floor(e) for e in exact]
    rest = whole - sum(parts)
    order = sorted(range(len(parts)), key=lambda n: (parts[n] - exact[n], n))
    for n in order[:rest]:
        parts[n] += 1
    return parts


# (step, index of the completed call in its lane or None): where a share goes.
_StepCall = tuple[int, int | None]


class _Account(Struct):
    """One quantity that is shared out, credit or loss, in units of the last binary place of its total.

    The total is a whole number of them, below 2**53. So is every sum of parts that are not negative and add up to at
    most the total: each such sum is a float, and adding them rounds nothing.
    """

    total: float
    due: dict[str, tuple[Fraction, list[Share]]] = field(default_factory=dict)
    """By part, how much is shared out, and among whom."""
    amounts: dict[_StepCall, dict[str, int]] = field(default_factory=dict)
    """What each step and call gets, by part."""
    unassigned: dict[str, int] = field(default_factory=dict)
    """What no step shows, by part."""

    @property
    def unit(self) -> float:
        return math.ulp(self.total)

    def add(self, place: _StepCall, name: str, units: int) -> None:
        by = self.amounts.setdefault(place, {})
        by[name] = by.get(name, 0) + units


class Divided(Struct):
    """What one part of a measure adds to the total and takes from it, in proportion to the others, and who gets it."""

    value: Fraction
    lost: Fraction
    shares: Shares


def share_score(session: Session, score: Score, of: str) -> Reward:
    """The reward of a scored session.

    Args:
        of: "score" for the RigorScore, or the name of a pillar.
    """
    total, reason, parts = _parts(score, of)
    view = View(session)
    named: dict[str, Divided] = {}
    for spec in SUBMETRICS:
        name = f"{spec.pillar}.{spec.name}"
        if name in parts:
            shares: Shares = load(spec.reward)(view, score.pillars[spec.pillar].submetrics[spec.name])
            value, weight = Fraction(parts[name].value), Fraction(parts[name].weight)
            named[name] = Divided(weight * value, weight * (1 - value), shares)
    return share_reward(session, of=of, most=1, total=total, reason=reason, parts=parts, divided=named)


def share_reward(
    session: Session,
    *,
    of: str,
    most: int,
    total: float | None,
    reason: str,
    parts: dict[str, RewardPart],
    divided: Mapping[str, Divided],
) -> Reward:
    """A total, shared out over the steps. Arguments as in :class:`Reward`; ``divided``: by name of the part."""
    steps: list[StepReward] = []
    missing: dict[str, float] = {}
    lost = None
    if total is None:
        steps = _rows(session, None, None)
    else:
        lost = most - total
        earnings, losses = _Account(total), _Account(lost)
        for name, part in divided.items():
            earnings.due[name] = part.value, part.shares.earned
            losses.due[name] = part.lost, part.shares.lost
        _distribute(earnings, session)
        _distribute(losses, session)
        _assign_rest(earnings, session)
        steps = _rows(session, earnings, losses)
        missing = {n: units * losses.unit for n, units in losses.unassigned.items() if units}
    trajectory = session.evidence.trajectory
    return Reward(
        schema=SCHEMA,
        rigorbench=__version__,
        id=trajectory.id,
        source=trajectory.source.file,
        format=trajectory.format,
        task=session.task.id if session.task is not None else None,
        of=of,
        most=most,
        total=total,
        lost=lost,
        reason=reason,
        parts=parts,
        missing=missing,
        steps=steps,
    )


def _parts(score: Score, of: str) -> tuple[float | None, str, dict[str, RewardPart]]:
    """(total, why there is none, the sub-metrics in it with their weights).

    Raises:
        ValueError: ``of`` names no pillar.
    """
    if of != "score" and of not in WEIGHTS:
        raise ValueError(f"no pillar {of!r}; one of: {', '.join(WEIGHTS)}")
    pillars = {of: score.pillars[of]} if of != "score" else score.pillars
    total = score.pillars[of].value if of != "score" else score.rigor_score
    if total is None:
        share = score.pillars[of].evidence_share if of != "score" else score.evidence_share
        what = "the RigorScore" if of == "score" else f"pillar {of}"
        if share is None:
            return None, f"this session had nothing that {what} measures", {}
        scorable = f"{100 * share:.0f} % of the weight that applies could be scored"
        return None, f"too little evidence for {what}: {scorable}, and at least 50 % are needed", {}
    found: dict[str, RewardPart] = {}
    whole = sum(p.weight for p in pillars.values() if p.status == "scored")
    for name, pillar in pillars.items():
        if pillar.status != "scored":
            continue
        weights = WEIGHTS[name][1]
        scored = {k: s for k, s in pillar.submetrics.items() if s.status == "scored" and s.value is not None}
        inside = sum(weights[k] for k in scored)
        for key, sub in scored.items():
            assert sub.value is not None
            found[f"{name}.{key}"] = RewardPart(pillar.weight / whole * weights[key] / inside, sub.value, sub.method)
    return total, "", found


def _distribute(account: _Account, session: Session) -> None:
    """Divides the whole of an account among the parts of the measure, and the part of each among its targets."""
    due = {name: (amount, shares) for name, (amount, shares) in account.due.items() if amount > 0}
    if not due:
        return
    parts = share_out(int(account.total / account.unit), [amount for amount, _ in due.values()])
    for (name, (_, shares)), units in zip(due.items(), parts, strict=True):
        if not shares:
            account.unassigned[name] = units
            continue
        for share, part in zip(shares, share_out(units, [s.weight for s in shares]), strict=True):
            if share.target is None:
                account.unassigned[name] = account.unassigned.get(name, 0) + part
            else:
                account.add(_step_call(session, share.target), name, part)


def _step_call(session: Session, target: AnyEvent | int) -> _StepCall:
    """The agent's step (and call) of a target.

    What happened outside the agent's steps (such as a change in the background) belongs to the step before it.
    """
    step, call = (target, None) if isinstance(target, int) else (target.step, target.call)
    steps = session.evidence.trajectory.steps
    if steps[step].role == "agent":
        return step, call
    lane = steps[step].lane
    before = (n for n in range(step, -1, -1) if steps[n].role == "agent" and steps[n].lane == lane)
    return next(before, next((n for n, s in enumerate(steps) if s.role == "agent"), step)), None


def _assign_rest(account: _Account, session: Session) -> None:
    """Credit whose evidence is in no event of the log goes to the last edit of which something is left."""
    if account.unassigned:
        events = session.edits or session.events
        last = _step_call(session, events[-1]) if events else (len(session.evidence.trajectory.steps) - 1, None)
        for name, units in account.unassigned.items():
            account.add(last, name, units)
        account.unassigned.clear()


def _rows(session: Session, earnings: _Account | None, losses: _Account | None) -> list[StepReward]:
    """Every step of the agent, and any other step that has a credit or loss."""
    numbers: dict[str, int] = {}
    rows: list[StepReward] = []
    earned, lost = _by_step(earnings), _by_step(losses)
    for n, step in enumerate(session.evidence.trajectory.steps):
        first = numbers.get(step.lane, 0)
        calls = [c for c in step.calls if c.result is not None]
        numbers[step.lane] = first + len(calls)
        if step.role != "agent" and n not in earned and n not in lost:
            continue
        row = StepReward(
            step=n,
            lane=step.lane,
            call=first if calls else None,
            line=step.source.line,
            message_id=step.message_id,
            credit=None,
            lost=None,
            by={},
            lost_by={},
        )
        rows.append(row)
        if earnings is None or losses is None:
            continue
        row.credit, row.by = _values(earnings, earned.get(n, {}))
        row.lost, row.lost_by = _values(losses, lost.get(n, {}))
        if len(calls) > 1:
            row.calls = [
                CallReward(
                    first + i,
                    call.id or None,
                    _values(earnings, earnings.amounts.get((n, first + i), {}))[0],
                    _values(losses, losses.amounts.get((n, first + i), {}))[0],
                )
                for i, call in enumerate(calls)
            ]
    return rows


def _values(account: _Account, units: dict[str, int]) -> tuple[float, dict[str, float]]:
    """(the sum, each) as floats."""
    return sum(units.values()) * account.unit, {n: u * account.unit for n, u in units.items()}


def _by_step(account: _Account | None) -> dict[int, dict[str, int]]:
    """Units of each step, all its calls together, by part in the order of the measure."""
    found: dict[int, dict[str, int]] = {}
    if account is None:
        return found
    for (step, _), by in account.amounts.items():
        for name, units in by.items():
            of_step = found.setdefault(step, {})
            of_step[name] = of_step.get(name, 0) + units
    return {step: {n: by[n] for n in account.due if by.get(n)} for step, by in found.items()}
