from pathlib import Path

import pytest

from bibline import Finish, Register, Runner, ranking, suspicious
from bibline.cli import main
from bibline.results import to_csv

ENTRIES = Path(__file__).parents[1] / "examples" / "entries.csv"
REGISTER = Register(
    [Runner(7, "Hendrik de Wit", "AV, Noord", 1984), Runner(12, "Noor Visser", "", 1991), Runner(13, "Ans", "", 1950)]
)


def test_equal_times_share_a_rank():
    finishes = [Finish(12, "Noor Visser", 3600), Finish(13, "Ans", 3700), Finish(7, "Hendrik de Wit", 3600)]
    assert [(rank, runner.bib) for rank, runner, _ in ranking(REGISTER, finishes)] == [(1, 7), (1, 12), (3, 13)]


def test_who_did_not_finish_has_no_rank():
    assert ranking(REGISTER, [Finish(12, "Noor Visser", None), Finish(99, "Nobody", 3000)]) == []


def test_the_csv_of_the_web_page():
    text = to_csv(ranking(REGISTER, [Finish(7, "Hendrik de Wit", 3723)]))
    assert text == 'rank,bib,name,club,time\r\n1,7,Hendrik de Wit,"AV, Noord",01:02:03\r\n'


def test_suspicious_finishes():
    finishes = [Finish(7, "Hendrik de Wit", 1), Finish(7, "Hendrik de Wit", 2), Finish(12, "Ans", 3), Finish(8, "X", 4)]
    assert suspicious(REGISTER, finishes) == [
        "bib 7 has two times",
        "bib 12 is Noor Visser, but came back as Ans",
        "bib 8 is not entered",
    ]


def test_the_start_file(capfdbinary):
    assert main(["start", str(ENTRIES)]) == 0
    assert capfdbinary.readouterr().out.startswith(b"00007Hendrik de Wit          AV Duinloop     1984\r\n")


def test_somebody_is_found(capsys):
    assert main(["find", str(ENTRIES), "marta kowalska"]) == 0
    assert capsys.readouterr().out == "  103  Marta Kowalska, no club (2003)\n"


@pytest.mark.parametrize("arguments", [["find", "nowhere.csv", "x"], ["results", str(ENTRIES), "nowhere.txt"]])
def test_missing_files(arguments, capsys):
    assert main(arguments) == 1
    assert "nowhere" in capsys.readouterr().err
