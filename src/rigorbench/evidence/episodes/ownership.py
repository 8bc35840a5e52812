"""Whose failure an episode is, by what the session did: which files it made, and what repaired them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..events import AnyEvent, LintEvent, RunEvent, TestRunEvent
from ..facts import EditFacts
from ..testruns.ids import of_file, place_and_title, same_place
from .attempts import WorkTree
from .attribution import Edited, settle
from .exemptions import Exemptions
from .records import Check, OpenEpisode
from .tampering import may_update_stored


class Ownership:
    """Tells the agent's own failures from others.

    Attributes:
        edited: edits of the project so far, and of files beside it; documents apart.
    """

    def __init__(
        self,
        events: Sequence[AnyEvent],
        checks: Mapping[int, Check],
        edits: Mapping[str, EditFacts],
        tree: WorkTree,
        exemptions: Exemptions,
    ) -> None:
        self.events, self.checks, self.edits, self.tree, self.exemptions = events, checks, edits, tree, exemptions
        self.edited: list[Edited] = []

    def of_start_tree(self, check: Check, ids: set[str]) -> set[str]:
        """The failures of the start tree: not of the agent's tests, and the check did not pass on it before."""
        same = (c for n, c in self.checks.items() if n < check.position and c.facts.passed and not c.facts.start_tree)
        if any(c.facts.key == check.facts.key and c.facts.targets == check.facts.targets for c in same):
            return set()
        facts = check.facts
        tests = [e for e, _ in self.edited if e.role == "test" and not self.tree.as_at_start(e.path)]
        if facts.family != "test" or not tests:
            return set(ids)
        if not facts.failing_known:
            mine = not facts.targets or any(of_file(t, e.path) for t in facts.targets for e in tests)
            return set() if mine else set(ids)
        return {i for i in ids if not any(self.exemptions.writes(i, e, facts) for e in tests)}

    def untracked(self, ids: set[str]) -> set[str]:
        """The failures in files that the agent made, which stay when its other changes are put aside."""
        made = {e.new_path or e.path for e, _ in self.edited if e.operation == "create"}
        return {i for i in ids if any(same_place(place_and_title(i)[0] or i, path) for path in made)}

    def attribute(self, episode: OpenEpisode) -> None:
        """Attribute an episode that has ended."""
        start = episode.first.position
        end = episode.end[0] if episode.end is not None else len(self.events)
        edits = [(n, e) for n, e in self.exemptions.edited_at if e.role != "document"]
        settle(
            episode,
            [(e, self.edits[e.id]) for n, e in edits if start < n < end],
            rewritten=any(map(self.rewrites(episode), self.events[start + 1 : end + 1])),
            passed_before=any(
                c.facts.passed and c.facts.key == episode.key for n, c in self.checks.items() if n < start
            ),
            edits=[(e, self.edits[e.id]) for n, e in edits if n < start],
        )

    def rewrites(self, episode: OpenEpisode) -> Callable[[AnyEvent], bool]:
        """Whether an event that is no edit may repair the failure: a formatter, an update of stored expectations."""
        if episode.first.facts.family == "lint":
            return lambda e: isinstance(e, LintEvent | RunEvent) and e not in episode.checks
        return lambda e: isinstance(e, TestRunEvent) and may_update_stored(e.command)
