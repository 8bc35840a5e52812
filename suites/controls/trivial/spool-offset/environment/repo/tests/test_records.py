import pytest

from spoolkeep.decoder import Decoder
from spoolkeep.encoder import Encoder
from spoolkeep.errors import SpoolError
from spoolkeep.keys import KeyTable

RECORDS = [{"temp": "21.5", "room": "attic"}, {"room": "cellar", "door": "öffen"}, {"temp": ""}]


def encoded(records):
    encoder = Encoder(KeyTable())
    return b"".join(encoder.encode(record) for record in records)


def test_records_come_back():
    assert list(Decoder(KeyTable()).decode(encoded(RECORDS), 0)) == RECORDS


def test_a_key_is_spelled_out_once():
    assert encoded([{"temp": "1"}] * 9).count(b"temp") == 1


def test_a_changed_byte_is_noticed():
    data = bytearray(encoded(RECORDS))
    data[4] ^= 1
    with pytest.raises(SpoolError, match="record 1: the checksum is wrong"):
        list(Decoder(KeyTable()).decode(bytes(data), 0))


def test_a_cut_record_is_noticed():
    with pytest.raises(SpoolError, match="record 3: the record is cut off"):
        list(Decoder(KeyTable()).decode(encoded(RECORDS)[:-2], 0))


def test_an_unknown_key_is_noticed():
    table = KeyTable()
    table.add("temp")
    with pytest.raises(SpoolError, match="record 1: key 0 is not known"):
        list(Decoder(KeyTable()).decode(Encoder(table).encode({"temp": "1"}), 0))
