"""What is wrong with an entry or a file."""

from __future__ import annotations


class EntryError(ValueError):
    """Something cannot be accepted; the message says what and, in a file, where."""
