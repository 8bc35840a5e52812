"""Tests for freeze and thaw."""
import collections
from pyrsistent import v, m, s, freeze, thaw, PRecord, field, mutant


## Freeze (standard)


## Freeze (weak)


## Thaw

def test_thaw_set():
    result = thaw(s(1, 2))
    assert result == set([1, 2])
    assert type(result) is set


## Thaw (weak)
