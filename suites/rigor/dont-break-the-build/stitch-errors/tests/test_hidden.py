# rigorbench-canary a6db605c-23cd-477f-ad69-5a6d703c19c2
"""Hidden tests: problems as exceptions, one requirement each."""

import importlib
from pathlib import Path

import pytest

import stitchcheck
from stitchcheck import chart, check, final, metres, parse, parse_row, read, tokenize
from stitchcheck.cli import main
from stitchcheck.counting import work
from stitchcheck.order import order
from stitchcheck.pattern import Row

MANY = "cast on: 3\nrow: k3\nrow: p3\nrepeat: 1-2 x6000\n"


@pytest.fixture
def errors():
    return importlib.import_module("stitchcheck.errors")


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run a command on files with these texts; what it printed, what it told, and its status."""
    monkeypatch.chdir(tmp_path)

    def call(words, **texts):
        for name, text in texts.items():
            Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        status = main(words.split())
        return (*capsys.readouterr(), status)

    return call


def raised(errors, call, *arguments):
    """(kind, line, column, message) of what a call raises."""
    with pytest.raises(errors.PatternError) as caught:
        call(*arguments)
    error = caught.value
    return type(error).__name__, error.line, error.column, error.message


def seen(problems):
    return [(type(e).__name__, e.line, e.column, e.message) for e in problems]


def test_errors_tell_what_and_where(errors):
    assert issubclass(errors.PatternError, Exception)
    for name, status in (("CountError", 1), ("ReadingError", 2), ("FileError", 3), ("LimitError", 4), ("TooManyRows", 4)):
        kind = getattr(errors, name)
        assert getattr(stitchcheck, name) is kind
        assert issubclass(kind, errors.PatternError)
        error = kind("why: because", 12, 3)
        assert (str(error), error.message, error.line, error.column) == ("why: because", "why: because", 12, 3)
        assert error.exit_code == status
        assert error.told("a/b.knit") == "a/b.knit:12:3: why: because"
        assert kind("why", line=9).told("b") == "b:9: why"
        assert kind("why").told("c") == "c: why"
        assert (kind("why").line, kind("why").column) == (None, None)
    assert issubclass(errors.TooManyRows, errors.LimitError)
    assert not issubclass(errors.LimitError, errors.CountError)
    assert stitchcheck.PatternError is errors.PatternError


def test_the_readme_tells_about_the_exceptions():
    assert "PatternError" in Path("README.md").read_text(encoding="utf-8")


def test_rows_are_given_or_raised(errors):
    assert [(t.kind, t.count, t.column) for t in tokenize("  (k3tog m12) x3")] == [
        ("(", 1, 3),
        ("k3tog", 1, 4),
        ("m1", 2, 10),
        (")", 1, 13),
        ("x", 3, 15),
    ]
    assert tokenize("") == []
    assert parse_row("(k1 (p2)) x2 bo") == [("k", 1), ("p", 2), ("k", 1), ("p", 2), ("bo", 1)]
    for call in (tokenize, parse_row):
        assert raised(errors, call, "k2 kk3") == ("ReadingError", None, 4, "no stitch 'kk3'")
        assert raised(errors, call, "k2  p0") == ("ReadingError", None, 5, "nothing to do in 'p0'")
    for text, kind, column, message in (
        ("", "ReadingError", None, "an empty row"),
        ("k1 (p1 (k2) x2", "ReadingError", 4, "this is never closed"),
        ("k1 (p1)) x2", "ReadingError", 8, "nothing was opened here"),
        ("k1 ()", "ReadingError", 4, "an empty group"),
        ("k1 x2", "ReadingError", 4, "only a group can be worked again"),
        ("k1 (k1 p1 k1) x167", "LimitError", 4, "more than 500 steps"),
        ("(k1) x499 (k1 p1)", "LimitError", 11, "more than 500 steps"),
    ):
        found = raised(errors, parse_row, text)
        assert found[:2] == (kind, None), text
        assert found[3] == message, text
        assert found[2] == column or (text.startswith("(k1)") and found[2]), text
    assert len(parse_row("(k1) x500")) == 500


def test_patterns_are_given_with_their_problems(errors, tmp_path):
    path = tmp_path / "a.knit"
    assert raised(errors, read, path) == ("FileError", None, None, "no such file")
    assert raised(errors, read, tmp_path) == ("FileError", None, None, "cannot be read")
    path.write_bytes(b"cast on: 4\nrow: k4 # caf\xe9\n")
    assert raised(errors, read, path) == ("FileError", None, None, "no text")
    path.write_text("gauge: 0\nrow: k2 (k1\nrow 5: zz\nrow:\nrepeat: 2-5 x1\nrepeat: all\nribbing\n")
    pattern = read(path)
    assert seen(pattern.problems) == [
        ("ReadingError", None, None, "no stitches are cast on"),
        ("ReadingError", 1, 8, "expected a number, not '0'"),
        ("ReadingError", 2, 9, "this is never closed"),
        ("ReadingError", 3, 8, "no stitch 'zz'"),
        ("ReadingError", 4, None, "an empty row"),
        ("ReadingError", 5, None, "there are no rows 2 to 5 above"),
        ("ReadingError", 6, None, "expected something like 1-2 x3, not 'all'"),
        ("ReadingError", 7, 1, "expected cast on, gauge, row or repeat"),
    ]
    assert all(isinstance(e, errors.PatternError) for e in pattern.problems)
    assert [row.steps for row in pattern.rows] == [None, None, None]
    assert pattern.rows[1].begins == 5


def test_checking_collects_everything(errors):
    pattern = parse(
        "cast on: 10\nrow: k10\nrow: ssk k9\nrow: (k5) x501\nrow: p77\nrow 6: k2 yo k4\nrow: bo7\nrow: k1\nrow 0: yo\n"
        "repeat: 7-8 x2\nrow: q0\nrow 3: k3\nrow 2: k2\nrepeat: 1-1 x2\n"
    )
    assert seen(check(pattern)) == [
        ("CountError", 2, None, "takes 10 of 2 stitches: 8 too few"),
        ("CountError", 3, None, "takes 11 of 10 stitches: 1 too few"),
        ("LimitError", 4, 6, "more than 500 steps"),
        ("CountError", 8, None, "takes 1 of 0 stitches: 1 too few"),
        ("CountError", 9, None, "begins with 1 stitches, not 0"),
        ("ReadingError", 11, 6, "no stitch 'q0'"),
        ("CountError", 13, None, "begins with 3 stitches, not 2"),
    ]
    assert seen(check(parse("cast on: 2\nrow: k1 m1 k1\nrepeat: 1-1 x2\n"))) == [
        ("CountError", 2, None, "takes 2 of 3 stitches: 1 left over")
    ]
    assert seen(check(parse("cast on: 2\nrow: ssk\nrow: bo\nrow 0: yo2\nrow: p2\nrow: k1\nrepeat: 3-5 x2\n"))) == [
        ("CountError", 6, None, "takes 1 of 2 stitches: 1 left over")
    ]
    assert seen(check(parse(MANY + "row: k2\n"))) == [
        ("TooManyRows", 4, None, "more than 9999 rows"),
        ("CountError", 5, None, "takes 2 of 3 stitches: 1 left over"),
    ]


def test_charts_come_line_by_line(errors, run):
    lines = chart(parse("cast on: 3\nrow: kfb k2\nrow: p4\nrow: bo k2tog ssk\nrow: k2\nrow: k2\n"))
    assert [next(lines) for _ in range(2)] == ["   1 vv..", "   2 ----"]
    assert raised(errors, next, lines) == ("CountError", 4, None, "takes 5 of 4 stitches: 1 too few")
    lines = chart(parse("cast on: 3\nrow: bo k2\nrow: oops\nrow: k2\n"))
    assert next(lines) == "   1  .."
    assert raised(errors, next, lines) == ("ReadingError", 3, 6, "no stitch 'oops'")
    assert raised(errors, list, chart(parse("row: k2\n")))[3] == "no stitches are cast on"
    assert raised(errors, list, chart(parse(MANY)))[:2] == ("TooManyRows", 4)
    assert run("chart a", a="cast on: 1\nrow: kfb\nrow: sl2\nrow: sl3\n") == (
        "   1 vv\n   2 ss\n",
        "a:4: takes 3 of 2 stitches: 1 too few\n",
        1,
    )


def test_nothing_is_none_but_what_is_missing(errors):
    from stitchcheck.stitches import sign, split

    assert work(Row(3, [("bo", 4)]), 4) == 0
    assert work(Row(3, [("yo", 3)]), 0) == 3
    assert raised(errors, work, Row(3, [("k", 2)]), 0) == ("CountError", 3, None, "takes 2 of 0 stitches: 2 too few")
    good = parse("cast on: 4\ngauge: 25\nrow: k4\nrow: p4\nrepeat: 1-2 x1\nrow: bo4\n")
    assert order(good) == [0, 1, 0, 1, 2]
    assert final(good) == (5, 0)
    assert metres(good) == pytest.approx(0.2912)
    assert metres(parse("cast on: 4\nrow: k4\n")) is None
    assert raised(errors, order, parse(MANY)) == ("TooManyRows", 4, None, "more than 9999 rows")
    for call in (final, metres):
        assert raised(errors, call, parse(MANY))[0] == "TooManyRows"
        assert raised(errors, call, parse("cast on: 4\nrow: k4 q\n")) == ("ReadingError", 2, 9, "no stitch 'q'")
        assert raised(errors, call, parse(MANY + "row: k4\n"))[:2] == ("CountError", 5)
    assert final(parse("cast on: 4\n")) == (0, 4)
    assert check(good) == []
    assert sign("bo") is None
    assert split("purl") is None


def test_the_codes_are_gone(errors):
    with pytest.raises(ImportError):
        importlib.import_module("stitchcheck.codes")
    assert not hasattr(importlib.import_module("stitchcheck.counting"), "problem")
    assert not hasattr(importlib.import_module("stitchcheck.order"), "too_many")


FILES = {
    "fine": "cast on: 5\nrow: k5\nrow: bo5\n",
    "odd": "cast on: 5\nrow: k6\nrow: k9 9\nrow: k4\nrow 4: k5\n",
    "wide": "cast on: 2\nrow: (k1 p1) x600\nrow: k3\n",
    "deep": MANY,
    "both": "cast on: 2\nrow: (k1 p1) x600\nrepeat: 1-1 x10000\n",
}
ODD = (
    "odd:2: takes 6 of 5 stitches: 1 too few\nodd:3:9: no stitch '9'\nodd:5: takes 5 of 4 stitches: 1 too few\n"
)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("check fine", ("fine: ok\n", "", 0)),
        ("check odd fine", ("fine: ok\n", ODD, 2)),
        ("check lost fine odd", ("fine: ok\n", "lost: no such file\n" + ODD, 3)),
        ("check wide deep lost", ("", "wide:2:6: more than 500 steps\ndeep:4: more than 9999 rows\nlost: no such file\n", 4)),
        ("count fine", ("2 rows, 0 stitches at the end\n", "", 0)),
        ("count deep", ("more than 9999 rows\n", "", 0)),
        ("count wide", ("", "wide:2:6: more than 500 steps\n", 4)),
        ("count both", ("", "both:2:6: more than 500 steps\n", 4)),
        ("yarn deep", ("", "deep:4: more than 9999 rows\n", 4)),
        ("yarn odd", ("", "odd:2: takes 6 of 5 stitches: 1 too few\n", 1)),
        ("yarn lost", ("", "lost: no such file\n", 3)),
    ],
)
def test_commands_tell_and_end_as_they_did(run, words, expected):
    assert run(words, **FILES) == expected
