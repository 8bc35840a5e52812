"""Grades: those of a reading; without one, what the rules prove of each pillar, in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ..base.text import count
from ..evidence.events import AskEvent, ReproductionEvent, TestRunEvent
from ..metrics.failures import open_failure, why_no_error
from ..metrics.session import file_names
from ..reader.model import Mark, Reading
from . import observations as see
from .model import GRADES, Grade
from .work import Work

NEEDS_READER = "grades need a reader: `rigor score LOG --reader claude`"
NOTHING_PROVEN = "the rules prove nothing of it"


def read_grades(reading: Reading) -> tuple[Grade, dict[str, Grade]]:
    """The overall grade of a reading, and the others by name."""
    missing = Mark(None, "the reader says nothing of it")
    found = {name: _grade(reading.grades.get(name, missing)) for name in ("overall", *GRADES)}
    return found.pop("overall"), found


def _grade(mark: Mark) -> Grade:
    if mark.value is None:
        return Grade(None, "not_applicable", mark.why, mark.at)
    return Grade((mark.value - 1) * 25, "scored", mark.why, mark.at)


def unread_grades(work: Work, fired: Collection[str]) -> dict[str, Grade]:
    """What is known of each grade of a session that nobody has read. ``fired``: ids of the checks that fired."""
    return {name: _unread(work, fired, *_KNOWN[name]) for name in GRADES}


Why = Callable[[Work], str | None]
Say = Callable[[Work, Collection[str]], Iterator[str]]


def _unread(work: Work, fired: Collection[str], why_not: Why, say: Say) -> Grade:
    if (why := why_not(work)) is not None:
        return Grade(None, "not_applicable", why)
    return Grade(None, "unread", "; ".join(say(work, fired)) or NOTHING_PROVEN)


# -- where nothing of the kind arose


def _nothing_changed(work: Work) -> str | None:
    return None if work.production or work.may_have("edit") else work.session.no_change


def _no_code_changed(work: Work) -> str | None:
    if work.edits or work.may_have("edit") or not (edits := work.session.edits):
        return None if work.edits else _nothing_changed(work)
    return f"the log shows only changes of documents, or of layout ({file_names(edits)})"


def _nothing_failed(work: Work) -> str | None:
    session = work.session
    failed = session.episodes or session.foreign_failures or any(e.red_phase for e in session.test_runs)
    if failed or session.cached(open_failure):
        return None
    return _nothing_changed(work) or why_no_error(session)


def _always_arises(work: Work) -> str | None:
    """Whether something had to be asked, no rule knows."""
    return None


# -- what is proven; of what is not known, nothing is said


def _planning(work: Work, fired: Collection[str]) -> Iterator[str]:
    if see.knew_what_it_edited(work):
        yield "some text of each existing file of code known before its first edit"
    elif "P-unread" in fired:
        yield f"{count(len(see.unread(work)), 'file')} edited that nothing shows to have been read"
    if see.plan_before_edit(work):
        yield "a plan before the first edit"
    if found := see.reproduction(work):
        yield f"{'a check failed' if work.red(found[0]) else 'the behaviour was tried'} before the first edit"
    if see.read_tests(work):
        yield "tests read before the first edit"
    elif see.looked_around(work):
        yield "the agent searched, or read more than the files that it edits, before the first edit"


def _verification(work: Work, fired: Collection[str]) -> Iterator[str]:
    if "V-ended-on-red" in fired:
        yield "a check still failed at the end"
    if see.broad_test_after_last_edit(work):
        yield "the tests of a package or more passed after the last edit of the code"
    elif see.existing_tests_after_last_edit(work):
        yield "existing tests passed after the last edit of the code"
    elif any(isinstance(e, TestRunEvent) for e in see.test_after_last_edit(work) or ()):
        yield "tests passed after the last edit of the code"
    elif see.tried_after_last_edit(work):
        yield "a program of the agent's own ran after the last edit of the code"
    elif see.static_check_after_last_edit(work):
        yield "a build or lint passed after the last edit of the code, and no test is known to have run"
    elif "V-final-check" in fired:
        yield "no check passed after the last edit of the code"
    if see.red_then_green(work):
        yield "a check failed without the change and passed with it"
    elif see.prints_otherwise(work):
        yield "a program of the agent's own printed something else after the change"
    elif _never_red(work):
        yield "the change was never seen failing"
    if tests := see.tests_added(work):
        yield f"{count(len({e.path for e in tests}), 'test file')} added or changed"


def _never_red(work: Work) -> bool:
    """Whether all that ran is known, and nothing of it failed, nor tried the behaviour before the change."""
    checks = work.every_check
    tried = any(isinstance(e, ReproductionEvent) for e in work.before_change(checks))
    return {e.outcome for e in checks} == {"passed"} and not (tried or work.may_have_checked(-1))


def _recovery(work: Work, fired: Collection[str]) -> Iterator[str]:
    episodes = work.episodes
    # What only the tests made green again, corrected or bent, is for a reader.
    bent = {t.red for t in work.evidence.tampering}
    aside = [e for e in episodes if see.only_in_tests(work, e) or not bent.isdisjoint(e.checks)]
    green = [e for e in episodes if e.resolved == "green" and e not in aside]
    if episodes:
        all_green = len(green) == len(episodes)
        yield "a failure, green again" if all_green else "failures, some seen green again" if green else "a failure"
    if any(e.attributed == "existing" and e.baseline for e in work.session.foreign_failures):
        yield "a failure was shown to be there without the change"


def _abstention(work: Work, fired: Collection[str]) -> Iterator[str]:
    if any(isinstance(e, AskEvent) for e in work.events):
        yield "the agent asked the user"


def _integrity(work: Work, fired: Collection[str]) -> Iterator[str]:
    if work.session.commits:
        yield "a commit was made"
    if any(work.at[e.id] > work.first_edit for e in work.diffs):
        yield "the agent looked at a diff of its change, or of a part of it"


_KNOWN: dict[str, tuple[Why, Say]] = {
    "planning": (_nothing_changed, _planning),
    "verification": (_no_code_changed, _verification),
    "recovery": (_nothing_failed, _recovery),
    "abstention": (_always_arises, _abstention),
    "integrity": (_nothing_changed, _integrity),
}
