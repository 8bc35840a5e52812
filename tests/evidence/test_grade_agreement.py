"""The figures of ``scripts/agreement.py --grades``: correlations, the regression as a ceiling, what is not reached."""

from __future__ import annotations

import importlib
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))


@pytest.fixture
def grades(scripts: None) -> ModuleType:
    return importlib.import_module("grade_agreement")


def test_the_correlation_is_spearmans(grades: ModuleType) -> None:
    draw = random.Random(3)
    pairs = [(float(draw.randrange(4)), float(draw.randrange(6))) for _ in range(30)]
    assert grades.rho(pairs) == pytest.approx(spearmanr(*zip(*pairs, strict=True)).statistic)
    low, high = grades.interval(pairs)
    assert low < grades.rho(pairs) < high
    assert grades.rho([(1.0, float(n)) for n in range(5)]) is None
    assert grades.interval([(1.0, 2.0)] * 2) is None


def test_exact_is_the_same_step_and_within_is_25(grades: ModuleType) -> None:
    found = grades.compared([(50, 58), (50, 70), (50, 80), (0, 0)])
    assert (found["n"], found["exact"], found["within_one_step"]) == (4, 0.5, 0.75)


def _planted(sessions: int) -> tuple[np.ndarray, list[list[int]]]:
    """Ratings that follow the first feature; the others are noise."""
    draw = random.Random(5)
    features = np.array([[float(draw.random() < 0.5) for _ in range(6)] for _ in range(sessions)])
    return features, [[4, 5] if f[0] else [2, 1] for f in features]


def test_a_regression_finds_what_is_there(scripts: None) -> None:
    held_out = importlib.import_module("grade_ceiling").held_out
    features, ratings = _planted(40)
    expected = held_out(features, ratings, [n % 4 for n in range(40)])
    high = [e for e, f in zip(expected, features, strict=True) if f[0]]
    low = [e for e, f in zip(expected, features, strict=True) if not f[0]]
    assert min(high) > 3.2 > 2.8 > max(low)


def test_a_group_has_no_say_in_what_is_expected_of_it(scripts: None) -> None:
    held_out = importlib.import_module("grade_ceiling").held_out
    features, ratings = _planted(24)
    groups = [n // 8 for n in range(24)]
    before = held_out(features, ratings, groups)
    turned = [[6 - r for r in of] if groups[n] == 0 else of for n, of in enumerate(ratings)]
    after = held_out(features, turned, groups)
    assert after[:8] == before[:8]
    assert after[8:] != before[8:]
    # Nothing to learn from: the others all have one rating.
    assert held_out(features[:2], [[1], [2]], ["a", "b"]) == [None, None]


def test_what_is_below_its_aim_is_named(grades: ModuleType) -> None:
    good = {"rho": 0.9, "interval": (0.86, 0.95), "within_one_step": 0.95}
    found: dict[str, Any] = {
        "grades": {name: dict(good) for name in grades.AIMS},
        "facts": {
            "tests_weakened_or_removed": _fact(["R-bent-tests"], 10, 9, 9),
            "leftovers": _fact(["I-leftovers"], 2, 4, 3),
            "red_then_green": _fact(["V-red-green"], 5, 5, 5),
            "approach_stated_before_edit": _fact(["approach-stated"], 4, 8, 2),
        },
    }
    assert grades.not_reached(found) == ["leftovers: precision 3 of 4, aim 0.85"]
    found["grades"]["planning"] |= {"rho": 0.55, "within_one_step": 0.5}
    found["facts"] = {
        "tests_weakened_or_removed": _fact(["R-bent-tests"], 10, 10, 9),
        "claim_contradicted": _fact(["H-claim-contradicted"], 10, 3, 3),
        "scope": _fact(["X-none"], 1, 0, 0),
        "repeated_same_fix": _fact(["R-loop"], 4, 0, 0),
    }
    assert grades.not_reached(found) == [
        "planning: rho 0.55, aim 0.70 in the end",
        "planning: within one step 0.50, aim 0.90",
        "tests_weakened_or_removed: precision 9 of 10, aim 0.95",
        "claim_contradicted: recall 3 of 10, aim 0.50",
        "scope: there is no check X-none",
        "repeated_same_fix: never fired, readers say 4; its precision is unknown",
    ]


def _fact(by: list[str], readers: int, rigor: int, both: int) -> dict[str, Any]:
    precision, recall = (both / n if n else None for n in (rigor, readers))
    return {"by": by, "reader": readers, "rigor": rigor, "both": both, "precision": precision, "recall": recall}


@pytest.mark.slow  # reviews all labelled logs, many times over
def test_the_script_prints_all_of_it(grades: ModuleType, shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = shared_data.parent / "labelled"
    if not (directory / "labels").is_dir():
        pytest.skip("the labelled logs are not beside this checkout")
    agreement = importlib.import_module("agreement")
    assert agreement.main([str(directory), "--grades"]) == 0
    said = capsys.readouterr().out
    for words in ("reader A and the others", "regression without its repository", "least without one", "Not reached:"):
        assert words in said
    assert "agreement" in sys.modules
