"""Who earned a sub-metric and who cost it: events (or steps) with weights, before anything is shared out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct, field

from ...evidence.events import AnyEvent, CommitEvent, EditEvent
from ..recovery import effectless_steps
from ..session import Session

# An event, or the index of a step as a whole.
Target = AnyEvent | int
HALF = Fraction(1, 2)


class Share(Struct):
    """A part of a credit or a loss, as a weight: to an event, or to a step by its index."""

    weight: Fraction
    target: Target


class Shares(Struct):
    """``earned``: to whom the value of a sub-metric goes, ``lost``: to whom what it lacks, each in proportion to the
    weights. Nobody to lose by: something was not done."""

    earned: list[Share] = field(default_factory=list)
    lost: list[Share] = field(default_factory=list)

    def earn(self, weight: float | Fraction, *targets: Target) -> None:
        """``weight`` in equal parts to the targets."""
        _add(self.earned, weight, targets)

    def lose(self, weight: float | Fraction, *targets: Target) -> None:
        _add(self.lost, weight, targets)


def _add(shares: list[Share], weight: float | Fraction, targets: Sequence[Target]) -> None:
    if weight > 0:
        shares += [Share(Fraction(weight) / len(targets), target) for target in targets]


class View:
    """A session as the rules of credit need it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.idle = effectless_steps(session)

    def event(self, identity: str) -> AnyEvent:
        return self.session.events[self.session.position[identity]]

    def events(self, identities: Iterable[str]) -> list[AnyEvent]:
        """The events of these ids, those that are none of this session's left out."""
        return [self.event(i) for i in identities if i in self.session.position]

    def files(self, edits: Sequence[AnyEvent]) -> list[AnyEvent]:
        """One edit for each file that was worked on: its last one. Two edits of a file count no more than one."""
        found: dict[str, AnyEvent] = {}
        for edit in edits:
            if isinstance(edit, EditEvent) and not self._empty(edit):
                found[edit.new_path or edit.path] = edit
        return list(found.values())

    def _empty(self, edit: EditEvent) -> bool:
        facts = self.session.facts(edit)
        return facts.scratch or facts.layout or edit.step in self.idle

    def work(self, commit: CommitEvent) -> int:
        """Number of files with real changes that were edited since the commit before."""
        session = self.session
        since = max((session.position[c.id] for c in session.commits if session.before(c, commit)), default=-1)
        return len(self.files(session.events[since + 1 : session.position[commit.id]]))

    def led_somewhere(self, shares: list[Share]) -> list[Share]:
        """Without those whose step led nowhere (a check repeated on the same tree, edits that were taken back), unless
        nothing is left then."""
        return [s for s in shares if self._step(s.target) not in self.idle] or shares

    @staticmethod
    def _step(target: Target) -> int:
        return target if isinstance(target, int) else target.step
