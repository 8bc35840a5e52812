"""Runs build/code on short inputs and compares its answers."""

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"
CASES = {
    "example": (
        "open 0 16\ntake 0 1\ntake 0 0\ncounts 0\nfind 0 6\nat 0 10 1\ngive 0 1\ngive 0 2\nshrink 0 0 0\n",
        "ok\nat 0\nat 2\n1 0 1 1 0 0 0 0 0 0 0 0 0\nfree 4 2\nok\nbad\norder 0\norder 1\n",
    ),
    "layout": ("open 1 5000\ncounts 1\ntake 1 13\ntake 1 -1\n", "ok\n0 0 0 1 0 0 0 1 1 1 0 0 1\nbad\nbad\n"),
    "joining": (
        "open 0 4\ntake 0 0\ntake 0 0\ntake 0 0\ngive 0 1\ngive 0 2\ngive 0 0\ngive 0 0\ncount 0 2\n",
        "ok\nat 0\nat 1\nat 2\norder 0\norder 0\norder 0\nbad\nfree 1\n",
    ),
    "two zones": ("open 0 1\nopen 3 2\ntake 0 0\ntake 0 0\ntake 3 1\nfind 3 1\n", "ok\nok\nat 0\nnone\nat 0\ntaken 0 1\n"),
    "edges of a zone": ("open 2 3\nat 2 2 1\nat 2 1 1\nat 2 2 0\nfind 2 3\nfind 2 -1\n", "ok\nbad\nbad\nok\nbad\nbad\n"),
}


def main() -> int:
    failed = 0
    for name, (text, answers) in CASES.items():
        run = subprocess.run([PROGRAM], input=text, capture_output=True, text=True, check=False)
        if run.returncode != 0 or run.stdout != answers:
            failed += 1
            sys.stdout.write(f"FAILED {name}: exit {run.returncode}\n{run.stdout}{run.stderr}\n")
    sys.stdout.write(f"{len(CASES) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
