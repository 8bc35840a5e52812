# rigorbench-canary 0bcdef1a-5cfe-45c7-8a87-d1c060fe4868
"""Hidden tests: an event counts once, and every event counts."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from footfall import FootfallError, Store, import_logs, report

MOST = 2**32 - 1


@pytest.fixture
def log(tmp_path):
    """Writes a log with an event for each number, a minute apart."""

    def write(gate, numbers, name=None, start=480, offset="+01:00"):
        lines = []
        for minute, number in enumerate(numbers, start):
            day, minute = divmod(minute, 24 * 60)
            lines.append(f"{number} 2023-03-{6 + day:02}T{minute // 60:02}:{minute % 60:02}:30Z in")
        path = tmp_path / f"{name or gate.replace('/', '_')}.log"
        path.write_text("\n".join([f"#gate {gate}", f"#offset {offset}", *lines, f"#end {len(lines)}", ""]))
        return path

    return write


def counted(tmp_path, name, *imports):
    """(events that were new in each import, the report), each import with the store opened anew."""
    new = []
    for logs in imports:
        new.append(sum(done.new for done in import_logs(Store(tmp_path / name), list(logs))))
    return new, report(Store(tmp_path / name))


def test_the_order_of_logs_in_an_import_does_not_matter(log, tmp_path):
    logs = [
        log("a", range(65536, 65636)),
        log("b", range(10, 90)),
        log("c", range(131072 - 40, 131072 + 40)),
        log("d", range(MOST - 30, MOST + 1)),
        log("e", range(2**31, 2**31 + 20)),
    ]
    wanted = ["100", "80", "80", "31", "20"]
    for number, order in enumerate(itertools.permutations(logs)):
        if number % 7 == 0:
            new, lines = counted(tmp_path, f"store{number}", order)
            assert new == [311]
            assert [line.split()[2] for line in lines] == wanted


def test_it_does_not_matter_how_logs_are_spread_over_imports(log, tmp_path):
    first, second = log("a", range(100, 150), "a1"), log("a", range(150, 200), "a2")
    other, last = log("b", range(100, 200), "b"), log("c", range(120, 160), "c")
    wanted = ["2023-03-06 a: 100 in, 0 out", "2023-03-06 b: 100 in, 0 out", "2023-03-06 c: 40 in, 0 out"]
    spreads = [
        [[first, other], [last, second]],
        [[other], [first], [second], [last]],
        [[last], [other, second], [first]],
        [[second, last], [first, other]],
        [[first, second, other, last]],
    ]
    for number, spread in enumerate(spreads):
        new, lines = counted(tmp_path, f"store{number}", *spread)
        assert sum(new) == 240
        assert lines == wanted


def test_imports_by_several_processes(log, tmp_path):
    env = {**os.environ, "PYTHONPATH": str(Path("src").absolute())}
    env.pop("PYTHONHASHSEED", None)
    command = [sys.executable, "-m", "footfall", "import", str(tmp_path / "store")]
    found = []
    for logs in ([log("x", range(5))], [log("y", range(5)), log("x", range(3, 8), "x2")], [log("x", range(8), "x3")]):
        done = subprocess.run([*command, *map(str, logs)], env=env, capture_output=True, text=True, check=True)
        found += done.stdout.splitlines()
    assert found == [
        "x.log: 5 events, 5 new",
        "y.log: 5 events, 5 new",
        "x2.log: 5 events, 3 new, 2 sent before",
        "x3.log: 8 events, 0 new, 8 sent before",
    ]


def test_what_a_gate_sends_twice_counts_once(log, tmp_path):
    numbers = [7, 8, 9, 8, 70000, 70001, 70000, MOST, MOST, 7]
    first, again = log("a", numbers), log("a", [9, 70001, 70002], "again", start=700)
    new, lines = counted(tmp_path, "store", [first, again], [again], [log("b", numbers)], [first])
    assert new == [7, 0, 6, 0]
    assert lines == ["2023-03-06 a: 7 in, 0 out", "2023-03-06 b: 6 in, 0 out"]
    # Sent again by a gate whose clock was set back in between: it is known by its number.
    late = log("a", [7, 8], "late", start=5)
    assert counted(tmp_path, "store", [late])[0] == [0]


def test_events_that_come_late_count(log, tmp_path):
    first = log("a", [5, 6, 8, 9, 11, 14, 15, 16, 19], "first")
    late = [log("a", [10], "late1"), log("a", [7, 13], "late2"), log("a", [17, 12], "late3"), log("b", [7], "late4")]
    new, lines = counted(tmp_path, "store", [first], *([one] for one in late))
    assert new == [9, 1, 2, 2, 1]
    assert lines == ["2023-03-06 a: 14 in, 0 out", "2023-03-06 b: 1 in, 0 out"]
    assert counted(tmp_path, "other", late, [first], [log("a", [18], "last")])[0] == [6, 9, 1]


def test_names_and_numbers_of_gates_are_kept_apart(log, tmp_path):
    logs = [
        log("gate1", [11, 12, 1000], "g1"),
        log("gate11", [1, 2, 3], "g2"),
        log("gate", [111, 112, 11000], "g3"),
        log("1", [65537], "g4"),
        log("65537", [1], "g5"),
        log("hall/1", [2], "g6"),
        log("hall", [12], "g7"),
        log("a-1", [2], "g8"),
        log("a", [12], "g9"),
        log("A", [12], "g10"),
        log("a.1", [2], "g11"),
    ]
    for name, order in (("one", logs), ("other", logs[::-1])):
        new, lines = counted(tmp_path, name, order, logs)
        assert new == [17, 0]
        assert len(lines) == 11


def test_the_store_stays_small(log, tmp_path):
    logs = [log("north", range(65000, 66200)), log("south", range(3, 1203)), log("east", range(2**20, 2**20 + 1200))]
    import_logs(Store(tmp_path / "store"), logs)
    small = sum(path.stat().st_size for path in (tmp_path / "store").iterdir())
    more = [log("north", range(66200, 67400), "n2"), log("south", range(1203, 2403), "s2")]
    import_logs(Store(tmp_path / "store"), more)
    grown = sum(path.stat().st_size for path in (tmp_path / "store").iterdir())
    assert small < 4000
    assert grown - small < 60


def test_days_and_hours_are_those_of_the_museum(log, tmp_path):
    store = Store(tmp_path / "store")
    import_logs(store, [log("a", range(4), start=1378), log("b", range(4), start=2, offset="-00:04")])
    assert report(store, hours=True) == [
        "2023-03-05 b 23h: 2 in, 0 out",
        "2023-03-06 a 23h: 2 in, 0 out",
        "2023-03-06 b 00h: 2 in, 0 out",
        "2023-03-07 a 00h: 2 in, 0 out",
    ]
    bad = log("c", [1, 2])
    bad.write_text(bad.read_text().replace("#end 2", "#end 3"))
    with pytest.raises(FootfallError, match="#end says 3"):
        import_logs(store, [log("d", [1]), bad])
    assert len(report(Store(tmp_path / "store"))) == 4
