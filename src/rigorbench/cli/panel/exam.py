"""``rigor panel exam``: the entrance exam, after which the votes of a judge count."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..common import Usage, add_json, console, message, parser, show_progress, write_json

if TYPE_CHECKING:
    from ...panel.exam_result import ExamResult
    from ...panel.model import Judge
    from ...panel.votes import VoteStore

_EPILOG = """examples:
  rigor panel exam --panel panel.toml --votes out/bench/votes
  rigor panel exam --features
  rigor panel exam --panel panel.toml --votes votes --json | jq '.exams[] | {seat, status}'

Each seat is asked once about some 300 short cases; after an interruption the same command continues. Exit status 1: a
seat did not pass.
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "panel exam",
        "Give the judges of a panel the entrance exam: good and bad plans, and excerpts that dictate answers.\n"
        "Only votes of judges that passed it count.",
        _EPILOG,
    )
    p.add_argument("--panel", metavar="FILE", help="the panel's seats (see docs/panel.md)")
    p.add_argument("--votes", metavar="DIR", help="the votes directory; the result is kept in it")
    p.add_argument("--features", action="store_true", help="also examine the deterministic judge; nothing is stored")
    p.add_argument("--all", action="store_true", help="print every wrong answer")
    add_json(p)
    args = p.parse_args(arguments)
    if args.panel is None and not args.features:
        raise Usage("give --panel FILE, or --features")
    if args.panel is not None and args.votes is None:
        raise Usage("give --votes DIR: the result is kept there, and only votes in it count")
    import asyncio

    exams: list[ExamResult] = []
    problems: list[str] = []
    try:
        exams, problems = asyncio.run(_all(args.panel, args.votes, args.features))
    except OSError as error:
        raise Usage(f"{error.filename or args.votes}: {error.strerror}") from None
    if args.json:
        write_json({"schema": "rigor-exams/1", "exams": exams, "problems": problems})
    else:
        _print(exams, every=args.all)
    sys.stdout.flush()
    for problem in problems:
        message(problem)
    return 0 if not problems and all(exam.passed for exam in exams) else 1


async def _all(panel: str | None, votes: str | None, features: bool) -> tuple[list[ExamResult], list[str]]:
    from ...panel.exam.exam import exam
    from ...panel.judges.config import PanelError, load_panel
    from ...panel.judges.llm import judges
    from ...panel.votes import StoreError, VoteStore

    exams: list[ExamResult] = []
    problems: list[str] = []
    try:
        if panel is not None and votes is not None:
            config, store = load_panel(panel), VoteStore(Path(votes))
            for judge in judges(config, store):
                progress = partial(show_progress, f"exam of {judge.seat}")
                result = await exam(judge, store, concurrency=config.concurrency, progress=progress)
                _keep(store, result)
                exams.append(result)
                problems += result.problems
            problems += [*_same_model(exams), *store.damaged]
        if features:
            exams.append(await _features())
    except (PanelError, StoreError) as error:
        raise Usage(str(error)) from None
    return exams, problems


async def _features() -> ExamResult:
    from ...panel.exam.exam import exam
    from ...panel.features import FeatureJudge

    judge: Judge = FeatureJudge()
    return await exam(judge)


def _keep(store: VoteStore, result: ExamResult) -> None:
    """Stores a complete exam, once, however often the command is called."""
    import msgspec

    if result.status == "incomplete":
        return
    for known in store.exams():
        fresh = msgspec.structs.replace(result, seat=known.seat, time=known.time)
        if msgspec.structs.replace(fresh, problems=known.problems) == known:
            return
    store.add_exam(result)


def _same_model(exams: list[ExamResult]) -> list[str]:
    """Seats for which the same model answers, whatever they are called: their votes are one opinion."""
    seats: dict[str, list[str]] = {}
    for exam in exams:
        for name in exam.answered_by:
            if name:
                seats.setdefault(name, []).append(exam.seat)
    return [
        f"seats {' and '.join(names)}: {model} answered for each; a panel needs different models"
        for model, names in seats.items()
        if len(names) > 1
    ]


def _print(exams: list[ExamResult], *, every: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from ...base.sanitize import terminal

    out = console()
    for exam in exams:
        cost = "" if exam.cost is None else f", ${exam.cost:.4f}"
        style = {"passed": "green", "failed": "red", "incomplete": "yellow"}[exam.status]
        who = "deterministic" if exam.method == "estimated" else terminal(exam.model, 60)
        line = Text.assemble(f"{terminal(exam.seat, 40)} ({who}): ", (exam.status, style), f"{cost}")
        out.print(line)
        if not exam.parts:
            continue
        table = Table(box=None, padding=(0, 2), header_style="bold")
        for title, justify in (("part", "left"), ("right", "right"), ("needed", "right"), ("", "left")):
            table.add_column(title, justify=justify)  # type: ignore[arg-type]
        for part in exam.parts:
            mark = Text("passed", "green") if part.passed else Text("failed", "red")
            table.add_row(part.name, f"{part.right} of {part.of}", f"{part.needed:.0%}", mark)
        out.print(table)
        for part in exam.parts:
            if part.passed and not every:
                continue
            for wrong in part.wrong if every else part.wrong[:3]:
                where = f"{wrong.question} of item {wrong.item}" if wrong.item is not None else wrong.question
                said, right = ("yes" if wrong.said else "no"), ("yes" if wrong.expected else "no")
                out.print(Text(terminal(f"  {part.name}: {wrong.case}: {where}: answered {said}, not {right}", 200)))
            for note in part.notes[: None if every else 2]:
                out.print(Text(terminal(f"  {part.name}: {note}", 200)))
        out.print()
