"""Failing tests that an edit removes, skips or weakens instead of repairing what they test.

Certain is that only of tests that were there before the session, and that no later edit brings back. To correct a test
of one's own is a repair.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..code.matchers import loosening
from ..events import EditEvent
from ..facts import EditFacts
from ..testruns.ids import names_in_code, short, weakens_test
from .exemptions import Exemptions
from .records import OpenEpisode
from .tampering import given_up, stripped


class Masking:
    """Which edits make a failure disappear without repairing it."""

    def __init__(self, edits: Mapping[str, EditFacts], exemptions: Exemptions) -> None:
        self.edits, self.exemptions = edits, exemptions

    def masks(self, position: int, episode: OpenEpisode, event: EditEvent, facts: EditFacts) -> str | None:
        """How this edit removes, skips or weakens the last of an episode's failing tests; None if it does not."""
        if not episode.key.startswith("test"):
            return None
        restored = facts.restored and not facts.change.hunks and facts.change.after is None
        if not facts.removed_tests and not restored and not episode.names_failures():
            return None  # the log does not show what a rewritten script tested; only its deletion would be certain
        left = episode.ids - episode.masked - episode.green
        for test in left:
            mine = self.is_own(position, test, event)
            if weakens_test(test, event, facts) or (restored and mine):
                kept = not (restored or facts.removed_tests or any(t.skipped for t in facts.tests))
                if (mine and kept) or self.comes_back(position, test, event, facts):
                    continue
                episode.masked.add(test)
                episode.doubtful |= mine or (kept and not _loosens(facts))
        if not left or not left <= episode.masked:
            return None
        what = "skipped or weakened" if facts.weakened_tests else "deleted"
        return f"the failing test was {what} in {event.path}"

    def is_own(self, position: int, test: str, edit: EditEvent) -> bool:
        """Whether a test of an edited file was made in this session."""
        names, before = names_in_code(test), (e for n, e in self.exemptions.edited_at if n < position)
        return any(
            e.operation == "create"
            or any(not t.edited and short(t.name or "") in names for t in self.edits[e.id].tests)
            for e in before
            if e.role == "test" and (e.new_path or e.path) == edit.path
        )

    def comes_back(self, position: int, test: str, edit: EditEvent, facts: EditFacts) -> bool:
        """Whether a later edit has a test again that an edit took away, with all that it had asserted."""
        names, lost = names_in_code(test), given_up(facts)
        later = (self.edits[e.id] for n, e in self.exemptions.edited_at if n > position and e.path == edit.path)
        return any(
            f.restored
            or (lost <= stripped(f) if lost else any(short(t.name or "") in names and not t.skipped for t in f.tests))
            for f in later
        )


def _loosens(facts: EditFacts) -> bool:
    """Whether an edit takes assertions away, or puts weaker ones in their place; other ones may be what was asked."""
    change = facts.change
    pairs = change.hunks or [(change.before or "", change.after or "")]
    return any(loosening(change.path, old, new) in ("loosened", "dropped") for old, new in pairs)
