# rigorbench-canary db51cb59-97c0-4244-bd0e-38998cd92480
"""Runs the submitted program on the inputs of a task. Correct: 0.4 of the points, and 0.6 for its length.

Called as INPUT ANSWER FEEDBACK_DIR with the program on standard input; ends with 42 (correct) or 43.
"""

import sys
from pathlib import Path

from machine import ProgramError, assemble, run

CORRECT = 0.4


def numbers(line):
    return [int(word) for word in line.split()]


def judge(text, case, answers):
    """(complaint or None, share of the points)."""
    head, *inputs = case.split("\n")[:-1]
    reference = int(head.split()[1])
    try:
        cells = assemble(text)
    except ProgramError as error:
        return str(error), 0.0
    if not cells:
        return "the program is empty", 0.0
    for place, (given, wanted) in enumerate(zip(inputs, answers.split("\n")), 1):
        try:
            output, _ = run(cells, numbers(given))
        except ProgramError as error:
            return f"test {place} of {len(inputs)}: {error}", 0.0
        if output != numbers(wanted):
            return f"test {place} of {len(inputs)}: the output is wrong", 0.0
    return None, CORRECT + (1 - CORRECT) * min(1.0, reference / len(cells))


def main():
    case, answers = (Path(name).read_text("ascii") for name in sys.argv[1:3])
    feedback = Path(sys.argv[3])
    try:
        text = sys.stdin.buffer.read().decode("ascii")
    except UnicodeDecodeError:
        text = "the file is not ASCII"
    complaint, share = judge(text, case, answers)
    if complaint:
        (feedback / "judgemessage.txt").write_text(complaint, "utf-8")
        (feedback / "teammessage.txt").write_text(complaint, "utf-8")
        return 43
    (feedback / "score_multiplier.txt").write_text(f"{share:.6f}\n", "ascii")
    return 42


sys.exit(main())
