"""What can go wrong."""

from __future__ import annotations


class GroundworkError(Exception):
    """The message is one line; where a file is to blame it begins with file and line."""
