"""Counts the visitors that the gates of a museum have seen."""

from .errors import FootfallError
from .importer import import_logs
from .report import report
from .store import Store

__all__ = ["FootfallError", "Store", "import_logs", "report"]
