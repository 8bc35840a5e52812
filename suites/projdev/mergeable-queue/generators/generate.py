# rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
"""Writes data/: every input from a fixed seed, every answer from the model. `python generators/generate.py`"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
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
MIX |= {"move": 2, "take": 2, "copy": 3, "clone": 2, "range": 2, "clear": 1, "drain": 1, "live": 4}


def script(seed: int, count: int, queues: int, values: int, without: Iterable[str] = (), low: int = 0) -> str:
    """Random commands; small ranges of values bring many equal ones."""
    draw = random.Random(seed)
    mix = {word: weight for word, weight in MIX.items() if word not in without}
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
        elif word in ("merge", "swap", "move", "copy", "clone"):
            lines.append(f"{word} {at} {other}")
        elif word == "take":
            lines.append(f"{word} {at} {(at + 1 + draw.randrange(queues - 1)) % queues if queues > 1 else at}")
        else:
            lines.append(f"{word} {at}")
    return "\n".join(lines) + "\n" + "".join(f"drain {at}\n" for at in range(queues))


def cases() -> Iterable[tuple[str, str, str]]:
    """Name, driver, input."""
    yield "sample/01", "script", SAMPLE
    ends = 2**63 - 1
    yield (
        "secret/1-basic/01-small",
        "script",
        "smallest 1\nsize 0\npop 0\ntop 0\nextract 0\ndrain 0\npush 0 7\ntop 0\npop 0\npop 0\n",
    )
    yield "secret/1-basic/02-mixed", "script", "smallest 4\n" + script(11, 400, 4, 50, ["live"])
    yield "secret/1-basic/03-greatest", "script", "greatest 3\n" + script(12, 400, 3, 1000, ["live"], -1000)
    yield "secret/1-basic/04-equal", "script", "greatest 3\n" + script(13, 300, 3, 2, ["live"])
    yield (
        "secret/1-basic/05-ends",
        "script",
        f"smallest 2\npush 0 {-ends}\npush 0 {ends}\n" + script(14, 200, 2, ends, ["live"], -ends),
    )
    yield (
        "secret/1-basic/06-self",
        "script",
        "smallest 2\nrange 0 5 4 2 5 1 3\nmerge 0 0\nswap 0 0\ncopy 0 0\nmove 0 0\nsize 0\nmerge 0 1\nmerge 1 0\nsize 0\ndrain 1\nmerge 0 1\nsize 0\n",
    )
    yield "secret/1-basic/07-long", "script", "smallest 8\n" + script(15, 3000, 8, 10**9, ["live", "clear", "drain"])
    yield "secret/2-values/01-records", "values", "records 3 500\n" + script(21, 400, 3, 1000)
    yield "secret/2-values/02-centre", "values", "records 4 0\n" + script(22, 400, 4, 20, (), -20)
    yield "secret/2-values/03-singles", "values", "singles 3\n" + script(23, 400, 3, 1000, ["copy", "clone"])
    yield "secret/2-values/04-texts", "values", "texts 3\n" + script(24, 400, 3, 10**6, ["live"])
    yield "secret/2-values/05-wides", "values", "wides 3\n" + script(25, 300, 3, 10**6)
    yield "secret/2-values/06-many-queues", "values", "records 40 77\n" + script(26, 1500, 40, 200)
    yield "secret/3-cost/01-tournament", "cost", "tournament 4096 31\ntournament 3001 32\n"
    yield "secret/3-cost/02-falling", "cost", "rounds 200 40 falling 33\nrounds 3000 1 falling 34\n"
    yield "secret/3-cost/03-rising", "cost", "rounds 200 40 rising 35\nrounds 3000 1 rising 36\n"
    yield "secret/3-cost/04-drawn", "cost", "rounds 300 30 drawn 37\nrounds 3000 1 drawn 38\nrounds 6 4000 drawn 39\n"
    yield "secret/3-cost/05-range", "cost", "range 0 40\nrange 1 41\nrange 2 42\nrange 30000 43\nrange 12345 44\n"
    sizes = [(0, 0), (1, 0), (1, 1), (2, 3), (30, 17), (300, 300)]

    def tries(names: Iterable[str], fuse: str, seed: int, pairs: list[tuple[int, int]]) -> str:
        lines = []
        for name in names:
            for size, other in pairs:
                if size > 0 or name not in ("pop", "extract"):
                    lines.append(f"{name} {fuse} {size} {other} {seed + len(lines)}\n")
        return "".join(lines)

    yield "secret/4-throwing/01-push", "throwing", tries(["push", "push-moved", "emplace"], "question", 51, sizes)
    yield "secret/4-throwing/02-pop", "throwing", tries(["pop", "extract"], "question", 52, sizes)
    yield (
        "secret/4-throwing/03-merge",
        "throwing",
        tries(["merge"], "question", 53, [*sizes, (900, 5), (5, 900), (700, 800)]),
    )
    yield (
        "secret/4-throwing/04-copy",
        "throwing",
        tries(["push", "assign", "copy", "range"], "copy", 54, sizes[:-1] + [(90, 90)]),
    )
    yield (
        "secret/4-throwing/05-memory",
        "throwing",
        tries(
            ["push", "push-moved", "emplace", "pop", "extract", "merge", "assign", "copy", "range"],
            "memory",
            55,
            sizes[:-1],
        ),
    )
    yield (
        "secret/4-throwing/06-range",
        "throwing",
        tries(["range"], "question", 56, [(2, 0), (3, 1), (40, 3), (150, 2)]),
    )
    yield (
        "secret/5-volume/01-chain",
        "volume",
        "chain falling 400000 61\nchain rising 400000 62\nchain drawn 200000 63\n",
    )
    yield "secret/5-volume/02-churn", "volume", "churn 50000 1500000 64\n"
    yield "secret/5-volume/03-swallow", "volume", "swallow 200000 200000 65\n"
    yield "secret/5-volume/04-many", "volume", "many 100000 66\n"


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
