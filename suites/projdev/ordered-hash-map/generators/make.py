# rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
"""Writes data/: every input from a fixed seed, every answer from the model. `python generators/make.py`"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from pathlib import Path

from model import State, Undefined, answer

DATA = Path(__file__).resolve().parent.parent / "data"
LARGEST = 2**63 - 1

SAMPLE = """numbers 2
insert 0 30 1
insert 0 10 2
try 0 20 3
try 0 10 9
show 0
find 0 20
at 0 11
begin 1 0
last 1 0
show 0
back 1
peek 1
forth 1
forth 1
forth 1
seek 2 0 10
erase-at 2 0
erase 0 10
swap 0 1
reversed 1
"""

# How often each command is drawn.
ELEMENTS = {
    "insert": 16,
    "add": 8,
    "try": 16,
    "set": 5,
    "at": 6,
    "has": 5,
    "find": 8,
    "erase": 14,
    "size": 4,
    "reserve": 1,
}
ELEMENTS |= {"show": 3, "reversed": 2, "clear": 1, "copy": 2, "clone": 1, "move": 2, "take": 2, "swap": 3}
ITERATORS = {"none": 1, "begin": 6, "end": 5, "seek": 20, "forth": 14, "back": 14, "peek": 12, "equal": 6}
ITERATORS |= {"erase-at": 12, "last": 10, "first": 8}
COPYING = ("add", "copy", "clone")


def script(seed: int, head: str, count: int, keys: int, weights: dict[str, int], without: Iterable[str] = ()) -> str:
    """Random commands, all of them defined: the model is run along."""
    draw = random.Random(seed)
    kind, *rest = head.split()
    maps = int(rest[-1])
    state = State(kind, maps)
    left_out = {*without, *(() if kind == "numbers" else ("set",)), *(COPYING if kind == "singles" else ())}
    mix = {word: weight for word, weight in weights.items() if word not in left_out}
    lines = [head]
    while len(lines) <= count:
        (word,) = draw.choices(list(mix), list(mix.values()))
        at = draw.randrange(8 if word in ITERATORS else maps)
        key = draw.randint(-keys // 4, keys)
        if kind == "records" and draw.random() < 0.3:
            key += 1_000_000  # equal to another one
        other = draw.randrange(maps)
        arguments = {
            **dict.fromkeys(["insert", "add", "try", "set"], [key, draw.randint(-999, 999)]),
            **dict.fromkeys(["at", "has", "find", "erase"], [key]),
            "reserve": [draw.randrange(200)],
            **dict.fromkeys(["copy", "clone", "move", "take", "swap", "begin", "end"], [other]),
            **dict.fromkeys(["erase-at", "last", "first"], [other]),
            "seek": [other, key],
            "equal": [draw.randrange(8)],
        }.get(word, [])
        try:
            state.run(word, at, *arguments)
        except Undefined:
            continue
        lines.append(" ".join(map(str, [word, at, *arguments])))
    return "\n".join([*lines, *(f"show {at}" for at in range(maps))]) + "\n"


def failing(names: Iterable[str], kind: str, seed: int, sizes: Iterable[tuple[int, int]]) -> str:
    lines = [f"{name} {kind} {size} {other}" for name in names for size, other in sizes]
    return "failures\n" + "".join(f"{line} {seed + i}\n" for i, line in enumerate(lines))


def cases() -> Iterable[tuple[str, str]]:
    """Name, input."""
    both = ELEMENTS | ITERATORS
    yield "sample/01", SAMPLE
    empty = "size 0\nat 0 1\nhas 0 1\nfind 0 1\nerase 0 1\nshow 0\nreversed 0\nclear 0\nreserve 0 0\nbegin 0 0\npeek 0\nforth 0\n"
    empty += "back 0\nerase-at 0 0\nlast 0 0\nfirst 0 0\nset 0 5 0\nset 0 5 4\nat 0 5\nerase 0 5\nerase 0 5\nsize 0\n"
    yield "secret/1-basic/01-empty", f"numbers 1\n{empty}"
    yield "secret/1-basic/02-mixed", script(11, "numbers 3", 250, 60, ELEMENTS)
    yield "secret/2-values/06-dense", script(12, "numbers 1", 200, 12, both, ["clear", "move", "take"])
    yield "secret/2-values/07-limits", script(13, "numbers 2", 120, LARGEST, ELEMENTS)
    own = "".join(f"insert 0 {k * 7 % 20} {k}\n" for k in range(20))
    own += "copy 0 0\nshow 0\nmove 0 0\nshow 0\nswap 0 0\nshow 0\ntake 0 0\nshow 0\nclone 0 0\nreversed 0\nmove 1 0\nshow 0\n"
    own += "insert 0 1 1\nshow 0\nerase 1 3\ninsert 1 3 3\nshow 1\nset 1 7 100\nshow 1\n"
    yield "secret/1-basic/03-own", f"numbers 2\n{own}"
    yield "secret/2-values/08-more-numbers", script(14, "numbers 4", 500, 200, ELEMENTS, ["clear", "show", "reversed"])
    yield "secret/2-values/01-records", script(21, "records 1 3", 250, 60, ELEMENTS)
    yield "secret/2-values/02-singles", script(22, "singles 3", 250, 60, both)
    yield "secret/2-values/03-texts", script(23, "texts 3", 200, 100, ELEMENTS)
    yield "secret/2-values/04-collisions", script(24, "records 1000000 2", 250, 40, both)
    yield "secret/2-values/05-many-maps", script(25, "records 3 15", 450, 15, both)
    yield "secret/3-iterators/01-one-map", script(31, "numbers 1", 350, 30, both, ["clear"])
    yield "secret/3-iterators/02-two-maps", script(32, "numbers 2", 400, 30, both, ["clear"])
    yield "secret/3-iterators/03-records", script(33, "records 7 4", 350, 40, both)
    stays = "".join(f"insert 0 {k * 37 % 101} {k}\n" for k in range(101)) + "insert 1 5 5\n"
    stays += "".join(f"seek {r} 0 {10 * r + 1}\n" for r in range(8))
    stays += "".join(f"insert 0 {k} {k}\n" for k in range(200, 300)) + "reserve 0 1000\n" + "peek 3\n"
    stays += "".join(f"erase 0 {k}\n" for k in range(300) if k > 101 or k % 10 != 1)
    stays += (
        "".join(f"peek {r}\n" for r in range(8)) + "swap 0 1\n" + "".join(f"peek {r}\nforth {r}\n" for r in range(8))
    )
    stays += "seek 2 1 21\nseek 3 1 31\nerase-at 2 1\nequal 2 3\nmove 0 1\nseek 5 0 51\nlast 5 0\ntake 1 0\nfirst 5 1\nshow 1\n"
    stays += "end 6 0\nend 7 1\nequal 6 7\nback 7\npeek 7\nback 6\nforth 6\nlast 6 0\nerase-at 6 0\nback 5\nforth 5\nforth 5\npeek 5\n"
    yield "secret/3-iterators/04-elements-stay", f"numbers 2\n{stays}show 0\nshow 1\n"
    none = "none 0\nnone 1\npeek 0\nforth 0\nback 0\nequal 0 1\nerase-at 0 0\nlast 0 0\nend 1 0\nequal 0 1\nfirst 1 0\n"
    none += "insert 0 1 1\nbegin 0 0\nlast 0 0\nfirst 0 0\nback 0\npeek 0\nend 1 0\nforth 1\npeek 1\ninsert 0 2 2\ninsert 0 3 3\n"
    none += "first 0 0\nshow 0\nlast 0 0\nshow 0\nfirst 0 0\nforth 0\nforth 0\nlast 0 0\nshow 0\nfirst 0 0\nreversed 0\nback 1\nerase-at 1 0\n"
    yield "secret/3-iterators/05-ends", f"numbers 1\n{none}show 0\n"
    line = "cost\n{}\n".format
    yield "secret/4-cost/01-rising", line("search rising 1 0 1 1\nsearch rising 1 0 9 2\nsearch rising 1 0 5000 3")
    yield "secret/4-cost/02-shifted", line("search rising 1 12 5000 4\nsearch rising 1 40 5000 5")
    yield "secret/4-cost/03-shared", line("search rising 4 0 3000 6\nsearch drawn 1000 20 5000 7")
    yield (
        "secret/4-cost/04-reserve",
        line("reserve rising 1 0 1 8\nreserve drawn 1 0 3000 9\nreserve rising 2 30 1025 10"),
    )
    yield "secret/4-cost/05-whole", line("whole drawn 1 0 0 11\nwhole rising 1 0 1 12\nwhole drawn 5 7 5000 13")
    yield "secret/4-cost/06-again", line("again drawn 1 0 10 14\nagain rising 3 33 2000 15")
    sizes = [(0, 0), (1, 3), (4, 1), (9, 8), (19, 5), (30, 9), (100, 40)]
    names = ["insert", "insert-moved", "try", "try-moved", "try-old", "erase", "find"]
    yield "secret/5-failures/01-hashes", failing(names, "hash", 51, sizes)
    yield "secret/5-failures/02-questions", failing(names, "question", 101, sizes)
    yield "secret/5-failures/03-copies", failing([*names[:5], "assign", "copy"], "copy", 160, sizes)
    yield "secret/5-failures/04-memory", failing([*names, "reserve", "assign", "copy"], "memory", 220, sizes)
    yield "secret/6-volume/01-rising", "volume\nfill rising 0 100000 61\n"
    yield "secret/6-volume/02-shifted", "volume\nfill rising 16 50000 62\nfill rising 44 50000 63\n"
    yield "secret/6-volume/03-drawn", "volume\nfill drawn 0 100000 64\n"
    yield "secret/6-volume/04-sparse", "volume\nsparse drawn 0 100000 65\n"
    yield "secret/6-volume/05-cache", "volume\ncache drawn 32 500000 66\n"
    yield "secret/6-volume/06-swaps", "volume\nswaps drawn 0 100000 67\n"
    yield "secret/6-volume/07-pages", "volume\npages drawn 0 75000 68\n"


def main() -> int:
    for name in ("sample", "secret"):
        for old in [*(DATA / name).rglob("*.in"), *(DATA / name).rglob("*.ans")]:
            old.unlink()
    for name, text in cases():
        place = DATA / f"{name}.in"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        place.with_suffix(".ans").write_text(answer(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
