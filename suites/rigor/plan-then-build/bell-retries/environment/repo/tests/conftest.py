import datetime
import json

import pytest

from belltower import Account, Accounts, App, Dispatcher, Request, Store


class Clock:
    def __init__(self):
        self.time = datetime.datetime(2024, 5, 2, 10, 0, tzinfo=datetime.UTC)

    def __call__(self):
        return self.time

    def forward(self, **by):
        self.time += datetime.timedelta(**by)


class Bell:
    """A whole belltower. ``answers`` maps URLs to the status that they answer with (OSError: none); 200 otherwise."""

    def __init__(self, path):
        self.clock, self.answers, self.sent = Clock(), {}, []
        self.store = Store(path)
        by_token = {"root": ("ops", "admin"), "shop": ("shop", "publisher"), "bank": ("bank", "publisher")}
        accounts = Accounts({token: Account(*entry) for token, entry in by_token.items()})
        self.app = App(self.store, accounts, self.clock)
        self.dispatcher = Dispatcher(self.store, self._send, self.clock)

    def _send(self, url, body, headers):
        self.sent.append((url, json.loads(body), headers))
        answer = self.answers.get(url, 200)
        if isinstance(answer, OSError):
            raise answer
        return answer

    def ask(self, token, method, target, body=None, **headers):
        """(status, decoded body)."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = b"" if body is None else json.dumps(body).encode()
        answer = self.app.handle(Request(method, target, headers, data))
        return answer.status, json.loads(answer.encoded())

    def subscribe(self, url, topic="order.paid"):
        return self.ask("root", "POST", "/endpoints", {"url": url, "topic": topic})[1]

    def publish(self, payload=1, topic="order.paid", token="shop", **headers):
        return self.ask(token, "POST", "/events", {"topic": topic, "payload": payload}, **headers)


@pytest.fixture
def bell(tmp_path):
    bell = Bell(tmp_path / "bell.db")
    yield bell
    bell.store.close()
