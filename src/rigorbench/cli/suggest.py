"""What a mistyped name may mean."""

from __future__ import annotations

from collections.abc import Iterable

from .common import Usage


def unknown(what: str, name: str, known: Iterable[str]) -> Usage:
    """The error for a name that is none of those: with the nearest of them, else with all."""
    return Usage(f"no {what} {name!r}; {hint(name, list(known))}")


def hint(name: str, known: list[str]) -> str:
    """ "did you mean score?", or the list of what there is."""
    from difflib import get_close_matches

    lower = {k.lower(): k for k in known}
    near = [lower[k] for k in get_close_matches(name.lower(), lower, 2, 0.6)]
    return f"did you mean {' or '.join(near)}?" if near else f"one of: {', '.join(known)}"
