# rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
"""Writes data/sample and data/secret: programs by hand and by seeded chance, and their output.

Usage: ``python3 generators/make.py [DIRECTORY [GROUP...]]`` (default: the package's ``data``, all groups). The output comes from the model; that of long
programs is computed here in another way, as the value that the program is about.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import cases
import long_cases
from model import answers
from programs import Writer

GROUPS = {
    "1-basic": 15, "2-scope": 15, "3-errors": 15, "4-loops": 12, "5-data": 15, "6-control": 12, "7-speed": 8, "8-memory": 8,
}  # fmt: skip


def drawn(seed: int, forms: int, depth: int, errors: float, extended: bool) -> str:
    return Writer(random.Random(seed), errors, extended).program(forms, depth)


DRAWN: dict[str, list[tuple[int, int, int, float, bool]]] = {
    "2-scope": [(21, 60, 3, 0.0, False), (22, 40, 4, 0.0, False)],
    "3-errors": [(31, 80, 2, 0.08, False), (32, 50, 3, 0.04, True)],
    "5-data": [(51, 60, 3, 0.0, True), (52, 40, 4, 0.0, True)],
    "6-control": [(61, 60, 3, 0.02, True)],
}


def write(directory: Path, number: int, name: str, program: str, output: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{number:02}-{name}"
    path.with_suffix(".in").write_text(program, "ascii")
    path.with_suffix(".ans").write_text(output, "ascii")


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "data"
    for number, (name, program) in enumerate(cases.SAMPLES.items(), 1):
        write(data / "sample", number, name, program, answers(program))
    for group in sys.argv[2:] or GROUPS:
        number = 0
        for name, program in cases.GROUPS.get(group, {}).items():
            number += 1
            write(data / "secret" / group, number, name, program, answers(program))
        for seed, *how in DRAWN.get(group, []):
            number += 1
            program = drawn(seed, *how)
            write(data / "secret" / group, number, f"drawn-{seed}", program, answers(program))
        made: dict[str, Callable[[], tuple[str, str]]] = long_cases.GROUPS.get(group, {})
        for name, make in made.items():
            number += 1
            write(data / "secret" / group, number, name, *make())
        needs = "" if group == "1-basic" else "require_pass: secret/1-basic\n"
        (data / "secret" / group / "test_group.yaml").write_text(
            "# rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472\n"
            f"max_score: {GROUPS[group]}\nscore_aggregation: min\n{needs}"
        )


if __name__ == "__main__":
    main()
