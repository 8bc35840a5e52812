"""Delivers events to the endpoints that subscribed to them."""

from .app import App
from .auth import Account, Accounts
from .delivery import Dispatcher
from .store import Store, StoreError
from .wire import ApiError, Request, Response

__all__ = ["Account", "Accounts", "ApiError", "App", "Dispatcher", "Request", "Response", "Store", "StoreError"]
