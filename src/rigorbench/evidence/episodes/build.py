"""Error episodes: from a failing check to green, by the rules of docs/scoring.md ("Which failed check is an error").

An episode belongs to one lane. It opens at a failing check that is not exempt, and the edits between its checks are its
attempts. It closes when the same ids are green, when the failing test is deleted, skipped or weakened (masked), or at
the end of the log.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence

from ...trajectory.model import Trajectory
from ..edits.facts import undoes
from ..events import (
    AnyEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    EventHead,
    Position,
    Resolution,
    RunEvent,
    TestRunEvent,
)
from ..facts import CheckFacts, EditFacts, PromptFacts
from ..patterns import lazy
from ..testruns.ids import base_names, failure_names, same_check, selected, short, weakens_test, writes_test
from .attempts import Tree, WorkTree, find_repeats
from .records import Check, OpenEpisode

_ANNOUNCED = lazy(
    r"\b(temporarily|on purpose|deliberately|intentionally|sanity[- ]check|mutat\w+|make sure (?:the|this|"
    r"that) tests? (?:\w+ )?fails?|"
    r"(?:see|check|verify|confirm|prove)\w*(?: that)? (?:the |this |that |these |my |"
    r"new )*tests? (?:\w+ )?(?:fails?|catch\w*))\b",
    re.IGNORECASE,
)
_TESTS_FAIL = lazy(
    r"\b(?:tests?|specs?|suite|ci|build|checks?)\b[^.\n]{0,50}\b(?:fail\w*|broken|red)\b|"
    r"\b(?:failing|broken|red) (?:\w+ )?(?:tests?|specs?|suite|build|checks?)\b",
    re.IGNORECASE,
)


class _Finder:
    """Finds the episodes of a session.

    Attributes:
        since_green: edits since the last green run, over all lanes, which share one tree.
        edited: the agent has edited the project.
        baseline: what failed before the first edit, by check.
        first_red: number of edits after which something of the agent's own first failed.
        healthy: the tree on which a check last passed, by check.
    """

    def __init__(
        self,
        trajectory: Trajectory,
        events: Sequence[AnyEvent],
        checks: Mapping[str, CheckFacts],
        edits: Mapping[str, EditFacts],
        prompt: PromptFacts,
    ) -> None:
        self.trajectory, self.events, self.edits, self.prompt = trajectory, events, edits, prompt
        self.checks: dict[int, Check] = {}
        count = 0
        for position, event in enumerate(events):
            count += isinstance(event, EditEvent) and event.role != "document"
            facts = checks.get(event.id)
            if facts is not None and event.call is not None:
                self.checks[position] = Check(position, event, facts, count)
        self.edited_at = [(n, e) for n, e in enumerate(events) if isinstance(e, EditEvent)]
        self.passed: dict[tuple[object, ...], list[Check]] = {}
        for check in self.checks.values():
            if check.facts.passed:
                self.passed.setdefault(check.state(), []).append(check)
        self.tree = WorkTree(events)
        self.last_of_lane = {e.lane: n for n, e in enumerate(events)}
        self.open: list[OpenEpisode] = []
        self.done: list[OpenEpisode] = []
        self.since_green: list[EditEvent] = []
        self.edited = False
        self.baseline: dict[str, set[str]] = {}
        self.first_red: dict[str, int] = {}
        self.healthy: dict[str, Tree] = {}

    def run(self) -> list[OpenEpisode]:
        for position, event in enumerate(self.events):
            if isinstance(event, EditEvent):
                self.edit(position, event)
            elif isinstance(event, CommitEvent):
                self.tree.commit(event)
            check = self.checks.get(position)
            if check is None:
                continue
            if check.facts.start_tree:
                if check.facts.failed:
                    self.baseline.setdefault(check.facts.key, set()).update(check.facts.failing)
            elif check.facts.failed:
                self.failing(check)
            elif check.facts.passed:
                self.green(check)
        return sorted([*self.done, *self.open], key=lambda e: (e.start.step, e.start.call or 0))

    def running(self, position: int, lane: str) -> list[OpenEpisode]:
        """The open episodes that an event of this lane can concern: its own, and those of lanes that have ended."""
        return [e for e in self.open if e.lane == lane or self.last_of_lane[e.lane] < position]

    # -- edits ---------------------------------------------------------------------------------------------------

    def edit(self, position: int, event: EditEvent) -> None:
        facts = self.edits[event.id]
        if event.role == "document":
            return
        if facts.in_root:
            self.tree.edit(event, facts.change)
        self.since_green.append(event)
        if facts.in_root and not (facts.scratch and event.role == "production"):
            self.edited = True
        for episode in self.running(position, event.lane):
            episode.since.append(event)
            self.mask(episode, event, facts)

    def mask(self, episode: OpenEpisode, event: EditEvent, facts: EditFacts) -> None:
        """Close the episode if this edit removes, skips or weakens the last of its failing tests."""
        if not episode.key.startswith("test"):
            return
        change = facts.change
        restored = event.via == "shell" and change.operation == "modify" and not change.hunks and change.after is None
        if not facts.removed_tests and not restored and not episode.names_tests():
            return  # the log does not show what a rewritten script tested; only its deletion would be certain
        for test in episode.ids - episode.masked:
            if weakens_test(test, event, facts) or (restored and self.made_since_green(test, event)):
                episode.masked.add(test)
        if episode.ids and episode.ids <= episode.masked:
            what = "skipped or weakened" if facts.weakened_tests else "deleted"
            self.close(episode, event, "masked", f"the failing test was {what} in {event.path}")

    def made_since_green(self, test: str, restoring: EditEvent) -> bool:
        """Whether restoring a test file (``git checkout FILE``) removes this test of the agent's."""
        return any(
            e.path == restoring.path and writes_test(test, e, self.edits[e.id])
            for e in self.since_green
            if e is not restoring and e.role == "test"
        )

    # -- checks --------------------------------------------------------------------------------------------------

    def green(self, check: Check) -> None:
        event, facts = check.event, check.facts
        for episode in self.running(check.position, event.lane):
            if not same_check(episode.key, facts.key) or not episode.is_covered_by(facts):
                continue
            if episode.masked:
                episode.checks.append(event)
                why = "it is green only because failing tests were deleted, skipped or weakened"
                self.close(episode, event, "masked", why)
            else:
                self.attempt(episode, event, still_red=False)
                self.close(episode, event, "green", "the same check passed")
        self.healthy[facts.key] = self.tree.tree
        if facts.family == "test" and not facts.selective:
            self.since_green = []
            self.first_red.clear()

    def failing(self, check: Check) -> None:
        event, facts = check.event, check.facts
        ids = check.ids()
        remaining = set(ids)
        for episode in self.running(check.position, event.lane):
            if not same_check(episode.key, facts.key):
                continue
            shared = episode.ids & ids
            comparable = facts.failing_known and facts.ran and episode.names_tests()
            if shared or not comparable:
                # Still failing. An error that hides the ids (collection, compilation) continues the episode.
                if facts.infrastructure and not shared:
                    continue
                self.attempt(episode, event, still_red=True)
                remaining -= shared if comparable else ids
                if not episode.names_tests() and facts.failing_known:
                    episode.ids |= ids
            elif episode.is_covered_by(facts):
                self.attempt(episode, event, still_red=False)
                self.close(episode, event, "masked" if episode.masked else "green", "its own tests pass in this run")
        if remaining:
            self.begin(check, remaining)

    def begin(self, check: Check, ids: set[str]) -> None:
        known = self.baseline.setdefault(check.facts.key, set())
        if not self.edited:
            known |= ids  # before the first edit the tree is the start tree
            return
        pursued = self.pursued(check, ids & known)
        errors = ids - known | pursued
        if not errors or check.facts.infrastructure or self.exempt(check, errors):
            return
        self.open.append(
            OpenEpisode(
                key=check.facts.key,
                ids=errors,
                start=check.event,
                signature=check.facts.signature if errors == check.ids() else "tests: " + ", ".join(sorted(errors)),
                opened_by=self.opening(check.facts, errors, pursued),
                checks=[check.event],
                trees=[self.tree.tree],
            )
        )

    def opening(self, facts: CheckFacts, ids: set[str], pursued: set[str]) -> str:
        if failure_names(facts, ids) & self.first_red.keys():
            return "a test of the agent's own fails again after edits"
        if pursued:
            return "a failure of the start tree that the agent set out to repair still fails after edits"
        return f"a failing {facts.family}"

    def attempt(self, episode: OpenEpisode, event: AnyEvent, *, still_red: bool) -> None:
        episode.checks.append(event)
        if episode.since:
            episode.attempts.append(list(episode.since))
            episode.trees.append(self.tree.tree)
            episode.red += still_red
            episode.since.clear()

    def close(self, episode: OpenEpisode, event: AnyEvent, resolved: Resolution, why: str) -> None:
        episode.end, episode.resolved, episode.closed_by = event, resolved, why
        self.open.remove(episode)
        if resolved != "green" or episode.red or not self.put_back(episode):
            self.done.append(episode)

    def put_back(self, episode: OpenEpisode) -> bool:
        """Whether the first attempt only reverted what had broken the check: nothing was repaired."""
        healthy = self.healthy.get(episode.key)
        return bool(episode.attempts) and healthy is not None and healthy == episode.trees[-1] != episode.trees[0]

    # -- exemptions ----------------------------------------------------------------------------------------------

    def exempt(self, check: Check, ids: set[str]) -> bool:
        """Whether this failing check is no error: red phase, flaky, or an announced negative check."""
        event = check.event
        if self.red_phase(check, ids):
            for name in failure_names(check.facts, ids):
                self.first_red.setdefault(name, check.edits)
            if isinstance(event, TestRunEvent):
                event.red_phase = True
            return True
        return self.flaky(check) or self.announced(check)

    def red_phase(self, check: Check, ids: set[str]) -> bool:
        """Whether this is a red phase.

        Every failing test was made or edited since the last green run, no production file was, and it fails for the
        first time. A program that the agent wrote to show the failure counts as a test.
        """
        facts = check.facts
        if any(self.first_red.get(name, check.edits) != check.edits for name in failure_names(facts, ids)):
            return False
        scripts = base_names(facts.targets) if facts.family == "run" else set()
        shown = [e for e in self.since_green if e.path.rsplit("/", 1)[-1] in scripts] if scripts else []
        own = shown + [e for e in self.since_green if e.role == "test"]
        mine = {e.id for e in own}
        if not own or any(
            e.role == "production" and e.id not in mine and not self.edits[e.id].scratch for e in self.since_green
        ):
            return False
        if facts.family == "run":
            return bool(shown)
        if facts.family != "test":
            return False
        if not facts.failing_known:
            return True
        return all(any(writes_test(i, e, self.edits[e.id]) for e in own) for i in ids)

    def pursued(self, check: Check, ids: set[str]) -> set[str]:
        """The failures of the start tree that the agent works on.

        These are all of them if the run selects tests, or if the request is about failing tests. Else they are those
        that the request names and those that are green later. If there are none, the request is about a failure, and no
        failure of the start tree ever turns green, they are all of them.
        """
        facts = check.facts
        if not ids or (facts.selective and facts.targets) or _TESTS_FAIL.search(self.prompt.text):
            return ids
        found = {i for i in ids if len(short(i)) > 4 and short(i) in self.prompt.text}
        found |= self.green_in(ids - found, facts.key, after=check.position)
        if not found and self.prompt.names_failure and not self.green_in(self.baseline[facts.key], facts.key, after=-1):
            return ids
        return found

    def green_in(self, ids: set[str], key: str, *, after: int) -> set[str]:
        """The ids that pass in some later run."""
        green: set[str] = set()
        for check in self.checks.values():
            facts = check.facts
            if check.position <= after or not facts.ran or not same_check(facts.key, key):
                continue
            if facts.passed:
                green |= {i for i in ids if selected(i, facts.targets)} if facts.selective else ids
            elif facts.failing_known and not facts.selective:
                green |= ids - facts.failing
            if len(green) == len(ids):
                break
        return green

    def flaky(self, check: Check) -> bool:
        """Whether the same check passes just before or after, without an edit or another change in between."""
        for other in self.passed.get(check.state(), ()):
            first, last = sorted((check.position, other.position))
            # An install, a service or a script in between may have changed the environment.
            between = range(first + 1, last)
            if not any(isinstance(self.events[n], RunEvent) and n not in self.checks for n in between):
                return True
        return False

    def announced(self, check: Check) -> bool:
        """Whether the edit before broke the code on purpose, as the agent says, and the edit after reverts it."""
        number = bisect(self.edited_at, check.position, key=lambda edited: edited[0])
        if number == 0 or number == len(self.edited_at):
            return False
        (_, before), (_, after) = self.edited_at[number - 1 : number + 1]
        if before.path != after.path:
            return False
        if not undoes(self.edits[after.id].change, self.edits[before.id].change):
            return False
        steps = self.trajectory.steps[max(0, before.step - 1) : check.event.step + 1]
        return any(_ANNOUNCED.search(s.text) or _ANNOUNCED.search(s.reasoning) for s in steps)


def find_episodes(
    trajectory: Trajectory,
    events: Sequence[AnyEvent],
    checks: Mapping[str, CheckFacts],
    edits: Mapping[str, EditFacts],
    prompt: PromptFacts,
    *,
    head: Callable[[Position], EventHead],
) -> list[EpisodeEvent]:
    """The error episodes of a trajectory.

    Marks ``red_phase`` on the test runs that it exempts. ``checks`` and ``edits`` are facts by event id; ``head`` gives
    the first fields of a new event at a position.
    """
    found: list[EpisodeEvent] = []
    if not any(facts.failed for facts in checks.values()):
        return found
    for episode in _Finder(trajectory, events, checks, edits, prompt).run():
        end = episode.end or episode.checks[-1]
        start_call = episode.start.call or 0
        end_call = end.call if end.call is not None and end.lane == episode.lane else start_call
        found.append(
            EpisodeEvent(
                **head(episode.start.position),
                signature=episode.signature[:500],
                start_call=start_call,
                end_call=max(start_call, end_call),
                attempts=len(episode.attempts),
                failed_attempts=episode.red,
                repeats=sum(find_repeats(episode.attempts[: episode.red], episode.trees, edits)),
                resolved=episode.resolved,
                rule=f"{episode.opened_by}; {episode.closed_by}",
                checks=[c.id for c in episode.checks],
                attempt_edits=[[e.id for e in attempt] for attempt in episode.attempts],
            )
        )
    return found
