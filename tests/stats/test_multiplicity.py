"""Adjusted p-values: by hand, against statsmodels, and what they promise about false findings."""

from __future__ import annotations

from typing import Literal
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulation import bounds
from statsmodels.stats.multitest import multipletests

from rigorbench.base.stats.paired import adjusted


def test_holm_by_hand() -> None:
    """Four tests: the smallest times 4, the next times 3, and none smaller than the one before it."""
    assert adjusted([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_by_hand() -> None:
    assert adjusted([0.01, 0.04, 0.03, 0.005], "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.sampled_from([("holm", "holm"), ("bh", "fdr_bh")]))
def test_as_statsmodels(p: list[float], methods: tuple[Literal["holm", "bh"], str]) -> None:
    # statsmodels collects the garbage of the whole process at each call, which here is that of all tests before.
    with mock.patch("gc.collect"):
        theirs = list(multipletests(p, method=methods[1])[1])
    assert adjusted(p, methods[0]) == pytest.approx(theirs)


def test_what_was_not_tested_counts_for_nothing() -> None:
    assert adjusted([None, 0.02, None, 0.5]) == [None, 0.04, None, 0.5]
    assert adjusted([None, None], "bh") == [None, None]
    assert adjusted([]) == []


def test_what_they_promise() -> None:
    """20 tests, of which 5 find something: Holm's method errs at all in no more than 5 % of the families, and of what
    Benjamini and Hochberg's finds no more than 5 % is false on average."""
    chance = np.random.default_rng(11)
    trials, any_false, shares = 800, 0, []
    for _ in range(trials):
        p = chance.uniform(size=20)
        p[:5] = chance.beta(0.05, 5, 5)
        holm, bh = (np.array(adjusted(list(p), method)) <= 0.05 for method in ("holm", "bh"))
        any_false += bool(holm[5:].any())
        shares.append(bh[5:].sum() / max(1, bh.sum()))
    assert any_false <= bounds(trials, 0.05)[1]
    assert np.mean(shares) <= 0.05 * 15 / 20 + 5 * np.std(shares) / np.sqrt(trials)
    # Unadjusted, more than half of the families would hold a false finding.
    assert np.mean(chance.uniform(size=(trials, 15)).min(axis=1) <= 0.05) > 0.5
