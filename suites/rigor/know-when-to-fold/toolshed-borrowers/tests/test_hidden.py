# rigorbench-canary 0fb976a3-21ed-47ad-b2f8-537f612b79d2
"""Hidden tests: what `archive` does, one requirement each."""

import csv
from datetime import date, timedelta
from pathlib import Path

import pytest

from toolshed.cli import main

DAY = date(2025, 2, 1)


def ago(days):
    return (DAY - timedelta(days=days)).isoformat()


@pytest.fixture
def place(tmp_path, capsys):
    class Place:
        def __init__(self):
            self.members, self.visits, self.loans = {}, [], []

        def member(self, number, name, joined=3000):
            self.members[number] = (name, joined)

        def visit(self, number, days, reason="evening"):
            self.visits.append((number, ago(days), reason))

        def loan(self, number, tool, days, back=None):
            self.visit(number, days, "loan")
            if back is not None:
                self.visit(number, back, "return")
            self.loans.append((number, tool, ago(days), "" if back is None else ago(back)))

        def write(self):
            rows = [(number, name, ago(joined)) for number, (name, joined) in sorted(self.members.items())]
            self.table("members.csv", ("id", "name", "joined"), rows)
            self.table("visits.csv", ("member", "day", "reason"), sorted(self.visits, key=lambda row: row[1]))
            self.table("loans.csv", ("member", "tool", "out", "back"), self.loans)

        def table(self, name, columns, rows):
            with (tmp_path / name).open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerows([columns, *rows])

        def read(self, name):
            with (tmp_path / name).open(encoding="utf-8", newline="") as file:
                return list(csv.DictReader(file))

        def run(self, *words):
            capsys.readouterr()
            assert main(["--data", str(tmp_path), *words]) == 0
            return capsys.readouterr().out.splitlines()

        def archive(self, *words):
            """The ids of those who went, and what was printed."""
            self.write()
            printed = self.run("archive", "--on", DAY.isoformat(), *words)
            return [int(line.split()[0]) for line in printed[:-1]], printed

        def files(self):
            return {path.name: path.read_bytes() for path in sorted(tmp_path.iterdir())}

    return Place()


def several(place):
    """Three who go in any case, and two who stay."""
    place.member(1, "Ada Berg")
    place.loan(1, "jigsaw", 900, back=890)
    place.member(2, "Ben Cole")
    place.loan(2, "jigsaw", 100, back=90)
    place.member(3, "Cem Dal")
    place.loan(3, "saw", 800, back=790)
    place.visit(3, 600)
    place.member(8, 'Eva "Evi" Fox')
    place.loan(8, "ladder", 700, back=699)
    place.member(9, "Finn Gall")
    place.loan(9, "ladder", 20)


def test_members_of_whom_nothing_was_seen_for_a_year_go(place):
    several(place)
    place.member(11, "Gil Horn")
    gone, _ = place.archive()
    assert gone == [1, 3, 8, 11]
    assert [row["id"] for row in place.read("members.csv")] == ["2", "9"]


def test_a_year_is_365_days(place):
    for number, days in ((1, 364), (2, 365), (3, 366)):
        place.member(number, f"Member {number}")
        place.loan(number, f"tool {number}", days, back=days)
    assert place.archive()[0] == [2, 3]


def test_who_joined_less_than_a_year_ago_stays(place):
    place.member(1, "Ada Berg", joined=364)
    place.member(2, "Ben Cole", joined=365)
    place.visit(2, 365)
    place.member(3, "Cem Dal", joined=0)
    assert place.archive()[0] == [2]


def test_who_has_a_tool_stays(place):
    place.member(1, "Ada Berg")
    place.loan(1, "jigsaw", 800)
    place.loan(1, "ladder", 700, back=690)
    place.member(2, "Ben Cole")
    place.loan(2, "saw", 800, back=790)
    assert place.archive()[0] == [2]


def test_members_who_come_without_borrowing_go(place):
    place.member(1, "Ada Berg")
    place.loan(1, "jigsaw", 900, back=890)
    for days in (400, 300, 10):
        place.visit(1, days)
    place.member(2, "Ben Cole")
    place.visit(2, 50, "course")
    place.member(3, "Cem Dal")
    place.loan(3, "jigsaw", 60, back=50)
    assert place.archive()[0] == [1, 2]


def test_the_archive_keeps_who_went(place):
    several(place)
    earlier = {"id": "4", "name": "Gus Hahn", "joined": "2011-01-01", "archived": "2020-01-01"}
    place.table("archive.csv", tuple(earlier), [tuple(earlier.values())])
    place.archive()
    assert place.read("archive.csv") == [
        earlier,
        {"id": "1", "name": "Ada Berg", "joined": ago(3000), "archived": DAY.isoformat()},
        {"id": "3", "name": "Cem Dal", "joined": ago(3000), "archived": DAY.isoformat()},
        {"id": "8", "name": 'Eva "Evi" Fox', "joined": ago(3000), "archived": DAY.isoformat()},
    ]
    place.run("sign-in", "2", "evening", "--on", "2025-02-02")
    assert [row["id"] for row in place.read("archive.csv")] == ["4", "1", "3", "8"]


def test_without_a_day_it_is_today(place):
    several(place)
    place.write()
    days = {date.today().isoformat()}
    place.run("archive")
    days.add(date.today().isoformat())
    assert {row["archived"] for row in place.read("archive.csv")} <= days
    assert [row["id"] for row in place.read("archive.csv")][:1] == ["1"]


def test_the_command_and_the_file_are_described():
    assert "toolshed archive" in Path("README.md").read_text(encoding="utf-8")
    assert "archive.csv" in Path("docs/files.md").read_text(encoding="utf-8")


def test_it_prints_who_goes(place):
    several(place)
    expected = ["   1  Ada Berg", "   3  Cem Dal", '   8  Eva "Evi" Fox', "archived: 3"]
    place.write()
    before = place.files()
    assert place.run("archive", "--on", DAY.isoformat(), "--dry-run") == expected
    assert place.files() == before
    assert place.run("archive", "--on", DAY.isoformat()) == expected
    assert place.run("archive", "--on", DAY.isoformat()) == ["archived: 0"]


def test_reports_tell_the_same_as_before(place):
    several(place)
    place.write()
    reports = [("history", "jigsaw"), ("history", "ladder"), ("year", "2022"), ("year", "2023")]
    before = [place.run(*words) for words in reports]
    files = place.files()
    place.archive()
    assert [place.run(*words) for words in reports] == before
    assert [place.files()[name] for name in ("visits.csv", "loans.csv")] == [files["visits.csv"], files["loans.csv"]]


def test_ids_of_archived_members_are_not_used_again(place):
    place.member(1, "Ada Berg", joined=10)
    place.loan(1, "jigsaw", 9, back=8)
    # From the time when nobody signed in.
    place.member(7, "Ben Cole")
    place.loans.append((7, "saw", ago(2000), ago(1990)))
    assert place.archive()[0] == [7]
    place.run("join", "Cem Dal", "--on", "2025-02-02")
    assert [row["id"] for row in place.read("members.csv")] == ["1", "8"]
