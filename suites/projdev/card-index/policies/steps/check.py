"""Runs build/code through series of runs in fresh directories, and compares its answers."""

import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"

# name -> runs, each: (commands, answers)
CASES = {
    "entries": [
        (
            "put tide 12\nput tide 7\nput tide 12\nhas tide 7\nhas tide 8\n"
            "cards tide 0 5\ncards tide 1 5\ndrop tide 8\n",
            "ok\nok\nerror there\nyes\nno\ncards 2\n7\n12\ncards 2\n12\nerror none\n",
        ),
        ("drop tide 7\ncards tide 0 5\ndrop tide 12\ncards tide 0 5\n", "ok\ncards 1\n12\nok\ncards 0\n"),
    ],
    "ranges": [
        (
            "put tide 7\nput tide 12\nput tidal 3\nput tide-2 1\nput ebb 9\n"
            "count f tide\ncount tidb tidz\nwords a ~ 1 2\n",
            "ok\nok\nok\nok\nok\n2 3\n2 3\nwords 4\ntidal 1\ntide 2\n",
        ),
        ("list tidal tide 1 5\nlist a b 0 5\n", "entries 3\ntide 7\ntide 12\nentries 0\n"),
    ],
    "neighbours": [
        (
            "next a\nput b 1\nput b 2\nput d 1\nnext a\nnext b\nnext d\nprev d\nprev c\nprev b\n",
            "error none\nok\nok\nok\nb 2\nd 1\nerror none\nb 2\nb 2\nerror none\n",
        ),
    ],
    "moves": [
        (
            "put a 1\nput a 2\nput b 2\nmove a b\nmove a b\nmove b b\nmove a a\ncards b 0 9\n",
            "ok\nok\nok\nmoved 1\nerror none\nerror same\nerror none\ncards 2\n1\n2\n",
        ),
    ],
    "many": [
        ("bulk x 1 20000 1 1\nbulk y 1 1 20000 1\nweed a ~ 2 0\nweed a ~ 2 1\ncount a ~\n", None),
        ("count a ~\nbulk x 1 20000 1 1\ncount a ~\n", "0 0\nadded 20000\n20000 20000\n"),
    ],
}


def main() -> int:
    failed = 0
    for name, runs in CASES.items():
        with tempfile.TemporaryDirectory() as place:
            for number, (commands, answers) in enumerate(runs, 1):
                run = subprocess.run([PROGRAM], cwd=place, input=commands, capture_output=True, text=True, check=False)
                if run.returncode != 0 or answers not in (None, run.stdout):
                    failed += 1
                    sys.stdout.write(f"FAILED {name}, run {number}: exit {run.returncode}\n{run.stdout}{run.stderr}\n")
                    break
    sys.stdout.write(f"{len(CASES) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
