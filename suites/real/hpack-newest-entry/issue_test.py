import pytest
from hpack import Decoder, InvalidTableIndex

ADD = b"\x40\x01a\x01b"


def test_the_newest_entry_can_be_had():
    decoder = Decoder()
    decoder.decode(ADD)
    assert [tuple(header) for header in decoder.decode(b"\xbe")] == [("a", "b")]


def test_the_last_static_entry_can_be_had():
    assert [tuple(header) for header in Decoder().decode(b"\xbd")] == [("www-authenticate", "")]


@pytest.mark.parametrize("added", [0, 1, 3])
@pytest.mark.parametrize("beyond", [1, 2, 40])
def test_an_index_behind_the_tables_is_refused(added, beyond):
    decoder = Decoder()
    for _ in range(added):
        decoder.decode(ADD)
    with pytest.raises(InvalidTableIndex):
        decoder.decode(bytes([0x80 | (61 + added + beyond)]))
