# rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
"""Writes data/: every input from a fixed seed, every answer from the model. `python generators/generate.py`"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from model import answer

DATA = Path(__file__).resolve().parent.parent / "data"

SAMPLE = """smallest 2
push 0 8
insert 0 3
emplace 1 5
range 1 4 9 1 6 1
merge 0 1
size 0
size 1
top 0
extract 0
pop 0
copy 1 0
drain 0
pop 0
top 1
"""

# How often each command is drawn. Few of those that empty a queue, or all queues would be empty most of the time.
MIX = {"push": 30, "insert": 12, "emplace": 8, "pop": 12, "extract": 10, "top": 10, "size": 5, "merge": 7, "swap": 3}
MIX |= {"move": 2, "take": 2, "copy": 3, "clone": 2, "range": 2, "clear": 1, "drain": 1, "live": 4, "again": 2}
# Queues of numbers count no objects; those of elements that cannot be copied are not copied.
NO_LIVES = ("live",)
NO_COPIES = ("copy", "clone", "again")


def script(
    seed: int,
    count: int,
    queues: int,
    values: int,
    without: Iterable[str] = (),
    low: int = 0,
    orders: Sequence[int] = (),
) -> str:
    """Random commands; small ranges of values bring many equal ones. `orders`: of each queue; only equal ones merge."""
    draw = random.Random(seed)
    mix = {word: weight for word, weight in MIX.items() if word not in without}
    first = list(orders or [0] * queues)
    now = list(first)
    lines = []
    for _ in range(count):
        (word,) = draw.choices(list(mix), list(mix.values()))
        at, other = draw.randrange(queues), draw.randrange(queues)
        if word == "live":
            lines.append(word)
        elif word in ("push", "insert", "emplace"):
            lines.append(f"{word} {at} {draw.randint(low, values)}")
        elif word == "range":
            row = [draw.randint(low, values) for _ in range(draw.randrange(12))]
            lines.append(" ".join(map(str, [word, at, len(row), *row])))
            now[at] = first[at]
        elif word == "merge":
            lines.append(f"{word} {at} {draw.choice([k for k in range(queues) if now[k] == now[at]])}")
        elif word in ("swap", "move", "copy", "clone", "take"):
            if word == "take":
                other = (at + 1 + draw.randrange(queues - 1)) % queues
            lines.append(f"{word} {at} {other}")
            now[at], now[other] = now[other], now[at] if word == "swap" else now[other]
        else:
            lines.append(f"{word} {at}")
    return "\n".join(lines) + "\n" + "".join(f"drain {at}\n" for at in range(queues))


def records(seed: int, count: int, values: int, orders: Sequence[int], low: int = 0) -> str:
    """Commands on queues of elements that are sorted by their distance from a centre, one for each queue."""
    head = " ".join(map(str, ["records", len(orders), *orders]))
    return f"{head}\n{script(seed, count, len(orders), values, (), low, orders)}"


# Pairs of sizes: the queue that an operation is called on, and the other one.
SIZES = [(0, 0), (1, 0), (1, 1), (2, 3), (30, 17)]
PUSHES = ["push", "push-moved", "again", "emplace", "emplace-copied"]
POPS = ["pop", "extract"]
COPIES = ["assign", "assign-self", "copy"]
# What can fail nowhere. The order is not asked and nothing is copied; who takes memory nevertheless, can fail.
SAFE = ["top", "merge-self", "move", "take", "swap", "clear"]
FILLED = ["pop", "extract", "top", "again"]


def attempts(names: Iterable[str], fuse: str, seed: int, sizes: Iterable[tuple[int, int]]) -> str:
    pairs = [(name, *pair) for name in names for pair in sizes if pair[0] > 0 or name not in FILLED]
    return "".join(f"{name} {fuse} {a} {b} {seed + n}\n" for n, (name, a, b) in enumerate(pairs))


def cases() -> Iterable[tuple[str, str, str]]:
    """Name, driver, input."""
    yield "sample/01", "script", SAMPLE
    ends = 2**63 - 1
    alone = "size 0\npop 0\ntop 0\nextract 0\nagain 0\ndrain 0\npush 0 7\ntop 0\npop 0\npop 0\n"
    itself = "range 0 5 4 2 5 1 3\nmerge 0 0\nswap 0 0\ncopy 0 0\nmove 0 0\nsize 0\nmerge 0 1\nmerge 1 0\nsize 0\n"
    itself += "again 1\ndrain 1\nmerge 0 1\nsize 0\n"
    yield "secret/1-basic/01-small", "script", f"smallest 2\n{alone}{itself}"
    limits = f"push 0 {-ends}\npush 0 {ends}\n"
    yield "secret/1-basic/02-mixed", "script", f"smallest 2\n{limits}{script(14, 400, 2, ends, NO_LIVES, -ends)}"
    yield "secret/1-basic/03-equal", "script", "greatest 3\n" + script(13, 400, 3, 2, NO_LIVES, -2)
    without = [*NO_LIVES, "clear", "drain"]
    yield "secret/1-basic/04-long", "script", "smallest 8\n" + script(15, 3000, 8, 10**9, without)
    yield "secret/2-values/01-records", "values", records(21, 400, 1000, [500] * 3)
    yield "secret/2-values/02-orders", "values", records(22, 600, 20, [0, 9, 0, -20, 9], -20)
    yield "secret/2-values/03-singles", "values", "singles 3\n" + script(23, 400, 3, 1000, NO_COPIES)
    yield "secret/2-values/04-texts", "values", "texts 3\n" + script(24, 400, 3, 10**6, NO_LIVES)
    yield "secret/2-values/05-wides", "values", "wides 3\n" + script(25, 300, 3, 10**6)
    yield "secret/2-values/06-many-queues", "values", records(26, 1500, 200, [77] * 40)
    yield "secret/3-cost/01-tournament", "checks", "cost\ntournament 4096 31\ntournament 3001 32\n"
    yield "secret/3-cost/02-falling", "checks", "cost\nrounds 200 40 falling 33\nrounds 3000 1 falling 34\n"
    yield "secret/3-cost/03-rising", "checks", "cost\nrounds 200 40 rising 35\nrounds 3000 1 rising 36\n"
    drawn = "rounds 300 30 drawn 37\nrounds 3000 1 drawn 38\nrounds 6 4000 drawn 39\n"
    yield "secret/3-cost/04-drawn", "checks", f"cost\n{drawn}"
    ranges = "range 0 40\nrange 1 41\nrange 2 42\nrange 30000 43\nrange 12345 44\n"
    yield "secret/3-cost/05-range", "checks", f"cost\n{ranges}"
    zigzag = "rounds 10 1500 zigzag 45\nrounds 400 25 zigzag 46\nrounds 3 5000 zigzag 47\n"
    yield "secret/3-cost/06-zigzag", "checks", f"cost\n{zigzag}"
    yield "secret/3-cost/07-copies", "checks", "cost\ncopies 1 3 1 48\ncopies 1000 20 30 49\ncopies 5000 4 500 50\n"
    larger = [*SIZES, (300, 300)]
    yield "secret/4-throwing/01-push", "checks", "failures\n" + attempts(PUSHES, "question", 51, larger)
    yield "secret/4-throwing/02-pop", "checks", "failures\n" + attempts(POPS, "question", 52, larger)
    merges = attempts(["merge"], "question", 53, [*larger, (900, 5), (5, 900), (700, 800)])
    ranges = attempts(["range"], "question", 56, [*SIZES, (3, 1), (40, 3), (150, 2)])
    yield "secret/4-throwing/03-merge", "checks", f"failures\n{merges}{ranges}"
    copying = attempts([*PUSHES, *COPIES, "range"], "copy", 54, [*SIZES, (90, 90)])
    yield "secret/4-throwing/04-copy", "checks", f"failures\n{copying}"
    everything = [*PUSHES, *POPS, "merge", *COPIES, "range", *SAFE]
    yield "secret/4-throwing/05-memory", "checks", "failures\n" + attempts(everything, "memory", 55, SIZES)
    safe = attempts([*COPIES, *SAFE], "question", 57, SIZES) + attempts([*POPS, "merge", *SAFE], "copy", 58, SIZES)
    yield "secret/4-throwing/06-safe", "checks", f"failures\n{safe}"
    chains = "chain falling 400000 61\nchain rising 400000 62\nchain drawn 200000 63\n"
    yield "secret/5-volume/01-chain", "checks", f"volume\n{chains}"
    yield "secret/5-volume/02-churn", "checks", "volume\nchurn 50000 1500000 64\n"
    yield "secret/5-volume/03-swallow", "checks", "volume\nswallow 200000 200000 65\n"
    yield "secret/5-volume/04-many", "checks", "volume\nmany 60000 66\n"


def main() -> int:
    for name in ("sample", "secret"):
        for old in [*(DATA / name).rglob("*.in"), *(DATA / name).rglob("*.ans")]:
            old.unlink()
    for name, driver, text in cases():
        place = DATA / f"{name}.in"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        place.with_suffix(".ans").write_text(answer(driver, text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
