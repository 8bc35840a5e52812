"""Observations of verification: what ran on the change, and what it showed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...evidence.events import AnyEvent, BuildEvent, EditEvent, LintEvent, ReproductionEvent, TestRunEvent
from ...evidence.testruns.ids import names_in_code, of_file
from ..work import Work
from .registry import observation, shown_or_open


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
        elif between and (earlier := work.facts(low)) is not None and not facts.printed <= earlier.printed:
            # A line that is only missing shows nothing: a warning comes when a file is compiled for the first time.
            return [low, event]
    return []
