# rigorbench-canary db51cb59-97c0-4244-bd0e-38998cd92480
"""Writes the labelled submissions that are the reference (``accepted/by-hand``) with one faulty program each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced must be in the
program exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "by-hand"

# label/name -> (program, what is there, what is to be there)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/copy-ends-at-zero": (("copy", "      jump copy copy\njump: = 1\n", ""),),
    "wrong_answer/countdown-from-one-less": (
        ("countdown", "show: out $n\n      $n one end        ; n = 0: the end\n", "show: $n one end\n      out $n\n"),
    ),
    "wrong_answer/sum-from-too-little": (
        ("sum", "rest: = 1000000000000\n", "rest: = 10000000000\n"),
        ("sum", "big:  = 1000000000000\n", "big:  = 10000000000\n"),
    ),
    "wrong_answer/sum-needs-a-number": (("sum", "loop: $n one done\n      rest in\n", "loop: rest in\n      $n one done\n"),),
    "wrong_answer/product-of-one-more": (("product", "loop: $a one done\n      rest $b\n", "loop: rest $b\n      $a one done\n"),),
    "wrong_answer/divide-by-one-less": (("divide", "loop: $a $b done", "      $b one\nloop: $a $b done"),),
    "wrong_answer/gcd-never-ends": (("gcd", "more: $b $a\n", "more: $a $b\n"),),
    "wrong_answer/powers-without-the-last": (("powers", "loop: out x\n", "loop: $k one end\n      out x\n"), ("powers", "      $k one end\n      jump", "      jump")),
    "wrong_answer/reverse-of-the-first": (("reverse", "      $m $n\n", "      $m $n\n      $m one\n"),),
    "wrong_answer/sort-of-small-numbers": (("sort", "big:    = 1000000000000\n", "big:    = 1000000\n"),),
    "wrong_answer/label-missing": (("largest", "done: out $max\n", "      out $max\n"),),
    "wrong_answer/beyond-the-memory": (("reverse", "base: = 5000\n", "base: = 10040\n"), ("reverse", "put:  5000 in\n", "put:  10040 in\n")),
}


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        target = place / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(REFERENCE, target, ignore=shutil.ignore_patterns("README.md"))
        for program, old, new in changes:
            path = target / f"{program}.one"
            text = path.read_text("ascii")
            if text.count(old) != 1:
                raise SystemExit(f"{name}: {path.name} has {text.count(old)} times, not once: {old!r}")
            path.write_text(text.replace(old, new), "ascii")
    alone = place / "wrong_answer" / "one-program-only"
    shutil.rmtree(alone, ignore_errors=True)
    alone.mkdir()
    shutil.copy(REFERENCE / "gcd.one", alone)


if __name__ == "__main__":
    main()
