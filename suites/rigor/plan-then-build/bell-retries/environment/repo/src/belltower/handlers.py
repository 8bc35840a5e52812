"""What the API does. Each handler gets the request, the account (None where anybody may ask) and the path's numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from . import validate
from .auth import Account
from .router import Router
from .signing import new_secret
from .store import Row, Store
from .times import Clock, text
from .wire import ApiError, Request, Response


def shown_url(url: str) -> str:
    """A URL without what may be a secret in it: user, password, query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def page(request: Request, fetch: Callable[[int, int], list[Row]], shown: Callable[[Row], Any]) -> Response:
    """A page of a list; `fetch` gets (after, limit) and gives rows in the order of their ids."""
    limit, after = validate.paging(request.query)
    rows = fetch(after, limit + 1)
    following = rows[limit - 1]["id"] if len(rows) > limit else None
    return Response(200, {"items": [shown(row) for row in rows[:limit]], "next": following})


class Handlers:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def register(self, router: Router) -> None:
        router.add("GET", "/health", self.health, None)
        router.add("POST", "/endpoints", self.add_endpoint, "admin")
        router.add("GET", "/endpoints", self.list_endpoints, "admin")
        router.add("POST", "/events", self.publish, "publisher")
        router.add("GET", "/events/{number}", self.show_event, "publisher")

    def health(self, request: Request, account: Account | None) -> Response:
        return Response(200, {"status": "ok"})

    def add_endpoint(self, request: Request, account: Account) -> Response:
        url, topic = validate.fields(request.json(), "url", "topic")
        url, topic, secret = validate.url(url), validate.topic(topic), new_secret()
        number = self._store.add_endpoint(url, topic, secret)
        return Response(201, {"id": number, "url": shown_url(url), "topic": topic, "secret": secret})

    def list_endpoints(self, request: Request, account: Account) -> Response:
        def shown(row: Row) -> Any:
            return {"id": row["id"], "url": shown_url(row["url"]), "topic": row["topic"]}

        return page(request, self._store.endpoints, shown)

    def publish(self, request: Request, account: Account) -> Response:
        topic, payload = validate.fields(request.json(), "topic", "payload")
        topic, created = validate.topic(topic), text(self._clock())
        number = self._store.add_event(account.name, topic, json.dumps(payload), created)
        count = len(self._store.deliveries(number))
        return Response(202, {"id": number, "topic": topic, "created": created, "deliveries": count})

    def show_event(self, request: Request, account: Account, number: int) -> Response:
        event = self._store.event(number)
        if event is None or event["account"] != account.name:
            raise ApiError(404, "not_found", f"no event {number}")
        return Response(
            200,
            {
                "id": number,
                "topic": event["topic"],
                "created": event["created"],
                "payload": json.loads(event["payload"]),
                "deliveries": [_delivery(row) for row in self._store.deliveries(number)],
            },
        )


def _delivery(row: Row) -> Any:
    """What a publisher sees of a delivery."""
    return {name: row[name] for name in ("id", "endpoint", "status", "code", "error", "updated")}
