"""Code review: rules on a parse tree, criteria put to the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .reviewing import encode, review

__all__ = ["encode", "review"]


def __getattr__(name: str) -> Any:
    # Grammars and the panel are loaded when something is reviewed, not when a result is read.
    if name in __all__:
        from . import reviewing as module

        return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
