"""Runs build/code through runs in fresh directories, and compares its answers."""

import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"

# name -> runs, each: (commands, answers)
CASES = {
    "books": [
        (
            "login owner owner\nchoose b\nchange title=T keys=x|y price=2.5\nimport 4 3\nfind key=x\nbuy b 3\nbuy b 2\nledger\n",
            "ok\nok\nok\nok\nb\tT\t\tx|y\t2.50\t4\n7.50\nrefused\nin 7.50 out 3.00\n",
        ),
    ],
    "words": [
        (
            "login owner owner\nchoose b\nchange price=2.\nchange price=2.555\nchange keys=a|a\nchange keys=a|\nchange title=\n"
            "change title=a title=b\n  choose   b  \nquit now\nimport 01 1\nimport 1 0.00\nfind\nquit\nfind\n",
            "ok\nok\nrefused\nrefused\nrefused\nrefused\nrefused\nrefused\nok\nrefused\nrefused\nrefused\nb\t\t\t\t0.00\t0\n",
        ),
    ],
    "ranks": [
        (
            "find\nregister ann pw Ann\nlogin ann pw\nfind\nledger\nchoose b\nhire bob pw 1 Bob\nlogout\nlogout\n",
            "refused\nok\nok\nnone\nrefused\nrefused\nrefused\nok\nrefused\n",
        ),
    ],
    "restart": [
        ("login owner owner\npassword owner owner new\nchoose b\nimport 2 9.99\n", "ok\nok\nok\nok\n"),
        ("find\nlogin owner owner\nlogin owner new\nfind code=b\nledger 1\n", "refused\nrefused\nok\nb\t\t\t\t0.00\t2\nin 0.00 out 9.99\n"),
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
