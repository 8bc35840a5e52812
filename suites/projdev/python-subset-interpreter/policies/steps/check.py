"""Runs build/code on small programs and compares what it prints."""

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"

CASES = {
    "arithmetic": ("print(1 + 2 * 3, -7 // 2, -7 % 3, 7 / 2, -2 ** 2)\n", "7 -4 2 3.5 -4\n"),
    "big integers": (
        "print(2 ** 100, -(10 ** 30) // 7, 10 ** 30 % -7)\n",
        f"{2**100} {-(10**30) // 7} {10**30 % -7}\n",
    ),
    "texts": ('print(("it\'s", 1.0, True), 1e16, 0.00001)\n', '("it\'s", 1.0, True) 1e+16 1e-05\n'),
    "truth": ("print(True == 1, 1 < 2 < 3, 0 or 5)\nprint(True + 1)\n", "False True 5\nerror in line 2: wrong type\n"),
    "loops": (
        "for i in range(5):\n    if i == 1:\n        continue\n    if i == 3:\n        break\n    print(i)\n",
        "0\n2\n",
    ),
    "named": ("def f(a, b=2, c=3):\n    return (a, b, c)\nprint(f(1, c=5), f(b=1, a=0))\n", "(1, 2, 5) (0, 1, 3)\n"),
    "defaults": ("n = 1\ndef f(a=n):\n    return a\nn = 2\nprint(f(), f(5))\n", "2 5\n"),
    "scopes": (
        "def f():\n    n = 0\n    def g(k=1):\n        nonlocal n\n        n += k\n        return n\n    return g\n"
        "a = f()\nb = f()\nprint(a(), a(k=5), b())\n",
        "1 6 1\n",
    ),
    "parts": ('s = "abcdef"\nprint(s[1:-1], s[::-2], s[4:1:-1], (1, 2, 3)[-1])\n', "bcde fdb edc 3\n"),
    "sorting": ('print(sorted(("bb", "a", "cc"), key=len, reverse=True))\n', '("bb", "cc", "a")\n'),
    "lines of errors": (
        'def f(x):\n    return x[3]\nprint("a", end="")\nf("abc")\n',
        "a\nerror in line 2: index out of range\n",
    ),
    "deep calls": ("def f(n):\n    return f(n + 1)\nf(0)\n", "error in line 2: too many calls\n"),
    "long ranges": ("for i in range(2000000000):\n    if i > 5:\n        break\nprint(i)\n", "6\n"),
}


def main() -> int:
    failed = 0
    for name, (text, wanted) in CASES.items():
        try:
            run = subprocess.run([PROGRAM], input=text, capture_output=True, text=True, check=False)
            written, code = run.stdout, run.returncode
        except OSError as problem:
            written, code = str(problem), -1
        if code != 0 or written != wanted:
            failed += 1
            sys.stdout.write(f"FAILED {name}: exit {code}, wrote {written!r}\n")
    sys.stdout.write(f"{len(CASES) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
