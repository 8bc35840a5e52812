"""Judging: builds, cells, test points, checkers, groups, verdicts."""

from .judge import Judge, Observer
from .resources import Settings

__all__ = ["Judge", "Observer", "Settings"]
