"""The problem "booked minutes": its files come from its generators, and its references agree on random inputs.

That references are accepted and mutants get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import filecmp
import random
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "booked-minutes"
ACCEPTED = PACKAGE / "submissions" / "accepted"


@pytest.mark.parametrize(
    ("script", "committed"),
    [
        pytest.param("make.py", "data", marks=pytest.mark.slow),  # some seconds: a million and a half bookings
        ("mutants.py", "submissions"),
    ],
)
def test_committed_files_are_the_generators(tmp_path: Path, script: str, committed: str) -> None:
    subprocess.run([sys.executable, "-B", str(PACKAGE / "generators" / script), str(tmp_path)], check=True)
    made = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    _, different, missing = filecmp.cmpfiles(tmp_path, PACKAGE / committed, map(str, made), shallow=False)
    assert made
    assert different + missing == []


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 42), ("0 0\n", 42), ("many 500000 0 1 1\n", 42), ("2000000000000 2000000000000\n", 42),
        ("01 2\n", 43), ("2 1\n", 43), ("1 2 3\n", 43), ("1 2", 43), ("many 0 0 1 1\n", 43),
        ("many 500000 0 1 1\n1 1\n", 43), ("\n", 43), ("one 2\n", 43),
    ],
)  # fmt: skip
def test_the_validator(text: str, status: int) -> None:
    command = [sys.executable, str(PACKAGE / "input_validators" / "validate.py")]
    assert subprocess.run(command, input=text, capture_output=True, text=True, check=False).returncode == status


def minute_by_minute(bookings: list[tuple[int, int]]) -> str:
    minutes = sorted({minute for first, end in bookings for minute in range(first, end)})
    gaps = [later - earlier - 1 for earlier, later in pairwise(minutes) if later > earlier + 1]
    return f"booked {len(minutes)}\nblocks {len(gaps) + bool(minutes)}\ngap {max(gaps, default=0)}\n"


def test_the_references_count_what_is_booked(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    program = tmp_path / "code"
    sources = sorted(map(str, (ACCEPTED / "blocks-cpp" / "src").glob("*.cpp")))
    subprocess.run(["g++", "-std=c++20", *sources, "-o", str(program)], check=True)
    chance = random.Random(3)
    for span in (5, 12, 40):
        for count in (0, 1, 3, 8):
            bookings = [
                (start, start + chance.randrange(5)) for start in (chance.randrange(span) for _ in range(count))
            ]
            text = "".join(f"{first} {end}\n" for first, end in bookings)
            for command in ([str(program)], [sys.executable, str(ACCEPTED / "events-python" / "main.py")]):
                shown = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
                assert shown == minute_by_minute(bookings), text
