"""Code review: rules decided on compiled C and C++ and on parse trees, and criteria rated by a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .reviewing import encode, review

__all__ = ["encode", "review"]


def __getattr__(name: str) -> Any:
    # Load grammars only for a review, not for reading a result.
    if name in __all__:
        from . import reviewing as module

        return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
