# rigorbench-canary b8a9a7c5-2800-409d-bf7a-99652dc62872
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
near 0 15
nth 0 2
at 0 11
seek 1 0 20
erase 0 10
rank 1 0
rank 1 1
swap 0 1
rank 1 1
forth 1
forth 1
forth 1
erase-at 1 1
size 1
"""

# How often each command is drawn.
ELEMENTS = {
    "insert": 16,
    "add": 8,
    "try": 16,
    "set": 5,
    "at": 6,
    "has": 5,
    "near": 10,
    "erase": 12,
    "size": 4,
    "nth": 6,
}
ELEMENTS |= {"show": 3, "reversed": 2, "clear": 1, "copy": 2, "clone": 1, "move": 2, "take": 2, "swap": 3}
ITERATORS = {"none": 1, "begin": 5, "end": 5, "seek": 12, "low": 8, "high": 6, "pick": 8, "forth": 12, "back": 12}
ITERATORS |= {"peek": 12, "equal": 6, "rank": 10, "erase-at": 10, "cut-at": 5}
COPYING = ("add", "copy", "clone")


def script(seed: int, head: str, count: int, keys: int, weights: dict[str, int], without: Iterable[str] = ()) -> str:
    """Random commands, all of them defined: the model is run along."""
    draw = random.Random(seed)
    kind, *rest = head.split()
    *centre, maps = map(int, rest)
    state = State(kind, centre[0] if centre else 0, maps)
    left_out = {*without, *(() if kind == "numbers" else ("set",)), *(COPYING if kind == "singles" else ())}
    mix = {word: weight for word, weight in weights.items() if word not in left_out}
    lines = [head]
    while len(lines) <= count:
        (word,) = draw.choices(list(mix), list(mix.values()))
        at = draw.randrange(8 if word in ITERATORS else maps)
        key = draw.randint(-keys // 4, keys)
        other = draw.randrange(maps)
        arguments = {
            **dict.fromkeys(["insert", "add", "try", "set"], [key, draw.randint(-999, 999)]),
            **dict.fromkeys(["at", "has", "near", "erase"], [key]),
            "nth": [draw.randrange(20) if draw.random() < 0.95 else LARGEST],
            **dict.fromkeys(["copy", "clone", "move", "take", "swap", "begin", "end", "rank", "erase-at"], [other]),
            **dict.fromkeys(["seek", "low", "high"], [other, key]),
            "pick": [other, draw.randrange(12)],
            "equal": [draw.randrange(8)],
            "cut-at": [other, draw.randrange(8)],
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
    empty = "size 0\nat 0 1\nhas 0 1\nnear 0 1\nerase 0 1\nnth 0 0\nnth 0 1\nshow 0\nreversed 0\nclear 0\nbegin 0 0\npeek 0\n"
    empty += "forth 0\nback 0\nrank 0 0\nerase-at 0 0\nset 0 5 0\nset 0 5 4\nat 0 5\nerase 0 5\nerase 0 5\nsize 0\n"
    yield "secret/1-basic/01-empty", f"numbers 1\n{empty}"
    yield "secret/1-basic/02-mixed", script(11, "numbers 3", 250, 60, ELEMENTS)
    yield "secret/2-values/05-dense", script(12, "numbers 1", 200, 12, ELEMENTS, ["clear", "move", "take"])
    yield "secret/2-values/06-limits", script(13, "numbers 2", 120, LARGEST, ELEMENTS)
    own = "".join(f"insert 0 {k * 7 % 20} {k}\n" for k in range(20))
    own += "copy 0 0\nshow 0\nmove 0 0\nshow 0\nswap 0 0\nshow 0\ntake 0 0\nshow 0\nclone 0 0\nreversed 0\nmove 1 0\nshow 0\ninsert 0 1 1\nshow 0\nnth 1 19\n"
    yield "secret/1-basic/03-own", f"numbers 2\n{own}"
    yield "secret/2-values/07-more-numbers", script(14, "numbers 4", 500, 300, ELEMENTS, ["clear", "show", "reversed"])
    yield "secret/2-values/01-records", script(21, "records 50 3", 250, 60, ELEMENTS)
    yield "secret/2-values/02-singles", script(22, "singles 3", 250, 60, both)
    yield "secret/2-values/03-texts", script(23, "texts 3", 200, 200, ELEMENTS)
    yield "secret/2-values/04-many-maps", script(24, "records 0 15", 450, 15, both)
    yield "secret/3-iterators/01-one-map", script(31, "numbers 1", 350, 40, both, ["clear"])
    yield "secret/3-iterators/02-two-maps", script(32, "numbers 2", 400, 40, both, ["clear"])
    yield "secret/3-iterators/03-records", script(33, "records 20 4", 350, 40, both)
    stays = "".join(f"insert 0 {k * 37 % 101} {k}\n" for k in range(101)) + "insert 1 5 5\n"
    stays += "".join(f"seek {r} 0 {10 * r + 1}\n" for r in range(8))
    stays += "".join(f"erase 0 {k}\n" for k in range(101) if k % 10 != 1)
    stays += "".join(f"peek {r}\nrank {r} 0\nrank {r} 1\n" for r in range(8))
    stays += "swap 0 1\n" + "".join(f"peek {r}\nrank {r} 1\nrank {r} 0\n" for r in range(8))
    stays += (
        "erase-at 2 0\nerase-at 2 1\npeek 2\nequal 2 3\nmove 0 1\nrank 5 1\nrank 5 0\ntake 1 0\nrank 5 0\nrank 5 1\n"
    )
    stays += "end 6 0\nend 7 1\nequal 6 7\nrank 6 0\nrank 7 0\nrank 7 1\nback 7\npeek 7\nback 6\nforth 6\ncut-at 4 1 6\ncut-at 5 1 4\ncut-at 4 1 7\n"
    yield "secret/3-iterators/04-elements-stay", f"numbers 2\n{stays}show 0\nshow 1\n"
    none = "none 0\nnone 1\npeek 0\nforth 0\nback 0\nequal 0 1\nrank 0 0\nerase-at 0 0\ncut-at 0 0 1\nend 1 0\nequal 0 1\ncut-at 1 0 1\n"
    none += "insert 0 1 1\ninsert 0 2 2\nbegin 0 0\nback 0\npeek 0\nend 1 0\nforth 1\npeek 1\ncut-at 1 0 0\ncut-at 0 0 1\nequal 0 1\nsize 0\n"
    yield "secret/3-iterators/05-ends", f"numbers 1\n{none}"
    yield (
        "secret/4-cost/01-rising",
        "cost\nsearch rising 1 1\nsearch rising 2 2\nsearch rising 7 3\nsearch rising 5000 4\n",
    )
    yield "secret/4-cost/02-falling", "cost\nsearch falling 100 5\nsearch falling 6000 6\n"
    yield "secret/4-cost/03-drawn", "cost\nsearch drawn 50 7\nsearch drawn 1000 8\nsearch drawn 10000 9\n"
    yield (
        "secret/4-cost/04-whole",
        "cost\nwhole drawn 0 10\nwhole rising 1 11\nwhole drawn 5000 12\nwhole rising 3000 13\n",
    )
    yield "secret/4-cost/05-again", "cost\nagain drawn 10 14\nagain falling 2000 15\n"
    sizes = [(0, 0), (1, 3), (4, 1), (9, 8), (30, 5), (100, 40)]
    names = ["insert", "insert-moved", "try", "try-moved", "try-old", "erase", "bounds"]
    yield "secret/5-failures/01-questions", failing(names, "question", 51, sizes)
    yield "secret/5-failures/02-copies", failing([*names[:5], "assign", "copy"], "copy", 100, sizes)
    yield "secret/5-failures/03-memory", failing([*names, "assign", "copy"], "memory", 160, sizes)
    yield "secret/6-volume/01-rising", "volume\nfill rising 100000 61\n"
    yield "secret/6-volume/02-falling", "volume\nfill falling 50000 62\nfill organ 50000 63\n"
    yield "secret/6-volume/03-drawn", "volume\nfill drawn 70000 64\n"
    yield "secret/6-volume/04-window", "volume\nwindow rising 300000 65\n"
    yield "secret/6-volume/05-ranks", "volume\nranks drawn 50000 66\nranks rising 50000 67\n"
    yield "secret/6-volume/06-swaps", "volume\nswaps drawn 100000 68\n"
    yield "secret/6-volume/07-pages", "volume\npages drawn 75000 69\n"


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
