"""Runs build/code on small sessions and compares what it writes."""

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"

CASES = {
    "expressions": ("PRINT 1 + 2 * 3, -7 / 2, -7 % 3\nPRINT MIN(2, 3); MAX(2, 3); ABS(-4); SGN(-9)\n", "7 -3 -1\n234-1\n"),
    "running": ("20 PRINT x\n10 LET x = 5\nRUN\nPRINT x + 1\n", "5\n6\n"),
    "conditions": ("PRINT 1\n10 IF 1 = 1 OR x = 1 AND 2 = 3 THEN PRINT \"yes\"\n20 IF NOT 1 < 2 THEN END\n30 PRINT 3\nRUN\n", "1\nyes\n3\n"),
    "errors": (
        "PRINT x\nPRINT 1 / 0\nPRINT 9223372036854775807 + 1\nFOO\n10 PRINT \"a\", 1 / 0\nRUN\n10 FOO\nLIST\n",
        "UNDEFINED VARIABLE\nDIVISION BY ZERO\nOVERFLOW\nSYNTAX ERROR\nDIVISION BY ZERO IN LINE 10\nSYNTAX ERROR\n"
        "10 PRINT \"a\", 1 / 0\n",
    ),
    "loops": (
        "10 FOR i = 1 TO 2\n20 FOR j = 1 TO 2\n30 PRINT i; j; \" \";\n40 NEXT j\n50 NEXT i\n60 FOR k = 2 TO 1\n70 NEXT k\nRUN\n",
        "11 12 21 22 \n",
    ),
    "subroutines": ("10 GOSUB 40\n20 RETURN\n40 FOR i = 1 TO 3\n50 RETURN\n60 NEXT i\nRUN\n", "RETURN WITHOUT GOSUB IN LINE 20\n"),
    "arrays": ("10 DIM a(2)\n20 LET a(1) = 7\n30 PRINT a(1), a(0)\n40 PRINT a(2)\nRUN\n", "7 0\nINDEX OUT OF RANGE IN LINE 40\n"),
    "input": ("10 INPUT a\n20 PRINT a\nRUN\nx\n -5\n", "INVALID NUMBER\n-5\n"),
    "renumber": ("5 GOTO 7\n7 PRINT 5\nRENUMBER\nLIST\n", "10 GOTO 20\n20 PRINT 5\n"),
}


def main() -> int:
    failed = 0
    for name, (session, wanted) in CASES.items():
        try:
            run = subprocess.run([PROGRAM], input=session, capture_output=True, text=True, check=False)
            said, code = run.stdout, run.returncode
        except OSError as problem:
            said, code = str(problem), -1
        if code != 0 or said != wanted:
            failed += 1
            sys.stdout.write(f"FAILED {name}: exit {code}, wrote {said!r}\n")
    sys.stdout.write(f"{len(CASES) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
