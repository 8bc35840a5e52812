"""Who asks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from .wire import ApiError, Request

ROLES = ("admin", "publisher")


@dataclass(frozen=True)
class Account:
    name: str
    role: str


class Accounts:
    def __init__(self, by_token: dict[str, Account]) -> None:
        self._by_token = by_token

    @classmethod
    def from_file(cls, path: Path) -> Accounts:
        """Read `path`, which maps tokens to accounts.

        Raises:
            ValueError: a role that does not exist.
        """
        by_token = {}
        for token, entry in json.loads(path.read_text(encoding="utf-8")).items():
            if entry["role"] not in ROLES:
                raise ValueError(
                    f"{path}: {entry['name']}: no such role: {entry['role']}; there are {', '.join(ROLES)}"
                )
            by_token[token] = Account(entry["name"], entry["role"])
        return cls(by_token)

    def of(self, request: Request) -> Account:
        """The account whose token the request bears.

        Raises:
            ApiError: there is no token, or nobody has it.
        """
        scheme, _, token = (request.header("Authorization") or "").partition(" ")
        account = self._by_token.get(token.strip()) if scheme.lower() == "bearer" else None
        if account is None:
            raise ApiError(401, "unknown_token", "a known token is needed: Authorization: Bearer TOKEN")
        return account
