"""Agreement with what a person read out of ten real logs (docs/validation), and token counts that are none."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from pathlib import Path

import pytest

from builders import Session
from rigorbench.api import extract, read

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "own_labels.py"
# Labels that may be wrong or missed, and events beyond the labels: what docs/validation admits, nothing more.
ADMITTED = {
    "test outcomes": (0, 0),
    "reproductions": (14, 1),  # unknown where a program only printed; one line runs two of them
    "builds and lints": (0, 0),
    "edits": (2, 0),  # commands of one call that change a file in turn are one edit; the person counted each
    "plans": (1, 4),  # plans written into a tool for thinking, which the person did not count
    # The person read three scripts as one check, one that repairs only itself as an episode, and modules that are not
    # installed as the agent's error.
    # One ended by a change of tests alone, which is told apart now.
    "episodes": (5, 3),
    "commits": (0, 0),
    "claims": (10, 4),  # what only a reader could hold against the log: work in words, tables, pull requests
}


def test_ten_sessions_are_read_as_a_person_read_them(shared_data: Path) -> None:
    spec = importlib.util.spec_from_file_location("own_labels", SCRIPT)
    assert spec.loader is not None
    agreement = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(agreement)
    total: dict[str, Counter[str]] = {kind: Counter() for kind in agreement.KINDS}
    misses: list[tuple[str, str]] = []
    for label in json.loads(agreement.LABELS.read_text()).values():
        found = read(shared_data / "sessions" / label["file"])
        trajectory = found[label["instance"]] if isinstance(found, list) else found
        misses += agreement.compare(label, extract(trajectory), total)
    assert sum(n["right"] for n in total.values()) >= 228
    for kind, (off, spurious) in ADMITTED.items():
        n = total[kind]
        assert n["wrong"] + n["missed"] <= off, (kind, misses)
        assert n["spurious"] <= spurious, (kind, misses)


@pytest.mark.parametrize(("tokens", "estimated"), [(400, False), (4, True)])
def test_counts_too_small_for_the_text_beside_them_are_no_counts(tokens: int, estimated: bool) -> None:
    session = Session("Explain").spend(tokens).say("word " * 300)
    assert extract(session.build()).tokens.estimated is estimated
