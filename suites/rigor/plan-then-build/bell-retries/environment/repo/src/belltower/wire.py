"""Requests and answers, apart from any server."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit


class ApiError(Exception):
    """Ends a request with an error answer."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


@dataclass
class Request:
    """``target`` is the path with its query, ``body`` what was sent, undecoded."""

    method: str
    target: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        """The last value of each parameter."""
        return {
            key: values[-1] for key, values in parse_qs(urlsplit(self.target).query, keep_blank_values=True).items()
        }

    def header(self, name: str) -> str | None:
        """A header, whatever the case of its name."""
        return next((value for key, value in self.headers.items() if key.lower() == name.lower()), None)

    def json(self) -> Any:
        """The decoded body.

        Raises:
            ApiError: it is no JSON.
        """
        try:
            return json.loads(self.body.decode("utf-8"))
        except ValueError:
            raise ApiError(400, "bad_json", "the body is no JSON") from None


@dataclass
class Response:
    status: int
    body: Any

    def encoded(self) -> bytes:
        return json.dumps(self.body).encode("utf-8")

    @classmethod
    def of_error(cls, error: ApiError) -> Response:
        return cls(error.status, {"error": {"code": error.code, "message": str(error)}})
