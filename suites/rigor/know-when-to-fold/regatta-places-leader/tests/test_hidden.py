# rigorbench-canary ac6fef2f-da13-4500-8c14-da31ead8493f
"""Hidden tests: part C of the rules, one requirement each, as the website and the notice board show it."""

import csv
import itertools
import json
import random
from pathlib import Path

import pytest

from regatta import make_app
from regatta.board import board
from regatta.store import Store

TOLD_APART = 20
RECORDED = Path("data/races")


def clock(hundredths):
    return f"{hundredths // 6000}:{hundredths // 100 % 60:02d}.{hundredths % 100:02d}"


def write(directory, times, name="trial", clubs=None):
    results = [
        {"crew": crew, "club": (clubs or {}).get(crew, f"RC {crew}"), "time": None if time is None else clock(time)}
        for crew, time in times.items()
    ]
    document = {"name": name, "date": "2024-09-14", "results": results}
    (directory / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")


def get(directory, path):
    seen = []
    environ = {"PATH_INFO": path, "REQUEST_METHOD": "GET", "QUERY_STRING": ""}
    body = b"".join(make_app(Path(directory))(environ, lambda status, headers: seen.append(status)))
    assert seen[0].startswith("200")
    return json.loads(body)


def entries(directory, name="trial"):
    found = get(directory, f"/races/{name}/places")["places"]
    return {entry["crew"]: entry for entry in found}


def hundredths(text):
    minutes, rest = text.split(":")
    return int(minutes) * 6000 + round(float(rest) * 100)


def groups(directory, name="trial"):
    """The crews that finished as (hundredths, place), fastest first."""
    finished = [e for e in entries(directory, name).values() if e["time"] is not None]
    assert all(type(e["place"]) is int for e in finished)
    return sorted((hundredths(e["time"]), e["place"]) for e in finished)


def leaders(found):
    """Place -> time of its fastest crew."""
    return {place: time for time, place in reversed(found)}


# Crews one behind the other at every distance around the 20 hundredths, among them several in a row that are close.
ROWS = [
    {"a": 40107, "b": 40127, "c": 40400},
    {"a": 40107, "b": 40128, "c": 40400, "d": 40419},
    {"a": 40100, "b": 40115, "c": 40130, "d": 40145, "e": 40160},
    {"a": 38050, "b": 38040, "c": 38021, "d": 38000, "e": 39000},
]


def races(directory):
    chance = random.Random(20)
    for number, row in enumerate(ROWS):
        write(directory, row, f"row{number}")
        yield directory, f"row{number}"
    for number in range(30):
        times = {f"crew {n}": 42000 + chance.randrange(160) for n in range(chance.randrange(2, 9))}
        write(directory, times, f"random{number}")
        yield directory, f"random{number}"
    for path in sorted(RECORDED.glob("*.json")):
        yield RECORDED, path.stem


def test_crews_that_are_close_have_the_same_place(tmp_path):
    for directory, name in races(tmp_path):
        found = groups(directory, name)
        fastest = leaders(found)
        for (_, place), (time, own) in itertools.pairwise(found):
            if time - fastest[place] <= TOLD_APART:
                assert own == place, f"{time} is {time - fastest[place]} behind"


def test_crews_that_are_further_behind_begin_the_next_place(tmp_path):
    for directory, name in races(tmp_path):
        found = groups(directory, name)
        fastest = leaders(found)
        assert [time for time, place in found if time - fastest[place] > TOLD_APART] == []


def test_places_are_counted_over_shared_ones(tmp_path):
    write(tmp_path, {"a": 40000, "b": 40010, "c": 40100, "d": 40205, "e": 40210, "f": 40211, "g": 40400, "h": None})
    assert [e["place"] for e in entries(tmp_path).values()] == [1, 1, 3, 4, 4, 4, 7, None]


def test_shared_places_share_points(tmp_path):
    write(tmp_path, {"a": 40000, "b": 40100, "c": 40105, "d": 40113, "e": 40300, "f": None})
    points = {crew: e["points"] for crew, e in entries(tmp_path).items()}
    assert points == {"a": "10.00", "b": "6.33", "c": "6.33", "d": "6.33", "e": "4.00", "f": "0.00"}
    clubs = {"b": "Moos", "d": "Moos", "e": "Aue"}
    write(tmp_path, {"a": 41000, "b": 41001, "e": 42000}, "second", clubs)
    cup = {e["club"]: e["points"] for e in get(tmp_path, "/cup")["cup"]}
    assert cup == {"RC a": "19.00", "Moos": "9.00", "Aue": "6.00", "RC b": "6.33", "RC c": "6.33", "RC d": "6.33",
                   "RC e": "4.00", "RC f": "0.00"}


def test_the_api_says_which_places_are_shared(tmp_path):
    write(tmp_path, {"a": 40000, "b": 40012, "c": 40100, "d": None, "e": None})
    assert {crew: e.get("shared") for crew, e in entries(tmp_path).items()} == {
        "a": True, "b": True, "c": False, "d": False, "e": False,
    }


@pytest.mark.parametrize("close", [0, 7])
def test_the_board_marks_shared_places(tmp_path, close):
    write(tmp_path, {"a": 40000, "b": 40100, "c": 40100 + close, "d": None})
    rows = csv.DictReader(board(Store(tmp_path).race("trial")).splitlines())
    assert [row["place"] for row in rows] == ["1", "2=", "2=", "-"]


def test_the_new_key_is_described():
    assert "shared" in Path("docs/api.md").read_text(encoding="utf-8")
