# rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
"""The card index in memory, as plainly as its size allows. It makes the answers, and knows nothing of files.

Run as a program it answers a chain: ``model.py RUN...`` reads each file as one run and prints all answers, with a line
``--`` between two runs.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from pathlib import Path

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
TRIPLES = [a + b + c for a in LETTERS for b in LETTERS for c in LETTERS]  # fifteen bits at a time
MASK = (1 << 64) - 1
COMMANDS = {
    "put": (str, int),
    "drop": (str, int),
    "has": (str, int),
    "bulk": (str, int, int, int, int),
    "weed": (str, str, int, int),
    "move": (str, str),
    "cards": (str, int, int),
    "count": (str, str),
    "words": (str, str, int, int),
    "list": (str, str, int, int),
    "next": (str,),
    "prev": (str,),
}


def step(x: int) -> int:
    return (x * 6364136223846793005 + 1442695040888963407) & MASK


def letters(x: int) -> str:
    return TRIPLES[x >> 49] + TRIPLES[x >> 34 & 32767] + TRIPLES[x >> 19 & 32767] + TRIPLES[x >> 4 & 32767]


def bulk_entries(stem: str, seed: int, words: int, each: int, card_seed: int) -> Iterator[tuple[str, list[int]]]:
    """The words of a bulk in the order in which they are made, each with its cards. (No word comes twice.)"""
    x, y = seed, card_seed
    for _ in range(words):
        x = step(x)
        text = stem + letters(x)
        x = step(x)
        text += letters(x)
        cards = []
        for _ in range(each):
            y = step(y)
            cards.append(y >> 32)
        yield text, cards


class Shelf:
    """Words in order, in blocks: how many of them, and of their cards, come before a word."""

    MOST = 250

    def __init__(self) -> None:
        self.blocks: list[list[str]] = [[]]
        self.lows = [""]  # nothing in a block is less
        self.sizes = [0]
        self.cards = [0]

    def block(self, word: str) -> int:
        return bisect_right(self.lows, word) - 1

    def add(self, word: str) -> None:
        b = self.block(word)
        insort(self.blocks[b], word)
        self.sizes[b] += 1

    def add_all(self, words: list[str], counts: dict[str, list[int]]) -> None:
        """Words in order that are not there, with their cards."""
        old = list(zip(self.blocks, self.lows, [*self.lows[1:], "~"], self.cards, strict=True))
        self.blocks, self.lows, self.cards = [], [], []
        at = 0
        for block, low, end, cards in old:
            first, at = at, bisect_left(words, end, at)
            added = words[first:at]
            block += added
            if added:
                block.sort()
            if len(block) <= self.MOST:
                self._append(block, low, cards + sum([len(counts[word]) for word in added]))
                continue
            for start in range(0, len(block), self.MOST // 2):
                part = block[start : start + self.MOST // 2]
                self._append(part, part[0] if start else low, sum([len(counts[word]) for word in part]))
        self.sizes = [len(block) for block in self.blocks]

    def _append(self, block: list[str], low: str, cards: int) -> None:
        self.blocks.append(block)
        self.lows.append(low)
        self.cards.append(cards)

    def remove(self, word: str) -> None:
        b = self.block(word)
        block = self.blocks[b]
        del block[bisect_left(block, word)]
        self.sizes[b] -= 1
        if not block and b > 0:
            for table in (self.blocks, self.lows, self.sizes, self.cards):
                del table[b]

    def count(self, word: str, cards: int) -> None:
        self.cards[self.block(word)] += cards

    def before(self, word: str, after: bool, counts: dict[str, list[int]]) -> tuple[int, int]:
        """Number of words less than a word (``after``: or equal), and of their cards."""
        b = self.block(word)
        block = self.blocks[b]
        at = bisect_right(block, word) if after else bisect_left(block, word)
        cards = sum(self.cards[:b]) + sum(len(counts[name]) for name in block[:at])
        return sum(self.sizes[:b]) + at, cards

    def words_from(self, number: int) -> Iterator[str]:
        """Words number ``number`` (from 0), and all after it."""
        ends = list(accumulate(self.sizes))
        first = bisect_right(ends, number)
        for block in self.blocks[first : first + 1]:
            yield from block[number - ends[first] :]
        for block in self.blocks[first + 1 :]:
            yield from block

    def entry(self, number: int, counts: dict[str, list[int]]) -> tuple[int, int]:
        """The number of the word that has entry number ``number``, and which of its cards that is."""
        ends = list(accumulate(self.cards))
        b = bisect_right(ends, number)
        number -= ends[b] - self.cards[b]
        word = sum(self.sizes[:b])
        for name in self.blocks[b]:
            if number < len(counts[name]):
                break
            number -= len(counts[name])
            word += 1
        return word, number


class Index:
    def __init__(self) -> None:
        self.filed: dict[str, list[int]] = {}  # word -> cards in order
        self.shelf = Shelf()
        self.live = 0
        self.bulked = self.weeded = self.moved = 0  # what the statement limits for a run

    def new_run(self) -> None:
        self.bulked = self.weeded = self.moved = 0

    def answer(self, line: str) -> list[str]:
        name, *words = line.split()
        return getattr(self, name)(*(kind(word) for kind, word in zip(COMMANDS[name], words, strict=True)))

    def _insert(self, word: str, card: int) -> bool:
        cards = self.filed.get(word)
        if cards is None:
            cards = self.filed[word] = []
            self.shelf.add(word)
        at = bisect_left(cards, card)
        if at < len(cards) and cards[at] == card:
            return False
        cards.insert(at, card)
        self.shelf.count(word, 1)
        self.live += 1
        return True

    def _replace(self, word: str, cards: list[int]) -> None:
        """All cards of a word that exists; none: it is gone."""
        change = len(cards) - len(self.filed[word])
        self.shelf.count(word, change)
        self.live += change
        self.filed[word] = cards
        if not cards:
            self.shelf.remove(word)
            del self.filed[word]

    def _holds(self, word: str, card: int) -> bool:
        cards = self.filed.get(word, [])
        at = bisect_left(cards, card)
        return at < len(cards) and cards[at] == card

    def span(self, low: str, high: str) -> tuple[int, int, int, int]:
        """First word, number of words, first entry, number of entries."""
        words, entries = self.shelf.before(low, False, self.filed)
        words_end, entries_end = self.shelf.before(high, True, self.filed)
        return words, words_end - words, entries, entries_end - entries

    def put(self, word: str, card: int) -> list[str]:
        return ["ok" if self._insert(word, card) else "error there"]

    def drop(self, word: str, card: int) -> list[str]:
        if not self._holds(word, card):
            return ["error none"]
        cards = self.filed[word]
        del cards[bisect_left(cards, card)]
        self.live -= 1
        self.shelf.count(word, -1)
        if not cards:
            self._replace(word, [])
        return ["ok"]

    def has(self, word: str, card: int) -> list[str]:
        return ["yes" if self._holds(word, card) else "no"]

    def bulk(self, stem: str, seed: int, words: int, each: int, card_seed: int) -> list[str]:
        self.bulked += words * each
        before = self.live
        new = []
        for word, made in bulk_entries(stem, seed, words, each, card_seed):
            if word in self.filed:
                self._replace(word, sorted({*self.filed[word], *made}))
            else:
                self.filed[word] = sorted({*made})
                self.live += len(self.filed[word])
                new.append(word)
        self.shelf.add_all(sorted(new), self.filed)
        return [f"added {self.live - before}"]

    def weed(self, low: str, high: str, divisor: int, rest: int) -> list[str]:
        first, words, _, entries = self.span(low, high)
        self.weeded += entries
        before = self.live
        for word in list(islice(self.shelf.words_from(first), words)):
            cards = self.filed[word]
            kept = [card for card in cards if card % divisor != rest]
            if len(kept) < len(cards):
                self._replace(word, kept)
        return [f"removed {before - self.live}"]

    def move(self, word: str, to: str) -> list[str]:
        if word not in self.filed:
            return ["error none"]
        if word == to:
            return ["error same"]
        cards = self.filed[word]
        self.moved += len(cards)
        self._replace(word, [])
        before = self.live
        if to not in self.filed:
            self._insert(to, cards[0])
        self._replace(to, sorted({*self.filed[to], *cards}))
        return [f"moved {self.live - before}"]

    def cards(self, word: str, skip: int, limit: int) -> list[str]:
        cards = self.filed.get(word, [])
        return [f"cards {len(cards)}", *map(str, cards[skip : skip + limit])]

    def count(self, low: str, high: str) -> list[str]:
        _, words, _, entries = self.span(low, high)
        return [f"{words} {entries}"]

    def words(self, low: str, high: str, skip: int, limit: int) -> list[str]:
        first, words, _, _ = self.span(low, high)
        shown = max(0, min(limit, words - skip))
        names = self.shelf.words_from(first + skip)
        return [f"words {words}", *(self._counted(next(names)) for _ in range(shown))]

    def list(self, low: str, high: str, skip: int, limit: int) -> list[str]:
        _, _, first, entries = self.span(low, high)
        lines = [f"entries {entries}"]
        shown = max(0, min(limit, entries - skip))
        if not shown:
            return lines
        word, at = self.shelf.entry(first + skip, self.filed)
        for name in self.shelf.words_from(word):
            for card in self.filed[name][at : at + shown]:
                lines.append(f"{name} {card}")
                shown -= 1
            at = 0
            if not shown:
                break
        return lines

    def next(self, word: str) -> list[str]:
        number, _ = self.shelf.before(word, True, self.filed)
        return [next((self._counted(name) for name in self.shelf.words_from(number)), "error none")]

    def prev(self, word: str) -> list[str]:
        number, _ = self.shelf.before(word, False, self.filed)
        return [self._counted(next(self.shelf.words_from(number - 1))) if number else "error none"]

    def _counted(self, word: str) -> str:
        return f"{word} {len(self.filed[word])}"


def answers(index: Index, lines: Iterable[str]) -> list[str]:
    index.new_run()
    return [line for command in lines for line in index.answer(command)]


def main() -> None:
    index = Index()
    for number, name in enumerate(sys.argv[1:]):
        if number:
            sys.stdout.write("--\n")
        for line in answers(index, Path(name).read_text("ascii").splitlines()):
            sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
