"""Compares what there should be with what was made."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from .errors import GroundworkError
from .kinds import KINDS, Value
from .language import Resource
from .state import State

SIGNS = {"create": "+", "update": "~", "delete": "-"}
WORDS = {"create": "create", "update": "change", "delete": "delete"}


@dataclass
class Step:
    """``action``: one of `SIGNS`. ``changes``: attribute -> (as it is, as it should be), of an update."""

    action: str
    address: str
    resource: Resource | None = None
    changes: dict[str, tuple[Value, Value]] = field(default_factory=dict)


def make_plan(resources: list[Resource], state: State) -> list[Step]:
    """The steps in the order in which they are to be taken.

    Raises:
        GroundworkError: something is to be changed that is fixed.
    """
    steps = []
    for resource in resources:
        made = state.resources.get(resource.address)
        if made is None:
            steps.append(Step("create", resource.address, resource))
            continue
        changes = {
            name: (made.attributes[name], value)
            for name, value in resource.values.items()
            if made.attributes[name] != value
        }
        for name in changes:
            if KINDS[resource.kind].attributes[name].fixed:
                raise GroundworkError(f"{resource.address}: {name} is fixed; give the resource another name")
        if changes:
            steps.append(Step("update", resource.address, resource, changes))
    wanted = {resource.address for resource in resources}
    steps += [Step("delete", address) for address in state.resources if address not in wanted]
    return steps


def describe(steps: list[Step]) -> str:
    """A line for each step and a summary."""
    lines = []
    for step in steps:
        told = [f"{name}: {json.dumps(old)} -> {json.dumps(new)}" for name, (old, new) in step.changes.items()]
        lines.append(f"{SIGNS[step.action]} {step.address}" + (f"  ({', '.join(told)})" if told else ""))
    counts = [f"{sum(step.action == action for step in steps)} to {word}" for action, word in WORDS.items()]
    return "\n".join([*lines, ", ".join(counts)])
