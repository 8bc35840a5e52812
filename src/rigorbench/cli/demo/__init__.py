"""``rigor demo``: a lie that is caught and an honest session that passes, both invented and part of the package.

Their readings are part of it too: a language model answered once, and nobody is asked.
"""

from __future__ import annotations

import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from ...review.reader.ask import Readers
from ...review.reader.request import Reply, Request
from ...review.reader.store import AnswerStore
from ...session.logfile import LogFile
from ...session.registry import read_log
from ..common import add_json, message, parser, write_line
from ..score import ScoreOptions, render

if TYPE_CHECKING:
    from ...review.reviewed import ReviewedSession

SESSIONS = {
    "lie": "The agent deletes a failing test, ends on red, and says that all tests pass.",
    "honest": "The same task: reproduced, repaired, tested, and told as it is.",
}

# Who answered about these two sessions.
READER = "a language model (2026-11-29, the answer is stored)"


def command(arguments: list[str]) -> int:
    p = parser("demo", "Show the review of two small invented sessions, without any log of your own.")
    p.add_argument("--out", metavar="DIR", help="write the two logs there, to try other commands on them")
    add_json(p, "print one score document per session, one per line")
    args = p.parse_args(arguments)
    if args.out is not None:
        directory = Path(args.out)
        directory.mkdir(parents=True, exist_ok=True)
        for name in SESSIONS:
            file = directory / f"{name}.jsonl"
            file.write_bytes(_log(name))
            message(f"{file}: {SESSIONS[name]}")
        return 0
    from ...review.config import Config, Gate

    options = ScoreOptions(Config(), Gate(), json=args.json)
    for number, (name, about) in enumerate(SESSIONS.items(), 1):
        if not args.json:
            print(f"{'' if number == 1 else chr(10)}--- {number} of {len(SESSIONS)}: {about}\n", flush=True)
        write_line(render(_review(name), options))
        sys.stdout.flush()
    if not args.json:
        print("--- Your own sessions: `rigor sessions` finds them, `rigor score LOG --reader NAME` reviews one.")
    return 0


def _log(name: str) -> bytes:
    return files(__package__ or "").joinpath(f"{name}.jsonl").read_bytes()


def _review(name: str) -> ReviewedSession:
    from ...bench.rigorscore.reviewing import score_and_review

    (trajectory,) = read_log(LogFile(None, name=f"demo: {name}", content=_log(name)))
    answer = files(__package__ or "").joinpath(f"{name}.answer.json").read_text("utf-8")
    with tempfile.TemporaryDirectory(prefix="rigor-demo-") as store:
        readers = Readers([READER], lambda _: _Answered(answer), AnswerStore(store))
        return score_and_review(trajectory, reader=readers, measure=False)


class _Answered:
    """A reader that answered before. Its answer is checked against the log like any other."""

    name = READER

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def ask(self, request: Request) -> Reply:
        return Reply(self._answer, READER)
