"""Runs build/code on small contests, and compares its answers."""

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"
HEAD = "contest 2 100\nteam ants\nteam bees\nteam cats\nstart\n"
HEAD_ANSWERS = "ok\nok\nok\nok\n"

# name -> (commands after HEAD, their answers)
CASES = {
    "states": (
        "start\nteam dogs\nend\nsubmit ants A wrong 5\nfreeze\nscroll\n",
        "error started\nerror started\nok\nerror over\nerror over\nerror open\n",
    ),
    "shared ranks": (
        "submit bees A accepted 7\nrank ants\nrank bees\nboard 1 2\n",
        "submission 1\nrank 2 of 3 0 0\nrank 1 of 3 1 7\nboard 2\n1 bees 1 7 +0 .\n2 ants 0 0 . .\n",
    ),
    "attempts": (
        "submit cats B compile 1\nsubmit cats B crash 2\nsubmit cats B accepted 3\nsubmit cats B wrong 4\nboard 1 1\n",
        "submission 1\nsubmission 2\nsubmission 3\nsubmission 4\nboard 1\n1 cats 1 103 . +1\n",
    ),
    "scroll": (
        "freeze\nsubmit cats A wrong 80\nsubmit cats B accepted 90\nboard 3 1\nscroll\nboard 1 1\n",
        "ok\nsubmission 1\nsubmission 2\nboard 1\n1 cats 0 0 ?0/1 ?0/1\ncats B 1 1 ants\nscrolled 2\nboard 1\n1 cats 1 90 -1 +0\n",
    ),
    "corrections": (
        "submit ants A accepted 5\nsubmit bees A accepted 6\nrejudge 1 slow\nfirst A\ntally A\ndisqualify bees\nfirst A\nrank bees\n",
        "submission 1\nsubmission 2\nwas accepted\nfirst bees 6\ntally 1 1 0 0 1 0\nok\nnone\nout\n",
    ),
}


def main() -> int:
    failed = 0
    for name, (commands, answers) in CASES.items():
        run = subprocess.run([PROGRAM], input=HEAD + commands, capture_output=True, text=True, check=False)
        if run.returncode != 0 or run.stdout != HEAD_ANSWERS + answers:
            failed += 1
            sys.stdout.write(f"FAILED {name}: exit {run.returncode}\n{run.stdout}{run.stderr}\n")
    sys.stdout.write(f"{len(CASES) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
