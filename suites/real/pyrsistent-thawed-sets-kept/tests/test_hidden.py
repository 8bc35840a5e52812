"""Sets that are thawed."""

import pytest

from pyrsistent import CheckedPSet, PSet, PVector, m, s, thaw, v


class Tags(CheckedPSet):
    __type__ = str


@pytest.mark.parametrize("strict", [True, False])
def test_sets_become_plain(strict):
    plain = {"new", "red"}
    for frozen, thawed in (
        (s("new", "red"), plain),
        (m(tags=s("new", "red")), {"tags": plain}),
        (v(1, s("new", "red")), [1, plain]),
        ((s("new", "red"), 1), (plain, 1)),
        (s(), set()),
    ):
        assert thaw(frozen, strict=strict) == thawed
    assert type(thaw(s(1), strict=strict)) is set
    assert type(thaw(m(a=s(1)), strict=strict)["a"]) is set
    assert type(thaw(v(s(1)), strict=strict)[0]) is set
    assert type(thaw((s(1),), strict=strict)[0]) is set


def test_sets_of_a_class_become_plain():
    thawed = thaw(m(tags=Tags(["new", "red"])))
    assert thawed == {"tags": {"new", "red"}}
    assert type(thawed["tags"]) is set


def test_elements_of_sets_stay():
    thawed = thaw(s(v("a", 1), v("b", 2)))
    assert type(thawed) is set
    assert thawed == {v("a", 1), v("b", 2)}
    assert all(isinstance(pair, PVector) for pair in thawed)
    (inner,) = thaw(v(s(s(1, 2))))[0]
    assert isinstance(inner, PSet)
