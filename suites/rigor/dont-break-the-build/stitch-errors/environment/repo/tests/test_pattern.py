from pathlib import Path

from stitchcheck import check, codes, final, metres, parse, read
from stitchcheck.chart import chart
from stitchcheck.counting import work
from stitchcheck.order import order
from stitchcheck.pattern import Row

SCARF = Path(__file__).parents[1] / "examples" / "scarf.knit"


def test_the_scarf_is_read():
    pattern, problem = read(SCARF)
    assert problem is None
    assert (pattern.cast_on, pattern.gauge, len(pattern.rows)) == (12, 22, 4)
    assert pattern.problems == check(pattern) == []
    assert order(pattern) == [0, 1, 2, 1, 2, 1, 2, 3]


def test_a_file_that_is_not_there():
    assert read(SCARF.with_name("none.knit")) == (None, (codes.FILE, 0, 0, "no such file"))


def test_a_line_that_cannot_be_read():
    assert parse("cast on: 4\nrow: k2 o2\n").problems == [(codes.SYNTAX, 2, 9, "no stitch 'o2'")]
    assert parse("row: k2\n").problems == [(codes.SYNTAX, 0, 0, "no stitches are cast on")]


def test_rows_take_and_leave_stitches():
    assert work(Row(1, [("k", 2), ("yo", 1)]), 2) == 3
    assert work(Row(1, [("bo", 2)]), 2) == 0
    assert work(Row(1, [("k", 3)]), 2) == -1
    assert work(Row(1, [("k", 1)]), 2) == -2


def test_a_row_that_does_not_come_out():
    assert check(parse("cast on: 6\nrow: k2tog x3\n"))[0][3] == "only a group can be worked again"
    assert check(parse("cast on: 6\nrow: k6\nrow: k5\n")) == [(codes.COUNT, 3, 0, "takes 5 of 6 stitches: 1 left over")]


def test_the_end_of_a_pattern():
    assert final(read(SCARF)[0]) == (8, 0, None)


def test_yarn_needs_a_gauge():
    assert metres(parse("cast on: 4\nrow: k4\n")) == (None, None)
    length, problem = metres(parse("cast on: 4\ngauge: 20\nrow: k4\n"))
    assert (round(length, 4), problem) == (0.12, None)


def test_a_chart_has_a_line_for_each_row():
    assert list(chart(parse("cast on: 4\nrow: k2 yo ssk\nrow: p4\n"))) == [("   1 ..o\\", None), ("   2 ----", None)]
