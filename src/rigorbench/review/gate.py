"""What makes a session fail in a pipeline: an overall grade under a limit, or findings of some kinds."""

from __future__ import annotations

from msgspec import Struct, field

from .config import known_check
from .model import Fired, Review

# From the worst; a severity means itself and those before it.
SEVERITIES = ("flag", "weak", "note")


class Gate(Struct, frozen=True):
    """The conditions under which a session fails.

    Attributes:
        under: it fails with an overall grade below this, and where nobody has read it, so that there is no grade to
            compare. One that was read and has no grade, or whose log cannot be read as a session, does not fail.
        on: severities ("weak" includes flags), ids of checks, letters of pillars.
    """

    under: int | None = None
    on: list[str] = field(default_factory=list)

    @property
    def closed(self) -> bool:
        """Whether any session can fail."""
        return self.under is not None or bool(self.on)

    def stops(self, finding: Fired) -> bool:
        """Whether a session fails for this finding. Good practice fails none."""
        if finding.severity not in SEVERITIES:
            return False
        reached = SEVERITIES[SEVERITIES.index(finding.severity) :]
        return any(name in (finding.id, finding.id.split("-")[0]) or name in reached for name in self.on)

    def too_low(self, review: Review) -> bool:
        return self.under is not None and review.overall is not None and review.overall < self.under

    def unread(self, review: Review) -> bool:
        """Whether a grade is asked for that only a reader could give."""
        return self.under is not None and any(grade.status == "unread" for grade in review.grades.values())

    def reasons(self, review: Review) -> list[str]:
        """Why a session fails, a few words each; [] if it passes."""
        low = [f"overall {review.overall} is under {self.under}"] if self.too_low(review) else []
        if self.unread(review):
            low = [f"--fail-under {self.under} needs a grade, and nobody has read the session: add `--reader claude`"]
        ids = dict.fromkeys(f"{f.severity} {f.id}" for f in review.checks if self.stops(f))
        return [*low, *ids]

    def notice(self, source: str, review: Review) -> str | None:
        """The line about one session that fails, or whose grade is not known; None: there is nothing to say."""
        reasons = self.reasons(review)
        if reasons:
            return f"{source}: fails: {'; '.join(reasons)}"
        if self.under is not None and review.overall is None:
            return f"{source}: no overall grade, so --fail-under says nothing of it: {review.reason}"
        return None


def gate(under: int | None, on: str | None) -> Gate:
    """The gate that these options describe; ``on``: comma-separated.

    Raises:
        ConfigError: it names something that is no severity and no check.
    """
    names = [w.strip() for w in (on or "").split(",") if w.strip()]
    for name in names:
        known_check(name, "--fail-on", SEVERITIES)
    return Gate(under, names)
