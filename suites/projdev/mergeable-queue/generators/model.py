# rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
"""What every case must show, from plain sorted lists: nothing of it is shared with a solution."""

from __future__ import annotations

import heapq
from bisect import insort
from collections.abc import Callable, Iterator

MASK = (1 << 64) - 1


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
    words = iter(text.split())
    lines = {"script": _script, "values": _values, "cost": _cost, "throwing": _throwing, "volume": _volume}[driver](
        words
    )
    return "".join(f"{line}\n" for line in lines)


def _commands(words: Iterator[str], queues: int, key: Callable[[int], object], counted: bool) -> Iterator[str]:
    rows: list[list[int]] = [[] for _ in range(queues)]
    for word in words:
        if word == "live":
            yield str(sum(map(len, rows)) if counted else 0)
            continue
        at = int(next(words))
        row = rows[at]
        if word in ("pop", "extract", "top") and not row:
            yield "empty"
        elif word in ("push", "insert", "emplace"):
            number = int(next(words))
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
            rows[at] = sorted((int(next(words)) for _ in range(int(next(words)))), key=key)
        else:
            source = int(next(words))
            if word == "merge" and source != at:
                rows[at] = sorted(row + rows[source], key=key)
                rows[source] = []
            elif word == "swap":
                rows[at], rows[source] = rows[source], rows[at]
            elif word in ("move", "take") and source != at:
                rows[at], rows[source] = rows[source], []
            elif word in ("copy", "clone"):
                rows[at] = list(rows[source])


def _script(words: Iterator[str]) -> Iterator[str]:
    sign = {"smallest": 1, "greatest": -1}[next(words)]
    yield from _commands(words, int(next(words)), lambda number: sign * number, counted=False)


def _values(words: Iterator[str]) -> Iterator[str]:
    kind, queues = next(words), int(next(words))
    if kind == "records":
        centre = int(next(words))
        yield from _commands(words, queues, lambda number: (abs(number - centre), number), counted=True)
    elif kind == "singles":
        yield from _commands(words, queues, lambda number: -number, counted=True)
    elif kind == "texts":
        yield from _commands(words, queues, str, counted=False)
    else:
        yield from _commands(words, queues, lambda number: number, counted=False)
    yield "left 0 ghosts 0"


def _sorted_pops(heap: list[int], digest: Digest) -> int:
    heap.sort()
    for number in heap:
        digest.add(number)
    return len(heap)


def _cost(words: Iterator[str]) -> Iterator[str]:
    for what in words:
        digest, pops = Digest(), 0
        if what == "rounds":
            count, size, growth, seed = int(next(words)), int(next(words)), next(words), int(next(words))
            draw = splitmix(seed)
            main: list[int] = []
            following = 500_000_000
            for turn in range(count):
                for _ in range(size):
                    if growth == "drawn":
                        number = draw() % 1_000_000_000
                    else:
                        following += -1 if growth == "falling" else 1
                        number = following
                    heapq.heappush(main, number)
                if turn % 3 == 2:
                    digest.add(heapq.heappop(main))
                    pops += 1
            pops += _sorted_pops(main, digest)
        elif what == "tournament":
            leaves, draw = int(next(words)), splitmix(int(next(words)))
            pops += _sorted_pops([draw() % 1_000_000_000 for _ in range(leaves)], digest)
        else:
            count, draw = int(next(words)), splitmix(int(next(words)))
            numbers = [draw() % 1_000_000_000 for _ in range(count)]
            pops += _sorted_pops(numbers, digest) + _sorted_pops(numbers, digest)
        yield from ("over 0", "moved 0", "idle 0", "displaced 0", f"pops {pops} fair", f"values {digest.value}")
    yield "left 0 ghosts 0"


def _filled(count: int, draw: Callable[[], int]) -> list[int]:
    heap: list[int] = []
    for i in range(count + count // 2):
        heapq.heappush(heap, draw() % (10 * count + 10))
        if i % 3 == 2:
            heapq.heappop(heap)
    return sorted(heap)


def _throwing(words: Iterator[str]) -> Iterator[str]:
    for what in words:
        _with, size, other, seed = next(words), int(next(words)), int(next(words)), int(next(words))
        draw = splitmix(seed)
        first, second = _filled(size, draw), _filled(other, draw)
        draw = splitmix(seed + 1)
        number = draw() % (10 * size + 10)
        taken = None
        if what in ("push", "push-moved", "emplace"):
            first = sorted([*first, number])
        elif what in ("pop", "extract"):
            taken = first.pop(0)
        elif what == "merge":
            first, second = sorted(first + second), []
        elif what in ("assign", "copy"):
            first = second
        elif what == "range":
            first = sorted(draw() % (10 * size + 10) for _ in range(size))
        digest = Digest()
        for row in (first, second):
            digest.add(len(row))
            for each in row:
                digest.add(each)
        yield f"values {digest.value}"
        yield "changed 0 lost 0"
        if what == "extract":
            yield f"taken {taken}"
    yield "left 0"


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
