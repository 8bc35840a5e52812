"""What can fail in a sandbox. Every message is one line with the remedy."""

from __future__ import annotations


class SandboxError(Exception):
    """A sandbox cannot be started here, or fails."""


class SandboxGoneError(SandboxError):
    """The sandbox has ended (it was stopped, or it exceeded a limit that ends it). The message gives the reason."""


class UnknownUserError(SandboxError):
    """A command was to run as another user than ``agent``, the only one of a sandbox."""
