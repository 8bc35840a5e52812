"""Wording that messages share, and what differs between two texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

# Pairs of equal lines in two texts, up to which their lines are matched.
_MOST_PAIRS = 5_000_000


def count(number: int, noun: str, nouns: str | None = None) -> str:
    """A number with its noun: "1 test", "1,200 tests", "2 searches". ``nouns``: the plural, where no rule gives it."""
    ending = "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{number:,} {noun if number == 1 else nouns or noun + ending}"


def differences(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """The regions in which two texts differ, as (start, end) in ``old`` and (start, end) in ``new``.

    Texts that repeat the same lines would take time without an end: there it is one region between the common head and
    the common end.
    """
    from difflib import SequenceMatcher

    number = Counter(new)
    if sum(number[line] for line in old) <= _MOST_PAIRS:
        codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        return [(i1, i2, j1, j2) for tag, i1, i2, j1, j2 in codes if tag != "equal"]
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    end = next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)
    if not head and not end:
        return [(0, len(old), 0, len(new))]
    inside = differences(old[head : len(old) - end], new[head : len(new) - end])
    return [(i1 + head, i2 + head, j1 + head, j2 + head) for i1, i2, j1, j2 in inside]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """ " (did you mean score?)" for a mistyped name, or "": to be put behind it in a message."""
    from difflib import get_close_matches

    lower = {k.lower(): k for k in known}
    wanted = name.lower()
    # A beginning counts as well: "claude" is far from "claude-code", and means nothing else.
    begun = [k for k in lower if wanted and k.startswith(wanted)]
    near = begun if len(begun) == 1 else get_close_matches(wanted, lower, n=1)
    return f" (did you mean {lower[near[0]]}?)" if near else ""
