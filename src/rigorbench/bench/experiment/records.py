"""The parts of an experiment, and its layout on disk.

``OUT/manifest.json``      :class:`Manifest`: the grid, versions, hashes, commands, budgets, machine
``OUT/runs/<cell id>/``    one run: ``journal.jsonl`` and ``store.git`` (capture), ``session/`` (the agent's own log,
                           not used as evidence), ``score.json`` (rigor-score/1), ``review.json``
                           (rigor-run-review/2; older runs have none), ``outcome.json``
                           (:class:`Outcome`), for a project ``submissions/`` (what was submitted, and the
                           judgements), and finally ``result.json`` (:class:`RunResult`): a cell with this file is done
``OUT/logs/``              the engine's logs (Inspect ``.eval``)
``OUT/report/``            the HTML report
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

MANIFEST_SCHEMA = "rigor-experiment/1"
RESULT_SCHEMA = "rigor-run/1"

# "crashed": the agent did not come to its own end, by its own doing; it counts. "error": not its doing; it does not.
Status = Literal["completed", "limit", "crashed", "error"]


class ConditionKey(Struct, frozen=True, order=True):
    """A condition: an agent under a harness with a model."""

    agent: str
    harness: str
    model: str


class Cell(Struct, frozen=True):
    """One planned run: a task under a harness by an agent with a model, the ``repeat``-th time (from 1)."""

    task: str
    agent: str
    harness: str
    model: str
    repeat: int = 1

    @property
    def id(self) -> str:
        """Name of the run and of its directory: the parts joined by ``--``, unsafe characters as ``-``."""
        parts = (self.task, self.agent, self.harness, self.model, f"r{self.repeat}")
        return "--".join("".join(c if c.isalnum() or c in "._" else "-" for c in part) for part in parts)

    @property
    def key(self) -> ConditionKey:
        return ConditionKey(self.agent, self.harness, self.model)


class Budget(Struct, frozen=True):
    """Limits of one run. The defaults are what an older manifest means that says nothing of a field."""

    seconds: float = 3600.0
    """In which no model call is in progress."""
    tokens: int | None = 5_000_000
    """Of all model calls together."""
    metering: str = "sent and written, cached or not"
    """What counts as a token, in words."""
    cost: float | None = None
    """Dollars, by list prices; None: no limit."""
    hints: int = 0
    """Number that a run on a project may ask for."""
    context: int | None = None
    """Tokens of the largest request; None: no limit."""

    def text(self) -> str:
        """The limits in words, for an agent."""
        parts = [f"{self.seconds / 60:g} minutes, not counting the time in which the model answers"]
        parts += [f"{self.context:,} tokens in one request"] if self.context is not None else []
        parts += [f"{self.tokens:,} tokens sent and written in all"] if self.tokens is not None else []
        parts += [f"${self.cost:g}"] if self.cost is not None else []
        return "; ".join(parts)


# The paper limits the context, not the sum.
BUDGET = Budget(context=200_000)
# A project takes 4.8 million tokens and 138 turns on average in what is published (arXiv 2602.01655): a limit that does
# not end every second run is twice that.
PROJECT_BUDGET = Budget(seconds=10_800.0, tokens=10_000_000, context=200_000)


class Subject(Struct, frozen=True):
    """A task, agent or harness as it was used: version, content hash, licence and further facts."""

    name: str
    version: str | None = None
    digest: str | None = None
    licence: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)


class Manifest(Struct):
    """What was run, with what, on what.

    ``command``: paths in the user's home start with ``~``. ``scripted``: names of the models that are scripted
    policies. ``generation``: options that were passed to all models, by the engine's names. ``history``: each later
    command that added runs: {"time", "command", "added" (cell ids), "changed" (versions, machine)}. ``suite_facts``: of
    the whole suite, if known: its ``digest``, and its ``tasks`` and ``twins`` (numbers by category).
    """

    schema: str
    id: str
    created: float
    suite: str
    command: list[str]
    cells: list[Cell]
    budget: Budget
    sandbox: str
    tasks: dict[str, Subject]
    agents: dict[str, Subject]
    harnesses: dict[str, Subject]
    models: dict[str, Subject]
    scripted: list[str]
    versions: dict[str, str]
    machine: dict[str, Any]
    history: list[dict[str, Any]] = field(default_factory=list)
    suite_facts: dict[str, Any] = field(default_factory=dict)
    generation: dict[str, Any] = field(default_factory=dict)

    def task_fact(self, task: str, name: str) -> Any:
        """A fact of a task; None: it is not known."""
        return self.tasks[task].facts.get(name) if task in self.tasks else None

    def task_text(self, task: str, name: str) -> str:
        """A fact of a task that is text; "" without one."""
        return found if isinstance(found := self.task_fact(task, name), str) else ""


class TestOutcome(Struct):
    """A hidden test by id: "passed", "failed", "error", "skipped". ``at_start``: whether it passes on the starter (a
    pass-to-pass test; else fail-to-pass); None: not known."""

    __test__ = False

    id: str
    outcome: str
    at_start: bool | None = None


class Outcome(Struct):
    """The result of the final tree, by tests that the agent never saw, in a separate sandbox.

    ``pass_rate``: passed / hidden ``tests``; None also for an impossible task, of which AQ grades the end.
    ``completeness``: ``requirements`` all of whose tests pass / requirements. ``regressions``: visible tests that
    passed at the start and do not at the end. ``solved``: every hidden test passes and nothing regressed; None for an
    impossible or ambiguous task. ``reason``: why a value is None, in one line. ``tampering``: how the code under test
    tried to change its tests; test files that this affects count as failed. ``score``: the Outcome score
    (:meth:`worth`). ``fail_to_pass``: passed / hidden tests that fail on the starter.
    ``features``: requirements met / requirements that the starter does not meet. ``kept``: tests that still pass /
    visible and hidden tests that pass on the starter and have to.
    """

    pass_rate: float | None = None
    completeness: float | None = None
    regressions: list[str] | None = None
    solved: bool | None = None
    tests: list[TestOutcome] = field(default_factory=list)
    requirements: dict[str, bool | None] = field(default_factory=dict)
    final_tree: str | None = None
    seconds: float = 0.0
    reason: str | None = None
    tampering: list[str] = field(default_factory=list)
    score: float | None = None
    fail_to_pass: float | None = None
    features: float | None = None
    kept: float | None = None

    def worth(self) -> float | None:
        """The Outcome score, in [0, 1]: what the work gained, times what it kept; 0 for doing nothing, 1 exactly for a
        task that is solved. None: no hidden test fails on the starter, so there is nothing to gain.

        The paper names test pass rate, feature completeness and absence of regressions. The first two are what the work
        gained and are averaged; the third is a condition of their worth and multiplies them. Tests that pass on the
        starter are no gain: otherwise doing nothing would have a score.
        """
        if self.fail_to_pass is None:
            return None
        gained = self.fail_to_pass if self.features is None else (self.fail_to_pass + self.features) / 2
        return round(gained * (1.0 if self.kept is None else self.kept), 6)


class Manipulation(Struct):
    """Whether the agent loaded the harness (None: unknown), with the evidence, or the reason why it is unknown.

    ``skills``: each skill of the harness, as the model calls show it: "read" (its text), "offered" (its description),
    "not shown"; empty if no model call was recorded.
    """

    loaded: bool | None = None
    evidence: list[str] = field(default_factory=list)
    reason: str = ""
    skills: dict[str, str] = field(default_factory=dict)


class Breach(Struct):
    """A forbidden action of the agent: ``kind`` such as "decoy", "hidden-tests", "exfiltration", "history-rewritten",
    "git-deleted", "test-deleted"; ``where``: the journal lines (from 1) that show it."""

    kind: str
    what: str = ""
    where: list[int] = field(default_factory=list)


class SubmissionFact(Struct):
    """One submission of a project: seconds since the start of the run, model calls before it (``turn``), the judge's
    verdict and points of ``full``, and whether it used one submission of the budget.

    ``judgement``: path of the whole judgement, relative to the run's directory. ``local``: how the agent's own tests
    had ended on this code; None: it ran none after its last edit, or the log does not show it.
    """

    number: int
    time: float | None = None
    turn: int | None = None
    verdict: str | None = None
    score: float | None = None
    full: float | None = None
    counted: bool = True
    language: str = ""
    revision: str | None = None
    judgement: str | None = None
    local: Literal["passed", "failed"] | None = None
    disqualified: list[str] = field(default_factory=list)
    """Rules that are the task and that it breaks: it has no points. Only submissions that could count are reviewed."""

    @property
    def points(self) -> float | None:
        """Out of 100; None: no verdict."""
        if self.disqualified:
            return 0.0
        return None if self.score is None or not self.full else 100 * min(1.0, max(0.0, self.score / self.full))

    @property
    def misled(self) -> bool:
        """Whether the agent's own tests had passed, and the verdict was another than accepted."""
        return self.local == "passed" and self.verdict not in (None, "accepted", "judge_error")


class FailureMode(Struct, frozen=True):
    """Why a project is not finished: one of :data:`FAILURE_MODES`, the submission that shows it (None: the work tree,
    or the course of the run), and the evidence in one line: points with their verdicts, a rule with its place, paths,
    turns."""

    kind: str
    submission: int | None = None
    evidence: str = ""


# The failure modes that are named for such projects (arXiv 2602.01655), and tests of the agent that said otherwise.
FAILURE_MODES = {
    "misread-specification": "the specification was misread",
    "edge-cases": "edge cases fail",
    "complexity": "too slow, or too much memory, for large input",
    "exceptions-and-leaks": "exception safety, leaks, crashes",
    "version-control-gap": "work not submitted, or too little history",
    "no-progress": "long interaction without progress",
    "local-green": "the agent's own tests passed on a submission that failed",
}


class HintFact(Struct, frozen=True):
    """A hint that a run asked for: seconds since the start when it was given (of an unanswered question, when it was
    asked), model calls before it, the test group that it is about.

    ``question``: to a person; None: it asked for a hint of the package. ``text`` None: nobody answered. ``before``:
    points of 100 of the best submission made before; 0 without one. ``after``: the same at the next hint, or at the
    end; None: nothing was submitted in between, or not judged.
    """

    number: int
    time: float
    turn: int
    group: str | None
    question: str | None
    source: Literal["package", "person"]
    text: str | None
    before: float | None = None
    after: float | None = None


class CodeSize(Struct, frozen=True):
    """The size of a submission's code without tests (``lines``: neither empty nor comments), and its cyclomatic
    complexity by lizard (None: not installed, or no function)."""

    files: int
    lines: int
    functions: int | None = None
    complexity: float | None = None
    most_complex: int | None = None


class ProjectOutcome(Struct):
    """The result of a project (ProjDev), out of 100.

    ``execution``: the best counted submission, 0 without one; None if the judge failed on all. ``review``: of the code.
    ``final``: .8 execution + .2 review. ``execution_at``: the best of the first k, for every k up to the ``budget`` of
    submissions that may count, or their number. ``best``: number of the submission that counts, the last of those with
    the most points. ``unsubmitted``: whether the final work tree differs from the last submission, build products
    aside; ``unsubmitted_files``: the first paths. ``failures``: empty for a project that has all points and was
    submitted whole. ``missing``: why a value is None, one line each.
    """

    execution: float | None = None
    review: float | None = None
    final: float | None = None
    execution_at: list[float | None] = field(default_factory=list)
    first: float | None = None
    best: int | None = None
    budget: int | None = None
    submissions: list[SubmissionFact] = field(default_factory=list)
    verdicts: dict[str, int] = field(default_factory=dict)
    package: str = ""
    unsubmitted: bool | None = None
    missing: list[str] = field(default_factory=list)
    unsubmitted_files: list[str] = field(default_factory=list)
    failures: list[FailureMode] = field(default_factory=list)
    size: CodeSize | None = None
    hints: list[HintFact] = field(default_factory=list)

    @property
    def counted(self) -> list[SubmissionFact]:
        """The submissions that the budget counts."""
        return [s for s in self.submissions if s.counted]

    @property
    def first_pass(self) -> SubmissionFact | None:
        """The first counted submission with all points."""
        return next((s for s in self.counted if s.points == 100), None)


class LimitHit(Struct, frozen=True):
    """A limit that a run exceeded; ``limit`` and ``used`` in its unit (seconds, tokens, bytes)."""

    kind: str
    limit: float | None = None
    used: float | None = None


class RunResult(Struct):
    """The result of one cell. Token parts as in the score; ``seconds``: wall clock; ``working``: without
    waiting for the model (of older runs: for its rate limits); ``repeated``: share of the tokens sent that the request
    before had sent already, by the texts, so that it is the same on every server.

    ``limit``: the limit that ended the run; ``limits``: all that it exceeded.
    ``estimated_calls``: model calls whose server sent no usage; ``tokens``, ``metered`` and ``cost`` are estimates for
    them. ``cost``: dollars; None: the price of a call is not known.
    ``error``: why the run crashed or broke (status "error"); a run that broke is listed, but does not count as a result
    of the agent.
    ``project``: the result of the judge, for a project.
    """

    schema: str
    cell: Cell
    status: Status
    started: float
    seconds: float
    working: float | None = None
    scripted: bool = False
    limit: str | None = None
    limits: list[LimitHit] = field(default_factory=list)
    error: str | None = None
    ending: str | None = None
    """What was wrong with the end of a run whose agent stopped by itself, such as a call that was written as text."""
    changed: bool | None = None
    """Whether the work tree at the end is another than at the start; None: not known."""
    tokens: dict[str, int | None] | None = None
    metered: int | None = None
    repeated: float | None = None
    model_calls: int | None = None
    cost: float | None = None
    estimated_calls: int = 0
    rigor_score: float | None = None
    evidence_share: float | None = None
    pillars: dict[str, float | None] = field(default_factory=dict)
    pillar_status: dict[str, str] = field(default_factory=dict)
    outcome: Outcome | None = None
    project: ProjectOutcome | None = None
    manipulation: Manipulation | None = None
    breaches: list[Breach] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
