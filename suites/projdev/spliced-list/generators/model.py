# rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
"""The answer of every case, from plain Python lists: nothing of it is shared with a solution."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from draws import Digest, SplitMix


def answer(text: str) -> str:
    """The output of a driver for a case."""
    kind, rest = text.split(maxsplit=1)
    parts = {"cost": _cost, "failures": _failures, "volume": _volume}
    lines = parts[kind](rest) if kind in parts else _script(kind, rest)
    return "".join(f"{line}\n" for line in lines)


# -- commands ---------------------------------------------------------------------------------------------------------


class Refused(Exception):
    """Its text is what the driver writes for the exception: "empty" or "iterator"."""


class Undefined(Exception):
    """The statement does not define what happens: no case has such a command."""


class Entry:
    """An element."""

    def __init__(self, number: int) -> None:
        self.number = number


# An iterator: an element, or the number of the list whose end it is, or None.
Place = Entry | int | None


def _tens(number: int) -> int:
    """Without the last digit, as in C++."""
    return number // 10 if number >= 0 else -(-number // 10)


def _script(kind: str, text: str) -> Iterator[str]:
    head, *lines = text.splitlines()
    state = State(int(head))
    for line in lines:
        word, *arguments = line.split()
        yield from state.run(word, *map(int, arguments))
    if kind != "numbers":
        # The lists are gone when this line is written.
        yield "left 0 ghosts 0 misaligned 0"


class State:
    """Lists and iterator registers; `run` returns the lines that a command shows."""

    def __init__(self, lists: int) -> None:
        self.lists: list[list[Entry]] = [[] for _ in range(lists)]
        self.places: list[Place] = [None] * 8

    def run(self, word: str, at: int, *numbers: int) -> list[str]:
        """Raises: Undefined, and nothing has changed."""
        try:
            return getattr(self, f"do_{word.replace('-', '_')}")(at, *numbers) or []
        except Refused as refused:
            return [str(refused)]

    # Elements of one list.
    def do_push(self, at: int, number: int) -> None:
        self.lists[at].append(Entry(number))

    do_add = do_push

    def do_front(self, at: int, number: int) -> None:
        self.lists[at].insert(0, Entry(number))

    do_add_front = do_front

    def do_pop(self, at: int) -> None:
        self._some(at).pop()

    def do_pop_front(self, at: int) -> None:
        self._some(at).pop(0)

    def do_ends(self, at: int) -> list[str]:
        row = self._some(at)
        return [f"{row[0].number} {row[-1].number}"]

    def do_size(self, at: int) -> list[str]:
        return [f"{len(self.lists[at])} {'filled' if self.lists[at] else 'empty'}"]

    def do_show(self, at: int) -> list[str]:
        return [" ".join([*(str(entry.number) for entry in self.lists[at]), "end"])]

    def do_reversed(self, at: int) -> list[str]:
        return [" ".join([*(str(entry.number) for entry in reversed(self.lists[at])), "begin"])]

    def do_clear(self, at: int) -> None:
        self.lists[at].clear()

    def do_range(self, at: int, _count: int, *numbers: int) -> None:
        self.lists[at][:] = map(Entry, numbers)

    # Another order.
    def do_reverse(self, at: int) -> None:
        self.lists[at].reverse()

    def do_sort(self, at: int) -> None:
        self.lists[at].sort(key=lambda entry: entry.number)

    def do_sort_tens(self, at: int) -> None:
        self.lists[at].sort(key=lambda entry: _tens(entry.number))

    def do_sort_down(self, at: int) -> None:
        self.lists[at].sort(key=lambda entry: -_tens(entry.number))

    def do_unique(self, at: int, key: Callable[[int], int] = int) -> list[str]:
        row = self.lists[at]
        left: list[Entry] = []
        for entry in row:
            if not left or key(left[-1].number) != key(entry.number):
                left.append(entry)
        removed = len(row) - len(left)
        row[:] = left
        return [str(removed)]

    def do_unique_tens(self, at: int) -> list[str]:
        return self.do_unique(at, _tens)

    def do_remove(self, at: int, by: int) -> list[str]:
        row = self.lists[at]
        left = [entry for entry in row if entry.number % by]
        removed = len(row) - len(left)
        row[:] = left
        return [str(removed)]

    # Two lists.
    def do_merge(self, at: int, other: int) -> None:
        for row in (self.lists[at], self.lists[other]):
            keys = [_tens(entry.number) for entry in row]
            if keys != sorted(keys):
                raise Undefined
        if at != other:
            self.do_append(at, other)
            self.do_sort_tens(at)

    def do_append(self, at: int, other: int) -> None:
        if at != other:
            self.lists[at] += self.lists[other]
            self.lists[other].clear()

    def do_copy(self, at: int, other: int) -> None:
        if at != other:
            self.do_clone(at, other)

    def do_clone(self, at: int, other: int) -> None:
        self.lists[at][:] = [Entry(entry.number) for entry in self.lists[other]]

    def do_move(self, at: int, other: int) -> None:
        if at != other:
            self.lists[at][:] = self.lists[other]
            self.lists[other].clear()

    do_take = do_move

    def do_swap(self, at: int, other: int) -> None:
        self.lists[at], self.lists[other] = self.lists[other], self.lists[at]

    # Iterators.
    def do_none(self, register: int) -> None:
        self.places[register] = None

    def do_begin(self, register: int, at: int) -> None:
        self.places[register] = self._nth(at, 0)

    def do_end(self, register: int, at: int) -> None:
        self.places[register] = at

    def do_forth(self, register: int) -> list[str]:
        at, index = self._element(register)
        self.places[register] = self._nth(at, index + 1)
        return ["one on"]

    def do_back(self, register: int) -> list[str]:
        at, index = self._where(register)
        if index == 0:
            raise Refused("iterator")
        self.places[register] = self._nth(at, index - 1)
        return ["one back"]

    def do_peek(self, register: int) -> list[str]:
        at, index = self._element(register)
        return [str(self.lists[at][index].number)]

    def do_equal(self, register: int, other: int) -> list[str]:
        for each in (register, other):
            if self.places[each] is not None:
                self._where(each)
        first, second = self.places[register], self.places[other]
        return [str(int(first is second if isinstance(first, Entry) else first == second))]

    def do_insert(self, register: int, at: int, number: int) -> None:
        index = self._own(self._where(register), at)
        self.lists[at].insert(index, Entry(number))
        self.places[register] = self.lists[at][index]

    do_place = do_insert

    def do_again(self, register: int, at: int) -> None:
        owner, index = self._element(register)
        self.do_insert(register, at, self.lists[owner][index].number)

    def do_erase(self, register: int, at: int) -> None:
        index = self._own(self._element(register), at)
        del self.lists[at][index]
        self.places[register] = self._nth(at, index)

    def do_cut(self, register: int, at: int, other: int) -> None:
        first, last = (self._own(self._where(each), at) for each in (register, other))
        if first > last:
            raise Undefined
        del self.lists[at][first:last]
        self.places[register] = self._nth(at, first)

    def do_splice(self, register: int, at: int, other: int) -> None:
        index = self._own(self._where(register), at)
        if at != other:
            self.lists[at][index:index] = self.lists[other]
            self.lists[other].clear()

    def do_transfer(self, register: int, at: int, other: int, element: int) -> None:
        index = self._own(self._where(register), at)
        from_ = self._own(self._element(element), other)
        if self.places[register] is self.places[element]:
            return
        entry = self.lists[other].pop(from_)
        self.lists[at].insert(index - (at == other and from_ < index), entry)

    # What they are made of.
    def _some(self, at: int) -> list[Entry]:
        if not self.lists[at]:
            raise Refused("empty")
        return self.lists[at]

    def _nth(self, at: int, index: int) -> Place:
        return self.lists[at][index] if index < len(self.lists[at]) else at

    def _where(self, register: int) -> tuple[int, int]:
        """List and position. Raises: Undefined: the element does not exist any more."""
        place = self.places[register]
        if place is None:
            raise Refused("iterator")
        if isinstance(place, int):
            return place, len(self.lists[place])
        for at, row in enumerate(self.lists):
            for index, entry in enumerate(row):
                if entry is place:
                    return at, index
        raise Undefined

    def _element(self, register: int) -> tuple[int, int]:
        at, index = self._where(register)
        if index == len(self.lists[at]):
            raise Refused("iterator")
        return at, index

    @staticmethod
    def _own(found: tuple[int, int], at: int) -> int:
        if found[0] != at:
            raise Undefined
        return found[1]


# -- checks -----------------------------------------------------------------------------------------------------------


def _cost(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, order, count, seed = line.split()
        digest = Digest()
        _COSTS[what](order, int(count), SplitMix(int(seed)), digest)
        yield f"over 0 worked 0 late 0 strayed 0 values {digest.value}"
    yield "left 0 ghosts 0"


def _filled(order: str, count: int, random: SplitMix) -> list[int]:
    rows = {"rising": lambda i: i, "falling": lambda i: count - i}
    return [rows[order](i) if order in rows else random.below(count + 5) for i in range(count)]


def _cost_sort(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    row = sorted(_filled(order, count, random), key=_tens)
    digest.row(row)
    row.reverse()
    digest.row(row)
    left: list[int] = []
    for number in row:
        if not left or left[-1] // 10 != number // 10:
            left.append(number)
    digest.row(number for number in left if number % 3)


def _cost_merge(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    main: list[int] = []
    for turn in range(4):
        other = sorted(_filled(order, count // 10 if turn == 2 else count, random), key=_tens)
        main = sorted(main + other if turn % 2 == 0 else other + main, key=_tens)
        digest.row(main)


def _cost_splice(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    numbers = _filled(order, count, random) + _filled(order, count, random)
    # Elements are positions in `numbers`; None is the end.
    first: list[int | None] = [*range(count), None]
    second = deque(range(count, 2 * count))
    middle = first[count // 2]
    for _ in range(count // 3):
        first.insert(first.index(middle), second.popleft())
        first.insert(0, first.pop(len(first) - 2))
        second.append(first.pop(0) or 0)
    at = first.index(middle)
    first[at:at] = second
    row = [numbers[each] for each in first if each is not None]
    digest.row(row)
    digest.row(row)


_COSTS = {"sort": _cost_sort, "merge": _cost_merge, "splice": _cost_splice}


def _failures(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, _with, size, other, seed = line.split()
        yield f"values {_after(what, int(size), int(other), int(seed))}"
        yield "changed 0 lost 0"
    yield "left 0 ghosts 0"


def _after(what: str, size: int, other: int, seed: int) -> int:
    random = SplitMix(seed)

    def filled(count: int) -> list[int]:
        row: list[int] = []
        for _ in range(count):
            more = row[-1] if row and what in ("merge", "unique") else 0
            row.append(random.below(1000) % 50 + more)
        return row

    first, second = filled(size), filled(other)
    random = SplitMix(seed + 1)
    number = random.below(1000)
    many = [random.below(1000) for _ in range(other)]
    if what == "push":
        first.append(number)
    elif what == "push-moved":
        first.insert(0, number)
    elif what in ("insert", "insert-moved"):
        first.insert(1, number)
    elif what in ("assign", "copy"):
        first = second
    elif what == "range":
        first = many
    elif what == "sort":
        first.sort(key=_tens)
    elif what == "merge":
        first, second = sorted(first + second, key=_tens), []
    elif what == "unique":
        first = [n for i, n in enumerate(first) if i == 0 or first[i - 1] // 10 != n // 10]
    elif what == "remove":
        first = [n for n in first if not n // 10 < number // 10]
    digest = Digest()
    digest.row(first)
    digest.row(second)
    return digest.value


def _volume(text: str) -> Iterator[str]:
    for line in text.splitlines():
        what, order, count, seed = line.split()
        digest = Digest()
        _VOLUMES[what](order, int(count), SplitMix(int(seed)), digest)
        yield f"{what} {digest.value}"


def _numbers(order: str, count: int, random: SplitMix) -> list[int]:
    rows = {"rising": lambda i: i, "falling": lambda i: count - i}
    return [rows[order](i) if order in rows else random() for i in range(count)]


def _sort(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    row = sorted(_numbers(order, count, random))
    digest.add(*(number + i for i, number in enumerate(row)))
    row.reverse()
    digest.add(row[0])
    row.sort(key=lambda number: number % 1024)
    left = [number for i, number in enumerate(row) if i == 0 or row[i - 1] % 1024 != number % 1024]
    digest.add(len(row) - len(left), *left)


def _tournament(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    digest.add(*sorted(_numbers(order, count, random)))


def _splice(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    first, second = deque(_numbers(order, count, random)), deque[int]()
    for i in range(count):
        number = first.popleft() if i % 3 == 0 else first.pop()
        if i % 2 == 0:
            second.appendleft(number)
        else:
            second.append(number)
        digest.add(count)
        if i % 5 == 0:
            # All of the first go before the second, which becomes the first; then its first goes to its end.
            if len(first) < len(second):
                second.extendleft(reversed(first))
                first = second
            else:
                first.extend(second)
            second = deque()
            first.rotate(-1)
    digest.add(*second)


def _pages(order: str, count: int, random: SplitMix, digest: Digest) -> None:
    digest.add(*_numbers(order, count, random)[:-200], 200)


_VOLUMES = {"sort": _sort, "tournament": _tournament, "splice": _splice, "pages": _pages}
