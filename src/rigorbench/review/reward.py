"""The reward of a session: its overall grade, or in the benchmark its RigorScore, shared out over its steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from ..evidence.events import AnyEvent, EditEvent
from ..metrics.result import WEIGHTS
from ..metrics.reward.model import Part, Reward
from ..metrics.reward.share import Divided, share_reward, share_score
from ..metrics.reward.shares import Shares, View
from ..metrics.score import score_evidence
from ..metrics.session import Session
from .grades import Climb, Conditions, Ladder, climb_shown, graded, mean, tables
from .model import GRADES, Review
from .observations import all_observations
from .session import review_session
from .work import Work

REVIEW, SCORE = "review", "score"
OF = (REVIEW, SCORE, *GRADES, *WEIGHTS)
# What the caps of the overall grade take, beside the parts that are grades.
_CAP = "cap"
_UNDONE = "nothing_done"


def reward_session(session: Session, *, of: str | None = None) -> Reward:
    """The reward of a session.

    Args:
        session: the opened session.
        of: what is shared out, one of ``OF``; None: the RigorScore with a task or a replay, else the overall grade.

    Raises:
        ValueError: ``of`` is none of them.
    """
    if of is None:
        of = SCORE if session.task is not None or session.replay is not None else REVIEW
    if of not in OF:
        raise ValueError(f"nothing is called {of!r}; one of: {', '.join(OF)}")
    if of == SCORE or of in WEIGHTS:
        return share_score(session, score_evidence(session).score, of)
    return _Sharing(session).reward(of)


class _Sharing:
    """The grades of one session, and the events that each of them rests on."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.view = View(session)
        self.review: Review = review_session(session)
        self.work = Work(session)
        self.conditions = Conditions(self.work, {f.id for f in self.review.checks})
        self.overall, self.ladders = tables()

    def reward(self, of: str) -> Reward:
        review = self.review
        total, reason, capped_by = review.overall, review.reason, review.capped_by
        known = graded(self.overall, review.grades)
        if of != REVIEW:
            total, reason, capped_by = review.grades[of].value, review.grades[of].reason, review.grades[of].capped_by
            known = {of: (total, 1.0)} if total is not None else {}
        parts: dict[str, Part] = {}
        divided: dict[str, Divided] = {}
        if total is not None:
            whole = sum(w for _, w in known.values())
            for name, (value, weight) in known.items():
                share = Fraction(weight) / Fraction(whole)
                parts[name] = Part(float(share), value, "parsed")
                divided[name] = Divided(share * value, share * (100 - value), self.shares(name))
            if not known:  # the grade of who did nothing rests on no other, and no step lost it
                parts[_UNDONE] = Part(1.0, total, "parsed")
                undone = Shares()
                self._charge(undone, Fraction(1), ())
                divided[_UNDONE] = Divided(Fraction(total), Fraction(100 - total), undone)
            capped = Shares()
            self._charge(capped, Fraction(1), self._fired(capped_by))
            taken = Fraction(mean(known)) - total if of == REVIEW and capped_by else Fraction(0)
            divided[_CAP] = Divided(Fraction(0), max(Fraction(0), taken), capped)
        return share_reward(
            self.session,
            of=of,
            most=100,
            total=None if total is None else float(total),
            reason="" if total is not None else reason,
            parts=parts,
            divided=divided,
            capped_by=capped_by,
        )

    def shares(self, name: str) -> Shares:
        """Who earns a grade, and who loses what is missing to 100."""
        shares = Shares()
        ladder = self.ladders[name]
        found = climb_shown(ladder, self.conditions)
        if found is None:
            return shares
        self._earn(shares, ladder, found)
        self._lose(shares, found)
        shares.earned = self.view.with_effect(shares.earned)
        return shares

    def _earn(self, shares: Shares, ladder: Ladder, found: Climb) -> None:
        """Each rung that holds earns its height over the one below, in equal parts by what it newly asks."""
        below, had = 0, set[str]()
        for rung in found.reached:
            self._credit(shares, rung.value - below, [c for c in rung.when if c not in had] or rung.when, ladder)
            below, had = rung.value, had | set(rung.when)
        for move in found.moves:
            if move.by > 0:
                self._credit(shares, move.by, move.when, ladder)

    def _credit(self, shares: Shares, points: int, conditions: Sequence[str], ladder: Ladder) -> None:
        shown = [events for c in conditions if (events := self._shown(c))] or [self._shown(ladder.applies)]
        for events in shown:
            if events:
                shares.add_credit(Fraction(points, len(shown)), *events)

    def _lose(self, shares: Shares, found: Climb) -> None:
        """What is missing to 100: by each higher rung what it asks and is not there; what moves and caps take."""
        below = found.reached[-1].value
        for rung in found.above:
            unmet = self.conditions.unmet(rung.when)
            for condition in unmet:
                points = Fraction(rung.value - below, len(unmet))
                self._charge(shares, points, self._fired(self.conditions.checks_in([condition])))
            below = rung.value
        for move in found.moves:
            if move.by < 0:
                self._charge(shares, Fraction(-move.by), self._fired(self.conditions.checks_in(move.when)))
        if found.caps:
            names = [n for cap in found.caps for n in self.conditions.checks_in(cap.when)]
            self._charge(shares, Fraction(found.uncapped - found.value), self._fired(names))

    def _charge(self, shares: Shares, points: Fraction, events: Sequence[AnyEvent]) -> None:
        if events:
            shares.add_loss(points, *events)
        else:
            shares.add_loss(points, None)

    def _shown(self, condition: str) -> list[AnyEvent]:
        """The events that show that a condition holds. Many edits of one file count once."""
        found: list[AnyEvent] = []
        for part in (p.strip() for p in condition.split("|")):
            if not part.startswith("!"):
                seen = all_observations().get(part)
                found += self._fired([part]) if seen is None else seen.events(self.work)
        edits = [e for e in found if isinstance(e, EditEvent)]
        files = self.view.files(edits) or edits[-1:]
        unique = {e.id: e for e in [*files, *(e for e in found if not isinstance(e, EditEvent))]}
        return list(unique.values())

    def _fired(self, names: Iterable[str]) -> list[AnyEvent]:
        """The first event of each occurrence of these checks: where it shows."""
        wanted = set(names)
        firsts = (f.events[:1] for f in self.review.checks if f.id in wanted)
        return list({e.id: e for ids in firsts for e in self.view.events(ids)}.values())
