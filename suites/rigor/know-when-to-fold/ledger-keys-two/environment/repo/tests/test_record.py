import pytest

from shipledger import LedgerError, Record
from shipledger.record import read_line

LINE = (
    '{"id":7,"service":"gateway","version":"3.1.0","image":"sha256:' + "a" * 64 + '",'
    '"released":"2024-03-05T10:22:00Z","by":"mara","key":"k24","seal":"00"}'
)


def test_a_line_is_read_and_written():
    record = read_line(LINE)
    assert (record.id, record.service, record.year) == (7, "gateway", "2024")
    assert record.line() == LINE


def test_the_sealed_text_has_neither_key_nor_seal():
    assert read_line(LINE).sealed_text() == LINE.replace(',"key":"k24","seal":"00"', "")


@pytest.mark.parametrize("change", [("3.1.0", "3.1"), ("sha256:a", "sha256:g"), ("22:00Z", "22:00"), ('"by"', '"who"')])
def test_what_is_no_record_is_refused(change):
    with pytest.raises(LedgerError):
        read_line(LINE.replace(*change))


def test_a_record_needs_its_form():
    with pytest.raises(LedgerError, match="record 1: version"):
        Record(1, "gateway", "next", "sha256:" + "0" * 64, "2024-03-05T10:22:00Z", "mara")
