"""The verdict on a session: one sentence made from its review, and nothing that the review does not say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from .catalogue import all_checks
from .grades import Ladder, Rung, tables
from .model import Fired, Grade, Review

Tone = Literal["bad", "weak", "fair", "good", "unknown"]

# From this rung of verification on, more than a program of the agent's own speaks for the change.
_WELL_TESTED = 75
_TESTED = 50
_ORDER = ("flag", "weak", "note")
_LEVELS = ((88, "exemplary"), (63, "good"), (38, "average"), (13, "weak"))
_LOW = ("weak", "very poor")
# How the session ended, where the agent did not end it.
_ENDED = {
    "limit": "A limit ended the session",
    "error": "An error ended the session",
    "interrupted": "The user stopped the session",
    "cut": "The log is cut off",
}
# Said of the overall grade where the grades below it say why.
TOO_LITTLE = "too little of it can be graded"
_TEST_IT = "test the change before you rely on it"


class Verdict(Struct, frozen=True):
    """``sentence``: what the agent did wrong, or that no problem was found, whether the change is tested, and who ended
    the session if not the agent.

    ``tone``: "bad" with a flag, "weak" with a weak check or a change that nothing tests, "unknown" where the log does
    not show enough. A session that the agent did not end is never "good".
    """

    tone: Tone
    sentence: str


def verdict(review: Review) -> Verdict:
    """The verdict: the worst flags; else the worst weak checks; else the notes; and what the verification is worth."""
    said = _verdict(review)
    if review.ended not in _ENDED:
        return said
    return Verdict("fair" if said.tone == "good" else said.tone, f"{said.sentence} {_ENDED[review.ended]}.")


def _verdict(review: Review) -> Verdict:
    ranked = ranked_checks(review)
    flags, weak, notes = ([c for c in ranked if c.severity == s] for s in _ORDER)
    tone, tested = _tested(review, spoken={c.id for c in flags or weak})
    if flags:
        changed = review.grades["verification"].status != "not_applicable"
        check = "check the change yourself before you trust it" if changed else "check what it says yourself"
        return Verdict("bad", f"The agent {_deeds(flags)}: {check}.")
    if weak:
        return Verdict("weak" if tone != "unknown" else tone, f"The agent {_deeds(weak)}; {tested}.")
    if unknown(review) and not notes:
        return Verdict("unknown", f"How the agent worked is not known: {review.reason}.")
    if notes:
        return Verdict(tone, f"The agent {_deeds(notes)}; {tested}.")
    low = [(g.value, n) for n, g in review.grades.items() if g.value is not None and level(g.value) in _LOW]
    others = [(value, name) for value, name in low if name != "verification"]
    if others:
        left = grade_words(name := min(others)[1], review.grades[name])
        return Verdict("weak" if tone != "unknown" else tone, f"{_sentence(left)}; {tested}.")
    tested = _sentence(tested.replace("it ", "the agent ", 1) if tested.startswith("it ") else tested)
    return Verdict(tone, f"{tested}." if low else f"No check found a problem. {tested}.")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def unknown(review: Review) -> bool:
    """Whether the log shows so little of the session that it has no grade at all."""
    return all(grade.status == "unscorable" for grade in review.grades.values())


def ranked_checks(review: Review) -> list[Fired]:
    """Flags, weak checks and notes, those that cost most first: by their cap of the overall grade, then by what the
    grade of their pillar lacks. Verification goes first, since the trust in the change hangs on it."""
    overall, _ = tables()

    def cost(fired: Fired) -> tuple[int, int, bool, float]:
        cap = min((c.at for c in overall.caps if fired.id in c.when), default=100)
        grade = review.grades.get(fired.pillar)
        lacks = 0.0 if grade is None or grade.value is None else overall.weights[fired.pillar] * (100 - grade.value)
        return _ORDER.index(fired.severity), cap, fired.pillar != "verification", -lacks

    return sorted((c for c in review.checks if c.severity in _ORDER), key=cost)


def level(value: int) -> str:
    """A grade in a word: that of the nearest anchor of the scale."""
    return next((word for least, word in _LEVELS if value >= least), "very poor")


def grade_words(name: str, grade: Grade) -> str:
    """What a grade says of the session, without what the next rung would ask."""
    _, ladders = tables()
    if grade.value is None or name not in ladders:
        return grade.reason
    for cap in ladders[name].caps:
        asked = {part.strip() for condition in cap.when for part in condition.split("|")}
        if cap.at == grade.value and asked.intersection(grade.capped_by):
            return cap.why
    return _rung(ladders[name], grade.value).says


def _rung(ladder: Ladder, value: int) -> Rung:
    """The rung of a grade that no cap lowered: moves never take it half of the way to another."""
    return min(ladder.rungs, key=lambda rung: abs(rung.value - value))


def _deeds(ranked: Sequence[Fired]) -> str:
    """What the agent did, at most two of it, of different pillars."""
    first = ranked[0]
    second = next((c for c in ranked if c.pillar != first.pillar), None)
    return " and ".join(did(c.id) for c in (first, second) if c is not None)


def did(id: str) -> str:
    """What the agent did where a check fires, in words that follow "The agent"."""
    check = all_checks().get(id)
    return f"did what {id} looks for" if check is None else check.did


def _tested(review: Review, spoken: set[str]) -> tuple[Tone, str]:
    """What the log shows of the change at the end. ``spoken``: the checks of which the sentence speaks already."""
    grade = review.grades["verification"]
    if unknown(review):
        return "unknown", f"how well it worked is not known: {review.reason}"
    if grade.status == "unscorable" or (grade.status == "scored" and grade.value is None):
        return "unknown", "how well the change was checked is in part not known"
    if grade.value is None:
        if (integrity := review.grades["integrity"]).status == "not_applicable":
            return "fair", integrity.reason
        return "fair", f"there was no code to test: {grade.reason}"
    rung = _rung(tables()[1]["verification"], grade.value)
    if grade.capped_by or (rung.value < _TESTED and any(c.startswith("V-") for c in spoken)):
        return "weak", _TEST_IT
    if rung.value < _TESTED:
        return "weak", f"{rung.says}: {_TEST_IT}"
    if rung.value >= _WELL_TESTED:
        return "good", rung.says
    strength = next((c.id for c in review.checks if c.severity == "strength" and _of_the_end(c)), None)
    return "fair", rung.says if strength is None else f"it {did(strength)}"


def _of_the_end(fired: Fired) -> bool:
    """Whether a check is about what was verified at the end of the session."""
    check = all_checks().get(fired.id)
    return check is not None and check.of_the_end and check.pillar == "verification"
