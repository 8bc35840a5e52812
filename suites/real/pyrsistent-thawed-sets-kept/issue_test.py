"""Sets that are thawed, alone and inside of others."""

from pyrsistent import CheckedPSet, m, s, thaw, v


class Numbers(CheckedPSet):
    __type__ = int


def test_a_set_alone():
    assert thaw(s(1, 2)) == {1, 2}
    assert type(thaw(s(1, 2))) is set


def test_a_set_inside_of_others():
    assert type(thaw(m(a=v(s(1))))["a"][0]) is set
    assert type(thaw(m(a=s(1)), strict=False)["a"]) is set


def test_a_set_of_a_class_of_its_own():
    assert type(thaw(Numbers([1, 2]))) is set


def test_elements_stay():
    assert thaw(s(v("a", 1))) == {v("a", 1)}
