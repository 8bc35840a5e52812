# rigorbench-canary 87b4a7e0-68d6-4ff6-b17d-b4e052a9737f
"""Hidden tests: the new name, and the same results."""

import inspect

import pytest

from spoolkeep.errors import SpoolError
from spoolkeep.varint import read_varint, write_varint


def test_the_parameter_is_called_offset():
    assert list(inspect.signature(read_varint).parameters) == ["data", "offset"]


def test_numbers_come_back():
    for number in (0, 5, 127, 128, 16384, 2**40):
        data = write_varint(number)
        assert read_varint(b"ab" + data, 2) == (number, 2 + len(data))
    with pytest.raises(SpoolError):
        read_varint(b"", 0)
