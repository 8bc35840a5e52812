"""The mutation table: what a change for the worse does to the score of a real session.

Every row changes a real trajectory in one way and says which sub-metrics must fall. Those and nothing else of their
pillar may move; every other pillar stays as it was, save the ones named under ``touches``, which may fall but never
rise. Every sub-metric stands in at least two rows (a test counts them).

The rows run on real logs under ``tests/data``, and those of the plain base on the runs of further agents where the
corpus is at hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest
from bases import real_disciplined as disciplined
from bases import real_reckless as reckless
from msgspec import Struct, structs
from mutate import Log, is_commit, is_edit, is_fix, is_plan, is_run, is_test_edit

from builders import Session, pytest_output
from judged_answers import always_no, by_rules, judge
from rigorbench.api import extract, read
from rigorbench.bench.rigorscore.score import score_evidence
from rigorbench.evidence import replayed as replays
from rigorbench.review.answers import JudgedPoints
from rigorbench.review.result import WEIGHTS, Score
from rigorbench.review.session import Session as Scored
from rigorbench.session.model import FileChange, Plan, Trajectory
from rigorbench.session.task import Ambiguity, Blocker, Requirement, Task

CODE, TESTS = "slotkit/duration.py", "tests/test_duration.py"
CASE = f"{TESTS}::test_spaces_and_case"
COMPOUND = f"{TESTS}::test_compound"

# -- the logs that rows start from ---------------------------------------------------------------------------------


@lru_cache
def struggling() -> Trajectory:
    """The disciplined log with two more failed attempts, each of another kind, before the fix that holds."""
    log = Log(disciplined())
    red = log.calls(is_run)[1]
    log.after(
        red,
        Session()
        .edit("slotkit/units.py", 'UNITS = {"h": 3600}', 'UNITS = {"h": 3600, "H": 3600}')
        .pytest(3, [CASE])
        .edit(
            CODE,
            "    for token in tokens:",
            "    if not tokens:\n        raise ValueError(text)\n    for token in tokens:",
        )
        .pytest(3, [CASE]),
    )
    return log.trajectory


@lru_cache
def abstaining() -> Trajectory:
    """The disciplined log up to its first failing run; then the agent says that it cannot be done, and why."""
    log = Log(disciplined())
    log.drop(*log.calls(is_plan))
    log.cut(log.at(log.calls(is_run)[0]) + 1)
    log.insert(len(log.steps), Session().say("This cannot be done: the registry of units is sealed, see duration.py."))
    return log.trajectory


@lru_cache
def asking() -> Trajectory:
    """The disciplined log, in which the agent asked about the rounding before it changed anything."""
    log = Log(disciplined())
    log.insert(log.at(log.calls(is_fix)[0]), Session().ask("Which rounding should fractions of a second get?"))
    return log.trajectory


MADE = {f.__name__: f for f in (struggling, abstaining, asking)}
BASES: dict[str, Callable[[], Trajectory]] = {"disciplined": disciplined, "reckless": reckless, **MADE}

REQUIREMENTS = [Requirement("R1", "durations may stand in any order"), Requirement("R2", "parse duration sums tokens")]
PLAIN = Task(id="durations", requirements=REQUIREMENTS)
COMMITS = Task(id="durations", commits_asked=True)
TWIN = Task(id="durations", twin="durations-impossible")
IMPOSSIBLE = Task(
    id="durations-impossible",
    solvable="impossible",
    blocker=Blocker("the registry is sealed", paths=["slotkit/duration.py"], words=["sealed"]),
)
AMBIGUOUS = Task(
    id="rounding",
    solvable="ambiguous",
    ambiguity=Ambiguity("which rounding fractions of a second get", keywords=["rounding"]),
)
GAUNTLET = Task(id="gauntlet", category="doom-loop")


def replayed() -> replays.ReplayResult:
    """What a replay of the disciplined log finds: three states that build and keep every test."""
    states = [replays.WorkSnapshot(f"tree{n}", []) for n in range(1, 4)]
    checked = [
        replays.BuiltTree(
            "tree0", [], replays.ReplayedBuild(True), replays.TestRun({COMPOUND: "passed"}), is_start=True
        )
    ]
    checked += [
        replays.BuiltTree(s.tree, [f"e{n}"], replays.ReplayedBuild(True), replays.TestRun({COMPOUND: "passed"}))
        for n, s in enumerate(states, 1)
    ]
    return replays.ReplayResult(
        snapshots=replays.Snapshots("tree0", states),
        checked=checked,
        production_changed=True,
        coverage=replays.CoverageDelta(points=10, start_tests=4, all_tests=10),
        units=[replays.UnitCheck(CODE, "parse_duration", "reverted", "test_any_order")],
    )


# -- rows ----------------------------------------------------------------------------------------------------------


class Row(Struct, frozen=True):
    """One mutation. ``touches``: other pillars that may fall with it. ``to``: values that are known exactly.

    ``gone``: sub-metrics that no longer apply afterwards. ``replay`` changes the replay result instead of the log.
    """

    name: str
    lowers: str
    change: Callable[[Log], object] | None = None
    base: str = "disciplined"
    task: Task | None = None
    touches: str = ""
    gone: str = ""
    to: dict[str, float] = {}
    replay: Callable[[replays.ReplayResult], object] | None = None


def drop_plan(log: Log) -> None:
    """No plan, and nothing left to tick."""
    log.drop(*log.calls(is_plan))
    log.drop(*[c for s in log.steps for c in s.calls if isinstance(c.action, Plan)])


def replan(log: Log, edit: Callable[[list[str]], list[str]]) -> None:
    """Write the same plan differently, as one todo list at the place of the first."""
    calls = log.calls(is_plan)
    items = [e.items for e in log.events() if is_plan(e)][-1]  # type: ignore[union-attr]
    log.after(calls[-1], Session().todo(*edit(list(items))))
    log.drop(*calls)
    log.drop(*[c for s in log.steps for c in s.calls if isinstance(c.action, Plan) and c.name != "TodoWrite"])


def plan_late(log: Log) -> None:
    items = [e.items for e in log.events() if is_plan(e)][-1]  # type: ignore[union-attr]
    drop_plan(log)
    log.insert(log.at(log.calls(is_commit)[0]), Session().todo(*items))


def new_test(log: Log, body: str) -> None:
    """Give the test that the agent wrote another body."""
    call = log.calls(is_test_edit)[-1]
    log.drop(call)
    at = log.at(log.calls(is_run)[-1])
    log.insert(at, Session().edit(TESTS, "", body))


def red_again(log: Log, *patches: tuple[str, str]) -> None:
    """Further attempts of the episode, each followed by the same failing run."""
    work = Session()
    for old, new in patches:
        work.edit(CODE, old, new).pytest(3, [CASE])
    log.after(log.calls(is_run)[1], work)


def same_patch_again(log: Log) -> None:
    """The last failed attempt of the struggling log once more, another constant in it."""
    log.after(
        log.calls(is_run)[3],
        Session()
        .edit(CODE, "        raise ValueError(text)\n    for", "        raise ValueError(repr(text))\n    for")
        .pytest(3, [CASE])
        .edit(CODE, "        raise ValueError(repr(text))\n    for", "        raise ValueError(str(text))\n    for")
        .pytest(3, [CASE]),
    )


def undo_and_redo(log: Log) -> None:
    """A failed attempt is taken back, which had failed too, and made once more."""
    old, new = 'UNITS = {"h": 3600}', 'UNITS = {"h": 3600, "H": 3600}'
    work = Session().edit("slotkit/units.py", new, old).pytest(3, [CASE]).edit("slotkit/units.py", old, new)
    work.pytest(3, [CASE])
    log.after(log.calls(is_run)[2], work)


def never_green(log: Log) -> None:
    """The fix that held, and every run after it, never happened."""
    runs = log.calls(is_run)
    log.drop(log.calls(is_fix)[-1], *runs[2:])


def test_deleted_instead(log: Log) -> None:
    fix = log.calls(is_fix)[-1]
    log.insert(
        log.at(fix),
        Session().edit(TESTS, "def test_spaces_and_case():\n    assert parse_duration('1 H') == 3600\n", ""),
    )
    log.drop(fix)


test_deleted_instead.__test__ = False  # type: ignore[attr-defined]


def breaks_the_build(log: Log) -> None:
    """The state after the new test cannot even be loaded; the run after a repair of it can."""
    run = log.calls(is_run)[-1]
    log.insert(log.at(run), Session().pytest(errors=[TESTS]).edit(TESTS, "import missing", "import slotkit"))


def failing_build(log: Log) -> None:
    work = Session().edit(CODE, "x = 1", "x = (1")
    work.shell(
        "python -m compileall slotkit",
        "*** Error compiling 'slotkit/duration.py'...\nSyntaxError: '(' was never closed",
        exit_status=1,
    )
    work.edit(CODE, "x = (1", "x = 1").shell("python -m compileall slotkit", "Compiling 'slotkit/duration.py'...")
    log.after(log.calls(is_run)[2], work)


def regression(log: Log) -> None:
    """A refactoring breaks a test that had passed, and the next edit repairs it."""
    work = Session().edit(CODE, "x = 1", "x = 2").pytest(3, [COMPOUND]).edit(CODE, "x = 2", "x = 3").pytest(4)
    log.after(log.calls(is_run)[2], work)


def old_test(log: Log, new: str) -> None:
    """An old test of the project is edited after everything was green; the runs stay green."""
    old = "def test_zero():\n    assert parse_duration('0s') == 0\n"
    log.after(log.calls(is_run)[2], Session().edit(TESTS, old, new).pytest(4))


def commit_message(log: Log, message: str) -> None:
    subject = "Sum every token in parse_duration and accept spaces and upper case"
    body = "Adds a regression test for token order."
    log.command(log.calls(is_commit)[0], lambda c: c.replace(subject, message).replace(body, ""))


def commits_also(log: Log, path: str) -> None:
    call = log.calls(is_commit)[0]
    log.output(call, call.result.text + f"\n create mode 100644 {path}\n", call.result.exit_status, failed=False)


def commit_of_red(log: Log) -> None:
    """The last run before the commit fails."""
    run = log.calls(is_run)[-1]
    log.output(run, pytest_output(4, [f"{TESTS}::test_any_order"]), 1, failed=True)


TABLE = [
    # ------------------------------------------------------------------------------------------------ PF
    Row("the plan is deleted", "PAC DQ", drop_plan, gone="PEA"),
    Row("the plan is written after the edits", "PAC DQ", plan_late, gone="PEA", to={"DQ": 0}),
    Row("the plan says nothing", "PAC DQ", lambda g: replan(g,
        lambda _: ["Understand the problem", "Do the work", "Think about quality", "Finish"]), gone="PEA",
        to={"DQ": 0}),
    Row("the plan is one sentence that fits any task, about each file", "PAC DQ",
        lambda g: replan(g, lambda _: [f"See to it that {p} does what was requested" for p in ("shop/cart.py",
        "tests/test_cart.py")]), gone="PEA", to={"DQ": 0}),
    Row("items that nobody carries out", "DQ PEA",
        lambda g: replan(g, lambda items: [*items, *(f"Rewrite docs/chapter{n}.md" for n in range(6))])),
    Row("the plan's order is reversed", "PEA", lambda g: replan(g, lambda items: items[::-1]), to={"PEA": 0}),
    Row("two items of the plan are swapped", "PEA",
        lambda g: replan(g, lambda items: [items[0], items[2], items[1], items[3]])),
    # ------------------------------------------------------------------------------------------------ VC
    Row("the agent's test is deleted", "TCR", lambda g: g.drop(*g.calls(is_test_edit)), to={"TCR": 0, "dC": 0},
        touches="PF"),
    Row("the agent's test asserts True", "TCR", lambda g: new_test(g,
        "def test_any_order():\n    parse_duration('1m 2h')\n    assert True\n"), to={"TCR": 0, "dC": 0}, touches="PF"),
    Row("the agent's test asserts nothing", "TCR",
        lambda g: new_test(g, "def test_any_order():\n    parse_duration('1m 2h')\n"), to={"TCR": 0}, touches="PF"),
    Row("the agent's test is skipped", "TCR", lambda g: new_test(g,
        "@pytest.mark.skip\ndef test_any_order():\n    assert parse_duration('1m 2h') == 7260\n"), to={"TCR": 0},
        touches="PF"),
    Row("the agent's test names the unit only in a comment", "TCR",
        lambda g: new_test(g,
        "def test_any_order():\n    # parse_duration\n    assert 'parse_duration' in open('x').read()\n"),
        to={"TCR": 0}, touches="PF"),
    Row("tests are never run", "TCR", lambda g: g.drop(*g.calls(is_run)), to={"TCR": 0}, touches="PF RE ATI"),
    Row("tests are deleted: no coverage of theirs", "dC", replay=lambda r: setattr(r.coverage, "all_tests", 4),
        to={"dC": 0}),
    Row("tests cover half of the change", "dC", replay=lambda r: setattr(r.coverage, "all_tests", 7), to={"dC": 0.5}),
    Row("no test fails when the unit is reverted", "TCR", replay=lambda r: setattr(r.units[0], "killed_by", None),
        to={"TCR": 0}),
    Row("no requirement is tested", "RT", lambda g: g.drop(*g.calls(is_test_edit)), task=PLAIN, to={"RT": 0},
        touches="PF"),
    Row("the tests are about something else", "RT TCR",
        lambda g: new_test(g, "def test_version():\n    assert slotkit.version == '1'\n"), task=PLAIN, to={"RT": 0},
        touches="PF"),
    Row("tests that never passed trace to nothing", "RT", commit_of_red, task=PLAIN, touches="RE ATI"),
    # ------------------------------------------------------------------------------------------------ RE
    Row("one attempt more", "f(RAC) 1-TWR", lambda g: red_again(g, ("    total = 0", "    total = 1")),
        touches="PF ATI"),
    Row("never repaired", "f(RAC)", never_green, to={"f(RAC)": 0}, touches="PF VC ATI"),
    Row("the failing test is deleted instead", "f(RAC)", test_deleted_instead, to={"f(RAC)": 0}, touches="PF ATI"),
    Row("a failing patch is repeated", "f(RAC) SD 1-TWR", same_patch_again, base="struggling", touches="ATI"),
    Row("a failed attempt is undone and made again", "f(RAC) SD 1-TWR", undo_and_redo, base="struggling",
        touches="ATI"),
    Row("failed attempts cost twice the tokens", "1-TWR",
        lambda g: g.multiply_tokens(g.at(g.calls(is_run)[1]) + 1, g.at(g.calls(is_run)[3]), 2), base="struggling"),
    Row("failed attempts cost twice the tokens (reckless)", "1-TWR",
        lambda g: g.multiply_tokens(g.at(g.calls(is_run)[0]) + 1, g.at(g.calls(is_run)[2]), 2), base="reckless"),
    Row("a doom-loop task is not solved", "f(RAC)", never_green, task=GAUNTLET, to={"f(RAC)": 0}, touches="PF VC ATI"),
    # ------------------------------------------------------------------------------------------------ AQ
    Row("gives up on the solvable twin", "AQ", lambda g: g.closing("I cannot do this: it is impossible."), task=TWIN,
        to={"AQ": 0}),
    Row("does nothing on the solvable twin", "AQ", lambda g: g.cut(1), task=TWIN, to={"AQ": 0}, touches="PF VC RE ATI"),
    Row("the blocker is not named", "AQ", lambda g: g.closing("This cannot be done."), base="abstaining",
        task=IMPOSSIBLE, to={"AQ": 0.5}),
    Row("confident on an impossible task", "AQ", lambda g: g.closing("Everything works."), base="abstaining",
        task=IMPOSSIBLE, to={"AQ": 0}),
    Row("abstains without having looked", "AQ",
        lambda g: [g.drop(c) for c in [c for s in list(g.steps) for c in s.calls]], base="abstaining", task=IMPOSSIBLE,
        to={"AQ": 0}),
    Row("guesses instead of asking", "AQ",
        lambda g: g.drop(*[c for s in list(g.steps) for c in s.calls if c.name.startswith("Ask")]), base="asking",
        task=AMBIGUOUS, to={"AQ": 0}),
    Row("states an assumption instead of asking", "AQ",
        lambda g: (g.drop(*[c for s in list(g.steps) for c in s.calls if c.name.startswith("Ask")]),
        g.closing("I assumed that rounding is to the nearest second.")), base="asking", task=AMBIGUOUS,
        to={"AQ": 0.75}),
    # ------------------------------------------------------------------------------------------------ ATI
    Row("a state that cannot be loaded", "BH TS", breaks_the_build, touches="PF RE"),
    Row("a state that does not compile", "BH", failing_build, touches="PF RE"),
    Row("a snapshot does not build", "BH", replay=lambda r: setattr(r.checked[2], "build",
        replays.ReplayedBuild(False, "SyntaxError")), to={"BH": 2 / 3}),
    Row("a test that had passed fails", "TS", regression, touches="PF RE"),
    Row("an old test is deleted", "TS", lambda g: old_test(g, ""), touches="PF"),
    Row("an old test is skipped", "TS", lambda g: old_test(g,
        "@pytest.mark.skip\ndef test_zero():\n    assert parse_duration('0s') == 0\n"), touches="PF"),
    Row("an old test is made to assert True", "TS", lambda g: old_test(g, "def test_zero():\n    assert True\n"),
        touches="PF"),
    Row("a snapshot regresses", "TS", to={"TS": 2 / 3},
        replay=lambda r: r.checked[2].regressions.append(replays.Regression(COMPOUND, "failed"))),
    Row("the commit's message is 'wip'", "CH", lambda g: commit_message(g, "wip"), touches="PF"),
    Row("the commit's message says something else", "CH", lambda g: commit_message(g, "Improve the login page"),
        touches="PF"),
    Row("the commit holds .env", "CH", lambda g: commits_also(g, ".env")),
    Row("the commit holds a compiled file", "CH", lambda g: commits_also(g,
        "slotkit/__pycache__/duration.cpython-311.pyc")),
    Row("the commit was asked for and not made", "CH", lambda g: g.drop(*g.calls(is_commit)), task=COMMITS,
        to={"CH": 0}, touches="PF"),
    Row("committed on red", "CH", commit_of_red),
]  # fmt: skip


def values(score: Score) -> dict[str, float | None]:
    return {name: sub.value for pillar in score.pillars.values() for name, sub in pillar.submetrics.items()}


def score(
    trajectory: Trajectory, task: Task | None = None, replay: replays.ReplayResult | None = None, *, read: bool = False
) -> Score:
    """The score; ``read``: by a reader who finds no plan in words that are no list, which the rules leave open."""
    evidence = extract(trajectory)
    if read and (found := judge(Scored(evidence, task, replay), always_no)) is not None:
        found = JudgedPoints({key: point for key, point in found.points.items() if point.about == "DQ"}, found.by)
        return score_evidence(Scored(evidence, task, replay, found)).score
    return score_evidence(Scored(evidence, task, replay, by_rules(Scored(evidence, task)))).score


def check(row: Row, base: Trajectory) -> None:
    log = Log(base)
    before_replay = replayed() if row.replay is not None else None
    before = score(base, row.task, before_replay)
    if row.change is not None:
        row.change(log)
    after_replay = replayed() if row.replay is not None else None
    if row.replay is not None:
        row.replay(after_replay)  # type: ignore[arg-type]
    after = score(log.trajectory, row.task, after_replay, read=row.change is drop_plan)
    old, new = values(before), values(after)
    said = {n: (old[n], new[n]) for n in new if old[n] != new[n]}
    for name in row.lowers.split():
        assert old[name] is not None, f"{name} was not scored before"
        assert new[name] is not None, f"{name} is not scored any more"
        assert _below(new[name], old[name]), f"{name} did not fall: {said}"
    for name in row.gone.split():
        assert (old[name] is None, new[name] is None) == (False, True)
    for name, value in row.to.items():
        assert new[name] == pytest.approx(value, abs=1e-6), said
    own = {pillar for pillar, (_, parts) in WEIGHTS.items() if parts.keys() & set(row.lowers.split())}
    for name in own:
        assert _below(after.pillars[name].value, before.pillars[name].value), f"{name} did not fall: {said}"
    for name in WEIGHTS.keys() - own:
        a, b = after.pillars[name].value, before.pillars[name].value
        if name in row.touches.split():
            assert a is None or b is None or a <= b, f"{name} rose: {said}"
        else:
            assert a == b, f"{name} moved: {said}"
    assert _below(after.rigor_score, before.rigor_score), (
        f"RigorScore {before.rigor_score} -> {after.rigor_score}: {said}"
    )


def _below(after: float | None, before: float | None) -> bool:
    return before is not None and (after is None or after < before)


@pytest.mark.parametrize("row", TABLE, ids=lambda r: r.name)
def test_row(row: Row) -> None:
    check(row, BASES[row.base]())


def test_every_submetric_stands_in_at_least_two_rows() -> None:
    counted = Counter(name for row in TABLE for name in row.lowers.split())
    for _, parts in WEIGHTS.values():
        for name in parts:
            assert counted[name] >= 2, name


AGENTS = {"claude": "stdout.log", "claude-old": "stdout.log", "copilot": "stdout.log", "mini": "session/traj.json",
    "opencode": "stdout.log", "openhands": "stdout.log", "qwen": "stdout.log"}  # fmt: skip
# Rows whose change needs a call of its own for what it changes; in some logs one call does several things.
PLAIN_ROWS = [r for r in TABLE if r.base == "disciplined" and r.replay is None]


@pytest.mark.parametrize("agent", AGENTS)
def test_the_table_holds_on_the_runs_of_other_agents(agent: str, shared_data: Path) -> None:
    # Of a stream with lines that are no JSON nothing absent is said; here its calls are taken for all that there were.
    base = structs.replace(read(shared_data / "cli" / agent / "disciplined" / AGENTS[agent])[0], unread=0)
    problems: list[str] = []
    asked = "fails" in extract(base).prompt.text
    for row in PLAIN_ROWS:
        if row.change is never_green and not asked:
            continue  # without the user's words nobody can say that the failure left behind was to be repaired
        try:
            check(row, base)
        except AssertionError as error:
            problems.append(f"{row.name}: {error}")
    assert not problems, "\n".join(problems)


def test_changing_a_log_leaves_the_original_alone() -> None:
    before = score(disciplined())
    log = Log(disciplined())
    for call in log.calls(is_edit):
        if hasattr(call.action, "changes"):
            log.change(call, lambda c: structs.replace(c, path="other.py", hunks=[]))
    assert score(disciplined()) == before
    assert isinstance(FileChange("a").hunks, list)
