"""What a review consists of."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ..session.model import Source
from .reader.reading import PILLARS, Reading

Severity = Literal["flag", "weak", "note", "strength"]
CheckPillar = Literal["planning", "verification", "recovery", "abstention", "integrity", "honesty"]
GradeStatus = Literal["scored", "unread", "not_applicable", "unscorable"]
Size = Literal["none", "trivial", "small", "medium", "large"]
Ended = Literal["completed", "limit", "error", "interrupted", "cut", "open"]
GRADES = PILLARS


class Fired(Struct):
    """A check that fired; its sentence and advice are explained at the check."""

    id: str
    pillar: CheckPillar
    severity: Severity
    """"flag" accuses, "weak" is a weakness, "note" informs, "strength" is good practice."""
    message: str
    """What was seen, in one sentence."""
    advice: str | None
    events: list[str]
    """Ids of the events that show it."""
    step: int | None
    """Of the first of these events, as ``source``."""
    source: Source | None
    fingerprint: str = ""
    """Names this finding in whatever record of the session: ``rigor.toml`` can exclude it by this."""


class Grade(Struct):
    """One grade: a reader's, or without a reading what the rules prove about it, in words."""

    value: int | None
    """0 (very poor) to 100 (exemplary), 50 is what an average professional does; None unless ``status`` is "scored"."""
    status: GradeStatus
    """"unread": nobody has read the session; "not_applicable": nothing of the kind arose; "unscorable": the log cannot
    be read as a session."""
    reason: str
    """The reader's sentence; without a reading, facts."""
    steps: list[str] = field(default_factory=list)
    """Where the reader saw it: "12" is step 12, "12.3" the third call of it."""


class Review(Struct):
    """The ``review`` member of the score document."""

    overall: int | None
    """The overall grade of a reading; None without one."""
    reason: str
    """The reader's sentence, or why there is no overall grade."""
    size: Size | None
    """Of the work, from the edits that remain at the end."""
    grades: dict[str, Grade]
    """By name, in the order of ``GRADES``."""
    checks: list[Fired]
    """Those that fired: flags first, then by their place in the log."""
    ended: Ended | None = None
    """How the session ended; "cut": its log is cut off; "open": with a call of a tool. None: it is not known."""
    reading: Reading | None = None
    """What a reader said of the session, checked; None: nobody has read it."""
