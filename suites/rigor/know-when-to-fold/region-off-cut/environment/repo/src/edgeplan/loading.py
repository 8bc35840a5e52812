"""Reads the fleet file (docs/fleet.md)."""

from __future__ import annotations

import ipaddress
import tomllib
from pathlib import Path
from typing import Any

from .errors import FleetError
from .fleet import Fleet, Host, Region, Service


def load(path: Path) -> Fleet:
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> Fleet:
    """The fleet of a fleet file.

    Raises:
        FleetError: it is no TOML, or something in it is missing, unknown or of the wrong type.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FleetError(str(error)) from None
    _known("fleet", document, {"regions", "services", "hosts"})
    regions = {name: _region(name, table) for name, table in _tables(document, "regions").items()}
    services = {name: _service(name, table) for name, table in _tables(document, "services").items()}
    hosts = document.get("hosts", [])
    if not isinstance(hosts, list):
        raise FleetError("hosts: expected [[hosts]]")
    return Fleet(regions, services, tuple(_host(number, table) for number, table in enumerate(hosts, 1)))


def _region(name: str, table: Any) -> Region:
    place = f"region {name}"
    _known(place, table, {"title", "entry"})
    entry = _text(place, table, "entry")
    try:
        ipaddress.ip_address(entry)
    except ValueError:
        raise FleetError(f"{place}: entry: no address: {entry!r}") from None
    return Region(name, _text(place, table, "title"), entry)


def _service(name: str, table: Any) -> Service:
    place = f"service {name}"
    _known(place, table, {"minimum"})
    return Service(name, _number(place, table, "minimum", 0, 100_000, default=0))


def _host(number: int, table: Any) -> Host:
    place = f"host {number}"
    _known(place, table, {"name", "region", "weight", "services", "maintenance", "quarantined"})
    name = _text(place, table, "name")
    place = f"host {name}"
    services = table.get("services")
    if not isinstance(services, list) or not all(isinstance(service, str) for service in services):
        raise FleetError(f"{place}: services: expected a list of names")
    return Host(
        name,
        _text(place, table, "region"),
        _number(place, table, "weight", 1, 100),
        tuple(services),
        maintenance=_flag(place, table, "maintenance"),
        quarantined=_flag(place, table, "quarantined"),
    )


def _tables(document: dict[str, Any], key: str) -> dict[str, Any]:
    found = document.get(key, {})
    if not isinstance(found, dict):
        raise FleetError(f"{key}: expected tables")
    return found


def _known(place: str, table: Any, keys: set[str]) -> None:
    if not isinstance(table, dict):
        raise FleetError(f"{place}: expected a table")
    unknown = next((key for key in table if key not in keys), None)
    if unknown is not None:
        raise FleetError(f"{place}: unknown key {unknown!r}")


def _text(place: str, table: dict[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise FleetError(f"{place}: {key}: expected a text")
    return value


def _number(place: str, table: dict[str, Any], key: str, low: int, high: int, default: int | None = None) -> int:
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise FleetError(f"{place}: {key}: expected a whole number from {low} to {high}")
    return value


def _flag(place: str, table: dict[str, Any], key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise FleetError(f"{place}: {key}: expected true or false")
    return value
