import ast

import pytest

from pyflakes import checker


def reports(code):
    found = checker.Checker(ast.parse(code)).messages
    return [(type(message).__name__, message.message_args[0]) for message in found]


@pytest.mark.parametrize("kind", ["TypedDict", "NamedTuple"])
@pytest.mark.parametrize("fields", ["FIELDS", "FIELDS()", "FIELDS['row']", "[*FIELDS]", "dict(FIELDS)"])
def test_an_import_is_used_by_the_second_argument(kind, fields):
    code = f"from typing import {kind}\nfrom shapes import FIELDS\nRow = {kind}('Row', {fields})\n"
    assert reports(code) == []


@pytest.mark.parametrize("kind", ["TypedDict", "NamedTuple"])
def test_an_unknown_name_is_reported(kind):
    code = f"from typing import {kind}\nRow = {kind}('Row', FIELDS)\n"
    assert reports(code) == [("UndefinedName", "FIELDS")]


def test_types_that_are_written_out_may_be_strings():
    code = "from typing import TypedDict, NamedTuple\nTypedDict('A', {'a': 'int'})\nNamedTuple('B', [('b', 'int')])\n"
    assert reports(code) == []
