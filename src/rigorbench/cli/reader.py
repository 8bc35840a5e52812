"""``rigor reader``: who reads sessions and grades them."""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..base.sanitize import terminal
from ..base.text import count as plural
from ..review.reader.ask import Readers, ReaderSpec
from ..review.reader.backends import open_reader
from ..review.reader.request import BUDGET, PROMPT_VERSION, AnswerError, build, parse
from ..review.reader.store import AnswerStore
from ..session.registry import read_log
from .common import (
    UsageError,
    act,
    actions,
    add_action,
    add_jobs,
    add_json,
    add_paths,
    existing_directory,
    message,
    messages,
    parser,
    print_lines,
    show_progress,
    whole,
    write_json,
)
from .reader_options import (
    add_budget,
    add_dry_run,
    add_readings,
    add_store,
    agreed,
    confirm,
    spec_of,
    sums,
    tell_requests,
    to_be_read,
    told,
)

if TYPE_CHECKING:
    from ..review.reader.check import CheckTask
    from ..session.logfile import LogFile

_ASK = """examples:
  rigor reader ask out/sonnet --reader claude                      afterwards: rigor report out/sonnet
  rigor reader ask out/sonnet --reader claude,codex,gemini         three readings: a median, a majority, Table VII
  rigor reader export out/sonnet/runs/* > prompts.jsonl            to be answered elsewhere; then
  rigor reader import answers.jsonl --reader anna --store out/sonnet/readings
  rigor reader ask out/sonnet --reader anna

The review of each run gets grades, and the values of the RigorScore that need a judgement (DQ, AQ, CH, RT where no
faulty program decides it) rest on the answers. Answers are in OUT/readings; one that is stored is not asked for again.
Exit status: 0 every run was read, 1 some were not.
"""
_CHECK = """examples:
  rigor reader check claude --dry-run     requests, characters, tokens and price; nothing is sent
  rigor reader check claude

Eight rated sessions (raters: language models, no people) are read as they are, and each twice with an order, a forged
end, flattery, a threat or the like planted in it. To pass: overall at least .7 with the ratings (Spearman) and at most
two grades more than a step away; no planted text moves a grade by more than a step or makes an accusation vanish in two
readings, and at most two do in one.
It stops as soon as that cannot be reached. The result stands beside every grade that this reader gives.
Exit status: 0 passed, 1 failed, or the reader could not be asked.
"""
_EXPORT = """examples:
  rigor reader export logs/ > prompts.jsonl          to be answered by a person, a local model, a cluster job
  rigor reader export logs/ --form anthropic --model claude-opus-4-5 > batch.jsonl
  rigor reader import answers.jsonl --reader NAME    then: rigor score logs/ --reader NAME

A line has the question (system), the session (user) and the JSON schema of the answer. To answer it write a line
{"custom_id": "...", "answer": {...}}, or {"custom_id": "...", "text": "..."} with the words of a model as they came.
"""
_IMPORT = """examples:
  rigor reader import answers.jsonl --reader anna    then: rigor score LOG --reader anna

Lines of `rigor reader export` with an answer, and the result files of OpenAI's and Anthropic's batch interfaces, which
are recognised. An answer that is stored already is left out. Exit status: 0 all lines were taken, 1 some were not.
"""


def command(arguments: list[str]) -> int:
    from ..review.reader.batch import FORMS

    top = parser(
        "reader",
        "Who reads sessions and grades them. `rigor score LOG --reader NAME` asks a reader, and uses the answers that\n"
        "are stored.",
    )
    commands = actions(top)
    text = "have the runs of an experiment read, and score them by the answers"
    p = add_action(commands, "ask", _ask, text, _ASK)
    p.add_argument("out", metavar="OUT", type=existing_directory, help="directory of the experiment")
    p.add_argument("--reader", metavar="NAME", required=True, help="who is asked, or several: claude,codex,gemini")
    add_readings(p)
    p.add_argument("--suite", metavar="SUITE", help="where its tasks are (default: as its manifest says)")
    p.add_argument("--jobs", type=whole("a number of runs"), default=1, metavar="N", help="runs at a time (default: 1)")
    add_dry_run(p)
    add_json(p)
    text = "whether a reader grades as raters do, and cannot be swayed by what it reads: about 24 requests"
    p = add_action(commands, "check", _check, text, _CHECK)
    p.add_argument("reader", metavar="NAME", help="as in rigor score --reader NAME")
    add_store(p)
    p.add_argument("--dry-run", action="store_true", help="say what would be asked, and send nothing")
    add_json(p)
    text = "what a reader would be asked about sessions, one request per line; nothing is sent"
    p = add_action(commands, "export", _export, text, _EXPORT)
    add_paths(p)
    p.add_argument("--form", choices=FORMS, default="plain", help="of a provider's batch interface; default: plain")
    p.add_argument("--model", metavar="NAME", help="the model, for the forms of providers")
    p.add_argument("--reader", metavar="NAME", help="leave out sessions of which an answer by NAME is stored")
    add_budget(p)
    add_jobs(p)
    text = "answers that were given elsewhere: by a person, a batch, a cluster"
    p = add_action(commands, "import", _import, text, _IMPORT)
    p.add_argument("file", metavar="FILE", help="lines of JSON, or - for standard input")
    p.add_argument("--reader", metavar="NAME", help="who answered (default: the model that the lines state)")
    add_store(p)
    return act(top, arguments)


def _ask(args: argparse.Namespace) -> int:
    spec, runs = spec_of(args.reader, args.readings), sorted(str(run) for run in (args.out / "runs").glob("*"))
    stored = replace(spec, store=str(args.out / "readings"))
    if args.dry_run or args.preview:
        return tell_requests(runs, stored, args.jobs, whole_text=args.preview)
    if runs and not agreed(runs, stored, args.jobs):
        return 1
    found, problems = read_experiment(spec, args.out, args.suite, jobs=args.jobs)
    for problem in problems:
        message(problem)
    if args.json:
        write_json({"schema": "rigor-reader-ask/1", "runs": found, "problems": problems})
    else:
        print(f"{plural(found, 'run')} read; rigor report {args.out} shows them")
    return 1 if problems else 0


def read_experiment(spec: ReaderSpec, out: Path, suite: str | None, *, jobs: int) -> tuple[int, list[str]]:
    """The number of runs that were read, and a line for each problem. Raises: Usage."""
    from ..bench.run.scoring.again import read_runs, runs_to_read

    runs = list(runs_to_read(out, suite))
    problems = [f"{run.cell.id}: {run.problem}" for run in runs if run.problem is not None]
    failed = read_runs(out, runs, spec, jobs=jobs, progress=partial(show_progress, "runs read"))
    show_progress("", 0, 0)
    bad = {line.partition(": ")[0] for line in failed}
    return sum(run.task is not None and run.cell.id not in bad for run in runs), problems + failed


def _check(args: argparse.Namespace) -> int:
    from ..review.config import load_config
    from ..review.reader.check import check, tasks

    backend = open_reader(args.reader, load_config(Path.cwd()).readers)
    readers = Readers([args.reader], lambda _: backend, AnswerStore(args.store))
    planned = [readers.missing(task.evidence) for task in tasks()]
    requests, characters, tokens, price = sums(readers, args.reader, planned)
    size = f"{requests} requests to send, {characters:,} characters, about {tokens:,} tokens"
    message(f"{args.reader}: {size}, {told(price)}")
    if args.dry_run:
        message("nothing was sent")
        if args.json:
            document = {"requests": requests, "characters": characters, "tokens": tokens, "price": price}
            write_json({"schema": "rigor-reader-check/1", "planned": document})
        return 0
    if not confirm(args.reader, requests, characters, tokens, price):
        return 1
    result = check(readers, None if args.json else _told)
    if result.status != "incomplete":
        # With its date: what a name stands for at a provider may change.
        line = f"{result.line} ({time.strftime('%Y-%m-%d', time.gmtime())})"
        readers.store.add_check(readers.keys[args.reader], PROMPT_VERSION, line)
    if args.json:
        write_json({"schema": "rigor-reader-check/1", "result": result})
    else:
        rho = ", ".join(f"{name} {value:.2f}" for name, value in result.rho.items() if value is not None)
        print(f"correlation with the ratings: {rho or 'none yet'}; {result.within} of {result.sessions} within a step")
        paid = "price unknown" if result.cost is None else f"${result.cost:.2f}"
        print(terminal(f"{result.answered_by or args.reader}: {plural(result.requests, 'request')}, {paid}"))
        print(terminal(result.line))
    return 0 if result.status == "passed" else 1


def _told(task: CheckTask, what: str) -> None:
    planted = f"{task.planting.kind} ({task.planting.place})" if task.planting else "as it is"
    print(terminal(f"session {task.number + 1}, {planted}: {what}"), flush=True)


def _export(args: argparse.Namespace) -> int:
    if (args.form == "plain") != (args.model is None):
        raise UsageError("--model NAME belongs to --form openai and --form anthropic, which need it")
    work = partial(_lines, form=args.form, model=args.model, reader=args.reader, budget=args.budget, store=args.store)
    return print_lines(args.paths, work, jobs=args.jobs, label="sessions")


def _lines(
    log: LogFile, form: str, model: str | None, reader: str | None, budget: int | None, store: str | None
) -> list[bytes]:
    from ..review.reader.batch import line
    from ..review.reader.digest import digest

    answers, found = AnswerStore(store), []
    for trajectory in read_log(log):
        evidence, points = to_be_read(trajectory)
        request = build(digest(evidence, budget or BUDGET), points)
        if reader is None or not answers.answers(request.digest_sha256, request.prompt_version, reader, request.answer):
            found.append(line(request, form, model))
    return found


def _import(args: argparse.Namespace) -> int:
    from ..review.reader.batch import BatchError, read_line

    if args.reader is not None and "," in args.reader:
        raise UsageError(f"--reader {args.reader}: a comma divides several readers; give one name without it")
    store, problems, taken, known = AnswerStore(args.store), list[str](), dict[str, int](), 0
    try:
        with open(0 if args.file == "-" else args.file, "rb") as file:
            lines = [(n, data) for n, data in enumerate(file, 1) if data.strip()]
    except OSError as error:
        raise UsageError(f"{args.file}: cannot be read ({error.strerror})") from None
    for number, data in lines:
        where = f"{args.file}:{number}"
        try:
            digest, version, reply = read_line(data)
            if version != PROMPT_VERSION:
                raise BatchError(f"answers version {version} of the question, now it is {PROMPT_VERSION}; export again")
            parse(reply.text)
        except (BatchError, AnswerError) as error:
            problems.append(f"{where}: not taken: {error}")
            continue
        reader = args.reader or reply.model
        if reader is None:
            raise UsageError(f"{where}: no model is stated; say with --reader NAME who answered")
        if any(stored.text == reply.text for stored, _ in store.answers(digest, version, reader)):
            known += 1
            continue
        store.add(digest, version, reader, reply)
        taken[reader] = taken.get(reader, 0) + 1
    messages(problems)
    stored = f"{plural(sum(taken.values()), 'answer')} stored in {store.directory}"
    print(f"{stored}, {known} stored before, {len(problems)} not taken")
    for reader in taken:
        print(f"rigor score LOG --reader {reader} uses them")
    return 1 if problems else 0
