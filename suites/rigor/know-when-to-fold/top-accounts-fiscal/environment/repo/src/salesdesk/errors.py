"""What can be wrong with an export."""


class BookError(ValueError):
    """The export, or what is asked of it, makes no sense; the message says where and why."""
