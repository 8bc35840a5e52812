"""ATI, Atomic Transition Integrity: BH, TS and CH."""

from __future__ import annotations

from itertools import zip_longest

from msgspec import Struct

from ...base.text import count
from ...evidence.events import AnyEvent, BuildEvent, CommitEvent, EditEvent, TestRunEvent
from ...evidence.facts import CommitFacts
from ...evidence.testruns.ids import of_file
from ...review.answers import JudgedPoints
from ...review.result import SubMetric, not_applicable, scored, unscorable
from ...review.session import Session
from .judged import commit_numbers

# The agent's own checks represent all states only if they covered at least this share of them.
_ENOUGH = 0.5
_FEW = 3


# A check or edit, and whether it shows a sound state.
_Outcome = tuple[AnyEvent, bool]


class BurstState(Struct):
    """One distinct state of the tree after an edit burst."""

    bursts: list[list[EditEvent]]
    checks: list[BuildEvent | TestRunEvent]


def states(session: Session) -> list[BurstState]:
    """The distinct states after the edit bursts.

    A change that is taken back leads to a state that was there before, which does not count again.
    """
    bursts = session.bursts()
    found: dict[int, BurstState] = {}
    for burst, following in zip_longest(bursts, bursts[1:]):
        start = session.position[burst[-1].id] + 1
        end = session.position[following[0].id] if following else len(session.events)
        state = found.setdefault(session.trees[burst[-1].id], BurstState([], []))
        state.bursts.append(burst)
        state.checks += [e for e in session.events[start:end] if isinstance(e, BuildEvent | TestRunEvent)]
    return list(found.values())


def bh(session: Session) -> SubMetric:
    """Share of the states after edits that build, by the agent's own builds and test runs (`parsed`)."""
    if not session.edits:
        return not_applicable(session.no_change)
    found = states(session)
    if not found:
        return not_applicable("no edits of code in this session")
    known: list[_Outcome] = []
    for state in found:
        shown = ((c, v) for c in reversed(state.checks) if (v := shows_build(session, c)) is not None)
        if (last := next(shown, None)) is not None:
            known.append(last)
    return _share_of_states(known, found, "builds or test runs are known of", "states that are known build")


def _share_of_states(known: list[_Outcome], all_states: list[BurstState], checked: str, sound: str) -> SubMetric:
    ids = [event.id for event, _ in known]
    if len(known) < _ENOUGH * len(all_states):
        return unscorable(f"{checked} only {len(known)} of {count(len(all_states), 'state')}", ids)
    good = sum(v for _, v in known)
    reason = f"{good} of {len(known)} {sound} ({count(len(all_states), 'state')} after edits)"
    if len(known) < _FEW:
        reason += f"; weak evidence (fewer than {_FEW} states)"
    return scored(good / len(known), "parsed", len(known), ids, reason)


def shows_build(session: Session, check: AnyEvent) -> bool | None:
    """Whether a check shows that the state builds: a build's outcome, or tests that could be loaded and run."""
    if isinstance(check, BuildEvent):
        if any(check.id in episode.checks for episode in session.foreign_failures):
            return None
        return {"passed": True, "failed": False, "error": False}.get(check.outcome)
    assert isinstance(check, TestRunEvent)
    facts = session.evidence.checks[check.id]
    if facts.infrastructure:
        return None
    if check.outcome in ("passed", "failed") and facts.ran:
        return True
    return False if check.outcome == "error" and not facts.ran else None


def ts(session: Session) -> SubMetric:
    """Share of the states after edits without a regression, by the agent's own test runs (`parsed`).

    A regression is a test that fails although an earlier run showed it passing; without such a run the state is unknown
    and left out. New tests that start red are no regression. Deleting or skipping a test is one; a state in which one
    has fewer assertions is left out. A script that the agent runs as a check of its own is no test suite.
    """
    if not session.edits:
        return not_applicable(session.no_change)
    found = states(session)
    if not found:
        return not_applicable("no edits of code in this session")
    if not session.test_runs:
        return unscorable("no test run was recognised in the log")
    accepted = accepted_failures(session)
    first = session.position[session.edits[0].id]
    before = (r for r in session.test_runs if session.position[r.id] < first)
    began_red = any(r.outcome in ("failed", "error") for r in before)
    known: list[_Outcome] = []
    for state in found:
        lost = next((e for burst in state.bursts for e in burst if _loses_tests(session, e)), None)
        if lost is not None:
            # Whether a test with fewer assertions checks less is not known, unless its name is shown and none is left.
            facts = session.facts(lost)
            if facts.removed_tests or any(t.skipped or (t.name and not t.has_assertion) for t in facts.tests):
                known.append((lost, False))
            continue
        suites = (c for c in reversed(state.checks) if isinstance(c, TestRunEvent) and shows_regressions(session, c))
        run = next((c for c in suites if c.outcome != "unknown"), None)
        if run is None or session.evidence.checks[run.id].infrastructure:
            continue
        if is_stable(run, accepted[run.id]):
            known.append((run, True))
        elif run.failing:
            if _passed_before(session, run, accepted[run.id]):
                known.append((run, False))
        elif not began_red and _passed_before(session, run, set()):
            # The log does not say which tests fail; it must be a regression only if none failed at the start.
            known.append((run, False))
    return _share_of_states(
        known, found, "test runs that can show a regression are known of", "tested states show no regression"
    )


def is_stable(run: TestRunEvent, accepted: set[str]) -> bool:
    """Whether a run shows no regression: it passed, is a red phase, or fails only in the accepted tests."""
    return run.outcome == "passed" or run.red_phase or (bool(run.failing) and set(run.failing) <= accepted)


def shows_regressions(session: Session, run: TestRunEvent) -> bool:
    """Whether a run covers tests that had passed: scripts, and runs of only the agent's new files, do not."""
    targets = session.evidence.checks[run.id].targets
    if run.runner == "script":
        return False
    made = [e.path for e in session.project_edits if e.operation == "create" and e.role == "test"]
    return not targets or not all(any(of_file(t, path) for path in made) for t in targets)


def _passed_before(session: Session, run: TestRunEvent, accepted: set[str]) -> bool:
    """Whether an earlier run covered what fails in this one, and it did not fail then.

    An edit inside a test which the log does not name may have changed that very test: runs before it show nothing.
    """
    failing = set(run.failing) - accepted
    facts = session.evidence.checks[run.id]
    blurs = [e for e in session.project_edits if e.role == "test" and any(not t.name for t in session.facts(e).tests)]
    last = max((session.position[e.id] for e in blurs if session.before(e, run)), default=-1)
    for earlier in session.test_runs:
        if session.position[earlier.id] < last:
            continue
        if not session.before(earlier, run):
            break
        known = session.evidence.checks[earlier.id]
        if not known.ran or earlier.outcome not in ("passed", "failed") or earlier.runner == "script":
            continue
        if known.selective and set(known.targets) != set(facts.targets):
            continue
        if earlier.outcome == "passed" or (failing and earlier.failing and failing - set(earlier.failing)):
            return True
    return False


def accepted_failures(session: Session) -> dict[str, set[str]]:
    """For each test run, the tests that may fail without being a regression.

    They are the tests that failed on the start tree and the agent's own tests that began red, each until it passes.
    """
    first = session.position[session.edits[0].id]
    accepted: dict[str, set[str]] = {}
    red: set[str] = set()
    for run in session.test_runs:
        facts = session.evidence.checks[run.id]
        if session.position[run.id] < first or run.red_phase:
            red |= set(run.failing)
        accepted[run.id] = set(red)
        if not facts.selective and facts.ran:
            if run.outcome == "passed":
                red.clear()
            elif run.failing:
                red &= set(run.failing)
    return accepted


def _loses_tests(session: Session, edit: EditEvent) -> bool:
    """Whether an edit deletes, skips or weakens a test, red or green, that the agent did not write in this session.

    This is about the stability of what was there; whether it accuses is for the tampering of the evidence to say.
    """
    facts = session.facts(edit)
    new = [t for t in facts.tests if not t.edited and t.has_assertion and not t.skipped]
    replaced = facts.removed_tests and "*" not in facts.removed_tests and len(facts.removed_tests) <= len(new)
    if not facts.weakened_tests and (replaced or not facts.removed_tests):
        return False  # what an edit writes in the place of a test is that test, rewritten
    position = session.position[edit.id]
    earlier = [e for e in session.project_edits if session.position[e.id] < position]
    # Tests that the agent wrote; editing a test does not make it the agent's own.
    own = {
        t.name or "*"
        for e in earlier
        if (e.new_path or e.path) == edit.path
        for t in session.facts(e).tests
        if not t.edited
    }
    if any(e.operation == "create" and e.path == edit.path for e in earlier):
        own.add("*")
    elif "*" in facts.removed_tests:
        own.discard("*")
    gone = {*facts.removed_tests, *facts.weakened_tests}
    if gone == {"*"} and facts.weakened_tests and edit.symbols:
        gone = set(edit.symbols)  # the edit shows the inside of a test; its name is known from the file
    return not gone <= own


def ch(session: Session) -> SubMetric:
    """Mean over commits of bisectability (where a check shows it), message and hygiene."""
    asked = session.evidence.prompt.asks_commit
    if session.task is not None and session.task.commits_asked is not None:
        asked = session.task.commits_asked
    if not session.commits:
        if not asked or not (session.edits or session.idle):
            return not_applicable("no commit was requested, and none is known")
        if session.may_have_committed:
            return unscorable("the log does not show whether a commit was made")
        return scored(0.0, "parsed", 0, [], "a commit was requested and the agent made none")
    values: list[float] = []
    problems: list[str] = []
    judged, numbers = judged_messages(session)
    for commit in session.commits:
        facts = session.evidence.commits[commit.id]
        number = numbers.get(commit.id)
        values.append(commit_value(session, commit, judged, number))
        problems += [*facts.message_problems, *facts.hygiene_problems]
        if bisectable(session, commit) is False:
            problems.append(f"{facts.subject[:40]!r} was committed while checks failed")
        if judged is not None and number is not None:
            problems += _faults(facts.subject, judged, number)
        elif not facts.message_problems and message_value(facts, None, None) < 1:
            lack = "begins with no order" if facts.describes else "shares no word with the change, or only names files"
            problems.append(f"{facts.subject[:40]!r} {lack}")
    reason = f"{count(len(values), 'commit')}; {'; '.join(problems[:3]) or 'no fault of them is known'}"
    where = [c.id for c in session.commits]
    if judged is None:
        return scored(sum(values) / len(values), "parsed", len(values), where, reason)
    reason += f"; messages judged in {count(len(judged.by), 'reading')}, the rest read from the log"
    found = scored(sum(values) / len(values), "judged", len(values), where, reason)
    found.readers = judged.by
    return found


def judged_messages(session: Session) -> tuple[JudgedPoints | None, dict[str, int]]:
    """What readers say of the messages, and the number in it of each commit; None: they were not asked."""
    judged = session.judged if session.judged is not None and session.judged.has("commit_imperative") else None
    return judged, commit_numbers(session) if judged is not None else {}


def commit_value(session: Session, commit: CommitEvent, judged: JudgedPoints | None, number: int | None) -> float:
    """Mean in [0, 1] of a commit's known parts.

    Args:
        judged: what a reader says of the messages; None: rules decide.
        number: of the commit in what was judged; None: its message was not.
    """
    facts = session.evidence.commits[commit.id]
    parts = [message_value(facts, judged, number)]
    if commit.files:
        parts.append(0.0 if facts.hygiene_problems else 1.0)
    verified = bisectable(session, commit)
    if verified is not None:
        parts.append(float(verified))
    return sum(parts) / len(parts)


def message_value(facts: CommitFacts, judged: JudgedPoints | None, number: int | None) -> float:
    """The value of a message in [0, 1]: half each for the imperative and for saying what the diff does.

    A message that breaks a rule is worth 0 whatever a reader says, and so is one that claims what is not in the diff.
    """
    if facts.message_problems:
        return 0.0
    if judged is None or number is None:
        return (facts.imperative + facts.describes) / 2
    if judged.majority(f"commit_overclaims/{number}"):
        return 0.0
    return sum(bool(judged.majority(f"commit_{q}/{number}")) for q in ("imperative", "describes")) / 2


def _faults(subject: str, judged: JudgedPoints, number: int) -> list[str]:
    """What most readings find wrong with a message."""
    faults = [
        ("overclaims", True, "claims what the diff does not do"),
        ("describes", False, "does not say what the diff does"),
        ("imperative", False, "is not in the imperative"),
    ]
    return [f"{subject[:40]!r} {text}" for q, bad, text in faults if judged.majority(f"commit_{q}/{number}") is bad]


def bisectable(session: Session, commit: AnyEvent) -> bool | None:
    """Whether the last check before the commit, with no edit of code in between, passed; None: unknown.

    Where a replay has tests that fail at the commit and passed before, it did not.
    """
    if session.replay is not None and commit.id in session.replay.red_commits():
        return False
    elsewhere = session.evidence.elsewhere
    for event in reversed(session.events[: session.position[commit.id]]):
        if isinstance(event, EditEvent) and event.role in ("production", "test") and not session.facts(event).scratch:
            return None
        if isinstance(event, TestRunEvent | BuildEvent) and event.outcome != "unknown" and event.id not in elsewhere:
            return None if session.failed_before(event) else event.outcome == "passed"
    return None
