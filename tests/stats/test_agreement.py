"""Coefficients of agreement against published worked examples, other libraries, and input that has no value."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import krippendorff
import msgspec
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa

from rigorbench.base.stats.agreement import Estimate, agreement

N = None
Ratings = list[list[int | None]]

# Fleiss (1971), table 1: 30 patients, 6 raters; depression, personality disorder, schizophrenia, neurosis, other.
FLEISS_1971 = """
    00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
    00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
# Krippendorff (2011), data with missing values: 4 observers, 12 units, 5 ordered categories. Read by column.
KRIPPENDORFF_2011 = """
    1 2 3 3 2 1 4 1 2 . . .
    1 2 3 3 2 2 4 1 2 5 . 3
    . 3 3 3 2 3 4 2 2 5 1 .
    1 2 3 3 2 4 4 1 2 5 1 .
"""


def from_counts(text: str) -> Ratings:
    return [[c for c, times in enumerate(row) for _ in range(int(times))] for row in text.split()]


def from_observers(text: str) -> Ratings:
    observers = [line.split() for line in text.strip().splitlines()]
    return [[None if value == "." else int(value) for value in unit] for unit in zip(*observers, strict=True)]


def from_square(table: Sequence[Sequence[int]]) -> Ratings:
    """Two raters: how often the first said the row and the second the column."""
    return [[a, b] for a, row in enumerate(table) for b, times in enumerate(row) for _ in range(times)]


def only(estimate: Estimate) -> float:
    assert estimate.value is not None, estimate.reason
    return estimate.value


def test_fleiss_1971() -> None:
    found = agreement(from_counts(FLEISS_1971))
    assert (only(found.raw), only(found.fleiss)) == (pytest.approx(0.5556, abs=5e-5), pytest.approx(0.430, abs=5e-4))
    assert (found.subjects, found.raters, found.ratings) == (30, 6, 180)


def test_krippendorff_with_missing_values() -> None:
    """Alpha nominal .743, ordinal .815 (Krippendorff 2011); Fleiss .76117, AC1 .77544, raw .81818 (Gwet's irrCAC)."""
    found = agreement(from_observers(KRIPPENDORFF_2011), order=[1, 2, 3, 4, 5])
    assert only(found.alpha) == pytest.approx(0.743, abs=5e-4)
    assert only(found.alpha_ordinal) == pytest.approx(0.815, abs=5e-4)
    assert only(found.fleiss) == pytest.approx(0.76117, abs=5e-6)
    assert only(found.ac1) == pytest.approx(0.77544, abs=5e-6)
    assert only(found.raw) == pytest.approx(0.81818, abs=5e-6)
    assert (found.subjects, found.pairable, found.raters, found.ratings) == (12, 11, 4, 41)


def test_gwet_2008_high_agreement() -> None:
    """118 of 125 subjects on which both say yes: AC1 .9408 (Gwet 2002, 2008)."""
    found = agreement(from_square([[118, 5], [2, 0]]))
    assert only(found.raw) == pytest.approx(0.944)
    assert only(found.ac1) == pytest.approx(0.9408, abs=5e-5)


# Tables of up to 4 raters and 4 categories.
complete = st.integers(2, 4).flatmap(
    lambda raters: st.lists(st.lists(st.integers(0, 3), min_size=raters, max_size=raters), min_size=1, max_size=12)
)
gaps = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.none() | st.integers(0, 3), min_size=raters, max_size=raters), min_size=1, max_size=12
    )
)


@settings(max_examples=30)
@given(complete)
def test_equals_statsmodels_where_that_is_defined(table: Ratings) -> None:
    found = agreement(table)
    counts = np.array([[row.count(c) for c in range(4)] for row in table])
    with np.errstate(divide="ignore", invalid="ignore"):
        theirs = float(fleiss_kappa(counts))
    assert (found.fleiss.value is None) == (not math.isfinite(theirs))
    if math.isfinite(theirs):
        assert only(found.fleiss) == pytest.approx(theirs, abs=1e-9)


@settings(max_examples=30)
@given(gaps)
def test_equals_the_library_krippendorff(table: Ratings) -> None:
    pairable = [row for row in table if sum(v is not None for v in row) >= 2]
    assume(len({v for row in pairable for v in row if v is not None}) > 1)
    found = agreement(table, order=[0, 1, 2, 3])
    data = np.array([[math.nan if v is None else v for v in row] for row in table], dtype=float).T
    for level, ours in (("nominal", found.alpha), ("ordinal", found.alpha_ordinal)):
        theirs = krippendorff.alpha(reliability_data=data, level_of_measurement=level, value_domain=[0, 1, 2, 3])
        assert only(ours) == pytest.approx(theirs, abs=1e-9)


@settings(max_examples=30)
@given(gaps, st.booleans())
def test_every_table_has_values_or_reasons(table: Ratings, ordered: bool) -> None:
    found = agreement(table, order=[0, 1, 2, 3] if ordered else None)
    msgspec.json.encode(found)  # nan would not be valid JSON
    for name in ("raw", "fleiss", "alpha", "alpha_ordinal", "ac1"):
        e: Estimate = getattr(found, name)
        assert e.reason or None not in (e.value, e.low, e.high)
        for number in (e.value, e.low, e.high):
            assert number is None or (math.isfinite(number) and number <= 1 + 1e-9)
        assert e.low is None or e.high is None or e.low < e.high


def test_unanimous_in_one_category() -> None:
    """Raw agreement and AC1 are 1; what is corrected by the ratings themselves is undefined, and says so."""
    found = agreement([[True, True, True]] * 5)
    assert found.raw.value == found.ac1.value == 1.0
    assert found.raw.low is None
    assert "every resample" in found.raw.reason
    for estimate in (found.fleiss, found.alpha):
        assert estimate.value is None
        assert "undefined" in estimate.reason


@pytest.mark.parametrize(
    ("table", "raw", "reason", "counts"),
    [
        ([], None, "nothing was rated", (0, 0, 0)),
        ([[N, N]], None, "nothing was rated", (0, 0, 0)),
        ([[]], None, "nothing was rated", (0, 0, 0)),
        ([[1], [2], [1]], None, "no subject was rated by two raters", (3, 0, 1)),
        ([[1, 2, 2]], pytest.approx(1 / 3), "fewer than 3 subjects: no interval", (1, 1, 3)),
    ],
)
def test_too_little_says_why(table: Ratings, raw: float | None, reason: str, counts: tuple[int, int, int]) -> None:
    found = agreement(table)
    assert (found.raw.value, found.raw.low, found.raw.reason) == (raw, None, reason)
    assert (found.subjects, found.pairable, found.raters) == counts
    assert found.alpha_ordinal.value is None


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        ([[1, 2], [1]], {}, "one entry per rater"),
        ([[1, 2]], {"order": [1]}, "not among the categories"),
        ([[1, math.nan]], {}, "nan"),
        ([[1, 2]], {"clusters": ["a", "b"]}, "2 clusters for 1"),
    ],
)
def test_wrong_input(table: Ratings, options: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        agreement(table, **options)


def simulated(subjects: int, seed: int, agree: float = 0.75) -> Ratings:
    """Two raters, two equally likely categories: each says the truth with probability p, so kappa is (2p - 1)^2."""
    random = np.random.default_rng(seed)
    truth = random.integers(2, size=(subjects, 1))
    wrong = random.random((subjects, 2)) > agree
    return [[int(v) for v in row] for row in np.where(wrong, 1 - truth, truth)]


def test_intervals_cover_the_truth() -> None:
    """60 tables of 40 subjects, truth .25: at 95 % the chance of fewer than 48 covers is below 1e-6."""
    covered = Counter[str]()
    for seed in range(60):
        found = agreement(simulated(40, seed))
        for name in ("fleiss", "alpha"):
            e = getattr(found, name)
            covered[name] += e.low <= 0.25 <= e.high
    assert min(covered.values()) >= 48
    assert max(covered.values()) < 60, "an interval that always covers is too wide"


def test_clusters_widen_the_interval() -> None:
    """Each subject ten times over: as subjects the interval is far too narrow, as clusters that of the originals."""
    table = simulated(30, 7)
    many = [row for row in table for _ in range(10)]
    names = [str(n) for n in range(30) for _ in range(10)]
    alone, naive, clustered = agreement(table), agreement(many), agreement(many, clusters=names)

    def width(e: Estimate) -> float:
        assert e.low is not None
        assert e.high is not None
        return e.high - e.low

    assert width(clustered.fleiss) == pytest.approx(width(alone.fleiss), rel=1e-9)
    assert width(naive.fleiss) < 0.5 * width(clustered.fleiss)
