"""What can go wrong."""


class CodeError(ValueError):
    """A code or a parcel cannot be used; the message says why."""
