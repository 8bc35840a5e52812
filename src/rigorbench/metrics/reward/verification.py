"""Credit for VC: the edits that made the tests."""

from __future__ import annotations

from ...evidence.events import EditEvent
from ...evidence.facts import TestFunctionFacts
from ..result import SubMetric
from ..session import Session
from ..verification import changed_units, refers_to, tests_that_ran
from .shares import Shares, View

Made = tuple[EditEvent, TestFunctionFacts]


def tcr(view: View, sub: SubMetric) -> Shares:
    """For each covered unit, to the edit that made the test; the loss to the first edit of each other unit."""
    session, shares = view.session, Shares()
    if sub.method == "replayed":
        for unit in session.replay.units or () if session.replay is not None else ():
            if unit.killed_by is not None:
                _to_test(session, shares, unit.killed_by)
            else:
                for edit in view.events(unit.edits)[:1]:
                    shares.lose(1, edit)
        return shares
    tests = tests_that_ran(session)
    for (path, name), edits in changed_units(session).items():
        proof = _test_of(tests, path, name)
        if proof is not None:
            shares.earn(1, proof)
        else:
            shares.lose(1, edits[0])
    return shares


def dc(view: View, _sub: SubMetric) -> Shares:
    """To the edits that made the tests which name a changed unit (else all of the agent's); the loss to the first
    edit of the code."""
    session, shares = view.session, Shares()
    units = changed_units(session)
    naming = [e for e, t in session.agent_tests if any(_test_of([(e, t)], path, name) for path, name in units)]
    for edit in naming or [e for e, _ in session.agent_tests]:
        shares.earn(1, edit)
    if session.code_edits:
        shares.lose(1, session.code_edits[0])
    return shares


def rt(view: View, sub: SubMetric) -> Shares:
    """To the edits that made the tests which trace to a requirement. What no test traces to, no step shows."""
    session, shares = view.session, Shares()
    if sub.method == "replayed" and session.replay is not None:
        for requirement in session.replay.requirements or ():
            if requirement.killed_by is not None:
                _to_test(session, shares, requirement.killed_by)
        return shares
    for event in view.events(sub.evidence):
        if isinstance(event, EditEvent):
            shares.earn(1, event)
    return shares


def _test_of(tests: list[Made], path: str, name: str) -> EditEvent | None:
    """The edit that made the first test which refers to a unit; "" names the file itself."""
    wanted = name.rsplit(".", 1)[-1] if name else path.rsplit("/", 1)[-1].split(".", 1)[0]
    owner = name.split(".", 1)[0] if "." in name else None
    return next((e for e, t in tests if refers_to(t, wanted, owner)), None)


def _to_test(session: Session, shares: Shares, test: str) -> None:
    """A share to the edit that made the test with this id, as a replay names it (``file::name``)."""
    path, _, rest = test.partition("::")
    name = rest.rsplit("::", 1)[-1].split("[", 1)[0]
    of_file = [(e, t) for e, t in session.agent_tests if t.path == path or t.path.endswith("/" + path)]
    named = [e for e, t in of_file if t.name is not None and t.name.rsplit(".", 1)[-1] == name]
    for edit in (named or [e for e, _ in of_file] or [e for e, _ in session.agent_tests])[:1]:
        shares.earn(1, edit)
