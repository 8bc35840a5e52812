# rigorbench-canary b8a9a7c5-2800-409d-bf7a-99652dc62872
"""The answer of every case, from sorted lists of entries: nothing of it is shared with a solution."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Callable, Iterator

from draws import Digest, SplitMix

Order = Callable[[int], object]


def answer(text: str) -> str:
    """The output of a driver for a case."""
    kind, rest = text.split(maxsplit=1)
    parts = {"cost": _cost, "failures": _failures, "volume": _volume}
    lines = parts[kind](rest) if kind in parts else _script(kind, rest)
    return "".join(f"{line}\n" for line in lines)


# -- commands ---------------------------------------------------------------------------------------------------------


class Refused(Exception):
    """Its text is what the driver writes for the exception: "key" or "iterator"."""


class Undefined(Exception):
    """The statement does not define what happens: no case has such a command."""


class Entry:
    """An element: where it is tells which map it belongs to."""

    def __init__(self, key: int, value: int) -> None:
        self.key = key
        self.value = value

    def __str__(self) -> str:
        return f"{self.key} {self.value}"


# An iterator: an element, or the number of the map whose end it is, or None.
Place = Entry | int | None


def order_of(kind: str, centre: int) -> Order:
    orders: dict[str, Order] = {
        "numbers": lambda key: key,
        "records": lambda key: (abs(key - centre), key),
        "singles": lambda key: -key,
        "texts": str,
    }
    return orders[kind]


def _script(kind: str, text: str) -> Iterator[str]:
    head, *lines = text.splitlines()
    *centre, count = map(int, head.split())
    state = State(kind, int(centre[0]) if centre else 0, count)
    for line in lines:
        word, *arguments = line.split()
        yield from state.run(word, *map(int, arguments))
    if kind != "numbers":
        # The maps are gone when this line is written.
        yield "left 0 ghosts 0 misaligned 0"


class State:
    """Maps and iterator registers; `run` returns the lines that a command shows."""

    def __init__(self, kind: str, centre: int, maps: int) -> None:
        self.kind = kind
        self.order = order_of(kind, centre)
        self.maps: list[list[Entry]] = [[] for _ in range(maps)]
        self.places: list[Place] = [None] * 8

    def run(self, word: str, at: int, *numbers: int) -> list[str]:
        """Raises: Undefined, and nothing has changed."""
        try:
            return getattr(self, f"do_{word.replace('-', '_')}")(at, *numbers) or []
        except Refused as refused:
            return [str(refused)]

    # Elements of one map.
    def do_insert(self, at: int, key: int, value: int) -> list[str]:
        row = self.maps[at]
        index = self._index(row, key)
        if index < len(row) and row[index].key == key:
            return [f"old {row[index]}"]
        row.insert(index, Entry(key, value))
        return [f"new {row[index]}"]

    do_add = do_insert

    def do_try(self, at: int, key: int, value: int) -> list[str]:
        lines = self.do_insert(at, key, value)
        return [*lines, "unused"] if self.kind == "singles" and lines[0].startswith("old") else lines

    def do_set(self, at: int, key: int, value: int) -> None:
        self.do_insert(at, key, 0)
        self._found(self.maps[at], key).value += value

    def do_at(self, at: int, key: int) -> list[str]:
        return [str(self._found(self.maps[at], key).value)]

    def do_has(self, at: int, key: int) -> list[str]:
        return ["yes" if any(entry.key == key for entry in self.maps[at]) else "no"]

    def do_near(self, at: int, key: int) -> list[str]:
        row = self.maps[at]
        low, high = self._index(row, key), self._index(row, key, bisect_right)
        found = low if low < high else len(row)
        return [" ".join([*(str(row[i].key) if i < len(row) else "end" for i in (found, low, high)), "111"])]

    def do_erase(self, at: int, key: int) -> list[str]:
        row = self.maps[at]
        left = [entry for entry in row if entry.key != key]
        count = len(row) - len(left)
        row[:] = left
        return [str(count)]

    def do_size(self, at: int) -> list[str]:
        return [f"{len(self.maps[at])} {'filled' if self.maps[at] else 'empty'}"]

    def do_nth(self, at: int, index: int) -> list[str]:
        return self._show(self._nth(at, index))

    def do_show(self, at: int) -> list[str]:
        return [" ".join([*(f"{entry.key}:{entry.value}" for entry in self.maps[at]), "end"])]

    def do_reversed(self, at: int) -> list[str]:
        return [" ".join([*(str(entry.key) for entry in reversed(self.maps[at])), "begin"])]

    def do_clear(self, at: int) -> None:
        self.maps[at].clear()

    # Two maps.
    def do_copy(self, at: int, other: int) -> None:
        if at != other:
            self.maps[at][:] = [Entry(entry.key, entry.value) for entry in self.maps[other]]

    def do_clone(self, at: int, other: int) -> None:
        self.maps[at][:] = [Entry(entry.key, entry.value) for entry in self.maps[other]]

    def do_move(self, at: int, other: int) -> None:
        if at != other:
            self.maps[at][:] = self.maps[other]
            self.maps[other].clear()

    do_take = do_move

    def do_swap(self, at: int, other: int) -> None:
        self.maps[at], self.maps[other] = self.maps[other], self.maps[at]

    # Iterators.
    def do_none(self, register: int) -> None:
        self.places[register] = None

    def do_begin(self, register: int, at: int) -> None:
        self.places[register] = self._nth(at, 0)

    def do_end(self, register: int, at: int) -> None:
        self.places[register] = at

    def do_seek(self, register: int, at: int, key: int) -> None:
        found = [entry for entry in self.maps[at] if entry.key == key]
        self.places[register] = found[0] if found else at

    def do_low(self, register: int, at: int, key: int) -> None:
        self.places[register] = self._nth(at, self._index(self.maps[at], key))

    def do_high(self, register: int, at: int, key: int) -> None:
        self.places[register] = self._nth(at, self._index(self.maps[at], key, bisect_right))

    def do_pick(self, register: int, at: int, index: int) -> None:
        self.places[register] = self._nth(at, index)

    def do_forth(self, register: int) -> list[str]:
        at, index = self._where(self.places[register])
        if index == len(self.maps[at]):
            raise Refused("iterator")
        self.places[register] = self._nth(at, index + 1)
        return ["one on"]

    def do_back(self, register: int) -> list[str]:
        at, index = self._where(self.places[register])
        if index == 0:
            raise Refused("iterator")
        self.places[register] = self._nth(at, index - 1)
        return ["one back"]

    def do_peek(self, register: int) -> list[str]:
        place = self.places[register]
        self._where(place)
        if not isinstance(place, Entry):
            raise Refused("iterator")
        return [str(place)]

    def do_equal(self, register: int, other: int) -> list[str]:
        first, second = self.places[register], self.places[other]
        for place in (first, second):
            if place is not None:
                self._where(place)
        return [str(int(first is second if isinstance(first, Entry) else first == second))]

    def do_rank(self, register: int, at: int) -> list[str]:
        return [str(self._own(self.places[register], at))]

    def do_erase_at(self, register: int, at: int) -> list[str]:
        index = self._own(self.places[register], at)
        if index == len(self.maps[at]):
            raise Refused("iterator")
        return self._cut(register, at, index, index + 1)

    def do_cut_at(self, register: int, at: int, other: int) -> list[str]:
        places = self.places[register], self.places[other]
        for place in places:
            if place is not None:
                self._where(place)
        first, last = (self._own(place, at) for place in places)
        if first > last:
            raise Refused("iterator")
        return self._cut(register, at, first, last)

    def _cut(self, register: int, at: int, first: int, last: int) -> list[str]:
        del self.maps[at][first:last]
        self.places[register] = self._nth(at, first)
        return self._show(self.places[register])

    # What they are made of.
    def _index(self, row: list[Entry], key: int, bisect: Callable[..., int] = bisect_left) -> int:
        return bisect(row, self.order(key), key=lambda entry: self.order(entry.key))

    @staticmethod
    def _found(row: list[Entry], key: int) -> Entry:
        for entry in row:
            if entry.key == key:
                return entry
        raise Refused("key")

    def _nth(self, at: int, index: int) -> Place:
        row = self.maps[at]
        if index > len(row):
            raise Refused("iterator")
        return row[index] if index < len(row) else at

    def _where(self, place: Place) -> tuple[int, int]:
        """Map and position. Raises: Undefined: the element does not exist any more."""
        if place is None:
            raise Refused("iterator")
        if isinstance(place, int):
            return place, len(self.maps[place])
        for at, row in enumerate(self.maps):
            for index, entry in enumerate(row):
                if entry is place:
                    return at, index
        raise Undefined

    def _own(self, place: Place, at: int) -> int:
        owner, index = self._where(place)
        if owner != at:
            raise Refused("iterator")
        return index

    @staticmethod
    def _show(place: Place) -> list[str]:
        return [str(place) if isinstance(place, Entry) else "end"]


# -- checks -----------------------------------------------------------------------------------------------------------


def _nearest(centre: int) -> Order:
    return lambda key: (abs(key - centre), key)


def _add(digest: Digest, row: list[tuple[int, int]]) -> None:
    digest.add(len(row))
    for key, value in row:
        digest.add(key, value)


def _sorted(found: dict[int, int], order: Order) -> list[tuple[int, int]]:
    return sorted(found.items(), key=lambda item: order(item[0]))  # type: ignore[arg-type, return-value]


def _cost(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, order, count, seed = line.split()
        digest, random = Digest(), SplitMix(int(seed))
        found: dict[int, int] = {}
        for i in range(int(count)):
            key = i if order == "rising" else -i if order == "falling" else random.below(1_000_000)
            found.setdefault(key, i)
        if what == "search":
            _search(found, digest)
        else:
            row = _sorted(found, _nearest(500_000 if what == "whole" else 0))
            for _ in range(2 if what == "whole" else 1):
                _add(digest, row)
        yield f"over 0 worked 0 late 0 values {digest.value}"
    yield "left 0 ghosts 0"


def _search(found: dict[int, int], digest: Digest) -> None:
    keys = sorted(found)
    rank = {key: index for index, key in enumerate(keys)}
    for key, value in found.items():
        digest.add(7 if key == keys[-1] else value, rank[key])
    places = list(found)
    for i in range(0, len(places) - 1, 2):
        digest.add(1)
        keys.remove(places[i])
        if i % 4 == 0:
            at = bisect_left(keys, places[i + 1])
            del keys[at]
            digest.add(keys[at] if at < len(keys) else 7)
    row = [(key, found[key]) for key in keys]
    _add(digest, row)
    half = len(row) // 2
    del row[half // 2 : half + half // 2]
    _add(digest, row)


def _failures(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, _with, size, other, seed = line.split()
        yield f"values {_after(what, int(size), int(other), int(seed))}"
        yield "changed 0 lost 0"
    yield "left 0 ghosts 0"


def _after(what: str, size: int, other: int, seed: int) -> int:
    random = SplitMix(seed)

    def filled(count: int, centre: int) -> tuple[dict[int, int], Order]:
        found: dict[int, int] = {}
        for i in range(count):
            number = 2 * random.below(500)
            found.setdefault(number, i)
            if i % 5 == 4:
                del found[number]
        return found, _nearest(centre)

    first, second = filled(size, 500), filled(other, 300)
    odd = 2 * SplitMix(seed + 1).below(500) + 1
    old = 2 * SplitMix(seed).below(500)
    if what in ("insert", "insert-moved", "try", "try-moved"):
        first[0].setdefault(odd, 9)
    elif what == "try-old":
        first[0].setdefault(old, 9)
    elif what == "erase":
        first[0].pop(old, None)
    elif what in ("assign", "copy"):
        first = second
    digest = Digest()
    for found, order in (first, second):
        _add(digest, _sorted(found, order))
    return digest.value


def _volume(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, order, count, seed = line.split()
        digest = Digest()
        _VOLUMES[what](order, int(count), SplitMix(int(seed)), digest)
        yield f"{what} {digest.value}"


def _key(order: str, i: int, count: int, random: SplitMix) -> int:
    if order == "organ":
        return i if i % 2 == 0 else 2 * count - i
    return {"rising": i, "falling": count - i}[order] if order != "drawn" else random()


def _fill(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    keys = [_key(order, i, count, random) for i in range(count)]
    found: dict[int, int] = {}
    for i, key in enumerate(keys):
        found.setdefault(key, i)
    size = len(found)
    for i in range(0, count, 2):
        digest.add(int(found.pop(keys[i], None) is not None))
    rest = deque(sorted(found.items()))
    digest.add(*(key + value for key, value in rest))
    while rest:
        digest.add(rest.popleft()[1])
        if rest:
            digest.add(rest.pop()[1])
    digest.add(size)


def _window(_order: str, count: int, random: SplitMix, digest: Digest) -> None:
    keys: deque[int] = deque()
    last = 0
    for i in range(count):
        last += 1 + random.below(5)
        keys.append(last)
        if i >= 1000:
            digest.add(keys.popleft())


def _ranks(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    found = {_key(order, i, count, random): i for i in range(count)}
    row = [value for _, value in sorted(found.items())]
    for i in range(count):
        at = random.below(len(row))
        digest.add(row[at])
        if i % 3 == 0:
            del row[at]
        digest.add(at)


def _swaps(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    firsts = [min(_key(order, i, count, random) for i in range(count // 10)) for _ in range(10)]
    for _ in range(count):
        a, b = random.below(10), random.below(10)
        firsts[a], firsts[b] = firsts[b], firsts[a]
    digest.add(*firsts)


def _pages(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    keys: list[int] = []
    window: list[tuple[int, int]] = []
    for i in range(count):
        keys.append(_key(order, i, count, random))
        insort(window, (keys[-1], i))
        if i >= 200:
            window.remove((keys[i - 200], i - 200))
            digest.add(1)
        if i % 100 == 99:
            digest.add(window[i % 77][1])
    digest.add(len(window))


_VOLUMES = {"fill": _fill, "window": _window, "ranks": _ranks, "swaps": _swaps, "pages": _pages}
