"""What can go wrong."""


class TrackError(Exception):
    """A track cannot be used; the message says why."""
