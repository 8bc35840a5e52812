"""What can go wrong."""


class RegattaError(ValueError):
    """A race cannot be read; the message names the file and says why."""


class UnknownRace(RegattaError):
    """There is no race with this id."""
