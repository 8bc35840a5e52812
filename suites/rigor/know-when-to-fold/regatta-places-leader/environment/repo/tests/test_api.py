import json

import pytest

from regatta import make_app
from regatta.board import board
from regatta.cli import main
from regatta.store import Store

RACE = {
    "name": "Fours",
    "date": "2024-05-04",
    "results": [
        {"crew": "Heron", "club": "RC Aldersee", "time": "6:43.00"},
        {"crew": "Otter", "club": "Ruderbund Moos", "time": None},
        {"crew": "Pike", "club": "Wasserfreunde Lenz", "time": "6:41.00"},
    ],
}


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "fours.json").write_text(json.dumps(RACE), encoding="utf-8")
    return tmp_path


def get(directory, path, method="GET"):
    seen = []
    body = make_app(directory)(
        {"PATH_INFO": path, "REQUEST_METHOD": method}, lambda status, headers: seen.append(status)
    )
    return seen[0], json.loads(b"".join(body))


def test_races_are_listed(directory):
    assert get(directory, "/races") == ("200 OK", {"races": [{"id": "fours", "name": "Fours", "date": "2024-05-04"}]})


def test_places_of_a_race(directory):
    status, document = get(directory, "/races/fours/places")
    assert status == "200 OK"
    assert [(entry["crew"], entry["time"], entry["place"], entry["points"]) for entry in document["places"]] == [
        ("Pike", "6:41.00", 1, "10.00"),
        ("Heron", "6:43.00", 2, "8.00"),
        ("Otter", None, None, "0.00"),
    ]


def test_the_cup(directory):
    assert get(directory, "/cup")[1]["cup"][0] == {"club": "Wasserfreunde Lenz", "points": "10.00"}


@pytest.mark.parametrize("path", ["/", "/races/eights/places", "/races/../x/places", "/races/fours"])
def test_what_is_not_there(directory, path):
    assert get(directory, path)[0] == "404 Not Found"


def test_only_get_is_possible(directory):
    assert get(directory, "/races", "POST")[0] == "405 Method Not Allowed"


def test_the_board_is_csv(directory):
    assert board(Store(directory).race("fours")) == (
        "place,crew,club,time,points\n"
        "1,Pike,Wasserfreunde Lenz,6:41.00,10.00\n"
        "2,Heron,RC Aldersee,6:43.00,8.00\n"
        "-,Otter,Ruderbund Moos,-,0.00\n"
    )


def test_the_command_line(directory, capsys):
    assert main(["--data", str(directory), "races"]) == 0
    assert "fours" in capsys.readouterr().out
    assert main(["--data", str(directory), "places", "eights"]) == 1
    assert "no race 'eights'" in capsys.readouterr().err


def test_a_crew_twice_is_refused(directory, capsys):
    (directory / "twice.json").write_text(json.dumps({**RACE, "results": RACE["results"] + RACE["results"][:1]}))
    assert main(["--data", str(directory), "places", "twice"]) == 1
    assert "Heron appears twice" in capsys.readouterr().err
