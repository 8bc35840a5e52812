import datetime
from pathlib import Path

import pytest

from housetab.model import Expense, Split, TabError
from housetab.storage import load, parse


def test_a_line_is_an_expense():
    expenses = parse("2024-03-05 | ben | 39.90 | internet | weights: ana 2, ben 1")
    assert expenses == [Expense(datetime.date(2024, 3, 5), "ben", 3990, "internet", Split.weights(ana=2, ben=1))]


def test_comments_and_blank_lines():
    assert parse("# March\n\n   \n") == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("2024-03-05 | ben | 39.90 | internet", "line 1: expected 5 fields, found 4"),
        ("05.03.2024 | ben | 39.90 | internet | equal: ana", "line 1: not a date"),
        ("2024-03-05 | | 39.90 | internet | equal: ana", "line 1: nobody paid"),
        ("2024-03-05 | ben | 39,90 | internet | equal: ana", "line 1: not an amount"),
        ("2024-03-05 | ben | 39.90 | internet | thirds: ana", "line 1: expected one of"),
        ("2024-03-05 | ben | 39.90 | internet | weights: ana", "line 1: expected a name and a number"),
        ("2024-03-05 | ben | 39.90 | internet | equal:", "line 1: nobody shares"),
    ],
)
def test_what_is_wrong_is_said(line, words):
    with pytest.raises(TabError, match=words):
        parse(line)


def test_a_file_is_loaded():
    assert len(load(Path(__file__).parents[1] / "examples" / "march.tab")) == 4
