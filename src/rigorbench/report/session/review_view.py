"""The review of a session as people see it: verdict, facts or grades, flags, what to change; then every check."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from ...metrics.result import SessionReport
from ...reader.model import Fact, Reading
from ...review.causes import Finding, findings
from ...review.grades import NOTHING_PROVEN
from ...review.model import Fired, Grade, GradeStatus, Review
from ...review.verdict import did, level, verdict
from ..pages import slug
from ..text.words import graded, plural, tone
from .places import LISTED, Link, linked
from .proof import Proof, Proofs, place

# So many things to change: more are not kept in mind.
CHANGES = 3
# What a list of checks says of a severity, and its colour class: good practice has no colour of praise.
_TONES = {"flag": "fail", "weak": "talk", "note": "muted", "strength": "muted"}
_VALUES = {True: "yes", False: "no", None: "not shown"}
_STANDING = {"proven": "the log proves it", "agreed": "two of three readings say it", "note": "one reading says it"}
_PLACE = re.compile(r"(\d{1,9})(?:\.([1-9]\d{0,8}))?")


class GaugeView(Struct):
    """A grade as a gauge. ``tone``: its colour class, "none" without a value; ``word``: the value in a word."""

    name: str
    value: int | None
    text: str
    tone: str
    word: str
    reason: str
    places: list[Link]


class FlagView(Struct):
    """An accusation, with the words of the log that show it.

    Attributes:
        links: the check that accuses; of a reader's, the places that it names.
        quote: what the reader quotes.
        standing: what a reader's accusation rests on.
    """

    message: str
    links: list[Link]
    proofs: list[tuple[Proof, str | None]]
    quote: str = ""
    standing: str = ""


class ChangeView(Struct):
    """One thing to change: what the agent did, where, and the line that would have prevented it.

    Attributes:
        checks: those that found it, linked to all that they saw.
        message: what was seen first; empty where it is among the flags.
        more: how many occurrences there are besides.
    """

    deed: str
    flag: bool
    checks: list[Link]
    message: str
    place: str
    href: str | None
    more: int
    advice: str


class SeenView(Struct):
    """One occurrence of a check. ``href``: its first event in the page, or its step; None: neither is there."""

    message: str
    place: str
    href: str | None
    links: list[Link]


class CheckView(Struct):
    """A check and all its occurrences, in their order in the log."""

    id: str
    anchor: str
    severity: str
    tone: str
    advice: str | None
    seen: list[SeenView]


class ReadingView(Struct):
    """What a reader says: the grades, the overall one first; what one reading notes, and what the log decides
    otherwise; ``facts``: name, value, reason and places of each; ``left_out``: what did not stand the check."""

    by: str
    gauges: list[GaugeView]
    notes: list[FlagView]
    overruled: list[FlagView]
    facts: list[tuple[str, str, str, list[Link]]]
    advice: list[str]
    left_out: str


class ReviewView(Struct):
    """The review. ``facts``: what is known of each pillar where nobody read the session; ``accused``: each flag with
    its proof; ``flags``, ``problems`` (weak checks, then notes) and ``strengths`` have every check that fired."""

    tone: str
    verdict: str
    reason: str
    facts: list[tuple[str, str]]
    reading: ReadingView | None
    accused: list[FlagView]
    changes: list[ChangeView]
    size: str | None
    flags: list[CheckView]
    problems: list[CheckView]
    strengths: list[CheckView]

    @property
    def grade(self) -> str:
        """The overall grade for the title; "" without one."""
        return self.reading.gauges[0].text if self.reading is not None else ""

    @property
    def ground(self) -> str:
        """Who read the session, or what grades need."""
        return self.reason if self.reading is None else self.reading.by

    def lines(self) -> list[str]:
        """What there is beside the findings of checks, for documents of text: facts, or what the reader says."""
        if self.reading is None:
            return [f"{name}: {words}" for name, words in self.facts]
        said = [f"{g.name}: {g.text}: {g.reason}" for g in self.reading.gauges]
        said += [f.message for f in self.reading.overruled]
        said += [f"{f.message} ({f.standing})" for f in (*self.accused, *self.reading.notes) if f.standing]
        return said + [f"the reader advises: {line}" for line in self.reading.advice]


class Anchors(Struct):
    """Where things are in the page: the anchors of events, and those of its rows."""

    events: Mapping[str, str]
    rows: Collection[str]

    def step(self, step: int | None) -> str | None:
        """The first row of a step; None: the page does not have it."""
        return row if step is not None and (row := f"s{step}") in self.rows else None

    def places(self, named: Iterable[str]) -> list[Link]:
        """Links to the places that a reader names: "12" is a step, "12.3" the third call of it."""
        found = []
        for name in named:
            match = _PLACE.fullmatch(name)
            step, call = match.groups() if match else ("", None)
            rows = [f"s{step}-{int(call) - 1}"] if call else []
            found.append(Link(name, next((r for r in (*rows, f"s{step}") if r in self.rows), None)))
        return found

    def proofs(self, found: Sequence[Proof]) -> list[tuple[Proof, str | None]]:
        return [(proof, self.events.get(proof.event)) for proof in found]


def review_view(review: Review, report: SessionReport, anchors: Anchors) -> ReviewView:
    """The view of a review."""
    said = verdict(review)
    proofs = Proofs(report)
    found: dict[str, list[Fired]] = {}
    for fired in review.checks:
        found.setdefault(fired.id, []).append(fired)
    checks = [_check(group, anchors) for group in found.values()]
    accused = [
        FlagView(c.message, [Link(c.id, check_anchor(c.id))], anchors.proofs(proofs.of(c.events)))
        for c in review.checks
        if c.severity == "flag"
    ]
    return ReviewView(
        said.tone,
        said.sentence,
        review.reason,
        [] if review.reading is not None else _facts(review),
        None if review.reading is None else _reading(review, review.reading, proofs, anchors),
        accused + _accusations(review, proofs, anchors, notes=False),
        [_change(f, anchors) for f in findings(review, report.events)[:CHANGES]],
        review.size,
        [c for c in checks if c.severity == "flag"],
        [c for severity in ("weak", "note") for c in checks if c.severity == severity],
        [c for c in checks if c.severity == "strength"],
    )


def check_anchor(name: str) -> str:
    """The place of a check in the page."""
    return f"c-{slug(name)}"


def _facts(review: Review) -> list[tuple[str, str]]:
    """What is known of each pillar, in words; what could not be read at all is said once, by the review's reason."""
    known = [(n, g) for n, g in review.grades.items() if g.status != "unscorable" and g.reason != NOTHING_PROVEN]
    return [(name, grade.reason) for name, grade in known]


def _reading(review: Review, reading: Reading, proofs: Proofs, anchors: Anchors) -> ReadingView:
    mark = reading.grades.get("overall")
    status: GradeStatus = "not_applicable" if review.overall is None else "scored"
    overall = Grade(review.overall, status, review.reason, [] if mark is None else mark.at)
    several = "" if reading.readings == 1 else f", {reading.readings} readings"
    return ReadingView(
        f"Read by {reading.reader}{several}; {reading.checked or 'not checked'}",
        [_gauge(name, grade, anchors) for name, grade in {"overall": overall, **review.grades}.items()],
        _accusations(review, proofs, anchors, notes=True),
        [_overruled(n, f, proofs, anchors) for n, f in reading.facts.items() if f.overruled_by],
        [(_words(n), _VALUES[f.value], f.why, anchors.places(f.at)) for n, f in reading.facts.items()],
        reading.advice,
        _left_out(reading),
    )


def _overruled(name: str, fact: Fact, proofs: Proofs, anchors: Anchors) -> FlagView:
    """A fact that the log decides otherwise than the reader, in a sentence that says both."""
    why = f" ({fact.why.rstrip('.')})" if fact.why else ""
    said = f"{_words(name)}: the reader says {_VALUES[fact.value]}{why}; the log shows otherwise"
    return FlagView(said, anchors.places(fact.at), anchors.proofs(proofs.of(fact.overruled_by)))


def _words(fact: str) -> str:
    return fact.replace("_", " ")


def _left_out(reading: Reading) -> str:
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


def _gauge(name: str, grade: Grade, anchors: Anchors) -> GaugeView:
    value, text, places = grade.value, graded(grade.value, grade.status), anchors.places(grade.steps)
    if value is None:
        return GaugeView(name, None, text, "none", "does not apply", grade.reason, places)
    return GaugeView(name, value, text, tone(value), level(value), grade.reason, places)


def _accusations(review: Review, proofs: Proofs, anchors: Anchors, *, notes: bool) -> list[FlagView]:
    """What the reader accuses the session of: what is proven or agreed and no flag shows; or what one reading notes."""
    known = {e for c in review.checks if c.severity == "flag" for e in c.events}
    found = []
    for a in [] if review.reading is None else review.reading.accusations:
        if (a.standing == "note") is notes and not known.intersection(a.shown_by):
            standing = f"{_words(a.fact)}, {_STANDING[a.standing]}" if a.fact else _STANDING[a.standing]
            shown = anchors.proofs(proofs.of(a.shown_by))
            found.append(FlagView(a.what, anchors.places(a.at), shown, a.quote, standing))
    return found


def _change(finding: Finding, anchors: Anchors) -> ChangeView:
    first, deed = finding.first, did(finding.first.id)
    flag = first.severity == "flag"
    return ChangeView(
        deed[0].upper() + deed[1:],
        flag,
        [Link(id, check_anchor(id)) for id in finding.ids],
        "" if flag else first.message,
        place(first.step, first.source),
        anchors.step(first.step),
        sum(c.id == first.id for c in finding.seen) - 1,
        first.advice or "",
    )


def _check(group: Sequence[Fired], anchors: Anchors) -> CheckView:
    first = group[0]
    seen = []
    for fired in group[:LISTED]:
        links = linked(fired.events, anchors.events)
        seen.append(SeenView(fired.message, place(fired.step, fired.source), anchors.step(fired.step), links))
    if len(group) > LISTED:
        seen.append(SeenView(f"And {len(group) - LISTED:,} more like these.", "", None, []))
    return CheckView(first.id, check_anchor(first.id), first.severity, _TONES[first.severity], first.advice, seen)
