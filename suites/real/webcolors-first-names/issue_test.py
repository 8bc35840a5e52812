"""Names of colours that share a value."""

import pytest

import webcolors

SPECS = ("html4", "css2", "css21", "css3")


@pytest.mark.parametrize("spec", SPECS)
def test_the_first_name_of_a_value_comes_back(spec):
    by_value = {}
    for name in webcolors.names(spec):
        by_value.setdefault(webcolors.name_to_hex(name, spec), []).append(name)
    for value, same in by_value.items():
        assert webcolors.hex_to_name(value, spec) == min(same)


@pytest.mark.parametrize("spec", SPECS)
def test_triplets_give_the_same_names(spec):
    for name in webcolors.names(spec):
        by_triplet = webcolors.rgb_to_name(webcolors.name_to_rgb(name, spec), spec)
        assert by_triplet == webcolors.hex_to_name(webcolors.name_to_hex(name, spec), spec)
