"""What ladders ask besides checks: facts about a session that are neither good nor bad by themselves.

An observation is a function of the work that returns the events that show it (none: it does not hold), True or False
where no single event does, or None where the log cannot show it. Its name in ``grades.toml`` is its function's name
with hyphens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from ..evidence.claims.closing import names_command
from ..evidence.events import (
    AnyEvent,
    BuildEvent,
    EditEvent,
    EpisodeEvent,
    LintEvent,
    PlanEvent,
    ReadEvent,
    ReproductionEvent,
    RunEvent,
    SearchEvent,
    TestRunEvent,
)
from ..evidence.facts import ItemFacts, same_check
from ..evidence.testruns.ids import names_in_code, of_file
from .size import MEDIUM
from .work import Work

Predicate = Callable[[Work], Sequence[AnyEvent] | bool | None]


class Observation(Struct, frozen=True):
    """An observation. ``otherwise``: the sentence shown where it does not hold."""

    see: Predicate
    otherwise: str

    def holds(self, work: Work) -> bool | None:
        found = self.see(work)
        return None if found is None else bool(found)

    def events(self, work: Work) -> Sequence[AnyEvent]:
        """The events that show it; empty if it does not hold, or no single event shows it."""
        found = self.see(work)
        return () if found is None or isinstance(found, bool) else found


_OBSERVATIONS: dict[str, Observation] = {}


def observation(otherwise: str) -> Callable[[Predicate], Predicate]:
    """Register a predicate as an observation."""

    def register(see: Predicate) -> Predicate:
        _OBSERVATIONS[see.__name__.replace("_", "-")] = Observation(see, otherwise)
        return see

    return register


def all_observations() -> dict[str, Observation]:
    """Every observation by name."""
    return _OBSERVATIONS


def shown_or_open(shown: Sequence[AnyEvent], undecided: object) -> Sequence[AnyEvent] | None:
    """The events that show an observation; without any, None if it is open whether something does."""
    return shown or (None if undecided else ())


# -- the change


@observation("nothing but documents was changed")
def changed(work: Work) -> Sequence[AnyEvent]:
    """Something besides documents was changed, and remains."""
    return work.edits


@observation("nothing was changed")
def changed_anything(work: Work) -> Sequence[AnyEvent]:
    """Something was changed, if only documents, and remains."""
    return work.production


@observation("no production code was changed")
def changed_production(work: Work) -> bool:
    return any(e.role == "production" for e in work.edits)


# A closing message of so many words explains something: that is an answer, or a reason.
_EXPLAINS = 40


@observation("something was done, asked or explained")
def nothing_done(work: Work) -> bool:
    """A change was asked for, and the agent ended its work without a change, a question or a reason.

    Whoever ran a program may have changed what no edit shows. What is said at length is an answer, unless it makes
    claims that the log does not bear out.
    """
    session = work.session
    if not session.idle or any(map(work.acts, work.events)):
        return False
    unfounded = any(claim.verdict in ("contradicted", "not_shown") for claim in work.claims)
    words = len(work.evidence.closing.split())
    return work.evidence.trajectory.end in ("completed", None) and words > 0 and (words < _EXPLAINS or unfounded)


@observation("the work is trivial")
def more_than_trivial(work: Work) -> bool | None:
    return None if work.size is None else work.size not in ("none", "trivial")


@observation("several files were changed")
def few_files(work: Work) -> bool:
    """Fewer files than in medium work. Unlike lines, any log that names the edited files shows them."""
    return len({e.new_path or e.path for e in work.production}) < MEDIUM[0]


@observation("little was rewritten")
def reworked(work: Work) -> bool:
    """The agent came back to most of the files again and again: more than two later bursts of edits for each file."""
    seen: set[str] = set()
    again = 0
    for burst in work.session.bursts():
        paths = {e.path for e in burst if e.role == "production"}
        again += len(paths & seen)
        seen |= paths
    return again >= 3 and again > 2 * len(seen)


# -- verification


@observation("no check ran after the first edit")
def ran_a_check(work: Work) -> Sequence[AnyEvent] | None:
    """Some check of what was changed reported something, and did not merely fail to start or select nothing."""
    later = [e for e in work.checks if work.at[e.id] > work.first_edit and not work.environment(e)]
    return shown_or_open([e for e in later if work.outcome(e) != "unknown"], unreported(work, later))


def unreported(work: Work, events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The checks whose outcome the log does not show. A reproduction is for the agent to judge, and says no more."""
    checks = [e for e in events if isinstance(e, TestRunEvent | BuildEvent | LintEvent)]
    return [e for e in checks if e.outcome == "unknown" and not work.environment(e)]


def _green_after(work: Work, checks: Iterable[AnyEvent]) -> Sequence[AnyEvent] | None:
    """The checks that passed after the last edit; without any, None if one may have passed."""
    later = work.after_change(checks)
    return shown_or_open([e for e in later if work.green(e)], unreported(work, later))


@observation("no check passed after the last edit")
def check_after_last_edit(work: Work) -> Sequence[AnyEvent] | None:
    """Some check passed after the last edit: a test run, a build, a lint or a reproduction."""
    return _green_after(work, work.checks)


@observation("no test or reproduction passed after the last edit")
def test_after_last_edit(work: Work) -> Sequence[AnyEvent] | None:
    """A test run, or the run of a reproduction, passed after the last edit."""
    return _green_after(work, [e for e in work.checks if not isinstance(e, BuildEvent | LintEvent)])


@observation("no tests of a package or more passed after the last edit")
def broad_test_after_last_edit(work: Work) -> Sequence[AnyEvent] | None:
    """A test run of a package or of everything passed after the last edit."""
    return _green_after(work, [e for e in work.tests if work.breadth(e) >= 2])


@observation("no existing tests passed after the last edit")
def existing_tests_after_last_edit(work: Work) -> Sequence[AnyEvent] | None:
    """A test run passed after the last edit that covers more than the agent's own new test files."""
    own = {e.path.rsplit("/", 1)[-1] for e in work.session.edits if e.role == "test" and e.operation == "create"}

    def only_own(event: TestRunEvent) -> bool:
        facts = work.facts(event)
        targets = () if facts is None else facts.targets
        return bool(targets) and all(any(name in t for name in own) for t in targets)

    return _green_after(work, [e for e in work.tests if not only_own(e)])


@observation("no build or lint passed after the last edit")
def static_check_after_last_edit(work: Work) -> Sequence[AnyEvent] | None:
    return _green_after(work, [e for e in work.checks if isinstance(e, BuildEvent | LintEvent)])


@observation("no test was added or updated")
def tests_added(work: Work) -> Sequence[AnyEvent]:
    """Tests were added or updated, and remain; not those of which the log shows that they cannot fail."""
    edits = [e for e in work.session.edits if e.role == "test" and e.operation != "delete"]
    return [e for e in edits if not work.concern.adds_idle_tests(e)]


@observation("no check was seen failing before and passing after an edit")
def red_then_green(work: Work) -> Sequence[AnyEvent] | None:
    """The same check failed before an edit and passed after it."""
    return shown_or_open(red_green(work), red_green(work, may_be=True))


def red_green(work: Work, *, may_be: bool = False) -> list[AnyEvent]:
    """The failing and the passing run of the first check that was red before an edit and green after it.

    A failure that the agent's own change brought about shows nothing about the change: what counts failed before the
    first edit of production code, or is in a test or program that the agent wrote or changed.

    Args:
        may_be: a run whose outcome the log does not show may have been either.
    """
    edits = [e for e in work.events if isinstance(e, EditEvent)]
    failed: dict[str, AnyEvent] = {}
    for event in work.checks:
        facts = work.facts(event)
        key = "" if facts is None else facts.key or "|".join(sorted(facts.targets)) or getattr(event, "command", "")
        if not key:
            continue
        red = work.red(event) and not work.environment(event)
        either = may_be and bool(unreported(work, [event]))
        if (red or either) and key not in failed:
            if _meant_to_fail(work, event, edits):
                failed[key] = event
        elif (work.green(event) or either) and not red and key in failed:
            low, high = work.at[failed[key].id], work.at[event.id]
            if any(low < work.at[e.id] < high for e in edits):
                return [failed[key], event]
    return []


def _meant_to_fail(work: Work, event: AnyEvent, edits: Sequence[EditEvent]) -> bool:
    if work.at[event.id] < work.first_edit or isinstance(event, ReproductionEvent):
        return True
    tests = [e for e in edits if e.role == "test" and work.at[e.id] < work.at[event.id]]
    facts = work.facts(event)
    failing = event.failing if isinstance(event, TestRunEvent) else []
    # Runners that name tests by title alone do not say in which file one is; the command may, or the title itself.
    written = {t.name for e in tests for t in work.session.facts(e).tests}
    if any(not written.isdisjoint(names_in_code(test)) for test in failing):
        return True
    return any(of_file(name, e.path) for name in [*failing, *(facts.targets if facts else ())] for e in tests)


@observation("no program of the agent's own printed something else after the change")
def prints_otherwise(work: Work) -> Sequence[AnyEvent]:
    """A program of the agent's own ran before and after an edit of the project, and printed something else after it.

    Its text is the same: whether what it prints is right, the agent alone knows, but the change is what it shows.
    """
    edits = [e for e in work.events if isinstance(e, EditEvent)]
    first: dict[str, AnyEvent] = {}
    for event in work.reproductions:
        facts = work.facts(event)
        if facts is None or not facts.printed or work.environment(event):
            continue
        low = first.setdefault(event.command, event)
        between = [e for e in edits if work.at[low.id] < work.at[e.id] < work.at[event.id]]
        if any(of_file(event.command, e.path) or e.path.rsplit("/", 1)[-1] in event.command for e in between):
            first[event.command] = event  # another program by now
        elif between and (earlier := work.facts(low)) is not None and earlier.printed != facts.printed:
            return [low, event]
    return []


# -- planning


@observation("no approach was stated before the first edit")
def approach_stated(work: Work) -> bool:
    """The agent said something, in words, in its reasoning or in a todo list, before the first edit."""
    steps = work.evidence.trajectory.steps
    first = work.production[0].step if work.production else len(steps)
    words = sum(len(s.text.split()) + len(s.reasoning.split()) for s in steps[: first + 1] if s.role == "agent")
    lists = (e for e in work.events if isinstance(e, PlanEvent) and e.origin in ("tool", "mode") and e.step <= first)
    return words + sum(len(item.split()) for plan in lists for item in plan.items) >= 15


@observation("there was no plan before the first edit")
def plan_before_edit(work: Work) -> Sequence[AnyEvent]:
    """A plan of two or more items before the first edit, one of which would not fit into the plan of any task."""
    return [e for e, items in _plans_before_edit(work) if len(e.items) >= 2 and any(i.specific for i in items)]


def _plans_before_edit(work: Work) -> Iterator[tuple[PlanEvent, list[ItemFacts]]]:
    """The plans before the first edit, each with what is known of its items that the request does not have."""
    for event in work.events[: work.first_edit]:
        if isinstance(event, PlanEvent) and event.id in work.evidence.plans:
            yield event, [i for i in work.evidence.plans[event.id].items if not i.copies_prompt]


@observation("the plan names no check")
def plan_names_checks(work: Work) -> Sequence[AnyEvent]:
    """An item of the plan before the first edit says how the work is to be checked."""
    return [e for e, items in _plans_before_edit(work) if any(i.names_check and i.names_target for i in items)]


@observation("some edited files had not been read")
def read_what_it_edited(work: Work) -> Sequence[AnyEvent] | bool:
    """Every file that existed was read, or found by a search, before its first edit."""
    if unread(work):
        return False
    names = {e.path.rsplit("/", 1)[-1] for e in work.production}
    before = [e for e in work.before_change(work.looked) if isinstance(e, ReadEvent | SearchEvent)]
    return [e for e in before if any(name in e.target for name in names)] or True


def unread(work: Work) -> list[EditEvent]:
    """First edits of files that existed and that the agent had neither read nor written."""
    known: set[str] = set()
    found: list[EditEvent] = []
    for edit in work.production:
        name = edit.path
        if name in known:
            continue
        known |= {edit.path, *([edit.new_path] if edit.new_path else [])}
        if edit.operation == "modify" and not work.was_read(name, work.at[edit.id]):
            found.append(edit)
    return found


@observation("nothing that the change concerns was looked at, beyond the edited files")
def looked_around(work: Work) -> Sequence[AnyEvent] | None:
    """Before the first edit, something that the change concerns was read, searched or tried, besides the edited files.

    Of changes of documents alone, any look counts.
    """
    before = work.events[: work.first_edit]
    if not work.edits:
        return [e for e in before if isinstance(e, ReadEvent | SearchEvent | RunEvent)]
    looks = [(e, work.concern.looks(e)) for e in before]
    return shown_or_open([e for e, concerns in looks if concerns], any(concerns is None for _, concerns in looks))


@observation("no test was read before the first edit")
def read_tests(work: Work) -> bool:
    """A test file that the change concerns was read before the first edit."""
    return any(
        work.concern.looks(e)
        for e in work.before_change(work.looked)
        if isinstance(e, ReadEvent | SearchEvent) and ("test" in e.target.lower() or "spec" in e.target.lower())
    )


@observation("the symptom was not reproduced first")
def reproduced_first(work: Work) -> Sequence[AnyEvent]:
    """A check failed before the first edit of production code, and not because of the environment."""
    return reproduction(work)


def reproduction(work: Work) -> list[AnyEvent]:
    """The first check that failed before the first edit; or a program of the agent's own that it ran before and after.

    Such a program often only prints what the agent compares, so that its outcome is unknown.
    """
    red = [e for e in work.before_change(work.checks) if work.red(e) and not work.environment(e)]
    later = {e.command for e in work.reproductions if work.at[e.id] > work.first_edit}
    shown = [e for e in work.reproductions if work.at[e.id] < work.first_edit and e.command in later]
    return [*red, *shown][:1]


@observation("no program of the agent's own tried the result")
def tried_after_last_edit(work: Work) -> Sequence[AnyEvent]:
    """A program that the agent wrote ran after the last edit, and did not fail."""
    return [e for e in work.reproductions if not work.red(e) and work.at[e.id] > work.last_edit]


# -- recovery


@observation("nothing failed")
def something_failed(work: Work) -> Sequence[AnyEvent]:
    return work.session.episodes or _given_up(work)


@observation("what kept the checks from running was overcome, or told")
def checks_given_up(work: Work) -> Sequence[AnyEvent]:
    """A missing tool or module kept a check from running, nothing passed after that, and the end does not name it."""
    return _given_up(work)


def _given_up(work: Work) -> list[AnyEvent]:
    kept = [e for e in work.session.foreign_failures if e.attributed == "environment" and e.resolved != "green"]
    first = [check for e in kept for check in work.checks_of(e)[:1]]
    silent = [e for e in first if not names_command(work.evidence.closing, getattr(e, "command", ""))]
    if not silent or not work.edits or any(work.green(e) for e in work.checks if work.at[e.id] > work.at[silent[0].id]):
        return []
    return silent


@observation("a failure was left open")
def all_resolved(work: Work) -> Sequence[AnyEvent] | bool | None:
    return _resolved(work, None)


# So many failures of one check with only edits between are too many.
BLIND = 4


@observation("something new was looked at between the failures")
def edited_blindly(work: Work) -> Sequence[AnyEvent]:
    """A check failed four times or more, and between these failures the agent did nothing but edit."""
    return next((s for e in work.episodes if len(s := blind_streak(work, e)) >= BLIND), [])


def blind_streak(work: Work, episode: EpisodeEvent, *, alike: bool = False) -> list[AnyEvent]:
    """The longest series of failures between which the agent only edited: nothing read, searched or measured.

    Args:
        alike: end a series where another failure comes than before, which is something new.
    """
    best: list[AnyEvent] = []
    streak: list[AnyEvent] = []
    for event in work.checks_of(episode):
        if not work.red(event):
            continue
        if streak:
            between = work.events[work.at[streak[-1].id] + 1 : work.at[event.id]]
            edited = any(isinstance(e, EditEvent) for e in between)
            looked = any(isinstance(e, ReadEvent | SearchEvent | RunEvent) for e in between)
            if looked or (alike and not _alike(work, streak[-1], event)):
                streak = []
            elif not edited:
                streak = streak[:-1]
        streak.append(event)
        best = max(best, list(streak), key=len)
    return best


def _alike(work: Work, first: AnyEvent, second: AnyEvent) -> bool:
    """Whether two runs failed with the same message and in a common test, as far as both show it."""
    a, b = work.facts(first), work.facts(second)
    if a is None or b is None or not (a.message or a.failing) or not (b.message or b.failing):
        return False
    if a.message and b.message and a.message != b.message:
        return False
    return not (a.failing and b.failing and a.failing.isdisjoint(b.failing))


@observation("a failure took more than two attempts")
def resolved_quickly(work: Work) -> Sequence[AnyEvent] | bool | None:
    """Every episode ended green after at most two attempts."""
    return _resolved(work, 2)


@observation("a failure took more than one attempt")
def resolved_at_once(work: Work) -> Sequence[AnyEvent] | bool | None:
    return _resolved(work, 1)


def _resolved(work: Work, most: int | None) -> Sequence[AnyEvent] | bool | None:
    """The checks that ended the episodes, if each ended green after at most this many attempts.

    None: the outcome of a later run of the same check is not in the log.
    """
    failed = [e for e in work.episodes if e.resolved != "green" or (most is not None and e.attempts > most)]
    if failed:
        return None if all(may_be_green(work, e) for e in failed) else False
    unread = {t.red for t in work.evidence.tampering if t.how == "unread"}
    if any(not unread.isdisjoint(e.checks) for e in work.episodes):
        return None  # green by a change of the test that failed, which may have repaired or dropped it
    return [check for e in work.episodes for check in work.checks_of(e)[-1:]] or True


def may_be_green(work: Work, episode: EpisodeEvent) -> bool:
    """Whether a check that ended red was run again, and the log does not show how that ended."""
    checks = work.checks_of(episode)
    facts = work.facts(checks[-1]) if checks else None
    if episode.resolved not in ("unresolved", "given_up") or facts is None:
        return False
    later = unreported(work, work.events[work.at[checks[-1].id] + 1 :])
    return any((other := work.facts(e)) is not None and same_check(facts, other) for e in later)


# -- integrity


@observation("the agent did not look at its own diff")
def looked_at_own_diff(work: Work) -> Sequence[AnyEvent]:
    return [e for e in work.diffs if work.at[e.id] > work.first_edit]


@observation("nothing was committed")
def committed(work: Work) -> bool:
    return bool(work.session.commits)


def _green_runs(work: Work, share: float) -> Sequence[AnyEvent] | bool | None:
    """The test runs and builds after the first edit that passed, if they are more than a share.

    Reproductions are tried until they work, and new tests are run red first, so neither says how healthy the steps are.
    None: it depends on runs whose outcome is not in the log.
    """
    steps = [e for e in work.checks if isinstance(e, TestRunEvent | BuildEvent) and work.at[e.id] > work.first_edit]
    steps = [e for e in steps if not work.environment(e) and not getattr(e, "red_phase", False)]
    green = [e for e in steps if work.green(e)]
    open_ = unreported(work, steps)
    if len(green) > share * len(steps):
        return green
    return None if open_ and len(green) + len(open_) > share * len(steps) else False


@observation("it is not shown that most test runs and builds between the steps passed")
def mostly_green(work: Work) -> Sequence[AnyEvent] | bool | None:
    """More than half of the test runs and builds after the first edit passed."""
    return _green_runs(work, 0.5)


@observation("it is not shown that nearly all test runs and builds between the steps passed")
def nearly_always_green(work: Work) -> Sequence[AnyEvent] | bool | None:
    return _green_runs(work, 0.8)


# So many rounds of edits after which a check still failed are too many.
OFTEN_RED = 4


@observation("four rounds of edits or more left a check failing")
def seldom_left_red(work: Work) -> bool:
    """Fewer than four rounds of edits, over all failures, left the check failing that they were to repair."""
    return sum(e.failed_attempts for e in work.episodes) < OFTEN_RED
