"""Right answers in containers of the standard library pass the hidden tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from across_boundary import measured, passed

from sources import text_file

pytestmark = pytest.mark.bwrap

SHOP = text_file("outcome_right_answers.shop.txt")
HIDDEN = text_file("outcome_right_answers.hidden.txt")


def test_containers_of_the_standard_library_cross_as_values(tmp_path: Path) -> None:
    report = measured(tmp_path, HIDDEN, {"__init__.py": "", "core.py": SHOP})
    assert {t.partition("::")[2] for t in report.outcomes} - passed(report) == {"test_wrong_answers_fail"}
