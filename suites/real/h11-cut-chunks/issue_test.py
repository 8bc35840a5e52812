import h11
import pytest

HEAD = b"POST / HTTP/1.1\r\nHost: example.com\r\nTransfer-Encoding: chunked\r\n\r\n"
BODY = b"5\r\nhello\r\n6; a=b\r\n world\r\n0\r\n\r\n"


def received(pieces):
    """The body, and whether its end was seen. Whatever a piece brings is read until more is needed."""
    connection = h11.Connection(our_role=h11.SERVER)
    connection.receive_data(HEAD)
    assert type(connection.next_event()) is h11.Request
    data, ended = b"", False
    for piece in pieces:
        connection.receive_data(piece)
        while not ended and (event := connection.next_event()) is not h11.NEED_DATA:
            if type(event) is h11.Data:
                data += event.data
            ended = type(event) is h11.EndOfMessage
    return data, ended


def test_a_body_in_one_piece():
    assert received([BODY]) == (b"hello world", True)


@pytest.mark.parametrize("cut", range(1, len(BODY)))
def test_a_body_in_two_pieces(cut):
    assert received([BODY[:cut], BODY[cut:]]) == (b"hello world", True)


def test_a_body_byte_by_byte():
    assert received([bytes([byte]) for byte in BODY]) == (b"hello world", True)


def test_a_chunk_with_another_end_is_refused():
    with pytest.raises(h11.RemoteProtocolError):
        received([BODY.replace(b"hello\r\n", b"hello__")])
