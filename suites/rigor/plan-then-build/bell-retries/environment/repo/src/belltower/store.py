"""The database: its steps, and every statement that is run on it. Described in docs/storage.md."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Row = dict[str, Any]

# Only ever appended to.
MIGRATIONS = [
    """
    CREATE TABLE endpoints (
        id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, topic TEXT NOT NULL, secret TEXT NOT NULL
    );
    CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, topic TEXT NOT NULL, payload TEXT NOT NULL,
        created TEXT NOT NULL
    );
    """,
    """
    CREATE TABLE deliveries (
        id INTEGER PRIMARY KEY AUTOINCREMENT, event INTEGER NOT NULL REFERENCES events,
        endpoint INTEGER NOT NULL REFERENCES endpoints, status TEXT NOT NULL DEFAULT 'pending', code INTEGER, error TEXT,
        updated TEXT
    );
    CREATE INDEX deliveries_by_status ON deliveries (status, id);
    """,
]


class StoreError(Exception):
    """The database cannot be used; the message says why."""


class Store:
    def __init__(self, path: Path | str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, timeout=10)
        self._db.row_factory = sqlite3.Row
        self._migrate(path)

    def close(self) -> None:
        self._db.close()

    def _migrate(self, path: Path | str) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            raise StoreError(f"{path}: written by a later version of belltower (step {version} of {len(MIGRATIONS)})")
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            self._db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of what is done within, or nothing of it."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _rows(self, statement: str, *values: Any) -> list[Row]:
        return [dict(row) for row in self._db.execute(statement, values)]

    def _row(self, statement: str, *values: Any) -> Row | None:
        return next(iter(self._rows(statement, *values)), None)

    def _insert(self, statement: str, *values: Any) -> int:
        number = self._db.execute(statement, values).lastrowid
        assert number is not None
        return number

    # -- endpoints

    def add_endpoint(self, url: str, topic: str, secret: str) -> int:
        return self._insert("INSERT INTO endpoints (url, topic, secret) VALUES (?, ?, ?)", url, topic, secret)

    def endpoints(self, after: int, limit: int) -> list[Row]:
        return self._rows("SELECT * FROM endpoints WHERE id > ? ORDER BY id LIMIT ?", after, limit)

    # -- events and their deliveries

    def add_event(self, account: str, topic: str, payload: str, created: str) -> int:
        """The event with a pending delivery to each endpoint of its topic."""
        number = self._insert(
            "INSERT INTO events (account, topic, payload, created) VALUES (?, ?, ?, ?)",
            account,
            topic,
            payload,
            created,
        )
        self._db.execute(
            "INSERT INTO deliveries (event, endpoint) SELECT ?, id FROM endpoints WHERE topic = ? ORDER BY id",
            (number, topic),
        )
        return number

    def event(self, number: int) -> Row | None:
        return self._row("SELECT * FROM events WHERE id = ?", number)

    def deliveries(self, event: int) -> list[Row]:
        return self._rows("SELECT * FROM deliveries WHERE event = ? ORDER BY id", event)

    # -- sending

    def pending(self) -> list[Row]:
        """Deliveries to be sent, with all that is needed to send them."""
        return self._rows(
            "SELECT d.*, v.topic, v.payload, v.created, p.url, p.secret FROM deliveries d"
            " JOIN events v ON v.id = d.event JOIN endpoints p ON p.id = d.endpoint"
            " WHERE d.status = 'pending' ORDER BY d.id"
        )

    def finish(self, delivery: int, status: str, code: int | None, error: str | None, updated: str) -> None:
        """Write down what became of an attempt."""
        self._db.execute(
            "UPDATE deliveries SET status = ?, code = ?, error = ?, updated = ? WHERE id = ?",
            (status, code, error, updated, delivery),
        )
