"""What every package may raise, and every command understands."""

from __future__ import annotations


class GivenError(ValueError):
    """What the user gave cannot be used. Commands say it in one line, and end with status 2."""
