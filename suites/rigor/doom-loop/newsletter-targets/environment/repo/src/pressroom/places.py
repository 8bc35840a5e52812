"""Places in layouts and templates, such as ``{text}``, which kinds fill in."""

from __future__ import annotations

from .context import Context


def look_for(context: Context, name: str, place: str) -> None:
    """Tell when a template has no such place. One that another target has still to make cannot be looked at."""
    if (context.root / name).exists() and place not in context.read(name):
        context.log(f"note: {name} has no {place}")
