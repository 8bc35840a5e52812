"""Runs build/code on small inputs and compares its output."""

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"
CASES = {
    "example": ("10 20\n15 30\n30 31\n50 50\n40 45\n", (26, 2, 9)),
    "formula": ("many 3 1 100 10\n", (16, 2, 24)),
    "nothing": ("", (0, 0, 0)),
    "only empty": ("5 5\n0 0\n", (0, 0, 0)),
    "touching": ("3 5\n5 9\n", (6, 1, 0)),
    "inside": ("1 9\n2 3\n4 5\n", (8, 1, 0)),
    "large": ("0 1000000000000\n1000000000001 2000000000000\n", (1999999999999, 2, 1)),
}


def main() -> int:
    failed = 0
    for name, (text, (booked, blocks, gap)) in CASES.items():
        run = subprocess.run([PROGRAM], input=text, capture_output=True, text=True, check=False)
        if run.returncode != 0 or run.stdout != f"booked {booked}\nblocks {blocks}\ngap {gap}\n":
            failed += 1
            sys.stdout.write(f"FAILED {name}: exit {run.returncode}\n{run.stdout}{run.stderr}\n")
    sys.stdout.write(f"{len(CASES) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
