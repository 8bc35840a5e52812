"""Every check fires on its evidence, and is silent when that is deleted."""

from __future__ import annotations

import pytest
from pairs import PAIRS
from reviewing import ids, review

from rigorbench.bench.rigorscore.score import open_session
from rigorbench.review.catalogue import all_checks

# What a task's hidden tests decide: tests/metrics/test_untouched.py.
OF_TASKS = {"I-untouched"}


def test_every_check_has_a_pair() -> None:
    assert set(PAIRS) == set(all_checks()) - OF_TASKS


@pytest.mark.parametrize("id", PAIRS)
def test_a_check_fires_on_its_evidence_and_is_silent_without_it(id: str) -> None:
    assert id in ids(PAIRS[id](True))
    assert id not in ids(PAIRS[id](False))


@pytest.mark.parametrize("id", PAIRS)
def test_what_fires_says_where_it_is_seen(id: str) -> None:
    trajectory = PAIRS[id](True).build()
    events = {e.id: e for e in open_session(trajectory).events}
    for found in review(trajectory).checks:
        assert found.message
        assert (found.advice is None) == (found.severity == "strength")
        assert found.events
        first = events[found.events[0]]
        assert set(found.events) <= set(events)
        assert (found.step, found.source) == (first.step, first.source)
