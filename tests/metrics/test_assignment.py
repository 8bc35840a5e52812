from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.bench.rigorscore.matching import minimise


@st.composite
def tables(draw: st.DrawFn) -> list[list[float]]:
    rows = draw(st.integers(1, 4))
    columns = draw(st.integers(rows, 5))
    numbers = st.integers(0, 20).map(lambda n: n / 4)
    return [[draw(numbers) for _ in range(columns)] for _ in range(rows)]


@given(tables())
def test_it_finds_the_least_total_cost(cost: list[list[float]]) -> None:
    chosen = minimise(cost)
    assert len(set(chosen)) == len(cost)
    best = min(sum(cost[i][j] for i, j in enumerate(picked)) for picked in permutations(range(len(cost[0])), len(cost)))
    assert sum(cost[i][j] for i, j in enumerate(chosen)) == pytest.approx(best)
