from pathlib import Path

import pytest

from lockercode import CodeError, Parcel, decode, label
from lockercode.cli import main
from lockercode.labels import read_parcels, sheet

EXAMPLE = Path(__file__).parents[1] / "examples" / "parcels.csv"


def test_a_label_can_be_typed_as_it_is():
    parcel = Parcel(230, 21, 65, 77)
    assert decode(label(parcel)) == parcel


def test_a_sheet_has_a_line_for_each_parcel():
    lines = sheet(read_parcels(EXAMPLE)).splitlines()
    assert [line.split()[0] for line in lines] == ["3", "4", "21"]


def test_a_bad_row_is_named(tmp_path):
    path = tmp_path / "parcels.csv"
    path.write_text("station,locker,day,serial\n1,2,3,x\n")
    with pytest.raises(CodeError, match="line 2"):
        list(read_parcels(path))


def test_a_missing_column_is_named(tmp_path):
    path = tmp_path / "parcels.csv"
    path.write_text("station,locker,day\n1,2,3\n")
    with pytest.raises(CodeError, match="serial"):
        list(read_parcels(path))


def test_the_command_line(capsys):
    assert main(["encode", "--station", "17", "--locker", "3", "--day", "64", "--serial", "1201"]) == 0
    printed = capsys.readouterr().out.strip()
    assert main(["decode", printed]) == 0
    assert capsys.readouterr().out == "station 17, locker 3, day 64, serial 1201\n"
    assert main(["decode", "???"]) == 1
