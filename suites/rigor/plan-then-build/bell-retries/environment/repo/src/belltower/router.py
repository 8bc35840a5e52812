"""Which handler a method and path belong to."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .wire import ApiError, Response

Handler = Callable[..., Response]


@dataclass(frozen=True)
class Route:
    """``role``: who may come here; None for anybody."""

    method: str
    pattern: re.Pattern[str]
    handler: Handler
    role: str | None


class Router:
    """``{name}`` in a path stands for a number, which the handler gets as an argument of that name."""

    def __init__(self) -> None:
        self._routes: list[Route] = []

    def add(self, method: str, path: str, handler: Handler, role: str | None) -> None:
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[0-9]{1,18})", path)
        self._routes.append(Route(method, re.compile(pattern), handler, role))

    def find(self, method: str, path: str) -> tuple[Route, dict[str, int]]:
        """The route, and the numbers in the path.

        Raises:
            ApiError: there is no such path, or not with this method.
        """
        found = False
        for route in self._routes:
            match = route.pattern.fullmatch(path)
            if match and route.method == method:
                return route, {name: int(value) for name, value in match.groupdict().items()}
            found = found or match is not None
        if found:
            raise ApiError(405, "bad_method", f"{path} has no method {method}")
        raise ApiError(404, "not_found", f"there is no {path}")
