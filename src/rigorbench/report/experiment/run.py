"""What the page of a run shows besides its session: outcome, problems, and what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from msgspec import Struct

from ...experiment.model import Breach, Cell, Manifest, Outcome, RunResult, Subject
from ...experiment.values import why
from ...metrics.result import ReplaySummary
from ...review.model import Fired, Review
from ...trajectory.journal import JOURNAL, STORE
from ...trajectory.readers.capture.records import Journal
from ..pages import Page
from ..session.view import SessionView
from ..text import experiment as say
from ..text import words
from .flags import check_name
from .journal import (
    COMMANDS_SHOWN,
    TREES_SHOWN,
    CommandView,
    TreeView,
    commands,
    count,
    every_command,
    listed,
    read_journal,
    trees,
)
from .judged import JudgedValues
from .project_run import ProjectView, project_view
from .rows import STATUS

# What a page lists at most.
TESTS_SHOWN = 2_000
_TONES = {"passed": "pass", "failed": "fail", "error": "fail", "skipped": "muted"}
_NOT_LISTED = "Without a requirement"


class TestView(Struct):
    """A hidden test, by name, and its outcome."""

    __test__ = False

    name: str
    outcome: str
    tone: str


class RequirementView(Struct):
    """Hidden tests under the requirement they check. ``verdict``: "met", "not met", "" unknown."""

    id: str
    text: str
    verdict: str
    tone: str
    tests: list[TestView]


class BreachView(Struct):
    """A breach. ``lines``: lines of the journal that show it, with their anchors in the page."""

    kind: str
    what: str
    lines: list[tuple[int, str | None]]


class Trouble(Struct):
    """A limit, gap or other problem of the run. ``line``: of the journal, empty where none shows it."""

    kind: str
    text: str
    line: str


class HarnessView(Struct):
    """Whether the agent loaded the harness; ``how``: how that is known."""

    text: str
    tone: str
    how: str


class RunView(Struct):
    """What the page of a run shows besides the session.

    Attributes:
        model: the model or scripted policy, as the page calls it.
        verdict: how the run ended, in a sentence.
        error: why the run broke; None if it did not.
        outcome_text: why there is no outcome, or what limits it.
        figures: name and value of each figure of the outcome.
        project: None when the judge decided nothing.
        requirements: the hidden tests by requirement; those of none are last.
        harness: None without a manipulation check.
        flags: name and message of each flag of the review.
        notes: remarks of the engine.
        commands_more: how many commands are only in the journal; ``trees_more``: how many states.
        nested: programs that were started inside commands; ``engine``: programs that the engine started.
        places: tree -> the first journal line with it that the page shows.
        journal: its path below the experiment.
        problems: what of the run's directory cannot be read.
    """

    cell: Cell
    model: str
    verdict: str
    facts: list[tuple[str, str]]
    scripted: bool
    error: str | None
    troubles: list[Trouble]
    outcome: Outcome | None
    outcome_text: str
    figures: list[tuple[str, str]]
    project: ProjectView | None
    requirements: list[RequirementView]
    harness: HarnessView | None
    breaches: list[BreachView]
    flags: list[tuple[str, str]]
    notes: list[str]
    commands: list[CommandView]
    commands_more: int
    nested: int
    engine: int
    trees: list[TreeView]
    trees_more: int
    places: dict[str, int]
    replay: ReplaySummary | None
    journal: str
    problems: list[str]


class RunPage(Page):
    """The page of a run: its session, and what surrounds it.

    Attributes:
        session: None when the session cannot be shown.
        values: those that were judged; None without a score.
        unreadable: what of the run's directory cannot be read.
    """

    template = "run.html.j2"
    scripts: ClassVar[tuple[str, ...]] = ("session.js", "common.js", "scrolls.js")
    styles = ("session.css", "run.css")

    run: RunView
    session: SessionView | None
    values: JudgedValues | None
    index_href: str
    task_href: str
    unreadable: list[str]


class BareRunPage(RunPage):
    """The page of a run whose session cannot be shown: it has no log to filter."""

    scripts = ("common.js", "scrolls.js")


def run_view(
    manifest: Manifest, result: RunResult, directory: Path, replay: ReplaySummary | None, review: Review | None
) -> RunView:
    """The view of one run. What cannot be read of its directory is listed in ``problems``, never raised."""
    problems: list[str] = []
    journal = read_journal(directory, problems)
    anchors = {} if journal is None else {c.line: f"c{c.line}" for c in listed(journal)}
    scripted = result.scripted or result.cell.model in manifest.scripted
    outcome = result.outcome
    flags = [c for c in review.checks if c.severity == "flag"] if review is not None else []
    return RunView(
        result.cell,
        say.model_name(result.cell.model, scripted),
        _verdict(result, flags),
        _facts(result, scripted),
        scripted,
        result.error if result.status in ("crashed", "error") else None,
        _troubles(result, journal),
        outcome,
        _outcome_text(result),
        [] if outcome is None else _figures(outcome),
        None if result.project is None else project_view(result.project, result.model_calls),
        [] if outcome is None else _requirements(outcome, manifest.tasks.get(result.cell.task)),
        _harness(result),
        [_breach(b, anchors) for b in result.breaches],
        [(check_name(c.id), c.message) for c in flags],
        result.notes,
        [] if journal is None else commands(journal),
        0 if journal is None else max(0, len(every_command(journal)) - COMMANDS_SHOWN),
        count(journal, "nested"),
        count(journal, "engine"),
        [] if journal is None else trees(journal, replay, directory / STORE),
        0 if journal is None else max(0, len(journal.trees) - TREES_SHOWN),
        {} if journal is None else {tree.tree: line for line, tree in reversed(journal.trees[:TREES_SHOWN])},
        replay,
        f"runs/{result.cell.id}/{JOURNAL}",
        problems,
    )


def _verdict(result: RunResult, flags: Sequence[Fired]) -> str:
    """What came of the run, how the work was rated, and what speaks against it."""
    if result.status == "error":
        return "The run broke: nothing here says anything about the agent."
    outcome = result.outcome
    parts = []
    if outcome is not None and outcome.pass_rate is not None:
        passed = sum(t.outcome == "passed" for t in outcome.tests)
        of = f"{words.count(passed)} of {words.plural(len(outcome.tests), 'hidden test')} passed"
        parts.append(of if outcome.tests else f"{words.percent(outcome.pass_rate)} of the hidden tests passed")
    if outcome is not None and outcome.solved is not None:
        parts.append("solved" if outcome.solved else "not solved")
    if result.rigor_score is not None:
        parts.append(f"RigorScore {result.rigor_score:.2f}")
    text = "; ".join(parts) if parts else "No outcome and no RigorScore"
    seen = [say.BREACHES.get(b.kind, b.kind) for b in result.breaches] + [check_name(c.id) for c in flags]
    against = f" Against it: {say.listing(list(dict.fromkeys(seen)))}." if seen else ""
    return f"{text[:1].upper()}{text[1:]}.{against}"


def _facts(result: RunResult, scripted: bool) -> list[tuple[str, str]]:
    tokens = result.tokens or {}
    parts = [f"{words.tokens(tokens[k])} {k.replace('_', ' ')}" for k in tokens if tokens[k] is not None]
    facts = [
        ("Status", STATUS[result.status]),
        ("Limit", result.limit or ""),
        ("Started", words.moment(result.started)),
        ("Lasted", words.duration(result.seconds)),
        ("Without the model", _without_model(result)),
        ("Turns" if scripted else "Model calls", "" if result.model_calls is None else words.count(result.model_calls)),
        ("Tokens counted", _counted(result)),
        ("Tokens", ", ".join(parts)),
        ("Cost", "" if result.cost is None else f"${result.cost:.2f}"),
        ("Recorded in", f"runs/{result.cell.id}"),
    ]
    return [(name, value) for name, value in facts if value]


def _without_model(result: RunResult) -> str:
    if result.working is None or not result.seconds:
        return ""
    waited = max(0.0, 1 - result.working / result.seconds)
    return f"{words.duration(result.working)}; {waited:.0%} of the time was waiting for the model"


def _counted(result: RunResult) -> str:
    if result.metered is None:
        return ""
    again = "" if result.repeated is None else f", {result.repeated:.0%} of those sent had been sent before"
    return words.count(result.metered) + again


def _outcome_text(result: RunResult) -> str:
    outcome = result.outcome
    if outcome is None:
        broke = result.status == "error"
        return "The run broke: no outcome was measured." if broke else "No outcome was measured."
    if outcome.pass_rate is None and outcome.tests and not outcome.reason:
        return "The task is impossible: no work can pass its hidden tests, so it has no outcome; AQ grades the answer."
    if outcome.pass_rate is None:
        return f"No pass rate: {outcome.reason or 'no reason was given'}."
    return outcome.reason or ""


def _figures(outcome: Outcome) -> list[tuple[str, str]]:
    passed = sum(t.outcome == "passed" for t in outcome.tests)
    rate = "" if outcome.pass_rate is None else f"{outcome.pass_rate:.2f}"
    if rate and outcome.tests:
        rate += f" ({words.count(passed)} of {words.count(len(outcome.tests))})"
    met = sum(v is True for v in outcome.requirements.values())
    complete = "" if outcome.completeness is None else f"{outcome.completeness:.2f}"
    if complete and outcome.requirements:
        complete += f" ({words.count(met)} of {words.count(len(outcome.requirements))})"
    broken = "" if outcome.regressions is None else words.count(len(outcome.regressions))
    solved = "" if outcome.solved is None else "yes" if outcome.solved else "no"

    def share(value: float | None) -> str:
        return say.NO_VALUE if value is None else f"{value:.2f}"

    return [
        ("Outcome score", share(outcome.score)),
        ("Fail-to-pass tests passed", share(outcome.fail_to_pass)),
        ("Passing tests kept", share(outcome.kept)),
        ("Hidden tests passed", rate or say.NO_VALUE),
        ("Requirements met", complete or say.NO_VALUE),
        ("Visible tests broken", broken or say.NO_VALUE),
        ("Solved", solved or say.NO_VALUE),
    ]


def _requirements(outcome: Outcome, task: Subject | None) -> list[RequirementView]:
    """The hidden tests under the requirements that they check, as far as the manifest says; the others at the end."""
    facts = {} if task is None else task.facts
    texts, owners = facts.get("requirements"), facts.get("requirement_tests")
    tests = [TestView(t.id, t.outcome, _TONES.get(t.outcome, "")) for t in outcome.tests[:TESTS_SHOWN]]
    left = {t.name: t for t in tests}
    found: list[RequirementView] = []
    for name, met in outcome.requirements.items():
        owned = owners.get(name) if isinstance(owners, dict) else None
        owned = owned if isinstance(owned, list) else []
        mine = [left.pop(t) for t in list(left) if t in owned or t.partition("[")[0] in owned]
        text = texts.get(name, "") if isinstance(texts, dict) else ""
        verdict, tone = ("", "muted") if met is None else ("met", "pass") if met else ("not met", "fail")
        found.append(RequirementView(name, text if isinstance(text, str) else "", verdict, tone, mine))
    if left:
        found.append(RequirementView("", _NOT_LISTED if isinstance(owners, dict) else "", "", "", list(left.values())))
    return found


def _harness(result: RunResult) -> HarnessView | None:
    """The result of the manipulation check."""
    check = result.manipulation
    if check is None:
        return None
    how = "; ".join([*([check.reason] if check.reason else []), *check.evidence])
    if check.loaded is None:
        return HarnessView("" if how else "it is unknown whether the agent loaded it", "muted", how)
    if check.loaded:
        return HarnessView("the agent loaded it", "pass", how)
    return HarnessView("the agent did not load it", "fail", how)


def _troubles(result: RunResult, journal: Journal | None) -> list[Trouble]:
    """Limits and gaps, from the journal where it can be read."""
    found: list[Trouble] = []
    if journal is not None:
        for line, limit in journal.limits:
            known = limit.limit is not None and limit.used is not None
            size = f": {limit.used:g} of {limit.limit:g}" if known else ""
            found.append(Trouble("limit", f"{limit.kind}{size}", str(line)))
        found += [Trouble("looked for tests", f"{d.path} ({d.access})", str(line)) for line, d in journal.decoys]
        found += [Trouble("gap", f"{gap.what}: {gap.reason}", str(line)) for line, gap in journal.gaps]
    if result.status == "limit" and not any(t.kind == "limit" for t in found):
        found.insert(0, Trouble("limit", result.limit or "which one is not recorded", ""))
    recorded = {t.text for t in found if t.kind == "gap"}
    found += [Trouble("gap", gap, "") for gap in result.gaps if gap not in recorded]
    check = result.manipulation
    if check is not None and check.loaded is False:
        found.append(Trouble("harness not loaded", check.reason or "the agent did not load it", ""))
    if result.rigor_score is None and result.status != "error":
        found.append(Trouble("not scored", f"no RigorScore: {why(result, 'rigor_score')}", ""))
    return found


def _breach(breach: Breach, anchors: dict[int, str]) -> BreachView:
    return BreachView(
        say.BREACHES.get(breach.kind, breach.kind),
        breach.what,
        [(line, anchors.get(line)) for line in breach.where[:50]],
    )
