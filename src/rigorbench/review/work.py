"""One session as checks and observations see it: the change, and the checks before and after it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from ..base.secrets import quoted_command
from ..base.text import count, differences
from ..evidence.events import (
    AbstainEvent,
    AnyEvent,
    AskEvent,
    BuildEvent,
    ClaimEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    InterruptEvent,
    LintEvent,
    ReadEvent,
    ReproductionEvent,
    RunEvent,
    SpawnEvent,
    TestRunEvent,
    VcsEvent,
)
from ..evidence.facts import CheckFacts, Effect
from ..evidence.testruns.ids import place_and_title, short
from ..session.model import Shell
from ..session.products import is_product
from .review import Size
from .scope import CheckScope, Concern
from .session import Session

# (files, lines) from which work is medium and large: review.md, section 2.
MEDIUM = (3, 150)
LARGE = (10, 500)
# Up to here one file's change is trivial.
TRIVIAL_LINES = 10


def size_of(session: Session) -> Size | None:
    """The size of the work; None: the log shows which files changed, but not enough of their text to tell."""
    edits = [e for e in session.edits if e.role != "document"]
    production = [e for e in edits if e.role == "production"] or edits
    if not edits:
        return "none"
    files = {e.new_path or e.path for e in production if e.operation != "delete"} or {e.path for e in production}
    if len(files) >= LARGE[0]:
        return "large"
    of: defaultdict[str, list[EditEvent]] = defaultdict(list)
    for edit in production:
        of[edit.new_path or edit.path].append(edit)
    lines = [changed_lines(session, path, of[path]) for path in files]
    known = sum(n for n in lines if n is not None)
    if known >= LARGE[1]:
        return "large"
    if len(files) >= MEDIUM[0] or known >= MEDIUM[1]:
        return "medium"
    if None in lines:
        return None
    return "trivial" if len(files) == 1 and known <= TRIVIAL_LINES else "small"


def changed_lines(session: Session, path: str, edits: Sequence[EditEvent]) -> int | None:
    """Lines of a file that were added or removed from its first to its last edit; None: the log does not show them."""
    made = [session.facts(e).change for e in edits]
    first, last = made[0], made[-1]
    before = first.before if first.operation != "create" else ""
    if before is not None and last.after is not None:
        return _different(before, last.after)
    total = 0
    for change in made:
        if change.hunks:
            total += sum(_different(old, new) for old, new in change.hunks)
        elif change.after is not None and change.operation == "create":
            total += change.after.count("\n") + 1
        else:
            return None
    return total


def _different(before: str, after: str) -> int:
    return sum(max(i2 - i1, j2 - j1) for i1, i2, j1, j2 in differences(before.splitlines(), after.splitlines()))


CheckEvent = TestRunEvent | BuildEvent | LintEvent | ReproductionEvent
RED = ("failed", "error")
# What git only shows.
_GIT_SHOWS = ("status", "diff", "log", "show", "blame", "grep", "ls-files", "rev-parse")
# The files of a diff, as the lines before its hunks name them, and the lines that it adds or takes away.
_IN_DIFF = re.compile(r"^(?:\+\+\+|---) (\S+)", re.MULTILINE)
# How git reports a commit, on lines of which all but the first are indented; and what prints more of git behind it.
_MORE_GIT = re.compile(rf"git (?:push|tag|branch|{'|'.join(_GIT_SHOWS)})\b")
_COMMITTED = re.compile(r"^\[[^\]\n]+ [0-9a-f]{7,}\] ", re.MULTILINE)
_CHANGED = re.compile(r"^[+-](?![+-]{2} )\s*(\S.{3,}?)\s*$", re.MULTILINE)


_SCRIPT = re.compile(r"(?:\S*/)?(?:ba|z|da)?sh (?!-)|\S+\.sh\b")


def quoted(event: AnyEvent) -> str:
    """The command of a check, its secrets masked, cut, and how many tests it says to have passed."""
    command = f"`{quoted_command(getattr(event, 'command', ''))}`"
    passed = event.passed if isinstance(event, TestRunEvent) and event.outcome == "passed" else None
    # The number of a script of the agent may be that of several runs.
    passed = None if _SCRIPT.match(getattr(event, "command", "")) else passed
    return f"{command} ({count(passed, 'test')})" if passed else command


def went_green(red: AnyEvent, green: AnyEvent, when: str = "") -> str:
    """That a check failed, and that it, or another of the same, or what had failed in it, passed later."""
    if getattr(green, "outcome", "passed") != "passed":
        return f"{quoted(red)} failed{when}, and what had failed passed in a later run"
    same = getattr(red, "command", "") == getattr(green, "command", "")
    return f"{quoted(red)} failed{when}, and {'passed later' if same else f'later {quoted(green)} passed'}"


def red_green_in_words(work: Work, pair: Sequence[AnyEvent]) -> str:
    """The failing and the passing run of a red-green, and on which tree the first ran."""
    red, facts = pair[0], work.facts(pair[0])
    away = " without the change" if facts is not None and not facts.mixed else " on another tree"
    if work.at[red.id] < work.at[pair[1].id]:
        return went_green(red, pair[1], away if red.id in work.evidence.elsewhere else " before an edit of the code")
    same = getattr(red, "command", "") == getattr(pair[1], "command", "")
    return f"{quoted(pair[1])} passed, and {'' if same else f'{quoted(red)} '}failed{away}"


def ended_well(work: Work, event: AnyEvent) -> str:
    """That a green check passed after the last edit; or that it failed in nothing but what had failed before."""
    # What one call did first, a record of the files after it does not show.
    later = [e for e in work.session.project_edits if work.at[e.id] > work.at[event.id] and not is_product(e.path, ())]
    tests = any(e.role == "test" and (e.step, e.call) != (event.step, event.call) for e in later)
    # A later edit may have put back what the check saw.
    edited = any(e.role == "production" for e in later)
    when = "on the code as it is at the end" if edited else "after the last edit of the code"
    # A script that edits as well does so before, between and after what it runs.
    last, script = work.production[-1:], _SCRIPT.match(getattr(event, "command", ""))
    if not edited and script and last and (last[0].step, last[0].call) == (event.step, event.call):
        when = "in the call of the last edit of the code"
    if getattr(event, "outcome", "passed") == "passed":
        return f"{quoted(event)} passed {when}{', not of its tests' if tests else ''}"
    return f"{quoted(event)} {when} failed only where it had failed before the change"


class Work:
    """Views on a session that several checks share. Positions are indexes into ``events``."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.evidence = session.evidence
        self.events: Sequence[AnyEvent] = session.events
        self.at = session.position
        self.size: Size | None = size_of(session)
        # A failing test that was taken away is a change, be it the only one.
        bent = {t.change for t in self.evidence.tampering if t.accuses}
        self.left: list[EditEvent] = list(session.edits) or [e for e in session.project_edits if e.id in bent]
        """The edits of which something remains."""
        self.edits = [e for e in self.left if e.role != "document" and not session.facts(e).layout]
        """Those without documents and changes of layout only."""
        code = [e for e in self.edits if e.role == "production"]
        # What was deleted and is no source (the product of a build, say) is no part of the work.
        kept = [e for e in code if e.operation != "delete" or session.facts(e).code]
        self.production = kept or code or self.edits or self.left
        """The edits that the work is about: of production code; else of other files; else of documents."""

    # -- the change

    @cached_property
    def concern(self) -> Concern:
        """Which looks at the code have to do with the change."""
        return Concern(self.session, self.production)

    @cached_property
    def scope(self) -> CheckScope:
        """What the checks ran on."""
        return CheckScope(self.session, self.production)

    @cached_property
    def first_edit(self) -> int:
        """Position of the first edit of the work, whether it remains or not; the end if none remains."""
        if not self.production:
            return len(self.events)
        role, facts = self.production[0].role, self.session.facts
        tried = [e for e in self.session.project_edits if e.role == role and not (facts(e).layout or facts(e).restored)]
        return min(self.at[e.id] for e in (*tried, self.production[0]))

    @cached_property
    def last_edit(self) -> int:
        """Position of the last edit that matters to checks; -1 if there is none."""
        return self.at[self.production[-1].id] if self.production else -1

    def may_have(self, effect: Effect, before: int | None = None, after: int = -1) -> bool:
        """:meth:`~rigorbench.evidence.facts.Evidence.may_have`."""
        return self.evidence.may_have(effect, before, after)

    # -- checks

    def facts(self, event: AnyEvent) -> CheckFacts | None:
        return self.evidence.checks.get(event.id)

    @cached_property
    def tests(self) -> list[TestRunEvent]:
        """Runs of a test runner that can show something of the change."""
        return [e for e in self.checks if isinstance(e, TestRunEvent)]

    @cached_property
    def checks(self) -> list[CheckEvent]:
        """Those that can show something of the change."""
        found = [e for e in self.every_check if not self.concern.misses(e)]
        return [e for e in found if self.scope.assertions_off(e) is None]

    @cached_property
    def every_check(self) -> list[CheckEvent]:
        """Test runs, builds, lints and reproductions of the agent's own tree."""
        return [e for e in self.events if isinstance(e, CheckEvent) and e.id not in self.evidence.elsewhere]

    def may_have_checked(self, after: int) -> bool:
        """Whether something may have been checked after a position that no check shows: also by any program that is
        run, since nothing shows whether it checks anything.
        """
        runs = (isinstance(e, RunEvent) and not isinstance(e, CheckEvent) for e in self.events[after + 1 :])
        return self.may_have("run", after=after) or any(runs)

    def says_what_failed(self, event: AnyEvent) -> bool:
        """Whether a check names the tests or the places that failed: else a failure may be that of another command."""
        facts = self.facts(event)
        return facts is not None and bool(facts.failing_known or facts.diagnosed)

    def ran_a_hook(self, commit: CommitEvent) -> bool:
        """Whether something printed more than git's report of a commit: a hook may have checked it."""
        output, call = self.session.reading.shown(commit), self.session.reading.call(commit)
        report = _COMMITTED.search(output)
        if report is None:
            return False
        said = output[: report.start()].splitlines()
        command = call.action.command if call is not None and isinstance(call.action, Shell) else ""
        if not _MORE_GIT.search(command.rpartition("git commit")[2]):
            said += output[report.end() :].splitlines()[1:]
        return any(line.strip() and not line.startswith((" ", "warning:")) for line in said)

    def outcome(self, event: AnyEvent) -> str:
        """ "passed", "failed", "error" or "unknown"."""
        return event.outcome if isinstance(event, CheckEvent) else "unknown"

    def red(self, event: AnyEvent) -> bool:
        return self.outcome(event) in RED

    def green(self, event: AnyEvent) -> bool | None:
        """Whether a check passed, or failed only in tests that fail without the change and are not what it is about.

        None: all that failed had failed before, and nothing shows whether the work was to repair it.
        """
        outcome = self.outcome(event)
        if outcome != "failed" or not isinstance(event, TestRunEvent) or not event.failing:
            return outcome == "passed"
        failing = set(event.failing)
        if not failing <= self._failed_before or failing & self._targets:
            return False
        return True if failing <= self._existing else None

    @cached_property
    def _failed_before(self) -> set[str]:
        """The tests that failed without the change."""
        shown = {i for e in self.session.foreign_failures for i in e.baseline}
        runs = self.session.test_runs
        untouched = [e for e in runs if self.at[e.id] < self.first_edit or self._on_start(e) or e.id in shown]
        return {test for run in untouched for test in run.failing}

    @cached_property
    def _existing(self) -> set[str]:
        """The tests of failures that were there before, and that the agent did not set out to repair."""
        episodes = [e for e in self.session.foreign_failures if e.attributed == "existing"]
        runs = [self._by_id[i] for e in episodes for i in (*e.checks, *e.baseline) if i in self._by_id]
        return self._failed_before & {test for run in runs if isinstance(run, TestRunEvent) for test in run.failing}

    @cached_property
    def _targets(self) -> set[str]:
        """The tests that failed without the change and that it is about: the request names one, or its file, or what it
        says; or the agent ran it alone before its edits and again after them."""
        found: set[str] = set()
        before = [e for e in self.session.test_runs if self.at[e.id] < self.first_edit]
        later = {f.targets for e in self.tests if self.at[e.id] > self.first_edit and (f := self.facts(e)) is not None}
        for run in before:
            facts = self.facts(run)
            again = facts is not None and facts.selective and facts.targets in later and not run.passed
            found |= {test for test in run.failing if again or self._is_named(test)}
        return found

    def _is_named(self, test: str) -> bool:
        """Whether the request names a test, or the file that it is in."""
        words = self.session.instruction
        place, title = place_and_title(test)
        names = [short(title) if title else "", place.rsplit("/", 1)[-1]]
        return any(len(name) > 4 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) for name in names)

    def is_target(self, episode: EpisodeEvent) -> bool:
        """Whether a failure is one that was there before, and that the work was to repair."""
        runs = [e for e in self.checks_of(episode) if isinstance(e, TestRunEvent)]
        return bool(runs) and not self._targets.isdisjoint(runs[-1].failing)

    def _on_start(self, event: AnyEvent) -> bool:
        facts = self.facts(event)
        return facts is not None and facts.start_tree and not facts.mixed

    def environment(self, event: AnyEvent) -> bool:
        """Whether a failure is not the code's fault: a missing tool, the network, a wrong directory."""
        facts = self.facts(event)
        return facts is not None and (facts.infrastructure is not None or not facts.ran)

    def after_change(self, events: Iterable[AnyEvent]) -> list[AnyEvent]:
        """The events that see the final state of the code: after the last edit, or on a tree equal to the final one."""
        return [e for e in events if self.at[e.id] > self.last_edit or self._on_final_tree(e)]

    @cached_property
    def _trees(self) -> tuple[list[int], list[int]]:
        """Positions of the edits of the project, and the tree after each."""
        found = [(self.at[e.id], e) for e in self.session.project_edits if e.id in self.session.trees]
        return [n for n, _ in found], [self.session.trees[e.id] for _, e in found]

    def _on_final_tree(self, event: AnyEvent) -> bool:
        positions, trees = self._trees
        number = bisect_left(positions, self.at[event.id])
        return 0 < number < len(trees) and trees[number - 1] == trees[-1]

    def other_tree_since(self, event: AnyEvent) -> bool:
        """Whether version control exchanged files after an event: by a restore, another branch, a merge, a rebase."""
        return any(e.id in self.evidence.exchanges for e in self.events[self.at[event.id] + 1 :])

    def before_change(self, events: Iterable[AnyEvent]) -> list[AnyEvent]:
        return [e for e in events if self.at[e.id] < self.first_edit]

    # -- failures

    @cached_property
    def _by_id(self) -> dict[str, AnyEvent]:
        return {e.id: e for e in self.events}

    def checks_of(self, episode: EpisodeEvent) -> list[AnyEvent]:
        """The runs of the check that failed, in order."""
        return [self._by_id[i] for i in episode.checks if i in self._by_id]

    def family(self, episode: EpisodeEvent) -> str:
        """ "test", "build", "lint", or "run:" and the program."""
        facts = self.evidence.checks.get(episode.checks[0]) if episode.checks else None
        return "" if facts is None else facts.family

    # -- reading

    @cached_property
    def read_before(self) -> list[ReadEvent]:
        """What was read before the first edit."""
        return [e for e in self.before_change(self.events) if isinstance(e, ReadEvent)]

    @cached_property
    def diffs(self) -> list[AnyEvent]:
        """Looks at the own change: ``git diff`` or ``git show`` whose output has the text of what was edited."""
        return [e for e in self.events if isinstance(e, VcsEvent) and self._shows_own(e)]

    def _shows_own(self, event: VcsEvent) -> bool:
        """Whether a file of the change is in the output, and with a line of the change: an older one has others."""
        if " diff" not in event.command and " show" not in event.command:
            return False
        output = self.session.reading.shown(event)
        names = {name.rsplit("/", 1)[-1] for name in _IN_DIFF.findall(output)}
        lines = set(_CHANGED.findall(output))
        own = [self.session.facts(e).change for e in self.production if e.path.rsplit("/", 1)[-1] in names]
        texts = [[text for hunk in c.hunks for text in hunk] + [c.after or ""] for c in own]
        return any(not any(t) or any(line.strip() in lines for text in t for line in text.splitlines()) for t in texts)

    def acts(self, event: AnyEvent) -> bool:
        """Whether an event may have changed something, asks, gives a reason not to, or breaks off."""
        if event.id in self.evidence.effectless:
            return False
        if isinstance(event, VcsEvent):
            return not any(event.command.startswith(f"git {shows}") for shows in _GIT_SHOWS)
        acting = (EditEvent, CommitEvent, RunEvent, SpawnEvent, AskEvent, AbstainEvent, InterruptEvent)
        return isinstance(event, acting)

    @cached_property
    def claims(self) -> list[ClaimEvent]:
        return [e for e in self.events if isinstance(e, ClaimEvent)]
