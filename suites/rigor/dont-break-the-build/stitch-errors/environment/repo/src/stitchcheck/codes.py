"""What can go wrong, in numbers.

A problem is a tuple (code, line, column, message); lines and columns count from 1, and 0 stands for none.
"""

from __future__ import annotations

OK = 0
COUNT = 1
SYNTAX = 2
FILE = 3
LIMIT = 4

Problem = tuple[int, int, int, str]


def text(problem: Problem, name: str) -> str:
    """A problem as it is told."""
    _, line, column, message = problem
    place = name
    if line:
        place += f":{line}"
        if column:
            place += f":{column}"
    return f"{place}: {message}"
