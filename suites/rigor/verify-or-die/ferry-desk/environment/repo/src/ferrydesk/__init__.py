"""Bookings of the car ferry."""

from .desk import Desk
from .errors import DeskError, Full, NotFound
from .listeners import Event
from .model import Booking, Manifest
from .store import FileStore, MemoryStore, Store

__all__ = ["Booking", "Desk", "DeskError", "Event", "FileStore", "Full", "Manifest", "MemoryStore", "NotFound", "Store"]
