"""The whole API as a function from requests to answers."""

from __future__ import annotations

from .auth import Accounts
from .handlers import Handlers
from .router import Router
from .store import Store
from .times import Clock, now
from .wire import ApiError, Request, Response


class App:
    def __init__(self, store: Store, accounts: Accounts, clock: Clock = now) -> None:
        self._store, self._accounts = store, accounts
        self._router = Router()
        Handlers(store, clock).register(self._router)

    def handle(self, request: Request) -> Response:
        """The answer; an error answer has changed nothing."""
        try:
            route, numbers = self._router.find(request.method, request.path)
            account = None
            if route.role is not None:
                account = self._accounts.of(request)
                if account.role != route.role:
                    raise ApiError(403, "wrong_role", f"only for the role {route.role}")
            with self._store.transaction():
                return route.handler(request, account, **numbers)
        except ApiError as error:
            return Response.of_error(error)
