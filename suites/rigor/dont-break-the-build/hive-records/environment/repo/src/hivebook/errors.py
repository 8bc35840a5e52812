"""What can go wrong."""


class HiveError(Exception):
    """The book is damaged, or something is asked of it that cannot be; the message says what."""
