"""Error episodes: from a failing check to green, by the rules of docs/scoring.md ("Which failed check is an error").

An episode belongs to one lane. It opens at a failing check that is not exempt, and the edits between its checks are its
attempts. It closes when the same ids are green, when the failing test, if it was there before, is deleted, skipped or
weakened (masked), or at the end of the log. Failures of the start tree and of the environment are episodes as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...session.model import MAIN_LANE
from ..calls import closing_message
from ..claims.abstention import abstention
from ..events import AnyEvent, Attribution, CommitEvent, EditEvent, EpisodeEvent, Resolution, TestRunEvent, head
from ..facts import Evidence, same_check
from ..testruns.ids import failure_names, place_and_title
from .attempts import EditedTree, Tree, find_repeats
from .attribution import Ownership, environment, never_started, untouched
from .compare import compare
from .disclosure import is_dismissed, is_named
from .exemptions import Exemptions, is_production
from .records import CheckRecord, OpenEpisode
from .start_tree import StartTree


class _Finder:
    """Finds the episodes of a session.

    Attributes:
        healthy: the tree on which a check last passed, by check.
        shown: ids of the failing checks that ran on the untouched tree after the work had begun.
        red_phase: ids of the test runs that failed as the agent wanted them to.
    """

    def __init__(self, evidence: Evidence) -> None:
        trajectory, events, edits = evidence.trajectory, evidence.events, evidence.edits
        self.events, self.edits, self.steps, self.outside = events, edits, trajectory.steps, evidence.outside
        self.checks: dict[int, CheckRecord] = {}
        count = 0
        for position, event in enumerate(events):
            count += isinstance(event, EditEvent) and event.role != "document"
            facts = evidence.checks.get(event.id)
            if facts is not None and event.call is not None:
                self.checks[position] = CheckRecord(position, event, facts, count)
        self.last_production = max(
            (n for n, e in enumerate(events) if isinstance(e, EditEvent) and is_production(e, edits[e.id])), default=-1
        )
        self.tree = EditedTree()
        self.start_tree = StartTree(self.checks, evidence.prompt)
        self.exemptions = Exemptions(events, self.checks, edits)
        self.ownership = Ownership(events, self.checks, edits, self.tree, self.exemptions)
        self.closing = next(
            (s.text for s in reversed(trajectory.steps) if s.role == "agent" and s.lane == MAIN_LANE), ""
        )
        self.last_of_lane = {e.lane: n for n, e in enumerate(events)}
        self.open: list[OpenEpisode] = []
        self.done: list[OpenEpisode] = []
        self.edited = self.ownership.edited
        self.healthy: dict[str, Tree] = {}
        self.shown: set[str] = set()
        self.red_phase: set[str] = set()

    def run(self) -> list[OpenEpisode]:
        for position, event in enumerate(self.events):
            if isinstance(event, EditEvent):
                self.edit(position, event)
            elif isinstance(event, CommitEvent):
                self.tree.commit(event)
            check = self.checks.get(position)
            if check is not None and check.facts.failed:
                self.failing(check)
            elif check is not None and check.facts.passed:
                self.green(check)
        self.open = [e for e in self.open if not e.own_test]
        for episode in list(self.open):
            if episode.partly is not None and episode.partly[0].green <= episode.green:
                self.part(episode, *episode.partly)
        for episode in self.open:
            if episode.since:
                episode.closed_by = "the check was not run again after the last edits"
            if self.closing and is_named(self.closing, episode.ids):
                episode.resolved = "given_up"
                episode.closed_by = "it still fails, and the last message says so"
            elif is_dismissed(self.said_after(episode.checks[-1])):
                episode.resolved = "given_up"
                episode.closed_by = "it still fails, and the agent calls it another's failure and goes on"
        found = [e for e in (*self.done, *self.open) if not (self.exemptions.is_none(e) or self.of_another_tree(e))]
        for episode in found:
            if episode.own_test:
                episode.attributed = "test"
            self.ownership.attribute(episode)
        return sorted(found, key=lambda e: (e.start.step, e.start.call or 0))

    def of_another_tree(self, episode: OpenEpisode) -> bool:
        """Whether a check failed outside the project only, and no change of the project made it pass.

        Then nothing shows that it was the change that failed: a copy may be an older state, or be broken on purpose.
        """
        if episode.attributed is not None or not all(self.outside(facts.cwd) for facts in episode.red_runs):
            return False
        edits = [self.edits[e.id] for attempt in episode.attempts for e in attempt]
        return episode.resolved not in ("masked", "unknown") and not (
            episode.resolved == "green" and any(f.in_root for f in edits)
        )

    def said_after(self, check: AnyEvent) -> str:
        """What the agent says next after a check, if it does nothing before it says it."""
        following = (s for s in self.steps[check.step + 1 :] if s.lane == check.lane and s.role == "agent")
        step = next(following, None)
        return "" if step is None else step.text

    def running(self, position: int, lane: str) -> list[OpenEpisode]:
        """The open episodes that an event of this lane can concern: its own, and those of lanes that have ended."""
        return [e for e in self.open if e.lane == lane or self.last_of_lane[e.lane] < position]

    # -- edits ---------------------------------------------------------------------------------------------------

    def edit(self, position: int, event: EditEvent) -> None:
        facts = self.edits[event.id]
        if event.role == "document":
            for episode in self.running(position, event.lane) if event.operation == "modify" else ():
                episode.documents.append(event)
            return
        if facts.in_root:
            self.tree.edit(event, facts, production=is_production(event, facts))
        self.exemptions.since_green.append(event)
        self.edited.append((event, facts))
        for episode in self.running(position, event.lane):
            # A scratch file elsewhere can repair only the scratch program that failed.
            repairs = facts.in_root or episode.first.facts.family.startswith("run")
            if facts.restoring in ("aside", "back", "switch"):
                continue
            if repairs:
                episode.since.append(event)
            why = self.exemptions.masks(position, episode, event, facts)
            if why is not None:
                self.close(episode, (position, event), "unknown" if episode.doubtful else "masked", why)

    # -- checks --------------------------------------------------------------------------------------------------

    def green(self, check: CheckRecord) -> None:
        if check.facts.start_tree:
            return
        # Without the changes, to which the agent then came back, it shows only that a broken tree was put back.
        without = self.tree.reverted and check.position < self.last_production
        for episode in self.running(check.position, check.event.lane):
            if without and episode.healthy != self.tree.tree:
                continue
            green = compare(episode, check.facts, set()).green
            episode.green |= green
            if episode.ids <= episode.green | episode.masked:
                self.passed(episode, check, "the same check passed")
            elif green:
                episode.partly = episode.snapshot(episode.ids), check
        self.healthy[check.facts.key] = self.tree.tree
        self.exemptions.green(check)

    def failing(self, check: CheckRecord) -> None:
        facts = check.facts
        ids = check.ids()
        if facts.start_tree or self.tree.at_start:
            theirs = (
                ids - self.ownership.untracked(ids) if facts.start_tree else self.ownership.of_start_tree(check, ids)
            )
            if not facts.mixed:
                self.baseline(check, theirs)
            ids -= theirs
            if facts.start_tree or not ids:
                return
        remaining = set(ids)
        because = environment(check, self.edited)
        for episode in self.running(check.position, check.event.lane):
            shown = compare(episode, facts, ids)
            if episode.own_test and (shown.red or same_check(episode.first.facts, facts)):
                self.open.remove(episode)  # it fails again, which is an error from here on
                continue
            first = episode.first.facts  # if it says what is wrong, a check that could not be done shows nothing of it
            explained = bool(first.diagnosed or first.message) and episode.attributed is None
            if because and (explained or not shown.seen):
                continue
            if (shown.red or shown.green) and facts.diagnosed and facts.family != "test" and episode.attributed is None:
                # A compiler or linter goes on complaining about the agent's work, if about other files of it.
                mine = ids - untouched(facts, self.edited)
                shown.red |= mine
                shown.seen |= mine
                episode.ids |= mine
            episode.green = (episode.green | shown.green) - shown.red
            other = because is None and not episode.names_failures()
            if shown.red and other and episode.attributed == "environment":
                self.passed(episode, check, "it fails in another way")
            elif shown.red:
                remaining -= shown.seen if facts.failing_known or facts.diagnosed else ids
                self.still_red(episode, check, shown.seen, named=shown.named)
            elif shown.green and episode.ids <= episode.green | episode.masked:
                self.passed(episode, check, "what failed passes in this run")
        if remaining:
            self.begin(check, remaining)

    def still_red(self, episode: OpenEpisode, check: CheckRecord, seen: set[str], *, named: bool) -> None:
        """A check that shows failures of the episode again."""
        if not episode.names_failures() and check.facts.failing_known:
            if not episode.attempts and not episode.since and check.facts.ran:
                # The first run did not show what failed, and the agent looked again: it begins here.
                self.open.remove(episode)
                self.begin(check, check.ids())
                return
            episode.ids = set(seen or check.ids())
        elif named:
            episode.ids = {i for i in episode.ids if place_and_title(i)[1]} | seen
        if episode.attributed is None and not episode.attempts and environment(check, self.edited):
            episode.attributed = "environment"
        self.part(episode, episode, check)
        self.attempt(episode, check, still_red=True)

    def part(self, episode: OpenEpisode, repaired: OpenEpisode, check: CheckRecord) -> None:
        """Failures of other files that are repaired by now were an episode of their own.

        ``repaired``: the episode as it was when they passed.
        """
        green = repaired.green - repaired.masked
        places = {place_and_title(i)[0] for i in green}
        if episode.first.facts.family != "test" or not green or "" in places:
            return
        if not places.isdisjoint(place_and_title(i)[0] for i in episode.ids - green):
            return
        repaired = repaired.snapshot(green)
        self.open.append(repaired)
        self.passed(repaired, check, "what failed passes in this run")
        episode.ids -= green
        episode.green -= green

    def passed(self, episode: OpenEpisode, check: CheckRecord, why: str) -> None:
        """All that failed passes, or its tests are gone."""
        end = (check.position, check.event)
        if episode.masked:
            episode.checks.append(check.event)
            why = "it is green, and failing tests were deleted, skipped or weakened"
            self.close(episode, end, "unknown" if episode.doubtful else "masked", why)
        else:
            self.attempt(episode, check, still_red=False)
            self.close(episode, end, "green", why)

    def begin(self, check: CheckRecord, ids: set[str]) -> None:
        """Open the episodes of a failing check: of the environment, of what was there before, and of the agent."""
        because = environment(check, self.edited)
        if because is None and never_started(check, self.checks.values()):
            because = "it selects nothing that is there"
        if because is not None:
            # Beside tests that ran and failed, it concerns the files that do not load.
            unloaded = {i for i in ids if check.facts.failing_known and not place_and_title(i)[1]} or ids
            self.start(check, unloaded, f"a failure of the environment ({because})", "environment")
            ids = ids - unloaded
            if not ids:
                return
        known = self.start_tree.known(check, ids)
        pursued = self.start_tree.pursued(
            check, set(known), shown=any(e.id in self.shown for es in known.values() for e in es)
        )
        theirs = set(known) - pursued
        if theirs:
            events = {e.id: e for i in theirs for e in known[i]}
            self.start(check, theirs, "a failure that the start tree has too", "existing", list(events.values()))
        others: set[str] = set()
        if check.facts.diagnosed and check.facts.key not in self.healthy:
            others = (ids - theirs) & untouched(check.facts, self.edited)
            if others:
                self.start(check, others, "a failure in files that the agent did not touch", "existing")
        errors = ids - theirs - others
        if not errors:
            return
        if self.exemptions.red_phase(check, errors, at_start=self.tree.at_start):
            if isinstance(check.event, TestRunEvent):
                self.red_phase.add(check.event.id)
                self.start(check, errors, "a test failed that the agent had just written or changed")
                self.open[-1].own_test = True
            return
        if self.exemptions.flaky(check):
            return
        if not failure_names(check.facts, errors).isdisjoint(self.exemptions.first_red):
            why = "a test of the agent's own fails again after edits"
        elif pursued:
            why = "a failure of the start tree that the agent set out to repair still fails after edits"
        else:
            why = f"a failing {check.facts.family}"
        self.start(check, errors, why)

    def start(
        self,
        check: CheckRecord,
        ids: set[str],
        why: str,
        attributed: Attribution | None = None,
        baseline: Sequence[AnyEvent] = (),
    ) -> None:
        whole = ids == check.ids()
        self.open.append(
            OpenEpisode(
                first=check,
                ids=ids,
                signature=check.facts.signature if whole else "tests: " + ", ".join(sorted(ids)),
                opened_by=why,
                checks=[check.event],
                trees=[self.tree.tree],
                red_runs=[check.facts],
                healthy=self.healthy.get(check.facts.key),
                attributed=attributed,
                baseline=list(baseline),
            )
        )

    def message(self, event: AnyEvent) -> str | int:
        """The message whose call an event is from: a log may have a message in several steps."""
        return self.steps[event.step].message_id or event.step

    def attempt(self, episode: OpenEpisode, check: CheckRecord, *, still_red: bool) -> None:
        # What was sent along with the run that failed was no answer to its failure.
        sent = self.message(episode.checks[-1])
        edits = [e for e in episode.since or episode.documents if self.message(e) != sent]
        episode.checks.append(check.event)
        if still_red:
            episode.red_runs.append(check.facts)
        if episode.attributed is None:
            if edits:
                episode.attempts.append(edits)
                episode.trees.append(self.tree.tree)
                episode.red += still_red
            elif still_red:
                episode.trees[-1] = self.tree.tree
            episode.since, episode.documents = [], []

    def close(self, episode: OpenEpisode, end: tuple[int, AnyEvent], resolved: Resolution, why: str) -> None:
        episode.end, episode.resolved, episode.closed_by = end, resolved, why
        self.open.remove(episode)
        if resolved != "green" or episode.red or not self.put_back(episode):
            self.done.append(episode)

    def put_back(self, episode: OpenEpisode) -> bool:
        """Whether the first attempt only reverted what had broken the check: nothing was repaired."""
        return bool(episode.attempts) and episode.healthy == episode.trees[-1] != episode.trees[0]

    def baseline(self, check: CheckRecord, ids: set[str]) -> None:
        """A check of the untouched tree fails: what failed alike before it was no error of the agent's."""
        self.start_tree.note(check, ids)
        if not self.edited:
            return
        self.shown.add(check.event.id)
        for episode in list(self.open):
            if (
                episode.own_test
                or episode.attributed == "environment"
                or episode.first.facts.family != check.facts.family
            ):
                continue
            known = set(self.start_tree.known(episode.first, episode.ids))
            known -= self.start_tree.pursued(episode.first, known, shown=True)
            if not known:
                continue
            if episode.attributed is None and known != episode.ids:
                theirs = episode.snapshot(known)
                episode.ids -= known
                self.open.append(theirs)
                episode = theirs
            episode.attributed = "existing"
            episode.opened_by = "a failure that the start tree has too"
            episode.baseline = [*episode.baseline, check.event]


def find_episodes(evidence: Evidence) -> tuple[list[EpisodeEvent], set[str]]:
    """The error episodes of a session, as events without ids, and the ids of the test runs that are no errors: red
    phases of the agent's own tests."""
    if not any(facts.failed for facts in evidence.checks.values()):
        return [], set()
    finder, found = _Finder(evidence), list[EpisodeEvent]()
    for episode in finder.run():
        end = episode.end[1] if episode.end is not None else episode.checks[-1]
        start_call = episode.start.call or 0
        end_call = end.call if end.call is not None and end.lane == episode.lane else start_call
        repeats = find_repeats(episode.attempts[: episode.red], episode.trees, evidence.edits)
        found.append(
            EpisodeEvent(
                **head(episode.start.position),
                signature=episode.signature[:500],
                start_call=start_call,
                end_call=max(start_call, end_call),
                attempts=len(episode.attempts),
                failed_attempts=episode.red,
                repeats=sum(repeats),
                resolved=episode.resolved,
                rule=f"{episode.opened_by}; {episode.closed_by}",
                checks=[c.id for c in episode.checks],
                attempt_edits=[[e.id for e in attempt] for attempt in episode.attempts],
                attributed=episode.attributed,
                baseline=[c.id for c in episode.baseline],
            )
        )
    closing = closing_message(evidence.trajectory)
    if closing is not None and abstention(closing.text):
        for event in found:
            if event.resolved == "unresolved" and event.counts:
                event.resolved, event.rule = "given_up", f"{event.rule}; the agent says that it gave up"
    return found, finder.red_phase
