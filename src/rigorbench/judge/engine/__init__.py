"""Judging: builds, cells, test points, checkers, groups, verdicts."""

from .judge import Judge
from .resources import JudgeSettings

__all__ = ["Judge", "JudgeSettings"]
