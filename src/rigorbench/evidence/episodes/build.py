"""Error episodes: from a failing check to green, by the rules of docs/scoring.md ("Which failed check is an error").

An episode belongs to one lane. It opens at a failing check that no exemption covers, takes in the edits between its
checks as attempts, and closes when the same ids are green, when the failing test is deleted, skipped or weakened
(masked), or at the end of the log.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence

from msgspec import Struct, field

from ...trajectory.model import Trajectory
from ..commands.exclusion import leaves_out
from ..edits.facts import undoes
from ..events import AnyEvent, CommitEvent, EditEvent, EpisodeEvent, RunEvent, TestRunEvent
from ..facts import CheckFacts, EditFacts, PromptFacts
from ..testruns.ids import base_names, failure_names, same_check, selected, short, weakens_test, writes_test
from .attempts import Tree, WorkTree, count_repeats

_ANNOUNCED = re.compile(
    r"\b(temporarily|on purpose|deliberately|intentionally|sanity[- ]check|mutat\w+|make sure (?:the|this|"
    r"that) tests? (?:\w+ )?fails?|"
    r"(?:see|check|verify|confirm|prove)\w*(?: that)? (?:the |this |that |these |my |"
    r"new )*tests? (?:\w+ )?(?:fails?|catch\w*))\b",
    re.IGNORECASE,
)


_TESTS_FAIL = re.compile(
    r"\b(?:tests?|specs?|suite|ci|build|checks?)\b[^.\n]{0,50}\b(?:fail\w*|broken|red)\b|"
    r"\b(?:failing|broken|red) (?:\w+ )?(?:tests?|specs?|suite|build|checks?)\b",
    re.IGNORECASE,
)


class _Open(Struct):
    """An episode while it lasts. ``trees``: the tree at its start and after each attempt."""

    key: str
    ids: set[str]
    masked: set[str]
    start: AnyEvent
    lane: str
    signature: str
    opened_by: str
    checks: list[AnyEvent]
    trees: list[Tree]
    attempts: list[list[EditEvent]] = field(default_factory=list)
    red: int = 0
    since: list[EditEvent] = field(default_factory=list)
    end: AnyEvent | None = None
    resolved: str = "unresolved"
    closed_by: str = "the log ends while it is still failing"


class _Check(Struct):
    """A check: its place among the events, its facts, and how many edits came before it."""

    position: int
    event: AnyEvent
    facts: CheckFacts
    edits: int

    def state(self) -> tuple[object, ...]:
        """What was checked, where, and after how many edits."""
        return self.facts.key, tuple(self.facts.targets), self.edits, self.event.lane


class _Finder:
    def __init__(
        self,
        trajectory: Trajectory,
        events: Sequence[AnyEvent],
        checks: dict[int, CheckFacts],
        edits: dict[int, EditFacts],
        prompt: PromptFacts,
    ) -> None:
        self.trajectory, self.events, self.edits, self.prompt = trajectory, events, edits, prompt
        self.checks: list[_Check] = []
        count = 0
        for position, event in enumerate(events):
            count += isinstance(event, EditEvent) and event.role != "document"
            facts = checks.get(id(event))
            if facts is not None and event.call is not None:
                self.checks.append(_Check(position, event, facts, count))
        self.checking = {id(c.event) for c in self.checks}
        self.edited_at = [(n, e) for n, e in enumerate(events) if isinstance(e, EditEvent)]
        self.passed: dict[tuple[object, ...], list[_Check]] = {}
        for check in self.checks:
            if check.facts.passed:
                self.passed.setdefault(check.state(), []).append(check)
        self.tree = WorkTree(events) if any(c.facts.failed for c in self.checks) else None
        self.last_of_lane = {e.lane: n for n, e in enumerate(events)}
        self.open: list[_Open] = []
        self.done: list[_Open] = []
        # Edits since the last green run, over all lanes, which share one tree.
        self.since_green: list[EditEvent] = []
        self.edited = False
        # By check: what failed before the first edit. And: what began red as the agent's own, after how many edits.
        self.baseline: dict[str, set[str]] = {}
        self.first_red: dict[str, int] = {}
        # By check: the tree on which it last passed.
        self.healthy: dict[str, Tree] = {}

    def run(self) -> list[_Open]:
        if self.tree is None:
            return []
        due = iter(self.checks)
        check = next(due, None)
        for position, event in enumerate(self.events):
            if isinstance(event, EditEvent):
                self.edit(position, event)
            elif isinstance(event, CommitEvent):
                self.tree.commit(event)
            if check is not None and check.position == position:
                if check.facts.start_tree:
                    if check.facts.failed:
                        self.baseline.setdefault(check.facts.key, set()).update(check.facts.failing)
                elif check.facts.failed:
                    self.failing(check)
                elif check.facts.passed:
                    self.green(check)
                check = next(due, None)
        return sorted([*self.done, *self.open], key=lambda e: (e.start.step, e.start.call or 0))

    def running(self, position: int, lane: str) -> list[_Open]:
        """Open episodes that what happens in this lane can concern: its own, and those of lanes that are over."""
        return [e for e in self.open if e.lane == lane or self.last_of_lane[e.lane] < position]

    # -- edits ---------------------------------------------------------------------------------------------------

    def edit(self, position: int, event: EditEvent) -> None:
        facts = self.edits[id(event)]
        if event.role == "document":
            return
        assert self.tree is not None
        if facts.in_root:
            self.tree.edit(event, facts.change)
        self.since_green.append(event)
        if facts.in_root and not (facts.scratch and event.role == "production"):
            self.edited = True
        for episode in self.running(position, event.lane):
            episode.since.append(event)
            self.mask(episode, event, facts)

    def mask(self, episode: _Open, event: EditEvent, facts: EditFacts) -> None:
        """Close the episode if this edit removes, skips or weakens the last of its failing tests."""
        if not episode.key.startswith("test"):
            return
        change = facts.change
        restored = event.via == "shell" and change.operation == "modify" and not change.hunks and change.after is None
        if not facts.removed_tests and not restored and not _names_tests(episode):
            return  # what a rewritten script tested, the log does not say: only that it is gone would be sure
        for test in episode.ids - episode.masked:
            if weakens_test(test, event, facts) or (restored and self.made_since_green(test, event)):
                episode.masked.add(test)
        if episode.ids and episode.ids <= episode.masked:
            what = "skipped or weakened" if facts.weakened_tests else "deleted"
            self.close(episode, event, "masked", f"the failing test was {what} in {event.path}")

    def made_since_green(self, test: str, restoring: EditEvent) -> bool:
        """Whether putting a test file back (``git checkout FILE``) takes away this test of the agent's."""
        return any(
            e.path == restoring.path and writes_test(test, e, self.edits[id(e)])
            for e in self.since_green
            if e is not restoring and e.role == "test"
        )

    # -- checks --------------------------------------------------------------------------------------------------

    def green(self, check: _Check) -> None:
        event, facts = check.event, check.facts
        for episode in self.running(check.position, event.lane):
            if not same_check(episode.key, facts.key) or not _covers(facts, episode):
                continue
            if episode.masked:
                episode.checks.append(event)
                why = "it is green only because failing tests were deleted, skipped or weakened"
                self.close(episode, event, "masked", why)
            else:
                self.attempt(episode, event, still_red=False)
                self.close(episode, event, "green", "the same check passed")
        assert self.tree is not None
        self.healthy[facts.key] = self.tree.tree
        if facts.family == "test" and not facts.selective:
            self.since_green = []
            self.first_red.clear()

    def failing(self, check: _Check) -> None:
        event, facts = check.event, check.facts
        ids = set(facts.failing) or {facts.signature}
        remaining = set(ids)
        for episode in self.running(check.position, event.lane):
            if not same_check(episode.key, facts.key):
                continue
            shared = episode.ids & ids
            comparable = facts.failing_known and facts.ran and _names_tests(episode)
            if shared or not comparable:
                # Still failing; an error that hides the ids (collection, compilation) is the same episode going on.
                if facts.infrastructure and not shared:
                    continue
                self.attempt(episode, event, still_red=True)
                remaining -= shared if comparable else ids
                if not _names_tests(episode) and facts.failing_known:
                    episode.ids |= ids
            elif _covers(facts, episode):
                self.attempt(episode, event, still_red=False)
                self.close(episode, event, "masked" if episode.masked else "green", "its own tests pass in this run")
        if remaining:
            self.begin(check, remaining)

    def begin(self, check: _Check, ids: set[str]) -> None:
        known = self.baseline.setdefault(check.facts.key, set())
        if not self.edited:
            known |= ids  # before the first edit the tree is the start tree
            return
        pursued = self.pursued(check, ids & known)
        errors = ids - known | pursued
        if not errors or check.facts.infrastructure or self.exempt(check, errors):
            return
        whole = errors == (set(check.facts.failing) or {check.facts.signature})
        assert self.tree is not None
        self.open.append(
            _Open(
                key=check.facts.key,
                ids=errors,
                masked=set(),
                start=check.event,
                lane=check.event.lane,
                signature=check.facts.signature if whole else "tests: " + ", ".join(sorted(errors)),
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

    def attempt(self, episode: _Open, event: AnyEvent, *, still_red: bool) -> None:
        assert self.tree is not None
        episode.checks.append(event)
        if episode.since:
            episode.attempts.append(list(episode.since))
            episode.trees.append(self.tree.tree)
            episode.red += still_red
            episode.since.clear()

    def close(self, episode: _Open, event: AnyEvent, resolved: str, why: str) -> None:
        episode.end, episode.resolved, episode.closed_by = event, resolved, why
        self.open.remove(episode)
        if resolved != "green" or episode.red or not self.put_back(episode):
            self.done.append(episode)

    def put_back(self, episode: _Open) -> bool:
        """Whether the first attempt only took back what had broken the check: nothing was repaired."""
        healthy = self.healthy.get(episode.key)
        return bool(episode.attempts) and healthy is not None and healthy == episode.trees[-1] != episode.trees[0]

    # -- exemptions ----------------------------------------------------------------------------------------------

    def exempt(self, check: _Check, ids: set[str]) -> bool:
        """Whether this failing check is no error: red phase, flaky, or an announced negative check."""
        event = check.event
        if self.red_phase(check, ids):
            for name in failure_names(check.facts, ids):
                self.first_red.setdefault(name, check.edits)
            if isinstance(event, TestRunEvent):
                event.red_phase = True
            return True
        return self.flaky(check) or self.announced(check)

    def red_phase(self, check: _Check, ids: set[str]) -> bool:
        """Every failing test was made or edited since the last green, no production file was; it first fails now.

        A program that the agent wrote to show the failure is a test in this sense.
        """
        facts = check.facts
        if any(self.first_red.get(name, check.edits) != check.edits for name in failure_names(facts, ids)):
            return False
        scripts = base_names(facts.targets) if facts.family == "run" else set()
        shown = [e for e in self.since_green if e.path.rsplit("/", 1)[-1] in scripts] if scripts else []
        own = shown + [e for e in self.since_green if e.role == "test"]
        mine = {id(e) for e in own}
        if not own or any(
            e.role == "production" and id(e) not in mine and not self.edits[id(e)].scratch for e in self.since_green
        ):
            return False
        if facts.family == "run":
            return bool(shown)
        if facts.family != "test":
            return False
        if not facts.failing_known:
            return True
        return all(any(writes_test(i, e, self.edits[id(e)]) for e in own) for i in ids)

    def pursued(self, check: _Check, ids: set[str]) -> set[str]:
        """Those of the start tree's failures that the agent works on.

        They are if it runs just them, if the request speaks of failing tests or names one, if they are green later on;
        and if the request speaks of a failure and none of the start tree's ever turns green, all of them are.
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
        """Those of the ids that some later run shows to pass."""
        green: set[str] = set()
        for check in self.checks:
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

    def flaky(self, check: _Check) -> bool:
        """The same check passes just before or after with no edit or other change in between."""
        for other in self.passed.get(check.state(), ()):
            first, last = sorted((check.position, other.position))
            # After an install, a service, a script the surroundings may have changed.
            between = self.events[first + 1 : last]
            if not any(isinstance(e, RunEvent) and id(e) not in self.checking for e in between):
                return True
        return False

    def announced(self, check: _Check) -> bool:
        """The edit before this check broke the code on purpose (it is said so) and the edit after puts it back."""
        number = bisect(self.edited_at, check.position, key=lambda edited: edited[0])
        if number == 0 or number == len(self.edited_at):
            return False
        (_, before), (_, after) = self.edited_at[number - 1 : number + 1]
        if before.path != after.path:
            return False
        if not undoes(self.edits[id(after)].change, self.edits[id(before)].change):
            return False
        steps = self.trajectory.steps[max(0, before.step - 1) : check.event.step + 1]
        return any(_ANNOUNCED.search(s.text) or _ANNOUNCED.search(s.reasoning) for s in steps)


def _names_tests(episode: _Open) -> bool:
    return episode.ids != {episode.signature} or "::" in episode.signature


def _covers(facts: CheckFacts, episode: _Open) -> bool:
    """Whether a run executed the episode's tests: a whole run does; a selection must name them or their files."""
    if not facts.ran or any(leaves_out(facts.excluded, i) for i in episode.ids - episode.masked):
        return False
    if facts.family != "test" or not facts.selective or not _names_tests(episode):
        return True
    return all(selected(i, facts.targets) for i in episode.ids - episode.masked)


def find_episodes(
    trajectory: Trajectory,
    events: Sequence[AnyEvent],
    checks: dict[int, CheckFacts],
    edits: dict[int, EditFacts],
    prompt: PromptFacts,
) -> list[EpisodeEvent]:
    """The error episodes of a trajectory.

    Marks ``red_phase`` on the test runs it exempts. ``checks`` and ``attempt_edits`` of the result hold ``id()`` keys
    of the events as text, to be replaced by event ids once those are given out.
    """
    found: list[EpisodeEvent] = []
    for episode in _Finder(trajectory, events, checks, edits, prompt).run():
        end = episode.end or episode.checks[-1]
        start_call = episode.start.call or 0
        end_call = end.call if end.call is not None and end.lane == episode.lane else start_call
        found.append(
            EpisodeEvent(
                id="",
                step=episode.start.step,
                call=episode.start.call,
                lane=episode.lane,
                time=episode.start.time,
                source=episode.start.source,
                signature=episode.signature[:500],
                start_call=start_call,
                end_call=max(start_call, end_call),
                attempts=len(episode.attempts),
                failed_attempts=episode.red,
                repeats=count_repeats(episode.attempts, episode.trees, episode.red, edits),
                resolved=episode.resolved,  # type: ignore[arg-type]
                rule=f"{episode.opened_by}; {episode.closed_by}",
                checks=[str(id(c)) for c in episode.checks],
                attempt_edits=[[str(id(e)) for e in attempt] for attempt in episode.attempts],
            )
        )
    return found
