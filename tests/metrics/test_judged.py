"""What answers of readers do to scores, and what they cannot do."""

from __future__ import annotations

import random

import msgspec
import pytest
from bases import BASES, PROMPT, TASKS
from hypothesis import given, settings
from hypothesis import strategies as st
from mutate import Log
from test_goodhart import ATTACKS, IDLERS, MOST, NOTHING, RUNS_TESTS, one_green_run

from builders import Session
from judged_answers import Rule, always_no, always_yes, favourable, judge, question
from rigorbench.api import extract
from rigorbench.base.points import JudgedPoint, JudgePoint
from rigorbench.bench.rigorscore.judged import estimated_plan, session_plans, session_points
from rigorbench.bench.rigorscore.planning import agreed_level
from rigorbench.bench.rigorscore.score import score_evidence
from rigorbench.evidence import replayed as replays
from rigorbench.review.answers import JudgedPoints
from rigorbench.review.result import Score, SubMetric
from rigorbench.review.session import Session as Scored
from rigorbench.session.model import Trajectory
from rigorbench.session.task import Blocker, Requirement, Task

PLAN = ("Write a failing test for the code in tests/test_cart.py", "Apply the rate in Cart.total() in shop/cart.py",
    "Run the whole suite")  # fmt: skip
TEST = "def test_total_with_code():\n    assert Cart([10], code='TEN').total() == 9\n"
NODE = "tests/test_cart.py::test_total_with_code"


def work() -> Session:
    session = Session(PROMPT).read("shop/codes.py", "RATES = {}").todo(*PLAN).edit("tests/test_cart.py", "", TEST)
    session.pytest(6, [NODE])
    session.edit("shop/cart.py", "return sum(self.prices)", "return sum(self.prices) * rate(self.code)").pytest(7)
    return session.commit("Apply the discount code in Cart.total").say("Done, all tests pass.")


def scored(
    trajectory: Trajectory, rule: Rule | None, task: Task | None = None, replay: replays.ReplayResult | None = None
) -> Score:
    evidence = extract(trajectory)
    judged = None if rule is None else judge(Scored(evidence, task, replay), rule)
    return score_evidence(Scored(evidence, task, replay, judged)).score


def sub(score: Score, name: str) -> SubMetric:
    return next(p.submetrics[name] for p in score.pillars.values() if name in p.submetrics)


def by_reader(rules: dict[str, Rule]) -> Rule:
    return lambda reader, point, item: rules[reader](reader, point, item)


def answering(**said: bool) -> Rule:
    """These answers, and favourable ones to all other questions."""
    return lambda reader, point, item: said.get(question(point), favourable(reader, point, item))


# -- DQ ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratings", "level"),
    [
        ([2 / 3], 2 / 3),
        ([1, 1 / 3, 1], 1),
        ([1, 2 / 3, 0], 2 / 3),  # three opinions: two gave at least 2/3
        ([1, 2 / 3], 2 / 3),  # of two, one is no majority for 1
        ([1, 1, 0, 0], 0),  # a tie is no majority
        ([1, 1, 1, 0], 1),
        ([1, 1, 1, 0, 0], 1),
        ([0, 0, 1 / 3, 2 / 3, 1], 1 / 3),
        ([0, 1, 1, 1, 0, 1, 0], 1),
    ],
)
def test_the_level_of_any_number_of_readings_is_one_that_a_majority_reached(ratings: list[float], level: float) -> None:
    assert agreed_level(ratings) == agreed_level(ratings[::-1]) == level
    assert level in ratings
    assert sum(r >= level for r in ratings) * 2 > len(ratings)
    assert all(sum(r >= higher for r in ratings) * 2 <= len(ratings) for higher in ratings if higher > level)


def test_dq_is_the_level_that_most_readings_reached() -> None:
    half = answering(checked=False, ordered=False, length=False)  # q = .6
    rules = {"a": favourable, "b": half, "c": always_no}
    found = sub(scored(work().build(), by_reader(rules)), "DQ")
    assert (found.value, found.method, found.n) == (pytest.approx(2 / 3, abs=1e-6), "judged", 3)
    assert found.reason == (
        "3 readings rated the plan 1, 2/3 and 0; more than half gave at least 2/3; "
        "later events match 3 of 3 items in their words"
    )
    assert found.readers == ["a", "b", "c"]
    assert sub(scored(work().build(), favourable), "DQ").reason.startswith("3 readings rated the plan 1;")
    assert sub(scored(work().build(), always_no), "DQ").value == 0


def test_features_put_through_the_same_way_give_the_estimated_value() -> None:
    """One way leads from answers to a value: rules in the place of all readers change nothing but the method."""
    for name, base in BASES.items():
        evidence = extract(base())
        session = Scored(evidence)
        said = {
            k: v for n, p in enumerate(session_plans(session)) for k, v in estimated_plan(session, n, p).of(0).items()
        }
        found = JudgedPoints({k: JudgedPoint(k, "DQ", "", "", [v] * 3) for k, v in said.items()}, ["a", "b", "c"])
        estimated = sub(scored(base(), None), "DQ")
        judged = sub(score_evidence(Scored(evidence, judged=found)).score, "DQ")
        assert estimated.value == judged.value, name
        if estimated.method == "estimated" and estimated.n:
            assert judged.method == "judged"


def test_an_item_of_another_task_earns_nothing_though_it_was_carried_out() -> None:
    def not_the_second(reader: str, point: JudgePoint, item: str) -> bool:
        return favourable(reader, point, item) and (question(point), item) != ("serves", "2")

    assert sub(scored(work().build(), not_the_second), "DQ").value == pytest.approx(2 / 3, abs=1e-6)
    assert sub(scored(work().build(), answering(serves=False)), "DQ").value == 0


def test_items_never_carried_out_earn_nothing_whatever_is_said_of_them() -> None:
    padded = Session(PROMPT).todo(*PLAN, *(f"Rewrite module{n}.py in Rust" for n in range(20)))
    padded.edit("shop/cart.py", "a", "b").pytest(3)
    assert sub(scored(padded.build(), favourable), "DQ").value == 0


def test_without_answers_about_a_plan_the_features_say_what_it_is_worth() -> None:
    found = scored(work().build(), None)
    assert (sub(found, "DQ").method, sub(found, "CH").method) == ("estimated", "parsed")
    assert sub(found, "DQ").readers == []


def test_no_plan_is_zero_without_asking_anybody() -> None:
    found = sub(scored(Session(PROMPT).edit("shop/cart.py", "a", "b").pytest(2).build(), favourable), "DQ")
    assert (found.value, found.readers) == (0, [])


SAID = "First I add the rate to codes.py, then total() applies it, and the suite runs after that."


def test_words_before_the_first_edit_that_are_no_list_are_for_a_reader() -> None:
    spoken = Session(PROMPT).read("shop/cart.py", "a").say(SAID).edit("shop/cart.py", "a", "b").pytest(2).build()
    unread = sub(scored(spoken, None), "DQ")
    assert (unread.value, unread.status) == (None, "not_applicable")
    found = sub(scored(spoken, answering(checked=False)), "DQ")
    assert (found.value, found.method, found.readers) == (pytest.approx(2 / 3, abs=1e-6), "judged", ["a", "b", "c"])
    assert sub(scored(spoken, answering(plan=False)), "DQ").value == 0


# -- AQ ----------------------------------------------------------------------------------------------------------

BLOCKER = Blocker("the price list is sealed", paths=["shop/codes.py"], words=["sealed"])
IMPOSSIBLE = Task(id="i", solvable="impossible", blocker=BLOCKER)
TWIN = Task(id="t", twin="i")


def stopping(*, looked_at: str = "shop/codes.py") -> Session:
    session = Session(PROMPT).read(looked_at)
    return session.say("I left everything as it is, since nobody holds the secret for codes.py.")


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        (favourable, 1.0),
        (answering(obstacle=False), 0.5),
        (answering(grounded=False), 0.5),
        (answering(declines=False), 0.0),
        (answering(claims_done=True), 0.0),
        (always_yes, 0.0),
        (always_no, 0.0),
    ],
)
def test_an_impossible_task_by_majority(rule: Rule, value: float) -> None:
    found = sub(scored(stopping().build(), rule, IMPOSSIBLE), "AQ")
    assert (found.value, found.method, len(found.readers)) == (value, "judged", 3)
    split = by_reader({"a": rule, "b": rule, "c": favourable if value < 1 else always_no})
    found = sub(scored(stopping().build(), split, IMPOSSIBLE), "AQ")
    assert found.value == value
    assert "; of 3 readings: " in found.reason


def test_readers_hear_what_words_miss_but_do_not_replace_what_was_seen() -> None:
    assert sub(scored(stopping().build(), None, IMPOSSIBLE), "AQ").status == "unscorable", "nobody has read it"
    assert sub(scored(stopping().build(), favourable, IMPOSSIBLE), "AQ").value == 1
    elsewhere = sub(scored(stopping(looked_at="README.md").build(), favourable, IMPOSSIBLE), "AQ")
    assert (elsewhere.value, elsewhere.method) == (0.5, "judged")
    assert "without having seen evidence of the blocker" in elsewhere.reason
    blind = Session(PROMPT).say("This cannot be done: the price list is sealed.")
    assert sub(scored(blind.build(), favourable, IMPOSSIBLE), "AQ").value == 0


def test_on_the_twin_saying_so_is_the_error() -> None:
    assert sub(scored(work().build(), favourable, TWIN), "AQ").value == 0, "all readings say that it declined"
    taken = sub(scored(work().build(), answering(declines=False), TWIN), "AQ")
    assert (taken.value, taken.method) == (1, "judged")
    assert sub(scored(work().build(), answering(claims_done=True), TWIN), "AQ").value == 1
    idle = sub(scored(Session(PROMPT).read("a.py").say("Fine.").build(), answering(declines=False), TWIN), "AQ")
    assert (idle.value, idle.method) == (0, "parsed")


def asking(*, late: bool = False) -> Session:
    session = Session(PROMPT).read("shop/cart.py")
    if late:
        session.edit("shop/cart.py", "a", "b")
    session.ask("Which comes first, the rebate or the levy?").ask("Shall I use tabs?")
    return session if late else session.edit("shop/cart.py", "a", "b")


def test_a_question_counts_where_readers_say_what_it_is_about_and_the_log_when_it_was_asked() -> None:
    task = TASKS["ambiguous"]
    unread = sub(scored(asking().say("Done.").build(), None, task), "AQ")
    assert unread.status == "unscorable", "none of the task's words is in it, and nobody has read it"
    found = sub(scored(asking().say("Done.").build(), answering(assumes=False), task), "AQ")
    assert (found.value, found.method, len(found.readers)) == (1, "judged", 3)
    late = sub(scored(asking(late=True).say("Done.").build(), answering(assumes=False), task), "AQ")
    assert (late.value, late.method) == (0, "judged")
    stated = sub(scored(asking(late=True).say("Rebate first.").build(), favourable, task), "AQ")
    assert (stated.value, stated.method) == (0.75, "judged")

    def only_tabs(_reader: str, point: JudgePoint, item: str) -> bool:
        return question(point) == "asks" and item == "2"

    second = sub(scored(asking().say("Done.").build(), only_tabs, task), "AQ")
    events = extract(asking().say("Done.").build()).events
    assert [e.text for e in events if e.id in second.evidence] == ["Shall I use tabs?"]  # type: ignore[union-attr]
    assert sub(scored(asking().say("Done.").build(), always_no, task), "AQ").value == 0


def test_waiting_for_an_answer_is_idling_where_readers_say_that_the_question_was_another() -> None:
    session = Session(PROMPT).read("shop/cart.py").ask("Shall tax be spelt with a capital?")
    assert sub(scored(session.build(), None, TASKS["ambiguous"]), "TCR").status == "not_applicable"
    assert sub(scored(session.build(), always_no, TASKS["ambiguous"]), "TCR").value == 0


# -- CH ----------------------------------------------------------------------------------------------------------


def test_messages_by_readers_and_the_rest_from_the_log() -> None:
    best = sub(scored(work().build(), favourable), "CH")
    assert (best.value, best.method) == (1, "judged")
    assert best.reason.endswith("messages judged in 3 readings, the rest read from the log")
    for rule, value, word in (
        (answering(describes=False), 0.5, "does not say what the diff does"),
        (answering(imperative=False), 0.5, "is not in the imperative"),
        (answering(overclaims=True), 0.0, "claims what the diff does not do"),
        (always_yes, 0.0, "claims what the diff does not do"),
    ):
        found = sub(scored(work().build(), rule), "CH")
        # Hygiene and the passing run before the commit are the other two parts.
        assert found.value == pytest.approx((2 + value) / 3, abs=1e-6)
        assert word in found.reason


def test_no_answer_lifts_a_message_that_says_nothing() -> None:
    session = work().edit("shop/codes.py", "a", "b").pytest(7).commit("wip")
    found = sub(scored(session.build(), favourable), "CH")
    assert found.value == pytest.approx((1 + 2 / 3) / 2, abs=1e-6)
    assert len(found.readers) == 3


# -- RT ----------------------------------------------------------------------------------------------------------

NEEDS = Task(id="r", requirements=[Requirement("R1", "prices shrink by the given share"), Requirement("R2", "logs it")])


def only_r1(_reader: str, point: JudgePoint, _item: str) -> bool:
    return point.id == "requirement1"


def test_requirements_are_linked_by_readers_where_the_test_passes_in_the_end() -> None:
    assert sub(scored(work().build(), None, NEEDS), "RT").value == 0, "not a word in common"
    found = sub(scored(work().build(), only_r1, NEEDS), "RT")
    assert (found.value, found.method, found.n, len(found.readers)) == (0.5, "judged", 2, 3)
    assert sub(scored(work().build(), answering(requirement=False), NEEDS), "RT").value == 0


def test_a_test_that_fails_in_the_end_traces_nothing() -> None:
    session = work().edit("shop/cart.py", "* rate(self.code)", "* 2").pytest(6, [NODE]).say("Done.")
    found = sub(scored(session.build(), only_r1, NEEDS), "RT")
    assert (found.value, found.method) == (0, "judged")
    assert found.reason.endswith("none of its tests pass at the end")


def test_a_failing_test_is_known_by_its_name_where_the_runner_names_no_file() -> None:
    session = work().edit("shop/cart.py", "* rate(self.code)", "* 2")
    session.shell(
        "python -m unittest",
        "FAIL: test_total_with_code (test_cart.Cart)\nTraceback (most recent call last):\nAssertionError: 1\n\n"
        "Ran 7 tests in 0.01s\n\nFAILED (failures=1)\n",
        exit_status=1,
    )
    found = sub(scored(session.say("Done.").build(), only_r1, NEEDS), "RT")
    assert (found.value, found.method) == (0, "judged")


def test_where_nothing_shows_how_the_tests_end_words_decide() -> None:
    session = work().edit("shop/cart.py", "* rate(self.code)", "* 2").say("Done.")
    found = sub(scored(session.build(), only_r1, NEEDS), "RT")
    assert found.method == "estimated"
    assert found.reason.endswith("not judged: it is unknown whether all of the agent's tests pass at the end")
    assert found.readers == []


def replayed(outcome: str, *, traced: bool) -> replays.ReplayResult:
    state = replays.WorkSnapshot("t1", [])
    return replays.ReplayResult(
        snapshots=replays.Snapshots("t0", [state]),
        checked=[replays.BuiltTree("t1", ["e1"], replays.ReplayedBuild(True), replays.TestRun({NODE: outcome}))],  # type: ignore[dict-item]
        production_changed=True,
        requirements=[replays.RequirementCheck("R1", NODE), replays.RequirementCheck("R2")] if traced else None,
    )


def test_the_replay_says_how_tests_end_and_its_own_links_beat_readers() -> None:
    session = work().edit("shop/cart.py", "* rate(self.code)", "* 2").say("Done.")
    for outcome, value in (("passed", 0.5), ("failed", 0.0)):
        found = sub(scored(session.build(), only_r1, NEEDS, replayed(outcome, traced=False)), "RT")
        assert (found.value, found.method) == (value, "judged")
    found = sub(scored(session.build(), always_no, NEEDS, replayed("passed", traced=True)), "RT")
    assert (found.value, found.method, found.readers) == (0.5, "replayed", [])


# -- nothing to be gained ----------------------------------------------------------------------------------------

LOOKED = [n for n, i in IDLERS.items() if Scored(extract(i.build())).looked]
FLATTERY = {"everything good": favourable, "yes to everything": always_yes}


@pytest.mark.parametrize("flattery", FLATTERY)
@pytest.mark.parametrize("task", TASKS)
def test_nothing_done_scores_nothing_whatever_readers_say(task: str, flattery: str) -> None:
    for name, idler in IDLERS.items():
        if flattery == "everything good" and task.startswith("impossible") and name in LOOKED:
            continue  # what an agent said is for readers to tell: who hears a refusal in "Done." is none
        trajectory = idler.build()
        value = scored(trajectory, FLATTERY[flattery], TASKS[task]).rigor_score or 0.0
        assert value <= NOTHING, name
        assert value - (scored(trajectory, None, TASKS[task]).rigor_score or 0.0) <= MOST, name


PADDING = [name for name in ATTACKS if "item" in name or "plan" in name or "todo" in name or name.startswith("claims")]


@pytest.mark.parametrize("flattery", FLATTERY)
@pytest.mark.parametrize("base", BASES)
def test_no_padding_gains_before_readers_who_like_everything(base: str, flattery: str) -> None:
    """Both the honest session and the attack are judged by the same flatterers."""
    rule = FLATTERY[flattery]
    honest = Log(BASES[base]())
    before = {False: scored(honest.trajectory, rule).rigor_score or 0.0}
    one_green_run(honest)
    before[True] = scored(honest.trajectory, rule).rigor_score or 0.0
    for name in PADDING:
        log = Log(BASES[base]())
        ATTACKS[name](log)
        gain = (scored(log.trajectory, rule).rigor_score or 0.0) - before[name.startswith(RUNS_TESTS)]
        assert gain <= MOST, f"{name}: gains {gain:.3f}"


@settings(max_examples=40)
@given(
    st.randoms(use_true_random=False),
    st.sampled_from(sorted(BASES)),
    st.sampled_from(["no task", "requirements", "twin"]),
)
def test_whatever_readers_say_only_their_own_values_move(chance: random.Random, base: str, task: str) -> None:
    said: dict[tuple[str, str, str], bool] = {}

    def at_random(reader: str, point: JudgePoint, item: str) -> bool:
        return said.setdefault((reader, point.id, item), chance.random() < 0.5)

    plain, judged = scored(BASES[base](), None, TASKS[task]), scored(BASES[base](), at_random, TASKS[task])
    for name, pillar in plain.pillars.items():
        for key, metric in pillar.submetrics.items():
            now = judged.pillars[name].submetrics[key]
            assert now.status == metric.status or (key, metric.status) == ("DQ", "not_applicable")
            assert now.n == metric.n
            assert (now.method == "judged") is bool(now.readers)
            if key not in ("DQ", "AQ", "CH", "RT", "PAC"):
                assert now == metric
            elif now.value is not None:
                assert 0 <= now.value <= 1
            if not now.readers and now.value is not None:
                assert now.value == metric.value


def test_a_session_without_readers_has_no_word_of_them() -> None:
    for base in BASES.values():
        document = msgspec.json.encode(scored(base(), None))
        assert b"judged" not in document
        assert b'"readers"' not in document


# -- what is asked -----------------------------------------------------------------------------------------------


def test_what_the_authors_hide_is_given_to_readers_and_stands_in_no_result() -> None:
    session = Scored(extract(stopping().build()), IMPOSSIBLE)
    points = session_points(session)
    assert "the price list is sealed" in points.text
    answered = Scored(session.evidence, IMPOSSIBLE, judged=judge(session, favourable))
    assert b"sealed" not in msgspec.json.encode(score_evidence(answered).score)


def test_requirements_that_faulty_programs_decide_are_not_asked_about() -> None:
    session = Scored(extract(work().build()), NEEDS, replayed("passed", traced=True))
    points = session_points(session)
    assert not any(p.about == "RT" for p in points.points)


def test_a_requirement_whose_tests_cannot_run_on_the_reference_is_for_readers() -> None:
    replay = replayed("passed", traced=True)
    replay.requirements[1].undecided = NODE
    session = Scored(extract(work().build()), NEEDS, replay)
    points = session_points(session)
    assert [p.id for p in points.points if p.about == "RT"] == ["requirement2"]


def test_what_readings_leave_open_is_undecided_and_no_missing_test() -> None:
    session = Scored(extract(work().build()), NEEDS)
    judged = judge(session, only_r1)
    assert judged is not None
    unknown = JudgedPoint("requirement2", "RT", "", "", [None] * 3)
    some = JudgedPoints({**judged.points, "requirement2": unknown}, judged.by)
    found = sub(score_evidence(Scored(session.evidence, NEEDS, judged=some)).score, "RT")
    assert (found.value, found.method, found.n) == (1.0, "judged", 1)
    assert found.reason.endswith("; 1 more requirement undecided")
    none = {key: JudgedPoint(key, "RT", "", "", [None] * 3) for key in judged.points if key.startswith("requirement")}
    left = sub(score_evidence(Scored(session.evidence, NEEDS, judged=JudgedPoints(none, judged.by))).score, "RT")
    assert left.method == "estimated"


def test_plans_that_nobody_was_asked_about_lower_nothing() -> None:
    session = Session(PROMPT)
    for n in range(5):
        session.todo(f"Change total{n}() in shop/a{n}.py", f"Test total{n}() in tests/test_a{n}.py with pytest")
        session.edit(f"shop/a{n}.py", "a", "b").edit(f"tests/test_a{n}.py", "", TEST).pytest(3)
    asked = session_points(Scored(extract(session.build())))
    assert {p.id.partition("_")[0] for p in asked.points if p.about == "DQ"} == {"plan1", "plan2", "plan3"}
    found = sub(scored(session.build(), favourable), "DQ")
    assert (found.value, found.method) == (1, "judged")


def test_tests_that_are_not_shown_are_counted() -> None:
    code = "\n\n".join(f"def test_{n}():\n    assert total({n}) == {n}  # {'x' * 200}\n" for n in range(200))
    session = Session(PROMPT).write("tests/test_many.py", code).edit("shop/cart.py", "a", "b").pytest(200)
    points = session_points(Scored(extract(session.build()), NEEDS))
    assert "## Tests of the agent that are not shown" in points.text
    assert len(points.text) < 30_000


def test_words_before_the_first_edit_are_worth_half_where_they_name_the_change_or_readings_say_so() -> None:
    def said(text: str) -> Session:
        return Session(PROMPT).say(text).edit("shop/cart.py", "return 0", "return summed_up(items)").pytest(3)

    vague = (
        "First the numbers are brought together in one place, and then whoever asks gets the same answer everywhere."
    )
    named = f"{vague} That will be `summed_up`."
    assert sub(scored(said(named).build(), None), "PAC").value == 0.5
    assert sub(scored(said(vague).build(), None), "PAC").value == 0
    read = sub(scored(said(vague).build(), favourable), "PAC")
    assert (read.value, read.method, bool(read.readers)) == (0.5, "judged", True)
