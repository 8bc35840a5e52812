"""VC, Verification Coverage: TCR, dC and RT, from the log and the readings."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from ...base.text import count
from ...evidence.events import EditEvent
from ...evidence.facts import TestFunctionFacts
from ...evidence.testruns.ids import collectable, of_file, short
from ...review.answers import JudgedPoints
from ...review.result import SubMetric, not_applicable, nothing_done, scored, unscorable
from ...review.session import Session, file_names
from ...session.task import LINKED

if TYPE_CHECKING:
    from ...session.task import Task

# Path and name of a function, method or class; the name is "" where the log shows only the file.
Unit = tuple[str, str]
AgentTest = tuple[EditEvent, TestFunctionFacts]


def changed_units(session: Session) -> dict[Unit, list[EditEvent]]:
    """The production units that differ in the end, each with its edits. What an edit took back did not change."""
    units: dict[Unit, list[EditEvent]] = {}
    inside: defaultdict[str, list[Unit]] = defaultdict(list)
    for edit in session.lasting(session.code_edits):
        path = edit.new_path or edit.path
        if edit.operation == "delete":
            for key in inside.pop(edit.path, ()):
                del units[key]
            continue
        for name in edit.symbols or [""]:
            if (path, name) not in units:
                inside[path].append((path, name))
            units.setdefault((path, name), []).append(edit)
    dots = [(path, name, i) for path, name in units for i, character in enumerate(name) if character == "."]
    owners: defaultdict[Unit, list[str]] = defaultdict(list)
    for path, name, i in dots:
        owners[path, name[i + 1 :]].append(name)
    # A fragment may show a method without its class.
    for path, name in list(units):
        owned = next((n for n in owners.get((path, name), ()) if name and (path, n) in units), None)
        if owned is not None:
            units[(path, owned)] += units.pop((path, name))
    # A changed method does not count as a change of its class.
    named = {path for path, name in units if name}
    for key in {(path, name[:i]) for path, name, i in dots if (path, name) in units}:
        units.pop(key, None)
    # A fragment without a visible unit adds nothing to a file of which units are known.
    for path in named:
        units.pop((path, ""), None)
    return units


def tcr(session: Session) -> SubMetric:
    """Share of changed units that an agent-made test refers to (`parsed`), if tests ran after it was written."""
    if session.idle:
        return nothing_done("nothing could be tested")
    units = changed_units(session)
    if not units:
        return no_code(session)
    tests = tests_that_ran(session)
    covered = 0
    evidence: list[str] = []
    for unit, edits in units.items():
        proof = test_of_unit(tests, unit)
        evidence.append(edits[0].id)
        if proof is not None:
            covered += 1
            evidence.append(proof.id)
    total = len(units)
    if covered < total and (session.blind_tests or session.whole_checks):
        return unseen_tests(session)
    if session.agent_tests:
        of = _counted(units, "changed ")
        reason = (
            f"tests of the agent that ran name {covered} of {of} in the text that the log shows; they may reach others"
        )
    else:
        reason = f"the agent changed {_counted(units)} and left no test for {'it' if total == 1 else 'them'}"
    return scored(covered / total, "parsed", total, list(dict.fromkeys(evidence)), reason)


def no_code(session: Session) -> SubMetric:
    """The result where no change is known of code whose functions are recognised."""
    edits = session.production_edits
    if session.code_edits:
        return not_applicable(f"of the changes of code nothing is left that could be tested ({file_names(edits)})")
    others = [e for e in edits if not session.facts(e).code]
    if others:
        reason = f"in the files that were changed no functions are recognised ({file_names(others)})"
        return unscorable(reason, [e.id for e in others[:3]])
    if edits:
        return not_applicable(
            f"only comments and blank space of the production code were changed ({file_names(edits)})"
        )
    if session.edits and session.evidence.may_have("edit"):
        return unscorable("the log shows no change of production code, and not all that was done")
    return not_applicable("no change of production code is known" if session.edits else session.no_change)


def _counted(units: Collection[Unit], adjective: str = "") -> str:
    """The number of units in words: "1 file", "2 changed functions or classes"."""
    named = [bool(name) for _, name in units]
    if not all(named):
        return count(len(units), f"{adjective}{'unit' if any(named) else 'file'}")
    return count(len(units), f"{adjective}function or class", f"{adjective}functions or classes")


def unseen_tests(session: Session) -> SubMetric:
    """The result where it depends on what the agent's tests say, and the log does not state that."""
    blind = session.blind_tests
    if not blind and session.whole_checks:
        paths = ", ".join(edit.path for edit in session.whole_checks[:3])
        reason = f"the log does not show which parts of the code {paths} of the agent covers"
        return unscorable(reason, [e.id for e in session.whole_checks[:3]])
    reason = f"the log names {count(len(blind), 'edited test file')} and does not state what was written"
    return unscorable(reason, [e.id for e in blind[:3]])


def tests_that_ran(session: Session) -> list[AgentTest]:
    """Agent tests in files where a runner looks for them, if any test ran after they were written."""
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


def test_of_unit(tests: Iterable[AgentTest], unit: Unit) -> EditEvent | None:
    """The edit that made the first test which refers to a unit."""
    path, name = unit
    own = name.rsplit(".", 1)[-1] if name else posixpath.basename(path).split(".", 1)[0]
    owner = name.split(".", 1)[0] if "." in name else None
    # Constructors and other dunder methods are used through their class.
    names = {own, owner} if own.startswith("__") else {own}
    return next((e for e, t in tests if not names.isdisjoint(t.references)), None)


def dc(session: Session) -> SubMetric:
    """0 where no test of the agent can add coverage; otherwise only a replay can measure it."""
    if session.idle:
        return nothing_done("nothing could be covered")
    if not session.code_edits:
        return no_code(session)
    if not session.agent_tests:
        if session.blind_tests or session.whole_checks:
            return unseen_tests(session)
        reason = "the agent left no test, so its tests add no coverage"
        return scored(0.0, "parsed", 0, [session.code_edits[0].id], reason)
    return unscorable("only the replay of a recorded run measures coverage", [session.agent_tests[0][0].id])


def rt(session: Session) -> SubMetric:
    """Share of requirements that a test of the agent checks, by a reader (`judged`), else by shared words
    (`estimated`)."""
    task = session.task
    if session.idle:
        return nothing_done("no test could check a requirement")
    if task is not None and task.solvable == "impossible":
        return not_applicable("the task is impossible")
    if task is None or not task.requirements:
        return not_applicable("no task file lists requirements (--task)")
    if not session.agent_tests:
        if session.blind_tests or session.whole_checks:
            return unseen_tests(session)
        reason = "the agent left no test that could check a requirement"
        return scored(0.0, "parsed", len(task.requirements), [], reason)
    judged = session.judged
    if judged is None or not judged.has("requirement1"):
        return _linked_by_words(session, task, why="")
    found = _linked_by_readers(session, task, judged)
    return found if isinstance(found, SubMetric) else _linked_by_words(session, task, why=found)


def _linked_by_words(session: Session, task: Task, *, why: str) -> SubMetric:
    passing = [r for r in session.test_runs if r.outcome == "passed"]
    last = session.position[passing[-1].id] if passing else -1
    evidence: list[str] = []
    for requirement in task.requirements:
        for edit, test in session.agent_tests:
            likeness = requirement.shared_words(test.name or "", test.references)
            if session.position[edit.id] < last and likeness >= LINKED:
                evidence.append(edit.id)
                break
    linked, total = len(evidence), len(task.requirements)
    reason = f"passing tests of the agent share their words with {linked} of {count(total, 'requirement')}{why}"
    return scored(linked / total, "estimated", total, list(dict.fromkeys(evidence)), reason)


def _linked_by_readers(session: Session, task: Task, judged: JudgedPoints) -> SubMetric | str:
    """RT by readings; else why there is none.

    A requirement is traced if most readings say that a test of the agent would fail without it, and the agent's tests
    pass on the final tree.
    """
    tests = [(edit, _passes_at_the_end(session, edit, test)) for edit, test in session.agent_tests]
    outcomes = {passed for _, passed in tests}
    if len(outcomes) > 1 or None in outcomes:
        known = "not all" if None not in outcomes else "it is unknown whether all"
        return f"; not judged: {known} of the agent's tests pass at the end"
    said = [judged.majority(f"requirement{n}") for n in range(1, len(task.requirements) + 1)]
    linked, total, left = said.count(True), len(said) - said.count(None), said.count(None)
    if not total:
        return "; not judged: the readings decide on no requirement"
    traced = linked if True in outcomes else 0
    reason = (
        f"{count(len(judged.by), 'reading')} found that a test of the agent would fail without {linked} of "
        f"{count(total, 'requirement')}; {'all' if True in outcomes else 'none'} of its tests pass at the end"
    )
    if left:
        reason += f"; {count(left, 'more requirement')} undecided"
    found = scored(traced / total, "judged", total, list(dict.fromkeys(edit.id for edit, _ in tests)), reason)
    found.readers = judged.by
    return found


def _passes_at_the_end(session: Session, edit: EditEvent, test: TestFunctionFacts) -> bool | None:
    """Whether a test passes on the final tree, by the replay or else by the agent's own last run of it; None: unknown.

    A run counts if it came after the last change of code and included the test.
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
            # Not every runner names the file of a failing test, so a test of the same name counts as this one.
            return not any(of_file(t, test.path) if name is None else short(t) == name for t in run_event.failing)
    return None
