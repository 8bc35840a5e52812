from pathlib import Path

import pytest

from salesdesk.cli import main

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "harbour")
DOCUMENTS = "number,date,account,kind,status,net,rate\n"


def test_a_table(capsys):
    assert main(["board", EXAMPLE]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "quarter    revenue    change",
        "FY2023-Q4  4370.50",
        "FY2024-Q1  2205.40  -2165.10",
    ]


def test_for_a_spreadsheet(capsys):
    assert main(["vat", EXAMPLE, "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["quarter,rate,net,tax", "2023-Q4,20,1200.00,240.00"]


def test_an_account(capsys):
    assert main(["account", EXAMPLE, "107"]) == 0
    assert "R-1005" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("R-1,2024-13-01,1,invoice,paid,1.00,20", "documents.csv, line 2: not a date"),
        ("R-1,2024-12-01,1,bill,paid,1.00,20", "kind: expected one of invoice, credit"),
        ("R-1,2024-12-01,1,invoice,lost,1.00,20", "status: expected one of"),
        ("R-1,2024-12-01,1,invoice,paid,1,20", "line 2: not an amount"),
        ("R-1,2024-12-01,7,invoice,paid,1.00,20", "document R-1: no account 7"),
        ("R-1,2024-12-01,1,invoice,paid,1.00,20,x", "more than 7 fields"),
    ],
)
def test_what_is_wrong_is_said(line, words, tmp_path, capsys):
    (tmp_path / "accounts.csv").write_text("number,name,merged_into\n1,Anchor,\n")
    (tmp_path / "documents.csv").write_text(DOCUMENTS + line + "\n")
    assert main(["vat", str(tmp_path)]) == 1
    assert words in capsys.readouterr().err


def test_a_missing_file(tmp_path, capsys):
    assert main(["vat", str(tmp_path)]) == 1
    assert "accounts.csv" in capsys.readouterr().err
