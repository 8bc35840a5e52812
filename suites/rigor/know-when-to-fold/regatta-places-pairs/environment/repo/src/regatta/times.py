"""Times, counted in hundredths of a second so that nothing is lost to floating point."""

from __future__ import annotations

import re

_TIME = re.compile(r"(?:(\d{1,3}):)?([0-5]?\d)\.(\d\d)")


def parse(text: str) -> int:
    """Hundredths of a second in a time such as ``6:41.07`` or ``58.30``.

    Raises:
        ValueError: it is no time.
    """
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no time; expected minutes:seconds.hundredths")
    minutes, seconds, hundredths = match.groups()
    return (int(minutes or 0) * 60 + int(seconds)) * 100 + int(hundredths)


def show(hundredths: int) -> str:
    """The time as it stands on the board."""
    seconds, rest = divmod(hundredths, 100)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes}:{seconds:02d}.{rest:02d}"
