from collections import defaultdict, namedtuple

import pytest

from pyrsistent import PMap, discard, freeze, m, pmap, v


class Person(namedtuple("Person", "name")):
    def __eq__(self, other):
        return type(self) is type(other) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


class Item(namedtuple("Item", "name")):
    def __eq__(self, other):
        return type(self) is type(other) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


@pytest.fixture
def both():
    return pmap({Person("X"): 2, Item("X"): 3})


@pytest.mark.parametrize(("gone", "left", "value"), [(Person, Item, 3), (Item, Person, 2)])
def test_only_the_equal_key_is_removed(both, gone, left, value):
    rest = both.remove(gone("X"))
    assert len(rest) == len(list(rest)) == 1
    assert rest[left("X")] == value
    assert gone("X") not in rest
    assert len(rest.remove(left("X"))) == 0


def test_only_the_equal_key_is_set(both):
    changed = both.set(Person("X"), 7)
    assert (changed[Person("X")], changed[Item("X")], len(changed)) == (7, 3, 2)


def test_a_defaultdict_is_frozen_with_its_values():
    source = defaultdict(list, a=[1, {"b": [2]}])
    frozen = freeze(source)
    assert isinstance(frozen, PMap)
    assert frozen == m(a=v(1, m(b=v(2))))
    assert freeze([source])[0] == frozen


@pytest.mark.parametrize("start", [{}, {"a": {}}, {"a": {"b": {}}}, {"z": {"b": {"c": 1}}}])
def test_discarding_adds_nothing(start):
    tree = freeze(start)
    assert tree.transform(["a", "b", "c"], discard) == tree


def test_what_is_there_is_discarded():
    assert freeze({"a": {"b": 1, "c": 2}}).transform(["a", "b"], discard) == freeze({"a": {"c": 2}})
