# rigorbench-canary 62ca5553-4657-4d84-81b4-2ec70a7e17ce
"""Writes all data of the package from seeds. `python generators/make.py [DIRECTORY [GROUP...]]` (default: the package's data, all groups)"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from model import Zone, answer

PACKAGE = Path(__file__).resolve().parent.parent
CANARY = (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0]
POINTS = {"1-basic": 20, "2-edges": 30, "3-storms": 20, "4-volume": 30}

EXAMPLE = """open 0 16
take 0 1
take 0 0
counts 0
find 0 6
at 0 10 1
give 0 1
give 0 2
shrink 0 0 0
counts 0
"""


def basic(seed: int, size: int, count: int, top: int) -> str:
    """Takes and gives in one zone of 2 to the power of `size` frames."""
    chance = random.Random(seed)
    frames = 1 << size
    zone = Zone(frames)
    held: list[int] = []
    rows = [f"open 0 {frames}"]
    for _ in range(count):
        name = chance.choices(["take", "give", "find", "count", "counts"], [50, 40, 12, 6, 3])[0]
        if name == "take":
            order = min(chance.randrange(top + 1), chance.randrange(top + 1))
            rows.append(f"take 0 {order}")
            first = zone.take(order)
            if first >= 0:
                held.append(first)
        elif name == "give" and held:
            first = held.pop(chance.randrange(len(held)))
            rows.append(f"give 0 {first}")
            zone.give(first)
        elif name == "find":
            rows.append(f"find 0 {chance.randrange(frames)}")
        elif name == "count":
            rows.append(f"count 0 {chance.randrange(13)}")
        elif name == "counts":
            rows.append("counts 0")
    return "".join(f"{row}\n" for row in [*rows, "counts 0"])


def edges(seed: int, sizes: list[int], count: int) -> str:
    """All commands in several zones, a third of them with arguments that may be wrong."""
    chance = random.Random(seed)
    zones = {slot: Zone(frames) for slot, frames in enumerate(sizes)}
    rows = [f"open {slot} {frames}" for slot, frames in enumerate(sizes)]
    for _ in range(count):
        slot = chance.randrange(len(sizes))
        zone = zones[slot]
        name = chance.choice(["take", "take", "at", "at", "give", "give", "shrink", "find", "count", "counts"])
        odd = chance.random() < 0.3
        order = chance.choice([-1, 12, 13, 64, -1000000000]) if odd else chance.choice([0, 0, 1, 1, 2, 3, 4])
        frame = chance.choice([-1, zone.frames, zone.frames - 1, 1000000000, -1000000000]) if odd else chance.randrange(zone.frames)
        taken = list(zone.taken)
        block = chance.choice(taken) if taken and chance.random() < 0.7 else frame
        if name == "take":
            rows.append(f"take {slot} {order}")
            zone.take(order)
        elif name == "at":
            order = max(order, 0) if order < 13 else 2
            first = frame if chance.random() < 0.3 else max(frame >> order << order, -(10**9))
            rows.append(f"at {slot} {first} {order}")
            zone.take_at(first, order)
        elif name == "give":
            first = min(block + chance.choice([0, 0, 0, 1]), 10**9)
            rows.append(f"give {slot} {first}")
            zone.give(first)
        elif name == "shrink":
            rows.append(f"shrink {slot} {block} {order}")
            zone.shrink(block, order)
        elif name == "find":
            rows.append(f"find {slot} {frame}")
        elif name == "count":
            rows.append(f"count {slot} {order}")
        else:
            rows.append(f"counts {slot}")
    rows += [f"counts {slot}" for slot in zones]
    return "".join(f"{row}\n" for row in rows)


def whole(frames: int) -> str:
    """A zone that is taken frame by frame, given back in an order that joins at different times, and taken as a whole."""
    rows = [f"open 1 {frames}", "counts 1"]
    rows += ["take 1 0"] * (frames + 1)
    rows += [f"give 1 {first}" for first in range(1, frames, 2)]
    rows += ["counts 1", "take 1 1"]
    rows += [f"give 1 {first}" for first in range(0, frames, 2)]
    rows += ["counts 1", "take 1 12", "take 1 0", "counts 1", f"find 1 {frames - 1}"]
    return "".join(f"{row}\n" for row in rows)


AGAIN = """open 2 100
take 2 5
open 3 100
take 3 5
take 2 5
open 2 40
take 2 5
give 3 0
give 2 0
counts 2
counts 3
open 2 1
take 2 0
take 2 0
shrink 2 0 0
give 2 0
give 2 0
counts 2
"""


def cases() -> Iterator[tuple[str, str]]:
    yield "sample/01", EXAMPLE
    yield "sample/02", "open 0 5000\ncounts 0\nstorm 0 1 400 6 60\ncounts 0\nopen 3 10\ntake 3 3\ntake 3 3\ntake 3 1\ncounts 3\n"
    for number, (size, count, top) in enumerate([(4, 60, 3), (6, 200, 4), (8, 500, 5), (12, 1500, 9), (0, 20, 1)], 1):
        yield f"secret/1-basic/{number:02}", basic(1800 + number, size, count, top)
    for number, sizes in enumerate([[1, 2, 3, 7], [13, 100, 57, 31], [5000, 12_289, 4095, 4097], [8192 + 4096, 999]], 1):
        yield f"secret/2-edges/{number:02}", edges(1810 + number, sizes, 1500)
    yield "secret/2-edges/05", whole(300)
    yield "secret/2-edges/06", AGAIN
    yield "secret/2-edges/07", "open 0 20000\ncounts 0\nat 0 8192 12\nat 0 0 12\ngive 0 0\ngive 0 8192\ncounts 0\ntake 0 12\ntake 0 12\ntake 0 12\ntake 0 12\ntake 0 12\ncounts 0\n"
    storms = [(1000, 20_000, 3, 60), (20_000, 20_000, 5, 75), (12_345, 15_000, 8, 55), (4097, 20_000, 12, 50)]
    for number, (frames, count, top, fill) in enumerate(storms, 1):
        rows = [f"open 0 {frames}", f"open 1 {frames // 2 + 1}"]
        for part in range(4):
            rows += [f"storm {part % 2} {number * 10 + part} {count // 4} {top} {fill}", f"counts {part % 2}"]
        yield f"secret/3-storms/{number:02}", "".join(f"{row}\n" for row in rows)
    rows = ["open 0 1000000", "storm 0 5 1050000 0 100", "storm 0 6 500000 0 6", "storm 0 7 1200000 1 50", "counts 0"]
    rows += ["open 1 777777", "storm 1 8 400000 4 90", "storm 1 9 400000 3 50", "open 2 500000", "storm 2 1 400000 12 50", "counts 1", "counts 2"]
    yield "secret/4-volume/01", "".join(f"{row}\n" for row in rows)


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "data"
    only = sys.argv[2:]
    for name, text in cases():
        if only and name.split("/")[-2] not in only:
            continue
        target = place / f"{name}.in"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "ascii")
        target.with_suffix(".ans").write_text(answer(text), "ascii")
    if only:
        return
    for group, points in POINTS.items():
        content = f"{CANARY}\nmax_score: {points}\nscore_aggregation: min\n"
        (place / "secret" / group / "test_group.yaml").write_text(content, "utf-8")


if __name__ == "__main__":
    main()
