"""The built-in comparisons against slow ones that read as the format's text does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.judge.engine import checking as module
from rigorbench.judge.engine.checking import compare
from rigorbench.judge.engine.verdicts import CheckerDecision
from rigorbench.judge.problems.problem import Compare

WHITE = " \t\n\r\v\f"


def check(kind: Compare, output: str | bytes, answer: str | bytes, *options: str) -> CheckerDecision:
    one, other = (text.encode() if isinstance(text, str) else text for text in (output, answer))
    return compare(kind, one, other, options)


def verdict(kind: Compare, output: str | bytes, answer: str | bytes, *options: str) -> str:
    return {"accepted": "AC", "wrong_answer": "WA", "presentation_error": "PE"}[
        check(kind, output, answer, *options).verdict
    ]


@pytest.mark.parametrize(
    ("kind", "output", "answer", "options", "expected"),
    [
        ("token", "1 2\n3", " 1\r\n2\t3 \n", (), "AC"),
        ("token", "1 2", "1 2 3", (), "WA"),
        ("token", "1 2 3", "1 2", (), "WA"),
        ("token", "", " \n", (), "AC"),
        ("token", "", "x", (), "WA"),
        ("token", "YES", "yes", (), "AC"),
        ("token", "YES", "yes", ("case_sensitive",), "WA"),
        ("token", "YES", "yes", ("case_sensitive", "presentation_error"), "PE"),
        ("token", "NO", "yes", ("case_sensitive", "presentation_error"), "WA"),
        ("token", "a  b\n", "a b\n", ("space_change_sensitive",), "WA"),
        ("token", "a  b\n", "a b\n", ("space_change_sensitive", "presentation_error"), "PE"),
        ("token", "a b", "a b\n", ("space_change_sensitive",), "WA"),
        ("token", "A b\n", "a b\n", ("space_change_sensitive",), "AC"),
        ("token", "É", "é", (), "WA"),  # only ASCII letters have two cases
        ("token", b"\xff\x00\xfe", b"\xff\x00\xfe\n", (), "AC"),
        ("token", b"\xff\x00", b"\xff\x01", (), "WA"),
        ("token", "1.0", "1", (), "WA"),
        ("float", "1.0000001", "1", (), "AC"),
        ("float", "1.00001", "1", (), "WA"),
        ("float", "1000001e-6 x", "1 X", (), "AC"),
        ("float", "nan", "1", (), "WA"),
        ("float", "inf", "1", (), "WA"),
        ("float", "1_0", "10", (), "WA"),
        ("float", "0x10", "16", (), "WA"),
        ("float", "nan", "NaN", (), "AC"),  # no numbers for the format: texts
        ("float", "1", "nan", (), "WA"),
        ("float", "1e999", "1", (), "WA"),
        ("float", "1", "1e999", (), "WA"),
        ("float", "1e999", "2e999", (), "AC"),
        ("float", "-1e999", "1e999", (), "WA"),
        ("float", "-0", "0.0", (), "AC"),
        ("float", "5.", ".5e1", (), "AC"),
        ("float", "5" * 3000, "5" * 3000, (), "AC"),
        ("float", "5" * 3000, "5" * 3000 + ".0", (), "WA"),
        ("token", "1.05", "1.0", ("float_absolute_tolerance", "0.1"), "AC"),
        ("token", "1.05", "1.0", ("float_absolute_tolerance 0.01",), "WA"),
        ("token", "105", "100", ("float_relative_tolerance", "0.05"), "AC"),
        ("token", "106", "100", ("float_relative_tolerance", "0.05"), "WA"),
        ("token", "1", "0", ("float_relative_tolerance", "0.5"), "WA"),
        ("line", "a \nb", "a\nb\n\n", (), "AC"),
        ("line", "a\n\n\n \n", "a", (), "AC"),
        ("line", "a\n\nb", "a\nb", (), "WA"),
        ("line", " a", "a", (), "WA"),
        ("line", "A", "a", (), "WA"),
        ("line", "A\n", "a", ("presentation_error",), "PE"),
        ("line", "a\r\n", "a\n", (), "AC"),
        ("line", "a\n\n\nb", "a", (), "WA"),
        ("line", "", "\n\n", (), "AC"),
        ("exact", "a\r\nb\r\n", "a\nb\n", (), "AC"),
        ("exact", "a", "a\n", (), "AC"),
        ("exact", "a \n", "a\n", (), "WA"),
        ("exact", "a \n", "a\n", ("presentation_error",), "PE"),
        ("exact", "a\n\n", "a\n", (), "WA"),
        ("exact", "a\r\r\n", "a\n", (), "WA"),
        ("binary", "a\n", "a", (), "WA"),
        ("binary", b"\0\1", b"\0\1", (), "AC"),
        ("binary", "a\n", "a", ("presentation_error",), "PE"),
    ],
)
def test_verdicts(kind: Compare, output: str, answer: str, options: tuple[str, ...], expected: str) -> None:
    assert verdict(kind, output, answer, *options) == expected


@pytest.mark.parametrize(
    "options",
    [("case",), ("float_tolerance",), ("float_tolerance", "x"), ("float_tolerance", "1", "float_tolerance", "1")],
)
def test_unknown_options_are_refused(options: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"case|float"):
        check("token", "", "", *options)


def test_message_names_the_place_and_never_the_content() -> None:
    found = check("token", "1 2\n3 oops 5\n", "1 2\n3 secret 5\n")
    assert found.message == "differs at line 2, token 2"
    assert "secret" not in found.message
    assert "secret" in found.details
    assert check("binary", b"ab", b"aXc").message == "differs at byte 2"
    assert check("binary", b"ab", b"abc").message == "the output ends too early, before byte 3"
    assert check("line", "a\nb\nc\n", "a\nb\n").message == "there is more output than expected, from line 3 on"
    assert check("token", "a\n", "a b").message == "the output ends too early, at line 2, token 1"


# -- against slow references ----------------------------------------------------------------------------------------

_TEXT = st.text(alphabet="aAb1.5e- \t\n\r\v", max_size=30)
_NUMBER = re.compile(r"[+-]?(\d*\.\d+|\d+\.?)([eE][+-]?\d+)?")


def slow_tokens(output: str, answer: str, case: bool, tolerance: Fraction | None) -> bool:
    one, other = re.split(f"[{WHITE}]+", output.strip(WHITE)), re.split(f"[{WHITE}]+", answer.strip(WHITE))
    if len(one) != len(other):
        return False
    for unit, expected in zip(one, other, strict=True):
        if tolerance is not None and _NUMBER.fullmatch(expected):
            if not _NUMBER.fullmatch(unit):
                return False
            value, wanted = Fraction(float(unit)), Fraction(float(expected))
            if not (abs(value - wanted) <= tolerance or abs(value - wanted) <= tolerance * abs(wanted)):
                return False
        elif unit != expected and (case or unit.lower() != expected.lower()):
            return False
    return True


def slow_lines(text: str) -> list[str]:
    lines = [line.rstrip(WHITE) for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def slow_exact(text: str) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


@st.composite
def near_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Texts that are mostly alike: changed in few places, which is where comparing goes wrong."""
    answer = draw(_TEXT)
    output = answer
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(output)))
        end = min(len(output), place + draw(st.integers(0, 2)))
        output = output[:place] + draw(st.text(alphabet="aA1. \n\r", max_size=2)) + output[end:]
    return output, answer


@contextmanager
def read_in(size: int) -> Iterator[None]:
    """So many bytes and units at a time: nothing may depend on where a text is split."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", size)
        yield


@settings(max_examples=200)
@given(pair=near_pairs(), size=st.integers(1, 7), case=st.booleans(), tolerance=st.sampled_from([None, "0.5", "1e-3"]))
def test_tokens_agree_with_the_slow_reference(
    pair: tuple[str, str], size: int, case: bool, tolerance: str | None
) -> None:
    options = ["case_sensitive"] * case + (["float_tolerance", tolerance] if tolerance else [])
    with read_in(size):
        found = verdict("token", *pair, *options)
    assert (found == "AC") == slow_tokens(*pair, case, Fraction(float(tolerance)) if tolerance else None)


@settings(max_examples=200)
@given(pair=near_pairs(), size=st.integers(1, 7))
def test_other_kinds_agree_with_slow_references(pair: tuple[str, str], size: int) -> None:
    output, answer = pair
    with read_in(size):
        assert (verdict("line", *pair) == "AC") == (slow_lines(output) == slow_lines(answer))
        assert (verdict("exact", *pair) == "AC") == (slow_exact(output) == slow_exact(answer))
        assert (verdict("binary", *pair) == "AC") == (output == answer)
        strict = ("case_sensitive", "space_change_sensitive")
        assert (verdict("token", *pair, *strict) == "AC") == (output == answer)
        same_tokens = slow_tokens(output, answer, False, None)
        expected = "AC" if output == answer else "PE" if same_tokens else "WA"
        assert verdict("token", *pair, *strict, "presentation_error") == expected


@settings(max_examples=200)
@given(before=_TEXT, size=st.integers(1, 7), kind=st.sampled_from(["token", "line"]))
def test_place_does_not_depend_on_how_the_output_is_read(before: str, size: int, kind: Compare) -> None:
    """The place of the first difference, found by counting in the whole text."""
    output, answer = before + " right\n", before + " wrong\n"
    found = [check(kind, output, answer).message]
    with read_in(size):
        found.append(check(kind, output, answer).message)
        # Shifted, so that it is not found by comparing bytes.
        shifted = check(kind, output.replace("\n", " \n"), answer).message
    lines = before.split("\n")
    token = f", token {len(lines[-1].split()) + 1}" if kind == "token" else ""
    assert [*found, shifted] == [f"differs at line {len(lines)}{token}"] * 3
