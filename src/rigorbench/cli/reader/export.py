"""``rigor reader export``: the requests about sessions, as lines of a file; nothing is sent."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from ..common import Usage, add_jobs, add_paths, parser, print_lines
from ..reader_options import add_budget, to_be_read

if TYPE_CHECKING:
    from ...trajectory.logfile import LogFile

_EPILOG = """examples:
  rigor reader export logs/ > prompts.jsonl          to be answered by a person, a local model, a cluster job
  rigor reader export logs/ --form anthropic --model claude-opus-4-5 > batch.jsonl
  rigor reader import answers.jsonl --reader NAME    then: rigor score logs/ --reader NAME

A line has the question (system), the session (user) and the JSON schema of the answer. To answer it write a line
{"custom_id": "...", "answer": {...}}, or {"custom_id": "...", "text": "..."} with the words of a model as they came.
"""


def command(arguments: list[str]) -> int:
    from ...reader.batch import FORMS

    p = parser("reader export", "Write what a reader would be asked about sessions. Nothing is sent.", _EPILOG)
    add_paths(p)
    p.add_argument("--form", choices=FORMS, default="plain", help="of a provider's batch interface; default: plain")
    p.add_argument("--model", metavar="NAME", help="the model, for the forms of providers")
    p.add_argument("--reader", metavar="NAME", help="leave out sessions of which an answer by NAME is stored")
    add_budget(p)
    add_jobs(p)
    args = p.parse_args(arguments)
    if (args.form == "plain") != (args.model is None):
        raise Usage("--model NAME belongs to --form openai and --form anthropic, which need it")
    work = partial(_lines, form=args.form, model=args.model, reader=args.reader, budget=args.budget, store=args.store)
    complete = print_lines(args.paths, work, sys.stdout.buffer, jobs=args.jobs, label="sessions")
    sys.stdout.flush()
    return 0 if complete else 1


def _lines(
    log: LogFile, form: str, model: str | None, reader: str | None, budget: int | None, store: str | None
) -> list[bytes]:
    from ...reader.batch import line
    from ...reader.digest import digest
    from ...reader.request import BUDGET, build
    from ...reader.store import AnswerStore
    from ...trajectory.registry import read_log

    answers, found = AnswerStore(store), []
    for trajectory in read_log(log):
        evidence, points = to_be_read(trajectory)
        request = build(digest(evidence, budget or BUDGET), points)
        if reader is None or not answers.answers(request.digest_sha256, request.prompt_version, reader, request.answer):
            found.append(line(request, form, model))
    return found
