"""What a reward is: the ``rigor-reward/1`` document."""

from __future__ import annotations

from msgspec import Struct, field

SCHEMA = "rigor-reward/1"


class CallReward(Struct):
    """The part of a step's credit that one of its tool calls earned. ``call``: index of the completed call in its
    lane; ``id``: the log's own (None: it has none)."""

    call: int
    id: str | None
    credit: float
    lost: float


class StepReward(Struct, omit_defaults=True):
    """One step of the agent. ``step``: index among the steps of the session, user and harness included; ``line`` and
    ``message_id``: where the log has it (None: the format has no lines, or no ids); ``call``: index of its first
    completed tool call in the lane.

    ``credit``: what the evidence in this step added to the total; ``lost``: what it cost. ``by`` and ``lost_by`` give
    both by sub-metric ("PF.PAC"). ``calls``: where the step made several calls, what each of them earned.
    """

    step: int
    lane: str
    call: int | None
    line: int | None
    message_id: str | None
    credit: float | None
    lost: float | None
    by: dict[str, float]
    lost_by: dict[str, float]
    calls: list[CallReward] = field(default_factory=list)


class Part(Struct):
    """One scored sub-metric in the total: ``weight`` after renormalising, ``value`` as scored, and how it was got."""

    weight: float
    value: float
    method: str | None


class Reward(Struct):
    """A dense reward.

    ``of``: what is shared out, "score" (the RigorScore) or the name of a pillar. ``total``: its value; None if there is
    none (``reason`` says why), and then no step has a credit. The credits of ``steps`` sum to ``total`` exactly, in any
    order of adding. ``lost`` is 1 - ``total``; the steps' ``lost`` and ``missing`` (by sub-metric: lost by not doing
    something, which no step shows) sum to it exactly. ``parts``: the sub-metrics that the total is made of;
    ``pillars``: the value of each.
    """

    schema: str
    rigorbench: str
    id: str
    source: str
    format: str
    task: str | None
    of: str
    total: float | None
    lost: float | None
    reason: str
    pillars: dict[str, float | None]
    parts: dict[str, Part]
    missing: dict[str, float]
    steps: list[StepReward]
