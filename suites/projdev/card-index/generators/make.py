# rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
"""Writes the test data from seeds: what each test asks, and the model's answers.

Usage: ``python3 generators/make.py [DIRECTORY]`` writes what is stored in the package (default: its ``data``);
``python3 generators/make.py --large DIRECTORY`` what is made when the package is judged. Randomness is our own, so that
no version of Python changes a file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from model import Index

Item = TypeVar("Item")
MASK = (1 << 64) - 1
LAST_CARD = (1 << 32) - 1
ROOTS = "tide tidal ebb reef shoal spit spring neap lee bar sound holm ness voe".split()
SUFFIXES = ["", "", "s", "-mark", "-pool", "-way", "land", "er", "2", "-2", "-man", "-mans"]


class Chance:
    """Numbers by splitmix64."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def bits(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
        return mixed ^ mixed >> 31

    def below(self, limit: int) -> int:
        return self.bits() % limit

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def of(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]


class Run:
    """One run's commands as they are written; each is also done, so that later ones can aim at what is there."""

    def __init__(self, chance: Chance, index: Index) -> None:
        self.chance, self.index = chance, index
        index.new_run()
        self.commands: list[str] = []
        self.answers: list[str] = []
        self.limit = 5  # the most lines that a question asks for

    def say(self, *words: object) -> str:
        command = " ".join(map(str, words))
        self.commands.append(command)
        answer = self.index.answer(command)
        self.answers += answer
        return answer[0]

    def held(self) -> str | None:
        """A word that has a card."""
        count = len(self.index.filed)
        return next(self.index.shelf.words_from(self.chance.below(count))) if count else None

    def new(self) -> str:
        return self.chance.of(ROOTS) + self.chance.of(SUFFIXES) + self.chance.of(SUFFIXES)

    def word(self, hit: int = 85) -> str:
        """A word that has a card (``hit``: of 100), or any."""
        found = self.held() if self.chance.below(100) < hit else None
        return found or self.new()

    def card(self, word: str, hit: int = 70) -> int:
        cards = self.index.filed.get(word)
        return self.chance.of(cards) if cards and self.chance.below(100) < hit else self.chance.below(1 << 32)

    def range(self, most: int = 0) -> tuple[str, str]:
        """A range; ``most``: about so many words at most. Often its ends are words that have cards."""
        count = len(self.index.filed)
        if not count or self.chance.below(30) == 0:
            low, high = sorted((self.new(), self.new()))
            return low, high
        size = self.chance.between(1, min(most or count, count))
        first = self.chance.below(count - size + 1)
        low = next(self.index.shelf.words_from(first))
        high = next(self.index.shelf.words_from(first + size - 1))
        nudge = self.chance.below(8)
        if nudge == 0 and len(low) > 1:
            low = low[:-1]
        elif nudge == 1 and len(high) < 40:
            high += self.chance.of(["-", "0", "a", "z"])
        elif nudge == 2 and len(high) > 1 and high[:-1] >= low:
            high = high[:-1]
        elif nudge == 3 and not most:
            high = "~"
        return low, high

    def skip(self, size: int) -> int:
        return self.chance.of(
            [0, 0, self.chance.below(size + 1), self.chance.below(size + 1), max(0, size - 2), size, size + 7]
        )

    def shown(self) -> int:
        return self.chance.below(self.limit + 1)

    def bulk(self, stem: str, words: int, each: int = 1) -> None:
        self.say("bulk", stem, self.chance.below(1 << 32), words, each, self.chance.below(1 << 32))

    def mixed(self, count: int, weights: dict[str, int], most: int = 0) -> None:
        """``count`` commands by ``weights``; ``most``: words in a range of `weed`."""
        names = [name for name, weight in weights.items() for _ in range(weight)]
        for _ in range(count):
            self._one(self.chance.of(names), most)

    def _one(self, name: str, most: int) -> None:
        if name in {"put", "drop", "has"}:
            word = self.word(60 if name == "put" else 90)
            self.say(name, word, self.card(word, 10 if name == "put" else 80))
        elif name == "bulk":
            self.bulk(self.chance.of(ROOTS), self.chance.between(1, 12), self.chance.between(1, 4))
        elif name == "weed":
            divisor = self.chance.of([1, 2, 3, 7, 16, LAST_CARD])
            self.say(name, *self.range(most or 3), divisor, self.chance.below(divisor))
        elif name == "move":
            self.say(name, self.word(), self.word(50))
        elif name == "cards":
            word = self.word()
            self.say(name, word, self.skip(len(self.index.filed.get(word, []))), self.shown())
        elif name == "count":
            self.say(name, *self.range())
        elif name in {"words", "list"}:
            low, high = self.range()
            _, words, _, entries = self.index.span(low, high)
            self.say(name, low, high, self.skip(words if name == "words" else entries), self.shown())
        else:
            self.say(name, self.word(70))


ASKING = {"has": 2, "cards": 3, "count": 5, "words": 5, "list": 5, "next": 2, "prev": 2}
FILING = {"put": 12, "drop": 8, "has": 3, "move": 1}
EVEN = ASKING | FILING | {"weed": 2, "bulk": 1}


# ------------------------------------------------------------------------------------------------------------- samples
def sample_one(run: Run) -> None:
    for command in (
        "put tide 12",
        "put tide 7",
        "put tide 12",
        "put tidal 4000000000",
        "put ebb 7",
        "put tide-2 3",
        "has ebb 7",
        "has ebb 8",
        "cards tide 0 5",
        "cards tide 1 1",
        "cards reef 0 5",
        "count a ~",
        "count tide tide",
        "count f tidal",
        "words a ~ 1 2",
        "list tidal tide 1 2",
        "next ebb",
        "next tide",
        "next tide-2",
        "prev tide",
        "prev ebb",
        "bulk m- 5 2 3 9",
        "words m n 0 5",
        "list m n 2 2",
        "bulk m- 5 3 2 9",
        "weed m n 2 0",
        "count m n",
        "move tidal tide",
        "move tidal tide",
        "put shoal 7",
        "put shoal 8",
        "move shoal tide",
        "move tide tide",
        "drop ebb 7",
        "drop ebb 7",
        "weed a ~ 1 0",
        "count a ~",
    ):
        run.say(command)


def sample_two(run: Run, number: int) -> None:
    commands = (
        ("put reef 5", "put reef 3", "bulk r 77 3 1 4", "count a ~"),
        ("count a ~", "cards reef 0 9", "move reef spit", "words a ~ 0 9", "drop spit 3"),
        ("words a ~ 0 9", "put spit 3", "next reef", "weed a ~ 1 0", "words a ~ 0 9"),
    )
    for command in commands[number]:
        run.say(command)


# --------------------------------------------------------------------------------------------------------------- basic
def basic_pairs(run: Run, _: int) -> None:
    run.mixed(120, {"put": 4, "has": 1})
    run.mixed(200, {"put": 3, "drop": 3, "has": 2, "cards": 2})


def basic_ranges(run: Run, _: int) -> None:
    run.mixed(150, {"put": 1})
    run.mixed(250, {"count": 2, "words": 2, "list": 2, "put": 1})
    run.say("words", "a", "~", 0, 50)
    run.say("list", "a", "~", 0, 50)


def basic_neighbours(run: Run, _: int) -> None:
    run.mixed(60, {"put": 1})
    run.mixed(200, {"next": 3, "prev": 3, "put": 1, "drop": 2})


def basic_bulk(run: Run, _: int) -> None:
    run.mixed(12, {"bulk": 1})
    run.bulk("sound", 150)
    run.bulk("sound", 3, 60)
    run.mixed(150, {"bulk": 1, "list": 3, "words": 3, "cards": 2, "has": 1})


def basic_weed_and_move(run: Run, _: int) -> None:
    run.mixed(10, {"bulk": 1})
    run.mixed(300, {"put": 3, "bulk": 1, "weed": 3, "move": 3, "count": 2, "words": 1})


def basic_everything(run: Run, _: int) -> None:
    run.mixed(60, {"put": 1})
    run.mixed(500, EVEN)
    run.say("list", "a", "~", 0, 50)


def basic_nothing_there(run: Run, _: int) -> None:
    run.say("drop", "a", 0)
    run.say("has", "a", 0)
    run.say("cards", "a", 0, 50)
    run.say("count", "a", "~")
    run.say("words", "a", "~", 0, 50)
    run.say("list", "a", "~", 3, 50)
    run.say("next", "a")
    run.say("prev", "z")
    run.say("move", "a", "b")
    run.say("move", "a", "a")
    run.say("weed", "a", "~", 1, 0)


# --------------------------------------------------------------------------------------------------------------- edges
def edges_long_words(run: Run, _: int) -> None:
    """Words of forty signs that differ in the last, and the words that they begin with."""
    words = ["z" * 39 + last for last in "-0az"] + ["z" * 39, "z" * 38, "z", "a", "y" * 40, "a" + "-" * 39]
    for word in words:
        run.say("put", word, run.chance.below(9))
    run.bulk("sixteen-letters-", 40, 2)
    run.bulk("x", 40, 2)
    for _ in range(300):
        word, other = run.chance.of(words), run.chance.of(words)
        run.say(run.chance.of(["put", "drop", "has"]), word, run.chance.below(9))
        run.say(run.chance.of(["next", "prev"]), other)
        low, high = sorted((word, other))
        run.say("list", low, run.chance.of([high, "~"]), run.chance.below(20), 10)
    run.say("words", "a", "~", 0, 50)


def edges_order(run: Run, _: int) -> None:
    """Words that begin alike, with all kinds of signs behind, and cards that sort otherwise as text."""
    ends = ["", "-", "--", "0", "00", "1", "10", "9", "a", "a-", "a0", "aa", "z", "z-", "zz"]
    words = [first + end for first in ("t", "to", "t-") for end in ends]
    cards = [0, 1, 2, 9, 10, 11, 99, 100, 2**31 - 1, 2**31, LAST_CARD - 1, LAST_CARD]
    for _ in range(400):
        run.say("put", run.chance.of(words), run.chance.of(cards))
    for word in words:
        run.say("cards", word, 0, 50)
        run.say("next", word)
        run.say("prev", word)
        run.say("count", word, word)
        run.say("count", word, word + "zz")
        run.say("words", "t", max("t", word), 3, 50)
    run.mixed(200, {"weed": 1, "put": 2, "drop": 2, "list": 2, "count": 2})
    for start in range(0, 700, 50):
        run.say("list", "a", "~", start, 50)


def edges_one_word(run: Run, _: int) -> None:
    """Words with so many cards that they reach over many blocks, and their neighbours."""
    run.bulk("mm", 1, 50_000)
    run.bulk("mm", 1, 30_000)
    for word in ("m", "mm", "n"):
        run.bulk(word, 2, 200)
    long, longer = (word for word, cards in sorted(run.index.filed.items()) if len(cards) > 20_000)
    for skip in (0, 1, 49, 5_000, 29_990, 49_990, 80_000):
        run.say("cards", long, skip, 20)
        run.say("cards", longer, skip, 20)
        run.say("list", "a", "~", skip, 20)
        run.say("words", "mm", longer, skip, 20)
    run.say("next", "mm")
    run.say("prev", longer)
    run.say("weed", long, longer, 2, 0)
    run.say("count", long, longer)
    run.mixed(200, {"put": 2, "drop": 4, "cards": 2, "count": 1, "words": 1, "list": 1})
    run.say("move", long, longer)
    run.say("words", "a", "~", 0, 50)
    run.say("weed", longer, longer, 1, 0)
    run.say("prev", "mz")
    run.say("words", "a", "~", 0, 50)
    run.say("count", "a", "~")


def edges_bulk_again(run: Run, _: int) -> None:
    """The same bulk twice, with more cards, with fewer words; cards that come twice within one bulk."""
    bulks = [(300, 3, 8), (300, 3, 8), (300, 3, 9), (40, 3, 8), (500, 3, 8), (300, 1, 8), (1, 900, 8)]
    for words, each, cards in bulks:
        run.say("bulk", "twice", 4, words, each, cards)
        run.say("count", "a", "~")
        run.say("list", "twice", "~", run.chance.below(900), 30)
    run.say("bulk", "much", 0, 1, 50_000, 0)  # some of these cards are equal
    run.say("bulk", "much", LAST_CARD, 1, 50_000, LAST_CARD)
    run.say("bulk", "z", LAST_CARD, 50_000, 1, 0)
    run.mixed(150, {"weed": 1, "cards": 3, "list": 3, "has": 3})
    run.say("count", "a", "~")


def edges_boundaries(run: Run, _: int) -> None:
    """Many words with some cards each, of which the first ones go and come: words that begin at the end of a block."""
    for cards in (1, 2, 3):
        run.say("bulk", "w", 7, 1_500, 3, cards)
        run.say("bulk", "v", 7, 300, 20, cards)
        run.say("weed", "a", "~", 2, cards % 2)
        run.say("count", "a", "~")
        for _ in range(200):
            word = run.word(100)
            run.say("drop", word, run.index.filed[word][0])
            run.say("put", word, run.chance.below(1 << 24))
        for _ in range(40):
            run.say("count", *run.range())
            run.say("words", *run.range(), run.chance.below(900), 3)
            run.say("next", run.word())
    for _ in range(3):
        run.say("weed", "a", "~", 3, 0)
        run.say("words", "a", "~", run.chance.below(900), 20)
        run.say("count", "a", "~")


def edges_moves(run: Run, _: int) -> None:
    """Moves to words that have some, all or none of the cards, to the next word, and back."""
    words = ["a", "aa", "ab", "b", "ba", "c"]
    for turn in range(300):
        if turn % 3 == 0:
            for _ in range(4):
                run.say("put", run.chance.of(words), run.chance.below(12))
        run.say("move", run.chance.of(words), run.chance.of(words))
        run.say("words", "a", "~", 0, 10)
    run.bulk("b", 30, 400)
    for _ in range(40):
        run.say("move", run.word(), run.chance.of([run.word(), "bb", "ba", "zz"]))
        run.say("words", *run.range(), 0, 10)
    run.say("words", "a", "~", 0, 50)


def edges_emptied(run: Run, _: int) -> None:
    """All is removed, by ranges from either end, one by one, at once, and filed again."""
    for turn in range(6):
        for stem in ("a", "k", "u"):
            run.bulk(stem, 2_000, 1 + turn % 2)
        if turn < 3:
            run.say("weed", *(("a", "b"), ("k", "~"), ("b", "l"))[turn], 1, 0)
            run.say("count", "a", "~")
        for divisor in (7, 3, 2):
            run.say("weed", "a", "~", divisor, divisor - 1)
            run.say("words", "a", "~", 100 * turn, 3)
        run.say("weed", "a", "~", 1, 0)
        run.say("count", "a", "~")
        run.say("next", "a")
        run.say("prev", "zz")
        run.mixed(40, {"put": 3, "drop": 2, "next": 1, "prev": 1})
        while (word := run.held()) is not None:
            run.say("drop", word, run.index.filed[word][0])
        run.say("count", "a", "~")


# ------------------------------------------------------------------------------------------------------------- restart
def restart_small(run: Run, _: int) -> None:
    run.mixed(40, {"put": 1})
    run.mixed(150, EVEN)
    run.say("words", "a", "~", 0, 20)


def restart_quiet(run: Run, number: int) -> None:
    """The second run has no command at all."""
    if number == 0:
        run.mixed(60, {"put": 4, "bulk": 1})
    if number == 2:
        run.mixed(150, EVEN)


def restart_growing(run: Run, number: int) -> None:
    for stem in ("ebb", "neap", "voe"):
        run.bulk(stem, 5_000 + 1_000 * number)
    run.bulk("reef", 1, 3_000)
    run.mixed(250, EVEN)
    run.say("words", "a", "~", 0, 20)


def restart_emptied(run: Run, number: int) -> None:
    """What has been removed stays away; runs that begin and end with nothing."""
    if number in {0, 2}:
        run.bulk("lee", 8_000)
        run.bulk("bar", 10, 500)
        run.mixed(60, {"put": 1})
    run.say("count", "a", "~")
    run.mixed(60, ASKING)
    run.say("weed", "a", "~", *((2, 1), (1, 0), (3, 0), (1, 0))[number])
    run.say("count", "a", "~")


# -------------------------------------------------------------------------------------------------------------- volume
def volume_asking(run: Run, _: int) -> None:
    for stem in ("ebb", "neap", "voe", "k"):
        run.bulk(stem, 45_000)
    run.bulk("reef", 500, 80)
    run.limit = 3
    run.mixed(12_000, ASKING)


def volume_filing(run: Run, _: int) -> None:
    for stem in ("ebb", "neap", "voe", "k"):
        run.bulk(stem, 40_000)
    run.mixed(20_000, FILING)
    run.say("count", "a", "~")


def volume_one_word(run: Run, _: int) -> None:
    """Few words with very many cards."""
    for _ in range(4):
        run.bulk("one", 1, 50_000)
    words = sorted(run.index.filed)
    run.limit = 3
    for turn in range(5_000):
        word = run.chance.of(words)
        cards = run.index.filed[word]
        kind = turn % 4
        if kind == 0:
            run.say("put", word, run.chance.below(1 << 32))
        elif kind == 1:
            run.say("drop", word, run.chance.of(cards))
        elif kind == 2:
            run.say("cards", word, run.chance.below(len(cards)), 2)
        else:
            run.say("list", word, "~", run.chance.below(len(cards)), 2)
    for turn in range(3):
        run.say("move", words[turn], words[turn + 1])
        run.say("words", "a", "~", 0, 9)


def volume_weeding(run: Run, _: int) -> None:
    """Many small ranges, and some large ones."""
    for turn in range(5):
        for stem in ("ebb", "neap", "voe"):
            run.bulk(stem, 30_000 - 2_000 * turn)
        run.mixed(800, {"weed": 4, "count": 2, "list": 1, "next": 1, "prev": 1}, 40)
        run.say("weed", "a", "~", 3, turn % 3)
        run.say("weed", "f", "s", 2, 1)
        run.say("count", "a", "~")


# --------------------------------------------------------------------------------------------------- large and turnover
FULL = 1_595_000  # of the 1,600,000 that the statement allows; the rest is for what is filed one by one


def fill(run: Run, stems: Sequence[str], most: int, each: int = 1) -> None:
    """Bulks of nearly 50,000, by turns below each stem, until `most` are there or no more are allowed."""
    turn = 0
    while (room := min(50_000, most - run.index.live, 600_000 - run.index.bulked)) >= each:
        run.bulk(stems[turn % len(stems)], room // each, each)
        turn += 1


def large(run: Run, number: int) -> None:
    """Words of forty letters, few of them alike in more than the stem; all over the order again and again."""
    run.limit = 2
    fill(run, ("m-common-stem-16", "sixteen-letters-"), FULL)
    run.mixed(2_500, FILING | ASKING)
    if number == 3:
        run.mixed(4_000, FILING | ASKING)
        run.say("list", "a", "~", 1_500_000, 50)
    run.say("count", "a", "~")


def turnover(run: Run, number: int) -> None:
    """Nearly all goes, card by card all over the index, and others come: the sparse blocks and the empty ones."""
    run.limit = 2
    stems = [f"turn-{number}-{part}-steady" for part in "abc"]
    fill(run, stems, 900_000, 3)
    run.say("count", "a", "~")
    for divisor in (2, 4, 8, 16):
        run.say("weed", f"turn-{number}", "~", divisor, divisor // 2 - 1)
        run.mixed(150, FILING | ASKING)
    run.say("count", "a", "~")
    run.mixed(600, FILING | ASKING)


# Each entry: seed, a run's commands, and how many runs there are (None: one, which is no chain).
Test = tuple[int, Callable[[Run, int], None], int | None]
STORED: dict[str, dict[str, Test]] = {
    "1-basic": {
        "01-pairs": (11, basic_pairs, None),
        "02-ranges": (12, basic_ranges, None),
        "03-neighbours": (13, basic_neighbours, None),
        "04-bulk": (14, basic_bulk, None),
        "05-weed-and-move": (15, basic_weed_and_move, None),
        "06-everything": (16, basic_everything, None),
        "07-nothing-there": (17, basic_nothing_there, None),
    },
    "2-edges": {
        "01-long-words": (21, edges_long_words, None),
        "02-order": (22, edges_order, None),
        "03-one-word": (23, edges_one_word, None),
        "04-bulk-again": (24, edges_bulk_again, None),
        "05-moves": (25, edges_moves, None),
        "06-emptied": (26, edges_emptied, None),
        "07-boundaries": (27, edges_boundaries, None),
    },
    "3-restart": {
        "01-small": (31, restart_small, 4),
        "02-quiet": (32, restart_quiet, 3),
        "03-growing": (33, restart_growing, 4),
        "04-emptied": (34, restart_emptied, 4),
    },
}
LARGE: dict[str, dict[str, Test]] = {
    "4-volume": {
        "01-asking": (41, volume_asking, None),
        "02-filing": (42, volume_filing, None),
        "03-one-word": (43, volume_one_word, None),
        "04-weeding": (44, volume_weeding, None),
    },
    "5-large": {"01-full": (51, large, 4)},
    "6-turnover": {"01-turns": (61, turnover, 5)},
}


def write(place: Path, name: str, run: Run) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for suffix, lines in ((".in", run.commands), (".ans", run.answers)):
        (place / (name + suffix)).write_text("".join(f"{line}\n" for line in lines), "ascii")


def write_test(place: Path, name: str, test: Test) -> None:
    seed, commands, runs = test
    chance, index = Chance(seed), Index()
    for number in range(runs or 1):
        run = Run(chance, index)
        commands(run, number)
        write(place, name if runs is None else f"{name}-run{number + 1}", run)


def write_samples(place: Path) -> None:
    run = Run(Chance(1), Index())
    sample_one(run)
    write(place, "1", run)
    index = Index()
    for number in range(3):
        run = Run(Chance(1), index)
        sample_two(run, number)
        write(place, f"2-run{number + 1}", run)


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--large"]
    made_later = "--large" in sys.argv[1:]
    data = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent / "data"
    if not made_later:
        write_samples(data / "sample")
    for group, tests in (LARGE if made_later else STORED).items():
        for name, test in tests.items():
            write_test(data / "secret" / group, name, test)


if __name__ == "__main__":
    main()
