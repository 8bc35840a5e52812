# rigorbench-canary e2044cdf-c7cc-441f-9559-685ec2612ed1
"""Hidden tests: dice that are handed on, one requirement each."""

import ast
import copy
import importlib
import inspect
import os
import pickle
import pkgutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

import hexland
from hexland import chronicle, gazetteer, generate, render

PRINTED = {
    "gazetteer --seed 90210 --size 16x12": """seed 90210
Bralscar (C02), a market of 520 in the plain
  trades barley and wool
  the inn is kept by old Duna, who says: wolves were seen by daylight
Karhold (F08), a hamlet of 86 in the plain
  trades wool
Longbridge (B08), a village of 340 in the forest
  trades timber
  the inn is kept by goodwife Longu, who says: the toll keeper takes twice what he may
  hidden: 110 coins, opal (trapped)
Longstead (A08), a hamlet of 86 in the forest
  trades furs
  hidden: 130 coins, garnet, amber (trapped)
Mormere (J10), a village of 260 in the marsh
  trades reed
  the inn is kept by mother Moru, who says: a caravan has been overdue for a week
Oskfleet (H10), a village of 240 in the marsh
  trades reed
  the inn is kept by mother Salis, who says: a bell rings under the water on some nights
Oskwick (G07), a hamlet of 40 in the marsh
  trades reed
  hidden: 100 coins, amber, agate
Saleye (C07), a hamlet of 93 in the marsh
  trades reed
Salfleet (F07), a village of 260 in the marsh
  trades peat
  the inn is kept by mother Mora, who says: there is a door in the hill that nobody built
Salmere (E10), a village of 340 in the marsh
  trades eels
  the inn is kept by mother Wenis, who says: the toll keeper takes twice what he may
  hidden: 120 coins (trapped)
Wenfleet (F10), a hamlet of 80 in the marsh
  trades peat
""",
    "chronicle --seed 31 --days 14 --season winter --size 7x5": """seed 31
day 1: sun, C03 Bralhold
day 2: sun, B02 lake
day 3: sun, A02 plain
day 4: snow, A01 plain, 7 riders
day 5: fog, A01 plain
day 6: fog, B01 plain
day 7: snow, B02 lake
day 8: wind, B02 lake
day 9: wind, B01 plain, pedlars
day 10: snow, A02 plain, pedlars led by goodwife Newis
day 11: snow, A02 plain
day 12: snow, A02 plain
day 13: wind, A02 plain
day 14: snow, B03 lake
""",
    "map --seed 2024 --size 8x6": """seed 2024
    A B C D E F G H
01  n n ^ ^ ^ o . S
02   f o f f o . . O
03  T . o o o f ^ ^
04   . . . f f f o o
05  f f f f f D f f
06   f . . . . . . .
""",
    "book --seed 77 --size 7x6 --days 5 --season summer": """seed 77

    A B C D E F G
01  f f f f f f f
02   O O f f n n n
03  n . . f f f f
04   n n o o n n n
05  n n S M n n n
06   n n o o f f f

Mormere (D05), a hamlet of 73 in the hills
  trades herbs
Oskfleet (B02), a hamlet of 66 in the forest
  trades furs
Oskmere (A02), a village of 440 in the hills
  trades tin
  the inn is kept by mother Moris, who says: the miller pays in coins of a king unknown
Salmere (C05), a town of 2666 in the hills
  trades tin and herbs
  the inn is kept by mother Osku, who says: a caravan has been overdue for a week
  hidden: 50 coins (trapped)

day 1: rain, B02 Oskfleet, 8 wolves
day 2: rain, B03 plain
day 3: rain, C03 plain
day 4: rain, B03 plain, 3 pedlars led by mother Mora
day 5: rain, A04 hills, 7 robbers
""",
}

DRAWING = {
    "terrain.lay": ["width", "height"],
    "terrain.erode": ["land"],
    "rivers.trace": ["land"],
    "treasure.hoard": [],
    "weather.forecast": ["season"],
    "encounters.meet": ["terrain"],
    "world.generate": ["width", "height"],
    "gazetteer.gazetteer": ["world"],
    "chronicle.chronicle": ["world", "days", "season"],
}
OLD = ("seed", "roll", "between", "chance", "pick", "weighted", "shuffled")


@pytest.fixture
def new():
    """A maker of dice."""
    from hexland.dice import Dice

    return Dice


def run(*words):
    env = {**os.environ, "PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-m", "hexland", *words], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def modules():
    names = [m.name for m in pkgutil.iter_modules(hexland.__path__, "hexland.") if not m.name.endswith("__main__")]
    return [hexland, *map(importlib.import_module, names)]


def test_dice_draw_as_the_functions_did(new):
    assert hexland.Dice is new
    for seed, drawn in (
        (7, [9, 7, 65, [True, True, False, True, False, True], "a", "b", [7, 4, 2, 5, 1, 0, 3, 6], 2]),
        (123456, [6, 7, 3, [True, True, True, True, False, False], "c", "b", [1, 4, 6, 0, 7, 5, 3, 2], 2]),
    ):
        dice = new(seed)
        assert [
            dice.roll(3, 6),
            dice.roll(2, 4, 5),
            dice.between(-3, 90),
            [dice.chance(50) for _ in range(6)],
            dice.pick("abcdefgh"),
            dice.weighted({"a": 1, "b": 5, "c": 30}),
            dice.shuffled(range(8)),
            dice.roll(0, 6, 2),
        ] == drawn
    items = list(range(20))
    assert sorted(new(5).shuffled(items)) == items == list(range(20))
    with pytest.raises(ValueError):
        new(5).weighted({})


def test_the_dice_are_handed_to_whoever_draws(new):
    for place, others in DRAWING.items():
        module, name = place.split(".")
        function = getattr(importlib.import_module(f"hexland.{module}"), name)
        assert list(inspect.signature(function).parameters)[: 1 + len(others)] == ["dice", *others], place
    found = importlib.import_module("hexland.settlements").found
    assert next(iter(inspect.signature(found).parameters)) == "dice"

    from hexland.encounters import meet
    from hexland.rivers import trace
    from hexland.terrain import erode, lay
    from hexland.treasure import hoard
    from hexland.weather import forecast

    def drawn(dice):
        land = erode(dice, lay(dice, 15, 15))
        days = list(islice(forecast(dice, "autumn"), 9))
        met = [meet(dice, terrain) for terrain in sorted(set(land.values())) * 5]
        return land, trace(dice, land), hoard(dice).describe(), days, met, dice.between(1, 10**9)

    assert drawn(new(3)) == drawn(new(3)) != drawn(new(4))
    # Whoever is handed no dice draws nothing.
    with pytest.raises(TypeError):
        hoard()
    with pytest.raises(TypeError):
        generate(8, 8)


def test_days_are_drawn_when_they_are_asked_for(new):
    from hexland.weather import forecast

    dice = new(8)
    world = generate(dice, 9, 9)
    for days in (chronicle(dice, world, 40, "summer"), forecast(dice, "spring")):
        next(days)
        before = copy.deepcopy(dice)
        for _ in range(8):
            next(days)
        assert dice.between(1, 10**12) != before.between(1, 10**12)
    with pytest.raises(hexland.WorldError, match="no season 'fall'"):
        chronicle(dice, world, 3, "fall")


@pytest.mark.parametrize("words", list(PRINTED))
def test_the_commands_print_what_they_did(words):
    assert run(*words.split()) == PRINTED[words]


def test_lands_that_are_made_together_come_out_as_if_alone(new):
    def tell(seed):
        dice = new(seed)
        world = generate(dice, 20, 14)
        return render(world), gazetteer(dice, world), list(chronicle(dice, world, 40, "autumn"))

    alone = {seed: tell(seed) for seed in range(30, 36)}
    assert len({text for text, _, _ in alone.values()}) == 6
    dice = {seed: new(seed) for seed in alone}
    worlds = {seed: generate(dice[seed], 20, 14) for seed in reversed(alone)}
    texts = {seed: gazetteer(dice[seed], worlds[seed]) for seed in alone}
    walks = {seed: chronicle(dice[seed], worlds[seed], 40, "autumn") for seed in reversed(alone)}
    days = list(zip(*(walks[seed] for seed in alone), strict=True))
    for place, (seed, (picture, text, lines)) in enumerate(alone.items()):
        assert (render(worlds[seed]), texts[seed]) == (picture, text)
        assert [day[place] for day in days] == lines
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(tell, alone)) == list(alone.values())


def test_nothing_of_the_old_way_is_left(new):
    module = importlib.import_module("hexland.dice")
    assert [name for name in OLD if hasattr(module, name)] == []
    assert not hasattr(importlib.import_module("hexland.names"), "reset")
    for path in Path(hexland.__file__).parent.glob("**/*.py"):
        imported = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add(node.module)
        assert path.name in ("dice.py", "cli.py") or "random" not in imported, path.name

    def held():
        found = {}
        for module in modules():
            for name, value in vars(module).items():
                if name.startswith("__") or inspect.ismodule(value) or callable(value):
                    continue
                assert not isinstance(value, new), f"{module.__name__}.{name}"
                try:
                    found[module.__name__, name] = pickle.dumps(value)
                except (TypeError, AttributeError, pickle.PicklingError):
                    found[module.__name__, name] = repr(value)
        return found

    before = held()
    dice = new(99)
    world = generate(dice, 18, 18)
    gazetteer(dice, world)
    list(chronicle(dice, world, 30, "spring"))
    assert held() == before


def test_a_land_without_a_seed_can_be_made_again():
    first = run("book", "--days", "3", "--size", "8x8")
    seed = first.splitlines()[0].removeprefix("seed ")
    assert run("book", "--days", "3", "--size", "8x8", "--seed", seed) == first


def test_the_documents_describe_the_new_way():
    readme, drawing = (Path(name).read_text(encoding="utf-8") for name in ("README.md", "docs/drawing.md"))
    assert "Dice(" in readme
    assert "Dice" in drawing
    assert "dice.seed(" not in drawing
