# rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
"""Writes data/sample and data/secret: what each test asks for, by seeded chance, and the model's answers.

Usage: ``python3 generators/make.py [DIRECTORY [GROUP...]]`` (default: the package's ``data``, all groups). The same
files come out each time; all of them take some twenty seconds.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from model import Library

BOTTOM = 9_999_999
SAWN_BOTTOM = 2**32 // 512 - 1
PLACES = ["aster", "borealis", "camp-17", "dome-c", "egrip", "firn", "gisp2", "hielo", "isua", "jokull", "kap-york"]
KINDS = ["o18", "dust", "ch4", "be10", "tephra", "blank", "spare"]


class Run:
    """One run's commands as they are written; each is also done, so that later ones can aim at what is there."""

    def __init__(self, random: random.Random, library: Library) -> None:
        self.random, self.library = random, library
        self.commands: list[str] = []
        self.answers: list[str] = []

    def say(self, *words: object) -> list[str]:
        command = " ".join(map(str, words))
        self.commands.append(command)
        answer = self.library.answer(command)
        self.answers += answer
        return answer

    def held(self) -> list[str]:
        """Cores that hold samples."""
        return list(self.library.depths)

    def core(self) -> str:
        return self.random.choice(self.held() or PLACES)

    def depth(self, core: str, hit: float = 0.9) -> int:
        """A depth where there is a sample, or (by chance) any depth."""
        depths = self.library.depths.get(core)
        if depths and self.random.random() < hit:
            return depths[self.random.randrange(len(depths))]
        return self.random.randint(0, BOTTOM)

    def range(self, core: str, share: float | None = None) -> tuple[int, int]:
        """A range of depths; ``share``: about how much of the core's samples it holds. Often ends at samples."""
        depths = self.library.depths.get(core) or [0]
        size = len(depths)
        length = self.random.randint(1, size) if share is None else max(1, min(size, int(size * share)))
        first = self.random.randint(0, size - length)
        low, high = depths[first], depths[first + length - 1]
        nudge = self.random.randrange(6)
        if nudge == 0:
            high = max(low, high - 1)
        elif nudge == 1:
            low = min(high, low + 1)
        elif nudge == 2:
            low, high = max(0, low - 1), min(BOTTOM, high + 1)
        elif nudge == 3:
            low, high = sorted((self.random.randint(0, BOTTOM), self.random.randint(0, BOTTOM)))
        return low, high

    def prefix(self) -> str:
        marks = self.library.marks
        if not marks or self.random.random() < 0.05:
            return self.random.choice("xyz") + str(self.random.randint(0, 99))
        tag = self.random.choice(marks)[0]
        return tag[: self.random.choice([1, 2, 3, 4, 5, len(tag)])]

    def saw(self, core: str, count: int, tag: str) -> None:
        self.say("saw", core, self.random.randrange(2**32), count, tag)

    def mixed(self, count: int, weights: dict[str, int], tags: Callable[[], str], grams: int = 1000) -> None:
        """``count`` commands by ``weights``."""
        names, shares = list(weights), list(weights.values())
        for name in self.random.choices(names, shares, k=count):
            core = self.core()
            if name == "add":
                where = core if self.random.random() < 0.8 else self.random.choice(PLACES)
                self.say(name, where, self.depth(where, 0.1), self.random.randint(1, grams), tags())
            elif name == "take":
                depth = self.depth(core)
                place = self.library.place(core, depth)
                # All of it, a part of it, or too much.
                most = 1 if place is None else self.library.grams[core][place]
                weight = self.random.choice([most, self.random.randint(1, most), most + 1, 1])
                self.say(name, core, depth, min(weight, 1_000_000))
            elif name == "tag":
                self.say(name, core, self.depth(core), tags())
            elif name == "show":
                self.say(name, core, self.depth(core))
            elif name in {"weigh", "heaviest"}:
                self.say(name, core, *self.range(core))
            elif name == "melt":
                self.say(name, core, *self.range(core, self.random.choice([0.001, 0.01, 0.05])))
            elif name == "find":
                self.say(name, self.prefix(), self.random.choice([0, 1, 2, 3, 5]))
            elif name == "rename":
                self.say(name, core, self.random.choice([*PLACES, "new-" + str(self.random.randint(0, 9))]))
            elif name == "cores":
                self.say(name)


def words(chance: random.Random) -> Callable[[], str]:
    """Tags of people: a kind, a number, sometimes more; some are the beginning of others."""

    def tag() -> str:
        text = chance.choice(KINDS)
        if chance.random() < 0.7:
            text += chance.choice("-.") + str(chance.randint(0, 40))
        if chance.random() < 0.2:
            text += "." + chance.choice("abc")
        return text

    return tag


EVEN = {"add": 30, "take": 12, "tag": 8, "show": 10, "weigh": 12, "heaviest": 8, "find": 12, "melt": 3, "cores": 1}
EVEN["rename"] = 2
ASKING = {"weigh": 45, "heaviest": 25, "find": 20, "take": 5, "add": 5}
HANDLING = {"add": 35, "take": 25, "tag": 15, "show": 25}


# ------------------------------------------------------------------------------------------------------------- samples
def sample_one(run: Run) -> None:
    for command in (
        "add gisp2 1200 350 o18",
        "add gisp2 1450 500 dust-3",
        "add gisp2 1450 90 o18",
        "add egrip 80 500 dust-3.a",
        "take gisp2 1200 50",
        "take gisp2 1200 301",
        "weigh gisp2 0 9999999",
        "weigh gisp2 1201 1449",
        "heaviest gisp2 0 9999999",
        "find dust 5",
        "find dust-3 1",
        "find ch4 5",
        "tag egrip 80 o18",
        "show egrip 80",
        "take gisp2 1200 300",
        "show gisp2 1200",
        "saw firn 2026 3 ch4",
        "find ch4 2",
        "weigh firn 0 9999999",
        "rename gisp2 egrip",
        "rename gisp2 gisp3",
        "cores",
        "melt firn 0 8000000",
        "melt gisp2 0 9999999",
    ):
        run.say(command)


def sample_two(run: Run, number: int) -> None:
    commands = (
        ("add dome-c 3200 700 be10", "add dome-c 3190 700 be10", "saw dome-c 7 2 dust", "add isua 5 20 spare", "cores"),
        ("cores", "heaviest dome-c 0 9999999", "find be10 10", "melt dome-c 3195 9999999", "rename isua jokull"),
        ("cores", "show jokull 5", "show isua 5", "find dust 10", "weigh dome-c 0 9999999"),
    )
    for command in commands[number]:
        run.say(command)


# --------------------------------------------------------------------------------------------------------------- basic
def basic_register(run: Run, _: int) -> None:
    run.mixed(60, {"add": 60, "show": 40}, words(run.random))
    run.mixed(120, {"add": 30, "show": 30, "take": 40, "tag": 15}, words(run.random))


def basic_ranges(run: Run, _: int) -> None:
    run.mixed(80, {"add": 1}, words(run.random))
    run.mixed(250, {"weigh": 40, "heaviest": 30, "melt": 4, "add": 20}, words(run.random))
    run.say("cores")


def basic_tags(run: Run, _: int) -> None:
    run.mixed(80, {"add": 1}, words(run.random))
    run.mixed(250, {"find": 50, "tag": 25, "add": 15, "take": 10}, words(run.random))


def basic_saw(run: Run, _: int) -> None:
    for core in ("gisp2", "egrip", "gisp2"):
        run.saw(core, run.random.randint(1, 300), run.random.choice(KINDS))
        run.mixed(60, EVEN, words(run.random))
    run.saw("firn", 1, "ten-signs.")


def basic_everything(run: Run, _: int) -> None:
    run.mixed(600, EVEN, words(run.random))


NOTHING = """\
cores
show firn 0
take firn 0 1
tag firn 0 x
rename firn gisp2
rename firn firn
melt firn 0 9999999
weigh firn 0 0
heaviest firn 0 9999999
find a 3
add firn 0 1 a
rename firn firn
find a 3
find aa 3
add firn 0 1 a
take firn 0 2
take firn 0 1
take firn 0 1
cores
"""


def basic_nothing_there(run: Run, _: int) -> None:
    """Every command before anything is there, and after all of it is gone."""
    for command in 2 * NOTHING.splitlines():
        run.say(command)


# ------------------------------------------------------------------------------------------------------------- restart
def restart_small(run: Run, number: int) -> None:
    if number:
        run.say("cores")
        run.say("find", run.prefix(), 50)
    run.mixed(150, EVEN, words(run.random))


def restart_quiet(run: Run, number: int) -> None:
    """The second run has no command at all, the third only asks."""
    if number == 0:
        for core in PLACES[:4]:
            run.saw(core, 700, run.random.choice(KINDS))
        run.mixed(200, EVEN, words(run.random))
    elif number >= 2:
        run.mixed(250, {"weigh": 4, "heaviest": 3, "find": 3, "show": 3, "cores": 1}, words(run.random))


def restart_growing(run: Run, number: int) -> None:
    for core in run.random.sample(PLACES, 3):
        run.saw(core, 1500, run.random.choice(KINDS))
    run.mixed(700, EVEN, words(run.random))
    if number == 1:
        for core in run.held()[::2]:
            run.say("melt", core, 0, BOTTOM)
    run.say("cores")


def restart_renamed(run: Run, number: int) -> None:
    """Names that change hands, and cores that come back under the name of one that is gone."""
    names = ["aa", "ab", "b", "ba", "c"]
    for _ in range(40):
        one, other = run.random.sample(names, 2)
        run.say("rename", one, other)
        if run.random.random() < 0.4:
            run.say("saw", one, run.random.randrange(2**32), run.random.randint(1, 40), run.random.choice(KINDS))
        if run.random.random() < 0.2:
            run.say("melt", other, 0, BOTTOM)
        run.say("find", run.random.choice(KINDS)[:2], 6)
        run.say("weigh", other, *run.range(other))
    run.say("cores")


# -------------------------------------------------------------------------------------------------------------- volume
def volume_asking(run: Run, _: int) -> None:
    """Wide ranges over one large core: nobody has the time to look at every sample."""
    for number in range(12):
        run.saw(PLACES[0 if number < 10 else 1], 20_000, KINDS[number % 3])
    for _ in range(4000):
        name = run.random.choices(list(ASKING), list(ASKING.values()))[0]
        if name in {"weigh", "heaviest"}:
            core = PLACES[0] if run.random.random() < 0.9 else run.core()
            run.say(name, core, *run.range(core, run.random.uniform(0.5, 1)))
        elif name == "find":
            run.say(name, run.random.choice(KINDS[:3])[: run.random.randint(1, 4)], run.random.randint(0, 3))
        else:
            run.mixed(1, {name: 1}, words(run.random))


def volume_handling(run: Run, _: int) -> None:
    for number in range(6):
        run.saw(PLACES[number], 10_000, KINDS[number])
    run.mixed(9000, HANDLING, words(run.random))
    run.say("cores")


def volume_turnover(run: Run, _: int) -> None:
    """Much comes and goes, and cores change their names."""
    for turn in range(30):
        core = PLACES[turn % 7]
        run.saw(core, 8000, KINDS[turn % 5])
        run.mixed(60, EVEN | {"rename": 0}, words(run.random))
        run.say("melt", *(lambda where: (where, *run.range(where, 0.6)))(run.core()))
        if turn % 6 == 5:
            run.say("rename", core, f"old-{turn}")
        run.say("find", KINDS[turn % 5], 2)
    run.say("cores")


# --------------------------------------------------------------------------------------------------------------- edges
def edges_ties(run: Run, _: int) -> None:
    """Few different weights and depths, so that nearly everything is a tie."""
    choose = run.random.choice
    for depth in range(400):
        run.say("add", choose(["t", "tt"]), depth, choose([5, 5, 6]), choose(["x", "xx", "x-", "x."]))
    for _ in range(400):
        low, high = sorted((run.random.randint(0, 400), run.random.randint(0, 400)))
        run.say("heaviest", choose(["t", "tt"]), low, high)
        run.say("find", choose(["x", "xx", "x-", "xxx", "x."]), choose([0, 1, 50]))
        run.mixed(1, {"take": 3, "tag": 3, "melt": 1}, lambda: choose(["x", "xx", "x-", "x."]))


def edges_large_sums(run: Run, _: int) -> None:
    for number in range(6000):
        run.say("add", "heavy", number * 1666, 1_000_000 - number % 3, "full")
    run.say("add", "heavy", BOTTOM, 1_000_000, "full")
    run.say("add", "heavy", 1, 1_000_000, "full")
    for _ in range(100):
        run.say("weigh", "heavy", *run.range("heavy"))
        run.say("heaviest", "heavy", *run.range("heavy"))
    run.say("cores")
    run.say("melt", "heavy", 0, BOTTOM - 1)
    run.say("cores")
    run.say("melt", "heavy", BOTTOM, BOTTOM)


def edges_longest_words(run: Run, _: int) -> None:
    """Names of twelve signs, tags of sixteen, and such that only differ in the last."""
    cores = ["abcdefghijk" + last for last in "a0-z9"] + ["abcdefghijk", "a"]
    tags = ["zzzzzzzzzzzzzzz" + last for last in "a0-.z9"] + ["zzzzzzzzzzzzzzz", "z", "0", "-", ".", "007", "7"]
    for _ in range(500):
        core = run.random.choice(cores)
        depth = run.random.choice([0, 1, 10, 2, BOTTOM, 100])
        run.say("add", core, depth, run.random.randint(1, 9), run.random.choice(tags))
        tag = run.random.choice(tags)
        run.say("find", tag[: run.random.randint(1, 16)], run.random.randint(0, 50))
        run.mixed(1, {"take": 3, "tag": 2, "show": 1}, lambda: run.random.choice(tags))
    run.say("cores")


def edges_same_piece(run: Run, _: int) -> None:
    """The saw again where it was before: what is there stays, what was taken comes back."""
    seeds = [0, 1, 2**32 - 1, 1013904223]
    for seed in seeds:
        run.say("saw", "twice", seed, 3000, "a")
    for seed in seeds:
        run.mixed(100, {"take": 1}, words(run.random))
        run.say("saw", "twice", seed, 3000, "b")
        run.say("find", "b", 50)
        run.say("find", "a", 50)
    # Many pieces: some fall on a depth that this very command has used.
    run.say("saw", "crowd", 77, 20_000, "c")
    for depth in run.library.depths["crowd"][::60]:
        run.say("show", "crowd", depth)
    run.say("cores")


def edges_many_cores(run: Run, _: int) -> None:
    names = [f"{run.random.choice('abc')}{number}" for number in range(400)]
    for name in names:
        run.saw(name, run.random.randint(1, 60), run.random.choice(KINDS))
    run.say("cores")
    for name in run.random.sample(names, 200):
        run.say("melt", name, 0, run.random.choice([BOTTOM, SAWN_BOTTOM // 2]))
    for name in names[:80]:
        run.say("rename", name, "r" + name)
    run.mixed(400, EVEN | {"add": 0, "rename": 0}, words(run.random))
    run.say("cores")


# ----------------------------------------------------------------------------------------------------------- endurance
# Of the 250,000 samples that the statement allows; the rest is for what is added one by one.
FULL = 249_000


def endurance(run: Run, number: int) -> None:
    """Full to the last place, then emptied and filled again, run after run."""
    turn = number * 14
    while turn < number * 14 + 14:
        core = f"{PLACES[turn % 11]}{turn // 11 % 3}"
        if FULL - run.library.live < 20_000:
            for where in run.random.sample(run.held(), 3):
                run.say("melt", where, *run.range(where, 0.9))
            continue
        run.saw(core, 20_000, f"{KINDS[turn % 7]}.{turn % 5}")
        run.mixed(60, EVEN | {"rename": 0, "melt": 1}, words(run.random))
        turn += 1
    while run.library.live < FULL:
        run.saw("last", min(20_000, FULL - run.library.live), "last")
    run.mixed(600, ASKING | HANDLING, words(run.random))
    run.say("rename", run.core(), f"moved-{number}")
    run.say("cores")


# Each entry: seed, a run's commands, and how many runs there are (None: one, which is no chain).
Test = tuple[int, Callable[[Run, int], None], int | None]
SECRET: dict[str, dict[str, Test]] = {
    "1-basic": {
        "01-register": (11, basic_register, None),
        "02-ranges": (12, basic_ranges, None),
        "03-tags": (13, basic_tags, None),
        "04-saw": (14, basic_saw, None),
        "05-everything": (15, basic_everything, None),
        "06-nothing-there": (16, basic_nothing_there, None),
    },
    "2-restart": {
        "01-small": (21, restart_small, 4),
        "02-quiet": (22, restart_quiet, 3),
        "03-growing": (23, restart_growing, 4),
        "04-renamed": (24, restart_renamed, 3),
    },
    "3-edges": {
        "01-ties": (31, edges_ties, None),
        "02-large-sums": (32, edges_large_sums, None),
        "03-longest-words": (33, edges_longest_words, None),
        "04-same-piece": (34, edges_same_piece, None),
        "05-many-cores": (35, edges_many_cores, None),
    },
    "4-volume": {
        "01-asking": (41, volume_asking, None),
        "02-handling": (42, volume_handling, None),
        "03-turnover": (43, volume_turnover, None),
    },
    "5-endurance": {"01-full": (51, endurance, 4)},
}


def write(directory: Path, name: str, seed: int, commands: Callable[[Run, int], None], runs: int | None) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    chance, library = random.Random(seed), Library()
    for number in range(runs or 1):
        run = Run(chance, library)
        commands(run, number)
        path = directory / (name if runs is None else f"{name}-run{number + 1}")
        path.with_suffix(".in").write_text("".join(f"{line}\n" for line in run.commands), "ascii")
        path.with_suffix(".ans").write_text("".join(f"{line}\n" for line in run.answers), "ascii")


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "data"
    write(data / "sample", "1", 1, lambda run, _: sample_one(run), None)
    write(data / "sample", "2", 2, sample_two, 3)
    for group in sys.argv[2:] or SECRET:
        for name, (seed, commands, runs) in SECRET[group].items():
            write(data / "secret" / group, name, seed, commands, runs)


if __name__ == "__main__":
    main()
