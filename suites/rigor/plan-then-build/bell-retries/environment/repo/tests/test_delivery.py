from belltower.signing import signature


def test_what_is_sent(bell):
    made = bell.subscribe("https://shop.example/hook")
    bell.subscribe("https://other.example/hook", "order.lost")
    bell.publish({"order": 7})
    assert bell.dispatcher.run_once()["delivered"] == 1
    [(url, body, headers)] = bell.sent
    assert url == "https://shop.example/hook"
    assert body == {"event": 1, "topic": "order.paid", "created": "2024-05-02T10:00:00Z", "payload": {"order": 7}}
    assert headers["Belltower-Signature"].startswith("sha256=")
    assert signature(made["secret"], b"x") != signature("other", b"x")


def test_what_is_delivered_is_not_sent_again(bell):
    bell.subscribe("https://shop.example/hook")
    bell.publish()
    bell.dispatcher.run_once()
    assert bell.dispatcher.run_once()["delivered"] == 0
    assert len(bell.sent) == 1


def test_what_goes_wrong_is_told(bell):
    bell.answers = {"https://a.example/": 500, "https://b.example/": OSError(111, "Connection refused")}
    for url in bell.answers:
        bell.subscribe(url)
    bell.publish()
    bell.dispatcher.run_once()
    first, second = bell.ask("shop", "GET", "/events/1")[1]["deliveries"]
    assert (first["code"], first["error"]) == (500, "status 500")
    assert (second["code"], second["error"]) == (None, "Connection refused")
