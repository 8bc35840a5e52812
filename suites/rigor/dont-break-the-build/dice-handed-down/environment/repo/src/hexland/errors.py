"""What can go wrong."""


class WorldError(ValueError):
    """A land cannot be made as asked for; the message says why."""
