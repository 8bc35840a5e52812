"""What can go wrong; the message is meant for people."""

from __future__ import annotations


class ShelfError(Exception):
    """Something that was asked for cannot be done."""


class NotFound(ShelfError):
    """A member, group or folder that the archive does not know."""


class BadRequest(ShelfError):
    """A request that makes no sense, whatever the archive holds."""
