"""The judge beside the runs of an experiment: agents submit to it while they work, and their submissions are kept.

One server serves all runs of a call, on a unix socket that is mounted in each sandbox. Each run has a token of its own,
so it can submit to its own problem only, and the server counts its budget.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.agent_paths import CLIENT, CLIENT_DIRECTORY, ORIGIN
from ...base.files import write_json
from ...sandbox.kit.mount import Mount
from ..experiment.records import Cell
from ..tasks.projects import problem_of
from ..tasks.suite import SuiteTask
from .submissions import FILES, HISTORY, INDEX, JUDGEMENT, SUBMISSIONS, HintGiven, SubmissionIndex, Submitted

if TYPE_CHECKING:
    from ...judge.problems.problem import Problem
    from ...judge.server import JudgeServer, OwnerRecord

# Seconds to wait for the last verdicts after the agent has ended.
VERDICT_TIMEOUT = 1800.0
_SOCKET = "judge.sock"


class JudgeEndpoint:
    """Where one attempt at a cell submits; it may ask for so many ``hints``.

    ``directory``: of the socket and the client, on the host.
    """

    def __init__(self, server: JudgeServer, directory: Path, problem: Problem, cell: str, hints: int = 0) -> None:
        self.server, self.directory, self.problem, self.budget = server, directory, problem, problem.limits.submissions
        # Its name at the server is new for every attempt.
        self.run = f"{cell}#{secrets.token_hex(4)}"
        self.token = server.issue_token(
            self.run, problem.id, budget=self.budget, feedback=problem.feedback, hints=hints
        )

    def binds(self) -> tuple[Mount, ...]:
        return (Mount(str(self.directory), CLIENT_DIRECTORY),)

    def environment(self) -> dict[str, str]:
        return {
            "RIGOR_OJ_URL": f"unix:{CLIENT_DIRECTORY}/{_SOCKET}",
            "RIGOR_OJ_TOKEN": self.token,
            "RIGOR_OJ_PROBLEM": self.problem.id,
            "RIGOR_OJ_REPOSITORY": ORIGIN,
        }

    async def collect(self, directory: Path) -> str | None:
        """Wait for the last verdicts and write all submissions below ``directory``; returns what is missing."""
        return await asyncio.to_thread(self._collect, directory / SUBMISSIONS)

    def _collect(self, directory: Path) -> str | None:
        waited = self.server.wait(self.run, VERDICT_TIMEOUT)
        directory.mkdir(parents=True, exist_ok=True)
        kept = [_keep(directory, record) for record in self.server.submissions(self.run)]
        hints = [
            HintGiven(h.asked, h.answered, h.group, h.question, h.source, h.text) for h in self.server.hints(self.run)
        ]
        about = (self.problem.id, self.problem.digest, self.budget)
        write_json(directory / INDEX, SubmissionIndex(*about, waited, kept, hints))
        return (
            None if waited else f"verdicts that the judge had not given {VERDICT_TIMEOUT:.0f} s after the agent's end"
        )


def _keep(directory: Path, record: OwnerRecord) -> Submitted:
    target, taken, judged = directory / str(record.number), record.submission, record.judgement
    shutil.copytree(taken.root, target / FILES, symlinks=True)
    if taken.history is not None:
        shutil.copytree(taken.history, target / HISTORY, symlinks=True)
    entry = Submitted(
        number=record.number,
        created=record.created,
        language=taken.language,
        kind=taken.kind,
        counted=record.counted,
        digest=taken.digest,
        revision=record.revision,
        history=taken.history is not None,
    )
    if judged is None:
        entry.reason = record.error or f"it was {record.state}"
        return entry
    write_json(target / JUDGEMENT, judged)
    entry.verdict, entry.score, entry.full = judged.verdict, judged.score, judged.full
    entry.judgement = f"{record.number}/{JUDGEMENT}"
    return entry


# What opens an endpoint for an attempt at a cell, with the number of hints that it may ask for.
Open = Callable[[Cell, int], JudgeEndpoint]


@contextmanager
def judge_endpoints(out: Path, tasks: Mapping[str, SuiteTask]) -> Iterator[Open | None]:
    """Run the judge for those of the ``tasks`` that are projects while the context lasts; None: none of them is.

    Args:
        out: directory of the experiment; the judge keeps its queue and the submissions in ``judge`` below it.
    """
    problems = {name: problem_of(task.directory) for name, task in tasks.items() if task.project}
    if not problems:
        yield None
        return
    from ...judge.client import CLIENT_FILE
    from ...judge.engine.resources import default_slots
    from ...judge.server import JudgeServer

    # Not below `out`: the path of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="rigor-oj-") as name:
        directory = Path(name)
        directory.chmod(0o755)
        client = directory / Path(CLIENT).name
        shutil.copyfile(CLIENT_FILE, client)
        client.chmod(0o755)
        by_id = {problem.id: problem for problem in problems.values()}
        with JudgeServer(out / "judge", by_id, unix=directory / _SOCKET, workers=default_slots()) as server:
            yield lambda cell, hints: JudgeEndpoint(server, directory, problems[cell.task], cell.id, hints)
