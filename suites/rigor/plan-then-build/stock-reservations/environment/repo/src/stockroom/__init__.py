"""The stock of a small workshop."""

from .model import Item, Movement, Stock, StockError
from .service import Stockroom
from .store import load, save

__all__ = ["Item", "Movement", "Stock", "StockError", "Stockroom", "load", "save"]
