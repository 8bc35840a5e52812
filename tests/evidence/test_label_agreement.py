"""Events agree with the labels of independent readers as well as they did when the table was stored, or better."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "agreement.py"
# Written by `python scripts/agreement.py ../shared/labelled --keep tests/evidence/agreement.json`.
TABLE = Path(__file__).parent / "agreement.json"


@pytest.fixture(scope="module")
def agreement() -> ModuleType:
    spec = importlib.util.spec_from_file_location("agreement", SCRIPT)
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["agreement"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_no_figure_is_lower_than_stored(agreement: ModuleType, shared_data: Path) -> None:
    directory = shared_data.parent / "labelled"
    if not (directory / "labels").is_dir():
        pytest.skip("the labelled logs are not beside this checkout")
    misses: list[str] = []
    now = agreement.as_json(agreement.measured(directory, None, misses.append))
    assert agreement.drops(now, json.loads(TABLE.read_text())) == [], "\n".join(misses)


def test_a_drop_is_named(agreement: ModuleType) -> None:
    stored = {"all": {"sessions": 2, "edits": {"f1": 0.9}, "outcomes": {"same": 1.0}, "plans": {"f1": None}}}
    now = {"all": {"sessions": 2, "edits": {"f1": 0.8}, "outcomes": {"same": 1.0}, "plans": {"f1": 0.1}}}
    assert agreement.drops(now, stored) == ["edits: 0.8, stored 0.9"]
    fewer = {"all": {"sessions": 1}}
    assert agreement.drops(fewer, stored) == ["1 sessions, the table is of 2"]
