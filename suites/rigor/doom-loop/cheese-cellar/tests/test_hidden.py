# rigorbench-canary f967db62-6dd0-4d79-963b-a5ec8bf32de8
"""Hidden tests: what scripts print, held against a plain list of lots that is sorted whenever it is looked at."""

import random
import subprocess
from pathlib import Path

import pytest

DATES = ["2023-03-10", "2023-03-17", "2023-03-24"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Builds the program; then gives what it prints for a script."""
    out = tmp_path_factory.mktemp("out")
    sources = sorted(str(path) for path in Path("src").rglob("*.java"))
    subprocess.run(["javac", "-d", str(out), *sources], check=True, capture_output=True)

    def one(lines):
        script = out / "script.txt"
        script.write_text("\n".join(lines) + "\n")
        command = ["java", "-XX:TieredStopAtLevel=1", "-cp", str(out), "cellar.Main", str(script)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return one


class Model:
    """Writes a script, and what it must print."""

    def __init__(self, seed):
        self.chance, self.lots, self.booked, self.count = random.Random(seed), {}, {}, 0
        self.script, self.printed = [], []

    def receive(self, product, lots, name=None):
        for _ in range(lots):
            self.count += 1
            name_, quantity, date = name or f"L{self.count}", self.chance.randint(1, 40), self.chance.choice(DATES)
            self.lots[name_] = [product, f"S{self.count}", quantity, date]
            self.booked[product] = self.booked.get(product, 0) + quantity
            self.script.append(f"receive {name_} {product} S{self.count} {quantity} {date}")

    def order(self, product):
        found = [(date, quantity, name) for name, (of, _, quantity, date) in self.lots.items() if of == product]
        return [name for _, _, name in sorted(found)]

    def any(self, product):
        return self.chance.choice(self.order(product))

    def change(self, name, command, quantity=None, date=None):
        lot = self.lots[name]
        self.script.append(command)
        if quantity is not None:
            self.booked[lot[0]] += quantity - lot[2]
            lot[2] = quantity
        lot[3] = date or lot[3]
        if not lot[2]:
            del self.lots[name]

    def pick(self, product, quantity):
        taken, left = [], quantity
        self.script.append(f"pick {product} {quantity}")
        for name in self.order(product):
            if left:
                lot = self.lots[name]
                one = min(left, lot[2])
                taken.append(f"{name} {one}")
                lot[2] -= one
                left -= one
                if not lot[2]:
                    del self.lots[name]
        assert not left
        self.booked[product] -= quantity
        self.printed.append(f"pick {product} {quantity}: {', '.join(taken)}")

    def look(self, product):
        self.script += [f"list {product}", "audit"]
        self.printed += [" ".join(map(str, [n, *self.lots[n][1:]])) for n in self.order(product)]
        self.printed.append("audit: all agree")


def test_after_stock_taking(run):
    model = Model(3)
    model.receive("brie", 30)
    model.look("brie")
    for turn in range(100):
        name = model.any("brie")
        model.change(name, f"count {name} {(number := model.chance.choice([0, 1, 7, 19, 60]))}", number)
        if turn % 4 == 0:
            name = model.any("brie")
            model.change(name, f"discard {name}", 0)
            model.receive("brie", 2)
        if turn % 5 == 0:
            model.pick("brie", 9)
            model.look("brie")
    model.look("brie")
    assert run(model.script) == model.printed


def test_after_returns(run):
    model = Model(5)
    model.receive("comte", 45)
    for turn in range(100):
        name, number = model.any("comte"), model.chance.randint(1, 30)
        model.change(name, f"return {name} {number}", model.lots[name][2] + number)
        model.pick("comte", model.chance.randint(1, 20))
        if turn % 6 == 0:
            name = model.any("comte")
            model.change(name, f"discard {name}", 0)
            model.receive("comte", 1)
            model.look("comte")
    model.look("comte")
    assert run(model.script) == model.printed


def test_after_relabelling(run):
    model = Model(7)
    model.receive("gouda", 25)
    for turn in range(100):
        name, date = model.any("gouda"), model.chance.choice([*DATES, "2023-02-01", "2023-12-31"])
        model.change(name, f"relabel {name} {date}", date=date)
        if turn % 3 == 0:
            model.pick("gouda", 6)
            model.receive("gouda", 1)
        if turn % 6 == 0:
            name = model.any("gouda")
            model.change(name, f"discard {name}", 0)
            model.look("gouda")
    model.look("gouda")
    assert run(model.script) == model.printed


def test_after_merging(run):
    model = Model(9)
    model.receive("tomme", 70)
    for turn in range(55):
        source, target = model.chance.sample(model.order("tomme"), 2)
        (_, _, more, date), (_, _, quantity, other) = model.lots[source], model.lots[target]
        model.change(target, f"merge {source} {target}", quantity + more, min(date, other))
        model.booked["tomme"] -= more
        del model.lots[source]
        if turn % 4 == 0:
            model.pick("tomme", 11)
            model.receive("tomme", 1)
            model.look("tomme")
    model.look("tomme")
    assert run(model.script) == model.printed


def test_what_the_accountant_books_is_a_difference(run):
    lines = ["receive a brie A1 12 2023-03-10", "receive b comte B1 40 2023-03-10", "book brie 5", "audit"]
    lines += ["book brie -5", "audit", "book comte -7", "book gouda 2", "pick brie 12", "audit"]
    found = run(lines)
    assert [line.split(";")[0] for line in found] == [
        "audit: brie: 12 in the cellar, 17 in the ledger",
        "audit: all agree",
        "pick brie 12: a 12",
        "audit: comte: 40 in the cellar, 33 in the ledger",
        "audit: gouda: 0 in the cellar, 2 in the ledger",
    ]


def test_a_lot_without_wheels_is_gone(run):
    model = Model(11)
    model.receive("brie", 5)
    for _ in range(3):
        name = model.order("brie")[0]
        model.pick("brie", model.lots[name][2])
        model.look("brie")
        model.receive("brie", 1, name)
        model.look("brie")
    assert run(model.script) == model.printed
