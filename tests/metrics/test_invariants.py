"""The invariants of docs/scoring.md: evidence or nothing, weights and shares, determinism, claims are no evidence."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from bases import BASES, CART, CODES, DATA, TASKS, TESTS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutate import Log

from builders import Session
from rigorbench.api import extract, read
from rigorbench.bench.rigorscore.combining import combine
from rigorbench.bench.rigorscore.score import score_evidence, score_session
from rigorbench.evidence.replayed import BuiltTree, ReplayedBuild, ReplayResult, Snapshots, WorkSnapshot
from rigorbench.review.result import WEIGHTS, Score, SubMetric
from rigorbench.review.session import Session as Scored
from rigorbench.session import model
from rigorbench.session.usage import TokenUsage

REAL = ["claude-code/e18b5815c7-full.jsonl", "codex/exec-0.169.jsonl", "copilot/events-1.0.102.jsonl",
    "gemini/7b90ef441a-full.jsonl", "mini-swe-agent/0893806343-github_issue.traj.json",
    "swe-agent/3ea00c48a6-6e44b9__sweagenttestrepo-1c2844.traj", "trae/3c424f85cd-trajectory.json"]  # fmt: skip


@cache
def trajectories() -> dict[str, model.Trajectory]:
    found = {name: make() for name, make in BASES.items()}
    found |= {name: read(DATA / name)[0] for name in REAL}
    return found


def check_score(score: Score, event_ids: set[str]) -> None:
    """Everything that must hold of any score."""
    for name, pillar in score.pillars.items():
        weight, parts = WEIGHTS[name]
        assert pillar.weight == weight
        assert set(pillar.submetrics) == set(parts)
        assert (pillar.value is None) == (pillar.status != "scored")
        for sub in pillar.submetrics.values():
            check_submetric(sub, event_ids)
    for sub in score.extended.values():
        check_submetric(sub, event_ids)
    if score.rigor_score is not None:
        assert 0 <= score.rigor_score <= 1


def check_submetric(sub: SubMetric, event_ids: set[str]) -> None:
    assert sub.reason
    assert len(sub.reason) < 600
    assert "\n" not in sub.reason
    assert set(sub.evidence) <= event_ids
    assert len(sub.evidence) == len(set(sub.evidence))
    assert sub.n >= 0
    if sub.status == "scored":
        assert 0 <= sub.value <= 1
        assert sub.method in ("replayed", "parsed", "judged", "estimated")
        # A value rests on events; only a zero may rest on their absence.
        assert sub.evidence or sub.value == 0
    else:
        assert sub.value is None
        assert sub.method is None


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", [*BASES, *REAL])
def test_every_score_keeps_the_rules(name: str, task: str) -> None:
    report = score_session(trajectories()[name], task=TASKS[task])
    check_score(report.score, {e.id for e in report.events})
    for finding in report.findings:
        assert finding.cost > 0
        assert finding.event is None or finding.event in {e.id for e in report.events}


def test_weights_sum_to_one() -> None:
    assert sum(w for w, _ in WEIGHTS.values()) == pytest.approx(1)
    for _, parts in WEIGHTS.values():
        assert sum(parts.values()) == pytest.approx(1)


def test_combine_renormalises_over_what_applies() -> None:
    parts = {"a": ("scored", 1.0, 0.3), "b": ("scored", 0.0, 0.3), "c": ("not_applicable", None, 0.4)}
    assert combine(parts) == (0.5, 1.0)


def test_combine_shows_the_share_of_what_could_be_scored() -> None:
    parts = {"a": ("scored", 1.0, 0.6), "b": ("unscorable", None, 0.2), "c": ("not_applicable", None, 0.2)}
    assert combine(parts) == (1.0, 0.75)


def test_under_half_the_evidence_there_is_no_value() -> None:
    parts: dict[str, tuple[str, float | None, float]] = {"a": ("scored", 1.0, 0.4), "b": ("unscorable", None, 0.6)}
    assert combine(parts) == (None, 0.4)
    parts["a"] = ("scored", 1.0, 0.6)
    assert combine(parts) == (1.0, 0.5)


def test_nothing_applicable_is_no_score() -> None:
    assert combine({"a": ("not_applicable", None, 1.0)}) == (None, None)
    assert combine({}) == (None, None)


@given(
    st.dictionaries(
        st.sampled_from("abcdef"),
        st.tuples(st.sampled_from(["scored", "unscorable", "not_applicable"]), st.floats(0, 1), st.floats(0.01, 1)),
    )
)
def test_combined_values_lie_between_their_parts(parts: dict[str, tuple[str, float, float]]) -> None:
    known = {k: (s, v if s == "scored" else None, w) for k, (s, v, w) in parts.items()}
    value, share = combine(known)
    scored = [v for s, v, _ in known.values() if s == "scored" and v is not None]
    if value is not None:
        assert min(scored) - 1e-6 <= value <= max(scored) + 1e-6
    assert share is None or 0 <= share <= 1


def test_the_reported_pillars_are_the_combination_of_their_parts() -> None:
    for name, trajectory in trajectories().items():
        score = score_session(trajectory).score
        for key, pillar in score.pillars.items():
            parts = {n: (s.status, s.value, WEIGHTS[key][1][n]) for n, s in pillar.submetrics.items()}
            assert (pillar.value, pillar.evidence_share) == combine(parts), (name, key)
        whole = {n: (p.status, p.value, p.weight) for n, p in score.pillars.items()}
        assert (score.rigor_score, score.evidence_share) == combine(whole), name


def test_other_processes_with_other_hash_seeds_give_the_same_bytes() -> None:
    script = (
        "import sys, msgspec\n"
        "from rigorbench.api import read, extract\n"
        "from rigorbench.bench.rigorscore.score import score_session\n"
        "for path in sys.argv[1:]:\n"
        "    report = score_session(read(path)[0])\n"
        "    sys.stdout.buffer.write(msgspec.json.encode([report.score, report.events, report.findings]))\n"
    )
    paths = [str(DATA / name) for name in (*REAL, "pi/session.jsonl", "pi/disciplined.jsonl")]
    source = str(Path(__file__).parents[2] / "src")
    outputs = set()
    for seed in ("0", "1", "424242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": source}
        done = subprocess.run(
            [sys.executable, "-c", script, *paths], env=environment, capture_output=True, check=True, timeout=120
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert len(outputs.pop()) > 1000


def test_scoring_leaves_the_trajectory_as_it_was() -> None:
    for name, trajectory in trajectories().items():
        before = copy.deepcopy(trajectory)
        score_session(trajectory)
        assert trajectory == before, name


# -- methods are never mixed ---------------------------------------------------------------------------------------


def test_tokens_are_counted_or_estimated_never_both() -> None:
    log = Log(BASES["real_reckless"]())
    assert score_session(log.trajectory).score.pillars["RE"].submetrics["1-TWR"].method == "parsed"
    agent = [s for s in log.steps if s.role == "agent"]
    agent[2].usage = None
    whole = score_session(log.trajectory).score.pillars["RE"].submetrics["1-TWR"]
    assert whole.method == "estimated"
    for step in agent:
        step.usage = None
    assert score_session(log.trajectory).score.pillars["RE"].submetrics["1-TWR"] == whole


def test_a_replayed_value_takes_the_place_of_a_parsed_one_as_a_whole() -> None:
    trajectory = BASES["real_reckless"]()
    states = [WorkSnapshot(f"t{n}", []) for n in range(1, 4)]
    checked = [BuiltTree("t0", [], ReplayedBuild(True), None, is_start=True)]
    checked += [BuiltTree(s.tree, [], ReplayedBuild(False, "SyntaxError"), None) for s in states]
    for row in checked[1:]:
        row.edits = [e.id for e in extract(trajectory).events][1:2]
    result = ReplayResult(snapshots=Snapshots("t0", states), checked=checked)
    score = score_evidence(Scored(extract(trajectory), None, result)).score
    wanted = (0, "replayed")
    assert (score.pillars["ATI"].submetrics["BH"].value, score.pillars["ATI"].submetrics["BH"].method) == wanted
    unavailable = ReplayResult(unavailable="no bubblewrap on this machine")
    again = score_evidence(Scored(extract(trajectory), None, unavailable)).score
    for name, pillar in score_session(trajectory).score.pillars.items():
        for key, sub in pillar.submetrics.items():
            found = again.pillars[name].submetrics[key]
            assert (found.value, found.method, found.evidence) == (sub.value, sub.method, sub.evidence), key


# -- claims are no evidence ----------------------------------------------------------------------------------------

SENTENCES = st.sampled_from(
    ["All tests pass: 12 passed in 0.10s.", "The build is green.", "I fixed it and committed everything.",
     "test_total passes now.", "I deliberately broke it to see the test fail.", "This cannot be done.",
     "Plan:\n1. Fix shop/cart.py\n2. Run the tests\n3. Commit", "FAILED tests/test_cart.py::test_sum",
     "[main 1a2b3c4] Apply the code", "I assumed that tax comes first.", "Which tax rate should I use?"]
)  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(
    base=st.sampled_from(sorted(BASES)),
    words=st.lists(st.tuples(st.integers(0, 40), SENTENCES | st.text(max_size=60)), min_size=1, max_size=6),
)
def test_no_words_raise_what_rests_on_deeds(base: str, words: list[tuple[int, str]]) -> None:
    honest = BASES[base]()
    log = Log(honest)
    agent = [s for s in log.steps if s.role == "agent"]
    for place, text in words:
        step = agent[place % len(agent)]
        step.text = f"{step.text}\n{text}"
    before, after = score_session(honest).score, score_session(log.trajectory).score
    for name in ("VC", "RE", "ATI"):
        old, new = before.pillars[name].value, after.pillars[name].value
        assert new is None or (old is not None and new <= old + 1e-9), name


def test_words_do_not_raise_the_estimate_of_tokens_either() -> None:
    """Without usage in the log tokens are estimated from what the agent wrote; its messages do not count."""
    log = Log(BASES["real_reckless"]())
    for step in log.steps:
        step.usage = None
    before = score_session(log.trajectory).score.pillars["RE"].value
    for step in log.steps:
        step.text += " And so on, and so forth." * 50
    assert score_session(log.trajectory).score.pillars["RE"].value == before


# -- anything at all -----------------------------------------------------------------------------------------------

PATHS = st.sampled_from(
    [CART, CODES, TESTS, "README.md", "plan.md", "/tmp/x.py", ".", "", "tests", "a b.py", "../out.py"]
)
TEXTS = st.sampled_from(["", "x = 1\n", "def total(xs):\n    return sum(xs)\n",
    "def test_a():\n    assert total([1]) == 1\n", "\x00\x1b[31m", "é" * 50])  # fmt: skip
COMMANDS = st.sampled_from(
    ["pytest -q", "pytest tests/test_cart.py::test_sum", "make", "git commit -am 'Fix total'",
     "git checkout -- shop/cart.py", "git stash && pytest -q; git stash pop", "rm -rf tests", "python shop/main.py",
     "sed -i s/a/b/ shop/cart.py", "true", "cat <<'EOF' > shop/new.py\nx = 1\nEOF", "((", ""]
)  # fmt: skip
OUTPUTS = st.sampled_from(
    ["5 passed in 0.10s", "FAILED tests/test_cart.py::test_sum - assert 1 == 2\n1 failed, 4 passed in 0.2s", "",
     "Traceback (most recent call last):\nKeyError: 1", "[main 1a2b3c4] Fix total\n 1 file changed", "command not found"
    ]
)  # fmt: skip
CHANGES = st.builds(
    model.FileChange,
    path=PATHS,
    operation=st.sampled_from(["create", "modify", "delete", "rename"]),
    hunks=st.lists(st.tuples(TEXTS, TEXTS), max_size=2),
    before=st.none() | TEXTS,
    after=st.none() | TEXTS,
    new_path=st.none() | PATHS,
)
ITEMS = st.builds(
    model.PlanItem,
    text=st.sampled_from(["Fix shop/cart.py", "Run the tests", "Add tests", "", "Commit"]),
    status=st.sampled_from(["pending", "completed", "cancelled"]),
    key=st.none() | st.sampled_from(["1", "2"]),
)
ACTIONS = (
    st.builds(model.Shell, command=COMMANDS)
    | st.builds(model.Edit, changes=st.lists(CHANGES, max_size=2))
    | st.builds(model.Plan, items=st.lists(ITEMS, max_size=4), update=st.sampled_from(["replace", "add", "update"]))
    | st.builds(model.Read, target=PATHS)
    | st.builds(model.Other, target=PATHS)
)
RESULTS = st.none() | st.builds(
    model.Result,
    text=OUTPUTS,
    exit_status=st.none() | st.sampled_from([0, 1, 2, 127, -9]),
    is_error=st.none() | st.booleans(),
    timed_out=st.booleans(),
    denied=st.booleans(),
)
NUMBERS = st.none() | st.integers(0, 1000)


@st.composite
def any_trajectory(draw: st.DrawFn) -> model.Trajectory:
    steps: list[model.Step] = []
    for number in range(draw(st.integers(0, 12))):
        source = model.Source("any.jsonl", number + 1)
        calls = [
            model.ToolCall(f"{number}.{n}", "tool", {}, draw(ACTIONS), source, draw(RESULTS))
            for n in range(draw(st.integers(0, 2)))
        ]
        steps.append(
            model.Step(
                role=draw(st.sampled_from(["agent", "agent", "agent", "user", "harness", "compaction", "interrupt"])),
                source=source,
                lane=draw(st.sampled_from(["main", "main", "helper"])),
                text=draw(
                    st.sampled_from(
                        ["", "All tests pass.", "Fix the bug.", "Plan:\n1. Fix shop/cart.py\n2. Run the tests"]
                    )
                ),
                calls=calls,
                usage=draw(st.none() | st.builds(TokenUsage, input=NUMBERS, output=NUMBERS)),
            )
        )
    cwd = draw(st.none() | st.just("/home/dev/project"))
    return model.Trajectory("any", "any", model.Source("any.jsonl"), steps, cwd=cwd, states_failure=draw(st.booleans()))


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(trajectory=any_trajectory(), task=st.sampled_from(sorted(TASKS)))
def test_any_trajectory_gets_a_score_that_keeps_the_rules(trajectory: model.Trajectory, task: str) -> None:
    report = score_session(trajectory, task=TASKS[task])
    check_score(report.score, {e.id for e in report.events})


# -- what the agent does in a lane of its own ----------------------------------------------------------------------


def test_a_plan_handed_down_serves_the_sub_agents() -> None:
    def session(*, planned: bool) -> Session:
        work = Session("Fix total in shop/cart.py and shop/codes.py.")
        if planned:
            work.todo("Fix total in shop/cart.py", "Fix rate in shop/codes.py", "Run the tests")
        session = work.spawn("helper").in_lane("helper").edit(CART, "x", "y").edit(CODES, "x", "y").in_lane("main")
        return session.pytest(5)

    with_plan = score_session(session(planned=True).build()).score.pillars["PF"]
    assert with_plan.submetrics["PAC"].value == 1
    assert with_plan.submetrics["PEA"].value == 1
    assert score_session(session(planned=False).build()).score.pillars["PF"].submetrics["PAC"].value == 0


def test_a_session_of_documents_has_no_verification_to_speak_of() -> None:
    work = Session("Rewrite the README.").edit("README.md", "old", "new").edit("docs/guide.md", "old", "new")
    pillars = score_session(work.build()).score.pillars
    assert pillars["VC"].status == "not_applicable"
    assert pillars["ATI"].submetrics["BH"].status == "not_applicable"
    assert pillars["PF"].submetrics["PAC"].value == 0


def test_a_session_that_only_adds_tests_has_nothing_to_cover() -> None:
    work = Session("Add tests for Cart.total.")
    work.edit(TESTS, "", "def test_total():\n    assert Cart([1]).total() == 1\n")
    pillars = score_session(work.pytest(7).build()).score.pillars
    assert pillars["VC"].submetrics["TCR"].status == "not_applicable"
    assert pillars["ATI"].submetrics["TS"].value == 1
