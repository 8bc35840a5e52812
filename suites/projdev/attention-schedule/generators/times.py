# rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
"""Measures the times of all problems: the starter with rows of one (slow), the best schedule of the package (good). `python generators/times.py`

Times are those of the simulated machine, so they are the same everywhere. The slow time is that of generators/one_by_one.hpp, which works
with every capacity of the data.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from make import CANARY, CASES, PACKAGE, problem

SCHEDULES = (PACKAGE / "generators" / "one_by_one", PACKAGE / "submissions" / "accepted" / "overlapped")


def compiled(schedule: Path, place: Path) -> Path:
    program = place / schedule.name
    text = (PACKAGE / "attachments" / "practice.cpp").read_text("utf-8")
    source = place / "practice.cpp"
    source.write_text(text, "utf-8")
    command = ["g++", "-std=c++20", "-O2", "-iquote", str(schedule), "-I", str(PACKAGE / "attachments"), str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def measured(directory: Path) -> dict[str, str]:
    programs = [compiled(schedule, directory) for schedule in SCHEDULES]
    found = {}
    for name in CASES:
        runs = [subprocess.run([program, *problem(name).split()], capture_output=True, text=True, check=True).stdout for program in programs]
        found[name] = " ".join(run.split()[1].rstrip(",") for run in runs)
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        found = measured(Path(directory))
    rows = "".join(f"{name} {times}\n" for name, times in found.items())
    (PACKAGE / "generators" / "times.txt").write_text(f"{CANARY}\n{rows}", "ascii")


if __name__ == "__main__":
    sys.exit(main())
