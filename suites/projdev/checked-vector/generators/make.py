# rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
"""Writes data/: every input from a fixed seed, every answer from the model. `python generators/make.py`"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from pathlib import Path

from model import answer

DATA = Path(__file__).resolve().parent.parent / "data"
LARGEST = 2**63 - 1

SAMPLE = """numbers 2
range 0 4 9 1 6 1
push 0 3
insert 0 1 7
show 0
erase 0 9
get 0 9
begin 1 0
jump 1 2
peek 1
erase 0 0
peek 1
insert-at 1 1 5
jump 1 9
end 2 0
minus 2 1
erase-at 1 0
size 0
pop 1
"""

# How often each command is drawn: few of those that empty a vector.
ELEMENTS = {"push": 24, "add": 10, "emplace": 8, "pop": 8, "get": 8, "ends": 3, "size": 5, "insert": 12, "place": 8}
ELEMENTS |= {"erase": 10, "cut": 3, "double": 5, "again": 5, "reserve": 2, "shrink": 2, "resize": 2, "clear": 1}
ELEMENTS |= {"show": 3, "reversed": 3, "range": 2, "copy": 3, "clone": 2, "move": 2, "take": 2, "swap": 3}
ITERATORS = {"begin": 10, "end": 8, "none": 2, "jump": 14, "leap": 10, "forth": 8, "back": 8, "peek": 12, "look": 8}
ITERATORS |= {"near": 6, "minus": 8, "equal": 8, "order": 8, "insert-at": 8, "place-at": 5, "erase-at": 6, "cut-at": 5}
COPYING = ("add", "double", "again", "resize", "copy", "clone")


def script(
    seed: int, count: int, vectors: int, values: int, weights: dict[str, int], without: Iterable[str] = ()
) -> str:
    """Random commands. Most positions exist; some are just outside."""
    draw = random.Random(seed)
    mix = {word: weight for word, weight in weights.items() if word not in without}
    lines = [str(vectors)]

    def number() -> int:
        return draw.randint(-values, values)

    def index() -> int:
        return draw.randrange(12) if draw.random() < 0.9 else draw.choice([13, 40, LARGEST])

    def offset() -> int:
        return draw.randint(-6, 6) if draw.random() < 0.95 else draw.choice([LARGEST, -LARGEST, -LARGEST - 1, 30, -30])

    def position() -> int:
        return draw.randrange(10) if draw.random() < 0.95 else draw.choice([-1, 25, LARGEST, -LARGEST - 1])

    for _ in range(count):
        (word,) = draw.choices(list(mix), list(mix.values()))
        at = draw.randrange(8 if word in ITERATORS else vectors)
        row = [draw.randint(0, values) for _ in range(draw.randrange(12))]
        first = draw.randrange(8)
        arguments = {
            **dict.fromkeys(["push", "add", "emplace"], [number()]),
            **dict.fromkeys(["get", "double"], [index()]),
            **dict.fromkeys(["copy", "clone", "move", "take", "swap", "begin", "end"], [draw.randrange(vectors)]),
            **dict.fromkeys(["insert", "place"], [position(), number()]),
            "again": [position(), index()],
            "erase": [position()],
            "cut": [first, first + draw.randint(-1, 3)],
            "reserve": [draw.choice([0, 5, 100, LARGEST, 2 * LARGEST])],
            "resize": [draw.randrange(20), number()],
            "range": [len(row), *row],
            **dict.fromkeys(["jump", "leap", "look"], [offset()]),
            "near": [offset(), offset()],
            **dict.fromkeys(["minus", "equal", "order"], [draw.randrange(8)]),
            **dict.fromkeys(["insert-at", "place-at"], [draw.randrange(vectors), number()]),
            "erase-at": [draw.randrange(vectors)],
            "cut-at": [draw.randrange(vectors), draw.randrange(8)],
        }.get(word, [])
        lines.append(" ".join(map(str, [word, at, *arguments])))
    lines += [f"show {at}" for at in range(vectors)]
    return "\n".join(lines) + "\n"


def failing(names: Iterable[str], kind: str, seed: int, sizes: Iterable[tuple[int, int]]) -> str:
    """Lines of the failures check; `again` needs an element."""
    lines = [f"{name} {kind} {size} {other}" for name in names for size, other in sizes if name != "again" or size > 0]
    return "failures\n" + "".join(f"{line} {seed + i}\n" for i, line in enumerate(lines))


def cases() -> Iterable[tuple[str, str]]:
    """Name, input."""
    both = ELEMENTS | ITERATORS
    yield "sample/01", SAMPLE
    empty = "\n".join(
        ["numbers 1", "size 0", "pop 0", "get 0 0", "ends 0", "erase 0 0", "cut 0 0 0", "show 0", "reversed 0"]
    )
    yield (
        "secret/1-basic/01-empty",
        f"{empty}\ninsert 0 0 4\nerase 0 0\nshrink 0\nresize 0 2 5\nshow 0\nclear 0\nsize 0\n",
    )
    yield "secret/1-basic/02-mixed", "numbers " + script(11, 300, 3, 50, ELEMENTS)
    yield "secret/2-values/07-limits", "numbers " + script(12, 100, 2, LARGEST, ELEMENTS)
    own = "range 0 5 4 2 5 1 3\ncopy 0 0\nshow 0\nmove 0 0\nshow 0\nswap 0 0\nshow 0\ntake 0 0\nshow 0\nclone 0 0\nshow 0\n"
    doubled = "".join(f"double 0 {i}\nagain 0 {i} {2 * i}\n" for i in range(20))
    yield "secret/1-basic/03-own-elements", f"numbers 2\n{own}{doubled}show 0\nagain 0 0 44\nagain 0 44 0\nreversed 0\n"
    yield "secret/2-values/08-more-numbers", "numbers " + script(13, 700, 4, 10**9, ELEMENTS, ["clear"])
    yield "secret/2-values/01-records", "records " + script(21, 300, 3, 1000, ELEMENTS)
    yield "secret/2-values/02-singles", "singles " + script(22, 300, 3, 1000, both, COPYING)
    yield "secret/2-values/03-texts", "texts " + script(23, 250, 3, 10**6, ELEMENTS)
    yield "secret/2-values/04-wides", "wides " + script(24, 200, 3, 10**6, ELEMENTS)
    yield "secret/2-values/05-many-vectors", "records " + script(25, 500, 20, 200, both)
    yield "secret/2-values/06-own-elements", f"texts 2\n{own}{doubled}show 0\nagain 0 0 44\nagain 0 44 0\nreversed 0\n"
    few = ["range", "clear", "resize", "copy", "clone"]
    yield "secret/3-iterators/01-one-vector", "numbers " + script(31, 350, 1, 50, both, few)
    yield "secret/3-iterators/02-two-vectors", "numbers " + script(32, 400, 2, 50, both, few)
    yield "secret/3-iterators/03-five-vectors", "records " + script(33, 400, 5, 50, both, few)
    none = "none 0\nnone 1\npeek 0\nforth 0\njump 0 0\nequal 0 1\nminus 0 1\norder 0 1\ninsert-at 0 0 1\nerase-at 0 0\ncut-at 0 0 1\n"
    foreign = "range 0 3 1 2 3\nrange 1 3 1 2 3\nbegin 2 0\nbegin 3 1\nequal 2 3\nminus 2 3\norder 2 3\nequal 2 0\norder 2 0\n"
    foreign += "insert-at 2 1 9\nplace-at 2 1 9\nerase-at 2 1\ncut-at 2 0 3\ncut-at 2 1 3\nend 4 1\ncut-at 3 1 4\nshow 0\nshow 1\n"
    yield "secret/3-iterators/04-owners", f"numbers 2\n{none}{foreign}"
    stays = "range 0 3 1 2 3\nrange 1 2 8 9\nbegin 0 0\nend 1 0\nbegin 2 1\n" + "push 0 5\n" * 40
    stays += "peek 0\npeek 1\nminus 1 0\nswap 0 1\npeek 0\npeek 1\npeek 2\nleap 1 1\npeek 1\nleap 1 2\npeek 1\nmove 1 0\npeek 0\npeek 2\n"
    stays += "take 0 1\npeek 0\npeek 2\nequal 0 2\nerase-at 0 0\nerase-at 2 0\nshrink 0\npeek 0\nclear 0\npeek 0\njump 0 0\nback 0\npush 0 6\npeek 0\n"
    yield "secret/3-iterators/05-positions-stay", f"numbers 2\n{stays}"
    steps = "range 0 3 1 2 3\nbegin 0 0\nback 0\npeek 0\nend 1 0\nforth 1\npeek 1\nback 1\npeek 1\n"
    for by in (LARGEST, -LARGEST, -LARGEST - 1, 4, 3, -1, -3):
        steps += f"jump 0 {by}\npeek 0\nleap 0 {by}\nlook 0 {by}\nnear 1 {by} {by}\nminus 1 0\n"
    yield "secret/3-iterators/06-distances", f"numbers 1\n{steps}"
    yield "secret/4-cost/01-grow", "cost\ngrow 1 1\ngrow 2 2\ngrow 9 3\ngrow 100 4\ngrow 1025 5\ngrow 30000 6\n"
    yield "secret/4-cost/02-reserve", "cost\nreserve 1 7\nreserve 20 8\nreserve 333 9\nreserve 800 10\n"
    yield "secret/4-cost/03-erase", "cost\nerase 10 11\nerase 1000 12\nerase 20000 13\n"
    yield "secret/4-cost/04-copy", "cost\ncopy 0 14\ncopy 1 15\ncopy 500 16\ncopy 12345 17\n"
    sizes = [(0, 0), (1, 3), (4, 1), (7, 8), (8, 5), (16, 30), (33, 2)]
    ends = ["push", "push-moved", "emplace"]
    middle = ["insert", "insert-moved", "again"]
    whole = ["reserve", "shrink", "resize", "assign", "copy", "range"]
    yield "secret/5-failures/01-ends", failing([*ends, *middle[:1]], "copy", 51, sizes)
    yield "secret/5-failures/02-middle", failing(middle, "copy", 90, sizes)
    yield "secret/5-failures/03-whole", failing(["resize", "assign", "copy", "range"], "copy", 130, sizes)
    yield "secret/5-failures/04-memory", failing([*ends, *middle], "memory", 180, sizes)
    yield "secret/5-failures/05-whole-memory", failing(whole, "memory", 240, sizes)
    yield "secret/6-volume/01-grow", "volume\ngrow 1000000 61\n"
    yield "secret/6-volume/02-middle", "volume\nmiddle 6000 62\n"
    yield "secret/6-volume/03-cuts", "volume\ncuts 200000 63\n"
    yield "secret/6-volume/04-rounds", "volume\nrounds 12000 64\n"
    yield "secret/6-volume/05-swaps", "volume\nswaps 300000 65\n"


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
