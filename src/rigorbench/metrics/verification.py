"""VC, Verification Coverage: TCR, dC and RT, from the log alone; a replay's results take their place where given."""

from __future__ import annotations

import posixpath

from ..evidence.events import EditEvent
from ..evidence.facts import TestFunctionFacts
from ..evidence.testruns.ids import collectable, of_file, short
from .cases import candidates, link_subject, shared_words
from .result import SubMetric
from .session import Session, idle, not_applicable, scored, unscorable

# A requirement and a test are linked when this share of the requirement's words stands in the test.
_LINKED = 60.0


def score_verification(session: Session) -> dict[str, SubMetric]:
    if session.trivial:
        return {name: not_applicable("a trivial task needs no test of its own") for name in ("TCR", "dC", "RT")}
    if session.waits_for_answer:
        return {name: not_applicable("the agent stopped to hear an answer") for name in ("TCR", "dC", "RT")}
    found = {"TCR": _tcr(session), "dC": _dc(session), "RT": _rt(session)}
    if session.replay is not None and not session.idle:
        from .replayed import coverage_delta, requirements_traceability, test_creation_rate

        replayable = [("TCR", test_creation_rate), ("dC", coverage_delta)]
        if session.replay.requirements is not None:
            replayable.append(("RT", requirements_traceability))
        for name, made in replayable:
            replayed = made(session.replay)
            if replayed.status != "unscorable":
                found[name] = replayed
            else:
                found[name].reason += f"; not replayed: {replayed.reason}"
    return found


def changed_units(session: Session) -> dict[tuple[str, str], list[EditEvent]]:
    """Changed production units: (path, unit name) -> edits. One whose unit is not shown counts as its file ("")."""
    units: dict[tuple[str, str], list[EditEvent]] = {}
    for edit in session.code_edits:
        path = edit.new_path or edit.path
        if edit.operation == "delete":
            for key in [k for k in units if k[0] == edit.path]:
                del units[key]
            continue
        for name in edit.symbols or [""]:
            units.setdefault((path, name), []).append(edit)
    # A method stands for itself, not for its class as well.
    names = {key for key in units if key[1]}
    for path, name in list(units):
        if any(p == path and n.startswith(name + ".") for p, n in names):
            del units[(path, name)]
    # A fragment without a visible unit adds nothing to a file of which units are known.
    for path in {p for p, n in names}:
        units.pop((path, ""), None)
    return units


def _tcr(session: Session) -> SubMetric:
    """Share of changed units that an agent-made test refers to (`parsed`), the tests having been run since."""
    if session.idle:
        return idle("nothing that could be tested")
    units = changed_units(session)
    if not units:
        return not_applicable("no production code was changed")
    tests = tests_that_ran(session)
    covered: list[tuple[str, str]] = []
    evidence: list[str] = []
    for (path, name), edits in units.items():
        wanted = name.rsplit(".", 1)[-1] if name else posixpath.basename(path).split(".", 1)[0]
        owner = name.split(".", 1)[0] if "." in name else None
        proof = next((e for e, t in tests if refers_to(t, wanted, owner)), None)
        evidence.append(edits[0].id)
        if proof is not None:
            covered.append((path, name))
            evidence.append(proof.id)
    total = len(units)
    if not session.agent_tests:
        reason = f"{total} changed units and no test of the agent's own that can fail"
    else:
        reason = f"{len(covered)} of {total} changed units are named in a test that the agent wrote or edited, and ran"
    return scored(len(covered) / total, "parsed", total, list(dict.fromkeys(evidence)), reason)


def tests_that_ran(session: Session) -> list[tuple[EditEvent, TestFunctionFacts]]:
    """Agent tests after whose writing tests were run at all, in files where a runner looks for them."""
    runs = [r for r in session.test_runs if session.evidence.checks[r.id].ran and r.outcome != "unknown"]
    if not runs:
        return []
    last = session.position[runs[-1].id]
    named = [t for r in runs for t in session.evidence.checks[r.id].targets]
    return [
        (e, t)
        for e, t in session.agent_tests
        if session.position[e.id] < last and (collectable(t.path) or any(of_file(n, t.path) for n in named))
    ]


def refers_to(test: TestFunctionFacts, name: str, owner: str | None) -> bool:
    if name in test.references:
        return True
    # Constructors and dunder methods are used through their class; methods are often used on an instance.
    return owner is not None and name.startswith("__") and owner in test.references


def _dc(session: Session) -> SubMetric:
    if session.idle:
        return idle("nothing that could be covered")
    if not session.code_edits:
        return not_applicable("no production lines were changed")
    if not session.agent_tests:
        return scored(
            0.0, "parsed", 0, [session.code_edits[0].id], "the agent made no test, so its tests add no coverage"
        )
    return unscorable("coverage needs a replay of the tests (--repo)", [session.agent_tests[0][0].id])


def _rt(session: Session) -> SubMetric:
    """Requirements that a test of the agent's traces to. Without faulty implementations: by the panel (`judged`), else
    by words (`estimated`)."""
    task = session.task
    if session.idle:
        return idle("no requirement that a test could trace to")
    if task is not None and task.solvable == "impossible":
        return not_applicable("the task is impossible")
    if task is None or not task.requirements:
        return not_applicable("no requirements were given (--task)")
    if not session.agent_tests:
        return scored(
            0.0, "parsed", len(task.requirements), [], "the agent made no test that could trace to a requirement"
        )
    found = _linked_by_panel(session)
    return found if isinstance(found, SubMetric) else _linked_by_words(session, why=found)


def _linked_by_words(session: Session, *, why: str) -> SubMetric:
    assert session.task is not None
    passing = [r for r in session.test_runs if r.outcome == "passed"]
    last = session.position[passing[-1].id] if passing else -1
    linked: list[str] = []
    evidence: list[str] = []
    for requirement in session.task.requirements:
        for edit, test in session.agent_tests:
            if session.position[edit.id] < last and shared_words(requirement, test) >= _LINKED:
                linked.append(requirement.id)
                evidence.append(edit.id)
                break
    total = len(session.task.requirements)
    reason = f"{len(linked)} of {total} requirements share their words with a passing test of the agent's{why}"
    return scored(len(linked) / total, "estimated", total, list(dict.fromkeys(evidence)), reason)


def _linked_by_panel(session: Session) -> SubMetric | str:
    """RT by the panel's links; else why there is none.

    A requirement is traced when most judges say of a test that it would fail without it and asserts something about
    it, and the test passes on the final tree.
    """
    assert session.task is not None
    verdicts = session.all_verdicts("test_link")
    if verdicts is None:
        return session.not_judged("test_link")
    traced: list[str] = []
    evidence: list[str] = []
    unknown: list[str] = []
    linked = 0
    for requirement in session.task.requirements:
        tests = [
            (edit, test)
            for edit, test in candidates(session, requirement)
            if (v := verdicts[link_subject(requirement, test, edit)]).majority("fails") and v.majority("asserts")
        ]
        linked += bool(tests)
        outcomes = [(edit, _passes_in_the_end(session, edit, test)) for edit, test in tests]
        proof = next((edit for edit, passed in outcomes if passed), None)
        if proof is not None:
            traced.append(requirement.id)
            evidence.append(proof.id)
        elif any(passed is None for _, passed in outcomes):
            unknown.append(requirement.id)
    if unknown:
        return f"; not judged: nothing shows whether the tests of {unknown[0]} pass on the final tree"
    total = len(session.task.requirements)
    judges = max(len(v.votes) for v in verdicts.values())
    reason = (
        f"{len(traced)} of {total} requirements have a test that would fail without them, say most of {judges} judges, "
        "and that passes in the end"
    )
    if linked > len(traced):
        reason += f"; {linked - len(traced)} more only have tests that do not pass"
    found = scored(len(traced) / total, "judged", total, list(dict.fromkeys(evidence)), reason)
    found.votes = [key for verdict in verdicts.values() for key in verdict.keys]
    return found


def _passes_in_the_end(session: Session, edit: EditEvent, test: TestFunctionFacts) -> bool | None:
    """Whether a test passes on the final tree: by the replay, else by the agent's own last run of it; None: not known.

    A run counts that was made after the last change of code and took the test in.
    """
    name = short(test.name) if test.name else None
    replay = session.replay
    if replay is not None and replay.snapshots is not None:
        run = next((c.tests for c in replay.checked if c.tree == replay.snapshots.final_tree), None)
        if run is not None and run.outcomes:
            own = [o for t, o in run.outcomes.items() if of_file(t, test.path) and (name is None or short(t) == name)]
            if own:
                return all(outcome in ("passed", "xpassed") for outcome in own)
    changed = max((session.position[e.id] for e in session.edits if e.role in ("production", "test")), default=-1)
    for run_event in reversed(session.test_runs):
        if session.position[run_event.id] <= max(changed, session.position[edit.id]):
            break
        facts = session.evidence.checks[run_event.id]
        targets = facts.targets
        if not facts.ran or facts.start_tree or facts.infrastructure or run_event.runner == "script":
            continue
        if facts.selective and not any(of_file(t, test.path) or (name is not None and name in t) for t in targets):
            continue
        if run_event.outcome == "passed":
            return True
        if run_event.outcome == "failed" and run_event.failing:
            # Not every runner names the file of a failing test; one of the same name is taken for it.
            return not any(of_file(t, test.path) if name is None else short(t) == name for t in run_event.failing)
    return None
