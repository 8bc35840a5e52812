"""The digest of a session: what it tells, that it fits, and that nothing in it can be taken for ours."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from rigorbench.api import extract
from rigorbench.evidence.facts import Evidence
from rigorbench.reader.digest import digest
from rigorbench.trajectory.logfile import LogError
from rigorbench.trajectory.registry import discover, read_log

DATA = Path(__file__).resolve().parents[1] / "data"


@lru_cache
def samples() -> tuple[Evidence, ...]:
    found = []
    for log in discover([str(DATA)]):
        if isinstance(log, LogError):
            continue
        try:
            found += [extract(trajectory) for trajectory in read_log(log)]
        except LogError:
            continue
    assert len(found) > 30
    return tuple(found)


@pytest.mark.parametrize("budget", [2_000, 7_000, 24_000, 60_000])
def test_the_budget_is_never_overshot_and_is_used(budget: int) -> None:
    for evidence in samples():
        found = digest(evidence, budget)
        assert found.characters == len(found.text) <= budget
        assert found.characters > 0.75 * budget or not found.cut, evidence.trajectory.source
