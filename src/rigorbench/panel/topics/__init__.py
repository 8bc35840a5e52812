"""The topics: every module here has one, in ``TOPIC``."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ..topic import Topic

_FOUND = [import_module(f"{__name__}.{name}").TOPIC for name in sorted(m.name for m in iter_modules(__path__))]
TOPICS: dict[str, Topic] = {topic.kind: topic for topic in _FOUND}
