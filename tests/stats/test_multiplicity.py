"""Adjusted p-values: by hand, against statsmodels, and what they promise about false findings."""

from __future__ import annotations

from typing import Literal
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from rigorbench.base.stats.paired import adjusted


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
