"""Takes the steps of a plan."""

from __future__ import annotations

from collections.abc import Callable

from .cloud import Cloud
from .plan import Step
from .state import Made, State


def apply(steps: list[Step], state: State, cloud: Cloud, save: Callable[[State], None]) -> None:
    """Take the steps one after the other; `save` gets the state after each.

    Raises:
        CloudError: the cloud refused a step. What was done before is in the state; the rest was not tried.
    """
    for step in steps:
        if step.action == "delete":
            cloud.delete(state.resources[step.address].id)
            del state.resources[step.address]
        elif step.resource is not None and step.action == "create":
            number, attributes = cloud.create(step.resource.kind, step.resource.values)
            state.resources[step.address] = Made(number, attributes)
        else:
            made = state.resources[step.address]
            made.attributes = cloud.update(made.id, {name: new for name, (_, new) in step.changes.items()})
        save(state)
