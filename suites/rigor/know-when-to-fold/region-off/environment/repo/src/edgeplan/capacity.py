"""Checks whether what is in service is enough."""

from __future__ import annotations

from .fleet import Fleet
from .states import in_service


def weight_in_service(fleet: Fleet, service: str) -> int:
    return sum(host.weight for host in in_service(fleet, service))


def shortages(fleet: Fleet) -> list[str]:
    """A line for each service whose hosts in service weigh less than its minimum."""
    lines = []
    for service in fleet.services.values():
        weight = weight_in_service(fleet, service.name)
        if weight < service.minimum:
            lines.append(f"{service.name}: weight {weight} in service, {service.minimum} needed")
    return lines
