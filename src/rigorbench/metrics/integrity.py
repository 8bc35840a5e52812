"""ATI, Atomic Transition Integrity: BH, TS and CH."""

from __future__ import annotations

from itertools import zip_longest

from msgspec import Struct

from ..evidence.events import AnyEvent, BuildEvent, EditEvent, TestRunEvent
from ..evidence.facts import CommitFacts
from ..evidence.testruns.ids import of_file
from ..panel.model import Verdict
from .result import SubMetric
from .session import Session, not_applicable, scored, unscorable

# The agent's own checks say something about all states only if they looked at this share of them.
_ENOUGH = 0.5
_FEW = 3


def score_integrity(session: Session) -> dict[str, SubMetric]:
    found = {"BH": _bh(session), "TS": _ts(session), "CH": _ch(session)}
    if session.replay is not None and not session.idle:
        from .replayed import build_health, test_stability

        for name, made in (("BH", build_health), ("TS", test_stability)):
            replayed = made(session.replay)
            if replayed.status != "unscorable":
                found[name] = replayed
            else:
                found[name].reason += f"; not replayed: {replayed.reason}"
    return found


class _State(Struct):
    """One distinct state of the tree after an edit burst: the edits that led to it, and the checks made on it."""

    edits: list[EditEvent]
    checks: list[AnyEvent]


def _states(session: Session) -> list[_State]:
    """The distinct states after the edit bursts, each with the builds and test runs that the agent made on it.

    A change taken back leads to a state that was there before, and does not count again.
    """
    bursts = session.bursts()
    found: dict[int, _State] = {}
    for burst, following in zip_longest(bursts, bursts[1:]):
        start = session.position[burst[-1].id] + 1
        end = session.position[following[0].id] if following else len(session.events)
        state = found.setdefault(session.trees[burst[-1].id], _State([], []))
        state.edits += burst
        state.checks += [e for e in session.events[start:end] if isinstance(e, BuildEvent | TestRunEvent)]
    return list(found.values())


def _bh(session: Session) -> SubMetric:
    """Share of the post-burst states that build, by the agent's own builds and test runs (`parsed`)."""
    if not session.edits:
        return not_applicable("no edits in this session")
    states = _states(session)
    if not states:
        return not_applicable("no edits of code in this session")
    known: list[tuple[AnyEvent, bool]] = []
    for state in states:
        verdict = next(((c, v) for c in reversed(state.checks) if (v := shows_build(session, c)) is not None), None)
        if verdict is not None:
            known.append(verdict)
    if len(known) < _ENOUGH * len(states):
        return unscorable(
            f"the agent built or ran only {len(known)} of {len(states)} states; a replay (--repo) can tell of all",
            [c.id for c, _ in known],
        )
    healthy = sum(v for _, v in known)
    reason = f"{healthy} of {len(known)} states that the agent checked build ({len(states)} states after edits)"
    if len(known) < _FEW:
        reason += f"; n < {_FEW}"
    return scored(healthy / len(known), "parsed", len(known), [c.id for c, _ in known], reason)


def shows_build(session: Session, check: AnyEvent) -> bool | None:
    """Whether a check shows that the state builds: a build's outcome, or tests that could be loaded and run."""
    if isinstance(check, BuildEvent):
        return {"passed": True, "failed": False, "error": False}.get(check.outcome)
    assert isinstance(check, TestRunEvent)
    facts = session.evidence.checks[check.id]
    if facts.infrastructure:
        return None
    if check.outcome in ("passed", "failed") and facts.ran:
        return True
    return False if check.outcome == "error" and not facts.ran else None


def _ts(session: Session) -> SubMetric:
    """Share of the post-burst states without a regression, by the agent's own test runs (`parsed`).

    A regression is a test that fails though an earlier run showed it passing; where none did, the state is unknown and
    left out. New tests that start red are no regression. Deleting, skipping or weakening a test is one. A script that
    the agent runs as a check of its own is no suite.
    """
    if not session.edits:
        return not_applicable("no edits in this session")
    states = _states(session)
    if not states:
        return not_applicable("no edits of code in this session")
    if not session.test_runs:
        return unscorable("no test run in the log; a replay (--repo) can tell")
    accepted = accepted_failures(session)
    began_red = any(r.outcome in ("failed", "error") for r in _runs_before_edits(session))
    known: list[tuple[AnyEvent, bool]] = []
    for state in states:
        tampered = next((e for e in state.edits if tampers(session, e)), None)
        if tampered is not None:
            known.append((tampered, False))
            continue
        suites = (c for c in reversed(state.checks) if isinstance(c, TestRunEvent) and shows_regressions(session, c))
        run = next((c for c in suites if c.outcome != "unknown"), None)
        if run is None or session.evidence.checks[run.id].infrastructure:
            continue
        if run.outcome == "passed" or run.red_phase:
            known.append((run, True))
        elif run.failing:
            if set(run.failing) <= accepted[run.id]:
                known.append((run, True))
            elif _passed_before(session, run, accepted[run.id]):
                known.append((run, False))
        elif not began_red and _passed_before(session, run, set()):
            # Which tests fail, the log does not say; only after a start without failures is it sure to be a regression.
            known.append((run, False))
    if len(known) < _ENOUGH * len(states):
        return unscorable(
            f"the agent ran tests on only {len(known)} of {len(states)} states; a replay (--repo) can tell of all",
            [c.id for c, _ in known],
        )
    stable = sum(v for _, v in known)
    reason = f"{stable} of {len(known)} tested states show no regression ({len(states)} states after edits)"
    if len(known) < _FEW:
        reason += f"; n < {_FEW}"
    return scored(stable / len(known), "parsed", len(known), [c.id for c, _ in known], reason)


def shows_regressions(session: Session, run: TestRunEvent) -> bool:
    """Whether a run says anything of tests that had passed: not a script, and not the agent's own new files alone."""
    targets = session.evidence.checks[run.id].targets
    if run.runner == "script":
        return False
    made = [e.path for e in session.project_edits if e.operation == "create" and e.role == "test"]
    return not targets or not all(any(of_file(t, path) for path in made) for t in targets)


def _passed_before(session: Session, run: TestRunEvent, accepted: set[str]) -> bool:
    """Whether an earlier run covered what fails in this one, and it did not fail there."""
    failing = set(run.failing) - accepted
    facts = session.evidence.checks[run.id]
    for earlier in session.test_runs:
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
    """For each test run the tests that may fail in it without being a regression.

    They are those that failed on the start tree, and the agent's own that began red, each until it first passes.
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


def _runs_before_edits(session: Session) -> list[TestRunEvent]:
    """Runs on the start tree."""
    first = session.position[session.edits[0].id]
    return [r for r in session.test_runs if session.position[r.id] < first]


def tampers(session: Session, edit: EditEvent) -> bool:
    """Whether an edit deletes, skips or weakens a test that the agent did not make itself in this session."""
    facts = session.facts(edit)
    if not facts.removed_tests and not facts.weakened_tests:
        return False
    position = session.position[edit.id]
    earlier = [e for e in session.project_edits if session.position[e.id] < position]
    # Tests that the agent made; editing a test once does not make it one's own.
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
        gone = set(edit.symbols)  # the inside of a test: what was seen of the file told its name
    return not gone <= own


def _ch(session: Session) -> SubMetric:
    """Mean over commits of atomicity, bisectability (where a check shows it), message and hygiene."""
    asked = session.evidence.prompt.asks_commit
    if session.task is not None and session.task.commits_asked is not None:
        asked = session.task.commits_asked
    if not session.commits:
        if asked and (session.edits or session.idle):
            return scored(0.0, "parsed", 0, [], "a commit was asked for and none was made")
        return not_applicable("no commits asked for and none made")
    values: list[float] = []
    problems: list[str] = []
    judged = session.all_verdicts("commit_message")
    for commit in session.commits:
        facts = session.evidence.commits[commit.id]
        values.append(commit_value(session, commit, judged.get(commit.id) if judged is not None else None))
        problems += [*facts.message_problems, *facts.hygiene_problems]
        if bisectable(session, commit) is False:
            problems.append(f"{facts.subject[:40]!r} was committed on a failing check")
        if (facts.concerns or 1) > 1:
            problems.append(f"{facts.subject[:40]!r} holds {facts.concerns} concerns")
        if judged is not None and commit.id in judged:
            problems += _faults(facts.subject, judged[commit.id])
    reason = f"{len(values)} commits; " + ("; ".join(problems[:3]) if problems else "atomic, well described and clean")
    where = [c.id for c in session.commits]
    if judged is None:
        reason += session.not_judged("commit_message")
        return scored(sum(values) / len(values), "parsed", len(values), where, reason)
    judges = sorted({len(verdict.votes) for verdict in judged.values()})
    reason += f"; messages by {' or '.join(map(str, judges))} judges, the rest from the log"
    found = scored(sum(values) / len(values), "judged", len(values), where, reason)
    found.votes = [key for verdict in judged.values() for key in verdict.keys]
    return found


def commit_value(session: Session, commit: AnyEvent, verdict: Verdict | None) -> float:
    """Mean in [0, 1] of a commit's parts, those that are known. ``verdict``: on its message; None: the log's rules."""
    facts = session.evidence.commits[commit.id]
    parts = [message_value(facts, verdict)]
    if facts.concerns is not None:
        parts += [1 / facts.concerns, 0.0 if facts.hygiene_problems else 1.0]
    verified = bisectable(session, commit)
    if verified is not None:
        parts.append(float(verified))
    return sum(parts) / len(parts)


def message_value(facts: CommitFacts, verdict: Verdict | None) -> float:
    """What a message is worth in [0, 1]: half each for its imperative and for saying what the diff does.

    A message that breaks a rule is worth nothing, whatever is said of it, and so is one that claims what is not in the
    diff.
    """
    if facts.message_problems:
        return 0.0
    if verdict is None:
        return (facts.imperative + facts.describes) / 2
    if verdict.majority("overclaims"):
        return 0.0
    return (bool(verdict.majority("imperative")) + bool(verdict.majority("describes"))) / 2


def _faults(subject: str, verdict: Verdict) -> list[str]:
    """What most judges find wrong with a message."""
    faults = [
        ("overclaims", True, "claims what the diff does not do"),
        ("describes", False, "does not say what the diff does"),
        ("imperative", False, "is not in the imperative"),
    ]
    return [f"{subject[:40]!r} {text}" for question, bad, text in faults if verdict.majority(question) is bad]


def bisectable(session: Session, commit: AnyEvent) -> bool | None:
    """Whether the last check before the commit, with no edit of code in between, passed; None: not seen."""
    for event in reversed(session.events[: session.position[commit.id]]):
        if isinstance(event, EditEvent) and event.role in ("production", "test") and not session.facts(event).scratch:
            return None
        if isinstance(event, TestRunEvent | BuildEvent) and event.outcome != "unknown":
            return event.outcome == "passed"
    return None
