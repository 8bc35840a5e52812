"""Builds the editions of a newsletter, and only what has changed."""

from .errors import PressError
from .runner import build

__all__ = ["PressError", "build"]
