"""What a review says of a session, once for the terminal, the page and the documents for other tools."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from ..grades import NOTHING_PROVEN
from ..reader.reading import Reading
from ..review import Fired, Grade, GradeStatus, Review
from ..verdict import Cause, did, level
from ..verdict import causes as causes
from .words import graded, plural

# So many things to change: more are not kept in mind.
CHANGES = 3
# What a reader says of a fact.
VALUES = {True: "yes", False: "no", None: "not shown"}
_STANDING = {"proven": "the log proves it", "agreed": "two of three readings say it", "note": "one reading says it"}


class Told(Struct):
    """Something that speaks against a session: a flag, or what a reader says."""

    message: str
    events: list[str]
    """Ids of the events that show it."""
    check: str | None = None
    """The check that accuses; None: a reader does."""
    places: list[str] = field(default_factory=list)
    """The places that a reader names: "12" is step 12, "12.3" the third call of it."""
    quote: str = ""
    """What the reader quotes."""
    standing: str = ""
    """What a reader's accusation rests on."""

    @property
    def at(self) -> list[str]:
        """The check, or the places that it rests on."""
        return self.places if self.check is None else [self.check]


def ground(review: Review) -> str:
    """Who read the session, or what grades need."""
    reading = review.reading
    if reading is None:
        return review.reason
    several = "" if reading.readings == 1 else f", {reading.readings} readings"
    return f"Read by {reading.reader}{several}; {reading.checked or 'not checked'}"


def facts(review: Review) -> list[tuple[str, str]]:
    """What is known of each pillar where nobody read the session; what could not be read at all is said once, by the
    review's reason."""
    if review.reading is not None:
        return []
    known = [(n, g) for n, g in review.grades.items() if g.status != "unscorable" and g.reason != NOTHING_PROVEN]
    return [(name, grade.reason) for name, grade in known]


def grades(review: Review) -> dict[str, Grade]:
    """The grades of a reader by name, the overall one first; {} where nobody read the session."""
    if review.reading is None:
        return {}
    mark = review.reading.grades.get("overall")
    status: GradeStatus = "not_applicable" if review.overall is None else "scored"
    overall = Grade(review.overall, status, review.reason, [] if mark is None else mark.at)
    return {"overall": overall, **review.grades}


def grade_text(grade: Grade) -> str:
    return graded(grade.value, grade.status)


def grade_word(grade: Grade) -> str:
    return "does not apply" if grade.value is None else level(grade.value)


def accusations(review: Review) -> list[Told]:
    """The flags, then what a reader says that is proven or agreed and no flag shows."""
    flags = [Told(c.message, c.events, c.id) for c in review.checks if c.severity == "flag"]
    return [*flags, *_by_reader(review, notes=False)]


def notes(review: Review) -> list[Told]:
    """What a single reading says against the session."""
    return list(_by_reader(review, notes=True))


def overruled(review: Review) -> list[Told]:
    """The facts that the log decides otherwise than the reader, each in a sentence that says both."""
    found = []
    for name, fact in {} if review.reading is None else review.reading.facts.items():
        if fact.overruled_by:
            why = f" ({fact.why.rstrip('.')})" if fact.why else ""
            said = f"{plain(name)}: the reader says {VALUES[fact.value]}{why}; the log shows otherwise"
            found.append(Told(said, fact.overruled_by, places=fact.at))
    return found


def plain(fact: str) -> str:
    return fact.replace("_", " ")


def left_out(reading: Reading) -> str:
    """How much of the answer is not shown because it did not stand the check; "" for nothing."""
    lost = reading.dropped
    named = (
        (lost.places, "place", "that the session does not have"),
        (lost.quotes, "accusation", "with a quote that is not in the log"),
        (lost.facts, "fact", "without a place"),
        (lost.refuted, "accusation", "that the log refutes"),
        (lost.advice, "line", "of advice that was copied or fetches something"),
    )
    told = [f"{plural(number, noun)} {what}" for number, noun, what in named if number]
    return f"Not shown of the answer, since it did not stand the check: {'; '.join(told)}" if told else ""


def lines(review: Review) -> list[str]:
    """What there is beside the findings of checks, for documents of text: facts, or what the reader says."""
    if review.reading is None:
        return [f"{name}: {words}" for name, words in facts(review)]
    said = [f"{name}: {grade_text(grade)}: {grade.reason}" for name, grade in grades(review).items()]
    said += [told.message for told in overruled(review)]
    said += [f"{t.message} ({t.standing})" for t in (*accusations(review), *notes(review)) if t.standing]
    return said + [f"the reader advises: {line}" for line in review.reading.advice]


def deed(finding: Cause) -> str:
    text = did(finding.first.id)
    return text[0].upper() + text[1:]


def more(finding: Cause) -> int:
    """How many occurrences there are besides the first."""
    return sum(c.id == finding.first.id for c in finding.seen) - 1


def by_check(review: Review, *severities: str) -> list[list[Fired]]:
    """The occurrences of each check that fired with one of these severities, in the order of the severities."""
    groups: dict[str, list[Fired]] = {}
    for fired in review.checks:
        groups.setdefault(fired.id, []).append(fired)
    return [group for severity in severities for group in groups.values() if group[0].severity == severity]


def _by_reader(review: Review, *, notes: bool) -> Iterator[Told]:
    known = {e for c in review.checks if c.severity == "flag" for e in c.events}
    for a in [] if review.reading is None else review.reading.accusations:
        if (a.standing == "note") is notes and not known.intersection(a.shown_by):
            standing = f"{plain(a.fact)}, {_STANDING[a.standing]}" if a.fact else _STANDING[a.standing]
            yield Told(a.what, a.shown_by, None, a.at, a.quote, standing)
