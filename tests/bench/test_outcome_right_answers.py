"""Right answers in containers of the standard library pass the hidden tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from across_boundary import measured, passed

pytestmark = pytest.mark.bwrap

SHOP = """\
from array import array
from collections import ChainMap, OrderedDict, UserDict, UserList, deque
from types import MappingProxyType, SimpleNamespace

PRICES = {"tea": 3, "rye": 5}


class Item:
    def __init__(self, name):
        self.name = name


def prices(how):
    return {
        "proxy": MappingProxyType(PRICES), "chain": ChainMap({"tea": 3}, PRICES), "own": UserDict(PRICES),
        "ordered": OrderedDict(PRICES),
    }[how]


def names(how):
    return {"keys": PRICES.keys(), "ordered": OrderedDict(PRICES).keys(), "items": PRICES.items()}[how]


def queue(*values):
    return deque(values, maxlen=3)


def listed(*values):
    return UserList(values)


def numbers():
    return array("i", [1, 2])


def place():
    return SimpleNamespace(street="Low", numbers=(1, 2))


def items():
    return MappingProxyType({"a": Item("a")})


def cheapest(mapping):
    return min(mapping, key=mapping.get)


def serve(waiting):
    return waiting.popleft()


def name_of(mapping):
    return mapping["a"].name
"""
HIDDEN = """\
from array import array
from collections import deque
from types import SimpleNamespace

import pytest

from shop.core import cheapest, items, listed, name_of, names, numbers, place, prices, queue, serve


@pytest.mark.parametrize("how", ["proxy", "chain", "own", "ordered"])
def test_mappings(how):
    found = prices(how)
    assert found == {"tea": 3, "rye": 5}
    assert found != {"tea": 3}
    assert sorted(found) == ["rye", "tea"]
    assert cheapest(found) == "tea"


def test_a_proxy_cannot_be_changed():
    with pytest.raises(TypeError):
        prices("proxy")["tea"] = 4


def test_views():
    assert names("keys") == {"tea", "rye"}
    assert names("ordered") >= {"tea"}
    assert names("items") == {("tea", 3), ("rye", 5)}


def test_sequences():
    assert queue(1, 2, 3, 4) == deque([2, 3, 4])
    assert queue(1).maxlen == 3
    assert listed(1, 2) == [1, 2]
    assert numbers() == array("i", [1, 2])


def test_namespaces():
    assert place() == SimpleNamespace(street="Low", numbers=(1, 2))


def test_objects_inside_are_those_of_the_code():
    found = items()
    assert found["a"].name == "a"
    assert name_of(found) == "a"


def test_a_deque_of_the_test_is_changed():
    waiting = deque([1, 2])
    assert serve(waiting) == 1
    assert waiting == deque([2])


def test_wrong_answers_fail():
    assert prices("proxy") == {"tea": 3, "rye": 6}
"""


def test_containers_of_the_standard_library_cross_as_values(tmp_path: Path) -> None:
    report = measured(tmp_path, HIDDEN, {"__init__.py": "", "core.py": SHOP})
    assert {t.partition("::")[2] for t in report.outcomes} - passed(report) == {"test_wrong_answers_fail"}
