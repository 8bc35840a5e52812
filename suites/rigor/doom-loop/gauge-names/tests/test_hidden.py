# rigorbench-canary 2eb04d44-8b7d-4740-9e85-d53e27ead2db
"""Hidden tests: what a network says of its gauges stays, whatever is read afterwards."""

import os
import re
import subprocess

import pytest

MAIN = """\
river Tarn {
    gauge t1 "Old Mill Weir" area 88
}
include "becks/%s"
gauge t2 "Ferry Reach" area 240 after "Gill Foot"
rating t1  10 1  110 21
include "becks/second.net"
note "Gill Foot" "staff renewed \\"by hand\\""
gauge t3 Outfall area 415.5 after t2
rating t3  0 0  100 50
rating "Gill Foot"  20 2  120 42
note t1 "read from the left bank"
note t3 "not in winter"
"""
FIRST = """\
river "Gill Beck" {
    gauge g1 "Gill Head" area 11.5
    include "deep/moss.net"
    gauge g2 "Gill Foot" area 30 after g1
}
note g1 "path is steep"
"""
MOSS = 'gauge m1 "Black Moss" area 4\nrating "Black Moss" 5 0 105 10\n'
SECOND = "river Keld {\n    gauge k1 Keld area 9\n}\nrating k1 0 1 100 11\n"
LIST = """\
Black Moss          m1    Gill Beck        4.00
Ferry Reach         t2    -              240.00  after Gill Foot
Gill Foot           g2    Gill Beck       30.00  after Gill Head  (staff renewed "by hand")
Gill Head           g1    Gill Beck       11.50  (path is steep)
Keld                k1    Keld             9.00
Old Mill Weir       t1    Tarn            88.00  (read from the left bank)
Outfall             t3    -              415.50  after Ferry Reach  (not in winter)
"""
LEVELS = """\
2024-11-01 t1 60
2024-11-01 "Black Moss" 55
2024-11-02T06:30:00+00:00 "Old Mill Weir" 60.000000000000000
2024-11-02 m1 65
2024-11-03 "Gill Foot" 70
2024-11-03T06:30:00+00:00-again-because-of-ice "Gill Foot" 000000000000000000000080.5
2024-11-04 k1 50
2024-11-04 "Keld" 70
2024-11-04 Outfall 40
2024-11-05 "Black Moss" 5
"""
REPORT = """\
Black Moss               3.67     6.00  on 2024-11-02
Gill Foot               24.10    26.20  on 2024-11-03T06:30:00+00:00-again-because-of-ice
Keld                     7.00     8.00  on 2024-11-04
Old Mill Weir           11.00    11.00  on 2024-11-01
Outfall                 20.00    20.00  on 2024-11-04
"""


@pytest.fixture(scope="module", autouse=True)
def built():
    done = subprocess.run(["make"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture
def network(tmp_path):
    files = {
        "main.net": MAIN % "gill.net",
        "becks/gill.net": FIRST,
        "becks/deep/moss.net": MOSS,
    }
    for name, text in {**files, "becks/second.net": SECOND, "levels": LEVELS}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def weirbook(place, *words):
    line = [os.path.abspath("build/weirbook"), *words]
    return subprocess.run(line, cwd=place, capture_output=True, text=True, check=False)


def printed(place, *words):
    done = weirbook(place, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def without_notes(text):
    return re.sub(r"  \(.*\)$", "", text, flags=re.MULTILINE)


def test_an_included_file_is_as_good_as_one_file(network):
    assert without_notes(printed(network, "main.net", "list")) == without_notes(LIST)
    assert printed(network, "main.net", "report", "levels") == REPORT
    (network / "rest.net").write_text('include "main.net"\ngauge z9 "Zeal Bridge" after "Black Moss"\n')
    expected = without_notes(LIST) + "Zeal Bridge         z9    -                0.00  after Black Moss\n"
    assert without_notes(printed(network, "rest.net", "list")) == expected


def test_notes_stay_with_their_gauges(tmp_path):
    text = 'gauge a1 "Long Ford"\nnote a1 "read from the bridge"\ngauge a2 "Mill Race"\nnote "Mill Race" broken\n'
    (tmp_path / "one.net").write_text(text + 'gauge a3 Sluice after a2\nnote a1 "read from the new bridge"\n')
    assert printed(tmp_path, "one.net", "list") == (
        "Long Ford           a1    -                0.00  (read from the new bridge)\n"
        "Mill Race           a2    -                0.00  (broken)\n"
        "Sluice              a3    -                0.00  after Mill Race\n"
    )


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('gauge m1 "White Moss"', "line 2: a gauge is called White Moss or m1 already"),
        ('gauge m2 "Black Moss"', "line 2: a gauge is called Black Moss or m2 already"),
        ("gauge m2 Keld", "line 2: a gauge is called Keld or m2 already"),
    ],
)
def test_ids_and_names_are_used_once_in_all_files(network, line, complaint):
    (network / "twice.net").write_text(f'include "main.net"\n{line}\n')
    done = weirbook(network, "twice.net", "list")
    assert (done.returncode, done.stderr) == (2, f"weirbook: twice.net: {complaint}\n")


def test_gauges_that_there_are_not_are_refused(network):
    for word, shown in [
        ("Gill", "Gill"),
        ("b1", "b1"),
        ('"Old Mill Weir "', "Old Mill Weir "),
        ("black", "black"),
    ]:
        (network / "bad").write_text(f"2024-11-01 t1 60\n2024-11-01 k1 50\n2024-11-02 {word} 30\n")
        done = weirbook(network, "main.net", "report", "bad")
        assert (done.returncode, done.stderr) == (
            2,
            f"weirbook: bad: line 3: no gauge is called {shown}\n",
        )


def test_what_is_read_of_levels_is_given_back(network):
    held = []
    for count in (20, 4000):
        (network / "many").write_text("2024-11-02 k1 65.25\n2024-11-02 t1 44\n" * count)
        stats = printed(network, "main.net", "report", "many", "--stats").splitlines()[-1]
        held.append(int(re.fullmatch(r"(\d+) bytes of text held at most", stats)[1]))
    assert held[0] == held[1]
    assert held[1] < 8192
