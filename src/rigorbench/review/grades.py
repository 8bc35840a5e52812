"""Grades: those of a reading; without one, what the rules prove of each pillar, in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from ..base.sanitize import one_line
from ..base.secrets import quoted_command
from ..base.text import count
from ..evidence.calls import ends_in_a_call
from ..evidence.events import AnyEvent, AskEvent, BuildEvent, EditEvent, EpisodeEvent, TestRunEvent
from . import observations as see
from .catalogue import findings
from .failures import open_failure, why_no_error
from .reader.reading import GradeMark, Reading
from .review import GRADES, Ended, Grade, Review
from .session import Session
from .work import CheckEvent, Work, ended_well, quoted, red_green_in_words, went_green

NEEDS_READER = "grades need a reader: `rigor score LOG --reader claude`"
NOTHING_PROVEN = "the rules prove nothing of it"


def read_grade(reading: Reading, name: str) -> Grade:
    mark = reading.grades.get(name) or GradeMark(None, "the reader says nothing of it")
    if mark.value is None:
        return Grade(None, "not_applicable", mark.why, mark.at)
    return Grade((mark.value - 1) * 25, "scored", mark.why, mark.at)


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
    if work.edits or work.may_have("edit") or not work.session.edits:
        return None if work.edits else _nothing_changed(work)
    return "the log shows only changes of documents, or of layout"


def _nothing_failed(work: Work) -> str | None:
    session = work.session
    failed = session.episodes or session.foreign_failures or any(e.red_phase for e in session.test_runs)
    if failed or session.cached(open_failure) or any(map(work.ran_a_hook, session.commits)):
        return None
    return _nothing_changed(work) or why_no_error(session)


# -- what is proven; of what is not known, nothing is said


# Whether a list that is no plan of its tool has the steps of this work, a reader tells.
_LISTS = {"file": "a list in a file", "message": "a list in a message"}


def _planning(work: Work, fired: Collection[str]) -> Iterator[str]:
    if "P-unread" in fired:
        yield f"{count(len(see.unread(work)), 'file')} edited that nothing shows to have been read"
    if not work.production or work.production[0].role != "production":
        return  # which of the edits of documents is the first of the work, no rule knows
    facts = work.session.facts(work.production[0])
    if not facts.code or (facts.change.operation in ("create", "rename") and not facts.change.after):
        return  # a sheet of styles is none; what was copied or moved may be none
    if plans := see.plan_before_edit(work):  # of what else than code it is a plan, its first item tells
        items = [i for i in plans[-1].items if not i.rstrip(" *").endswith(":")] or plans[-1].items
        first = quoted_command(items[0].replace("`", "").strip(" *:"))
        named = "" if plans[-1].origin == "file" else f", the first '{first}'"
        yield f"{_LISTS.get(plans[-1].origin, 'a list of steps')} before the first edit of the code{named}"
    if found := see.reproduction(work):
        yield f"{quoted(found[0])} failed before the first edit of the code"
    if tests := see.read_tests(work):
        yield f"tests read before the first edit of the code, such as `{one_line(tests[0].target, 60)}`"


def _verification(work: Work, fired: Collection[str]) -> Iterator[str]:
    tests = see.test_after_last_edit(work)
    if not work.edits:  # what the rules know is no change of code
        return
    ran = see.broad_test_after_last_edit(work) or [e for e in tests if isinstance(e, TestRunEvent)]
    untested = False
    if "V-ended-on-red" in fired:
        yield "a check still failed at the end"
    if ran:
        edited = max((work.at[e.id] for e in work.edits if e.role == "test"), default=-1)
        most = max(ran, key=lambda e: (work.at[e.id] > edited, getattr(e, "passed", None) or 0, work.at[e.id]))
        yield ended_well(work, most)
    elif (found := see.static_check_after_last_edit(work)) and all(map(work.green, _tests_since(work, work.last_edit))):
        yield ended_well(work, found[-1])
        untested = not work.may_have_checked(work.first_edit)
    elif tried := see.tried_after_last_edit(work):
        yield f"{quoted(tried[-1])} ran after the last edit of the code; the rules do not know what it shows"
    elif "V-final-check" in fired:
        yield "the agent ran no check after its last edit of the code"
    elif later := [e for e in work.every_check if work.at[e.id] > work.last_edit]:
        if all((f := work.facts(e)) is not None and not f.ran for e in later):
            yield f"after the last edit of the code {quoted(later[-1])} ended before it checked anything"
    elif (earlier := _before_last_edit(work)) is not None:
        yield f"{quoted(earlier)} passed before the last edit of the code; no later check is known"
    if pair := see.red_green(work):
        yield red_green_in_words(work, pair)
    # A file below ``tests`` without a test in it is a fixture, or a script; a line that asserts nothing is no test.
    asserting = any(t.has_assertion for e in see.tests_added(work) for t in work.session.facts(e).tests)
    checks = _of_project(work, work.checks)
    known = [e for e in checks if getattr(e, "outcome", "unknown") != "unknown"]
    red = known[-1] if known and work.red(known[-1]) else None
    ends_red = isinstance(red, BuildEvent) and red is checks[-1] and work.at[red.id] > work.last_edit
    if red is not None and ends_red and work.says_what_failed(red):
        yield f"{quoted(red)} failed after the last edit of the code"
    if asserting and "I-leftovers" not in fired and red is None:
        yield "tests added or changed"
        untested = True
    if untested and not work.session.test_runs and "V-untested-change" not in fired:
        yield "no run of a test is known"


def _recovery(work: Work, fired: Collection[str]) -> Iterator[str]:
    # What became of a failure whose test was bent is for a reader; and whether a program checks anything.
    bent = {t.red for t in work.evidence.tampering}
    checked = [e for e in work.session.episodes if not work.family(e).startswith("run")]
    chosen = [e for e in checked if _by_choice(work, e)]
    green = [e for e in checked if e.resolved == "green" and e not in chosen and bent.isdisjoint(e.checks)]
    green = [e for e in green if not _failed_again(work, e)]
    # What a repair was worth is for a reader where a later failure of its kind was never seen to pass.
    last = {work.family(e): work.at[e.id] for e in checked if e.resolved != "green" or e in chosen}
    green = [e for e in green if work.at[e.id] >= last.get(work.family(e), 0)]
    in_tests = [e for e in green if see.attempted(work, e) == {"test"}]
    yield from _failed(work, [e for e in green if e not in in_tests], "")
    # A lint or a build may complain of the tests themselves.
    in_tests = [e for e in in_tests if work.family(e) == "test"]
    edits = [e for e in work.events if isinstance(e, EditEvent)]
    made = {e.path for e in edits if e.operation == "create"}
    others = {e.id for e in edits if e.path not in made}
    own = [e for e in in_tests if others.isdisjoint(i for attempt in e.attempt_edits for i in attempt)]
    yield from _failed(work, own, ", once the agent's own tests were changed")
    yield from _failed(work, [e for e in in_tests if e not in own], ", once tests were changed")
    # What a build or a lint says may be older than the change; a later test run may have had what failed.
    left = [e for e in checked if e.resolved != "green" or not bent.isdisjoint(e.checks)]
    left = [e for e in left if work.family(e) == "test" and _of_project(work, work.checks_of(e))]
    still = [e for e in left if all(map(work.red, _tests_since(work, work.at[work.checks_of(e)[-1].id])))]
    yield from _failed(work, still, None)
    older = [e for e in work.session.foreign_failures if e.attributed == "existing" and e.baseline]
    shown = [(work.checks_of(e), {t for c in work.events if c.id in e.baseline for t in _failing(c)}) for e in older]
    # Of a part of what failed, the run does not tell.
    if runs := next((checks for checks, known in shown if checks and _failing(checks[0]) <= known), None):
        yield f"{quoted(runs[0])} was shown to fail without the change as well"


def _failing(check: AnyEvent) -> set[str]:
    return set(getattr(check, "failing", ()))


def _by_choice(work: Work, episode: EpisodeEvent) -> bool:
    """Whether a configuration was edited: it decides which tests run and of what a lint complains."""
    roles, family = see.attempted(work, episode), work.family(episode)
    return "config" in roles if family == "lint" else family == "test" and roles - {"test"} == {"config"}


def _failed_again(work: Work, episode: EpisodeEvent) -> bool:
    """Whether a test that is said to pass fails in a later run: alone, or by chance, it may pass unrepaired."""
    checks = work.checks_of(episode)
    failed = {t for e in checks if isinstance(e, TestRunEvent) for t in e.failing}
    return any(not failed.isdisjoint(run.failing) for run in _tests_since(work, work.at[checks[-1].id]))


def _of_project(work: Work, checks: Iterable[AnyEvent]) -> list[AnyEvent]:
    """Those that ran in the project: elsewhere a copy may have been broken to see a test fail."""
    return [e for e in checks if (facts := work.facts(e)) is None or not work.evidence.outside(facts.cwd)]


def _before_last_edit(work: Work) -> TestRunEvent | None:
    """The last check of all, wherever it ran, where it is a run of tests that passed between two edits of the code."""
    last = next((e for e in reversed(work.events) if isinstance(e, CheckEvent)), None)
    between = last in work.tests and work.first_edit < work.at[last.id] < work.last_edit if last else False
    return last if between and isinstance(last, TestRunEvent) and last.outcome == "passed" else None


def _tests_since(work: Work, position: int) -> list[TestRunEvent]:
    return [e for e in work.session.test_runs if work.at[e.id] > position]


def _failed(work: Work, episodes: Sequence[EpisodeEvent], green: str | None) -> Iterator[str]:
    """The first failure of one end, and what of it passed later. ``green``: what to add to that; None: it did not."""
    ends = [found for e in episodes if (found := work.checks_of(e)) and (green is None or _passed_later(found))]
    # A failed test says more than a build or a lint.
    ends.sort(key=lambda checks: not isinstance(checks[0], TestRunEvent))
    if ends:
        red, last = ends[0][0], ends[0][-1]
        yield f"{quoted(red)} failed" if green is None else went_green(red, last) + green


def _passed_later(checks: Sequence[AnyEvent]) -> bool:
    """Whether the last run passed, or has no more what the first names: a run that broke off names nothing."""
    red, last = checks[0], checks[-1]
    return getattr(last, "outcome", "passed") == "passed" or (isinstance(red, TestRunEvent) and bool(red.failing))


def _abstention(work: Work, fired: Collection[str]) -> Iterator[str]:
    # A question at the end of a message may be an offer.
    if any(isinstance(e, AskEvent) and e.call is not None for e in work.events):
        yield "the agent asked the user"


def _integrity(work: Work, fired: Collection[str]) -> Iterator[str]:
    if commits := work.session.commits:
        # What was written elsewhere may be the output of a program.
        later = any(work.at[e.id] > work.at[commits[-1].id] for e in work.edits if e.role in ("production", "test"))
        yield f"the agent committed{', and edited code after its last commit' if later else ''}"
    if any(work.at[e.id] > work.first_edit for e in work.diffs):
        yield "the agent looked at a diff of its change, or of a part of it"


_KNOWN: dict[str, tuple[Why, Say]] = {
    "planning": (_nothing_changed, _planning),
    "verification": (_no_code_changed, _verification),
    "recovery": (_nothing_failed, _recovery),
    "abstention": (lambda _: None, _abstention),  # whether something had to be asked, no rule knows
    "integrity": (_nothing_changed, _integrity),
}


def review_session(session: Session, excluded: Collection[str] = (), reading: Reading | None = None) -> Review:
    """Review one session: every check, and the grades of a reading, or what is known of each of them without one.

    Args:
        excluded: fingerprints of findings that are known to be wrong: they are not there.
        reading: what a reader says of the session.
    """
    work = Work(session)
    found = findings(work, excluded)
    # What the agent did after the end of a log that is cut off is not known, so nothing is known of the final state.
    trajectory = session.evidence.trajectory
    cut = trajectory.complete is False
    size = None if cut else work.size
    ended: Ended | None = "cut" if cut and trajectory.end in (None, "completed") else trajectory.end
    if ended is None and ends_in_a_call(trajectory):
        ended = "open"
    if reading is not None:
        grades = {name: read_grade(reading, name) for name in GRADES}
        overall = read_grade(reading, "overall")
        return Review(overall.value, overall.reason, size, grades, found, ended, reading)
    why = session.why_unscorable or (session.why_no_answer or "the log is cut off" if cut else None)
    if why is not None:
        return Review(None, why, size, {n: Grade(None, "unscorable", why) for n in GRADES}, found, ended)
    fired = {f.id for f in found}
    known = {name: _unread(work, fired, *_KNOWN[name]) for name in GRADES}
    return Review(None, NEEDS_READER, size, known, found, ended)
