# rigorbench-canary 62ca5553-4657-4d84-81b4-2ec70a7e17ce
"""The allocator as plain sets: what the main program answers to an input."""

from __future__ import annotations

import heapq

TOP = 12
BAD, NONE = -1, -2
MASK = 2**64 - 1


class Zone:
    """Free blocks and taken blocks as dictionaries from first frame to order; a heap for each order finds the lowest."""

    def __init__(self, frames: int) -> None:
        self.frames = frames
        self.free: dict[int, int] = {}
        self.taken: dict[int, int] = {}
        self.counts = [0] * (TOP + 1)
        self.lowest: list[list[int]] = [[] for _ in range(TOP + 1)]
        first = 0
        while first < frames:
            order = TOP
            while first % (1 << order) or first + (1 << order) > frames:
                order -= 1
            self._add(first, order)
            first += 1 << order

    def _add(self, first: int, order: int) -> None:
        self.free[first] = order
        self.counts[order] += 1
        heapq.heappush(self.lowest[order], first)

    def _remove(self, first: int) -> int:
        order = self.free.pop(first)
        self.counts[order] -= 1
        return order

    def _split(self, first: int, order: int, wanted: int, size: int) -> None:
        while order > size:
            order -= 1
            upper = first + (1 << order)
            if wanted >= upper:
                self._add(first, order)
                first = upper
            else:
                self._add(upper, order)
        self.taken[wanted] = size

    def take(self, order: int) -> int:
        if not 0 <= order <= TOP:
            return BAD
        for found in range(order, TOP + 1):
            if self.counts[found]:
                heap = self.lowest[found]
                while self.free.get(heap[0]) != found:  # entries of blocks that are gone stay until they come up
                    heapq.heappop(heap)
                first = heapq.heappop(heap)
                self._remove(first)
                self._split(first, found, first, order)
                return first
        return NONE

    def find(self, frame: int) -> tuple[int, int, int]:
        if not 0 <= frame < self.frames:
            return BAD, -1, -1
        for order in range(TOP + 1):
            first = frame >> order << order
            for state, blocks in enumerate((self.free, self.taken)):
                if blocks.get(first, -1) >= order:
                    return state, first, blocks[first]
        raise AssertionError(frame)

    def take_at(self, first: int, order: int) -> int:
        if not 0 <= order <= TOP or first < 0 or first % (1 << order) or first + (1 << order) > self.frames:
            return BAD
        state, head, found = self.find(first)
        if state or found < order:
            return NONE
        self._remove(head)
        self._split(head, found, first, order)
        return 0

    def give(self, first: int) -> int:
        if first not in self.taken:
            return BAD
        given = order = self.taken.pop(first)
        while order < TOP and self.free.get(first ^ (1 << order)) == order:
            self._remove(first ^ (1 << order))
            first &= ~(1 << order)
            order += 1
        self._add(first, order)
        return given

    def shrink(self, first: int, order: int) -> int:
        before = self.taken.get(first, -1)
        if before < 0 or not 0 <= order <= before:
            return BAD
        self._split(first, before, first, order)
        return before


class Storm:
    """The calls that main.c draws from a seed."""

    def __init__(self, zone: Zone, held: list[int], seed: int) -> None:
        self.zone, self.held, self.state, self.digest = zone, held, seed, 0xCBF29CE484222325

    def below(self, end: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & MASK
        return (self.state >> 33) % end

    def note(self, value: int) -> None:
        self.digest = ((self.digest ^ (value & MASK)) * 0x100000001B3 + 0x9E3779B97F4A7C15) & MASK

    def run(self, count: int, top: int, fill: int) -> str:
        zone, held, below, note = self.zone, self.held, self.below, self.note
        for _ in range(count):
            what = below(128)
            if what < 4:
                for value in zone.find(below(zone.frames)):
                    note(value)
            elif what < 8 and held:
                first = held[below(len(held))]
                note(zone.shrink(first, below(TOP + 1)))
            elif what < 12:
                order = below(top + 1)
                first = below(zone.frames) >> order << order
                result = zone.take_at(first, order)
                note(result)
                if result == 0:
                    held.append(first)
            elif below(100) < fill or not held:
                order = 0
                while order < top and below(2) == 1:
                    order += 1
                first = zone.take(order)
                note(first)
                if first >= 0:
                    held.append(first)
            else:
                index = below(len(held))
                note(zone.give(held[index]))
                held[index] = held[-1]
                held.pop()
        return f"storm {self.digest:016x} {len(held)}"


def said(word: str, result: int) -> str:
    return {BAD: "bad", NONE: "none"}.get(result) or (f"{word} {result}" if word else "ok")


def answer(text: str) -> str:
    zones: dict[int, tuple[Zone, list[int]]] = {}
    rows = []
    for line in text.splitlines():
        name, slot, *a = [word if index == 0 else int(word) for index, word in enumerate(line.split())]
        if name == "open":
            zones[slot] = Zone(a[0]), []
            rows.append("ok")
            continue
        zone, held = zones[slot]
        if name == "take":
            rows.append(said("at", zone.take(a[0])))
        elif name == "at":
            rows.append(said("", zone.take_at(*a)))
        elif name == "give":
            rows.append(said("order", zone.give(a[0])))
        elif name == "shrink":
            rows.append(said("order", zone.shrink(*a)))
        elif name == "find":
            state, first, order = zone.find(a[0])
            rows.append("bad" if state < 0 else f"{('free', 'taken')[state]} {first} {order}")
        elif name == "count":
            rows.append(f"free {zone.counts[a[0]]}" if 0 <= a[0] <= TOP else "bad")
        elif name == "counts":
            rows.append(" ".join(map(str, zone.counts)))
        else:
            rows.append(Storm(zone, held, a[0]).run(*a[1:]))
    return "".join(f"{row}\n" for row in rows)
