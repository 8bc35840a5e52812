"""Checks that fired for one cause, as one finding: the same check again, or checks that rest on the same evidence."""

from __future__ import annotations

from collections.abc import Sequence

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
from .model import Fired, Review
from .verdict import ranked_checks

# Where nothing passed after the last edit, these say it of a part: of the new behaviour, of a check that is named.
# Where a check still fails, that is why nothing passed.
_COVERED = {"V-untested-change": "V-final-check", "V-final-check": "V-ended-on-red"}


class Finding(Struct):
    """Occurrences of one cause, the one that costs most first; its advice is that of the finding."""

    seen: list[Fired]

    @property
    def first(self) -> Fired:
        return self.seen[0]

    @property
    def ids(self) -> list[str]:
        """The checks, each once."""
        return list(dict.fromkeys(c.id for c in self.seen))


def findings(review: Review, events: Sequence[AnyEvent]) -> list[Finding]:
    """What speaks against a session, those findings first that cost most.

    Two checks have one cause if they rest on the same failed run or claim, on runs of the same error episode, or on the
    same edit of a test. A run that passed, a commit and an edit of other code do not join them: they only say where
    something is missing.
    """
    keys = _keys(events)
    found: list[tuple[set[str], Finding]] = []
    ranked = ranked_checks(review)
    names = {c.id for c in ranked}
    for fired in ranked:
        shared = {fired.id, *(key for e in fired.events for key in keys.get(e, ()))}
        if _COVERED.get(fired.id) in names:
            shared.add(_COVERED[fired.id])
        same = next((entry for entry in found if not entry[0].isdisjoint(shared)), None)
        if same is None:
            found.append((shared, Finding([fired])))
        else:
            same[0].update(shared)
            same[1].seen.append(fired)
    return [finding for _, finding in found]


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
