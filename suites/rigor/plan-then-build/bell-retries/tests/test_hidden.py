# rigorbench-canary c4ee5eca-3e29-4383-83eb-c5591c6f2030
"""Hidden tests: retries, idempotency keys and dead letters, one requirement each."""

import contextlib
import datetime
import io
import json
import sqlite3
from pathlib import Path

import pytest

from belltower import Account, Accounts, App, Dispatcher, Request, Store
from belltower.cli import main

TOPIC = "parcel.lost"


class Tower:
    """A belltower whose time and receivers are ours. ``answers``: the status of each URL, 503 otherwise."""

    def __init__(self, path):
        self.time = datetime.datetime(2024, 9, 30, 22, 15, tzinfo=datetime.UTC)
        self.answers, self.sent = {}, []
        self.store = Store(path)
        names = {"adm": ("ops", "admin"), "one": ("mill", "publisher"), "two": ("farm", "publisher")}
        self.app = App(self.store, Accounts({t: Account(*n) for t, n in names.items()}), lambda: self.time)
        self.dispatcher = Dispatcher(self.store, self._send, lambda: self.time)

    def _send(self, url, body, headers):
        self.sent.append(url)
        return self.answers.get(url, 503)

    def later(self, **by):
        self.time += datetime.timedelta(**by)

    def run(self, **by):
        """Let time pass, run once; how many were sent."""
        self.later(**by)
        before = len(self.sent)
        self.counts = self.dispatcher.run_once()
        return len(self.sent) - before

    def exhaust(self):
        for _ in range(8):
            self.run(hours=3)

    def ask(self, token, method, target, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()} | {
            "Authorization": f"Bearer {token}"
        }
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        answer = self.app.handle(Request(method, target, headers, data))
        return answer.status, json.loads(answer.encoded())

    def subscribe(self, url, topic=TOPIC):
        return self.ask("adm", "POST", "/endpoints", {"url": url, "topic": topic})[1]

    def publish(self, payload=0, token="one", topic=TOPIC, **headers):
        return self.ask(token, "POST", "/events", {"topic": topic, "payload": payload}, **headers)

    def deliveries(self, event=1, token="one"):
        return self.ask(token, "GET", f"/events/{event}")[1]["deliveries"]


@pytest.fixture
def tower(tmp_path):
    tower = Tower(tmp_path / "tower.db")
    yield tower
    tower.store.close()


def test_the_schedule(tower):
    tower.subscribe("http://mill.example/in")
    tower.publish()
    assert tower.run() == 1
    for minutes in (1, 5, 30, 120):
        assert tower.run(minutes=minutes, seconds=-2) == 0
        # The next attempt is late, and the one after it counts from there.
        assert tower.run(seconds=20) == 1
        assert tower.run() == 0


def test_when_a_delivery_is_dead(tower):
    tower.answers = {"http://gone.example/in": 410}
    for url in ("http://mill.example/in", "http://gone.example/in"):
        tower.subscribe(url)
    tower.publish()
    assert tower.run() == 2
    assert [d["status"] for d in tower.deliveries()] == ["pending", "dead"]
    for count in range(2, 6):
        assert tower.deliveries()[0]["status"] == "pending"
        assert tower.run(hours=3) == 1, count
    assert [d["status"] for d in tower.deliveries()] == ["dead", "dead"]
    assert tower.run(hours=30) == 0


def test_an_event_shows_its_attempts(tower):
    tower.subscribe("http://mill.example/in")
    tower.publish()
    [made] = tower.deliveries()
    assert (made["attempts"], made["next_attempt"], made["status"]) == (0, None, "pending")
    tower.run()
    tower.run(minutes=10)
    [made] = tower.deliveries()
    assert (made["attempts"], made["next_attempt"]) == (2, "2024-09-30T22:30:00Z")
    assert (made["code"], made["error"], made["updated"]) == (503, "status 503", "2024-09-30T22:25:00Z")
    assert tower.counts == {"delivered": 0, "retrying": 1, "dead": 0}
    tower.answers = {"http://mill.example/in": 204}
    tower.run(hours=3)
    [made] = tower.deliveries()
    assert (made["attempts"], made["next_attempt"], made["status"]) == (3, None, "delivered")
    assert made["error"] is None


def test_the_command_counts(tmp_path):
    path = tmp_path / "tower.db"
    tower = Tower(path)
    tower.subscribe("http://127.0.0.1:9/nobody")
    tower.publish()
    tower.store.close()
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert main(["deliver", "--db", str(path)]) == 0
    assert output.getvalue() == "delivered 0, retrying 1, dead 0\n"


def test_a_repeated_request_publishes_nothing(tower):
    tower.subscribe("http://mill.example/in")
    first = tower.publish({"a": 1, "b": [2, None]}, Idempotency_Key="k-1")
    assert first[0] == 202
    tower.subscribe("http://late.example/in")
    tower.later(hours=23, minutes=59)
    body = b'{ "payload" : {"b":[2,null],"a":1},\n "topic":"parcel.lost" }'
    again = tower.ask("one", "POST", "/events", body, idempotency_key="k-1")
    assert again == first
    assert tower.run() == 1
    # Without a key nothing is remembered.
    assert tower.publish({"a": 1, "b": [2, None]})[1]["id"] != first[1]["id"]
    assert tower.ask("one", "GET", f"/events/{first[1]['id'] + 2}")[0] == 404


def test_a_key_is_for_one_body(tower):
    tower.publish(1, Idempotency_Key="k")
    for refused in (tower.publish(2, Idempotency_Key="k"), tower.publish(1, topic="parcel", Idempotency_Key="k")):
        assert (refused[0], refused[1]["error"]["code"]) == (409, "key_reused")
    assert tower.ask("one", "GET", "/events/2")[0] == 404
    # The key still stands for the first request.
    assert tower.publish(1, Idempotency_Key="k")[1]["id"] == 1


def test_a_key_is_free_again_after_a_day(tower):
    first = tower.publish(1, Idempotency_Key="k")[1]["id"]
    tower.later(hours=14)
    assert tower.publish(1, Idempotency_Key="k")[1]["id"] == first
    # Asking again does not prolong it.
    tower.later(hours=10, minutes=1)
    second = tower.publish(2, Idempotency_Key="k")
    assert second[0] == 202
    assert second[1]["id"] != first
    tower.later(hours=23, minutes=30)
    assert tower.publish(2, Idempotency_Key="k")[1] == second[1]


def test_a_key_belongs_to_its_account(tower):
    first, second = tower.publish(1, Idempotency_Key="k"), tower.publish(2, token="two", Idempotency_Key="k")
    assert (first[0], second[0]) == (202, 202)
    assert first[1]["id"] != second[1]["id"]
    assert tower.publish(1, token="two", Idempotency_Key="k")[0] == 409


def test_bad_keys(tower):
    for key in ("", "a b", "k" * 65, "schl\u00fcssel", "a\tb"):
        status, body = tower.publish(1, Idempotency_Key=key)
        assert (status, body["error"]["code"]) == (400, "bad_key"), key
    assert tower.publish(1, topic="NO", Idempotency_Key="!~")[0] == 400
    # What was refused has used up no key.
    assert tower.publish(1, Idempotency_Key="!~")[0] == 202
    assert tower.publish(1, Idempotency_Key="k" * 64)[0] == 202


def test_dead_letters_are_listed(tower):
    secret = tower.subscribe("https://mill:pw9@mill.example:8443/in?token=t7")["secret"]
    tower.publish({"n": 1})
    assert tower.ask("adm", "GET", "/dead-letters") == (200, {"items": [], "next": None})
    tower.exhaust()
    status, body = tower.ask("adm", "GET", "/dead-letters")
    assert status == 200
    assert body == {
        "items": [
            {
                "id": tower.deliveries()[0]["id"],
                "event": 1,
                "topic": TOPIC,
                "endpoint": 1,
                "url": "https://mill.example:8443/in",
                "attempts": 5,
                "code": 503,
                "error": "status 503",
                "died": "2024-10-01T13:15:00Z",
            }
        ],
        "next": None,
    }
    assert secret not in json.dumps(body)
    assert tower.ask("one", "GET", "/dead-letters")[0] == 403
    assert tower.ask("who", "GET", "/dead-letters")[0] == 401
    assert tower.ask("adm", "POST", "/dead-letters")[0] == 405


def test_dead_letters_come_in_pages(tower):
    # The deliveries to b die before those to a.
    tower.answers = {"http://b.example/": 410}
    tower.subscribe("http://a.example/")
    tower.subscribe("http://b.example/")
    for _ in range(3):
        tower.publish()
    tower.exhaust()
    everything = tower.ask("adm", "GET", "/dead-letters")[1]["items"]
    ids = [item["id"] for item in everything]
    assert len(ids) == 6
    assert ids == sorted(ids)
    found, after = [], 0
    for _ in range(9):
        _, body = tower.ask("adm", "GET", f"/dead-letters?limit=1&after={after}")
        assert len(body["items"]) == 1
        found += [item["id"] for item in body["items"]]
        after = body["next"]
        if after is None:
            break
    assert found == ids
    _, body = tower.ask("adm", "GET", "/dead-letters?limit=6")
    assert (len(body["items"]), body["next"]) == (6, None)
    for bad in ("limit=0", "limit=101", "after=x"):
        assert tower.ask("adm", "GET", f"/dead-letters?{bad}")[0] == 400


def test_a_dead_letter_is_tried_again(tower):
    tower.subscribe("http://mill.example/in")
    tower.publish()
    [number] = [made["id"] for made in tower.deliveries()]
    target = f"/dead-letters/{number}/retry"
    status, body = tower.ask("adm", "POST", target)
    assert (status, body["error"]["code"]) == (409, "not_dead")
    tower.exhaust()
    assert tower.ask("one", "POST", target)[0] == 403
    status, body = tower.ask("adm", "POST", target)
    assert status == 202
    assert body == tower.deliveries()[0]
    assert body["status"] == "pending"
    assert tower.ask("adm", "GET", "/dead-letters")[1]["items"] == []
    assert tower.run() == 1
    for _ in range(4):
        assert tower.deliveries()[0]["status"] == "pending"
        assert tower.run(hours=3) == 1
    assert tower.deliveries()[0]["status"] == "dead"
    status, body = tower.ask("adm", "POST", "/dead-letters/77/retry")
    assert (status, body["error"]["code"]) == (404, "not_found")
    tower.answers = {"http://mill.example/in": 200}
    tower.ask("adm", "POST", target)
    tower.run()
    assert tower.ask("adm", "POST", target)[1]["error"]["code"] == "not_dead"


RELEASED = """
CREATE TABLE endpoints (
    id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, topic TEXT NOT NULL, secret TEXT NOT NULL
);
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, topic TEXT NOT NULL, payload TEXT NOT NULL,
    created TEXT NOT NULL
);
CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event INTEGER NOT NULL REFERENCES events,
    endpoint INTEGER NOT NULL REFERENCES endpoints, status TEXT NOT NULL DEFAULT 'pending', code INTEGER, error TEXT,
    updated TEXT
);
CREATE INDEX deliveries_by_status ON deliveries (status, id);
INSERT INTO endpoints VALUES (3, 'http://mill.example/in', 'parcel.lost', 'abc');
INSERT INTO events VALUES (8, 'mill', 'parcel.lost', '"x"', '2024-09-01T00:00:00Z');
INSERT INTO deliveries VALUES (10, 8, 3, 'delivered', 200, NULL, '2024-09-01T00:00:10Z');
INSERT INTO deliveries VALUES (11, 8, 3, 'failed', 500, 'status 500', '2024-09-01T00:00:20Z');
INSERT INTO deliveries VALUES (12, 8, 3, 'pending', NULL, NULL, NULL);
PRAGMA user_version = 2;
"""


def test_a_database_in_use(tmp_path):
    path = tmp_path / "tower.db"
    db = sqlite3.connect(path)
    db.executescript(RELEASED)
    db.close()
    tower = Tower(path)
    try:
        assert [(d["id"], d["status"]) for d in tower.deliveries(8)] == [
            (10, "delivered"),
            (11, "dead"),
            (12, "pending"),
        ]
        assert tower.run() == 1
        assert [d["status"] for d in tower.deliveries(8)] == ["delivered", "dead", "pending"]
        [letter] = tower.ask("adm", "GET", "/dead-letters")[1]["items"]
        assert (letter["id"], letter["died"], letter["attempts"]) == (11, "2024-09-01T00:00:20Z", 1)
        assert tower.publish(5, Idempotency_Key="k")[1]["id"] == 9
    finally:
        tower.store.close()
    # Opening it once more changes nothing.
    tower = Tower(path)
    try:
        assert [d["status"] for d in tower.deliveries(8)] == ["delivered", "dead", "pending"]
    finally:
        tower.store.close()


def test_the_requests_and_the_table_are_described():
    api, storage = (Path(name).read_text(encoding="utf-8") for name in ("docs/api.md", "docs/storage.md"))
    words = ("Idempotency-Key", "key_reused", "/dead-letters", "not_dead", "next_attempt")
    assert [word for word in words if word not in api] == []
    assert "`dead`" in storage
