"""Scores a run that has ended: journal and trees in; score.json, outcome.json and, last of all, result.json out.

Runs as a process of its own (``python -m rigorbench.bench.finish``, the order on standard input), so that the engine's
loop goes on with other runs, and so that a crash costs no more than the scores of one run. No engine is imported.
Killed at any moment it leaves a run without a result, which is scored again.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from ..base.files import write_json
from ..experiment.model import RESULT_SCHEMA, Outcome, RunResult
from ..experiment.store import FACTS, RESULT, Facts, read_json, read_result
from ..trajectory import journal

_PR_SET_PDEATHSIG = 1
_NO_REPLAY = "scored without re-running builds and tests (--no-replay)"


class Order(Struct):
    """What to score: ``run``: directory of the run; ``task``: place of its task; ``harness``: how it was asked for.

    ``replay``: re-run builds and tests on the captured trees. ``again``: the run has a result, and only its scores are
    made anew, with the votes that the panel gave since.
    """

    run: str
    task: str
    harness: str
    agent: str
    replay: bool = True
    again: bool = False


class Answer(Struct):
    """``problem``: why there is no result, in one line (None: there is one). ``seconds`` by what took them."""

    problem: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)


class FinishError(Exception):
    """The run cannot be scored. One line."""


def main() -> int:
    # Our parent's death by SIGKILL must not leave us at work in a directory that the next run takes over.
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # Ctrl-C on the terminal goes to the whole group: the parent decides what it means for us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.dup(1)
    os.dup2(2, 1)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    answer = Answer()
    try:
        (finish_again if order.again else finish)(order, answer.seconds)
    except FinishError as error:
        answer.problem = str(error)
    except Exception as error:  # the boundary of this process: a defect of ours is told to the parent in one line
        if os.environ.get("RIGOR_DEBUG"):
            raise
        answer.problem = f"scoring failed ({type(error).__name__}: {' '.join(str(error).split())[:300]})"
    os.write(answers, msgspec.json.encode(answer))
    return 0


def finish(order: Order, seconds: dict[str, float]) -> RunResult:
    """Score one run and write what comes out.

    Raises:
        FinishError: the run's files do not allow it.
    """
    from ..tasks.suite import SuiteError, load_suite
    from ..tasks.task import TaskError

    directory = Path(order.run)
    facts = read_json(directory / FACTS, Facts)
    if facts is None:
        raise FinishError(f"{directory / FACTS}: missing or damaged; delete the run's directory to run it again")
    try:
        suite_task = load_suite(order.task).tasks[0]
    except (SuiteError, TaskError) as error:
        raise FinishError(str(error)) from None
    result = from_facts(facts)
    if facts.status != "error":
        if not order.replay:
            result.notes.append(_NO_REPLAY)
        clock = _Clock(seconds)
        trajectory = _read(directory)
        clock.lap("read")
        store, end = directory / journal.STORE, _end(directory)
        final_tree = end.final_tree if end is not None else None
        _take_usage(result, directory)
        document = _score(trajectory, suite_task.task, order.replay, directory)
        clock.lap("score")
        _take_score(result, document)
        write_json(directory / "score.json", document)
        if suite_task.project:
            from .project_outcome import measure_project

            calls = [r.time for r in records(directory) if isinstance(r, journal.Model) and r.error is None]
            result.project, result.outcome = measure_project(suite_task, directory, facts, final_tree, calls)
        elif final_tree is not None and facts.start_tree is not None:
            from .outcome import measure

            result.outcome = measure(suite_task, store, final_tree, facts.start_tree)
        else:
            result.outcome = Outcome(None, None, None, None, reason="the final work tree was not captured")
        clock.lap("outcome")
        write_json(directory / "outcome.json", result.outcome)
        _take_checks(result, order, directory, trajectory, suite_task.task)
        clock.lap("checks")
    write_json(directory / RESULT, result)
    return result


def finish_again(order: Order, seconds: dict[str, float]) -> RunResult:
    """Make the scores of a run anew, and leave its outcome and all else of its result as it is.

    Raises:
        FinishError: there is no result, or the run's files do not allow it.
    """
    from ..tasks.suite import SuiteError, load_suite
    from ..tasks.task import TaskError

    directory = Path(order.run)
    result = read_result(directory)
    if result is None or result.status == "error":
        raise FinishError(f"{directory / RESULT}: no result of an agent to bring up to date")
    try:
        task = load_suite(order.task).tasks[0].task
    except (SuiteError, TaskError) as error:
        raise FinishError(str(error)) from None
    clock = _Clock(seconds)
    trajectory = _read(directory)
    clock.lap("read")
    document = _score(trajectory, task, _NO_REPLAY not in result.notes, directory)
    clock.lap("score")
    _take_score(result, document)
    write_json(directory / "score.json", document)
    write_json(directory / RESULT, result)
    return result


def from_facts(facts: Facts) -> RunResult:
    """The result as far as the engine alone knows it."""
    return RunResult(
        schema=RESULT_SCHEMA,
        cell=facts.cell,
        status=facts.status,
        started=facts.started,
        seconds=facts.seconds,
        working=facts.working,
        scripted=facts.scripted,
        limit=facts.limit,
        error=facts.error,
        cost=facts.cost,
        gaps=list(facts.missing),
        notes=list(facts.notes),
    )


def _read(directory: Path) -> Any:
    from ..trajectory.logfile import LogError
    from ..trajectory.registry import read_path

    try:
        return read_path(directory)[0]
    except LogError as error:
        raise FinishError(str(error)) from None


def _end(directory: Path) -> journal.End | None:
    for record in records(directory):
        if isinstance(record, journal.End):
            return record
    return None


def records(directory: Path) -> list[journal.AnyRecord]:
    """The journal's records; a last line without its newline is damage of a kill and is dropped."""
    decode = msgspec.json.Decoder(journal.AnyRecord).decode
    try:
        lines = (directory / journal.JOURNAL).read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise FinishError(f"{directory / journal.JOURNAL}: {error.strerror}") from None
    found: list[journal.AnyRecord] = []
    for line in lines:
        try:
            found.append(decode(line))
        except msgspec.DecodeError:
            continue
    return found


def _take_usage(result: RunResult, directory: Path) -> None:
    """Model calls and their tokens, summed over the journal. A part that one call lacks is unknown for all."""
    calls = [r for r in records(directory) if isinstance(r, journal.Model) and r.error is None]
    result.model_calls = len(calls)
    if not calls or any(call.usage is None for call in calls):
        return
    usages = [call.usage for call in calls if call.usage is not None]
    result.tokens = {
        part: _sum([u.get(part) for u in usages]) for part in ("input", "cache_read", "cache_write", "output")
    }
    counted = [_sum([u.get("input") for u in usages]), _sum([u.get("output") for u in usages])]
    writes = sum(u.get("cache_write") or 0 for u in usages)
    result.metered = None if None in counted else sum(c for c in counted if c is not None) + writes


def _sum(values: list[int | None]) -> int | None:
    """What a provider does not have (a cache that is not written to) it leaves out: None counts as none of it, unless
    no call has it."""
    known = [v for v in values if v is not None]
    return sum(known) if known else None


def _score(trajectory: Any, task: Any, replay: bool, directory: Path) -> dict[str, Any]:
    """``directory``: of the run. The votes of its experiment, where there are any, are those beside all runs."""
    from ..metrics.score import score_session
    from ..panel.votes import VoteStore

    runs = directory.absolute().parent
    place = runs.parent / "votes"
    votes = VoteStore(place) if runs.name == "runs" and place.is_dir() else None
    report = score_session(trajectory, task=task, replay=replay, votes=votes)
    document: dict[str, Any] = msgspec.to_builtins(report.score)
    return document


def _take_score(result: RunResult, document: dict[str, Any]) -> None:
    result.rigor_score = document["rigor_score"]
    result.evidence_share = document["evidence_share"]
    result.pillars = {name: pillar["value"] for name, pillar in document["pillars"].items()}
    result.pillar_status = {name: pillar["status"] for name, pillar in document["pillars"].items()}


def _take_checks(result: RunResult, order: Order, directory: Path, trajectory: Any, task: Any) -> None:
    from ..experiment.breaches import find_breaches
    from ..experiment.manipulation import loaded
    from ..experiment.model import Breach, Manipulation
    from ..tasks.harness import HarnessError, load_harness

    try:
        result.manipulation = loaded(load_harness(order.harness), order.agent, directory)
    except HarnessError as error:
        result.manipulation = Manipulation(None, reason=str(error))
    result.breaches = find_breaches(directory)
    assert result.outcome is not None
    result.breaches += [Breach("grader", what) for what in result.outcome.tampering]
    witness = trajectory.witness
    if witness is not None:
        result.gaps += [gap for gap in witness.gaps if gap not in result.gaps]


class _Clock:
    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds, self.last = seconds, time.monotonic()

    def lap(self, name: str) -> None:
        now = time.monotonic()
        self.seconds[name] = round(now - self.last, 3)
        self.last = now


if __name__ == "__main__":
    sys.exit(main())
