"""A reward sums to the score exactly, names its steps by the log, and does not depend on how the work was cut up."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import pytest
from bases import BASES, CART, CODES, PROMPT, TASKS
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from mutate import Log

from builders import Session
from judged_answers import Rule, always_no, favourable, judge
from rigorbench import extract, read, reward, score
from rigorbench.bench.rigorscore.reward.reward import Reward
from rigorbench.bench.rigorscore.reward.rewarding import OF, reward_session
from rigorbench.bench.rigorscore.reward.share import share_out, share_score
from rigorbench.bench.rigorscore.score import score_evidence
from rigorbench.evidence import replayed as replays
from rigorbench.evidence.events import EditEvent
from rigorbench.review.grades import NEEDS_READER
from rigorbench.review.reader.reading import FACTS, PILLARS, Accusation, Fact, GradeMark, Reading
from rigorbench.review.result import WEIGHTS
from rigorbench.review.session import Session as Scored
from rigorbench.session.logfile import LogError
from rigorbench.session.model import Trajectory
from rigorbench.session.registry import discover, read_log

ROOT = Path(__file__).parents[2]
SAMPLES = [ROOT / "tests" / "data", ROOT / "examples" / "sessions"]


# -- shares --------------------------------------------------------------------------------------------------------


@given(
    st.floats(0, 1, allow_nan=False) | st.integers(0, 100).map(float),
    st.lists(st.fractions(0, 10), min_size=1, max_size=40).filter(lambda w: sum(w) > 0),
    st.randoms(use_true_random=False),
)
def test_shares_sum_to_the_total_in_any_order(total: float, weights: list[Fraction], order: random.Random) -> None:
    unit = math.ulp(total)
    parts = [units * unit for units in share_out(int(total / unit), weights)]
    assert all(p >= 0 for p in parts)
    assert all(p == 0 for p, w in zip(parts, weights, strict=True) if w == 0)
    order.shuffle(parts)
    assert sum(parts) == total
    assert math.fsum(parts) == total


@given(st.integers(0, 2**53), st.lists(st.fractions(0, 10), min_size=1, max_size=20).filter(lambda w: sum(w) > 0))
def test_shares_are_as_near_to_their_weights_as_whole_numbers_come(whole: int, weights: list[Fraction]) -> None:
    for part, weight in zip(share_out(whole, weights), weights, strict=True):
        assert abs(part - whole * weight / sum(weights)) < 1


def test_shares_without_a_weight_are_refused() -> None:
    with pytest.raises(ValueError, match="one must be positive"):
        share_out(3, [Fraction(0)])


# -- whole sessions ------------------------------------------------------------------------------------------------


def check(trajectory: Trajectory, of: str, found: Reward) -> None:
    """What holds for every reward."""
    numbers = [s.step for s in found.steps]
    agents = [n for n, s in enumerate(trajectory.steps) if s.role == "agent"]
    assert numbers == sorted(set(numbers))
    assert set(agents) <= set(numbers)
    for row in found.steps:
        assert row.line == trajectory.steps[row.step].source.line
        assert row.message_id == trajectory.steps[row.step].message_id
    if found.total is None:
        assert found.reason
        assert all(s.credit is None and s.lost is None and not s.by for s in found.steps)
        return
    assert not found.reason
    for name in ("credit", "lost"):
        values = [getattr(s, name) for s in found.steps]
        assert all(v >= 0 for v in values)
    credits = [s.credit for s in found.steps]
    random.Random(0).shuffle(credits)
    assert sum(credits) == found.total
    assert sum(s.lost for s in found.steps) + sum(found.missing.values()) == found.lost == found.most - found.total
    for row in found.steps:
        assert sum(row.by.values()) == row.credit
        assert sum(row.lost_by.values()) == row.lost
        if row.calls:
            assert sum(c.credit for c in row.calls) <= row.credit
    whole = sum(p.weight * p.value for p in found.parts.values())
    if found.of != "review":  # a reader's overall grade is its own, and no mean of the others
        # Scores are rounded to six digits, twice.
        assert found.total == pytest.approx(whole, abs=2e-6)
    for name, part in found.parts.items():
        expected = part.weight * part.value * (found.total / whole if whole else 0)
        assert sum(s.by.get(name, 0.0) for s in found.steps) == pytest.approx(expected, abs=2e-6)
    assert sum(p.weight for p in found.parts.values()) == pytest.approx(1)


def logs(places: list[Path]) -> list[Trajectory]:
    found = []
    for log in discover([str(p) for p in places]):
        if isinstance(log, LogError):
            continue
        try:
            found += read_log(log)
        except LogError:
            continue
    return found


@lru_cache
def samples() -> tuple[Trajectory, ...]:
    return tuple(logs(SAMPLES))


@pytest.mark.parametrize("of", ["score", *WEIGHTS])
def test_rewards_of_the_sample_logs_sum_to_their_scores(of: str) -> None:
    with_total = 0
    for trajectory in samples():
        found = reward(trajectory, of=of)
        if trajectory.recording is None:
            report = score(trajectory)
            values = {"score": report.score.rigor_score}
            values |= {name: pillar.value for name, pillar in report.score.pillars.items()}
            assert found.total == values[of]
            assert found.most == 1
        check(trajectory, of, found)
        with_total += found.total is not None
    # No task is given, so nothing says what had to be asked.
    assert with_total > 0 or of == "AQ"


@pytest.mark.parametrize("of", [of for of in OF if of != "score" and of not in WEIGHTS])
def test_without_a_reading_no_grade_is_shared_out(of: str) -> None:
    for trajectory in samples():
        found = reward(trajectory, of=of)
        assert found.total is None
        check(trajectory, of, found)


PLACES = st.lists(st.integers(-1, 40).map(str) | st.sampled_from(["2.1", "3.2", "4.9", "x", "1.", "²", ""]), max_size=4)
MARKS = st.builds(GradeMark, st.integers(1, 5) | st.none(), st.just("Why."), PLACES)
SAID = st.builds(Fact, st.booleans() | st.none(), st.just(""), PLACES, st.lists(st.just("e1"), max_size=1))
ACCUSED = st.builds(Accusation, st.just("It did."), PLACES, st.just("words"), st.sampled_from([*FACTS, None]))


@given(
    st.sampled_from(sorted(BASES)),
    st.fixed_dictionaries(dict.fromkeys(("overall", *PILLARS), MARKS)),
    st.dictionaries(st.sampled_from(FACTS), SAID, max_size=8),
    st.lists(ACCUSED, max_size=4),
)
@settings(max_examples=200)
def test_any_reading_is_shared_out_exactly(
    base: str, marks: dict[str, GradeMark], facts: dict[str, Fact], accusations: list[Accusation]
) -> None:
    trajectory = based(base)
    read = Reading("scripted", None, "0" * 64, 1, 1, marks, facts, accusations, [], "Fine.")
    for of in ("review", *PILLARS):
        mark = marks["overall" if of == "review" else of]
        found = reward(trajectory, of=of, reading=read)
        assert found.total == (None if mark.value is None else (mark.value - 1) * 25)
        check(trajectory, of, found)


@lru_cache
def based(base: str) -> Trajectory:
    return BASES[base]()


def test_rewards_of_real_sessions_sum_to_their_scores(shared_data: Path) -> None:
    found = logs([shared_data / "sessions" / "claude-code-jsonl"])
    assert found
    for trajectory in found:
        check(trajectory, "score", reward(trajectory, of="score"))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("base", BASES)
def test_rewards_on_every_kind_of_task(base: str, task: str) -> None:
    trajectory = BASES[base]()
    check(trajectory, "score", reward(trajectory, task=TASKS[task]))


def test_credit_goes_to_the_evidence() -> None:
    trajectory = BASES["disciplined"]()
    steps = {s.step: s for s in reward(trajectory, of="score").steps}
    names = [s.calls[0].name if s.calls else "" for s in trajectory.steps]
    (plan,) = [n for n, name in enumerate(names) if name == "TodoWrite"]
    assert {"PF.PAC", "PF.DQ"} <= set(steps[plan].by)
    tests = [
        n for n, s in enumerate(trajectory.steps) if s.calls and "tests/" in str(s.calls[0].input.get("file_path"))
    ]
    assert all("VC.TCR" in steps[n].by for n in tests)
    commit = next(n for n, s in enumerate(trajectory.steps) if s.calls and "commit" in str(s.calls[0].input))
    assert "ATI.CH" in steps[commit].by
    assert steps[1].credit == 0  # it only read


def test_loss_goes_to_what_shows_it() -> None:
    trajectory = BASES["average"]()
    found = reward(trajectory, of="score")
    failing = [n for n, s in enumerate(trajectory.steps) if s.calls and (r := s.calls[0].result) and "failed" in r.text]
    cost = {s.step: s.lost_by for s in found.steps}
    assert sum("RE.f(RAC)" in cost[n] for n in failing) == 2  # the second and the third failure in a row
    untested = Session(PROMPT).read(CART).edit(CART, "x", "y").pytest(6).say("Done.").build()
    found = reward(untested, task=TASKS["requirements"])
    assert found.missing.keys() == {"VC.RT", "ATI.CH"}  # no test traces to a requirement, and nothing was committed


@pytest.mark.parametrize("task", ["requirements", "ambiguous", "impossible"])
@pytest.mark.parametrize("rule", [favourable, always_no])
def test_answers_of_readers_change_what_is_shared_out_and_not_that_it_sums(rule: Rule, task: str) -> None:
    for base in ("disciplined", "average"):
        trajectory = BASES[base]()
        session = Scored(extract(trajectory), TASKS[task])
        session.judged = judge(session, rule)
        found = reward_session(session)
        check(trajectory, "score", found)
        assert "judged" in {p.method for p in found.parts.values()}
        assert found.total == score_evidence(session).score.rigor_score


def test_credit_of_a_replayed_session_goes_to_the_edits() -> None:
    """What a replay found is made up here: of three states the second does not build, and the third is sound."""
    trajectory = BASES["disciplined"]()
    evidence = extract(trajectory)
    edits = [e for e in evidence.events if isinstance(e, EditEvent)]
    test_total, cart, codes, test_rate, last = edits
    states = [[test_total, cart], [codes, test_rate], [last]]
    replay = replays.ReplayResult(
        snapshots=replays.Snapshots("t", [replays.WorkSnapshot(f"t{n}", ids(s)) for n, s in enumerate(states)]),
        checked=[
            replays.BuiltTree("t0", ids(states[0]), replays.ReplayedBuild(True), replays.TestRun({"t": "passed"})),
            replays.BuiltTree(
                "t1",
                ids(states[1]),
                replays.ReplayedBuild(False, "SyntaxError"),
                None,
                [replays.Regression("t", "failed")],
            ),
            replays.BuiltTree("t2", ids(states[2]), replays.ReplayedBuild(True), None),
        ],
        units=[
            replays.UnitCheck(CART, "Cart.total", "reverted", "tests/test_cart.py::test_total_with_code", [cart.id]),
            replays.UnitCheck(CODES, "rate", "reverted", None, [codes.id]),
        ],
        coverage=replays.CoverageDelta(10, 2, 6, [cart.id]),
        requirements=[
            replays.RequirementCheck("R1", "tests/test_cart.py::test_total_with_code"),
            replays.RequirementCheck("R2", None),
        ],
    )
    session = Scored(evidence, TASKS["requirements"], replay)
    found = share_score(session, score_evidence(session).score, "score")
    check(trajectory, "score", found)
    wanted = {"VC.TCR", "VC.dC", "VC.RT", "ATI.BH", "ATI.TS"}
    assert {n for n, p in found.parts.items() if p.method == "replayed"} == wanted
    by = {s.step: s for s in found.steps}
    assert (
        {n for n, s in by.items() if "VC.TCR" in s.by}
        == {n for n, s in by.items() if "VC.RT" in s.by}
        == {test_total.step}
    )
    assert {n for n, s in by.items() if "VC.TCR" in s.lost_by} == {codes.step}
    assert {n for n, s in by.items() if "VC.dC" in s.by} == {test_total.step, test_rate.step}
    assert {n for n, s in by.items() if "ATI.BH" in s.by} == {test_total.step, cart.step, last.step}
    assert {n for n, s in by.items() if "ATI.TS" in s.lost_by} == {codes.step, test_rate.step}
    assert set(found.missing) == {"VC.RT"}


def ids(edits: list[EditEvent]) -> list[str]:
    return [e.id for e in edits]


def test_without_a_score_there_is_no_credit_but_a_reason() -> None:
    found = reward(Session("Hello").say("Hello.").build())
    assert found.total is None
    assert [s.credit for s in found.steps] == [None]
    assert found.of == "review"
    assert found.reason == NEEDS_READER
    found = reward(Session("Hello").say("Hello.").build(), of="score")
    assert found.reason == "this session had nothing that the RigorScore measures"
    with pytest.raises(ValueError, match="nothing is called 'XY'; one of: review, score, planning"):
        reward(Session("Hello").build(), of="XY")


# -- how the work is cut up ----------------------------------------------------------------------------------------


def tagged(base: str) -> Log:
    """A base whose steps can be told from what is added to it."""
    log = Log(BASES[base]())
    for number, step in enumerate(log.steps):
        step.message_id = f"base-{number}"
    return log


def credits(trajectory: Trajectory) -> tuple[float | None, dict[str | None, float]]:
    """(total, credit by tag; what was added stands under None)."""
    found = reward(trajectory, of="score")
    by: dict[str | None, float] = {}
    for row in found.steps:
        tag = row.message_id if (row.message_id or "").startswith("base-") else None
        by[tag] = by.get(tag, 0.0) + (row.credit or 0.0)
    return found.total, by


NOTHING = {
    "git status": lambda: Session().shell("git status --short", " M file.py"),
    "true": lambda: Session().shell("true"),
    "words": lambda: Session().say("I go on with the next step."),
    "a ticked list": lambda: Session().todo("Think about it", "Be careful", done=2),
}


@settings(max_examples=30)
@given(st.sampled_from(sorted(BASES)), st.sampled_from(sorted(NOTHING)), st.floats(0, 1), st.integers(1, 4))
def test_steps_that_do_nothing_get_nothing_and_change_nothing(base: str, what: str, place: float, times: int) -> None:
    log = tagged(base)
    total, before = credits(log.trajectory)
    first = next(n for n, s in enumerate(log.steps) if s.role == "agent")
    for _ in range(times):
        log.insert(first + round(place * (len(log.steps) - 1 - first)), NOTHING[what]())
    after_total, after = credits(log.trajectory)
    assert (after_total or 0) <= (total or 0) + 1e-6
    assert after.pop(None, 0.0) == 0
    for tag, value in after.items():
        assert value <= before[tag] + 2e-6, tag


@pytest.mark.parametrize("base", BASES)
def test_a_step_with_two_calls_cut_in_two_changes_nothing(base: str) -> None:
    """Two steps that follow each other are one message with two calls, or two with one each."""
    apart = tagged(base)
    for number, step in enumerate(apart.steps):
        step.text, step.message_id = "", f"base-{number // 2 * 2}"
    joined = Log(apart.trajectory)
    pairs = []
    for number in range(0, len(joined.steps) - 1, 2):
        one, two = joined.steps[number : number + 2]
        if one.role == two.role == "agent" and one.lane == two.lane and one.calls and two.calls:
            one.calls = [*one.calls, *two.calls]
            if one.usage is not None and two.usage is not None:
                spent = (one.usage.output or 0) + (two.usage.output or 0)
                one.usage = structs.replace(one.usage, output=spent)
            pairs.append(two)
    for two in pairs:
        joined.steps.remove(two)
    assert pairs
    total, before = credits(joined.trajectory)
    after_total, after = credits(apart.trajectory)
    # Tokens between two failing checks are counted by steps: whether a step is waste may differ a little.
    assert after_total == pytest.approx(total, abs=0.03)
    if after_total == total:
        assert after == pytest.approx(before, abs=2e-6)


def test_the_order_of_unrelated_reads_changes_nothing() -> None:
    def session(*paths: str) -> Trajectory:
        work = Session(PROMPT)
        for path in paths:
            work.read(path)
        return work.edit(CART, "x", "y").pytest(5).commit("Apply the discount code in Cart.total").say("Done.").build()

    one, two = reward(session("a.py", "b.py", "c.py")), reward(session("c.py", "a.py", "b.py"))
    assert one == two


def test_one_call_of_several_gets_the_credit_of_the_step() -> None:
    [trajectory] = read(ROOT / "tests/data/mini-swe-agent/cli-2.4.6-features.traj.json")
    found = reward(trajectory, of="score")
    several = [s for s in found.steps if s.calls]
    assert several
    for row in several:
        step = trajectory.steps[row.step]
        assert [c.id for c in row.calls] == [c.id or None for c in step.calls if c.result is not None]
        assert row.call == row.calls[0].call
