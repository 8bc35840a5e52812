"""Nothing that can act on a terminal, or reorder or hide text, comes out of the sanitizer."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.base.sanitize import block, one_line, terminal

ANY_TEXT = st.text(alphabet=st.characters(codec=None), max_size=60)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]8;;http://x\x07link", "\\x1b]8;;http://x\\x07link"),
        ("\x9b2J", "\\x9b2J"),
        ("a\rb\tc\nd", "a\\rb\\tc\\nd"),
        ("abc\u202edef", "abc\\u202edef"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("pass\u200bword\ufeff", "pass\\u200bword\\ufeff"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("lone\ud800", "lone\\ud800"),
        ("null\x00", "null\\x00"),
        ("⚠\ufe0f kept", "⚠\ufe0f kept"),
        ("chain\ufe0f\ufe0f", "chain\ufe0f\\ufe0f"),
        ("naïve 漢字 🎉", "naïve 漢字 🎉"),
    ],
)
def test_terminal_shows_what_cannot_be_seen(text: str, shown: str) -> None:
    assert terminal(text) == shown


def _acts(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") or unicodedata.bidirectional(character) in (
        "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
    )  # fmt: skip


@given(ANY_TEXT)
def test_terminal_never_lets_an_active_character_through(text: str) -> None:
    assert not [c for c in terminal(text) if _acts(c)]


@given(ANY_TEXT)
def test_block_keeps_lines_and_nothing_else_that_acts(text: str) -> None:
    assert not [c for c in block(text) if _acts(c) and c not in "\n\t"]


@given(ANY_TEXT, st.integers(1, 40))
def test_limit_is_kept(text: str, limit: int) -> None:
    assert len(terminal(text, limit)) <= limit
    assert len(one_line(text, limit)) <= limit


def test_short_text_is_not_cut() -> None:
    assert terminal("0123456789", 10) == "0123456789"
    assert terminal("0123456789a", 10) == "012345678…"


def test_block_drops_colours_but_shows_other_escapes() -> None:
    assert block("\x1b[1;31mFAILED\x1b[0m\x1b[2J") == "FAILED\\x1b[2J"
    assert block("10%\r100%\r\ndone") == "10%\n100%\ndone"


def test_one_line_folds_white_space() -> None:
    assert one_line("  a\n\n\tb  ") == "a b"
