"""Lists of integers and the way back from their texts."""

import pytest

from boltons.strutils import format_int_list, parse_int_list


@pytest.mark.parametrize("rows", [[], [-4], [-3, -2, -1, 4], [-1, 0, 1], [-9, -7, -6], [1, 2, 5]])
def test_a_list_comes_back(rows):
    assert parse_int_list(format_int_list(rows)) == rows
    assert parse_int_list(format_int_list(rows, delim_space=True)) == rows
