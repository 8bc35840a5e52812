import pytest

import h11

HEAD = b"POST / HTTP/1.1\r\nHost: example.com\r\nTransfer-Encoding: chunked\r\n\r\n"


def received(*pieces):
    """The body that a server reads from these pieces, and whether it is complete."""
    server = h11.Connection(h11.SERVER)
    server.receive_data(HEAD)
    assert isinstance(server.next_event(), h11.Request)
    body, complete = b"", False
    for piece in pieces:
        server.receive_data(piece)
        while (event := server.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
            if isinstance(event, h11.EndOfMessage):
                complete = True
                break
            body += bytes(event.data)
    return body, complete


@pytest.mark.parametrize("end", [b"__", b"\r_", b"_\n", b"\n\r", b"\n\n", b"\r\r"])
@pytest.mark.parametrize("cut", [False, True])
def test_other_ends_are_refused(end, cut):
    body = b"3\r\nxxx" + end + b"0\r\n\r\n"
    pieces = [body[n : n + 1] for n in range(len(body))] if cut else [body]
    with pytest.raises(h11.RemoteProtocolError):
        received(*pieces)


def test_a_wrong_end_is_refused_at_once():
    with pytest.raises(h11.RemoteProtocolError):
        received(b"3\r\nxxx\r", b"a")
    with pytest.raises(h11.RemoteProtocolError):
        received(b"3\r\nxxxa")


@pytest.mark.parametrize("cut", range(1, 20))
def test_packets_may_be_cut_anywhere(cut):
    body = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    assert received(body[:cut], body[cut:]) == (b"abcde", True)


def test_single_bytes():
    body = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    assert received(*(body[n : n + 1] for n in range(len(body)))) == (b"abcde", True)
