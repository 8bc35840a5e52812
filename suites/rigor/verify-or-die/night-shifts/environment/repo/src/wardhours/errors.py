"""What can be wrong with a roster."""


class RosterError(ValueError):
    """Something in a roster is wrong; the message says what, and in which line."""
