def test_anybody_may_ask_for_health(bell):
    assert bell.ask(None, "GET", "/health") == (200, {"status": "ok"})


def test_who_may_do_what(bell):
    assert bell.ask("nobody", "GET", "/endpoints")[0] == 401
    status, body = bell.ask("shop", "GET", "/endpoints")
    assert (status, body["error"]["code"]) == (403, "wrong_role")
    assert bell.ask("root", "POST", "/events", {})[0] == 403


def test_paths_and_methods(bell):
    assert bell.ask("root", "GET", "/bells")[0] == 404
    assert bell.ask("root", "DELETE", "/endpoints")[0] == 405


def test_the_secret_is_shown_once(bell):
    made = bell.subscribe("https://user:pw@shop.example/hook?key=1")
    assert made["url"] == "https://shop.example/hook"
    assert len(made["secret"]) == 32
    _, listed = bell.ask("root", "GET", "/endpoints")
    assert listed["items"] == [{"id": 1, "url": "https://shop.example/hook", "topic": "order.paid"}]


def test_lists_come_in_pages(bell):
    for number in range(4):
        bell.subscribe(f"https://shop.example/{number}")
    _, first = bell.ask("root", "GET", "/endpoints?limit=2")
    assert ([item["id"] for item in first["items"]], first["next"]) == ([1, 2], 2)
    _, second = bell.ask("root", "GET", "/endpoints?limit=2&after=2")
    assert ([item["id"] for item in second["items"]], second["next"]) == ([3, 4], None)
    assert bell.ask("root", "GET", "/endpoints?limit=0")[1]["error"]["code"] == "bad_limit"


def test_publishing(bell):
    bell.subscribe("https://shop.example/hook")
    status, body = bell.publish({"order": 7})
    assert status == 202
    assert body == {"id": 1, "topic": "order.paid", "created": "2024-05-02T10:00:00Z", "deliveries": 1}


def test_bad_events(bell):
    assert bell.publish(topic="Order Paid")[1]["error"]["code"] == "bad_topic"
    assert bell.ask("shop", "POST", "/events", {"topic": "a"})[1]["error"]["code"] == "missing_field"
    assert (
        bell.ask("shop", "POST", "/events", {"topic": "a", "payload": 1, "x": 1})[1]["error"]["code"] == "unknown_field"
    )
    assert bell.ask("shop", "POST", "/events", [])[1]["error"]["code"] == "bad_body"


def test_only_ones_own_events_are_shown(bell):
    bell.publish()
    assert bell.ask("shop", "GET", "/events/1")[1]["payload"] == 1
    assert bell.ask("bank", "GET", "/events/1")[0] == 404
