"""What a sandbox shows of the host."""

from __future__ import annotations

from msgspec import Struct


class Mount(Struct, frozen=True):
    """A file or directory of the host that is visible inside a sandbox."""

    source: str
    target: str = ""
    """Its path inside; empty: the same as on the host."""
    writable: bool = False
    """Whether programs inside may change it."""

    @property
    def inside(self) -> str:
        """The path inside."""
        return self.target or self.source
