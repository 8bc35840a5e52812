"""The ``rigor-reward/3`` document."""

from __future__ import annotations

from msgspec import Struct, field

from ....review.pillars import Method

SCHEMA = "rigor-reward/3"


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
        by: ``credit`` by part, such as "PF.PAC" or "verification".
        lost_by: ``lost`` by part.
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


class RewardPart(Struct):
    """A scored sub-metric or a grade in the total: its weight after renormalising, its value, how that was obtained."""

    weight: float
    value: float
    method: Method | None


class Reward(Struct):
    """A dense reward. The credits of the steps sum to ``total`` exactly, in any order of adding.

    Attributes:
        schema: ``rigor-reward/3``.
        rigorbench: the version that computed it.
        id: of the session.
        source: the log.
        format: of the log.
        task: the id of the task, if one was given.
        of: what is shared out: "review" for its overall grade, "score" for the RigorScore, or the name of a grade or
            pillar.
        most: the best value there is: 100 of grades, 1 of the RigorScore and its pillars.
        total: the value that is shared out; None if there is none, and then no step has a credit.
        lost: ``most`` - ``total``; the losses of the steps and those in ``missing`` sum to it exactly.
        reason: why there is no total; empty if there is one.
        parts: the grades or sub-metrics in it. The RigorScore is their weighted mean; a reader's overall grade is its
            own, and divided in proportion to them.
        missing: losses by part that no step shows, because something was not done.
        steps: the rewards of the steps.
    """

    schema: str
    rigorbench: str
    id: str
    source: str
    format: str
    task: str | None
    of: str
    most: int
    total: float | None
    lost: float | None
    reason: str
    parts: dict[str, RewardPart]
    missing: dict[str, float]
    steps: list[StepReward]
