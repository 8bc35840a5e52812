import pytest

from housetab.model import TabError
from housetab.money import format_amount, parse_amount


@pytest.mark.parametrize(
    ("text", "cents"), [("12", 1200), ("12.50", 1250), ("-3.00", -300), (" 1,250.00 ", 125000), ("0.07", 7)]
)
def test_amounts_are_read(text, cents):
    assert parse_amount(text) == cents


@pytest.mark.parametrize("text", ["", "12.5", "1,25.00", "abc", "1.000", "--3"])
def test_other_texts_are_refused(text):
    with pytest.raises(TabError, match="not an amount"):
        parse_amount(text)


def test_amounts_are_written():
    assert format_amount(-123456) == "-1,234.56"
    assert format_amount(5) == "0.05"
