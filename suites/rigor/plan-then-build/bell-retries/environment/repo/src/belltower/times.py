"""Times: in UTC, to the second, and as text in the database and in answers."""

from __future__ import annotations

import datetime
from collections.abc import Callable

Clock = Callable[[], datetime.datetime]
_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def text(moment: datetime.datetime) -> str:
    """Such texts sort as the moments do."""
    return moment.astimezone(datetime.UTC).strftime(_FORMAT)


def moment(written: str) -> datetime.datetime:
    return datetime.datetime.strptime(written, _FORMAT).replace(tzinfo=datetime.UTC)
