"""Members, visits and loans."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

REASONS = ("loan", "return", "evening", "course")


@dataclass(frozen=True)
class Member:
    id: int
    name: str
    joined: date


@dataclass(frozen=True)
class Visit:
    """Somebody came through the door; ``reason``: one of ``REASONS``."""

    member: int
    day: date
    reason: str


@dataclass(frozen=True)
class Loan:
    """A tool that went out; ``back``: None as long as it has not come back."""

    member: int
    tool: str
    out: date
    back: date | None = None
