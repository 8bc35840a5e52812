"""Rewards for VC: the edits that made the tests."""

from __future__ import annotations

from ....evidence.events import EditEvent
from ....review.result import SubMetric
from ....review.session import Session
from ..verification import changed_units, test_of_unit, tests_that_ran
from .share import Shares, View


def tcr(view: View, sub: SubMetric) -> Shares:
    """For each covered unit, to the edit that made the test; the loss to the first edit of each other unit."""
    session, shares = view.session, Shares()
    if sub.method == "replayed":
        for unit in session.replay.units or () if session.replay is not None else ():
            if unit.killed_by is not None:
                _credit_test(session, shares, unit.killed_by)
            else:
                for edit in view.events(unit.edits)[:1]:
                    shares.add_loss(1, edit)
        return shares
    tests = tests_that_ran(session)
    for changed, edits in changed_units(session).items():
        proof = test_of_unit(tests, changed)
        if proof is not None:
            shares.add_credit(1, proof)
        else:
            shares.add_loss(1, edits[0])
    return shares


def dc(view: View, _sub: SubMetric) -> Shares:
    """To the edits that made the tests which name a changed unit (else all of the agent's tests).

    The loss goes to the first edit of the code.
    """
    session, shares = view.session, Shares()
    units = changed_units(session)
    naming = [e for e, t in session.agent_tests if any(test_of_unit([(e, t)], unit) for unit in units)]
    for edit in naming or [e for e, _ in session.agent_tests]:
        shares.add_credit(1, edit)
    if session.code_edits:
        shares.add_loss(1, session.code_edits[0])
    return shares


def rt(view: View, sub: SubMetric) -> Shares:
    """To the edits that made the tests of a requirement. No step shows the loss: a test that is missing."""
    session, shares = view.session, Shares()
    if session.replay is not None and session.replay.requirements:
        for requirement in session.replay.requirements:
            if requirement.killed_by is not None:
                _credit_test(session, shares, requirement.killed_by)
        return shares
    for event in view.events(sub.evidence):
        if isinstance(event, EditEvent):
            shares.add_credit(1, event)
    return shares


def _credit_test(session: Session, shares: Shares, test: str) -> None:
    """Adds a share for the edit that made a test, which is given by the id of a replay (``file::name``)."""
    path, _, rest = test.partition("::")
    name = rest.rsplit("::", 1)[-1].split("[", 1)[0]
    of_file = [(e, t) for e, t in session.agent_tests if t.path == path or t.path.endswith("/" + path)]
    named = [e for e, t in of_file if t.name is not None and t.name.rsplit(".", 1)[-1] == name]
    for edit in (named or [e for e, _ in of_file] or [e for e, _ in session.agent_tests])[:1]:
        shares.add_credit(1, edit)
