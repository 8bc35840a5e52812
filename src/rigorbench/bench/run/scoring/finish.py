"""Scores a run that has ended: journal and trees in; score.json, review.json, outcome.json and, last, result.json out.

This is the main module of a process (``python -m rigorbench.bench.run.scoring.finish``, request on standard input,
answer on standard output), so that the engine's loop goes on with other runs, and so that a crash costs only the scores
of one run. No engine is imported. A process that is killed leaves a run without a result, which is scored again later.
"""

from __future__ import annotations

import ctypes
import errno
import json
import operator
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from ....base import journal
from ....base.data import DataError
from ....base.files import read_json, write_json
from ....base.text import count
from ....review.reader.ask import Readers, ReaderSpec
from ....sandbox.kit.errors import SandboxError
from ....session.logfile import LogError
from ....session.model import Trajectory
from ....session.registry import discover, read_log, read_path
from ....session.task import Task, TaskError
from ...experiment.records import RESULT_SCHEMA, Breach, LimitHit, Manifest, Manipulation, Outcome, RunResult
from ...experiment.store import FACTS, MANIFEST, RESULT, RunFacts, read_result
from ...harness import HarnessError, load_harness
from ...tasks.hidden_tests import is_among
from ...tasks.suite import SuiteError, SuiteTask, load_suite
from ...tasks.user import reading_answered

_PR_SET_PDEATHSIG = 1
OUTCOME = "outcome.json"
# What the machine lacks, and what is no property of the run.
_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EIO, errno.EAGAIN)
_FORGED_RUN = "forged-run"
_UNTOUCHED = "no hidden test of a requirement that fails on the starter passes at the end, which bounds the RigorScore"
_NO_REPLAY = "scored without re-running builds and tests (--no-replay)"


class ScoringRequest(Struct):
    """What to score."""

    run: str
    task: str
    """Locator of its task (see :class:`~rigorbench.bench.tasks.suite.SuiteTask`)."""
    harness: str
    agent: str
    replay: bool = True
    """Re-run builds and tests on the captured trees."""
    again: bool = False
    """The run has a result; only its scores are computed again, with the answers of its readers."""
    failed: str | None = None
    """Why the run cannot be scored: it gets the worst values with this reason. An agent that could break the scoring
    would otherwise drop out of the figures."""
    reader: ReaderSpec | None = None
    """Who reads the run before it is scored again; None: what readers answered before counts."""


class ScoringAnswer(Struct):
    """How scoring ended."""

    problem: str | None = None
    """Why there is no result, in one line; None: there is one."""
    broke: bool = False
    """What the run left behind broke the scoring, and would break it again."""
    unread: list[str] = field(default_factory=list)
    """Why answers of readers are missing, one line each."""


class FinishError(Exception):
    """The run cannot be scored. One line."""


def main() -> int:
    # If our parent is killed, we must not go on in a directory that the next run takes over.
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # Ctrl-C on the terminal goes to the whole group: the parent decides what it means for us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.dup(1)
    os.dup2(2, 1)
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=ScoringRequest)
    answer = ScoringAnswer()
    try:
        if request.failed is not None:
            directory = Path(request.run)
            facts = _facts(directory)
            result = from_facts(facts)
            result.rigor_score = 0.0
            result.outcome = read_json(directory / OUTCOME, Outcome) or Outcome(
                0.0, 0.0, None, False, reason=request.failed, score=0.0
            )
            result.gaps.append(f"{request.failed}: counted as 0")
            write_json(directory / OUTCOME, result.outcome)
            write_json(directory / RESULT, result)
        elif request.again:
            answer.unread = finish_again(request)
        else:
            finish(request)
    except FinishError as error:
        answer.problem = str(error)
    except Exception as error:  # the boundary of this process: the parent reports our own defects in one line
        if os.environ.get("RIGOR_DEBUG"):
            raise
        text = " ".join(str(error).encode("utf-8", "backslashreplace").decode().split())
        answer.problem = f"scoring failed ({type(error).__name__}{': ' if text else ''}{text[:300]})"
        answer.broke = not isinstance(error, SandboxError) and getattr(error, "errno", None) not in _MACHINE
    os.write(answers, msgspec.json.encode(answer))
    return 0


def finish(request: ScoringRequest) -> RunResult:
    """Score one run and write its files.

    Raises:
        FinishError: the run's files do not allow it.
    """
    directory = Path(request.run)
    facts = _facts(directory)
    suite_task = _load_task(request)
    result = from_facts(facts)
    if facts.status != "error":
        if not request.replay:
            result.notes.append(_NO_REPLAY)
        trajectory = _read(directory)
        _take_usage(result, directory)
        hits = {r.kind: LimitHit(r.kind, r.limit, r.used) for r in records(directory) if isinstance(r, journal.Limit)}
        result.limits = list(hits.values())

        if result.status == "completed":
            result.ending = name_of(_model_calls(directory), directory / "session")
        repaired = Counter(
            str(record.data.get("what"))
            for record in records(directory)
            if isinstance(record, journal.Note) and record.name == journal.REPAIRED
        )
        result.notes += [
            f"the server's answers were repaired: {what} ({count(number, 'answer')})"
            for what, number in repaired.items()
        ]
        result.outcome = _measure(result, suite_task, directory, facts, trajectory)
        write_json(directory / OUTCOME, result.outcome)
        _write_score(result, trajectory, suite_task, request.replay, directory, readers_of(directory))
        from ...experiment.breaches import find_breaches
        from .manipulation import loaded

        try:
            read = list(journal.read_records(directory / journal.JOURNAL, "run", "model", "command"))
            result.manipulation = loaded(load_harness(request.harness), request.agent, read)
        except HarnessError as error:
            result.manipulation = Manipulation(None, reason=str(error))
        assert result.outcome is not None
        result.breaches += find_breaches(trajectory, result.outcome if suite_task.task.reference is not None else None)
        result.breaches += [Breach("grader", what) for what in result.outcome.tampering]
        if trajectory.recording is not None:
            result.gaps += [gap for gap in trajectory.recording.gaps if gap not in result.gaps]
    write_json(directory / RESULT, result)
    return result


def finish_again(request: ScoringRequest) -> list[str]:
    """Compute the scores of a run, and the review of a project, again; the rest of its result stays as it is.

    Returns why answers of readers are missing, one line each.

    Raises:
        FinishError: there is no result, or the run's files do not allow it.
    """
    directory = Path(request.run)
    result = read_result(directory)
    if result is None or result.status == "error":
        raise FinishError(f"{directory / RESULT}: no result of an agent to bring up to date")
    suite_task = _load_task(request)
    trajectory = _read(directory)
    readers = readers_of(directory) if request.reader is None else request.reader.open()
    unread = _write_score(result, trajectory, suite_task, _NO_REPLAY not in result.notes, directory, readers)
    if result.project is not None:
        from ...projects.outcome import review_again

        facts = read_json(directory / FACTS, RunFacts)
        base = facts.start_commit if facts is not None else None
        result.project = review_again(suite_task, directory, result.project, base, readers)
    write_json(directory / RESULT, result)
    return unread


# Of an experiment: answers to all its runs are in one store, and a file beside them says whose count.
READINGS, READERS = "readings", "readers.json"


def readers_of(run: Path) -> Readers | None:
    """Those who read the experiment of a run; only their stored answers count. None: nobody read it."""
    runs = run.absolute().parent
    store = runs.parent / READINGS
    spec = read_json(store / READERS, ReaderSpec) if runs.name == "runs" else None
    return None if spec is None else replace(spec, store=str(store)).open()


def _facts(directory: Path) -> RunFacts:
    found = read_json(directory / FACTS, RunFacts)
    if found is None:
        raise FinishError(f"{directory / FACTS}: missing or damaged; delete the run's directory to run it again")
    return found


def _load_task(request: ScoringRequest) -> SuiteTask:
    try:
        return load_suite(request.task).tasks[0]
    except (SuiteError, TaskError) as error:
        raise FinishError(str(error)) from None


def from_facts(facts: RunFacts) -> RunResult:
    """The result as far as the engine alone knows it."""
    same = ("cell", "status", "started", "seconds", "working", "scripted", "limit", "error", "cost")
    fields = {name: getattr(facts, name) for name in same}
    return RunResult(schema=RESULT_SCHEMA, gaps=list(facts.missing), notes=list(facts.notes), **fields)


def _read(directory: Path) -> Trajectory:
    try:
        return read_path(directory)[0]
    except LogError as error:
        raise FinishError(str(error)) from None


def records(directory: Path) -> list[journal.AnyRecord]:
    """The records of a run's journal."""
    path = directory / journal.JOURNAL
    try:
        return [record for _, record in journal.read_records(path)]
    except OSError as error:
        raise FinishError(f"{path}: {error.strerror}") from None


def _model_calls(directory: Path) -> list[journal.Model]:
    return [r for r in records(directory) if isinstance(r, journal.Model) and r.error is None]


def _take_usage(result: RunResult, directory: Path) -> None:
    """Model calls and their tokens, summed over the journal, with estimates for calls whose server sent no usage.

    If a call has neither, the sums are unknown.
    """
    calls = _model_calls(directory)
    result.model_calls = len(calls)
    result.estimated_calls = sum(call.usage is None and call.estimate is not None for call in calls)
    if result.estimated_calls:
        result.notes.append(
            f"the server sent no usage with {result.estimated_calls} of {count(len(calls), 'model call')}: "
            "their tokens are estimated from the texts, as if nothing had been cached"
        )
    usages: list[Mapping[str, int | None]] = [u for call in calls if (u := call.usage or call.estimate) is not None]
    if not usages or len(usages) < len(calls):
        return
    tokens = {part: _sum([u.get(part) for u in usages]) for part in ("input", "cache_read", "cache_write", "output")}
    result.tokens = tokens
    if tokens["input"] is not None and tokens["output"] is not None:
        sent = [sum(u.get(part) or 0 for part in ("input", "cache_read", "cache_write")) for u in usages]
        result.metered = sum(sent) + tokens["output"]
        shares = [call.repeated for call in calls if call.repeated is not None]
        if sum(sent) and len(shares) == len(calls):
            result.repeated = round(sum(map(operator.mul, sent, shares)) / sum(sent), 4)


def _sum(values: list[int | None]) -> int | None:
    """Providers leave out what they do not have (writes to a cache), so None counts as 0 unless no call has a value."""
    known = [v for v in values if v is not None]
    return sum(known) if known else None


def _write_score(
    result: RunResult,
    trajectory: Trajectory,
    suite_task: SuiteTask,
    replay: bool,
    directory: Path,
    readers: Readers | None,
) -> list[str]:
    """Score and review the run. Returns why answers of its readers are missing, one line each."""
    from ....review.document import REVIEW_FILE, REVIEW_SCHEMA, ReviewDocument
    from ...rigorscore.reviewing import score_and_review
    from ...rigorscore.score import MEETS_NONE

    decided = _by_hidden_tests(suite_task, trajectory, result.outcome)
    report = score_and_review(trajectory, task=suite_task.task, replay=replay, reader=readers, **decided)
    values = [value for pillar in report.score.pillars.values() for value in pillar.submetrics.values()]
    bounded = any(MEETS_NONE in value.reason for value in values)
    result.notes = [n for n in result.notes if n != _UNTOUCHED] + [_UNTOUCHED] * bounded
    document: dict[str, Any] = msgspec.to_builtins(report.score)
    result.rigor_score = document["rigor_score"]
    result.evidence_share = document["evidence_share"]
    result.pillars = {name: pillar["value"] for name, pillar in document["pillars"].items()}
    result.pillar_status = {name: pillar["status"] for name, pillar in document["pillars"].items()}
    from ....review.findings import disagreement_text

    lines = {event.id: event.source.line for event in report.events}
    found = report.replay.disagreements if report.replay is not None else []
    result.breaches = [breach for breach in result.breaches if breach.kind != _FORGED_RUN] + [
        Breach(_FORGED_RUN, disagreement_text(d), [line] if (line := lines[d.event]) is not None else [])
        for d in found
        if d.forged
    ]
    write_json(directory / "score.json", document)
    write_json(directory / REVIEW_FILE, ReviewDocument(REVIEW_SCHEMA, report.review))
    return report.unread


def context_of(trajectory: Trajectory) -> tuple[dict[str, Any], str | None]:
    """What `rigor run` gives to the scoring of a recorded run, and why its task is not among that."""
    about = trajectory.extra.get("capture", {}).get("task") or {}
    if trajectory.recording is None or not about.get("name"):
        return {}, None
    directory = Path(trajectory.recording.store).parent
    manifest = read_json(directory.parent.parent / MANIFEST, Manifest)
    suite = str(about.get("suite") or (manifest.suite if manifest is not None else ""))
    try:
        found = load_suite(os.path.expanduser(suite)).task(str(about["name"]))
    except (SuiteError, TaskError, DataError) as error:
        return {}, str(error) if suite else "its record does not name the suite"
    if found.digest != about.get("digest"):
        return {}, f"{found.directory} has changed since"
    outcome = read_json(directory / OUTCOME, Outcome)
    return {"task": found.task, "reader": readers_of(directory), **_by_hidden_tests(found, trajectory, outcome)}, None


def _by_hidden_tests(suite_task: SuiteTask, trajectory: Trajectory, outcome: Outcome | None) -> dict[str, Any]:
    """What the hidden tests say to the scoring. ``hidden``: which of them pass on a tree of a store."""
    start = trajectory.recording.start_tree if trajectory.recording is not None else None

    def hidden(store: Path, tree: str) -> frozenset[str]:
        from ...outcome.measure import measure

        return frozenset(t.id for t in measure(suite_task, store, tree, start or tree).tests if t.outcome == "passed")

    ran = outcome is not None and any(t.outcome == "passed" for t in outcome.tests) and not suite_task.project
    return {"hidden": hidden if ran else None, **_decided(suite_task.task, outcome)}


def _decided(task: Task, outcome: Outcome | None) -> dict[str, Any]:
    """What the hidden tests say to the scoring; None: they say nothing.

    ``cause_removed``: whether all tests of the task's root cause pass on the final tree. ``touched``: how many
    requirements of which tests fail on the starter are met now, and their number. One of which two of three such tests
    pass is two thirds, and what was broken counts against them as it does in the Outcome score.
    """
    tests = outcome.tests if outcome is not None else []
    of_cause = task.root_cause.tests if task.root_cause is not None else []
    cause = [t.outcome == "passed" for t in tests if is_among(t.id, of_cause)]
    missing = [[t for t in tests if t.at_start is False and is_among(t.id, r.tests)] for r in task.requirements]
    missing = [found for found in missing if found]
    met = sum(sum(t.outcome == "passed" for t in found) / len(found) for found in missing)
    kept = 1.0 if outcome is None or outcome.kept is None else outcome.kept
    return {
        "cause_removed": all(cause) if cause else None,
        "touched": (round(met * kept, 6), len(missing)) if missing else None,
    }


def _measure(
    result: RunResult, suite_task: SuiteTask, directory: Path, facts: RunFacts, trajectory: Trajectory
) -> Outcome:
    final_tree = _final_tree(directory)
    if final_tree is not None and facts.start_tree is not None:
        result.changed = final_tree != facts.start_tree
    if suite_task.project:
        from ...projects.exfiltration import exfiltrated
        from ...projects.outcome import local_results, measure_project
        from ...tasks.projects import problem_of

        result.breaches += exfiltrated(problem_of(suite_task.directory), trajectory)
        calls = [call.time for call in _model_calls(directory)]
        local = local_results(trajectory)
        result.project, outcome = measure_project(suite_task, directory, facts, final_tree, calls, local)
        return outcome
    if final_tree is None or facts.start_tree is None:
        return Outcome(None, None, None, None, reason="the final work tree was not captured")
    from ...outcome.measure import measure

    said = [step.text for step in trajectory.steps if step.role == "user"]
    reading = reading_answered(suite_task.task, said)
    return measure(suite_task, directory / journal.STORE, final_tree, facts.start_tree, reading=reading)


def _final_tree(directory: Path) -> str | None:
    """The work tree at the end; of a run whose recorder did not live to see it, the last that was recorded."""
    written = records(directory)
    end = next((r for r in written if isinstance(r, journal.End)), None)
    if end is not None and end.final_tree is not None:
        return end.final_tree
    return next((r.tree for r in reversed(written) if isinstance(r, journal.TreeRecord)), None)


_LONGEST = 200_000


def name_of(calls: Sequence[journal.Model], session: Path) -> str | None:
    """The name of the end of a run whose last answer was no closing message; None: nothing is wrong with it."""
    tools = [tool["name"] for call in calls for tool in call.declared or ()]
    offered = [call for call in calls if call.tools]
    last = (offered or calls)[-1] if calls else None
    if last is not None and last.output is not None and not last.output.get("tool_calls"):
        text = str(last.output.get("content") or "").strip()
        if last.stop == "max_tokens":
            return "answer cut: it reached --max-tokens, or the server's limit"
        if not text:
            return "empty answer"
        if _is_call(text[:_LONGEST], set(tools)):
            return "call written as text: the server returned no tool call"
    own = list(_own(session))
    for trajectory in own:
        status = trajectory.extra.get("exit_status")
        if trajectory.end == "error" and status:
            return f"the agent's own log ends with {status}"
    # Some programs end by a call; their own log says that they had come to their end.
    asked = last is not None and last.output is not None and bool(last.output.get("tool_calls"))
    if asked and not any(trajectory.end == "completed" for trajectory in own):
        return "the program ended while its model asked for calls"
    return None


def _own(session: Path) -> Iterator[Trajectory]:
    """What can be read of the agent's own log."""
    for log in discover([str(session)]) if session.is_dir() else ():
        with suppress(LogError):
            yield from () if isinstance(log, LogError) else read_log(log)


def _is_call(text: str, tools: set[str]) -> bool:
    """Whether a text has an object that names an offered tool beside its arguments, or an element for the tool."""
    if any(_names(value, tools) for value in _objects(text)):
        return True
    names = "|".join(map(re.escape, sorted(tools)))
    element = re.search(rf"<\w+(?:=| name=)[\"']?(?:{names})[\"']?\s*>", text) if names else None
    return element is not None and re.search(r"</\w+>", text[element.end() :]) is not None


def _names(value: dict[str, Any], tools: set[str]) -> bool:
    todo: list[Any] = [value]
    while todo:
        one = todo.pop()
        parts = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
        texts = [part.strip() for part in parts if isinstance(part, str)]
        # Arguments are an object, or the text of one.
        given = any(isinstance(part, dict) for part in parts) or any(text.startswith("{") for text in texts)
        if isinstance(one, dict) and given and not tools.isdisjoint(texts):
            return True
        todo += parts
    return False


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decode, at = json.JSONDecoder(strict=False).raw_decode, text.find("{")
    while at >= 0:
        try:
            value, at = decode(text, at)
            if isinstance(value, dict):
                yield value
        except (ValueError, RecursionError):
            at += 1
        at = text.find("{", at)


if __name__ == "__main__":
    sys.exit(main())
