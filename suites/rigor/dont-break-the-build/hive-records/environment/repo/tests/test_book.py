import pytest

from hivebook import HiveError, colonies, harvests, inspections
from hivebook.alerts import alerts
from hivebook.report import listing, show, year


def test_names_are_given_once(orchard):
    colonies.add(orchard, "Brook", "2021-04-30")
    with pytest.raises(HiveError, match="there is a colony 'Brook' already"):
        colonies.add(orchard, "Brook", "2021-05-30")
    with pytest.raises(HiveError, match="needs a name"):
        colonies.add(orchard, " ", "2021-05-30")


def test_what_was_noted_follows_a_new_name(orchard):
    colonies.rename(orchard, "Linden", "Big linden")
    assert "6 frames of brood, queen seen, calm" in show(orchard, "Big linden")
    assert harvests.totals(orchard, 2020) == {"Big linden": 17000, "Ditch": 12525}


def test_a_colony_goes_once(orchard):
    colonies.lose(orchard, "Ditch", "2021-02-01", "starved")
    assert [c["name"] for c in colonies.alive(orchard)] == ["Linden"]
    with pytest.raises(HiveError, match="Ditch has been gone since 2021-02-01"):
        colonies.lose(orchard, "Ditch", "2021-03-01")
    with pytest.raises(HiveError, match="did not come before"):
        colonies.lose(orchard, "Linden", "2017-01-01")


def test_inspections_are_told_by_date(orchard):
    inspections.add(orchard, "Linden", "2018-05-01", brood=2)
    assert [i["date"] for i in inspections.of(orchard, "Linden")] == ["2018-05-01", "2018-05-12"]
    with pytest.raises(HiveError, match="gone since 2020-11-02"):
        inspections.add(orchard, "Old gate", "2021-01-01")


def test_colonies_that_nobody_looked_into(orchard):
    assert inspections.overdue(orchard, "2020-07-20", 14) == [("Linden", 800), ("Ditch", 19)]


def test_alerts(orchard):
    inspections.add(orchard, "Linden", "2020-07-18", brood=0, queen=False)
    inspections.add(orchard, "Linden", "2020-07-19", brood=0, queen=False)
    assert alerts(orchard, "2020-07-20") == [
        "Linden: no queen on 2020-07-18 and 2020-07-19",
        "Linden: no brood on 2020-07-19",
        "Ditch: 4 mites a day on 2020-07-01",
        "Ditch: not looked into for 19 days",
    ]


def test_harvests_by_kind(orchard):
    assert harvests.kinds(orchard, 2020) == {"lime": 26025, "mixed": 3500}
    with pytest.raises(HiveError, match="a harvest of nothing"):
        harvests.add(orchard, "Linden", "2020-08-01", "0")


def test_texts(orchard):
    assert listing(orchard).splitlines()[0] == "Linden           since 2018-05-02, buckfast"
    assert year(orchard, 2018) == (
        "2018: 12.400 kg from 1 of 2 colonies\n  Linden           12.400 kg\n  summer:          12.400 kg\n"
    )
