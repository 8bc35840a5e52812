"""A bee keeper's book: colonies, inspections and harvests."""

from .errors import HiveError
from .storage import load, save

__all__ = ["HiveError", "load", "save"]
