import datetime

import pytest

from pyasn1.codec.ber import decoder as ber
from pyasn1.codec.cer import decoder as cer
from pyasn1.codec.der import decoder as der
from pyasn1.error import PyAsn1Error
from pyasn1.type import univ, useful

SECOND = datetime.datetime(2020, 2, 29, 23, 59, 58, tzinfo=useful.GeneralizedTime.UTC)


def sequence(content):
    if len(content) < 128:
        return bytes([0x30, len(content)]) + content
    return b"\x30\x82" + len(content).to_bytes(2, "big") + content


def nested(levels):
    data = b"\x05\x00"
    for _ in range(levels):
        data = sequence(data)
    return data


@pytest.mark.parametrize("codec", [ber, cer])
@pytest.mark.parametrize("levels", [150, 20000])
def test_open_sequences_are_refused(codec, levels):
    with pytest.raises(PyAsn1Error, match=r"(?i)nesting depth"):
        codec.decode(b"\x30\x80" * levels)


@pytest.mark.parametrize("codec", [ber, cer, der])
def test_closed_sequences_are_refused(codec):
    with pytest.raises(PyAsn1Error, match=r"(?i)nesting depth"):
        codec.decode(nested(150))
    _, rest = codec.decode(nested(60))
    assert not rest


def test_neighbours_are_not_nested():
    found, _ = ber.decode(sequence(b"\x02\x01\x07" * 250))
    assert len(found) == 250


@pytest.mark.parametrize("octets", [9, 16, 126])
def test_long_lengths_are_refused(octets):
    with pytest.raises(PyAsn1Error, match=r"(?i)length field size"):
        ber.decode(bytes([0x04, 0x80 | octets]) + b"\xff" * octets + b"x")


def test_a_length_of_eight_octets():
    found, rest = ber.decode(b"\x04\x88" + bytes(7) + b"\x02hi!")
    assert (found, rest) == (univ.OctetString("hi"), b"!")


@pytest.mark.parametrize(
    ("fraction", "microseconds"),
    [("5", 500000), ("05", 50000), ("003", 3000), ("123456", 123456), ("1234569", 123456), ("000001", 1)],
)
@pytest.mark.parametrize("mark", [".", ","])
def test_fractions_are_read(fraction, microseconds, mark):
    found = useful.GeneralizedTime(f"20200229235958{mark}{fraction}Z").asDateTime
    assert found == SECOND.replace(microsecond=microseconds)


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [(0, ""), (3000, ".003"), (500000, ".5"), (123456, ".123456"), (1, ".000001")],
)
def test_fractions_are_written(microseconds, text):
    moment = SECOND.replace(microsecond=microseconds)
    found = useful.GeneralizedTime.fromDateTime(moment)
    assert str(found) == f"20200229235958{text}Z"
    assert found.asDateTime == moment
