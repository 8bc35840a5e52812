"""The reward of one session: its score, shared out over the steps whose evidence earned it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from msgspec import Struct, field

from ...base.version import __version__
from ..result import WEIGHTS, Score, SubMetric
from ..session import Session
from . import integrity, planning, recovery, verification
from .exact import Grid, share_out
from .model import SCHEMA, CallReward, Part, Reward, StepReward
from .shares import Share, Shares, Target, View

_RULES: dict[str, Callable[[View, SubMetric], Shares]] = {
    "PF.PAC": planning.pac,
    "PF.DQ": planning.dq,
    "PF.PEA": planning.pea,
    "VC.TCR": verification.tcr,
    "VC.dC": verification.dc,
    "VC.RT": verification.rt,
    "RE.f(RAC)": recovery.rac,
    "RE.SD": recovery.sd,
    "RE.1-TWR": recovery.twr,
    "AQ.AQ": recovery.aq,
    "ATI.BH": integrity.bh,
    "ATI.TS": integrity.ts,
    "ATI.CH": integrity.ch,
}
# (step, index of the completed call in its lane or None): where a share lands.
_Place = tuple[int, int | None]


class _Account(Struct):
    """Units of one kind (credit, or loss). ``due``: by sub-metric how much, and to whom; ``places``: what each place
    gets by sub-metric; ``nowhere``: what no step shows."""

    grid: Grid
    due: dict[str, tuple[Fraction, list[Share]]] = field(default_factory=dict)
    places: dict[_Place, dict[str, int]] = field(default_factory=dict)
    nowhere: dict[str, int] = field(default_factory=dict)


def share_reward(session: Session, score: Score, *, of: str = "score") -> Reward:
    """The reward of a scored session.

    Args:
        session: what the score was computed from.
        score: its score.
        of: "score" for the RigorScore, or the name of a pillar.
    """
    total, reason, parts = _parts(score, of)
    steps: list[StepReward] = []
    missing: dict[str, float] = {}
    lost = None
    if total is None:
        steps = _rows(session, None, None)
    else:
        lost = 1 - total
        earnings, losses = _Account(Grid(total)), _Account(Grid(lost))
        view = View(session)
        shares = {name: _RULES[name](view, _submetric(score, name)) for name in parts}
        for name, part in parts.items():
            value, weight = Fraction(part.value), Fraction(part.weight)
            earnings.due[name] = weight * value, shares[name].earned
            losses.due[name] = weight * (1 - value), shares[name].lost
        _book(earnings, session)
        _book(losses, session)
        _last_resort(earnings, session)
        steps = _rows(session, earnings, losses)
        missing = {n: losses.grid.value(units) for n, units in losses.nowhere.items()}
    header = score.trajectory
    return Reward(
        schema=SCHEMA,
        rigorbench=__version__,
        id=header.id,
        source=header.source,
        format=header.format,
        task=session.task.id if session.task is not None else None,
        of=of,
        total=total,
        lost=lost,
        reason=reason,
        pillars={name: p.value for name, p in score.pillars.items()},
        parts=parts,
        missing=missing,
        steps=steps,
    )


def _submetric(score: Score, name: str) -> SubMetric:
    pillar, key = name.split(".", 1)
    return score.pillars[pillar].submetrics[key]


def _parts(score: Score, of: str) -> tuple[float | None, str, dict[str, Part]]:
    """(total, why there is none, the sub-metrics in it with their weights)."""
    if of != "score" and of not in WEIGHTS:
        raise ValueError(f"no pillar {of!r}; one of: {', '.join(WEIGHTS)}")
    wanted = {of: score.pillars[of]} if of != "score" else score.pillars
    total = score.pillars[of].value if of != "score" else score.rigor_score
    if total is None:
        share = score.pillars[of].evidence_share if of != "score" else score.evidence_share
        what = "the RigorScore" if of == "score" else f"pillar {of}"
        if share is None:
            return None, f"nothing that {what} measures arose in this session", {}
        return None, f"too little evidence for {what}: it covers {share:.0%} of what applies, and it takes half", {}
    found: dict[str, Part] = {}
    whole = sum(p.weight for p in wanted.values() if p.status == "scored")
    for name, pillar in wanted.items():
        if pillar.status != "scored":
            continue
        weights = WEIGHTS[name][1]
        scored = {k: s for k, s in pillar.submetrics.items() if s.status == "scored" and s.value is not None}
        inside = sum(weights[k] for k in scored)
        for key, sub in scored.items():
            assert sub.value is not None
            found[f"{name}.{key}"] = Part(pillar.weight / whole * weights[key] / inside, sub.value, sub.method)
    return total, "", found


def _book(account: _Account, session: Session) -> None:
    """Share the account's whole out to the sub-metrics, and each one's part to its targets."""
    due = {name: (amount, shares) for name, (amount, shares) in account.due.items() if amount > 0}
    if not due:
        return
    parts = share_out(account.grid.whole, [amount for amount, _ in due.values()])
    for (name, (_, shares)), units in zip(due.items(), parts, strict=True):
        if not shares:
            account.nowhere[name] = units
            continue
        for share, part in zip(shares, share_out(units, [s.weight for s in shares]), strict=True):
            by = account.places.setdefault(_place(session, share.target), {})
            by[name] = by.get(name, 0) + part


def _place(session: Session, target: Target) -> _Place:
    """The agent's step (and call) that a target stands for.

    What happened outside the agent's steps (a change in the background, say) belongs to the step before it.
    """
    step, call = (target, None) if isinstance(target, int) else (target.step, target.call)
    steps = session.evidence.trajectory.steps
    if steps[step].role == "agent":
        return step, call
    lane = steps[step].lane
    before = (n for n in range(step, -1, -1) if steps[n].role == "agent" and steps[n].lane == lane)
    return next(before, next((n for n, s in enumerate(steps) if s.role == "agent"), step)), None


def _last_resort(account: _Account, session: Session) -> None:
    """Credit whose evidence is in no event of the log goes to the last edit of which something is left."""
    if account.nowhere:
        events = session.edits or session.events
        place = _place(session, events[-1]) if events else (len(session.evidence.trajectory.steps) - 1, None)
        for name, units in account.nowhere.items():
            by = account.places.setdefault(place, {})
            by[name] = by.get(name, 0) + units
        account.nowhere.clear()


def _rows(session: Session, earnings: _Account | None, losses: _Account | None) -> list[StepReward]:
    """Every step of the agent, and any other that something fell to."""
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
                    _values(earnings, earnings.places.get((n, first + i), {}))[0],
                    _values(losses, losses.places.get((n, first + i), {}))[0],
                )
                for i, call in enumerate(calls)
            ]
    return rows


def _values(account: _Account, units: dict[str, int]) -> tuple[float, dict[str, float]]:
    """(their sum, each of them) as floats."""
    return account.grid.value(sum(units.values())), {n: account.grid.value(u) for n, u in units.items()}


def _by_step(account: _Account | None) -> dict[int, dict[str, int]]:
    """Units of each step, all its calls together, by sub-metric in the order of the paper."""
    found: dict[int, dict[str, int]] = {}
    for (step, _), by in account.places.items() if account is not None else ():
        for name, units in by.items():
            of_step = found.setdefault(step, {})
            of_step[name] = of_step.get(name, 0) + units
    return {step: {n: by[n] for n in _RULES if by.get(n)} for step, by in found.items()}
