"""The placebo: neutral, deterministic, and of the length of what it stands against."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.bench.agents.registry import AGENTS
from rigorbench.bench.harness import HarnessError, load_harness, resolve
from rigorbench.bench.harness.overlay import placebo_text

BASE = (load_harness("placebo").directory / "text.md").read_text()
LONGEST_WORD = max(len(word) for word in BASE.split())


@given(st.integers(100, 40_000))
@settings(max_examples=200)
def test_the_text_is_at_most_a_word_short_and_never_too_long(length: int) -> None:
    text = placebo_text(BASE, length)
    assert length - LONGEST_WORD - 8 <= len(text) <= length + 1
    assert text.endswith(".\n")
    assert text == placebo_text(BASE, length)


def test_no_two_paragraph_blocks_of_a_long_text_are_the_same() -> None:
    parts = placebo_text(BASE, 3 * len(BASE)).split("## Part ")
    assert len(parts) >= 3
    assert len(set(parts)) == len(parts)


def test_it_says_nothing_about_work() -> None:
    words = {word.strip(".,:").lower() for word in BASE.split()}
    telling = "test tests plan plans commit commits verify check review bug code step steps careful fix done error"
    assert not words & set(telling.split())


@pytest.mark.parametrize("agent", AGENTS)
def test_it_is_as_long_as_the_overlay_at_hand(agent: str, sources: dict[str, Path]) -> None:
    # The synthetic clone is short; the harness is one all the same.
    core = sources["agent-rigor"] / "core" / "SYSTEM_CORE.md"
    core.write_text(core.read_text() + "Another line of the synthetic core.\n" * 100)
    against = resolve(load_harness("agent-rigor"), agent, sources=sources)
    overlay = resolve(load_harness("placebo"), agent, sources=sources)
    assert against.reading > 3500
    assert abs(overlay.reading - against.reading) <= LONGEST_WORD + 8
    assert f"agent-rigor makes {agent} read ({against.reading} characters)" in overlay.notes[0]


def test_without_a_clone_the_measured_length_counts_and_the_notes_say_so() -> None:
    harness = load_harness("placebo")
    assert harness.placebo is not None
    overlay = resolve(harness, "codex")
    assert abs(overlay.reading - harness.placebo.length) <= LONGEST_WORD + 8
    assert "no clone was given" in overlay.notes[0]


def test_a_length_or_another_harness_can_be_given(sources: dict[str, Path]) -> None:
    assert abs(resolve(load_harness("placebo=3000"), "codex").reading - 3000) <= LONGEST_WORD + 8
    nudge = resolve(load_harness("nudge"), "codex").reading
    assert abs(resolve(load_harness("placebo=nudge"), "codex").reading - nudge) <= LONGEST_WORD + 8
    with pytest.raises(HarnessError, match="--harness-source superpowers=DIR"):
        resolve(load_harness("placebo=superpowers"), "codex")
    with pytest.raises(HarnessError, match="no length to match"):
        resolve(load_harness("placebo=baseline"), "codex")
