"""A judgement on a terminal: the verdict, and a table of the test points by group."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...base.sanitize import terminal
from ...judge.judgement import Judgement
from ...judge.problems.verdicts import SHORT, Verdict

# Of a compiler's words, or the details of one test point.
_LINES = 60
_STYLE = {"accepted": "green", "skipped": "dim", "judge_error": "magenta"}


def show(judgement: Judgement, name: str, *, details: bool = False) -> None:
    """``details``: what is for the judge's owner only."""
    console = Console(highlight=False)
    head = Text()
    head.append(terminal(name, 80), style="bold")
    head.append(": ")
    head.append(judgement.verdict.replace("_", " "), style=_STYLE.get(judgement.verdict, "red"))
    total = "no score" if judgement.score is None else f"{judgement.score:.6g} of {judgement.full:.6g}"
    head.append(f" · {total} · {terminal(judgement.problem, 60)} · {judgement.language} · {judgement.seconds:.1f} s")
    console.print(head)
    for note in judgement.notes:
        console.print(Text(f"  {terminal(note)}", style="dim"))
    compilation = judgement.compilation
    if compilation is not None and compilation.log and (not compilation.ok or details):
        for line in compilation.log.splitlines()[:_LINES]:
            console.print(Text(f"  {terminal(line, 400)}"))
    points = [point for group in judgement.groups for point in group.points]
    if not points:
        return
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="dim")
    table.add_column("test point", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for title in ("score", "CPU s", "wall s", "MiB"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    metric = any(point.metric is not None for point in points)
    for group in judgement.groups:
        score = f"{'-' if group.score is None else f'{group.score:.4g}'}/{group.full:.4g}"
        table.add_row(Text(terminal(group.id), style="bold"), _verdict(group.verdict), score, "", "", "")
        for point in group.points:
            name = point.id.removeprefix(group.id + "/")
            usage = point.usage
            score = "-" if point.score is None else f"{point.score:.4g}"
            if metric and point.metric is not None:
                score += f" ({point.metric:.6g})"
            words = [point.message] if point.message else []
            if point.runs > 1:
                words.append("run twice")
            memory = None if usage.memory is None else usage.memory / (1 << 20)
            told = "\n".join(terminal(line, 300) for text in words for line in text.splitlines()[:_LINES])
            numbers = (_number(usage.cpu, 3), _number(usage.wall, 3), _number(memory, 1))
            table.add_row(f"  {terminal(name, 60)}", _verdict(point.verdict), score, *numbers, Text(told))
    console.print(table)
    if details:
        for point in points:
            if point.details:
                console.print(Text(terminal(point.id), style="bold"))
                for line in point.details.splitlines()[:_LINES]:
                    console.print(Text(f"  {terminal(line, 300)}"))


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _verdict(verdict: Verdict) -> Text:
    return Text(SHORT[verdict], style=_STYLE.get(verdict, "red"))
