import pytest

from hexland import WorldError, dice, generate, render
from hexland.hexes import label, neighbours
from hexland.rivers import trace
from hexland.terrain import erode, lay


def test_every_hex_has_six_neighbours_but_at_the_margin():
    land = {(col, row): "plain" for col in range(5) for row in range(5)}
    assert len(neighbours((2, 2), land)) == 6
    assert set(neighbours((0, 0), land)) == {(1, 0), (0, 1)}
    assert all(place in neighbours(other, land) for place in land for other in neighbours(place, land))
    assert label((1, 2)) == "B03"


def test_sizes_have_bounds():
    with pytest.raises(WorldError, match="1x5"):
        lay(1, 5)
    dice.seed(1)
    assert len(lay(2, 2)) == 4


def test_no_hex_is_alone_in_a_land_that_has_eroded():
    dice.seed(5)
    land = erode(lay(12, 10))
    alone = [p for p in land if land[p] not in [land[n] for n in neighbours(p, land)]]
    assert len(alone) <= 2


def test_rivers_start_in_mountains():
    dice.seed(4)
    land = erode(lay(20, 20))
    rivers = trace(land)
    assert rivers
    assert all(land[river[0]] == "mountain" and len(set(river)) == len(river) > 2 for river in rivers)


def test_a_map_has_a_line_for_each_row():
    lines = render(generate(3, 6, 4)).splitlines()
    assert lines[0] == "    A B C D E F"
    assert [line[:2] for line in lines[1:]] == ["01", "02", "03", "04"]
