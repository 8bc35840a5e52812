"""A spool of records on disk."""

from .errors import SpoolError
from .prune import prune
from .reader import read_segment, read_spool
from .writer import Writer

__all__ = ["SpoolError", "Writer", "prune", "read_segment", "read_spool"]
