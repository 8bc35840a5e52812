"""Lists of integers, their texts, and the way back."""

import pytest

from boltons.strutils import format_int_list, parse_int_list

LISTS = [
    [],
    [7],
    [-7],
    [1, 2, 3, 8],
    [-3, -2, -1, 4],
    [-12, -11, -10, -5, 0, 1, 2],
    [-1, 0],
    [3, 1, 2],
    [1, 1, 2, 3],
    [4, -4],
]


@pytest.mark.parametrize("rows", LISTS, ids=str)
def test_lists_come_back(rows):
    assert parse_int_list(format_int_list(rows)) == rows


@pytest.mark.parametrize("rows", LISTS, ids=str)
def test_lists_with_other_separators_come_back(rows):
    assert parse_int_list(format_int_list(rows, delim_space=True)) == rows
    assert parse_int_list(format_int_list(rows, ";", ":"), ";", ":") == rows


def test_texts_are_as_before():
    for rows, text in (
        ([3, 1, 2], "1-3"),
        ([1, 1, 2, 3], "1-3"),
        ([8, -3, -1, -2], "-3--1,8"),
        ([5, -5], "-5,5"),
    ):
        assert format_int_list(rows) == text
        assert type(format_int_list(rows)) is str
    assert format_int_list([4, 2, 1], delim_space=True) == "1-2, 4"


def test_texts_are_read_as_before():
    assert parse_int_list("1,3,5-8,15") == [1, 3, 5, 6, 7, 8, 15]
    assert parse_int_list("8-5, 2 ,") == [2, 5, 6, 7, 8]
    assert parse_int_list(" 1 - 3,2") == [1, 2, 2, 3]
    with pytest.raises(ValueError):
        parse_int_list("1-x")
