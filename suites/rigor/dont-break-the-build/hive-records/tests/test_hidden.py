# rigorbench-canary b88da015-a76c-40ac-8d76-0d9ef1ddd5d0
"""Hidden tests: the book behind a repository, one requirement each."""

import ast
import dataclasses
import importlib
import io
import shutil
import sqlite3
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

OLD = """hivebook 1\r
# from the shed\r
C|Elder \\p barn|31.03.2017|landrace\r
C|Nook|05.04.2017\r
I|Nook|06.04.2017|b4|q-||two\\nlines\r
H|Nook|09.07.2017|8,125|rape\r
R|Nook|Corner\r
C|Nook|2019-04-01||\r
X|Corner|2019-02-01|moths \\\\ mice\r
\r
I|Corner|11.05.2018||q+|v0,5\r
I|Nook|2019-05-01|b0\r
H|Corner|2018-07-09|20\r
H|Elder \\p barn|2018-07-08|10,5|lime\r
"""
WRITTEN = """hivebook 1
C|Elder \\p barn|2017-03-31|landrace
C|Corner|2017-04-05
X|Corner|2019-02-01|moths \\\\ mice
C|Nook|2019-04-01
C|Quay|2021-04-02
I|Corner|2017-04-06|b4|q-||two\\nlines
I|Corner|2018-05-11||q+|v0,5
I|Nook|2019-05-01|b0
H|Corner|2017-07-09|8,125|rape
H|Corner|2018-07-09|20
H|Elder \\p barn|2018-07-08|10,5|lime
"""
SESSION = (
    (["rename", "Elder | barn", "Elder"], ""),
    (["add", "Hedge", "02.04.2021", "--breed", "buckfast"], ""),
    (["inspect", "Hedge", "2021-04-20", "--brood", "0", "--queen", "no", "--mites", "20"], ""),
    (["inspect", "Hedge", "2021-04-10", "--queen", "no", "--note", "quiet \\ cold"], ""),
    (["inspect", "Nook", "2021-04-21", "--mites", "3,05"], ""),
    (["harvest", "Hedge", "2021-06-01", "1.25", "--kind", "rape"], ""),
    (["harvest", "Elder", "2018-12-31", "0,001"], ""),
    (["lose", "Nook", "2021-05-01", "--reason", "sold"], ""),
    (["lose", "Nook", "2021-06-01"], "hivebook: Nook has been gone since 2021-05-01\n"),
    (["harvest", "Hedge", "2021-04-01", "5"], "hivebook: Hedge did not come before 2021-04-02\n"),
    (["inspect", "Nook", "2021-05-02"], "hivebook: Nook has been gone since 2021-05-01\n"),
    (["add", "Corner", "2021-01-01"], "hivebook: there is a colony 'Corner' already\n"),
    (["rename", "Corner", "Hedge"], "hivebook: there is a colony 'Hedge' already\n"),
    (["alerts", "--today", "31.4.2021"], "hivebook: no date: '31.4.2021'\n"),
)
PRINTED = {
    "list": (
        "Elder            since 2017-03-31, landrace\n"
        "Corner           since 2017-04-05, gone 2019-02-01 (moths \\ mice)\n"
        "Nook             since 2019-04-01, gone 2021-05-01 (sold)\n"
        "Hedge            since 2021-04-02, buckfast\n"
    ),
    "show Corner": (
        "Corner, since 2017-04-05\n"
        "  2017-04-06 4 frames of brood, queen not found, two / lines\n"
        "  2018-05-11 queen seen, 0.5 mites a day\n"
        "  2017-07-09 8.125 kg of rape\n"
        "  2018-07-09 20.000 kg\n"
        "  2019-02-01 gone: moths \\ mice\n"
    ),
    "show Hedge": (
        "Hedge, since 2021-04-02\n"
        "  2021-04-10 queen not found, quiet \\ cold\n"
        "  2021-04-20 0 frames of brood, queen not found, 20 mites a day\n"
        "  2021-06-01 1.250 kg of rape\n"
    ),
    "report 2018": (
        "2018: 30.501 kg from 2 of 2 colonies\n"
        "  Elder            10.501 kg\n"
        "  Corner           20.000 kg\n"
        "  lime:            10.500 kg\n"
        "  mixed:           20.001 kg\n"
    ),
    "report 2019": "2019: 0.000 kg from 0 of 3 colonies\n",
    "report 2020": "2020: 0.000 kg from 0 of 2 colonies\n",
    "alerts --today 20.04.2021": (
        "Hedge: 20 mites a day on 2021-04-20\n"
        "Hedge: no queen on 2021-04-10 and 2021-04-20\n"
        "Hedge: no brood on 2021-04-20\n"
        "Elder: not looked into for 1481 days\n"
    ),
}


@pytest.fixture
def records():
    return importlib.import_module("hivebook.records")


@pytest.fixture
def text():
    return importlib.import_module("hivebook.textfile").TextRepository


@pytest.fixture
def sqlite():
    return importlib.import_module("hivebook.sqlitefile").SqliteRepository


@pytest.fixture
def open_repository():
    return importlib.import_module("hivebook.repository").open_repository


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "old.hive"
    path.write_bytes(OLD.encode())
    return path


def run(book, *words):
    from hivebook.cli import main

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(book), *words])
    return SimpleNamespace(returncode=status, stdout=out.getvalue(), stderr=err.getvalue())


def all_of(repository):
    return repository.colonies(), repository.inspections(), repository.harvests()


def contents(records):
    """What OLD holds."""
    colonies = [
        records.Colony("Elder | barn", date(2017, 3, 31), "landrace"),
        records.Colony("Corner", date(2017, 4, 5), "", date(2019, 2, 1), "moths \\ mice"),
        records.Colony("Nook", date(2019, 4, 1)),
    ]
    inspections = [
        records.Inspection("Corner", date(2017, 4, 6), 4, False, None, "two\nlines"),
        records.Inspection("Corner", date(2018, 5, 11), None, True, 0.5),
        records.Inspection("Nook", date(2019, 5, 1), 0),
    ]
    harvests = [
        records.Harvest("Corner", date(2017, 7, 9), 8125, "rape"),
        records.Harvest("Corner", date(2018, 7, 9), 20000),
        records.Harvest("Elder | barn", date(2018, 7, 8), 10500, "lime"),
    ]
    return colonies, inspections, harvests


def fill(repository, records):
    colonies, inspections, harvests = contents(records)
    for colony in colonies:
        repository.add_colony(colony)
    for inspection in inspections:
        repository.add_inspection(inspection)
    for harvest in harvests:
        repository.add_harvest(harvest)


def test_records_are_values(records):
    colony = records.Colony("A", date(2024, 1, 2))
    assert (colony.breed, colony.gone, colony.reason) == ("", None, "")
    inspection = records.Inspection(colony="A", date=date(2024, 1, 2))
    assert (inspection.brood, inspection.queen, inspection.mites, inspection.note) == (None, None, None, "")
    harvest = records.Harvest("A", date(2024, 1, 2), 5)
    assert harvest.kind == ""
    for record in (colony, inspection, harvest):
        assert dataclasses.replace(record) == record
        with pytest.raises(dataclasses.FrozenInstanceError):
            record.note = record.kind = record.breed = "x"
        assert len({record, dataclasses.replace(record)}) == 1


def test_the_text_file_is_read_and_written_as_before(records, text, old, tmp_path):
    with text(old) as repository:
        assert all_of(repository) == contents(records)
        assert [i.queen for i in repository.inspections()] == [False, True, None]
        repository.add_colony(records.Colony("Quay", date(2021, 4, 2)))
    assert old.read_bytes() == WRITTEN.encode()
    path = tmp_path / "new.hive"
    with text(path) as repository:
        repository.add_colony(records.Colony("a\r\nb", date(2024, 2, 29)))
        repository.add_inspection(records.Inspection("a\r\nb", date(2024, 3, 1), 10, True, 100.0, "x|\\p"))
    assert path.read_bytes() == (
        b"hivebook 1\nC|a\\r\\nb|2024-02-29\nI|a\\r\\nb|2024-03-01|b10|q+|v100|x\\p\\\\p\n"
    )
    with text(path) as repository:
        assert repository.inspections()[0].note == "x|\\p"
    from hivebook import HiveError

    for content, why in (
        ("hivebook 1\nC|A|2024-01-01\n\nC|A|2024-01-01\n", "line 4: there is a colony 'A' already"),
        ("hivebook 1\nH|A|2024-01-01|3\n", "line 2: no colony 'A'"),
        ("hivebook 1\nC|A|2024-01-01\nH|A|2024-01-02|3kg\n", "line 3: no number: '3kg'"),
        ("hivebook 7\n", "no book"),
    ):
        path.write_text(content)
        with pytest.raises(HiveError, match=f"^new.hive: {why}$"):
            text(path)


def test_the_sqlite_file_holds_all(records, sqlite, tmp_path):
    path = tmp_path / "a.db"
    with sqlite(path) as repository:
        fill(repository, records)
        # Without closing it: what has been added is in the file.
        with sqlite(path) as other:
            assert all_of(other) == contents(records)
            assert [i.queen for i in other.inspections()] == [False, True, None]
            assert all(type(i.queen) in (bool, type(None)) for i in other.inspections())
            assert [i.mites for i in other.inspections()] == [None, 0.5, None]
            assert type(other.colonies()[1].gone) is date
        colonies, inspections, harvests = contents(records)
        repository.change_colony("Corner", replace(colonies[1], name="Nock", gone=None))
        with sqlite(path) as other:
            assert other.colonies() == [colonies[0], replace(colonies[1], name="Nock", gone=None), colonies[2]]
            assert [i.colony for i in other.inspections()] == ["Nock", "Nock", "Nook"]
            assert [h.colony for h in other.harvests()] == ["Nock", "Nock", "Elder | barn"]
            assert other.inspections()[2] == inspections[2]
            assert other.harvests()[2] == harvests[2]
    assert path.read_bytes()[:15] == b"SQLite format 3"


def test_any_back_end_will_do(records):
    from hivebook import HiveError, alerts, colonies, harvests, inspections, report
    from hivebook.repository import Repository

    alerts = importlib.import_module("hivebook.alerts").alerts

    class Memory(Repository):
        def __init__(self):
            self.lists = [], [], []
            self.closed = False

        def colonies(self):
            return list(self.lists[0])

        def add_colony(self, colony):
            if any(c.name == colony.name for c in self.lists[0]):
                raise HiveError(f"there is a colony {colony.name!r} already")
            self.lists[0].append(colony)

        def change_colony(self, name, colony):
            found = [c.name for c in self.lists[0]]
            if name not in found:
                raise HiveError(f"no colony {name!r}")
            if colony.name != name and colony.name in found:
                raise HiveError(f"there is a colony {colony.name!r} already")
            self.lists[0][found.index(name)] = colony
            for entries in self.lists[1:]:
                entries[:] = [replace(e, colony=colony.name) if e.colony == name else e for e in entries]

        def inspections(self):
            return list(self.lists[1])

        def add_inspection(self, inspection):
            self.lists[1].append(inspection)

        def harvests(self):
            return list(self.lists[2])

        def add_harvest(self, harvest):
            self.lists[2].append(harvest)

        def close(self):
            self.closed = True

    with Memory() as book:
        one = colonies.add(book, "One", "01.05.2022", "carnica")
        assert one == records.Colony("One", date(2022, 5, 1), "carnica")
        colonies.add(book, "Two", "2022-05-02")
        with pytest.raises(HiveError, match="there is a colony 'Two' already"):
            colonies.add(book, "Two", "2022-05-02")
        seen = inspections.add(book, "One", "2022-06-01", mites="4,5")
        assert seen == records.Inspection("One", date(2022, 6, 1), None, None, 4.5)
        given = harvests.add(book, "One", "2022-07-01", "2.5", "lime")
        assert given == records.Harvest("One", date(2022, 7, 1), 2500, "lime")
        with pytest.raises(HiveError, match="no colony 'Six'"):
            harvests.add(book, "Six", "2022-07-01", "2.5")
        assert colonies.rename(book, "One", "First").name == "First"
        assert colonies.lose(book, "Two", "2022-06-15", "flown").gone == date(2022, 6, 15)
        assert [c.name for c in colonies.alive(book)] == ["First"]
        assert inspections.of(book, "First") == [replace(seen, colony="First")]
        assert inspections.overdue(book, "2022-06-20", 14) == [("First", 19)]
        assert harvests.totals(book, 2022) == {"First": 2500}
        assert harvests.kinds(book, 2022) == {"lime": 2500}
        assert alerts(book, "2022-06-10") == ["First: 4.5 mites a day on 2022-06-01"]
        assert report.listing(book).count("\n") == 2
        assert report.show(book, "Two") == "Two, since 2022-05-02\n  2022-06-15 gone: flown\n"
        assert report.year(book, 2022).startswith("2022: 2.500 kg from 1 of ")
    assert book.closed
    # The dicts are gone, and only what keeps a book in SQLite knows of it.
    with pytest.raises(ImportError):
        importlib.import_module("hivebook.storage")
    import hivebook

    for path in Path(hivebook.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
        imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level}
        assert path.stem not in ("alerts", "cli", "colonies", "harvests", "inspections", "report") or not (
            imported & {"sqlite3"}
        ), path.name


def test_content_tells_the_kind_of_a_book(records, text, sqlite, open_repository, old, tmp_path):
    from hivebook import HiveError

    for name, kind in (("new.db", sqlite), ("new.hive", text), ("new", text)):
        with open_repository(tmp_path / name) as repository:
            assert isinstance(repository, kind)
    with open_repository(tmp_path / "book.db") as repository:
        fill(repository, records)
    shutil.move(tmp_path / "book.db", tmp_path / "book.hive")
    shutil.copy(old, tmp_path / "text.db")
    for name, kind in (("book.hive", sqlite), ("text.db", text)):
        with open_repository(tmp_path / name) as repository:
            assert isinstance(repository, kind)
            assert all_of(repository) == contents(records)
    (tmp_path / "letter.db").write_text("Dear all,\n")
    with pytest.raises(HiveError):
        open_repository(tmp_path / "letter.db")


@pytest.mark.parametrize("name", ["a.hive", "a.db"])
def test_what_is_refused_or_only_looked_at_changes_nothing(records, open_repository, name, tmp_path):
    from hivebook import HiveError

    path = tmp_path / name
    for words in (["list"], ["report", "2020"], ["alerts"]):
        assert run(path, *words).returncode == 0
    for words in (["show", "A"], ["harvest", "A", "2024-01-01", "3"], ["rename", "A", "B"], ["add", "A", "x"]):
        assert run(path, *words).returncode == 1
    assert not path.exists()
    with open_repository(path) as repository:
        fill(repository, records)
    before = path.read_bytes()
    with open_repository(path) as repository:
        for change in (
            lambda: repository.add_colony(records.Colony("Nook", date(2024, 1, 1))),
            lambda: repository.change_colony("Nook", records.Colony("Corner", date(2024, 1, 1))),
            lambda: repository.change_colony("Nock", records.Colony("Nack", date(2024, 1, 1))),
            lambda: repository.add_inspection(records.Inspection("Nock", date(2024, 1, 1))),
            lambda: repository.add_harvest(records.Harvest("Nock", date(2024, 1, 1), 1)),
        ):
            with pytest.raises(HiveError):
                change()
            assert all_of(repository) == contents(records)
        # The lists are the caller's own.
        repository.colonies().clear()
        repository.harvests().clear()
        assert all_of(repository) == contents(records)
    assert run(path, "list").returncode == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["b.hive", "b.db"])
def test_commands_do_what_they_did(records, open_repository, name, tmp_path):
    path = tmp_path / name
    if name == "b.hive":
        path.write_bytes(OLD.encode())
    else:
        with open_repository(path) as repository:
            fill(repository, records)
    for words, refused in SESSION:
        done = run(path, *words)
        assert (done.returncode, done.stdout, done.stderr) == (int(bool(refused)), "", refused), words
    for words, printed in PRINTED.items():
        assert run(path, *words.split()).stdout == printed, words
    assert run(tmp_path / "none.hive", "alerts", "--today", "soon").returncode == 1


def test_a_book_is_converted(records, open_repository, old, tmp_path):
    new, back = tmp_path / "new.db", tmp_path / "back.hive"
    done = run(old, "convert", str(new))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert old.read_bytes() == OLD.encode()
    connection = sqlite3.connect(new)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert run(new, "convert", str(back)).returncode == 0
    for path in (new, back):
        with open_repository(path) as repository:
            assert all_of(repository) == contents(records)
    before = new.read_bytes()
    refused = run(old, "convert", str(new))
    assert refused.returncode == 1
    assert refused.stderr.startswith("hivebook: ")
    assert new.read_bytes() == before


def test_the_documents_stay_true():
    readme, file = (Path(name).read_text(encoding="utf-8") for name in ("README.md", "docs/format.md"))
    assert "convert" in readme
    assert "sqlite" in file.lower()
    assert "storage.load" not in file
