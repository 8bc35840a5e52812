"""What can go wrong."""

from __future__ import annotations


class GaugeError(Exception):
    """The run is not possible; the message is one line that says why."""


class Reject(Exception):
    """A reading is not to go on. ``reason`` is one of the words in docs/format.md, ``detail`` is for people."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail
