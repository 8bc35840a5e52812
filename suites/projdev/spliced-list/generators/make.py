# rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
"""Writes data/: every input from a fixed seed, every answer from the model. `python generators/make.py`"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from pathlib import Path

from model import State, Undefined, answer

DATA = Path(__file__).resolve().parent.parent / "data"

SAMPLE = """numbers 2
range 0 4 31 12 35 14
push 1 20
front 1 11
sort-tens 0
show 0
merge 0 1
show 0
size 1
unique-tens 0
show 0
begin 2 0
forth 2
insert 2 0 7
reverse 0
show 0
peek 2
forth 2
begin 3 1
transfer 3 1 0 2
show 1
forth 2
forth 2
pop 1
pop 1
"""

# How often each command is drawn: few of those that empty a list.
ELEMENTS = {
    "push": 20,
    "add": 8,
    "front": 16,
    "add-front": 8,
    "pop": 6,
    "pop-front": 6,
    "ends": 5,
    "size": 5,
    "show": 4,
}
ELEMENTS |= {"reversed": 4, "clear": 1, "range": 4, "reverse": 6, "sort": 4, "sort-tens": 6, "sort-down": 2}
ELEMENTS |= {"unique": 3, "unique-tens": 3, "remove": 3, "merge": 8, "append": 4, "copy": 2, "clone": 2, "move": 2}
ELEMENTS |= {"take": 2, "swap": 3}
ITERATORS = {
    "none": 1,
    "begin": 10,
    "end": 8,
    "forth": 22,
    "back": 18,
    "peek": 12,
    "equal": 6,
    "insert": 14,
    "place": 8,
}
ITERATORS |= {"again": 4, "erase": 8, "cut": 4, "splice": 5, "transfer": 12}
COPYING = ("add", "add-front", "copy", "clone", "again")


def script(
    seed: int, kind: str, lists: int, count: int, values: int, weights: dict[str, int], without: Iterable[str] = ()
) -> str:
    """Random commands, all of them defined: the model is run along."""
    draw = random.Random(seed)
    state = State(lists)
    left_out = {*without, *(COPYING if kind == "singles" else ())}
    mix = {word: weight for word, weight in weights.items() if word not in left_out}
    lines = [f"{kind} {lists}"]
    while len(lines) <= count:
        (word,) = draw.choices(list(mix), list(mix.values()))
        at = draw.randrange(8 if word in ITERATORS else lists)
        number = draw.randint(-values // 4, values)
        other = draw.randrange(lists)
        row = [draw.randint(0, values) for _ in range(draw.randrange(10))]
        arguments = {
            **dict.fromkeys(["push", "add", "front", "add-front"], [number]),
            "range": [len(row), *row],
            "remove": [draw.choice([2, 3, 7])],
            **dict.fromkeys(["merge", "append", "copy", "clone", "move", "take", "swap", "begin", "end"], [other]),
            "equal": [draw.randrange(8)],
            **dict.fromkeys(["insert", "place"], [other, number]),
            **dict.fromkeys(["again", "erase"], [other]),
            "cut": [other, draw.randrange(8)],
            "splice": [other, draw.randrange(lists)],
            "transfer": [other, draw.randrange(lists), draw.randrange(8)],
        }.get(word, [])
        try:
            state.run(word, at, *arguments)
        except Undefined:
            continue
        lines.append(" ".join(map(str, [word, at, *arguments])))
    return "\n".join([*lines, *(f"show {at}\nreversed {at}" for at in range(lists))]) + "\n"


def failing(names: Iterable[str], kind: str, seed: int, sizes: Iterable[tuple[int, int]]) -> str:
    """Lines of the failures check; an insertion is behind the first element."""
    lines = [
        f"{name} {kind} {size} {other}" for name in names for size, other in sizes if size > 0 or "insert" not in name
    ]
    return "failures\n" + "".join(f"{line} {seed + i}\n" for i, line in enumerate(lines))


def cases() -> Iterable[tuple[str, str]]:
    """Name, input."""
    both = ELEMENTS | ITERATORS
    yield "sample/01", SAMPLE
    empty = "size 0\npop 0\npop-front 0\nends 0\nshow 0\nreversed 0\nclear 0\nreverse 0\nsort 0\nunique 0\nremove 0 2\nmerge 0 0\n"
    empty += "append 0 0\nbegin 0 0\npeek 0\nforth 0\nback 0\nerase 0 0\npush 0 5\nreverse 0\nsort 0\nunique 0\nends 0\npop-front 0\nsize 0\n"
    yield "secret/1-basic/01-empty", f"numbers 1\n{empty}"
    yield "secret/1-basic/02-mixed", script(11, "numbers", 3, 350, 60, ELEMENTS)
    own = "range 0 6 35 12 31 14 11 30\ncopy 0 0\nshow 0\nmove 0 0\nshow 0\nswap 0 0\nshow 0\ntake 0 0\nshow 0\nappend 0 0\nshow 0\n"
    own += "sort-tens 0\nshow 0\nmerge 0 0\nreversed 0\nclone 0 0\nsort-down 0\nshow 0\nreverse 0\nshow 0\nreversed 0\nsort 0\nshow 0\n"
    own += "merge 1 0\nshow 1\nsize 0\nmerge 1 0\nmerge 0 1\nshow 0\nremove 0 1\nsize 0\npush 0 1\nshow 0\n"
    yield "secret/1-basic/03-own", f"numbers 2\n{own}"
    yield "secret/2-values/01-records", script(21, "records", 3, 350, 60, ELEMENTS)
    yield "secret/2-values/02-singles", script(22, "singles", 3, 350, 60, both)
    yield "secret/2-values/03-texts", script(23, "texts", 3, 250, 60, both)
    yield "secret/2-values/04-wides", script(24, "wides", 3, 250, 10**6, ELEMENTS)
    yield "secret/2-values/05-many-lists", script(25, "records", 20, 500, 200, both)
    yield (
        "secret/2-values/06-sorted",
        script(26, "numbers", 4, 400, 30, ELEMENTS, ["reverse", "sort-down", "clear", "move", "take"]),
    )
    yield "secret/3-iterators/01-one-list", script(31, "numbers", 1, 400, 50, both, ["clear", "range", "copy", "clone"])
    yield (
        "secret/3-iterators/02-two-lists",
        script(32, "numbers", 2, 500, 50, both, ["clear", "range", "copy", "clone"]),
    )
    yield "secret/3-iterators/03-records", script(33, "records", 4, 500, 50, both, ["clear", "range", "copy", "clone"])
    stays = (
        "range 0 8 35 12 31 14 11 30 22 23\nrange 1 3 15 25 33\n"
        + "begin 0 0\nforth 0\nbegin 1 1\nend 2 0\nend 3 1\nback 2\n"
    )
    looks = "peek 0\npeek 1\npeek 2\npeek 3\n"
    stays += (
        looks + f"sort-tens 0\n{looks}merge 0 1\n{looks}reverse 0\n{looks}forth 0\nforth 1\n{looks}swap 0 1\n{looks}"
    )
    stays += f"transfer 3 1 1 0\n{looks}back 3\n{looks}move 0 1\n{looks}forth 3\nforth 3\ntake 1 0\nsort 1\n{looks}back 0\nback 1\n{looks}"
    yield "secret/3-iterators/04-elements-stay", f"numbers 2\n{stays}show 0\nshow 1\n"
    ends = "none 0\nnone 1\npeek 0\nforth 0\nback 0\nequal 0 1\nerase 0 0\ninsert 0 0 1\ncut 0 0 1\nend 1 0\nequal 0 1\ncut 1 0 0\nsplice 0 0 0\n"
    ends += "transfer 1 0 0 0\ntransfer 1 0 0 1\npush 0 1\nbegin 2 0\ntransfer 2 0 0 2\ntransfer 1 0 0 2\ntransfer 2 0 0 1\nback 2\nforth 2\nforth 2\n"
    ends += "push 0 2\npush 0 3\nbegin 2 0\ntransfer 1 0 0 2\nshow 0\nreversed 0\nbegin 3 0\ntransfer 3 0 0 2\nshow 0\nreversed 0\ncut 2 0 1\nsize 0\n"
    yield "secret/3-iterators/05-ends", f"numbers 1\n{ends}"
    yield (
        "secret/4-cost/01-sort",
        "cost\nsort rising 0 1\nsort rising 1 2\nsort falling 2 3\nsort drawn 3 4\nsort drawn 1000 5\n",
    )
    yield (
        "secret/4-cost/02-sort-large",
        "cost\nsort rising 8192 6\nsort falling 5000 7\nsort drawn 10000 8\nsort drawn 4097 9\n",
    )
    yield (
        "secret/4-cost/03-merge",
        "cost\nmerge rising 0 10\nmerge rising 1 11\nmerge drawn 30 12\nmerge rising 3000 13\nmerge drawn 5000 14\n",
    )
    yield (
        "secret/4-cost/04-splice",
        "cost\nsplice rising 0 15\nsplice rising 1 16\nsplice drawn 7 17\nsplice rising 3000 18\n",
    )
    sizes = [(0, 0), (1, 3), (2, 1), (5, 4), (9, 12), (40, 30)]
    single = ["push", "push-moved", "insert", "insert-moved"]
    yield "secret/5-failures/01-copies", failing([*single, "assign", "copy", "range"], "copy", 51, sizes)
    yield (
        "secret/5-failures/02-memory",
        failing([*single, "assign", "copy", "range", "sort", "merge"], "memory", 120, sizes),
    )
    yield "secret/5-failures/03-sort", failing(["sort"], "question", 190, [*sizes, (100, 0), (129, 5)])
    yield "secret/5-failures/04-merge", failing(["merge"], "question", 210, [*sizes, (100, 3), (3, 100)])
    yield "secret/5-failures/05-removal", failing(["unique", "remove"], "question", 230, sizes)
    yield "secret/6-volume/01-sort", "volume\nsort drawn 100000 61\n"
    yield "secret/6-volume/02-sorted", "volume\nsort rising 100000 62\nsort falling 100000 63\n"
    yield "secret/6-volume/03-tournament", "volume\ntournament drawn 65536 64\n"
    yield "secret/6-volume/04-splice", "volume\nsplice rising 60000 65\n"
    yield "secret/6-volume/05-pages", "volume\npages rising 75000 66\n"


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
