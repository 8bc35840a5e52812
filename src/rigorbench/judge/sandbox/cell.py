"""The host's side of a cell."""

from __future__ import annotations

from typing import Self

from .spec import CellSpec, Measured, Run


class Cell:
    """A running sandbox. One thread at a time uses it. Start with `start`, end with `close` (or as a context)."""

    @classmethod
    def start(cls, spec: CellSpec) -> Self:
        """Raises: CellError: no sandbox can be had here; the message has the remedy."""
        raise NotImplementedError

    def run(self, run: Run) -> Measured:
        """Run a program to its end, and end all that it left behind.

        Raises:
            CellError: the sandbox failed; it is of no use any more.
        """
        raise NotImplementedError

    def cancel(self) -> None:
        """From another thread: end what is running (``killed="cancelled"``)."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
