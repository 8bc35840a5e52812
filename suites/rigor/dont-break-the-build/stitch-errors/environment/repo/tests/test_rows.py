import pytest

from stitchcheck import codes
from stitchcheck.rows import parse_row
from stitchcheck.stitches import sign, split
from stitchcheck.tokens import tokenize


def test_words_are_stitches_with_counts():
    tokens, problem = tokenize("k2 (yo k2tog) x4")
    assert problem is None
    assert [(t.kind, t.count, t.column) for t in tokens] == [
        ("k", 2, 1),
        ("(", 1, 4),
        ("yo", 1, 5),
        ("k2tog", 1, 8),
        (")", 1, 13),
        ("x", 4, 15),
    ]


def test_the_longest_name_counts():
    assert split("k2tog3") == ("k2tog", 3)
    assert split("k23") == ("k", 23)
    assert split("m12") == ("m1", 2)
    assert split("knit") is None


def test_a_stitch_may_have_no_sign():
    assert sign("yo") == "o"
    assert sign("bo") is None


def test_groups_are_worked_out():
    assert parse_row("k2 (yo (p1 k2) x2) x2") == (
        [("k", 2), *([("yo", 1), ("p", 1), ("k", 2), ("p", 1), ("k", 2)] * 2)],
        None,
    )


@pytest.mark.parametrize(
    ("text", "code", "column", "message"),
    [
        ("k2 pearl3", codes.SYNTAX, 4, "no stitch 'pearl3'"),
        ("k2 (p2", codes.SYNTAX, 4, "this is never closed"),
        ("k2) x2", codes.SYNTAX, 3, "nothing was opened here"),
        ("(k1 p1) x300", codes.LIMIT, 1, "more than 500 steps"),
    ],
)
def test_bad_rows(text, code, column, message):
    assert parse_row(text) == (None, (code, 0, column, message))
