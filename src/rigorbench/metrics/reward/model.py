"""The ``rigor-reward/4`` document."""

from __future__ import annotations

from msgspec import Struct, field

from ..registry import Method

SCHEMA = "rigor-reward/4"


class CallReward(Struct):
    """The part of a step's reward that belongs to one of its tool calls.

    Attributes:
        call: index of the completed call in its lane.
        id: the call's id in the log; None if it has none.
        credit: what the call added to the total.
        lost: what the call cost.
    """

    call: int
    id: str | None
    credit: float
    lost: float


class StepReward(Struct, omit_defaults=True):
    """One step of the agent.

    Attributes:
        step: index among all steps of the session, those of user and harness included.
        lane: the main agent or a sub-agent.
        call: index of its first completed tool call in the lane; None if it made none.
        line: where the log has it; None if the format has no lines.
        message_id: the id of its message in the log; None if it has none.
        credit: what the evidence in this step added to the total; None if there is no total.
        lost: what the evidence in this step cost; None if there is no total.
        by: ``credit`` by sub-metric, such as "PF.PAC".
        lost_by: ``lost`` by sub-metric.
        calls: the rewards of its calls, if it made several.
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
    """A scored sub-metric in the total: its weight after renormalising, its value, how that was obtained."""

    weight: float
    value: float
    method: Method | None


class Reward(Struct):
    """A dense reward. The credits of the steps sum to ``total`` exactly, in any order of adding.

    Attributes:
        schema: ``rigor-reward/4``.
        rigorbench: the version that computed it.
        id: of the session.
        source: the log.
        format: of the log.
        task: the id of the task, if one was given.
        of: what is divided: "score" for the RigorScore, or the name of a pillar.
        total: the value that is divided; None if there is none, and then no step has a credit.
        lost: 1 - ``total``; the losses of the steps and those in ``missing`` sum to it exactly.
        reason: why there is no total; empty if there is one.
        parts: the sub-metrics in it, of which it is the weighted mean.
        missing: losses by sub-metric that no step shows, because something was not done.
        steps: the rewards of the steps.
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
    parts: dict[str, Part]
    missing: dict[str, float]
    steps: list[StepReward]
