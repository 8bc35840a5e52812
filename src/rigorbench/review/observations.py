"""Facts about a session that are neither good nor bad by themselves: checks, the words of the pillars and the proof of
what a reader says rest on them.

An observation is a function of the work that returns the events that show it; none: nothing shows it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence

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
from ..evidence.paths import role
from ..evidence.testruns.ids import names_in_code, of_file, selected, short, writes_test
from .work import Work

# The least breadth of a run of a package or more.
BROAD = 2
_TRIALS = (TestRunEvent, ReproductionEvent)
_STATIC = (BuildEvent, LintEvent)


def unreported(work: Work, events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The checks whose outcome the log does not show. A reproduction is for the agent to judge, and says no more."""
    checks = [e for e in events if isinstance(e, TestRunEvent | BuildEvent | LintEvent)]
    return [e for e in checks if e.outcome == "unknown" and not work.environment(e)]


def _green_after(
    work: Work, kinds: tuple[type[AnyEvent], ...], proves: Callable[[AnyEvent], bool | None] = lambda _: True
) -> list[AnyEvent]:
    """The checks of some kinds that passed after the last edit and that prove something."""
    later = work.after_change(e for e in work.checks if isinstance(e, kinds))
    return [e for e in later if proves(e) and work.green(e) and not work.scope.elsewhere(e)]


def test_after_last_edit(work: Work) -> list[AnyEvent]:
    """A test run, or the run of a reproduction, passed after the last edit."""
    return _green_after(work, _TRIALS)


def broad_test_after_last_edit(work: Work) -> list[AnyEvent]:
    """A test run of a package or of everything passed after the last edit."""
    return _green_after(work, (TestRunEvent,), lambda e: (work.scope.breadth(e) or 0) >= BROAD)


def existing_tests_after_last_edit(work: Work) -> list[AnyEvent]:
    """A test run passed after the last edit that includes tests which were there before."""
    return _green_after(work, (TestRunEvent,), lambda e: isinstance(e, TestRunEvent) and work.scope.runs_old_tests(e))


def static_check_after_last_edit(work: Work) -> list[AnyEvent]:
    """A build or a lint of what was changed passed after the last edit."""
    return _green_after(work, _STATIC, work.scope.builds_change)


def tests_added(work: Work) -> list[EditEvent]:
    """Tests were added or updated, and remain; not those of which the log shows that they cannot fail."""
    edits = [e for e in work.session.edits if e.role == "test" and e.operation != "delete"]
    return [e for e in edits if not work.concern.adds_idle_tests(e)]


def red_green(work: Work) -> list[AnyEvent]:
    """The failing and the passing run of the first check that was red before a change of the code and green after it.

    A failure that the agent's own change brought about shows nothing about the change: what counts failed before the
    first edit of production code, or is in a test or program that the agent wrote or changed. Where what failed was
    itself changed in between, or was made to pass otherwise, it shows nothing either. Else a run where the change was
    put aside may show it.
    """
    bent = {t.red for t in work.evidence.tampering if t.accuses}
    failed: dict[str, list[AnyEvent]] = {}
    for event in work.checks:
        facts = work.facts(event)
        key = "" if facts is None else facts.key or "|".join(sorted(facts.targets)) or getattr(event, "command", "")
        if not key or (isinstance(event, BuildEvent | LintEvent) and not work.scope.builds_change(event)):
            continue
        # Where every test passed, something else ended the run.
        all_passed = isinstance(event, TestRunEvent) and event.passed and not (event.failed or event.failing)
        red = work.red(event) and not work.environment(event) and not all_passed
        if work.green(event) and not red:
            first = next((e for e in failed.get(key, ()) if _repaired(work, e, event)), None)
            if first is not None:
                return [first, event]
        if red and event.id not in bent and _meant_to_fail(work, event):
            failed.setdefault(key, []).append(event)
    return _without_change(work)


def _without_change(work: Work) -> list[AnyEvent]:
    """A test run that failed where the change was put aside, and one of the same tests that passed with it."""
    for red in work.session.test_runs:
        before = work.facts(red)
        if before is None or not before.start_tree or not (red.failing or red.failed) or work.environment(red):
            continue
        changed = work.after_change(work.tests)
        if any(e is not red and not set(red.failing).isdisjoint(getattr(e, "failing", ())) for e in changed):
            continue  # with the change it fails as well
        for green in changed:
            after = work.facts(green)
            if after is None or not work.green(green) or not same_check(before, after):
                continue
            if before.targets == after.targets or not after.selective:
                return [red, green]
    return []


def _repaired(work: Work, red: AnyEvent, green: AnyEvent) -> bool:
    """Whether the code was changed between two runs, what failed was not, and it is part of the second."""
    before, after = work.facts(red), work.facts(green)
    if before is None or after is None:
        return False
    between = [e for e in work.events[work.at[red.id] : work.at[green.id]] if isinstance(e, EditEvent)]
    ran = [*getattr(red, "failing", ()), *before.targets, red.command if isinstance(red, ReproductionEvent) else ""]
    failing = red.failing if isinstance(red, TestRunEvent) else []
    own = [
        e
        for e in between
        if any(of_file(name, e.path) for name in ran)
        or (e.role == "test" and any(writes_test(test, e, work.session.facts(e)) for test in failing))
    ]
    if any(_changes_what_failed(work, e, red) for e in own if e.role == "test" or e.path in work.scope.made):
        return False
    if before.failing_known and before.failing:
        still = [i for i in before.failing if i not in after.failing]
        covered = any(not after.selective or selected(i, after.targets) for i in still)
    else:
        covered = before.targets == after.targets or not after.selective
    code = {e.id for e in work.production if e.role != "test"}
    return covered and any(e.id in code for e in between)


def _changes_what_failed(work: Work, edit: EditEvent, red: AnyEvent) -> bool:
    """Whether an edit changes a test or program that failed, and does not only add to its file."""
    facts = work.session.facts(edit)
    hunks = facts.change.hunks
    if hunks and all(set(old.splitlines()) <= set(new.splitlines()) for old, new in hunks):
        return False
    failing = red.failing if isinstance(red, TestRunEvent) else []
    return not failing or any(writes_test(test, edit, facts) for test in failing)


def _meant_to_fail(work: Work, event: AnyEvent) -> bool:
    if work.at[event.id] < work.first_edit or isinstance(event, ReproductionEvent):
        return True
    tests = [e for e in work.events[: work.at[event.id]] if isinstance(e, EditEvent) and e.role == "test"]
    facts = work.facts(event)
    failing = event.failing if isinstance(event, TestRunEvent) else []
    # Runners that name tests by title alone do not say in which file one is; the command may, or the title itself.
    written = {t.name for e in tests for t in work.session.facts(e).tests}
    if any(not written.isdisjoint(names_in_code(test)) for test in failing):
        return True
    return any(of_file(name, e.path) for name in [*failing, *(facts.targets if facts else ())] for e in tests)


# -- what was read, said and tried before the first edit


def plan_before_edit(work: Work) -> Sequence[PlanEvent]:
    """A plan of two or more items before the first edit, one of which would not fit into the plan of any task."""
    return [e for e, items in _plans_before_edit(work) if len(e.items) >= 2 and any(i.specific for i in items)]


def _plans_before_edit(work: Work) -> Iterator[tuple[PlanEvent, list[ItemFacts]]]:
    """The plans before the first edit, each with what is known of its items that the request does not have.

    A list in a file that was there before is a text of the project, and no plan of the agent's.
    """
    made, older = set[str](), -1  # files that the agent made; the step of its last edit of another
    # An answer of aider is its edits: a list in it may tell the user what to do after them.
    aider = work.session.evidence.trajectory.format == "aider" and bool(work.production)
    answer = work.production[0].step if aider else -1
    for event in work.events[: work.first_edit]:
        if isinstance(event, EditEvent):
            made |= {event.path} if event.operation == "create" else set()
            older = event.step if event.path not in made else -1
        elif isinstance(event, PlanEvent) and event.step != (older if event.origin == "file" else answer):
            yield event, [i for i in work.evidence.plans[event.id].items if not i.copies_prompt]


def unread(work: Work) -> list[EditEvent]:
    """First edits of files that existed and of which the agent had seen nothing."""
    return [edit for edit in _first_edits(work) if work.session.reading.knew(edit) is False]


def _first_edits(work: Work) -> list[EditEvent]:
    """The first edit of each file."""
    known: set[str] = set()
    found: list[EditEvent] = []
    for edit in work.production:
        if edit.path not in known:
            found.append(edit)
        known |= {edit.path, edit.new_path or edit.path}
    return found


def read_tests(work: Work) -> list[ReadEvent]:
    """A file that the change concerns and that is a test by its name was read before the first edit, if not made."""
    tests = [e for e in work.read_before if role(posixpath.basename(e.target)) == "test"]
    tests, edited = [e for e in tests if e.target not in work.scope.made], {e.path for e in work.edits}
    return [e for e in tests if e.target in edited or work.concern.looks(e)]


def reproduction(work: Work) -> list[AnyEvent]:
    """The first run before the first edit that showed the symptom: a test that the request names, that is new or that
    passed after the change, an assertion, or the error that the request names.

    A missing module or tool is no symptom, nor is an error of any kind that the request does not name.
    """
    foreign = {i for e in work.session.foreign_failures if e.attributed == "environment" for i in e.checks}
    before = work.before_change(work.checks)
    repaired = red_green(work)[:1]
    red = [e for e in before if work.red(e) and e.id not in foreign and (e in repaired or _shows_symptom(work, e))]
    return red[:1]


def _shows_symptom(work: Work, event: AnyEvent) -> bool:
    facts = work.facts(event)
    if facts is None or work.environment(event):
        return False
    text, own = work.session.instruction, work.scope.made
    if isinstance(event, TestRunEvent) and (event.failing or event.failed):  # others may have failed for long
        return any(short(t) in text or any(of_file(t, path) for path in own) for t in event.failing)
    name, _, message = (part.strip() for part in facts.message.partition(":"))
    named = any(len(part) > 4 and part in text for part in (name, message))
    return named or name.rsplit(".", 1)[-1].startswith("Assert")


def tried_after_last_edit(work: Work) -> list[AnyEvent]:
    """A program that the agent wrote into a file ran after the last edit, and did not fail."""
    own = {posixpath.basename(path) for path in work.scope.made}
    ran = [e for e in work.checks if isinstance(e, ReproductionEvent) and work.at[e.id] > work.last_edit]
    return [e for e in ran if not work.red(e) and any(posixpath.basename(w) in own for w in e.command.split())]


# -- what failed, and how it ended


# So many failures of one check with only edits between are too many.
BLIND = 4


def blind_streak(work: Work, episode: EpisodeEvent) -> list[AnyEvent]:
    """The longest series of like failures between which the agent only edited: nothing read, searched or measured."""
    best: list[AnyEvent] = []
    streak: list[AnyEvent] = []
    for event in filter(work.red, work.checks_of(episode)):
        if streak:
            between = work.events[work.at[streak[-1].id] + 1 : work.at[event.id]]
            edited = any(isinstance(e, EditEvent) and e.step > streak[-1].step for e in between)
            looked = any(isinstance(e, ReadEvent | SearchEvent | RunEvent) for e in between)
            if looked or not _alike(work, streak[-1], event):
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


def attempted(work: Work, episode: EpisodeEvent) -> set[str]:
    """The roles of the files that the attempts at a failure edited."""
    roles = {e.id: e.role for e in work.events if isinstance(e, EditEvent)}
    return {roles.get(edit, "test") for attempt in episode.attempt_edits for edit in attempt}


def may_be_green(work: Work, episode: EpisodeEvent) -> bool:
    """Whether a check that ended red was run again, and the log does not show how that ended."""
    checks = work.checks_of(episode)
    facts = work.facts(checks[-1]) if checks else None
    if episode.resolved not in ("unresolved", "given_up") or facts is None:
        return False
    later = unreported(work, work.events[work.at[checks[-1].id] + 1 :])
    return any((other := work.facts(e)) is not None and same_check(facts, other) for e in later)
