"""Which events (or steps) a part of a measure rewards and which it charges, as weights, before it is shared out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct, field

from ....evidence.events import AnyEvent, CommitEvent, EditEvent
from ....review.session import Session
from ..recovery import effectless_steps

# An event, or the index of a step as a whole; None: no step shows it.
Target = AnyEvent | int | None
HALF = Fraction(1, 2)


class Share(Struct):
    """A part of a credit or a loss, as a weight: of an event, of a step by its index, or of none."""

    weight: Fraction
    target: Target


class Shares(Struct):
    """Who gains and who loses by one part of a measure, each in proportion to the weights.

    Attributes:
        earned: who gets its value.
        lost: who is charged what is missing to 1; empty if no step shows it, because something was not done.
    """

    earned: list[Share] = field(default_factory=list)
    lost: list[Share] = field(default_factory=list)

    def add_credit(self, weight: float | Fraction, *targets: Target) -> None:
        """Adds ``weight`` in equal parts to the targets."""
        _add(self.earned, weight, targets)

    def add_loss(self, weight: float | Fraction, *targets: Target) -> None:
        """Adds ``weight`` in equal parts to the targets."""
        _add(self.lost, weight, targets)


def _add(shares: list[Share], weight: float | Fraction, targets: Sequence[Target]) -> None:
    if weight > 0:
        shares += [Share(Fraction(weight) / len(targets), target) for target in targets]


class View:
    """A session as the reward rules need it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.effectless = effectless_steps(session)

    def event(self, identity: str) -> AnyEvent:
        return self.session.events[self.session.position[identity]]

    def events(self, identities: Iterable[str]) -> list[AnyEvent]:
        """The events with these ids; ids that this session does not have are left out."""
        return [self.event(i) for i in identities if i in self.session.position]

    def edits(self, identities: Iterable[str]) -> list[EditEvent]:
        return [e for e in self.events(identities) if isinstance(e, EditEvent)]

    def files(self, events: Sequence[AnyEvent]) -> list[EditEvent]:
        """The last edit of each file that was worked on, so that many edits of one file count once."""
        found: dict[str, EditEvent] = {}
        for edit in events:
            if isinstance(edit, EditEvent) and not self._without_effect(edit):
                found[edit.new_path or edit.path] = edit
        return list(found.values())

    def _without_effect(self, edit: EditEvent) -> bool:
        facts = self.session.facts(edit)
        return facts.scratch or facts.layout or edit.step in self.effectless

    def changed_files(self, commit: CommitEvent) -> int:
        """Number of files with real changes that were edited since the previous commit."""
        session = self.session
        since = max((session.position[c.id] for c in session.commits if session.before(c, commit)), default=-1)
        return len(self.files(session.events[since + 1 : session.position[commit.id]]))

    def with_effect(self, shares: list[Share]) -> list[Share]:
        """The shares without those of effectless steps (a check repeated on the same tree, edits that were undone).

        All of them if nothing else is left.
        """
        return [s for s in shares if self._step(s.target) not in self.effectless] or shares

    @staticmethod
    def _step(target: Target) -> int | None:
        return target if target is None or isinstance(target, int) else target.step
