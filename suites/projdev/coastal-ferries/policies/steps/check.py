"""Runs build/code through runs in fresh directories, and compares its answers."""

import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"

NORTH = "@master draft north 4 3 20 22:30 BERGEN,FLORO,BODO 100,250 300,900 30\n@master launch north\n"

# name -> runs, each: (commands, answers)
CASES = {
    "accounts": [
        (
            "enter master master\n@master enrol ann pw Ann 3\n@ann profile ann\nenter ann pw\n@ann enrol bob pw Bob 3\n"
            "@ann enrol bob pw Bob 2\n@ann alter bob rank=3 name=X\n@ann profile bob\n@ann alter ann name=Anna\n@ann profile master\n",
            "ok\nok\nrefused\nok\nrefused\nok\nrefused\nbob Bob 2\nann Anna 3\nrefused\n",
        ),
    ],
    "lines": [
        (
            f"enter master master\n{NORTH}show north 3\nsearch FLORO BODO 3 time\nsearch FLORO BODO 4 time\n",
            "ok\nok\nok\nnorth 4 launched\nBERGEN - 3/22:30 0 4\nFLORO 4/03:30 4/04:00 100 4\nBODO 4/19:00 - 350 -\n"
            "found 0\nfound 1\nnorth 4/04:00 4/19:00 250 4\n",
        ),
    ],
    "bookings": [
        (
            f"enter master master\n{NORTH}@master book north 4 FLORO BODO 3\n@master book north 3 BERGEN BODO 2\n"
            "@master book north 3 BERGEN FLORO 4\n@master refund 1\n@master refund 1\n",
            "ok\nok\nok\nbooked 1 750\nrefused\nbooked 2 400\nrefunded 750 0\nrefused\n",
        ),
    ],
    "change": [
        (
            "enter master master\n@master draft a 1 1 2 10:00 AA,BB 5 60 -\n@master draft b 1 1 2 11:20 BB,CC 5 60 -\n"
            "@master draft c 1 1 2 11:19 BB,DD 5 60 -\n@master launch a\n@master launch b\n@master launch c\n"
            "change AA CC 1 time\nchange AA DD 1 time\nchange AA DD 2 time\n",
            "ok\n" * 7 + "via BB 10 140\na 1/10:00 1/11:00 5 1\nb 1/11:20 1/12:20 5 1\n"
            "via BB 10 1579\na 1/10:00 1/11:00 5 1\nc 2/11:19 2/12:19 5 1\nnone\n",
        ),
    ],
    "restart": [
        (
            f"enter master master\n{NORTH}@master book north 3 BERGEN BODO 3\n@master book north 3 BERGEN BODO 2 wait\n",
            "ok\nok\nok\nbooked 1 1050\nwaiting 2 700\n",
        ),
        (
            "@master bookings 1\nenter master master\n@master refund 1\n@master manifest north 3\n",
            "refused\nok\nrefunded 1050 1\nmanifest 1 700\n2 booked master BERGEN BODO 2 700\n",
        ),
    ],
}


def main() -> int:
    failed = 0
    for name, runs in CASES.items():
        with tempfile.TemporaryDirectory() as place:
            for number, (commands, answers) in enumerate(runs, 1):
                run = subprocess.run([PROGRAM], cwd=place, input=commands, capture_output=True, text=True, check=False)
                if run.returncode != 0 or run.stdout != answers:
                    failed += 1
                    sys.stdout.write(f"FAILED {name}, run {number}: exit {run.returncode}\n{run.stdout}{run.stderr}\n")
                    break
    sys.stdout.write(f"{len(CASES) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
