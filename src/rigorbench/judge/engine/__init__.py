"""Judging: builds, cells, test points, checkers, groups, verdicts."""

from .judge import Judge, JudgeObserver
from .resources import JudgeSettings

__all__ = ["Judge", "JudgeObserver", "JudgeSettings"]
