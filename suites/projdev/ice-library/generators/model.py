# rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
"""The ice library in memory, as plainly as it can be said. It makes the answers, and knows nothing of files.

Run as a program it answers a chain: ``model.py RUN...`` reads each file as one run and prints all answers, with a line
``--`` between two runs.
"""

from __future__ import annotations

import bisect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

COMMANDS = {
    "add": (str, int, int, str),
    "saw": (str, int, int, str),
    "take": (str, int, int),
    "tag": (str, int, str),
    "rename": (str, str),
    "melt": (str, int, int),
    "show": (str, int),
    "weigh": (str, int, int),
    "heaviest": (str, int, int),
    "find": (str, int),
    "cores": (),
}
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def pieces(seed: int, count: int, tag: str) -> Iterator[tuple[int, int, str]]:
    """Depth, grams and tag of what the saw makes."""
    x = seed
    for _ in range(count):
        x = (1664525 * x + 1013904223) % 2**32
        depth = x // 512
        x = (1664525 * x + 1013904223) % 2**32
        grams = 1 + x // 65536 % 1000
        x = (1664525 * x + 1013904223) % 2**32
        rest = x // 128
        mark = ""
        for _ in range(5):
            mark += LETTERS[rest % 32]
            rest //= 32
        yield depth, grams, f"{tag}-{mark}"


class Library:
    def __init__(self) -> None:
        self.depths: dict[str, list[int]] = {}  # core -> depths in order
        self.grams: dict[str, list[int]] = {}  # core -> weights, in the order of depths
        self.tags: dict[str, dict[int, str]] = {}  # core -> depth -> tag
        self.marks: list[tuple[str, str, int]] = []  # (tag, core, depth) in order

    @property
    def live(self) -> int:
        return len(self.marks)

    def answer(self, line: str) -> list[str]:
        name, *words = line.split()
        kinds = COMMANDS[name]
        return getattr(self, name)(*(kind(word) for kind, word in zip(kinds, words, strict=True)))

    def place(self, core: str, depth: int) -> int | None:
        """Where a sample stands among those of its core."""
        return bisect.bisect_left(self.depths[core], depth) if depth in self.tags.get(core, ()) else None

    def _range(self, core: str, low: int, high: int) -> slice:
        depths = self.depths.get(core, [])
        return slice(bisect.bisect_left(depths, low), bisect.bisect_right(depths, high))

    def _forget_if_empty(self, core: str) -> None:
        if not self.tags[core]:
            del self.depths[core], self.grams[core], self.tags[core]

    def _unmark(self, tag: str, core: str, depth: int) -> None:
        del self.marks[bisect.bisect_left(self.marks, (tag, core, depth))]

    def add(self, core: str, depth: int, grams: int, tag: str) -> list[str]:
        if self.place(core, depth) is not None:
            return ["error taken"]
        depths = self.depths.setdefault(core, [])
        place = bisect.bisect_left(depths, depth)
        depths.insert(place, depth)
        self.grams.setdefault(core, []).insert(place, grams)
        self.tags.setdefault(core, {})[depth] = tag
        bisect.insort(self.marks, (tag, core, depth))
        return ["ok"]

    def saw(self, core: str, seed: int, count: int, tag: str) -> list[str]:
        tags = self.tags.setdefault(core, {})
        weights = dict(zip(self.depths.get(core, []), self.grams.get(core, []), strict=True))
        before = len(tags)
        for depth, grams, mark in pieces(seed, count, tag):
            if depth not in tags:
                tags[depth] = mark
                weights[depth] = grams
                self.marks.append((mark, core, depth))
        self.marks.sort()
        self.depths[core] = sorted(weights)
        self.grams[core] = [weights[depth] for depth in self.depths[core]]
        return [f"sawn {len(tags) - before}"]

    def take(self, core: str, depth: int, grams: int) -> list[str]:
        place = self.place(core, depth)
        if place is None:
            return ["error none"]
        left = self.grams[core][place] - grams
        if left < 0:
            return ["error short"]
        self.grams[core][place] = left
        if not left:
            self._unmark(self.tags[core].pop(depth), core, depth)
            del self.depths[core][place], self.grams[core][place]
            self._forget_if_empty(core)
        return [f"left {left}"]

    def tag(self, core: str, depth: int, tag: str) -> list[str]:
        if self.place(core, depth) is None:
            return ["error none"]
        self._unmark(self.tags[core][depth], core, depth)
        self.tags[core][depth] = tag
        bisect.insort(self.marks, (tag, core, depth))
        return ["ok"]

    def rename(self, core: str, new: str) -> list[str]:
        if core not in self.tags:
            return ["error none"]
        if new in self.tags:
            return ["error taken"]
        for table in (self.depths, self.grams, self.tags):
            table[new] = table.pop(core)
        self.marks = sorted((tag, new if name == core else name, depth) for tag, name, depth in self.marks)
        return ["ok"]

    def melt(self, core: str, low: int, high: int) -> list[str]:
        where = self._range(core, low, high)
        if where.start == where.stop:
            return ["melted 0 0"]
        gone, total = self.depths[core][where], sum(self.grams[core][where])
        del self.depths[core][where], self.grams[core][where]
        for depth in gone:
            del self.tags[core][depth]
        self.marks = [mark for mark in self.marks if mark[1] != core or not low <= mark[2] <= high]
        self._forget_if_empty(core)
        return [f"melted {len(gone)} {total}"]

    def show(self, core: str, depth: int) -> list[str]:
        place = self.place(core, depth)
        return ["error none"] if place is None else [f"{self.grams[core][place]} {self.tags[core][depth]}"]

    def weigh(self, core: str, low: int, high: int) -> list[str]:
        found = self.grams.get(core, [])[self._range(core, low, high)]
        return [f"{len(found)} {sum(found)}"]

    def heaviest(self, core: str, low: int, high: int) -> list[str]:
        where = self._range(core, low, high)
        found = self.grams.get(core, [])[where]
        if not found:
            return ["error none"]
        most = max(found)
        return [f"{self.depths[core][where.start + found.index(most)]} {most}"]  # the first of several: the shallowest

    def find(self, prefix: str, limit: int) -> list[str]:
        first = bisect.bisect_left(self.marks, (prefix, "", 0))
        last = bisect.bisect_left(self.marks, (prefix + "\x7f", "", 0))
        shown = self.marks[first : min(last, first + limit)]
        return [f"found {last - first}", *(f"{tag} {core} {depth}" for tag, core, depth in shown)]

    def cores(self) -> list[str]:
        rows = [f"{core} {len(self.tags[core])} {sum(self.grams[core])}" for core in sorted(self.tags)]
        return [f"cores {len(rows)}", *rows]


def answers(library: Library, lines: Iterable[str]) -> list[str]:
    return [line for command in lines for line in library.answer(command)]


def main() -> None:
    library = Library()
    for number, name in enumerate(sys.argv[1:]):
        if number:
            sys.stdout.write("--\n")
        for line in answers(library, Path(name).read_text("ascii").splitlines()):
            sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
