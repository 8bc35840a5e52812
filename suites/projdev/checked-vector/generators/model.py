# rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
"""The answer of every case, from plain Python lists: nothing of it is shared with a solution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from draws import MASK, Digest, SplitMix


def answer(text: str) -> str:
    """The output of a driver for a case."""
    kind, rest = text.split(maxsplit=1)
    parts = {"cost": _cost, "failures": _failures, "volume": _volume}
    lines = parts[kind](rest) if kind in parts else _script(kind, rest)
    return "".join(f"{line}\n" for line in lines)


# -- commands ---------------------------------------------------------------------------------------------------------


class IndexMissing(Exception):
    """What the library reports as bad_index."""


class IteratorRefused(Exception):
    """What the library reports as invalid_iterator."""


@dataclass(frozen=True)
class Place:
    """An iterator: which vector, if any, and the position."""

    vector: int | None = None
    at: int = 0


def _script(kind: str, text: str) -> Iterator[str]:
    count, *lines = text.splitlines()
    state = _State([[] for _ in range(int(count))], kind != "singles")
    for line in lines:
        word, *arguments = line.split()
        try:
            yield from state.run(word, *map(int, arguments))
        except IndexMissing:
            yield "index"
        except IteratorRefused:
            yield "iterator"
        except OverflowError:
            yield "length"
    if kind != "numbers":
        # The vectors are gone when this line is written.
        yield "left 0 ghosts 0 misaligned 0"


class _State:
    """Vectors and iterator registers; `run` gives the lines that a command shows."""

    def __init__(self, vectors: list[list[int]], copies: bool) -> None:
        self.vectors = vectors
        self.copies = copies
        self.places = [Place()] * 8

    def run(self, word: str, at: int, *numbers: int) -> Iterator[str]:
        method = getattr(self, f"do_{word.replace('-', '_')}")
        if word in ON_PLACES:
            yield from method(at, *numbers) or ()
        else:
            yield from method(self.vectors[at], *numbers) or ()

    # On one vector.
    def do_push(self, row: list[int], number: int) -> None:
        row.append(number)

    do_add = do_push

    def do_emplace(self, row: list[int], number: int) -> list[str]:
        row.append(number)
        return [str(number)]

    def do_double(self, row: list[int], index: int) -> None:
        row.append(self._element(row, index))

    def do_pop(self, row: list[int]) -> None:
        self._element(row, 0)
        row.pop()

    def do_get(self, row: list[int], index: int) -> list[str]:
        return [str(self._element(row, index))]

    def do_ends(self, row: list[int]) -> list[str]:
        return [f"{self._element(row, 0)} {row[-1]}"]

    def do_size(self, row: list[int]) -> list[str]:
        return [f"{len(row)} {'filled' if row else 'empty'}"]

    def do_reserve(self, _row: list[int], least: int) -> list[str]:
        if least > 1 << 32:
            raise OverflowError
        return ["reserved"]

    def do_shrink(self, _row: list[int]) -> list[str]:
        return ["small"]

    def do_resize(self, row: list[int], size: int, number: int) -> None:
        if size > 1 << 32:
            raise OverflowError
        row[size:] = [number] * (size - len(row))

    def do_clear(self, row: list[int]) -> None:
        row.clear()

    def do_show(self, row: list[int]) -> list[str]:
        return [" ".join([*map(str, row), "end"])]

    def do_reversed(self, row: list[int]) -> list[str]:
        return [" ".join([*map(str, reversed(row)), "begin"])]

    def do_range(self, row: list[int], _count: int, *numbers: int) -> None:
        row[:] = numbers

    # Two vectors.
    def do_copy(self, row: list[int], other: int) -> None:
        row[:] = self.vectors[other]

    do_clone = do_copy

    def do_move(self, row: list[int], other: int) -> None:
        if row is not self.vectors[other]:
            row[:] = self.vectors[other]
            self.vectors[other].clear()

    do_take = do_move

    def do_swap(self, row: list[int], other: int) -> None:
        row[:], self.vectors[other][:] = list(self.vectors[other]), list(row)

    # Positions counted from the beginning.
    def do_insert(self, row: list[int], at: int, number: int) -> list[str]:
        self._position(row, at)
        row.insert(at, number)
        return [f"{at} {number}"]

    do_place = do_insert

    def do_again(self, row: list[int], at: int, index: int) -> list[str]:
        self._position(row, at)
        return self.do_insert(row, at, self._element(row, index))

    def do_erase(self, row: list[int], at: int) -> list[str]:
        self._position(row, at)
        return self._cut(row, at, at + 1)

    def do_cut(self, row: list[int], first: int, last: int) -> list[str]:
        return self._cut(row, self._position(row, first), self._position(row, last))

    def _cut(self, row: list[int], first: int, last: int) -> list[str]:
        if not 0 <= first <= last <= len(row):
            raise IteratorRefused
        del row[first:last]
        return [str(first)]

    # Iterators.
    def do_begin(self, register: int, vector: int) -> None:
        self.places[register] = Place(vector, 0)

    def do_end(self, register: int, vector: int) -> None:
        self.places[register] = Place(vector, len(self.vectors[vector]))

    def do_none(self, register: int) -> None:
        self.places[register] = Place()

    def do_jump(self, register: int, offset: int) -> None:
        self.places[register] = self._moved(self.places[register], offset)

    def do_leap(self, register: int, offset: int) -> None:
        self.do_jump(register, -offset)

    def do_forth(self, register: int) -> list[str]:
        self.do_jump(register, 1)
        return ["one on"]

    def do_back(self, register: int) -> list[str]:
        self.do_jump(register, -1)
        return ["one back"]

    def do_peek(self, register: int) -> list[str]:
        return [str(self._at(self.places[register]))]

    def do_look(self, register: int, offset: int) -> list[str]:
        return [str(self._at(self._moved(self.places[register], offset)))]

    def do_near(self, register: int, there: int, back: int) -> list[str]:
        return [str(self._at(self._moved(self._moved(self.places[register], there), -back)))]

    def do_minus(self, register: int, other: int) -> list[str]:
        first, second = self._pair(register, other)
        return [str(first - second)]

    def do_equal(self, register: int, other: int) -> list[str]:
        return [str(int(self.places[register] == self.places[other]))]

    def do_order(self, register: int, other: int) -> list[str]:
        first, second = self._pair(register, other)
        return [f"{int(first < second)}{int(first > second)}{int(first <= second)}{int(first >= second)}"]

    def do_insert_at(self, register: int, vector: int, number: int) -> list[str]:
        return self.do_insert(self.vectors[vector], self._own(register, vector), number)

    do_place_at = do_insert_at

    def do_erase_at(self, register: int, vector: int) -> list[str]:
        at = self._own(register, vector)
        return self._cut(self.vectors[vector], at, at + 1)

    def do_cut_at(self, register: int, vector: int, other: int) -> list[str]:
        return self._cut(self.vectors[vector], self._own(register, vector), self._own(other, vector))

    # What is refused.
    @staticmethod
    def _element(row: list[int], index: int) -> int:
        if not 0 <= index < len(row):
            raise IndexMissing
        return row[index]

    @staticmethod
    def _position(row: list[int], at: int) -> int:
        if not 0 <= at <= len(row):
            raise IteratorRefused
        return at

    def _moved(self, place: Place, offset: int) -> Place:
        if place.vector is None:
            raise IteratorRefused
        return Place(place.vector, self._position(self.vectors[place.vector], place.at + offset))

    def _at(self, place: Place) -> int:
        if place.vector is None or place.at >= len(self.vectors[place.vector]):
            raise IteratorRefused
        return self.vectors[place.vector][place.at]

    def _pair(self, register: int, other: int) -> tuple[int, int]:
        first, second = self.places[register], self.places[other]
        if first.vector is None or first.vector != second.vector:
            raise IteratorRefused
        return first.at, second.at

    def _own(self, register: int, vector: int) -> int:
        if self.places[register].vector != vector:
            raise IteratorRefused
        return self._position(self.vectors[vector], self.places[register].at)


ON_PLACES = frozenset(
    "begin end none jump leap forth back peek look near minus equal order insert-at place-at erase-at cut-at".split()
)


# -- checks -----------------------------------------------------------------------------------------------------------


def _cost(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, count, seed = line.split()
        random, digest = SplitMix(int(seed)), Digest()
        _COSTS[what](int(count), random, digest)
        yield f"over 0 heavy 0 late 0 values {digest.value}"
    yield "left 0 ghosts 0"


def _drawn(count: int, random: SplitMix) -> list[int]:
    return [random.below(1_000_000_000) for _ in range(count)]


def _cost_grow(count: int, random: SplitMix, digest: Digest) -> None:
    digest.row(_drawn(count, random))


def _cost_reserve(count: int, random: SplitMix, digest: Digest) -> None:
    row = _drawn(count, random)
    for _ in range(count):
        at = random.below(len(row) + 1)
        row.insert(at, random.below(1_000_000_000))
    digest.row(row)


def _cost_erase(count: int, random: SplitMix, digest: Digest) -> None:
    row = _drawn(count, random)
    while len(row) > 3:
        first = random.below(len(row))
        length = random.below(len(row) // 4 + 1)
        del row[first : first + length]
        one = random.below(len(row))
        del row[one]
        if row:
            digest.add(row[one // 2])


def _cost_copy(count: int, random: SplitMix, digest: Digest) -> None:
    row = _drawn(count, random)
    digest.row(row)
    value = random.below(1_000_000_000)
    digest.row(row[: count // 2] + [value] * (count - count // 2))


_COSTS = {"grow": _cost_grow, "reserve": _cost_reserve, "erase": _cost_erase, "copy": _cost_copy}


def _failures(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, _with, size, other, seed = line.split()
        yield f"values {_after(what, int(size), int(other), int(seed))}"
        yield "changed 0 lost 0"
    yield "left 0 ghosts 0"


def _after(what: str, size: int, other: int, seed: int) -> int:
    random = SplitMix(seed)

    def filled(count: int, spare: int) -> list[int]:
        return [random.below(1000) for _ in range(count + spare)][:count]

    first, second = filled(size, seed % 3), filled(other, seed % 2)
    random = SplitMix(seed + 1)
    number = random.below(1000)
    at = random.below(size + 1)
    many = [random.below(1000) for _ in range(other)]
    if what in ("push", "push-moved", "emplace"):
        first.append(number)
    elif what in ("insert", "insert-moved"):
        first.insert(at, number)
    elif what == "again":
        first.insert(0, first[-1])
    elif what == "resize":
        first += [number] * other
    elif what in ("assign", "copy"):
        first = second
    elif what == "range":
        first = many
    digest = Digest()
    digest.row(first)
    digest.row(second)
    return digest.value


def _volume(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, count, seed = line.split()
        random, digest = SplitMix(int(seed)), Digest()
        _VOLUMES[what](int(count), random, digest)
        yield f"{what} {digest.value}"


def _grow(count: int, random: SplitMix, digest: Digest) -> None:
    row = [random() for _ in range(count)]
    total = sum(row) & MASK
    for i in range(count):
        total ^= row[i * 7919 % count]
    digest.add(total, row[count - count // 2 - 1] // 2)


def _middle(count: int, random: SplitMix, digest: Digest) -> None:
    row: list[int] = []
    for i in range(count):
        at = random.below(i + 1)
        row.insert(at, random())
    for _ in range(count // 2):
        digest.add(row.pop(random.below(len(row))))


def _cuts(count: int, random: SplitMix, digest: Digest) -> None:
    whole = [random() for _ in range(count)]
    for i in range(20):
        row = list(whole)
        while len(row) > 8:
            del row[i % 4 : len(row) // 2]
        digest.add(row[0] ^ row[-1], len(row))


def _rounds(count: int, random: SplitMix, digest: Digest) -> None:
    row: list[int] = []
    for _ in range(60):
        first = random()
        row += [(first + k) & MASK for k in range(count // 3 + 11)]
        digest.add(row[count // 3])
        row = row[:10]
        digest.add(10)
        row = [row[-1]]


def _swaps(count: int, random: SplitMix, digest: Digest) -> None:
    rows = [[random() for _ in range(count // 10)] for _ in range(10)]
    for _ in range(count):
        a, b = random.below(10), random.below(10)
        rows[a], rows[b] = rows[b], rows[a]
    digest.add(*(row[0] if row else 0 for row in rows))


_VOLUMES = {"grow": _grow, "middle": _middle, "cuts": _cuts, "rounds": _rounds, "swaps": _swaps}
