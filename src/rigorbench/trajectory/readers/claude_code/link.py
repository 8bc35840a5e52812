"""What can only be joined when the whole log was read: lanes and the calls that started them, todo items, the order."""

from __future__ import annotations

from ...model import MAIN_LANE, Lane, Plan, PlanStatus, Spawn, Step, ToolCall


def link_lanes(
    lanes: dict[str, Lane], calls: dict[str, ToolCall], spawns: dict[str, Step], agents: dict[str, str]
) -> bool:
    """Joins lanes and the Spawn calls that started them (``spawns``: id of the call -> its step).

    By the id of the call where the log has it, by the id of the sub-agent that the call's result names (``agents``),
    else by the prompt. Returns False if a sub-agent worked whose steps are not in the log.
    """
    complete = True
    by_call: dict[str, str] = {}
    for lane in lanes.values():
        if lane.parent_call is not None:
            by_call.setdefault(lane.parent_call, lane.id)
    for identity, agent in agents.items():
        if agent in lanes:
            by_call.setdefault(identity, agent)
            if lanes[agent].parent_call is None:
                lanes[agent].parent_call = identity
    prompts: dict[str, str] = {}
    for lane in lanes.values():
        if lane.parent_call is None and lane.prompt:
            prompts.setdefault(lane.prompt.strip(), lane.id)
    for identity in spawns:
        call = calls[identity]
        action = call.action
        if not isinstance(action, Spawn):
            continue
        found = by_call.get(identity) or prompts.pop(action.prompt.strip(), None)
        if found is None:
            if call.result is not None and not call.result.is_error:
                complete = False
            continue
        action.lane = found
        lane = lanes[found]
        lane.parent_call = lane.parent_call or identity
        if lane.agent_type is None and isinstance(call.input, dict):
            kind = call.input.get("subagent_type")
            lane.agent_type = kind if isinstance(kind, str) else None
    for lane in lanes.values():
        start = spawns.get(lane.parent_call) if lane.parent_call is not None else None
        lane.parent = start.lane if start is not None and start.lane != lane.id else MAIN_LANE
    return complete


def name_plan_items(steps: list[Step]) -> None:
    """Updates of a todo item name only its id: give them its text, and its status where the update leaves it."""
    texts: dict[str, str] = {}
    states: dict[str, PlanStatus] = {}
    for step in steps:
        for call in step.calls:
            action = call.action
            if not isinstance(action, Plan) or action.mode == "mode":
                continue
            for item in action.items:
                if item.key is None:
                    continue
                if item.text:
                    texts[item.key] = item.text
                elif item.key in texts:
                    item.text = texts[item.key]
                if action.update == "update" and isinstance(call.input, dict) and "status" not in call.input:
                    item.status = states.get(item.key, item.status)
                states[item.key] = item.status


def interleave(
    steps: list[Step], others: list[list[Step]], calls_at: dict[str, int], lanes: dict[str, Lane]
) -> list[Step]:
    """``steps`` in their order, with the sub-agents' put in by time; without times after the call that started them."""
    clock: list[float] = []
    now = float("-inf")
    for step in steps:
        if step.time is not None and step.time > now:
            now = step.time
        clock.append(now)
    placed: list[tuple[float, int, int, Step]] = [
        (t, i, -1, s) for i, (t, s) in enumerate(zip(clock, steps, strict=True))
    ]
    for group in others:
        start = calls_at.get(lanes[group[0].lane].parent_call or "", len(steps) - 1) if group[0].lane in lanes else 0
        now = clock[start] if clock and group[0].time is None else float("-inf")
        for number, step in enumerate(group):
            if step.time is not None and step.time > now:
                now = step.time
            # Of the same moment, the main lane's steps come first: the call stands before what it started.
            placed.append((now, len(steps), number, step))
    placed.sort(key=lambda entry: entry[:3])
    return [step for *_, step in placed]
