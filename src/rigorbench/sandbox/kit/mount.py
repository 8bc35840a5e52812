"""What a sandbox shows of the host."""

from __future__ import annotations

from msgspec import Struct


class Mount(Struct, frozen=True):
    """A file or directory of the host that is visible inside a sandbox.

    Attributes:
        source: Its path on the host.
        target: Its path inside; empty: the same as on the host.
        writable: Whether programs inside may change it.
    """

    source: str
    target: str = ""
    writable: bool = False

    @property
    def inside(self) -> str:
        """The path inside."""
        return self.target or self.source
