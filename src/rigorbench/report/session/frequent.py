"""What is found most often in several sessions, on a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from ...review.catalogue import all_checks
from ...review.verdict import did
from ..console import Printer
from ..text import words

# So many findings are printed.
FREQUENT = 5


def print_frequent(sessions: Sequence[Sequence[str]], console: Console) -> None:
    """Prints what was found in most sessions, flags first, each with a line for the agent's instructions.

    Args:
        sessions: of each the ids of the flags, weak checks and notes that fired, each once.
    """
    printer = Printer(console)
    checks = all_checks()
    counts = Counter(id for found in sessions for id in found)
    order = sorted(counts, key=lambda id: (id not in checks or checks[id].severity != "flag", -counts[id], id))
    if order:
        console.print()
        printer.line(printer.text("Found most often", "bold"))
    for id in order[:FREQUENT]:
        check = checks.get(id)
        flag = check is not None and check.severity == "flag"
        front = printer.text(f"{counts[id]:>4} of {len(sessions):,}  ")
        deed = did(id)
        text = printer.text(f"{deed[0].upper()}{deed[1:]}", "red" if flag else "")
        printer.lines(text + printer.text(f" ({id})", "dim"), " " * front.cell_len, front)
        if check is not None and check.advice:
            advice = printer.text("AGENTS.md: ", "cyan") + printer.text(check.advice, "italic")
            printer.lines(advice, " " * (front.cell_len + 11), Text(" " * front.cell_len))
    console.print()
    rest = f"{words.plural(len(order) - FREQUENT, 'rarer finding')}; " if len(order) > FREQUENT else ""
    how = "`rigor score LOG` shows one session, `--html DIR` writes a page of each"
    printer.line(printer.text(f"Not shown: {rest}{how}.", "dim"))
