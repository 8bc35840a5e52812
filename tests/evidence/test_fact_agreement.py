"""The figures of ``scripts/agreement.py --facts``: what checks and observations say of a reader's facts."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rigorbench.review import observations
from rigorbench.review.catalogue import all_checks
from rigorbench.review.reader.reading import FACTS

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def facts(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return importlib.import_module("fact_agreement")


def test_every_fact_is_one_of_a_reader_and_is_said_by_a_check_or_an_observation(facts: ModuleType) -> None:
    for fact, names in facts.FACTS.items():
        assert fact in FACTS
        assert all(n in all_checks() or callable(getattr(observations, n)) for n in names)


def test_what_is_below_its_aim_is_named(facts: ModuleType) -> None:
    found = {
        "tests_weakened_or_removed": _fact(["R-bent-tests"], 10, 9, 9),
        "leftovers": _fact(["I-leftovers"], 2, 4, 3),
        "red_then_green": _fact(["V-red-green"], 5, 5, 5),
        "plan_before_first_edit": _fact(["plan_before_edit"], 4, 8, 2),
    }
    assert facts.not_reached(found) == ["leftovers: precision 3 of 4, aim 0.85"]
    found = {
        "tests_weakened_or_removed": _fact(["R-bent-tests"], 10, 10, 9),
        "claim_contradicted": _fact(["H-claim-contradicted"], 10, 3, 3),
        "scope": _fact(["X-none"], 1, 0, 0),
        "repeated_same_fix": _fact(["R-loop"], 4, 0, 0),
    }
    assert facts.not_reached(found) == [
        "tests_weakened_or_removed: precision 9 of 10, aim 0.95",
        "claim_contradicted: recall 3 of 10, aim 0.50",
        "scope: there is no check X-none",
        "repeated_same_fix: never fired, readers say 4; its precision is unknown",
    ]


def _fact(by: list[str], readers: int, rigor: int, both: int) -> dict[str, Any]:
    precision, recall = (both / n if n else None for n in (rigor, readers))
    return {"by": by, "reader": readers, "rigor": rigor, "both": both, "precision": precision, "recall": recall}


@pytest.mark.slow  # reviews all labelled logs
def test_the_script_prints_all_of_it(facts: ModuleType, shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = shared_data.parent / "labelled"
    if not (directory / "labels").is_dir():
        pytest.skip("the labelled logs are not beside this checkout")
    agreement = importlib.import_module("agreement")
    assert agreement.main([str(directory), "--facts"]) == 0
    said = capsys.readouterr().out
    for words in ("tests_weakened_or_removed", "size of the work:", "Not reached:"):
        assert words in said
