# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Writes data/sample and data/secret: programs by hand and by seeded chance, and their output.

Usage: ``python3 generators/make.py [DIRECTORY [GROUP...]]`` (default: the package's ``data``, all groups). The output comes from the accepted solution in
Python, is compared with CPython's where the languages agree, and that of long programs is computed in another way.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import cases
import cpython
import long_cases
from programs import Writer

PACKAGE = Path(__file__).resolve().parent.parent
MODEL = PACKAGE / "submissions" / "accepted" / "closures-python" / "main.py"
GROUPS = {
    "1-basic": 15, "2-functions": 15, "3-scopes": 12, "4-sequences": 15, "5-floats": 10, "6-big-integers": 13, "7-errors": 12, "8-speed": 8,
}  # fmt: skip
ALL = ("int", "str", "tuple", "float")
# Seeds, statements, functions, share of errors, types, large integers.
DRAWN: dict[str, list[tuple[int, int, int, float, tuple[str, ...], bool]]] = {
    "1-basic": [(11, 30, 0, 0, ("int", "str"), False)],
    "2-functions": [(21, 20, 4, 0, ("int", "str"), False), (22, 25, 6, 0, ("int",), False)],
    "3-scopes": [(31, 10, 8, 0, ("int", "tuple"), False)],
    "4-sequences": [(41, 40, 1, 0, ("str", "tuple"), False), (42, 40, 2, 0, ("str", "tuple", "int"), False)],
    "5-floats": [(51, 40, 0, 0, ("float", "int"), False), (92, 40, 1, 0, ("float",), False)],
    "6-big-integers": [(61, 40, 0, 0, ("int",), True), (62, 40, 2, 0, ("int", "tuple"), True)],
    "7-errors": [(seed, 40, 2, 0.002, ALL, True) for seed in range(71, 75)],
}


def drawn(seed: int, size: int, functions: int, errors: float, kinds: tuple[str, ...], big: bool) -> str:
    return Writer(random.Random(seed), errors, kinds, big).program(size, functions)


def model(program: str) -> str:
    run = subprocess.run([sys.executable, "-B", str(MODEL)], input=program, capture_output=True, text=True, check=True)
    return run.stdout


def checked(name: str, program: str) -> str:
    output = model(program)
    if name not in cases.OTHER_THAN_CPYTHON and output not in cpython.answers(program):
        raise SystemExit(f"{name}: CPython gives something else")
    return output


def write(directory: Path, number: int, name: str, program: str, output: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{number:02}-{name}"
    path.with_suffix(".in").write_text(program, "ascii")
    path.with_suffix(".ans").write_text(output, "ascii")


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "data"
    for number, (name, program) in enumerate(cases.SAMPLES.items(), 1):
        write(data / "sample", number, name, program, checked(f"sample/{name}", program))
    for group in sys.argv[2:] or GROUPS:
        made = [
            (name, program, checked(f"{group}/{name}", program))
            for name, program in cases.GROUPS.get(group, {}).items()
        ]
        for seed, *how in DRAWN.get(group, []):
            program = drawn(seed, *how)
            made.append((f"drawn-{seed}", program, checked(f"drawn {seed}", program)))
        made += [(name, *make()) for name, make in long_cases.GROUPS.get(group, {}).items()]
        for number, each in enumerate(made, 1):
            write(data / "secret" / group, number, *each)
        needs = "" if group == "1-basic" else "require_pass: secret/1-basic\n"
        (data / "secret" / group / "test_group.yaml").write_text(
            "# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14\n"
            f"max_score: {GROUPS[group]}\nscore_aggregation: min\n{needs}"
        )


if __name__ == "__main__":
    main()
