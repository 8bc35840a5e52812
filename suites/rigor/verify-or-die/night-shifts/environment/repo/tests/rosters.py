"""Rosters for the tests."""

from wardhours import Shift, parse

SITES = "".join(f"site in_{zone} = {zone}\n" for zone in ("azores", "western", "central", "eastern", "iceland"))


def roster(*lines: str) -> list[Shift]:
    """The shifts of lines such as ``2024-05-10 | mia | 22:00-06:00 | in_central``."""
    return parse(SITES + "\n".join(lines))


def shift(day: str, times: str, zone: str = "central") -> Shift:
    return roster(f"{day} | mia | {times} | in_{zone}")[0]
