"""Quantities of the paper's later version, and its score of seven pillars. Never part of the RigorScore.

Its text names them without defining how they are measured; these are our definitions. Dead code avoidance, diff
minimality and specification coverage are not computed: docs/scoring.md, section 5, says why.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...base.text import count
from ...evidence.events import EditEvent, ReadEvent, SearchEvent
from ...evidence.facts import TestFunctionFacts
from ...evidence.reading import is_file
from ...review.result import Pillar, SubMetric, not_applicable, nothing_done, scored, unscorable
from ...review.session import Session
from .abstention import aq
from .combining import combine
from .verification import no_code, unseen_tests

# The weights of the seven pillars.
SEVEN = {"PF": 0.15, "VC": 0.15, "RE": 0.20, "AQ": 0.10, "ATI": 0.10, "TAD": 0.20, "EE": 0.10}


def assertion_density(session: Session) -> SubMetric:
    """TAD: share of the tests that the agent wrote or edited which can fail. Repeated assertions add nothing."""
    if session.idle:
        return nothing_done("no test asserts anything")
    if not session.code_edits:
        return no_code(session)
    found: dict[tuple[str, str | None], tuple[EditEvent, TestFunctionFacts]] = {}
    for edit in session.edits:
        for test in session.facts(edit).tests:
            if not test.edited:  # of an edited one the log shows a part
                found[test.path, test.name] = (edit, test)
    if not found:
        if session.blind_tests:
            return unseen_tests(session)
        touched = [e.id for e in session.edits if e.role == "test"]
        if touched:
            return unscorable("the log shows no whole text of a test of the agent's own", touched[:3])
        return scored(0.0, "parsed", 0, [], "the agent left no test")
    others = [edit for edit, test in found.values() if test.skipped or not test.has_assertion]
    good, of = len(found) - len(others), count(len(found), "test")
    reason = f"of {of} by the agent whose text is shown, {good} assert what the rules see can fail"
    shown = list(dict.fromkeys(edit.id for edit, _ in found.values()))
    if any(edit.operation != "create" for edit in others):
        return unscorable(f"{reason}; the others are for a reader", shown)
    return scored(good / len(found), "parsed", len(found), shown, reason)


def exploration_efficiency(session: Session) -> SubMetric:
    """EE: share of the looks at files, and of searches, that are not repeats of an earlier call. After an edit of the
    file (for a search, after any edit) looking again is none, nor is a look that shows something else."""
    seen: dict[tuple[str, str, str], tuple[str, int | None]] = {}  # by file, input and output: the first such call
    looks: list[str] = []
    repeats = 0
    for event in session.events:
        if isinstance(event, EditEvent):
            seen = {s: at for s, at in seen.items() if s[0] and not is_file(s[0], event.path)}
        elif isinstance(event, ReadEvent | SearchEvent):
            call = session.reading.call(event)
            target = event.target if isinstance(event, ReadEvent) else ""
            key = (target, str(call and call.input), session.reading.shown(event))
            repeats += seen.setdefault(key, (event.lane, event.call)) != (event.lane, event.call)
            looks.append(event.id)
    if not looks:
        return not_applicable("the agent looked at no file")
    of = count(len(looks), "look")
    reason = f"{repeats} of {of} at a file repeat an earlier call word for word, with its output and no edit in between"
    return scored(1 - repeats / len(looks), "parsed", len(looks), looks[:20], reason)


def regression_resilience(session: Session) -> SubMetric:
    """RR: share of the tests that were broken on the way which pass again at the end."""
    replay = session.replay
    if replay is None or replay.snapshots is None or replay.unavailable is not None:
        return unscorable("only the replay of a recorded run measures it")
    if not replay.snapshots.states:
        return unscorable("no snapshots")
    states = [c for c in replay.checked if not c.is_start]
    broken = {r.test for c in states for r in c.regressions}
    if not broken:
        return not_applicable("no test that had passed was broken on the way")
    final = replay.snapshots.states[-1].tree
    left = {r.test for c in replay.checked if c.tree == final for r in c.regressions}
    reason = f"{len(broken - left)} of {count(len(broken), 'broken test')} passed again at the end"
    evidence = list(dict.fromkeys(e for c in states if c.regressions for e in c.edits))
    return scored(len(broken - left) / len(broken), "replayed", len(broken), evidence, reason)


def contextual_grounding(session: Session) -> SubMetric:
    """CGR: share of the files that the agent changed and had not made itself which it had looked at before."""
    first: dict[str, EditEvent] = {}
    counted = {e.id for e in session.project_edits}
    for edit in (e for e in session.events if isinstance(e, EditEvent)):
        if edit.operation == "create" or edit.id in counted:
            found = first.setdefault(edit.path, edit)
            first.setdefault(edit.new_path or edit.path, found)  # a file that is moved stays whose it was
    changed = {p: e for p, e in first.items() if e.operation == "modify" and p == e.path}
    if not changed:
        return not_applicable("no change is known of a file that was there before")
    grounded = [session.reading.was_read(path, session.position[e.id]) for path, e in changed.items()]
    known = [session.reading.knew(e) for e in changed.values()]
    pairs = zip(changed.values(), grounded, known, strict=True)
    if (unsure := next((e for e, seen, knew in pairs if not seen and knew is not False), None)) is not None:
        reason = f"no look at {unsure.path} before its first change was recognised, and there may have been one"
        return unscorable(reason, [unsure.id])
    good = sum(map(bool, grounded))
    reason = f"the agent had looked at {good} of {count(len(grounded), 'file')} before it changed them"
    return scored(good / len(grounded), "parsed", len(grounded), [e.id for e in changed.values()], reason)


def clarification_behaviour(session: Session) -> SubMetric:
    """CBS: AQ of an ambiguous task."""
    if session.task is None or session.task.solvable != "ambiguous":
        return not_applicable("no task file says that the task is ambiguous (--task)")
    return aq(session)


def seven_pillars(pillars: Mapping[str, Pillar], extended: Mapping[str, SubMetric]) -> SubMetric:
    """The score of the later version: the five pillars, TAD and EE, by its weights."""
    parts = {n: (p.status, p.value, SEVEN[n]) for n, p in pillars.items() if n in SEVEN}
    further = {n: (extended[n].status, extended[n].value, SEVEN[n]) for n in ("TAD", "EE") if n in extended}
    value, share = combine({**parts, **further})
    if value is None:
        return not_applicable("nothing applies") if share is None else unscorable("too little evidence for a score")
    known = [n for n, (status, _, _) in (parts | further).items() if status == "scored"]
    under = [sub for n in known if n in pillars for sub in pillars[n].submetrics.values()]
    shown = [*under, *(extended[n] for n in known if n in extended)]
    evidence = list(dict.fromkeys(event for sub in shown for event in sub.evidence))
    return scored(value, "parsed", len(known), evidence, f"the weighted mean of {', '.join(known)}")
