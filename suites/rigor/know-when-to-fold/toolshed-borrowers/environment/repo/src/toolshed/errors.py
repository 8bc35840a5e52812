"""What can go wrong."""


class ShedError(ValueError):
    """Something cannot be done or read; the message says what and why."""
