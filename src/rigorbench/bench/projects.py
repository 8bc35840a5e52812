"""The judge beside the runs of an experiment: agents submit to it while they work, and it keeps what they submitted.

One server for all runs of a call, on a unix socket that each sandbox shows. A run has a token of its own, so it can
submit to its own problem only, and its budget is counted by the server.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ..base.agent_paths import CLIENT, CLIENT_DIRECTORY, ORIGIN
from ..base.files import write_json
from ..sandbox.mount import Mount
from ..tasks.projects import problem_of
from ..tasks.suite import SuiteTask

if TYPE_CHECKING:
    from ..judge.server import JudgeServer, Record
    from ..problems.model import Problem

SUBMISSIONS = "submissions"
INDEX, FILES, HISTORY, JUDGEMENT = "index.json", "files", "history.git", "judgement.json"
# Seconds for which the verdicts on what was submitted last are waited for, when the agent has ended.
PATIENCE = 1800.0
_SOCKET = "judge.sock"


class Submitted(Struct):
    """An entry of ``submissions/index.json``; the files lie beside it in ``<number>/files``, the history in
    ``<number>/history.git``, the judgement in ``<number>/judgement.json`` (None: there is none, for the ``reason``).

    ``created``: epoch seconds; ``counted``: it took one of the budget; ``digest``: SHA-256 of what was submitted.
    """

    number: int
    created: float
    language: str
    kind: Literal["file", "tree", "revision"]
    counted: bool
    digest: str
    verdict: str | None = None
    score: float | None = None
    full: float | None = None
    revision: str | None = None
    history: bool = False
    judgement: str | None = None
    reason: str | None = None


class Submissions(Struct):
    """``submissions/index.json`` of a run. ``waited``: every submission has its verdict."""

    problem: str
    package: str
    budget: int | None
    waited: bool
    submitted: list[Submitted]


class Desk(Struct, frozen=True):
    """Where one run submits. ``run``: its name at the server, new for every attempt at a cell."""

    run: str
    token: str
    problem: str
    package: str
    budget: int | None
    directory: Path
    server: JudgeServer

    def binds(self) -> tuple[Mount, ...]:
        return (Mount(str(self.directory), CLIENT_DIRECTORY),)

    def environment(self) -> dict[str, str]:
        return {
            "RIGOR_OJ_URL": f"unix:{CLIENT_DIRECTORY}/{_SOCKET}",
            "RIGOR_OJ_TOKEN": self.token,
            "RIGOR_OJ_PROBLEM": self.problem,
            "RIGOR_OJ_REPOSITORY": ORIGIN,
        }

    async def settle(self, directory: Path) -> str | None:
        """Wait for the last verdicts, and keep what was submitted below ``directory``; what is missing, or None."""
        return await asyncio.to_thread(self._settle, directory / SUBMISSIONS)

    def _settle(self, directory: Path) -> str | None:
        waited = self.server.wait(self.run, PATIENCE)
        directory.mkdir(parents=True, exist_ok=True)
        kept = [_keep(directory, record) for record in self.server.submissions(self.run)]
        write_json(directory / INDEX, Submissions(self.problem, self.package, self.budget, waited, kept))
        return None if waited else f"verdicts that the judge had not given {PATIENCE:.0f} s after the agent's end"


def _keep(directory: Path, record: Record) -> Submitted:
    place, taken, judged = directory / str(record.number), record.submission, record.judgement
    shutil.copytree(taken.root, place / FILES, symlinks=True)
    if taken.history is not None:
        shutil.copytree(taken.history, place / HISTORY, symlinks=True)
    if judged is not None:
        write_json(place / JUDGEMENT, judged)
    return Submitted(
        number=record.number,
        created=record.created,
        language=record.language,
        kind=taken.kind,
        counted=record.counted,
        digest=taken.digest,
        verdict=None if judged is None else judged.verdict,
        score=None if judged is None else judged.score,
        full=None if judged is None else judged.full,
        revision=record.revision,
        history=taken.history is not None,
        judgement=None if judged is None else f"{record.number}/{JUDGEMENT}",
        reason=None if judged is not None else record.error or f"it was {record.state}",
    )


class Desks:
    """The server of an experiment, and the desks of its runs."""

    def __init__(self, server: JudgeServer, directory: Path, problems: Mapping[str, Problem]) -> None:
        self._server, self._directory, self._problems = server, directory, problems

    def open(self, cell: str, task: str) -> Desk:
        """A desk for one attempt at a cell, whose task is called ``task``."""
        problem = self._problems[task]
        run, budget = f"{cell}#{secrets.token_hex(4)}", problem.limits.submissions
        token = self._server.issue_token(run, problem.id, budget=budget, feedback=problem.feedback)
        return Desk(run, token, problem.id, problem.digest, budget, self._directory, self._server)


@contextmanager
def desks(out: Path, tasks: Mapping[str, SuiteTask]) -> Iterator[Desks | None]:
    """The judge for those of the ``tasks`` that are projects, as long as the context lasts; None: there is none.

    Args:
        out: directory of the experiment; the judge's queue and what was submitted are kept in ``judge`` below it.
    """
    problems = {name: problem_of(task.directory) for name, task in tasks.items() if task.project}
    if not problems:
        yield None
        return
    from ..judge.client import CLIENT_FILE
    from ..judge.server import JudgeServer

    # The path of a socket may have no more than 107 bytes.
    with tempfile.TemporaryDirectory(prefix="rigor-oj-") as place:
        directory = Path(place)
        directory.chmod(0o755)
        shutil.copyfile(CLIENT_FILE, directory / Path(CLIENT).name)
        (directory / Path(CLIENT).name).chmod(0o755)
        by_id = {problem.id: problem for problem in problems.values()}
        with JudgeServer(out / "judge", by_id, unix=directory / _SOCKET) as server:
            yield Desks(server, directory, problems)
