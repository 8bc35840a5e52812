import pytest

from spoolkeep.errors import SpoolError
from spoolkeep.varint import read_varint, write_varint


@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 2**35])
def test_numbers_come_back(number):
    data = write_varint(number)
    assert read_varint(b"x" + data + b"y", 1) == (number, 1 + len(data))


def test_small_numbers_are_short():
    assert [len(write_varint(n)) for n in (127, 128, 16383, 16384)] == [1, 2, 2, 3]


def test_a_number_may_not_be_cut_off():
    with pytest.raises(SpoolError, match="cut off"):
        read_varint(b"\x80", 0)
