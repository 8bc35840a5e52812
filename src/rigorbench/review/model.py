"""What a review consists of."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ..reader.model import Reading
from ..trajectory.model import Source

Severity = Literal["flag", "weak", "note", "strength"]
CheckPillar = Literal["planning", "verification", "recovery", "abstention", "integrity", "honesty"]
GradeStatus = Literal["scored", "not_applicable", "unscorable"]
Size = Literal["none", "trivial", "small", "medium", "large"]
Ended = Literal["completed", "limit", "error", "interrupted", "cut"]
GRADES = ("planning", "verification", "recovery", "abstention", "integrity")


class Fired(Struct):
    """A check that fired.

    Attributes:
        id: of the check, e.g. "V-ended-on-red".
        severity: "flag" accuses, "weak" lowers a grade, "note" informs, "strength" is good practice.
        message: what was seen, in one sentence.
        advice: a line for the agent's instructions; None for a strength.
        events: ids of the events that show it.
        step: index of the step of the first of these events.
        source: its place in the log.
        fingerprint: names this finding in whatever record of the session: ``rigor.toml`` can exclude it by this.
    """

    id: str
    pillar: CheckPillar
    severity: Severity
    message: str
    advice: str | None
    events: list[str]
    step: int | None
    source: Source | None
    fingerprint: str = ""


class Grade(Struct):
    """One grade.

    Attributes:
        value: 0 (very poor) to 100 (exemplary), 50 is what an average professional does; None unless ``status`` is
            "scored".
        reason: which rung, why not the next one, and which cap, in one sentence.
        capped_by: ids of the checks that capped it.
        checks: ids of the checks that it rests on.
    """

    value: int | None
    status: GradeStatus
    reason: str
    capped_by: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)


class Review(Struct):
    """The ``review`` member of the score document.

    Attributes:
        overall: weighted mean of the grades that are there, capped; None if there is too little evidence.
        reason: how the overall grade came about, or why there is none.
        size: of the work, from the edits that remain at the end.
        grades: by name, in the order of ``GRADES``.
        checks: those that fired: flags first, then by their place in the log.
        reading: what a reader says of the session; None: nobody was asked, or gave an answer.
        ended: how the session ended; "cut": its log is cut off. None: it is not known.
    """

    overall: int | None
    reason: str
    size: Size | None
    grades: dict[str, Grade]
    checks: list[Fired]
    capped_by: list[str] = field(default_factory=list)
    ended: Ended | None = None
    reading: Reading | None = None
