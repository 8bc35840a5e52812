"""From evidence to the score: sub-metrics, pillars and the RigorScore, with the weights of the paper."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ...base.text import count
from ...evidence.events import ClaimEvent, TestRunEvent
from ...evidence.facts import RefutedPass
from ...evidence.walk.extract import extract
from ...review.answers import of_reading
from ...review.findings import disagreement_text, findings
from ...review.pillars import EXTENDED, PILLARS, SUBMETRICS, PillarSpec, SubMetricSpec
from ...review.result import (
    SCHEMA,
    Header,
    Pillar,
    ReplayComparison,
    ReplayedTree,
    ReplaySummary,
    Score,
    SessionReport,
    Status,
    SubMetric,
    Tokens,
    not_applicable,
    unscorable,
)
from ...review.session import Session
from ...session.model import Trajectory
from .abstention import aq
from .combining import combine, load, rounded
from .judged import session_points
from .later_version import seven_pillars
from .paper_exact import BOUNDED, BY_REFERENCE

if TYPE_CHECKING:
    from ...base.points import Points
    from ...evidence.facts import Evidence
    from ...evidence.replayed import BuiltTree, ReplayResult
    from ...review.reader.reading import Reading
    from ...session.task import Task
    from ..replay.session import HiddenTests

Progress = Callable[[str, int, int], None]
# The pillars that are bounded by the share of what was to be done that is done, and the bound of the others where
# nothing is, which rises to 1 at half of it: a task left as it was scores hardly more than doing nothing.
_OF_REQUIREMENTS = ("PF", "VC")
UNTOUCHED = 0.15
# How the reason of a bounded value says that nothing is done.
MEETS_NONE = "the change meets none of"


def score_session(trajectory: Trajectory, **given: Any) -> SessionReport:
    """Score one session. Arguments as for :func:`open_session`."""
    return score_evidence(open_session(trajectory, **given))


def open_session(
    trajectory: Trajectory,
    *,
    task: Task | None = None,
    replay: bool = True,
    cause_removed: bool | None = None,
    touched: tuple[float, int] | None = None,
    hidden: HiddenTests | None = None,
    progress: Progress | None = None,
) -> Session:
    """What a session is scored from: its evidence and replay.

    Args:
        replay: whether builds, tests, coverage and mutants run on the states of a recorded run.
        cause_removed: whether the hidden tests of the task's root cause pass on the final tree; None: they did not run.
        touched: of the requirements that the starter does not meet, how many the change meets, and their number.
        hidden: the hidden tests that pass on a tree of a store; None: there are none, or they did not run.
    """
    evidence = extract(trajectory)
    found: ReplayResult | None = None
    recorded = trajectory.recording
    if replay and recorded is not None and recorded.store and recorded.start_tree and recorded.snapshots:
        from ..replay.run import replay as run_replay

        def rerun(evidence: Evidence) -> ReplayResult:
            checks = evidence.checks
            return run_replay(trajectory, evidence.events, task, checks=checks, hidden=hidden, progress=progress)

        found = rerun(evidence)
        if any(d.refuted for d in found.disagreements):
            evidence, found = _with_refuted(trajectory, evidence, found, rerun)
    return Session(evidence, task, found, cause_removed=cause_removed, touched=touched)


def points_of(session: Session) -> Points | None:
    """What a reader of a benchmarked session is asked besides; None: its scores need nothing judged."""
    return session_points(session) if session.task is not None or session.replay is not None else None


def with_reading(session: Session, reading: Reading | None) -> Session:
    """The session with what a reading says of the points that scores rest on."""
    judged, replay = of_reading(reading), session.replay
    if judged is None:
        return session
    task = session.task
    if replay is not None and replay.requirements is not None and task is not None:
        numbers = {requirement.id: n for n, requirement in enumerate(task.requirements, 1)}
        for check in replay.requirements:
            if check.undecided is not None and judged.has(point := f"requirement{numbers[check.id]}"):
                check.judged = judged.majority(point)
    return Session(
        session.evidence, task, replay, judged, cause_removed=session.cause_removed, touched=session.given_touched
    )


def _with_refuted(
    trajectory: Trajectory, before: Evidence, found: ReplayResult, rerun: Callable[[Evidence], ReplayResult]
) -> tuple[Evidence, ReplayResult]:
    """The evidence in which passes that the replay refutes have its outcome, and the replay for it.

    What follows from an outcome (episodes, claims) is found anew, and with it the ids of all events. A pass on another
    tree counts only where the agent claims it for this one.
    """
    runs, kept = _test_runs(before), found.disagreements
    while True:
        refuted = {runs.index(d.event): RefutedPass(tuple(d.refuted), d.covered) for d in kept if d.refuted}
        evidence = extract(trajectory, refuted)
        now = _test_runs(evidence)
        claimed = {i for e in evidence.events if isinstance(e, ClaimEvent) for i in e.decided_by}
        unclaimed = [d for d in kept if d.elsewhere and now[runs.index(d.event)] not in claimed]
        if not unclaimed:
            break
        kept = [d for d in kept if d not in unclaimed]
    result = rerun(evidence)
    result.compared, result.refuted = found.compared, refuted
    result.disagreements = [replace(d, event=now[runs.index(d.event)]) for d in kept]
    return evidence, result


def _test_runs(evidence: Evidence) -> list[str]:
    return [event.id for event in evidence.events if isinstance(event, TestRunEvent)]


def score_evidence(session: Session, *, measure: bool = True) -> SessionReport:
    """The report of an opened session. ``measure``: with its pillars and sub-metrics (else the score has none)."""
    pillars = {pillar.name: score_pillar(session, pillar) for pillar in PILLARS if measure}
    value, share = combine({n: (p.status, p.value, p.weight) for n, p in pillars.items()})
    why = session.why_unscorable
    extended: dict[str, SubMetric] = {
        name: unscorable(why) if why is not None else load(function)(session)
        for name, function in EXTENDED.items()
        if measure
    }
    if measure:
        extended["seven_pillars"] = seven_pillars(pillars, extended)
    result = Score(
        schema=SCHEMA,
        trajectory=_header(session),
        rigor_score=value,
        evidence_share=share,
        pillars=pillars,
        extended=extended,
        replay=_summary(session),
    )
    found = findings(session, pillars)
    return SessionReport(session.evidence.trajectory, list(session.events), result, found, session.replay)


def _summary(session: Session) -> ReplaySummary | UnsetType:
    replay = session.replay
    if replay is None:
        return UNSET
    return ReplaySummary(
        unavailable=replay.unavailable,
        states=0 if replay.snapshots is None else len(replay.snapshots.states),
        trees=[_replayed_tree(c) for c in replay.checked],
        build=replay.build_command,
        test=replay.test_command,
        flaky=list(replay.flaky),
        compared=replay.compared,
        refuted={str(n): r for n, r in replay.refuted.items()} or UNSET,
        disagreements=[
            ReplayComparison(d.event, d.tree, d.seen, d.replayed, disagreement_text(d), d.tests)
            for d in replay.disagreements
        ],
    )


def _replayed_tree(checked: BuiltTree) -> ReplayedTree:
    build = None if checked.build.ok is None else "passed" if checked.build.ok else "failed"
    run = checked.tests
    failed = None if run is None else sum(o in ("failed", "error") for o in run.outcomes.values()) + len(run.broken)
    passed = None if run is None else len(run.passing())
    return ReplayedTree(checked.tree, build, passed, failed, [r.test for r in checked.regressions], checked.is_start)


def score_pillar(session: Session, pillar: PillarSpec) -> Pillar:
    specs = [spec for spec in SUBMETRICS if spec.pillar == pillar.name]
    submetrics = {s.name: _submetric(session, s) for s in specs}
    value, share = combine({s.name: (submetrics[s.name].status, submetrics[s.name].value, s.weight) for s in specs})
    status: Status = "not_applicable" if share is None else "unscorable" if value is None else "scored"
    return Pillar(value, status, pillar.weight, share, submetrics)


def _submetric(session: Session, spec: SubMetricSpec) -> SubMetric:
    """A sub-metric from the log, or from the replay if that can tell."""
    if session.why_unscorable is not None:
        return unscorable(session.why_unscorable)
    if (reason := session.why_not_applicable(spec.pillar)) is not None:
        return not_applicable(reason)
    found: SubMetric = load(spec.compute)(session)
    if spec.replayed is not None and session.replay is not None and not session.idle:
        replayed: SubMetric | None = load(spec.replayed)(session.replay)
        # Words do not decide either what the tests leave open that were run.
        left_open = spec.name == "RT" and found.method == "estimated" and bool(session.replay.requirements)
        tasks_own = left_open or (spec.name in BY_REFERENCE and session.replay.missing_task is not None)
        if replayed is not None and (replayed.status != "unscorable" or tasks_own):
            if spec.name in BY_REFERENCE and replayed.value is not None:
                # The paper asks for a test of the unit or requirement, not for one that notices its absence.
                replayed.paper = found.value
            found = replayed
        elif replayed is not None:
            found.reason += f"; not replayed: {replayed.reason}"
    _bound(session, spec, found)
    if found.value is not None:
        found.value = rounded(found.value)
    if found.paper is not None:
        found.paper = rounded(found.paper) if rounded(found.paper) != found.value else None
    return found


def _bound(session: Session, spec: SubMetricSpec, found: SubMetric) -> None:
    """Bound a value by the share of what was to be done that is done.

    Plans and tests of what nobody asked for are none of the task. Where nothing that was asked for is done, there is
    no work whose other qualities could count; half of it is work like any other.
    """
    share, why = _done(session, spec)
    limit = share if spec.pillar in _OF_REQUIREMENTS else min(1.0, UNTOUCHED + 2 * (1 - UNTOUCHED) * share)
    if found.status == "unscorable" and not limit:  # the value is 0, whatever the evidence would show
        found.status, found.method = "scored", "replayed"
    elif found.value is None or found.value <= limit:
        return
    elif found.paper is None:
        found.paper = found.value
    found.value = limit
    found.reason = f"{BOUNDED}{limit:.2f}, since {why}; {found.reason}"


def _done(session: Session, spec: SubMetricSpec) -> tuple[float, str]:
    """The share of what was to be done, and that in words. 1: all of it, or nobody knows."""
    if session.given_touched and session.task is not None and session.task.solvable == "impossible":
        found = None if spec.pillar == "AQ" else aq(session).value
        return 1.0 if found is None else found, "the task is impossible, and what was right was to say why (AQ)"
    met, total = session.touched or (1, 1)
    part = f"the change meets {met:.2g} of" if met else MEETS_NONE
    return met / total, f"{part} {count(total, 'requirement')} (hidden tests)"


def _header(session: Session) -> Header:
    trajectory = session.evidence.trajectory
    usage = trajectory.total_usage()
    return Header(
        id=trajectory.id,
        source=trajectory.source.file,
        format=trajectory.format,
        agent=trajectory.agent,
        agent_version=trajectory.agent_version,
        model=trajectory.model,
        started_at=_iso(trajectory.started_at),
        ended_at=_iso(trajectory.ended_at),
        steps=sum(s.role == "agent" for s in trajectory.steps),
        events=len(session.events),
        tokens=None if usage is None else Tokens(usage.input, usage.cache_read, usage.cache_write, usage.output),
        skipped_lines=len(trajectory.skipped),
        complete=trajectory.complete,
        unread=trajectory.unread + trajectory.unread_calls,
        understood=None if session.evidence.understood is None else rounded(session.evidence.understood),
    )


def _iso(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (OverflowError, ValueError, OSError):
        return None
