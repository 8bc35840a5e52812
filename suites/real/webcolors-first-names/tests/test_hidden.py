"""Names of colours and their values, there and back."""

import pytest

from webcolors import hex_to_name, name_to_hex, name_to_rgb, names, rgb_to_name

PAIRS = {"cyan": "aqua", "magenta": "fuchsia"}
SPECS = {"html4": 16, "css2": 16, "css21": 17, "css3": 147}


def first(name):
    """The first name of the same value in the alphabet."""
    return PAIRS.get(name, name).replace("grey", "gray")


@pytest.mark.parametrize("spec", SPECS)
def test_names_come_back_from_hex(spec):
    found = {name: hex_to_name(name_to_hex(name, spec), spec) for name in names(spec)}
    assert {name: back for name, back in found.items() if back != first(name)} == {}


@pytest.mark.parametrize("spec", SPECS)
def test_names_come_back_from_triplets(spec):
    found = {name: rgb_to_name(name_to_rgb(name, spec), spec) for name in names(spec)}
    assert {name: back for name, back in found.items() if back != first(name)} == {}


@pytest.mark.parametrize("spec", SPECS)
def test_all_names_are_listed(spec):
    assert len(names(spec)) == SPECS[spec]
    assert names(spec) == sorted(set(names(spec)))
    assert {"aqua", "fuchsia", "gray"} <= set(names(spec))


def test_values_are_those_of_the_standards():
    for one, other, value in (
        ("aqua", "cyan", "#00ffff"),
        ("fuchsia", "magenta", "#ff00ff"),
        ("slategray", "slategrey", "#708090"),
    ):
        assert (name_to_hex(one), name_to_hex(other)) == (value, value)
        assert type(name_to_hex(one)) is type(name_to_hex(other)) is str
        assert name_to_rgb(one) == name_to_rgb(other)


def test_calls_do_not_depend_on_each_other():
    found = set()
    for name in ("aqua", "cyan", "navy"):
        assert name_to_hex(name) in ("#00ffff", "#000080")
        found.add(hex_to_name("#00ffff"))
        found.add(hex_to_name("#00FFFF"))
    assert len(found) == 1
