# rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
"""What every case must show, from plain sorted lists: nothing of it is shared with a solution."""

from __future__ import annotations

import heapq
import itertools
from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from typing import Any

MASK = (1 << 64) - 1
# What elements are sorted by.
Key = Callable[[int], Any]


def splitmix(seed: int) -> Callable[[], int]:
    """The generator of the drivers (run.hpp)."""
    state = seed

    def draw() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    return draw


class Digest:
    def __init__(self) -> None:
        self.value = 0xCBF29CE484222325

    def add(self, number: int) -> None:
        self.value = ((self.value ^ (number & MASK)) * 0x100000001B3 + 0x9E3779B97F4A7C15) & MASK


def answer(driver: str, text: str) -> str:
    """What a driver writes for an input: commands, or ``checks``, one check for each line."""
    words = iter(text.split())
    if driver == "checks":
        lines = {"cost": _cost, "failures": _failures, "volume": _volume}[next(words)](words)
    else:
        lines = _script(words)
    return "".join(f"{line}\n" for line in lines)


def nearest(centre: int) -> Key:
    return lambda number: (abs(number - centre), number)


def _script(words: Iterator[str]) -> Iterator[str]:
    kind, queues = next(words), int(next(words))
    keys: list[Key] = [lambda number: number] * queues
    if kind == "records":
        keys = [nearest(int(next(words))) for _ in range(queues)]
    elif kind in ("greatest", "singles"):
        keys = [lambda number: -number] * queues
    elif kind == "texts":
        keys = [str] * queues
    yield from _commands(words, keys, counted=kind in ("records", "singles"))
    if kind not in ("smallest", "greatest"):
        yield "left 0 ghosts 0"


def _commands(words: Iterator[str], orders: Sequence[Key], counted: bool) -> Iterator[str]:
    rows: list[list[int]] = [[] for _ in orders]
    keys = list(orders)
    for word in words:
        if word == "live":
            yield str(sum(map(len, rows)) if counted else 0)
            continue
        at = int(next(words))
        row, key = rows[at], keys[at]
        if word in ("pop", "extract", "top", "again") and not row:
            yield "empty"
        elif word in ("push", "insert", "emplace", "again"):
            number = row[0] if word == "again" else int(next(words))
            insort(row, number, key=key)
            if word == "emplace":
                yield str(number)
        elif word == "pop":
            row.pop(0)
        elif word == "extract":
            yield str(row.pop(0))
        elif word == "top":
            yield str(row[0])
        elif word == "size":
            yield f"{len(row)} {'filled' if row else 'empty'}"
        elif word == "clear":
            row.clear()
        elif word == "drain":
            yield " ".join([*map(str, row), "end"])
            row.clear()
        elif word == "range":
            keys[at] = orders[at]
            rows[at] = sorted((int(next(words)) for _ in range(int(next(words)))), key=keys[at])
        else:
            source = int(next(words))
            if word == "merge" and source != at:
                rows[at] = sorted(row + rows[source], key=key)
                rows[source] = []
            elif word == "swap":
                rows[at], rows[source] = rows[source], rows[at]
                keys[at], keys[source] = keys[source], keys[at]
            elif word in ("move", "take") and source != at:
                rows[at], rows[source], keys[at] = rows[source], [], keys[source]
            elif word in ("copy", "clone"):
                rows[at], keys[at] = list(rows[source]), keys[source]


def _sorted_pops(heap: list[int], digest: Digest) -> int:
    heap.sort()
    for number in heap:
        digest.add(number)
    return len(heap)


def _numbers(way: str, seed: int) -> Iterator[int]:
    """Rows of numbers that grow in ways that are hard for one structure or another (cost.hpp)."""
    draw, low, high = splitmix(seed), 500_000_000, 500_000_000
    for count in itertools.count(1):
        if way == "drawn":
            yield draw() % 1_000_000_000
        elif way == "rising" or (way == "zigzag" and count % 2 == 0):
            high += 1
            yield high
        else:
            low -= 1
            yield low


def _cost(words: Iterator[str]) -> Iterator[str]:
    for what in words:
        digest, pops = Digest(), 0
        if what == "rounds":
            count, size, way, seed = int(next(words)), int(next(words)), next(words), int(next(words))
            numbers = _numbers(way, seed)
            main: list[int] = []
            for turn in range(count):
                for i in range(size):
                    heapq.heappush(main, 4 * next(numbers) + (i % 3 == 2))
                if turn % 3 == 2:
                    digest.add(heapq.heappop(main))
                    pops += 1
            pops += _sorted_pops(main, digest)
        elif what == "tournament":
            leaves, draw = int(next(words)), splitmix(int(next(words)))
            pops += _sorted_pops([4 * (draw() % 1_000_000_000) for _ in range(leaves)], digest)
        elif what == "range":
            count, draw = int(next(words)), splitmix(int(next(words)))
            row = [4 * (draw() % 1_000_000_000) for _ in range(count)]
            pops += _sorted_pops(row, digest) + _sorted_pops(row, digest)
        else:
            count, times, each = int(next(words)), int(next(words)), int(next(words))
            draw = splitmix(int(next(words)))
            row = sorted(4 * (draw() % 1_000_000_000) for _ in range(count))
            for _ in range(times):
                pops += _sorted_pops(row[:each], digest)
            pops += _sorted_pops(row, digest)
        yield f"over 0 moved 0 idle 0 displaced 0 late 0 pops {pops} fair values {digest.value}"
    yield "left 0 ghosts 0"


def _filled(count: int, draw: Callable[[], int]) -> list[int]:
    heap: list[int] = []
    for i in range(count + count // 2):
        heapq.heappush(heap, draw() % (10 * count + 10))
        if i % 3 == 2:
            heapq.heappop(heap)
    return sorted(heap)


def _failures(words: Iterator[str]) -> Iterator[str]:
    for what in words:
        _with, size, other, seed = next(words), int(next(words)), int(next(words)), int(next(words))
        draw = splitmix(seed)
        first, second = _filled(size, draw), _filled(other, draw)
        number = splitmix(seed + 1)() % (10 * size + 10)
        taken = -1
        if what in ("push", "push-moved", "emplace", "emplace-copied"):
            first = sorted([*first, number])
        elif what == "again":
            first = [first[0], *first]
        elif what == "top":
            taken = first[0]
        elif what == "pop":
            first = first[1:]
        elif what == "extract":
            taken, *first = first
        elif what == "merge":
            first, second = sorted(first + second), []
        elif what in ("assign", "copy"):
            first = second
        elif what == "range":
            draw = splitmix(seed + 2)
            first = sorted(draw() % (10 * size + 10) for _ in range(size))
        elif what in ("move", "take"):
            first, second = second, []
        elif what == "swap":
            first, second = second, first
        elif what == "clear":
            first = []
        digest = Digest()
        for row in (first, second):
            digest.add(len(row))
            for each in row:
                digest.add(each)
        yield f"values {digest.value} taken {taken} changed 0 lost 0"
    yield "left 0 ghosts 0"


def _volume(words: Iterator[str]) -> Iterator[str]:
    for what in words:
        digest = Digest()
        {"churn": _churn, "chain": _chain, "swallow": _swallow, "many": _many}[what](words, digest)
        yield f"{what} {digest.value}"


def _churn(words: Iterator[str], digest: Digest) -> None:
    size, steps, draw = int(next(words)), int(next(words)), splitmix(int(next(words)))
    heap = [draw() for _ in range(size)]
    heapq.heapify(heap)
    for _ in range(steps):
        digest.add(heapq.heapreplace(heap, draw()))


def _chain(words: Iterator[str], digest: Digest) -> None:
    order, size, draw = next(words), int(next(words)), splitmix(int(next(words)))
    numbers = [draw() for _ in range(size)] if order == "drawn" else range(size)
    shift = 1 if order == "falling" else 0
    smallest = heapq.nsmallest(1000, numbers)
    for number in smallest:
        digest.add(number + shift)
    digest.add(size - len(smallest))


def _swallow(words: Iterator[str], digest: Digest) -> None:
    size, merges, draw = int(next(words)), int(next(words)), splitmix(int(next(words)))
    heap = [draw() for _ in range(size)]
    heapq.heapify(heap)
    for i in range(merges):
        for _ in range(i % 3):
            heapq.heappush(heap, draw())
        digest.add(heap[0])
        if i % 2 == 0:
            heapq.heappop(heap)
    digest.add(len(heap))


def _many(words: Iterator[str], digest: Digest) -> None:
    count, draw = int(next(words)), splitmix(int(next(words)))
    rows = [[draw() for _ in range(draw() % 8)] for _ in range(count)]
    for row in rows:
        heapq.heapify(row)
    while len(rows) > 1:
        at = draw() % len(rows)
        last = len(rows) - 1
        if at != last:
            # The smaller goes into the larger: only what the two hold together counts.
            into, source = rows[at], rows.pop()
            if len(into) < len(source):
                into, source = source, into
            for number in source:
                heapq.heappush(into, number)
            rows[at] = into
        if rows[at]:
            digest.add(rows[at][0])
            if at == last:
                digest.add(heapq.heappop(rows[at]))
    for number in sorted(rows[0]):
        digest.add(number)
