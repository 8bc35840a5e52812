"""What a fleet consists of."""

from __future__ import annotations

from dataclasses import dataclass, field

from .errors import FleetError


@dataclass(frozen=True)
class Region:
    """A place with hosts. ``entry``: the address at which clients enter it."""

    name: str
    title: str
    entry: str


@dataclass(frozen=True)
class Service:
    """``minimum``: the weight that its hosts in service must have together."""

    name: str
    minimum: int = 0


@dataclass(frozen=True)
class Host:
    name: str
    region: str
    weight: int
    services: tuple[str, ...]
    maintenance: bool = False
    quarantined: bool = False


@dataclass(frozen=True)
class Fleet:
    """Regions and services by name, in the order of the file; hosts in the order of the file."""

    regions: dict[str, Region] = field(default_factory=dict)
    services: dict[str, Service] = field(default_factory=dict)
    hosts: tuple[Host, ...] = ()

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for host in self.hosts:
            if host.name in seen:
                raise FleetError(f"host {host.name}: named twice")
            seen.add(host.name)
            if host.region not in self.regions:
                raise FleetError(f"host {host.name}: no region {host.region!r}")
            unknown = next((name for name in host.services if name not in self.services), None)
            if unknown is not None:
                raise FleetError(f"host {host.name}: no service {unknown!r}")

    def host(self, name: str) -> Host:
        """The host with this name.

        Raises:
            FleetError: there is none.
        """
        found = next((host for host in self.hosts if host.name == name), None)
        if found is None:
            raise FleetError(f"no host {name!r}")
        return found

    def hosts_of(self, service: str) -> list[Host]:
        """The hosts that run a service, whatever their state.

        Raises:
            FleetError: there is no such service.
        """
        if service not in self.services:
            raise FleetError(f"no service {service!r}")
        return [host for host in self.hosts if service in host.services]

    def hosts_in(self, region: str) -> list[Host]:
        return [host for host in self.hosts if host.region == region]
