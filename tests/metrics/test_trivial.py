"""On a trivial task nobody asks for a plan or a test, so making them gains nothing."""

from __future__ import annotations

import pytest
from bases import BASES

from builders import Session
from rigorbench.bench.rigorscore.score import score_session
from rigorbench.session.task import Task

NEEDLESS = {"PF": ("PAC", "DQ", "PEA"), "VC": ("TCR", "dC", "RT")}
TRIVIAL = Task(id="typo", trivial=True)


@pytest.mark.parametrize("base", BASES)
def test_planning_and_verification_do_not_apply(base: str) -> None:
    found = score_session(BASES[base](), task=TRIVIAL).score.pillars
    for pillar, names in NEEDLESS.items():
        assert found[pillar].status == "not_applicable"
        for name in names:
            assert (found[pillar].submetrics[name].status, found[pillar].submetrics[name].value) == (
                "not_applicable",
                None,
            )


def test_who_does_nothing_has_not_been_brief() -> None:
    lazy = Session().user("Please fix the typo in the greeting.").say("Done, the greeting is right now.").build()
    found = score_session(lazy, task=TRIVIAL).score
    assert found.rigor_score == 0
    assert {found.pillars[p].value for p in NEEDLESS} == {0.0}
