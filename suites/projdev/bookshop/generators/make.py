# rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
"""Writes the test data from seeds, answers by ``model.py``.

Usage: ``python3 generators/make.py [DIRECTORY]`` writes what is stored in the package (default: its ``data``);
``python3 generators/make.py --large DIRECTORY`` what is made when the package is judged. Randomness is our own, so that
no version of Python changes a file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model import Run, Shop

VISIBLE = "".join(map(chr, range(33, 127)))
TEXT = VISIBLE.replace('"', "")
KEY = TEXT.replace("|", "")
IDENTIFIER = "ABCXYZabcxyz0123456789_"


class Chance:
    """Numbers by splitmix64."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & (1 << 64) - 1
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        return (mixed ^ mixed >> 31) % limit

    def of(self, items: Any) -> Any:
        return items[self.below(len(items))]

    def word(self, characters: str, longest: int) -> str:
        return "".join(self.of(characters) for _ in range(1 + self.below(longest)))


class Script:
    """The lines of one run, with their answers."""

    def __init__(self, chance: Chance, shop: Shop) -> None:
        self.chance, self.shop, self.run = chance, shop, Run(shop)
        self.lines: list[str] = []
        self.answers: list[str] = []

    def say(self, *words: object) -> None:
        line = " ".join(map(str, words))
        self.lines.append(line)
        self.answers += self.run.answer(line)

    def owner(self) -> None:
        self.say("login owner", self.shop.accounts["owner"][0])

    def code(self) -> str:
        """Mostly that of a book."""
        codes = list(self.shop.books) if len(self.shop.books) < 200 else []
        return self.chance.of(codes) if codes and self.chance.below(10) else self.chance.word(IDENTIFIER, 4)

    def price(self) -> str:
        whole = self.chance.of(["0", "1", "7", "12", "007", "99", str(self.chance.below(2000))])
        return whole + self.chance.of(["", "", ".5", ".05", ".50", ".99", ".0"])

    def keys(self) -> str:
        found = {self.chance.of(["woods", "pond", "sea", "war", "peace", "whale", "war-and"]) for _ in range(3)}
        return "|".join(sorted(found, reverse=self.chance.below(2) == 0))

    def field(self, name: str) -> str:
        chance = self.chance
        if name == "code":
            return f"code={self.code()}"
        if name == "price":
            return f"price={self.price()}"
        if name == "keys":
            return f"keys={self.keys()}"
        return f"{name}={chance.of(['Walden', 'Moby', 'War=Peace', 'x', 'X'])}"

    def stock(self) -> None:
        """One of the commands on books."""
        chance = self.chance
        kind = chance.below(11)
        if kind < 2:
            self.say("choose", self.code())
        elif kind < 5:
            names = [name for name in ("title", "author", "keys", "price", "code") if chance.below(3) == 0]
            self.say("change", *map(self.field, names or ["title"]))
        elif kind < 7:
            self.say("import", 1 + chance.below(50), self.price())
        elif kind < 9:
            self.say("buy", self.code(), 1 + chance.below(12))
        else:
            self.ask()

    def ask(self) -> None:
        chance = self.chance
        kind = chance.below(8)
        if kind == 0:
            self.say("find")
        elif kind == 1:
            self.say("ledger")
        elif kind == 2:
            self.say("ledger", 1 + chance.below(len(self.shop.earned)))
        elif kind == 3:
            self.say("find", f"code={self.code()}")
        elif kind < 6:
            self.say("find", f"key={chance.of(['woods', 'pond', 'sea', 'war', 'peace', 'wa', 'war-and'])}")
        else:
            self.say("find", self.field(chance.of(["title", "author"])))

    def people(self) -> None:
        """One of the commands on accounts and the stack."""
        chance, names = self.chance, ["owner", "ann", "bob", "cat", "dan", "eve", "Ann", "nobody"]
        name = chance.of(names)
        account = self.shop.accounts.get(name)
        password = account[0] if account and chance.below(5) else chance.of(["pw", "owner", "p2"])
        kind = chance.below(16)
        if kind < 4:
            self.say("login", name, *([password] if chance.below(3) else []))
        elif kind < 7:
            self.say("logout")
        elif kind < 9:
            self.say("register", name, "pw", f"{name}!")
        elif kind < 12:
            self.say("hire", name, "pw", chance.of(["1", "2", "2", "3", "0"]), f"<{name}>")
        elif kind < 14:
            self.say("password", name, *([password] if chance.below(3) else []), chance.of(["pw", "p2", "p3"]))
        elif kind == 14:
            self.say("dismiss", name)
        else:
            self.say("accounts")


Made = Callable[[Script, int], None]


# --------------------------------------------------------------------------------------------------------------- basic
def basic_books(script: Script, _: int) -> None:
    script.owner()
    script.say("find")
    script.say("ledger")
    for _ in range(250):
        script.stock()
    script.say("find")
    script.lines.append("quit")


def basic_accounts(script: Script, _: int) -> None:
    script.say("register ann pw Ann-A.")
    script.say("login ann pw")
    script.say("find")
    script.say("password ann pw p2")
    script.say("logout")
    script.say("login ann p2")
    script.owner()
    script.say("hire bob pw 2 Bob")
    script.say("hire cat pw 1 Cat")
    script.say("accounts")
    script.say("login bob")
    script.say("hire dan pw 1 Dan")
    script.say("choose b-1")
    script.say("change title=Walden price=3.5 keys=pond|woods author=Thoreau")
    script.say("import 10 20")
    script.say("login dan")
    script.say("buy b-1 4")
    script.say("find key=woods")
    script.say("logout")
    script.say("logout")
    script.say("password bob new")
    script.say("dismiss cat")
    script.say("accounts")
    script.say("ledger 1")
    script.say("ledger")


def basic_end(script: Script, _: int) -> None:
    """Ends with ``quit``, behind which nothing is answered."""
    script.owner()
    for _ in range(60):
        script.stock()
    script.say("find")
    script.lines += ["quit", "find", "ledger"]


def basic_all(script: Script, _: int) -> None:
    script.owner()
    for _ in range(500):
        script.stock()
        if script.chance.below(12) == 0:
            script.say("hire", script.chance.word(IDENTIFIER, 8), "pw", 1 + script.chance.below(2), "Somebody")
    script.say("accounts")
    script.say("find")


# --------------------------------------------------------------------------------------------------------------- words
def try_words(script: Script, before: str, words: list[str], after: str = "") -> None:
    for word in words:
        script.say(*filter(None, [before, word, after]))


LONG = "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz"
AMOUNTS = ["0", "00", "0.0", "0.00", "0.01", "7", "007", "7.5", "7.50", "7.505", "7.", ".5", ".", "7.5.0", "-7", "+7", "7,5", "1e3",
           "0x1", "9999999999", "99999999.99", "9999999.99", "99999999999", "12345678.9", "12345678.90", "7.5a", "a", "0.001"]  # fmt: skip
COUNTS = ["1", "0", "01", "-1", "+1", "1.0", "999999999", "1000000000", "9999999999", "a", "1a", "0x1", "00", "899999999", "99999999999999999999"]


def words_amounts(script: Script, _: int) -> None:
    script.owner()
    script.say("choose b")
    for amount in AMOUNTS:
        script.say("change", f"price={amount}")
        script.say("find code=b")
        script.say("import 1", amount)
        script.say("ledger")
    script.say("change price=0.01")
    for number in COUNTS:
        for code in ("b", "none"):
            script.say("buy", code, number)
        script.say("ledger", number)
    for number in COUNTS:
        script.say("choose", f"c{number}")
        script.say("import", number, "1")
        script.say("find", f"code=c{number}")
    for number in COUNTS:
        script.say("buy c999999999", number)
    script.say("ledger")


def words_names(script: Script, _: int) -> None:
    names = ["a", "_", "0", LONG[:30], LONG[:31], "a-b", "a.b", "a@", "A|b", 'q"q', "Zz9", "~", LONG[:29] + "!"]
    for name in names:
        script.say("register", name, "pw", "Name")
        script.say("register", f"p{len(script.lines)}", name, "Name")
        script.say("register", f"n{len(script.lines)}", "pw", name)
    script.owner()
    script.say("accounts")
    for name in names:
        script.say("hire", f"h{len(script.lines)}", "pw", 1, name)
        script.say("hire", name, "pw", 2, "N")
        script.say("password a", name)
        script.say("password owner owner", name)
        script.say("password owner", name, "owner")
        for line in (f"login {name}", f"login {name} pw"):
            script.say(line)
            if len(script.run.stack) > 1:
                script.say("logout")
    for rank in ("0", "1", "2", "3", "01", "1.", "-1", "a", "7", "+2"):
        script.say("hire", f"r{len(script.lines)}", "pw", rank, "N")
    script.say("accounts")


def words_fields(script: Script, _: int) -> None:
    script.owner()
    script.say("choose", "b")
    values = ["x", "", LONG[:60], LONG[:61], 'a"b', '"', "a|b", "a||b", "|a", "a|", "|", "a|a", "a|b|a", "A|a", "a=b", "=", "~!#$%&'()*+,-./",
              LONG[:20], LONG[:21], "a|bb|a|c", LONG[:29] + "|" + LONG[:30], LONG[:30] + "|" + LONG[:30]]
    for name in ("title", "author", "keys", "code"):
        for value in values:
            script.say("change", f"{name}={value}")
            script.say("find")
    for name in ("title", "author", "key", "code"):
        for value in values:
            script.say("find", f"{name}={value}")
    for value in values:
        script.say("choose", value)
        script.say("buy", value, 1)
    for line in (
        "change", "change title", "change =x", "change x=y", "change Title=x", "change title=a title=b", "change title=a title=a", "find keys=a",
        "change title=a author=b title=a", "change keys=a keys=b", "change price=1 price=2", "change code=q code=r", "find title", "find =a",
        "change title=T1 price=1.", "change title=T2 keys=a|a", "change author=A2 code=x", "find", "find price=1", "find x=y", "find Title=x",
        "change title=a author=b keys=c price=4 code=e", "find code=e", "change title=a author=b keys=c price=4 code=f title=g", "find title=a author=b",
    ):
        script.say(line)
    script.say("find")


def words_lines(script: Script, _: int) -> None:
    script.owner()
    for line in (
        "", " ", "     ", " find", "find ", "  find  ", "choose    b", "  change   title=x   price=2  ", "find title=x", "Find", "FIND", "find find",
        "choose", "choose a b", "quit now", "quit quit", "Quit", "QUIT", "logout now", "logout", "logout", "find", "login", "login owner owner owner",
        " login  owner  owner ", "login owner owner ", "ledger 1 1", "accounts all", "import", "import 1", "import 1 1 1", "buy b", "buy b 1 1", "buy",
        "register a b", "register a b c d", "register", "hire a b 1", "hire a b 1 c d", "password", "password owner", "password owner owner x y", "dismiss",
        "dismiss a b", "refused", "ok", "none", "exit", "login=owner", "choose c", "find", "ledger", "answer", "rank", "do_find", "__init__", "add a b 1 c",
    ):
        script.say(line)
    script.lines += ["  quit  ", "find"]


def words_random(script: Script, _: int) -> None:
    """Commands with one character too many, too few, or another one."""
    script.owner()
    for _ in range(500):
        before = len(script.lines), len(script.answers)
        if before[0] < 60 or script.chance.below(3) == 0:
            script.stock()
            continue
        trial = Script(script.chance, Shop())  # only to get a line
        trial.shop.books = dict(script.shop.books)
        trial.stock()
        line = trial.lines[0]
        at = script.chance.below(len(line))
        kind = script.chance.below(3)
        line = line[:at] + ("" if kind == 0 else script.chance.of(' "|=.0aA_-')) + line[at + (kind != 1) :]
        if line.split() != ["quit"]:
            script.say(line)
    script.say("find")


# --------------------------------------------------------------------------------------------------------------- ranks
def ranks(script: Script, _: int) -> None:
    for number in range(420):
        script.people()
        if script.chance.below(2):
            script.stock()
        if number % 60 == 30:
            script.owner()
            script.owner()
    script.owner()
    script.say("accounts")
    script.say("find")


def every_rank(script: Script, _: int) -> None:
    """Every command at every rank."""
    script.owner()
    script.say("hire clerk pw 2 C")
    script.say("hire customer pw 1 K")
    script.say("choose b")
    script.say("change title=T price=5")
    script.say("import 100 1")
    script.say("logout")
    for entry in ("", "login customer pw", "login clerk pw", "login owner owner"):
        if entry:
            script.say(entry)
        tag = len(script.lines)
        for line in (
            "find", "find code=b", "buy b 1", "ledger", "ledger 1", "accounts", "choose b", "choose new", "change author=A", "import 1 1", "login customer", "logout",
            "login clerk", "logout", "login owner", f"register r{tag} pw R", f"hire h{tag} pw 1 H", f"hire i{tag} pw 2 I", f"hire j{tag} pw 3 J",
            f"password r{tag} pw p2", f"password r{tag} p3", "dismiss customer", f"dismiss r{tag}", "password owner owner owner", "find title=T",
        ):
            script.say(line)
            if script.run.rank() > 0 and line == "login owner":
                script.say("logout") if script.chance.below(2) else None
    for _ in range(8):
        script.say("logout")
    script.owner()
    script.say("accounts")


def chosen(script: Script, _: int) -> None:
    """Chosen books of several entries, and books whose code changes under them."""
    script.owner()
    script.say("hire clerk pw 2 C")
    script.say("import 1 1")
    script.say("change title=x")
    script.say("choose a")
    script.say("login clerk pw")
    script.say("change title=none")
    script.say("choose a")
    script.say("change code=b title=renamed")
    script.say("logout")
    script.say("change author=still")
    script.say("find")
    script.say("choose a")
    script.say("login owner owner")
    script.say("import 5 5")
    script.say("choose b")
    script.say("import 5 5")
    script.say("change code=a")
    script.say("change code=b")
    script.say("change code=c")
    script.say("logout")
    script.say("import 2 2")
    script.say("change code=b")
    script.say("find")
    for _ in range(300):
        kind = script.chance.below(6)
        if kind == 0:
            script.say("login", script.chance.of(["clerk pw", "owner owner"]))
        elif kind == 1 and len(script.run.stack) > 1:
            script.say("logout")
        elif kind == 2:
            script.say("choose", script.chance.of("abcdef"))
        elif kind == 3:
            script.say("change", f"code={script.chance.of('abcdef')}")
        elif kind == 4:
            script.say("import", 1 + script.chance.below(9), 1)
        else:
            script.say("find")


# ------------------------------------------------------------------------------------------------------------- restart
def restart(script: Script, number: int) -> None:
    if number % 3 == 2:
        script.say("find")
    script.owner()
    script.say("find")
    script.say("accounts")
    script.say("import 1 1")
    for _ in range(120):
        script.stock()
        if script.chance.below(3) == 0:
            script.people()
            script.owner()
    if number % 2:
        script.say("find")
        script.lines.append("quit")


def restart_quiet(script: Script, number: int) -> None:
    """Runs that change nothing, or one thing only."""
    if number in (1, 4):
        return
    script.owner()
    script.say(["register a pw A", "", "password a p2", "find", "", "choose only", "dismiss a", "accounts"][number])
    script.say("login a p2")
    script.say("accounts")
    script.say("find")
    script.say("ledger")


# -------------------------------------------------------------------------------------------------------------- volume
def volume(script: Script, number: int) -> None:
    """20,000 books: 10,000 made in each of the first two runs, then changes and searches."""
    chance = script.chance
    script.owner()
    if number < 2:
        for at in range(10_000):
            script.say("choose", f"{(at * 7919 + number * 104_729) % 1_000_003:07d}-{number}{at % 7}")
            keys = {f"k{chance.below(3000)}-{chance.word(KEY.lower(), 12)[:8] if chance.below(4) == 0 else 'x'}" for _ in range(3)}
            title, author = f"T{chance.below(15_000)}", f"A{chance.below(4000)}"
            script.say("change", f"title={title:_<40}", f"author={author}", f"keys={'|'.join(sorted(keys))[:60].rstrip('|')}", f"price={chance.below(90)}.{chance.below(100):02d}")
            if at % 2:
                script.say("import", 1 + chance.below(100), 1 + chance.below(500))
            if at % 3 == 0:
                script.say("find", f"title={title:_<40}")
    codes = sorted(script.shop.books)
    for _ in range(3_000 if number < 2 else 14_000):
        kind, book = chance.below(8), script.shop.books.get(chance.of(codes))
        if book is None:
            script.say("find", f"author=A{chance.below(4000)}")
        elif kind == 0:
            script.say("find", f"code={book.code}")
        elif kind == 1:
            script.say("find", f"title={book.title}")
        elif kind == 2:
            script.say("find", f"author={book.author}")
        elif kind < 5:
            script.say("find", f"key={book.keys.split('|')[0]}")
        elif kind == 5:
            script.say("buy", book.code, 1 + chance.below(60))
        else:
            script.say("choose", book.code)
            script.say("change", *([f"code={book.code[:-1]}x"] if chance.below(9) == 0 else []), f"author=A{chance.below(4000)}", f"title=T{chance.below(15_000)}")
    script.say("ledger")
    if number == 3:
        script.say("find")


# --------------------------------------------------------------------------------------------------------------- deals
def deals(script: Script, number: int) -> None:
    chance = script.chance
    script.owner()
    script.say("ledger")
    for code in "abcdef":
        script.say("choose", code)
        script.say("change", f"price={chance.below(10_000)}.{chance.below(100):02d}")
        script.say("import", 400_000, 1 + chance.below(9_999))
    while len(script.lines) < 59_000 and len(script.shop.earned) < 299_000:
        kind = chance.below(12)
        if kind < 9:
            script.say("buy", chance.of("abcdefg"), 1 + chance.below(20))
        elif kind == 9:
            script.say("import", 1 + chance.below(50), f"{chance.below(1000)}.{chance.below(100):02d}")
        else:
            size = len(script.shop.earned) - 1
            script.say("ledger", 1 + chance.below(size + size // 50 + 1))
    script.say("ledger")


# group -> test -> (seed, commands, number of runs; None: one that is in no chain)
SMALL: dict[str, dict[str, tuple[int, Made, int | None]]] = {
    "secret/1-basic": {
        "01-books": (11, basic_books, None),
        "02-accounts": (12, basic_accounts, None),
        "03-end": (13, basic_end, None),
        "04-all": (14, basic_all, None),
    },
    "secret/2-words": {
        "01-amounts": (21, words_amounts, None),
        "02-names": (22, words_names, None),
        "03-fields": (23, words_fields, None),
        "04-lines": (24, words_lines, None),
        "05-random": (25, words_random, None),
    },
    "secret/3-ranks": {
        "01-every-rank": (31, every_rank, None),
        "02-stack": (32, ranks, None),
        "03-chosen": (33, chosen, None),
        "04-more": (34, ranks, None),
    },
    "secret/4-restart": {
        "01-few": (41, restart, 4),
        "02-quiet": (42, restart_quiet, 8),
        "03-many": (43, restart, 8),
    },
}
LARGE: dict[str, dict[str, tuple[int, Made, int | None]]] = {
    "secret/5-volume": {"01-books": (51, volume, 4)},
    "secret/6-deals": {"01-deals": (61, deals, 7)},
}
SAMPLE = """login owner owner
choose 978-1
change title=Walden author=Thoreau price=12.5
change keys=woods|pond
import 10 60
find key=pond
buy 978-1 3
buy 978-1 8
ledger
find key=po
change title=A title=B
hire ann secret 2 Ann
login ann
find title=Walden
change price=13
accounts
logout
accounts
quit
"""
SAMPLE_RUNS = ["""register bob pw Bob
login bob pw
  login   owner   owner
choose x
change price=2 keys=a|b
import 5 7.25
""", """find
login bob pw
find key=b
buy x 2
buy x 4
ledger
quit
""", """login owner owner
import 1 1
ledger 1
ledger 3
ledger
dismiss bob
accounts
"""]


def put(path: Path, lines: list[str], answers: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".in").write_text("".join(f"{line}\n" for line in lines), "ascii")
    path.with_suffix(".ans").write_text("".join(f"{line}\n" for line in answers), "ascii")


def write(directory: Path, name: str, seed: int, made: Made, runs: int | None) -> None:
    chance, shop = Chance(seed), Shop()
    for number in range(runs or 1):
        script = Script(chance, shop)
        made(script, number)
        put(directory / (name if runs is None else f"{name}-run{number + 1}"), script.lines, script.answers)


def say_all(text: str) -> Made:
    def made(script: Script, _: int) -> None:
        for line in text.splitlines():
            if line.split() == ["quit"]:
                script.lines.append(line)
            else:
                script.say(line)

    return made


def main() -> None:
    words = sys.argv[1:]
    groups = LARGE if "--large" in words else SMALL
    words = [word for word in words if word != "--large"]
    data = Path(words[0]) if words else Path(__file__).resolve().parent.parent / "data"
    for group, tests in groups.items():
        for name, test in tests.items():
            write(data / group, name, *test)
    if groups is SMALL:
        write(data / "sample", "1", 0, say_all(SAMPLE), None)
        write(data / "sample", "2", 0, lambda script, number: say_all(SAMPLE_RUNS[number])(script, 0), len(SAMPLE_RUNS))


if __name__ == "__main__":
    main()
