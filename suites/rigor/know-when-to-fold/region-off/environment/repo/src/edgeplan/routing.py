"""Where the balancers send a client.

They compute it the same way: each host gets a score from the client's and its own name, the heavier the better, and the
best one wins. So a host that goes moves only its own clients.
"""

from __future__ import annotations

import hashlib
import math

from .errors import FleetError
from .fleet import Fleet, Host
from .states import in_service, state_of


def pick(fleet: Fleet, service: str, client: str) -> Host | None:
    """The host for a new session; None if the service has no host in service."""
    return max(in_service(fleet, service), key=lambda host: _score(host, client), default=None)


def keep(fleet: Fleet, service: str, client: str, host_name: str) -> Host | None:
    """The host for a client that has a session on `host_name`: the same one, unless it was cut there.

    Raises:
        FleetError: there is no such service, no such host, or it does not run the service.
    """
    host = fleet.host(host_name)
    if host not in fleet.hosts_of(service):
        raise FleetError(f"host {host_name}: does not run {service!r}")
    return host if state_of(host).keeps_running else pick(fleet, service, client)


def _score(host: Host, client: str) -> float:
    digest = hashlib.sha256(f"{host.name}/{client}".encode()).digest()
    chance = (int.from_bytes(digest[:7], "big") + 1) / (2**56 + 1)
    return -host.weight / math.log(chance)
