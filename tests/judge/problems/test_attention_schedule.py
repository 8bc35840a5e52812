"""The problem "attention schedule": its machine keeps time."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from sources import text_file

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "attention-schedule"
# Operations with times that can be counted by hand.
BY_HAND = text_file("attention_schedule.by_hand.cpp")


def test_the_machine_keeps_time(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    source, program = tmp_path / "by_hand.cpp", tmp_path / "by_hand"
    source.write_text(BY_HAND)
    subprocess.run(
        ["g++", "-std=c++20", "-Wall", "-I", str(PACKAGE / "attachments"), str(source), "-o", str(program)], check=True
    )
    shown = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    assert shown == ["14", "36", "42", "63", "-1", "-1", "-1", "-1"]
