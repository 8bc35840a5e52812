"""The stitches there are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stitch:
    """How many stitches of the row below it takes, how many it leaves, its sign, and its yarn in widths of a stitch."""

    takes: int
    leaves: int
    sign: str | None
    yarn: float


STITCHES = {
    "k": Stitch(1, 1, ".", 3.0),
    "p": Stitch(1, 1, "-", 3.1),
    "sl": Stitch(1, 1, "s", 0.0),
    "yo": Stitch(0, 1, "o", 2.0),
    "m1": Stitch(0, 1, "+", 2.5),
    "kfb": Stitch(1, 2, "v", 5.0),
    "k2tog": Stitch(2, 1, "/", 3.2),
    "ssk": Stitch(2, 1, "\\", 3.2),
    "k3tog": Stitch(3, 1, "A", 3.4),
    "bo": Stitch(1, 0, None, 3.0),
}


def split(word: str) -> tuple[str, int] | None:
    """A stitch and its count, as k12 is k and 12; None if it is no stitch."""
    for name in sorted(STITCHES, key=len, reverse=True):
        rest = word[len(name) :]
        if word.startswith(name) and (not rest or rest.isdecimal()):
            return name, int(rest or 1)
    return None


def sign(name: str) -> str | None:
    """The sign of a stitch in a chart; None if it leaves nothing to be seen."""
    return STITCHES[name].sign
