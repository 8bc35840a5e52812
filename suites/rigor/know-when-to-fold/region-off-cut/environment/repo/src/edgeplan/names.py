"""Writes what the name servers answer: the entries at which a service can be had."""

from __future__ import annotations

from .fleet import Fleet
from .states import in_service


def names_file(fleet: Fleet, domain: str = "edge.example.org") -> str:
    """One line for each entry: the service's name and the address."""
    lines = []
    for service in fleet.services:
        regions = {host.region for host in in_service(fleet, service)}
        lines += [f"{service}.{domain} {r.entry}" for r in fleet.regions.values() if r.name in regions]
    return "\n".join(lines)
