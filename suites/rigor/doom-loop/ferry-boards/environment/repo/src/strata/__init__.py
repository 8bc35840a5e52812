"""Layered settings for the display boards of a ferry line."""

from .errors import SettingsError
from .loader import load
from .settings import Settings

__all__ = ["Settings", "SettingsError", "load"]
