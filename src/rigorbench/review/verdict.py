"""The verdict on a session: one sentence made from its review, and nothing that the review does not say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from ..evidence.events import (
    AnyEvent,
    BuildEvent,
    ClaimEvent,
    EditEvent,
    EpisodeEvent,
    LintEvent,
    ReproductionEvent,
    TestRunEvent,
)
from .catalogue import all_checks
from .grades import NOTHING_PROVEN
from .reader.reading import Reading
from .review import Fired, Review

Tone = Literal["bad", "weak", "fair", "good", "unknown"]

_ORDER = ("flag", "weak", "note")
_LEVELS = ((88, "exemplary"), (63, "good"), (38, "average"), (13, "weak"))
_TONES: dict[str, Tone] = {"exemplary": "good", "good": "good", "average": "fair"}
# The flags and weaknesses that say most, the worst first.
_WORST = ("R-bent-tests", "V-ended-on-red", "H-claim-contradicted", "I-prohibited")
# How the session ended, where the agent did not end it.
_ENDED = {
    "limit": "A limit ended the session",
    "error": "An error ended the session",
    "interrupted": "The session was interrupted",
    "cut": "The log is cut off",
    "open": "The log ends in a call of a tool",
}


class ReviewVerdict(Struct, frozen=True):
    """``sentence``: the flags, then the reader's verdict; without a reading, what the agent did wrong by the rules, and
    what is known of how the change was checked; and who ended the session if not the agent.

    ``tone``: "bad" with a flag; else that of the reader's overall grade. Rules praise nothing: without a reading it is
    "weak" with a weak check, "unknown" where nothing is known of how the change was checked, and "fair" otherwise. A
    session that the agent did not end is never "good".
    """

    tone: Tone
    sentence: str


def verdict(review: Review) -> ReviewVerdict:
    """The verdict on a session."""
    said = _unread(review) if review.reading is None else _read(review, review.reading)
    if review.ended not in _ENDED:
        return said
    return ReviewVerdict("fair" if said.tone == "good" else said.tone, f"{said.sentence} {_ENDED[review.ended]}.")


def _read(review: Review, reading: Reading) -> ReviewVerdict:
    """A flag stands before whatever the reader says: a reader may be flattered."""
    flags = [c for c in ranked_checks(review) if c.severity == "flag"]
    words = [_warning(review, flags)] if flags else []
    sentence = " ".join([*words, _sentence(reading.verdict if reading.verdict.strip() else review.reason)])
    if flags or any(a.standing != "note" for a in reading.accusations):
        return ReviewVerdict("bad", sentence)
    value = review.overall
    return ReviewVerdict("unknown" if value is None else _TONES.get(level(value), "weak"), sentence)


def _unread(review: Review) -> ReviewVerdict:
    """The worst flags; else the worst weak checks; else the notes; and what is known of how the change was checked."""
    ranked = ranked_checks(review)
    flags, weak, notes = ([c for c in ranked if c.severity == s] for s in _ORDER)
    if flags:
        return ReviewVerdict("bad", _warning(review, flags))
    grade = review.grades["verification"]
    known = grade.status in ("unread", "not_applicable") and grade.reason != NOTHING_PROVEN
    tone: Tone = "weak" if weak else "fair" if known else "unknown"
    facts = [grade.reason] if known else []
    recovery = review.grades["recovery"]
    if grade.status == recovery.status == "unread" and recovery.reason != NOTHING_PROVEN:
        facts.append(recovery.reason)
    why = f": {review.reason}" if unknown(review) else ""
    tested = "; ".join(facts) or f"whether the change was checked is for a reader{why}"
    if any(c.id in ("V-final-check", "V-ended-on-red") for c in weak):
        tested = "test the change before you rely on it"
    if weak or notes:
        return ReviewVerdict("unknown" if unknown(review) else tone, f"The agent {_deeds(weak or notes)}; {tested}.")
    if unknown(review):
        return ReviewVerdict("unknown", f"The rules say nothing of this session: {review.reason}.")
    return ReviewVerdict(tone, _sentence(tested))


def _warning(review: Review, flags: Sequence[Fired]) -> str:
    changed = review.grades["verification"].status != "not_applicable"
    check = "check the change yourself before you trust it" if changed else "check what it says yourself"
    return f"The agent {_deeds(flags)}: {check}."


def _sentence(words: str) -> str:
    words = words.strip()
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def unknown(review: Review) -> bool:
    """Whether the log cannot be read as a session."""
    return all(grade.status == "unscorable" for grade in review.grades.values())


def ranked_checks(review: Review) -> list[Fired]:
    """Flags, weak checks and notes, those that say most first. Verification goes before the others, since the trust in
    the change hangs on it; then the order is that of the log."""

    def rank(fired: Fired) -> tuple[int, int, bool]:
        worst = _WORST.index(fired.id) if fired.id in _WORST else len(_WORST)
        return _ORDER.index(fired.severity), worst, fired.pillar != "verification"

    return sorted((c for c in review.checks if c.severity in _ORDER), key=rank)


def level(value: int) -> str:
    """A grade in a word: that of the nearest anchor of the scale."""
    return next((word for least, word in _LEVELS if value >= least), "very poor")


def _deeds(ranked: Sequence[Fired]) -> str:
    """What the agent did, at most two of it, of different pillars."""
    first = ranked[0]
    second = next((c for c in ranked if c.pillar != first.pillar), None)
    return " and ".join(did(c.id) for c in (first, second) if c is not None)


def did(id: str) -> str:
    """What the agent did where a check fires, in words that follow "The agent"."""
    check = all_checks().get(id)
    return f"did what {id} looks for" if check is None else check.did


# Where nothing passed after the last edit, these say it of a part: of the new behaviour, of a check that is named.
# Where a check still fails, that is why nothing passed.
_COVERED = {"V-untested-change": "V-final-check", "V-final-check": "V-ended-on-red"}


class Cause(Struct):
    """Occurrences of one cause, the one that costs most first; its advice is that of them all."""

    seen: list[Fired]

    @property
    def first(self) -> Fired:
        return self.seen[0]

    @property
    def ids(self) -> list[str]:
        """The checks, each once."""
        return list(dict.fromkeys(c.id for c in self.seen))


def causes(review: Review, events: Sequence[AnyEvent]) -> list[Cause]:
    """What speaks against a session, those findings first that cost most.

    Two checks have one cause if they rest on the same failed run or claim, on runs of the same error episode, or on the
    same edit of a test. A run that passed, a commit and an edit of other code do not join them: they only say where
    something is missing.
    """
    keys = _keys(events)
    found: list[tuple[set[str], Cause]] = []
    ranked = ranked_checks(review)
    names = {c.id for c in ranked}
    for fired in ranked:
        shared = {fired.id, *(key for e in fired.events for key in keys.get(e, ()))}
        if _COVERED.get(fired.id) in names:
            shared.add(_COVERED[fired.id])
        same = next((entry for entry in found if not entry[0].isdisjoint(shared)), None)
        if same is None:
            found.append((shared, Cause([fired])))
        else:
            same[0].update(shared)
            same[1].seen.append(fired)
    return [cause for _, cause in found]


def _keys(events: Sequence[AnyEvent]) -> dict[str, list[str]]:
    """By event: itself and the episodes that it is a check of; nothing for what joins no checks."""
    keys = {e.id: [e.id] for e in events if _joins(e)}
    for episode in events:
        if isinstance(episode, EpisodeEvent):
            for check in episode.checks:
                if check in keys:
                    keys[check].append(episode.id)
    return keys


def _joins(event: AnyEvent) -> bool:
    if isinstance(event, EditEvent):
        return event.role == "test"
    if isinstance(event, TestRunEvent | BuildEvent | LintEvent):
        return event.outcome != "passed"
    return isinstance(event, ClaimEvent | ReproductionEvent)
