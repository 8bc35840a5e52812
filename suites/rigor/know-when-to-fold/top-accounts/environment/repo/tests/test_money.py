import pytest

from salesdesk import BookError
from salesdesk.money import parse_amount, tax, write_amount


def test_amounts_are_read_and_written():
    assert parse_amount("12.34") == 1234
    assert [write_amount(cents) for cents in (0, 5, 1234, -5, -1234)] == ["0.00", "0.05", "12.34", "-0.05", "-12.34"]


@pytest.mark.parametrize("text", ["12", "12.3", "12,30", "-1.00", "", "1.234"])
def test_no_amounts(text):
    with pytest.raises(BookError, match="not an amount"):
        parse_amount(text)


def test_tax_is_rounded_to_the_nearest_cent():
    assert [tax(net, 5) for net in (10, 9, 11, -10, 0)] == [1, 0, 1, -1, 0]
