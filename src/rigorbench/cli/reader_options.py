"""Options of the commands that work with a reader of sessions."""

from __future__ import annotations

from argparse import ArgumentParser, _ArgumentGroup
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from .common import whole

if TYPE_CHECKING:
    from ..reader.ask import Readers
    from ..reader.request import Backend
    from ..reader.store import AnswerStore
