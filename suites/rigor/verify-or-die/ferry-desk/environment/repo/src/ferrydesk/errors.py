"""What a counter is told when something cannot be done."""

from __future__ import annotations


class DeskError(Exception):
    """A request that cannot be carried out; the message says why."""


class NotFound(DeskError):
    """A crossing or a booking that does not exist."""


class Full(DeskError):
    """No space is left on the crossing."""
