# rigorbench-canary db51cb59-97c0-4244-bd0e-38998cd92480
"""The machine of one instruction: assembler and simulator.

Usage: python machine.py PROGRAM.one [NUMBER...]   runs a program on an input, and shows its output, steps and length
"""

import re
import sys

IN, OUT = 10001, 10000
CELLS = 10000
LONGEST = 3000
LARGEST = 10**15
STEPS = 100_000

_NUMBER = re.compile(r"[0-9]{1,16}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
_VARIABLE = re.compile(r"\$[a-z][a-z0-9_]{0,30}")


class ProgramError(Exception):
    """The text is no program, or the program did what is not allowed."""


def assemble(text):
    """The cells of a program's text."""
    words, labels = [], {}
    for place, line in enumerate(text.split("\n"), 1):
        rest = line.split(";")[0].strip()
        while ":" in rest:
            name, rest = (part.strip() for part in rest.split(":", 1))
            if not _NAME.fullmatch(name) or name in ("in", "out", "end", "next"):
                raise ProgramError(f"line {place}: {name[:40]!r} is no label")
            if name in labels:
                raise ProgramError(f"line {place}: the label {name} is there twice")
            labels[name] = len(words)
        words += [(place, word, len(words) + index) for index, word in enumerate(_cells(place, rest, len(words)))]
        if len(words) > LONGEST:
            raise ProgramError(f"line {place}: more than {LONGEST} cells")
    labels["end"] = len(words)
    variables = {}
    return [_value(place, word, labels, variables, len(words)) for place, word, _ in words]


def _cells(place, rest, at):
    """The words of a line, one for each cell."""
    words = rest.split()
    if words[:1] == ["="]:
        return words[1:]
    if not words:
        return []
    if len(words) == 2:
        words.append(str(at + 3))
    if len(words) != 3:
        raise ProgramError(f"line {place}: an instruction has two or three words")
    if words[0] == "in" or words[1] == "out" or words[2] in ("in", "out"):
        raise ProgramError(f"line {place}: `in` can only be the second word, `out` only the first")
    return words


def _value(place, word, labels, variables, length):
    if word in ("in", "out"):
        return IN if word == "in" else OUT
    if _VARIABLE.fullmatch(word):
        return variables.setdefault(word, length + len(variables))
    base, _, more = word.partition("+")
    if _NUMBER.fullmatch(base):
        value = int(base)
    elif base in labels:
        value = labels[base]
    else:
        raise ProgramError(f"line {place}: {word[:40]!r} is no number, variable or label")
    if "+" in word:
        if not _NUMBER.fullmatch(more):
            raise ProgramError(f"line {place}: {word[:40]!r}: a number belongs behind +")
        value += int(more)
    if value > LARGEST:
        raise ProgramError(f"line {place}: {word[:40]!r} is larger than {LARGEST}")
    return value


def run(cells, numbers, most=STEPS):
    """(output, steps) of a program on an input. Raises: ProgramError."""
    memory = dict(enumerate(cells))
    length = len(cells)
    output, position, at = [], 0, 0
    for steps in range(most):
        if at >= length:
            return output, steps
        a, b, c = memory.get(at, 0), memory.get(at + 1, 0), memory.get(at + 2, 0)
        if b == IN:
            if position == len(numbers):
                return output, steps
            right = numbers[position]
            position += 1
        elif b < CELLS:
            right = memory.get(b, 0)
        else:
            raise ProgramError(f"the instruction at {at} reads cell {b}, which does not exist")
        if a == OUT:
            left = 0
            output.append(right)
        elif a < CELLS:
            left = memory.get(a, 0)
            memory[a] = abs(left - right)
        else:
            raise ProgramError(f"the instruction at {at} changes cell {a}, which does not exist")
        at = c if left < right else at + 3
    raise ProgramError(f"it has not ended after {most} steps")


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        cells = assemble(file.read())
    output, steps = run(cells, [int(word) for word in sys.argv[2:]])
    print(*output)
    print(f"{steps} steps, {len(cells)} cells", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except ProgramError as error:
        sys.exit(f"error: {error}")
