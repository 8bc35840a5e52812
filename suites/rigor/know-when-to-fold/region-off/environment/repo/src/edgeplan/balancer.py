"""Writes the file that the balancers load."""

from __future__ import annotations

from .fleet import Fleet
from .states import state_of


def balancer_file(fleet: Fleet) -> str:
    """A section for each service with a line for each of its hosts."""
    lines = []
    for service in fleet.services:
        lines.append(f"service {service}")
        lines += [f"  {state_of(host).value} {host.name} {host.weight}" for host in fleet.hosts_of(service)]
    return "\n".join(lines)
