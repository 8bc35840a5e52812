"""What can go wrong."""


class SpoolError(Exception):
    """A spool cannot be read or written; the message says where and why."""
