"""Failing checks that are no errors: red phase, flaky checks; and edits that hide an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..code.matchers import loosening
from ..events import AnyEvent, EditEvent, LintEvent, RunEvent, TestRunEvent
from ..facts import CheckFacts, EditFacts
from ..testruns.ids import (
    base_names,
    failure_names,
    is_place,
    names_in_code,
    of_file,
    place_and_title,
    same_place,
    short,
    weakens_test,
    writes_test,
)
from .records import CheckRecord, OpenEpisode
from .tampering import given_up, may_update_stored, stripped


class Exemptions:
    """Which failing checks are no errors.

    Attributes:
        since_green: edits since the last green run of all tests, over all lanes, which share one tree.
        greens: green test runs so far.
        first_red: number of edits after which something of the agent's own first failed.
    """

    def __init__(
        self,
        events: Sequence[AnyEvent],
        checks: Mapping[int, CheckRecord],
        edits: Mapping[str, EditFacts],
    ) -> None:
        self.events, self.checks, self.edits = events, checks, edits
        self.edited_at = [(n, e) for n, e in enumerate(events) if isinstance(e, EditEvent)]
        self.passed: dict[tuple[object, ...], list[CheckRecord]] = {}
        for check in checks.values():
            if check.facts.passed:
                self.passed.setdefault(check.state(), []).append(check)
        self.since_green: list[EditEvent] = []
        self.greens: list[CheckRecord] = []
        self.first_red: dict[str, int] = {}

    def green(self, check: CheckRecord) -> None:
        """A check passed."""
        if check.facts.family != "test":
            return
        self.greens.append(check)
        if not check.facts.selective:
            self.since_green = []
            self.first_red.clear()

    def red_phase(self, check: CheckRecord, ids: set[str], *, at_start: bool) -> bool:
        """Whether this is a red phase, and remember that it was.

        Every failing test was made or edited since the last green run, no production file was, and it fails for the
        first time. A program that the agent wrote to show the failure counts as a test. ``at_start``: the production
        files are those of the start tree.
        """
        facts = check.facts
        names = failure_names(facts, ids)
        if any(self.first_red.get(name, check.edits) != check.edits for name in names):
            return False
        scripts = base_names(facts.targets) if facts.family == "run" else set()
        recent = self.recent(check, at_start=at_start)
        shown = [e for e in recent if e.path.rsplit("/", 1)[-1] in scripts]
        own = shown + [e for e in recent if e.role == "test"]
        mine = {e.id for e in own}
        if not own or (
            not at_start
            and any(e.role == "production" and e.id not in mine and not self.edits[e.id].scratch for e in recent)
        ):
            return False
        if facts.family == "run":
            red = bool(shown)
        else:
            red = facts.family == "test" and (
                not facts.failing_known or all(any(self.writes(i, e, facts) for e in own) for i in ids)
            )
        if red:
            for name in names:
                self.first_red.setdefault(name, check.edits)
        return red

    def recent(self, check: CheckRecord, *, at_start: bool) -> list[EditEvent]:
        """The edits since the last green run of all tests or of some in the same files or packages."""
        places = {t for t in check.facts.targets if is_place(t)}
        last = max(
            (g.position for g in self.greens if not g.facts.selective or not places.isdisjoint(g.facts.targets)),
            default=-1,
        )
        first = -1 if at_start else last
        return [e for n, e in self.edited_at if first < n < check.position and e.role != "document"]

    def writes(self, test: str, edit: EditEvent, facts: CheckFacts) -> bool:
        """Whether an edit of a test file made or changed this test, or the only file that the run selects."""
        if edit.role != "test":
            return False
        if writes_test(test, edit, self.edits[edit.id]):
            return True
        return (
            not place_and_title(test)[0] and bool(facts.targets) and all(of_file(t, edit.path) for t in facts.targets)
        )

    def flaky(self, check: CheckRecord) -> bool:
        """Whether the same check passes just before or after, without an edit or another change in between."""
        for other in self.passed.get(check.state(), ()):
            if isinstance(other.event, TestRunEvent) and may_update_stored(other.event.command):
                continue
            first, last = sorted((check.position, other.position))
            # An install, a service or a script in between may have changed the environment.
            between = range(first + 1, last)
            if not any(self.may_change(n, check) for n in between):
                return True
        return False

    def may_change(self, position: int, check: CheckRecord) -> bool:
        """Whether an event that is no edit of code may have changed what a check is about."""
        event = self.events[position]
        if isinstance(event, EditEvent):
            return event.role == "document" and event.operation == "modify"
        if check.facts.family == "lint" and isinstance(event, LintEvent):
            return event.command != getattr(check.event, "command", "")  # a formatter repairs what it complains about
        return isinstance(event, RunEvent) and position not in self.checks

    # -- tests that are removed, skipped or weakened instead of repairing what they test
    # Certain is that only of tests that were there before the session, and that no later edit brings back. To correct
    # a test of one's own is a repair.

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
                # Where other tests are put in its place, whether they ask for the same is for a reader.
                replaced = bool(facts.removed_tests) and any(not (t.edited or t.skipped) for t in facts.tests)
                episode.doubtful |= mine or ((replaced or kept) and not _loosens(facts))
        if not left or not left <= episode.masked:
            return None
        what = "skipped or weakened" if facts.weakened_tests else "deleted"
        return f"the failing test was {what} in {event.path}"

    def is_own(self, position: int, test: str, edit: EditEvent) -> bool:
        """Whether a test of an edited file was made in this session."""
        names, before = names_in_code(test), (e for n, e in self.edited_at if n < position)
        return any(
            e.operation == "create"
            or any(not t.edited and short(t.name or "") in names for t in self.edits[e.id].tests)
            for e in before
            if e.role == "test" and (e.new_path or e.path) == edit.path
        )

    def comes_back(self, position: int, test: str, edit: EditEvent, facts: EditFacts) -> bool:
        """Whether a later edit has a test again that an edit took away, with all that it had asserted."""
        names, lost = names_in_code(test), given_up(facts)
        later = (self.edits[e.id] for n, e in self.edited_at if n > position and e.path == edit.path)
        return any(
            f.restored
            or (lost <= stripped(f) if lost else any(short(t.name or "") in names and not t.skipped for t in f.tests))
            for f in later
        )

    # -- what turns out to be none

    def is_none(self, episode: OpenEpisode) -> bool:
        """Whether it turned out that there was no error.

        A new test of the agent's own waited for code, or was repaired before that was written, or a throwaway script
        was repaired that nothing but itself had broken.
        """
        if episode.own_test:
            corrected = [e.role == "test" for attempt in episode.attempts for e in attempt]
            return episode.resolved != "green" or not corrected or not all(corrected)
        if episode.resolved in ("unresolved", "given_up"):
            return self.throwaway(episode)
        edits = [e for attempt in episode.attempts for e in attempt]
        if episode.resolved != "green" or not edits:
            return False
        if all(self.edits[e.id].scratch for e in edits) and episode.first.facts.targets:
            return True
        own = episode.opened_by.startswith("a test of the agent's own")
        before = self.events[: episode.first.position]
        since = [e for e in before if isinstance(e, EditEvent) and is_production(e, self.edits[e.id])]
        return own and not episode.red and not since and any(is_production(e, self.edits[e.id]) for e in edits)

    def throwaway(self, episode: OpenEpisode) -> bool:
        """Whether only throwaway tests of the agent's failed, which show something and prove nothing."""
        scratch = {e.path for _, e in self.edited_at if self.edits[e.id].scratch}
        places = {place_and_title(i)[0] or i for i in episode.ids}
        if not episode.first.facts.failing_known:
            places = set(episode.first.facts.targets)
        return bool(places) and all(any(same_place(p, path) for path in scratch) for p in places)


def is_production(event: EditEvent, facts: EditFacts) -> bool:
    """Whether an edit changes what the project does: no test, document or throwaway file."""
    return facts.in_root and not facts.scratch and event.role in ("production", "config")


def _loosens(facts: EditFacts) -> bool:
    """Whether an edit takes assertions away, or puts weaker ones in their place; other ones may be what was asked."""
    change = facts.change
    pairs = change.hunks or [(change.before or "", change.after or "")]
    return any(loosening(change.path, old, new) in ("loosened", "dropped") for old, new in pairs)
