"""The state in which the balancers hold a host (docs/balancer.md)."""

from __future__ import annotations

import enum

from .fleet import Fleet, Host


class State(enum.Enum):
    SERVE = "serve"
    DRAIN = "drain"
    REFUSE = "refuse"

    @property
    def takes_new(self) -> bool:
        """Whether new sessions may start."""
        return self is State.SERVE

    @property
    def keeps_running(self) -> bool:
        """Whether sessions that run may go on."""
        return self is not State.REFUSE


def state_of(host: Host) -> State:
    if host.quarantined:
        return State.REFUSE
    if host.maintenance:
        return State.DRAIN
    return State.SERVE


def in_service(fleet: Fleet, service: str) -> list[Host]:
    """The hosts of a service that take new sessions."""
    return [host for host in fleet.hosts_of(service) if state_of(host).takes_new]
