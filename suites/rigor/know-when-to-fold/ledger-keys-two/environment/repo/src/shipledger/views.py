"""What the ledger tells about the fleet."""

from __future__ import annotations

from collections.abc import Iterable

from .record import Record


def running(records: Iterable[Record]) -> dict[str, Record]:
    """Service -> its latest release, by name of the service."""
    latest: dict[str, Record] = {}
    for record in records:
        known = latest.get(record.service)
        if known is None or (known.released, known.id) < (record.released, record.id):
            latest[record.service] = record
    return dict(sorted(latest.items()))


def history(records: Iterable[Record], service: str) -> list[Record]:
    """The releases of a service, oldest first."""
    return sorted((r for r in records if r.service == service), key=lambda r: (r.released, r.id))


def row(record: Record) -> str:
    """A release on one line, for people."""
    return (
        f"{record.id:>4}  {record.released}  {record.service:12} {record.version:9} {record.image[7:19]}  {record.by}"
    )
