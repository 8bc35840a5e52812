# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Reads a program from standard input and carries it out.

Text becomes tokens (`tree.py`), tokens become a tree (`tree.py`), the tree becomes Python functions that take a frame (`code_gen.py`).
"""

import sys

from code_gen import Machine
from tree import parse
from values import Failure


def main() -> None:
    sys.setrecursionlimit(1_000_000)
    sys.set_int_max_str_digits(0)
    machine = Machine()
    program = machine.compile(parse(sys.stdin.read()))
    try:
        program()
    except Failure as failure:
        machine.output.write_line(f"error in line {failure.line}: {failure.message}")
    sys.stdout.write("".join(machine.output.parts))


main()
