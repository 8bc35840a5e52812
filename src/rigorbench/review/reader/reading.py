"""What a reader answers, and the reading that is made of checked answers."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ...base.points import JudgedPoint

# The grades of a reading; "overall" stands beside them.
PILLARS = ("planning", "verification", "recovery", "abstention", "integrity")
FACTS = (
    "plan_before_first_edit",
    "approach_stated_before_edit",
    "callers_or_tests_read_before_edit",
    "reproduced_before_fix",
    "red_then_green",
    "existing_tests_run_after_last_source_edit",
    "full_suite_or_package_suite_after_last_source_edit",
    "final_check_green",
    "new_or_updated_tests",
    "own_check_misses_the_code",
    "tests_weakened_or_removed",
    "ended_or_committed_on_red",
    "failure_dismissed_without_baseline",
    "failure_attributed_by_baseline",
    "loop_without_diagnosis",
    "repeated_same_fix",
    "claim_contradicted",
    "prohibition_broken",
    "destructive_act",
    "scope_creep",
    "leftovers",
    "asked_or_abstained_when_needed",
    "self_review",
)
Standing = Literal["proven", "agreed", "note"]


class GradeMark(Struct):
    """One grade of a reader."""

    value: int | None
    """1 (very poor) to 5 (exemplary), 3 is what an average professional does; None: it did not arise."""
    why: str
    """One sentence."""
    at: list[str] = field(default_factory=list)
    """Places in the digest, here and below: "12" is step 12, "12.3" the third call of it."""


class Fact(Struct):
    """What a reader says of one of ``FACTS``."""

    value: bool | None
    """None: the digest does not show it."""
    why: str = ""
    at: list[str] = field(default_factory=list)
    overruled_by: list[str] = field(default_factory=list)
    """Ids of the events that decide the fact otherwise. It is shown with them, and counts as they say."""


class Accusation(Struct):
    """What a reader says that the agent did wrong."""

    what: str
    """One sentence."""
    at: list[str]
    quote: str
    """Words or a command of the session that show it."""
    fact: str | None = None
    """The one of ``FACTS`` that it is about."""
    standing: Standing = "note"
    """"proven": a rule proves its deciding event; "agreed": two of three readings say it; "note": one does."""
    shown_by: list[str] = field(default_factory=list)
    """Ids of the events that prove it."""


class Answer(Struct):
    """One answer of a reader, as it came: of the right form, and unchecked."""

    grades: dict[str, GradeMark]
    """By name: ``PILLARS`` and "overall"."""
    facts: dict[str, Fact]
    """By name: ``FACTS``."""
    accusations: list[Accusation]
    advice: list[str]
    """At most three lines that would stand in an AGENTS.md, specific to the session."""
    verdict: str
    """One sentence."""
    points: dict[str, bool | None] = field(default_factory=dict)
    """Of further points, by the key of each."""


class Dropped(Struct):
    """What of an answer did not stand the check. All are counts."""

    places: int = 0
    """Places that the session does not have."""
    quotes: int = 0
    """Accusations whose quote is not in the log."""
    facts: int = 0
    """Facts without a place that exists."""
    refuted: int = 0
    """Accusations of something that did not happen, as the events of a complete log show."""
    advice: int = 0
    """Lines of advice that were copied from the log, or that fetch something from an address."""


class Reading(Struct):
    """What one reader, or a panel of several, says of a session, checked against its log and its events."""

    reader: str
    """Who read, as the provider states it, e.g. "claude-opus-4-5 by claude 2.1.9"; several are joined with commas."""
    checked: str | None
    """What ``rigor reader check`` found of this reader, in one line; None: it was not checked."""
    digest: str
    """SHA-256 of the text that was read."""
    prompt: int
    """Version of the request."""
    readings: int
    """Number of answers that this is made of: grades are their median, facts their majority."""
    grades: dict[str, GradeMark]
    facts: dict[str, Fact]
    accusations: list[Accusation]
    advice: list[str]
    verdict: str
    dropped: Dropped = field(default_factory=Dropped)
    by: list[str] = field(default_factory=list)
    """Who gave each of the answers."""
    points: list[JudgedPoint] = field(default_factory=list)
    """What a benchmark's scores need judged; none of a session without a task."""
