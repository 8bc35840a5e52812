# rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
"""The answer of every case, from lists of entries and ordered dictionaries: nothing of it is shared with a solution."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator

from draws import MASK, Digest, SplitMix

MODULUS = 1_000_000


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
    """An element."""

    def __init__(self, key: int, value: int) -> None:
        self.key = key
        self.value = value

    def __str__(self) -> str:
        return f"{self.key} {self.value}"


# An iterator: an element, or the number of the map whose end it is, or None.
Place = Entry | int | None


def _script(kind: str, text: str) -> Iterator[str]:
    head, *lines = text.splitlines()
    state = State(kind, int(head.split()[-1]))
    for line in lines:
        word, *arguments = line.split()
        yield from state.run(word, *map(int, arguments))
    if kind != "numbers":
        # The maps are gone when this line is written.
        yield "left 0 ghosts 0 misaligned 0"


class State:
    """Maps and iterator registers; `run` returns the lines that a command shows."""

    def __init__(self, kind: str, maps: int) -> None:
        self.kind = kind
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
        old = self._find(at, key)
        if old is not None:
            return [f"old {old}"]
        self.maps[at].append(Entry(key, value))
        return [f"new {key} {value}"]

    do_add = do_insert

    def do_try(self, at: int, key: int, value: int) -> list[str]:
        lines = self.do_insert(at, key, value)
        return [*lines, "unused"] if self.kind == "singles" and lines[0].startswith("old") else lines

    def do_set(self, at: int, key: int, value: int) -> None:
        self.do_insert(at, key, 0)
        self._existing(at, key).value += value

    def do_at(self, at: int, key: int) -> list[str]:
        return [str(self._existing(at, key).value)]

    def do_has(self, at: int, key: int) -> list[str]:
        return ["yes" if self._find(at, key) is not None else "no"]

    def do_find(self, at: int, key: int) -> list[str]:
        return [str(self._find(at, key) or "end")]

    def do_erase(self, at: int, key: int) -> list[str]:
        old = self._find(at, key)
        if old is not None:
            self.maps[at].remove(old)
        return [str(int(old is not None))]

    def do_reserve(self, _at: int, _count: int) -> None:
        pass

    def do_size(self, at: int) -> list[str]:
        return [f"{len(self.maps[at])} {'filled' if self.maps[at] else 'empty'}"]

    def do_show(self, at: int) -> list[str]:
        return [" ".join([*(f"{entry.key}:{entry.value}" for entry in self.maps[at]), "end"])]

    def do_reversed(self, at: int) -> list[str]:
        return [" ".join([*(str(entry.key) for entry in reversed(self.maps[at])), "begin"])]

    def do_clear(self, at: int) -> None:
        self.maps[at].clear()

    # Two maps.
    def do_copy(self, at: int, other: int) -> None:
        if at != other:
            self.do_clone(at, other)

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
        self.places[register] = self._find(at, key) or at

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

    def do_erase_at(self, register: int, at: int) -> list[str]:
        index = self._own(register, at)
        del self.maps[at][index]
        self.places[register] = place = self._nth(at, index)
        return [str(place) if isinstance(place, Entry) else "end"]

    def do_last(self, register: int, at: int) -> None:
        row = self.maps[at]
        row.append(row.pop(self._own(register, at)))

    def do_first(self, register: int, at: int) -> None:
        row = self.maps[at]
        row.insert(0, row.pop(self._own(register, at)))

    # What they are made of.
    def _find(self, at: int, key: int) -> Entry | None:
        same = (lambda a, b: (a - b) % MODULUS == 0) if self.kind == "records" else int.__eq__
        return next((entry for entry in self.maps[at] if same(entry.key, key)), None)

    def _existing(self, at: int, key: int) -> Entry:
        found = self._find(at, key)
        if found is None:
            raise Refused("key")
        return found

    def _nth(self, at: int, index: int) -> Place:
        return self.maps[at][index] if index < len(self.maps[at]) else at

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

    def _own(self, register: int, at: int) -> int:
        owner, index = self._where(self.places[register])
        if index == len(self.maps[owner]):
            raise Refused("iterator")
        if owner != at:
            raise Undefined
        return index


# -- checks -----------------------------------------------------------------------------------------------------------


def _add(digest: Digest, found: OrderedDict[int, int]) -> None:
    digest.add(len(found))
    for key, value in found.items():
        digest.add(key, value)


def _cost(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, order, _share, _shift, count, seed = line.split()
        digest, random = Digest(), SplitMix(int(seed))
        found: OrderedDict[int, int] = OrderedDict()
        for i in range(int(count)):
            found.setdefault(i if order == "rising" else random.below(MODULUS), i)
        if what == "search":
            _search(found, digest)
        else:
            for _ in range(2 if what == "whole" else 1):
                _add(digest, found)
        yield f"over 0 worked 0 heavy 0 late 0 values {digest.value}"
    yield "left 0 ghosts 0"


def _search(found: OrderedDict[int, int], digest: Digest) -> None:
    places = list(found)
    for key in places:
        absent = (key + 500_000) % MODULUS
        if absent in found:
            digest.add(found[absent])
        if key % 3 == 0:
            found.move_to_end(key)
        if key % 7 == 0:
            found.move_to_end(key, last=False)
    _add(digest, found)
    following = _following(list(found))
    for i, key in enumerate(places):
        if i % 2 == 0:
            digest.add(1)
            _leave(following, key)
            del found[key]
        elif i % 4 == 1:
            digest.add(7 if following[1][key] is None else following[1][key] or 0)
            _leave(following, key)
            del found[key]
    _add(digest, found)


Links = tuple[dict[int | None, int | None], dict[int | None, int | None]]


def _following(keys: list[int]) -> Links:
    """Of each key, and of None for both ends, the one before and the one after."""
    ring = [None, *keys, None]
    return dict(zip(ring[1:], ring, strict=False)), dict(zip(ring, ring[1:], strict=False))


def _leave(links: Links, key: int) -> None:
    before, after = links
    after[before[key]] = after[key]
    before[after[key]] = before[key]


def _failures(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, _with, size, other, seed = line.split()
        yield f"values {_after(what, int(size), int(other), int(seed))}"
        yield "changed 0 lost 0"
    yield "left 0 ghosts 0"


def _after(what: str, size: int, other: int, seed: int) -> int:
    random = SplitMix(seed)

    def filled(count: int) -> OrderedDict[int, int]:
        found: OrderedDict[int, int] = OrderedDict()
        for i in range(count):
            number = 2 * random.below(500)
            found.setdefault(number, i)
            if i % 5 == 4:
                del found[number]
        return found

    first, second = filled(size), filled(other)
    odd = 2 * SplitMix(seed + 1).below(500) + 1
    old = 2 * SplitMix(seed).below(500)
    if what in ("insert", "insert-moved", "try", "try-moved"):
        first.setdefault(odd, 9)
    elif what == "try-old":
        first.setdefault(old, 9)
    elif what == "erase":
        first.pop(old, None)
    elif what in ("assign", "copy"):
        first = second
    digest = Digest()
    for found in (first, second):
        _add(digest, found)
    return digest.value


def _volume(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, order, shift, count, seed = line.split()
        digest = Digest()
        _VOLUMES[what](order, int(shift), int(count), SplitMix(int(seed)), digest)
        yield f"{what} {digest.value}"


def _key(order: str, shift: int, i: int, random: SplitMix) -> int:
    return random() if order == "drawn" else (i << shift) & MASK


def _fill(order: str, shift: int, count: int, random: SplitMix, digest: Digest) -> None:
    keys = [_key(order, shift, i, random) for i in range(count)]
    found: OrderedDict[int, int] = OrderedDict()
    for i, key in enumerate(keys):
        found.setdefault(key, i)
    size = len(found)
    for key in keys:
        digest.add(3 if (key + 1) & MASK in found else found[key])
    for key in keys[::2]:
        digest.add(int(found.pop(key, None) is not None))
    digest.add(*(key + value for key, value in found.items()))
    digest.add(*found.values())
    digest.add(size)


def _sparse(order: str, shift: int, count: int, random: SplitMix, digest: Digest) -> None:
    left = deque[int]()
    for i in range(count):
        key = _key(order, shift, i, random)
        if i % (count // 5) == 7:
            left.append(key ^ i)
    for _ in range(count):
        digest.add(*left)
        left.rotate(-1)


def _cache(_order: str, shift: int, count: int, random: SplitMix, digest: Digest) -> None:
    found: OrderedDict[int, int] = OrderedDict()
    for i in range(count):
        wanted = random.below(1500) << shift & MASK
        if wanted in found:
            digest.add(found[wanted])
            found[wanted] += 1
            found.move_to_end(wanted)
        else:
            if len(found) == 1000:
                found.popitem(last=False)
            found[wanted] = i
    digest.add(*(key + value for key, value in found.items()))


def _swaps(order: str, shift: int, count: int, random: SplitMix, digest: Digest) -> None:
    firsts = []
    for _ in range(10):
        found: OrderedDict[int, int] = OrderedDict()
        for i in range(count // 10):
            value, key = random(), _key(order, shift, i, random)
            found[key] = value
        firsts.append(next(iter(found.values())))
    for _ in range(count):
        a, b = random.below(10), random.below(10)
        firsts[a], firsts[b] = firsts[b], firsts[a]
    digest.add(*firsts)


def _pages(order: str, shift: int, count: int, random: SplitMix, digest: Digest) -> None:
    for i in range(count):
        _key(order, shift, i, random)
        if i >= 200:
            digest.add(1)
        if i % 100 == 99:
            digest.add(max(0, i - 199))
    digest.add(min(count, 200))


_VOLUMES = {"fill": _fill, "sparse": _sparse, "cache": _cache, "swaps": _swaps, "pages": _pages}
