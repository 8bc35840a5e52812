# rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582
"""Writes all data of the package from seeds. `python generators/make.py [DIRECTORY]` (default: the package's data)"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
CANARY = (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0]
POINTS = {"1-basic": 30, "2-edges": 30, "3-volume": 40}
FAR = 2 * 10**12
MASK = 2**64 - 1


def expanded(text: str) -> Iterator[tuple[int, int]]:
    """The bookings of an input."""
    for line in text.splitlines():
        words = line.split()
        if words[0] != "many":
            yield int(words[0]), int(words[1])
            continue
        count, x, span, length = map(int, words[1:])
        for _ in range(count):
            x = (6364136223846793005 * x + 1442695040888963407) & MASK
            first = (x >> 20) % span
            x = (6364136223846793005 * x + 1442695040888963407) & MASK
            yield first, first + (x >> 20) % length


def answer(text: str) -> str:
    blocks: list[list[int]] = []
    for first, end in sorted(booking for booking in expanded(text) if booking[0] < booking[1]):
        if blocks and first <= blocks[-1][1]:
            blocks[-1][1] = max(blocks[-1][1], end)
        else:
            blocks.append([first, end])
    booked = sum(end - first for first, end in blocks)
    gap = max((later[0] - earlier[1] for earlier, later in zip(blocks, blocks[1:])), default=0)
    return f"booked {booked}\nblocks {len(blocks)}\ngap {gap}\n"


def lines(bookings: list[tuple[int, int]]) -> str:
    return "".join(f"{first} {end}\n" for first, end in bookings)


def some(chance: random.Random, count: int, span: int, length: int) -> list[tuple[int, int]]:
    starts = [chance.randrange(span) for _ in range(count)]
    return [(start, start + chance.randrange(length)) for start in starts]


def cases() -> Iterator[tuple[str, str]]:
    yield "sample/01", "10 20\n15 30\n30 31\n50 50\n40 45\n"
    yield "sample/02", "many 3 1 100 10\n"
    yield "sample/03", "300 400\nmany 20 7 200 12\n100 101\n"
    chance = random.Random(1801)
    basic = [
        some(chance, 5, 60, 20),
        some(chance, 60, 2000, 30),
        some(chance, 200, 9000, 60),
    ]
    for number, bookings in enumerate(basic, 1):
        yield f"secret/1-basic/{number:02}", lines(bookings)
    yield "secret/1-basic/04", "many 120 99 8000 50\n"
    yield "secret/1-basic/05", "many 40 5 3000 20\n" + lines(some(chance, 50, 4000, 30)) + "many 60 6 9000 40\n"
    touching = [(at, at + 7) for at in range(0, 2100, 7)]
    chance.shuffle(touching)
    nested = [(1000 + i, 900_000 - 3 * i) for i in range(300)]
    chance.shuffle(nested)
    empty = [(at, at) for at in (chance.randrange(10_000) for _ in range(300))]
    edges = [
        [],
        [(5, 5), (0, 0), (FAR, FAR)],
        [(0, 1)],
        touching + [(5000, 5001), (5002, 5003)],
        nested + [(10, 20), (1_000_000, 1_000_001)],
        empty + [(20_000, 20_010), (30_000, 30_000), (40_000, 40_001)],
        [(0, 10**12), (10**12 + 1, FAR)],
        [(0, 1), (FAR - 1, FAR), (FAR, FAR)],
        some(chance, 900, 10**12, 10**9),
        [(100, 200), (100, 150), (150, 200), (100, 200), (199, 201), (202, 203), (50, 99)],
        [(3, 9), (9, 9), (9, 12), (13, 13), (14, 15), (20, 21)],
    ]
    for number, bookings in enumerate(edges, 1):
        yield f"secret/2-edges/{number:02}", lines(bookings)
    yield "secret/2-edges/12", "many 400 9223372036854775807 1000000000000 1\nmany 400 0 1000000000000 1000000000\n"
    yield "secret/3-volume/01", "many 500000 2026 1000000000000 100000\n"
    yield "secret/3-volume/02", "many 250000 31 1000000000000 1000000\nmany 250000 32 900000000000 3000000\n"
    yield "secret/3-volume/03", "many 499999 77 4000000 9\n7999999 8000000\n"


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "data"
    for name, text in cases():
        target = place / f"{name}.in"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "ascii")
        target.with_suffix(".ans").write_text(answer(text), "ascii")
    for group, points in POINTS.items():
        content = f"{CANARY}\nmax_score: {points}\nscore_aggregation: min\n"
        (place / "secret" / group / "test_group.yaml").write_text(content, "utf-8")
    broken = place / "invalid_input"
    broken.mkdir(exist_ok=True)
    for name, text in {
        "backwards": "5 4\n",
        "no-end": "1 2",
        "sign": "-1 2\n",
        "too-many": "many 500000 1 9 9\n1 2\n",
        "too-far": "1 2000000000001\n",
        "zero-length": "many 1 1 1 0\n",
        "two-spaces": "1  2\n",
    }.items():
        (broken / f"{name}.in").write_text(text, "ascii")


if __name__ == "__main__":
    main()
