"""The overview that people read."""

from __future__ import annotations

from .fleet import Fleet
from .states import state_of


def overview(fleet: Fleet) -> str:
    """Each region with its hosts and their states."""
    lines = []
    for region in fleet.regions.values():
        lines.append(f"{region.name}: {region.title}")
        hosts = fleet.hosts_in(region.name)
        lines += [f"  {host.name} {state_of(host).value} ({', '.join(host.services)})" for host in hosts]
        if not hosts:
            lines.append("  no hosts")
    return "\n".join(lines)
