"""Runs build/code through series of runs in fresh directories, and compares its answers."""

import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"

# name -> runs, each: (commands, answers)
CASES = {
    "register": [
        (
            "add gisp2 1200 350 o18\nadd gisp2 1200 1 o18\ntake gisp2 1200 351\ntake gisp2 1200 50\nshow gisp2 1200\n",
            "ok\nerror taken\nerror short\nleft 300\n300 o18\n",
        ),
        (
            "tag gisp2 1200 dust\nfind o18 5\nfind du 5\ntake gisp2 1200 300\nshow gisp2 1200\n",
            "ok\nfound 0\nfound 1\ndust gisp2 1200\nleft 0\nerror none\n",
        ),
    ],
    "ranges": [
        (
            "add a 10 5 x\nadd a 20 7 x\nadd a 30 1 x\nweigh a 10 20\nweigh a 11 19\nmelt a 20 9999999\ncores\n",
            "ok\nok\nok\n2 12\n0 0\nmelted 2 8\ncores 1\na 1 5\n",
        ),
        ("weigh a 0 9999999\nheaviest a 0 9999999\nheaviest b 0 1\n", "1 5\n10 5\nerror none\n"),
    ],
    "rename": [
        (
            "rename a b\nadd a 1 1 t\nadd c 1 1 t\nrename a c\nrename a b\nfind t 9\n",
            "error none\nok\nok\nerror taken\nok\nfound 2\nt b 1\nt c 1\n",
        ),
        ("cores\nshow a 1\nshow b 1\n", "cores 2\nb 1 1\nc 1 1\nerror none\n1 t\n"),
    ],
    "saw": [("saw firn 2026 3 ch4\nfind ch4 2\n", "sawn 3\nfound 3\nch4-43sif firn 5240810\nch4-fqupp firn 5561850\n")],
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
