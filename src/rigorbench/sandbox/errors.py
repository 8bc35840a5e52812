"""What can go wrong with a sandbox. Every message is one line and says what to do."""

from __future__ import annotations


class SandboxError(Exception):
    """A sandbox cannot be had, or does not do what it was asked to."""


class SandboxGoneError(SandboxError):
    """The sandbox has ended (it was stopped, or it exceeded a limit that ends it); the message says why."""


class UnknownUserError(SandboxError):
    """A command was to run as somebody whom the sandbox does not have: there is only ``agent``."""
