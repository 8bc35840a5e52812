import pytest

from hivebook import HiveError, load, save
from hivebook.storage import day, grams


def test_old_and_new_dates_are_the_same():
    assert day("02.05.2018") == day("2018-05-02") == "2018-05-02"
    for text in ("2.5.2018", "2018-13-01", "", "yesterday"):
        with pytest.raises(HiveError, match="no date"):
            day(text)


def test_weights_are_exact_to_the_gram():
    assert grams("9,025") == 9025
    assert grams("17") == 17000
    for text in ("0,0005", "-1", "much", "nan"):
        with pytest.raises(HiveError):
            grams(text)


def test_the_example_is_read(orchard):
    assert [c["name"] for c in orchard["colonies"]] == ["Linden", "Old gate", "Ditch"]
    assert orchard["colonies"][1]["reason"] == "weak | joined with Ditch"
    assert orchard["inspections"][1]["colony"] == "Old gate"
    assert [i["mites"] for i in orchard["inspections"]] == [None, 0, 2.5, 4]
    assert sum(h["grams"] for h in orchard["harvests"]) == 41925


def test_what_is_saved_is_read_again(orchard, tmp_path):
    path = tmp_path / "a.hive"
    save(orchard, path)
    assert load(path) == orchard
    assert path.read_text().splitlines()[:4] == [
        "hivebook 1",
        "C|Linden|2018-05-02|buckfast",
        "C|Old gate|2018-05-20",
        "X|Old gate|2020-11-02|weak \\p joined with Ditch",
    ]


def test_damage_is_told_with_its_line(tmp_path):
    path = tmp_path / "a.hive"
    path.write_text("hivebook 1\nC|A|2024-01-01\nI|B|2024-02-01\n")
    with pytest.raises(HiveError, match="a.hive: line 3: no colony 'B'"):
        load(path)
    path.write_text("a letter\n")
    with pytest.raises(HiveError, match="a.hive: no book"):
        load(path)
