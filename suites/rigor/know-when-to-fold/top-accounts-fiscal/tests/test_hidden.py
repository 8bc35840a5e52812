# rigorbench-canary c8799ef1-2bbf-4628-ab56-e0cb0e376bf9
"""Hidden tests: the report `top`, one requirement each."""

import csv
import io
from pathlib import Path

import pytest

from salesdesk.cli import main

ACCOUNTS = """number,name,merged_into
11,Alder Mill,
12,"Birch, Sons & Co",
13,Cedar Works,
14,Doum Trading,
15,Elm House,
16,Fir Foods,
17,Gorse Ltd,18
18,Gorse Group,19
19,Gorse Holding,
9,Hazel Inn,
"""


@pytest.fixture
def run(tmp_path, capsys):
    """Runs the report on documents: date, account, amount and, if it is no paid invoice, kind and status."""

    def report(documents, *arguments, plain=False):
        (tmp_path / "accounts.csv").write_text(ACCOUNTS)
        lines = ["number,date,account,kind,status,net,rate"]
        for number, (date, account, net, *rest) in enumerate(documents, 1):
            kind, status = [*rest, *("invoice", "paid")[len(rest) :]]
            lines.append(f"D-{number},{date},{account},{kind},{status},{net},20")
        (tmp_path / "documents.csv").write_text("\n".join(lines) + "\n")
        assert main(["top", str(tmp_path), *arguments, *([] if plain else ["--csv"])]) == 0
        printed = capsys.readouterr().out
        return printed if plain else list(csv.reader(io.StringIO(printed)))

    return report


def without_quarters(rows):
    """The lines after the heading without the quarter, and how many quarters there are."""
    return [tuple(row[1:]) for row in rows[1:]], len({row[0] for row in rows[1:]})


def test_revenue_is_that_of_the_documents(run):
    rows, quarters = without_quarters(
        run(
            [
                ("2022-05-10", 11, "100.00"),
                ("2022-05-11", 11, "900.00", "invoice", "void"),
                ("2022-06-02", 11, "30.50", "credit", "open"),
                ("2022-06-03", 11, "7.00", "credit", "void"),
                ("2022-05-28", 12, "80.25", "invoice", "open"),
                # The credit note of an invoice from May counts in September.
                ("2022-09-01", 12, "50.25", "credit"),
                ("2022-09-02", 12, "60.00"),
            ]
        )
    )
    assert rows == [
        ("1", "12", "Birch, Sons & Co", "80.25"),
        ("2", "11", "Alder Mill", "69.50"),
        ("1", "12", "Birch, Sons & Co", "9.75"),
    ]
    assert quarters == 2


def test_merged_accounts_count_for_the_one_they_belong_to(run):
    documents = [
        ("2022-11-20", 17, "40.00"),
        ("2022-12-05", 18, "40.00"),
        ("2022-12-06", 19, "40.00"),
        ("2022-12-07", 13, "100.00"),
        ("2022-12-08", 18, "10.00", "credit"),
    ]
    assert without_quarters(run(documents)) == (
        [("1", "19", "Gorse Holding", "110.00"), ("2", "13", "Cedar Works", "100.00")],
        1,
    )
    assert without_quarters(run(documents, "--top", "1"))[0] == [("1", "19", "Gorse Holding", "110.00")]


def test_the_best_come_first_and_equals_by_number(run):
    documents = [(f"2023-02-{day:02}", account, "200.00") for day, account in ((20, 16), (3, 14), (4, 12), (9, 9))]
    documents += [("2023-03-01", 15, "1000.00"), ("2023-03-02", 11, "99.99"), ("2023-03-03", 13, "199.99")]
    rows, _ = without_quarters(run(documents, "--top", "9"))
    assert [row[:2] for row in rows] == [
        ("1", "15"),
        ("2", "9"),
        ("3", "12"),
        ("4", "14"),
        ("5", "16"),
        ("6", "13"),
        ("7", "11"),
    ]


def test_accounts_without_revenue_have_no_line(run):
    documents = [
        ("2023-05-02", 11, "10.00"),
        ("2023-05-03", 12, "10.00", "credit"),
        ("2023-05-04", 13, "10.00"),
        ("2023-05-05", 13, "10.00", "credit"),
        ("2023-08-08", 14, "99.00", "invoice", "void"),
        ("2023-08-09", 15, "5.00", "credit"),
        ("2023-12-01", 16, "0.01"),
    ]
    rows, quarters = without_quarters(run(documents))
    assert rows == [("1", "11", "Alder Mill", "10.00"), ("1", "16", "Fir Foods", "0.01")]
    assert quarters == 2


def test_how_many_are_shown(run, tmp_path, capsys):
    documents = [("2023-08-15", account, f"{account}.00") for account in (9, 11, 12, 13, 14, 15, 16)]
    documents += [("2023-11-15", account, f"{account}.00") for account in (9, 11)]
    assert [row[1] for row in without_quarters(run(documents))[0]] == ["16", "15", "14", "13", "12", "11", "9"]
    assert [row[1] for row in without_quarters(run(documents, "--top", "1"))[0]] == ["16", "11"]
    assert len(without_quarters(run(documents, "--top", "7"))[0]) == 9
    for wrong in ("0", "-1", "2.5", "many", ""):
        try:
            status = main(["top", str(tmp_path), f"--top={wrong}"])
        except SystemExit as end:
            status = end.code
        assert status not in (0, None), wrong
        assert capsys.readouterr().out == ""


def test_it_is_printed_like_the_other_reports(run):
    documents = [("2024-11-05", 12, "1234.50"), ("2023-08-15", 9, "10.00"), ("2024-05-15", 9, "10.00")]
    rows = run(documents)
    assert rows[0] == ["quarter", "rank", "account", "name", "revenue"]
    assert [row[3] for row in rows[1:]] == ["Hazel Inn", "Hazel Inn", "Birch, Sons & Co"]
    assert [len(row) for row in rows] == [5, 5, 5, 5]
    lines = run(documents, plain=True).splitlines()
    assert len(lines) == 4
    assert lines[0].split() == rows[0]
    assert "Birch, Sons & Co" in lines[3]
    assert lines[3].split()[-1] == "1234.50"
    assert run([]) == [["quarter", "rank", "account", "name", "revenue"]]


def test_the_report_is_described():
    for name in ("README.md", "docs/reports.md"):
        assert "top" in Path(name).read_text(encoding="utf-8"), name


# In each of them the two kinds of quarters differ.
BORDERS = [
    ("2024-01-10", 11, "40.00"),
    ("2024-02-10", 12, "30.00"),
    ("2024-04-30", 11, "20.00"),
    ("2024-05-01", 12, "25.00"),
    ("2024-07-31", 11, "10.00"),
    ("2024-10-31", 12, "5.00"),
    ("2025-01-31", 11, "6.00"),
]


def test_quarters_are_those_of_the_fiscal_year(run):
    assert [row[:3] + row[4:] for row in run(BORDERS)[1:]] == [
        ["FY2023-Q4", "1", "11", "40.00"],
        ["FY2024-Q1", "1", "12", "30.00"],
        ["FY2024-Q1", "2", "11", "20.00"],
        ["FY2024-Q2", "1", "12", "25.00"],
        ["FY2024-Q2", "2", "11", "10.00"],
        ["FY2024-Q3", "1", "12", "5.00"],
        ["FY2024-Q4", "1", "11", "6.00"],
    ]
