import pytest
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, Ping, Request, TextMessage
from wsproto.extensions import PerMessageDeflate


def connected(**settings):
    client = WSConnection(ConnectionType.CLIENT)
    server = WSConnection(ConnectionType.SERVER)
    server.receive_data(
        client.send(Request(host="h", target="/", extensions=[PerMessageDeflate(**settings)]))
    )
    list(server.events())
    client.receive_data(server.send(AcceptConnection(extensions=[PerMessageDeflate(**settings)])))
    list(client.events())
    return client, server


def passed(source, target, event):
    target.receive_data(source.send(event))
    return [received for received in target.events()]


@pytest.mark.parametrize(
    "settings",
    [{}, {"client_no_context_takeover": True}, {"server_no_context_takeover": True}],
    ids=["both keep", "client forgets", "server forgets"],
)
@pytest.mark.parametrize("turned", [False, True], ids=["to the server", "to the client"])
class TestMessagesInARow:
    def ends(self, settings, turned):
        client, server = connected(**settings)
        return (server, client) if turned else (client, server)

    def test_texts(self, settings, turned):
        source, target = self.ends(settings, turned)
        for text in ("one " * 30, "two " * 30, "", "three"):
            assert [e.data for e in passed(source, target, TextMessage(data=text))] == [text]

    def test_a_ping_first(self, settings, turned):
        source, target = self.ends(settings, turned)
        assert [type(e) for e in passed(source, target, Ping(payload=b"x"))] == [Ping]
        assert [e.data for e in passed(source, target, TextMessage(data="one"))] == ["one"]

    def test_pings_between(self, settings, turned):
        source, target = self.ends(settings, turned)
        for data in (b"\x00\xff" * 40, b"second", b"third"):
            assert [e.data for e in passed(source, target, BytesMessage(data=data))] == [data]
            assert [e.payload for e in passed(source, target, Ping(payload=b"x"))] == [b"x"]


@pytest.mark.parametrize("packed_first", [False, True])
def test_a_peer_may_choose_for_each_message(packed_first):
    client, server = connected()
    plain = b"\x82\x80\x00\x00\x00\x00", b"\x82\x83\x00\x00\x00\x00abc"
    if packed_first:
        assert [e.data for e in passed(client, server, BytesMessage(data=b"xyz"))] == [b"xyz"]
    for frame in plain:
        server.receive_data(frame)
        assert [bytes(e.data) for e in server.events()] == [frame[6:]]
    assert [e.data for e in passed(client, server, BytesMessage(data=b"xyz"))] == [b"xyz"]
