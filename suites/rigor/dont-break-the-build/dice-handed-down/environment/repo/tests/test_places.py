from hexland import dice, gazetteer, generate, names
from hexland.encounters import meet
from hexland.treasure import Hoard, hoard


def test_no_name_is_given_twice():
    world = generate(21, 20, 20)
    given = [s.name for s in world.settlements]
    assert len(given) == 22
    assert len(set(given)) == len(given)


def test_a_terrain_has_one_people():
    dice.seed(9)
    names.reset()
    assert len({names.people_of("marsh") for _ in range(20)}) == 1


def test_the_gazetteer_has_an_entry_for_each_place():
    world = generate(2, 10, 8)
    text = gazetteer(world)
    assert all(f"{s.name} (" in text for s in world.settlements)
    assert text.count("  trades ") == len(world.settlements) == 6


def test_a_hoard_tells_what_it_holds():
    assert Hoard(120, ["opal"], True).describe() == "120 coins, opal (trapped)"
    assert Hoard(30, [], False).describe() == "30 coins"
    dice.seed(6)
    assert 30 <= hoard().coins <= 180


def test_whom_one_meets_depends_on_the_terrain():
    dice.seed(8)
    met = {meet("marsh") for _ in range(100)}
    assert None in met
    assert all(who is None or who.endswith(("eel fishers", "lights")) for who in met)
