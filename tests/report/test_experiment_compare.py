"""Figures of an experiment: within tasks, errors never counted, unknown never zero, policies never with models."""

from __future__ import annotations

import pytest
from statsmodels.stats.multitest import multipletests

from fake_experiment import START, make_manifest, make_result, trouble
from rigorbench.bench.experiment.compare import (
    MEASURES,
    Comparison,
    ConditionGroup,
    Effect,
    compare,
    mean,
    paired_effect,
)
from rigorbench.bench.experiment.records import RESULT_SCHEMA, Cell, Manifest, Outcome, RunResult, Subject
from rigorbench.bench.experiment.values import PROBLEMS, by_task
from rigorbench.bench.pages.text import experiment as say


def run(task: str, score: float | None, repeat: int = 1, model: str = "acme/a", **fields: object) -> RunResult:
    share = None if score is None else 1.0
    cell = Cell(task, "react", "baseline", model, repeat)
    made = RunResult(RESULT_SCHEMA, cell, "completed", START, 1.0, rigor_score=score, evidence_share=share)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def difference(of: list[RunResult], minus: list[RunResult]) -> Effect:
    return paired_effect(by_task(of, "rigor_score"), by_task(minus, "rigor_score"))


def whole(manifest: Manifest) -> Comparison:
    return compare(manifest, [make_result(c) for c in manifest.cells])


def group(comparison: Comparison, scripted: bool) -> ConditionGroup:
    (found,) = [g for g in comparison.groups if g.scripted is scripted]
    return found


def test_a_mean_is_over_tasks_of_the_means_over_repeats() -> None:
    runs = [run("a", 1.0, 1), run("a", 0.0, 2), run("a", 0.5, 3), run("b", 0.1)]
    found = mean(runs, "rigor_score")
    assert found.value == pytest.approx((0.5 + 0.1) / 2)
    assert (found.tasks, found.runs, found.counted) == (2, 4, 4)


def test_a_difference_is_taken_within_each_task() -> None:
    """An easy task that only one side ran must not look like an advantage."""
    of = [run("hard", 0.4), run("hard", 0.6, 2), run("easy", 1.0), run("easiest", 1.0)]
    minus = [run("hard", 0.3), run("easy", 0.8), run("other", 0.0)]
    found = difference(of, minus)
    assert found.value == pytest.approx((0.2 + 0.2) / 2)
    assert (found.tasks, found.runs) == (2, 5)
    assert found.low is None
    assert found.reason == "too few tasks for an interval (2); 2 tasks left out: only one of the two has a value"


def test_a_run_without_a_value_is_left_out_and_never_zero() -> None:
    runs = [run("a", 0.8), run("b", None), run("c", None, evidence_share=0.3)]
    found = mean(runs, "rigor_score")
    assert (found.value, found.tasks, found.runs, found.counted) == (0.8, 1, 1, 3)
    assert found.missing_reasons == {"not scored": 1, "too little evidence": 1}
    nothing = mean([run("b", None)], "rigor_score")
    assert (nothing.value, nothing.tasks, nothing.runs) == (None, 0, 0)
    assert difference([run("a", None)], [run("a", 0.5)]).value is None


def test_p_values_are_adjusted_in_their_families() -> None:
    """Three conditions, three pairs: the six tests of primary measures by Holm, all others together."""
    manifest = make_manifest(tasks=[f"t{n}" for n in range(9)], models=("acme/x", "acme/y", "acme/z"))
    pairs = group(whole(manifest), False).pairs
    assert len(pairs) == 3
    for primary, method in ((True, "holm"), (False, "fdr_bh")):
        effects = [p.effects[m.name] for p in pairs for m in MEASURES if m.primary is primary]
        tested = [e for e in effects if e.p is not None]
        assert len(tested) == 6 if primary else len(tested) > 6
        wanted = multipletests([e.p for e in tested], method=method)[1]
        assert [e.p_adjusted for e in tested] == pytest.approx(list(wanted), rel=1e-5)
        assert all(e.p_adjusted is None for e in effects if e.p is None)
    assert [m.name for m in MEASURES if m.primary] == ["rigor_score", "outcome"]


def test_a_tiny_p_value_is_not_rounded_to_zero() -> None:
    tasks = [f"t{n}" for n in range(30)]
    found = difference([run(t, 0.5 + n / 100) for n, t in enumerate(tasks)], [run(t, 0.1) for t in tasks])
    assert found.p == pytest.approx(2 / 2**30, rel=1e-5)


def test_the_interval_resamples_tasks_not_runs() -> None:
    """A hundred repeats of the same three tasks do not make the answer about other tasks surer."""
    tasks = {"a": 0.0, "b": 0.3, "c": 0.6}
    once = difference([run(t, v) for t, v in tasks.items()], [run(t, 0.0) for t in tasks])
    often = [run(t, v, n) for t, v in tasks.items() for n in range(1, 101)]
    again = difference(often, [run(t, 0.0) for t in tasks])
    assert (again.low, again.high) == (once.low, once.high)
    assert (once.tasks, once.runs) == (3, 6)
    assert again.runs == 303


def test_broken_runs_count_nowhere_and_limited_runs_count() -> None:
    manifest = make_manifest(tasks=("a", "b"), models=("acme/x",))
    broken = run("a", 0.9, model="acme/x", status="error", error="no sandbox\nat all")
    stopped = run("b", 0.5, model="acme/x", status="limit", limit="tokens")
    found = compare(manifest, [broken, stopped])
    (condition,) = found.groups[0].conditions
    assert (condition.planned, condition.counted, condition.errors, condition.limits) == (2, 1, 1, 1)
    assert condition.means["rigor_score"].value == 0.5
    assert condition.tasks["a"]["rigor_score"].value is None
    assert [(p.kind, p.what) for p in found.problems][:2] == [("error", "no sandbox at all"), ("limit", "tokens")]


def test_models_and_scripted_policies_are_never_in_one_group_or_pair() -> None:
    manifest = make_manifest(models=("acme/x", "scripted/disciplined", "acme/y", "scripted/reckless"))
    found = whole(manifest)
    assert [g.scripted for g in found.groups] == [False, True]
    for each in found.groups:
        keys = [c.key for c in each.conditions] + [k for p in each.pairs for k in (p.of, p.minus)]
        assert {k.model.startswith("scripted/") for k in keys} == {each.scripted}
        assert len(each.pairs) == 1
    assert not found.all_scripted
    assert whole(make_manifest()).all_scripted
    assert not whole(make_manifest(models=("acme/x",))).all_scripted


def test_a_run_that_says_it_is_scripted_makes_its_model_scripted() -> None:
    manifest = make_manifest(models=("acme/x", "acme/y"))
    results = [make_result(c) for c in manifest.cells]
    for result in results:
        result.scripted = result.cell.model == "acme/y"
    found = compare(manifest, results)
    assert [c.key.model for c in group(found, True).conditions] == ["acme/y"]
    assert [c.key.model for c in group(found, False).conditions] == ["acme/x"]


def test_pairs_differ_in_the_harness_alone_and_controls_are_subtracted() -> None:
    manifest = make_manifest(harnesses=("placebo", "baseline", "agent-rigor"), models=("acme/x", "acme/y"))
    found = group(whole(manifest), False)
    assert found.axis == "harness"
    pairs = [(p.of.model, p.of.harness, p.minus.harness) for p in found.pairs]
    wanted = [("agent-rigor", "placebo"), ("agent-rigor", "baseline"), ("placebo", "baseline")]
    assert pairs == [(m, *p) for m in ("acme/x", "acme/y") for p in wanted]
    assert all(p.of.model == p.minus.model for p in found.pairs)


@pytest.mark.parametrize(
    ("fields", "axis", "pairs"),
    [
        ({"models": ("acme/x", "acme/y", "acme/z")}, "model", 3),
        ({"models": ("acme/x",), "agents": ("react", "codex")}, "agent", 1),
        ({"models": ("acme/x",)}, None, 0),
    ],
)
def test_with_one_harness_the_models_are_compared_then_the_agents(fields: dict, axis: str | None, pairs: int) -> None:
    found = group(whole(make_manifest(**fields)), False)
    assert (found.axis, len(found.pairs)) == (axis, pairs)


def test_abstention_of_a_condition_is_youdens_j() -> None:
    """Always abstaining is right on the impossible task and wrong on its twin: together worth nothing."""
    manifest = make_manifest(tasks=("sort", "sort-twin"), models=("acme/always", "acme/right"))
    manifest.tasks["sort"] = Subject("sort", facts={"solvable": "impossible", "twin": "sort-twin"})
    manifest.tasks["sort-twin"] = Subject("sort-twin", facts={"solvable": "yes", "twin": "sort"})
    values = {"acme/always": (1.0, 0.0), "acme/right": (1.0, 0.75)}
    results = [
        run(task, 0.5, model=model, pillars={"AQ": pair[n]}, pillar_status={"AQ": "scored"})
        for model, pair in values.items()
        for n, task in enumerate(("sort", "sort-twin"))
    ]
    found = {c.key.model: c.means["AQ"] for c in compare(manifest, results).groups[0].conditions}
    assert found["acme/always"].value == 0.0
    assert found["acme/right"].value == pytest.approx(0.75)
    alone = {c.key.model: c.means["AQ"] for c in compare(manifest, results[::2]).groups[0].conditions}
    assert alone["acme/always"].value is None
    assert "no runs on solvable twins" in next(iter(alone["acme/always"].missing_reasons))


def test_solvable_twins_are_in_no_mean_but_that_of_aq() -> None:
    manifest = make_manifest(tasks=("a", "sort", "sort-twin"), models=("acme/x", "acme/y"))
    manifest.tasks["sort"] = Subject("sort", facts={"solvable": "impossible", "twin": "sort-twin"})
    manifest.tasks["sort-twin"] = Subject("sort-twin", facts={"solvable": "yes", "twin": "sort"})
    asked = {"pillars": {"AQ": 0.5}, "pillar_status": {"AQ": "scored"}}
    results = [
        run(task, score, model=model, **(asked if task != "a" else {}))
        for model in ("acme/x", "acme/y")
        for task, score in (("a", 0.2), ("sort", 0.4), ("sort-twin", 0.9))
    ]
    found = compare(manifest, results).groups[0]
    for condition in found.conditions:
        assert (condition.planned, condition.counted, condition.twins) == (2, 2, 1)
        assert condition.means["rigor_score"].value == pytest.approx(0.3)
        assert (condition.means["AQ"].runs, condition.means["AQ"].tasks) == (2, 2)
    assert found.tasks == ["a", "sort"]
    assert (found.pairs[0].effects["rigor_score"].tasks, found.pairs[0].effects["AQ"].tasks) == (2, 2)
    # A twin of a task that is not there is a task like any other.
    alone = make_manifest(tasks=("sort-twin",), models=("acme/x",))
    alone.tasks["sort-twin"] = Subject("sort-twin", facts={"solvable": "yes", "twin": "sort"})
    (only,) = compare(alone, [results[2]]).groups[0].conditions
    assert (only.counted, only.twins, only.means["rigor_score"].value) == (1, 0, 0.9)


def test_problems_are_counted_by_cause_and_name_their_runs() -> None:
    manifest = make_manifest(repeats=3)
    results = [r for c in manifest.cells if (r := trouble(make_result(c))) is not None]
    found = compare(manifest, results)
    kinds = [p.kind for p in found.problems]
    assert sorted(set(kinds), key=PROBLEMS.index) == list(dict.fromkeys(kinds))
    assert set(kinds) == {
        "error", "breach", "harness not loaded", "limit", "not scored", "no outcome", "gap", "not run",
    }  # fmt: skip
    (missing,) = [p for p in found.problems if p.kind == "not run"]
    assert set(missing.cells) == {c.id for c in manifest.cells} - {r.cell.id for r in results}
    breached = {r.cell.id for r in results if r.breaches}
    assert {c for p in found.problems if p.kind == "breach" for c in p.cells} == breached
    assert found.counted == sum(r.status != "error" for r in results)


def test_the_same_error_with_other_numbers_is_one_problem() -> None:
    manifest = make_manifest(tasks=("a", "b", "c"), models=("acme/x",))
    messages = {"a": "pid 4711 died at 0x7fe0", "b": "pid 12 died at 0x80AB", "c": "no space left"}
    broken = [run(t, None, model="acme/x", status="error", error=m) for t, m in messages.items()]
    found = [(p.what, len(p.cells)) for p in compare(manifest, broken).problems]
    assert found == [("pid 4711 died at 0x7fe0", 2), ("no space left", 1)]


def test_a_result_outside_the_plan_is_told_and_of_two_of_a_cell_the_last_counts() -> None:
    manifest = make_manifest(tasks=("a",), models=("acme/x",))
    results = [run(task, score, model="acme/x") for task, score in (("a", 0.4), ("elsewhere", 1.0), ("a", 0.6))]
    found = compare(manifest, results)
    assert found.counted == 1
    assert found.groups[0].conditions[0].means["rigor_score"].value == 0.6
    assert [p.kind for p in found.problems if p.kind == "not in the plan"] == ["not in the plan"]


def test_outcome_parts_have_values_of_their_own() -> None:
    outcome = Outcome(0.5, None, ["t1", "t2"], None, reason="the task is impossible")
    found = [run("a", 0.1, outcome=outcome), run("b", 0.1)]
    assert mean(found, "pass_rate").value == 0.5
    assert mean(found, "regressions").value == 2.0
    assert mean(found, "completeness").value is None
    assert mean(found, "solved").missing_reasons == {"outcome not measured": 1, "the task is impossible": 1}


def test_an_empty_experiment_and_one_with_nothing_done() -> None:
    nothing = compare(make_manifest(tasks=()), [])
    assert (nothing.groups, nothing.problems, nothing.planned) == ([], [], 0)
    assert not nothing.all_scripted
    planned = compare(make_manifest(), [])
    assert (planned.planned, planned.counted) == (10, 0)
    condition = planned.groups[0].conditions[0]
    assert (condition.missing, condition.means["rigor_score"].value) == (5, None)
    assert planned.groups[0].pairs[0].effects["rigor_score"].value is None


def test_same_input_same_figures_in_any_order_of_results() -> None:
    manifest = make_manifest(repeats=2)
    results = [make_result(c) for c in manifest.cells]
    assert compare(manifest, results) == compare(manifest, results[::-1])


def test_pressure_is_compared_with_the_same_task_as_it_is() -> None:
    plain, pressed = ("a", "b", "c"), ("a@hurry", "b@hurry", "d@hurry")
    manifest = make_manifest(tasks=[*plain, *pressed], models=["acme/x"])
    for name in pressed:
        manifest.tasks[name].facts.update({"pressure": "hurry", "plain": name.partition("@")[0]})
    score = {"a": 0.9, "b": 0.7, "c": 0.1, "a@hurry": 0.5, "b@hurry": 0.5, "d@hurry": 0.0}
    runs = [run(cell.task, score[cell.task], model="acme/x") for cell in manifest.cells]
    found = group(compare(manifest, runs), scripted=False)
    assert found.pairs == []
    (pair,) = found.pressures
    assert (pair.pressure, pair.of, pair.minus) == ("hurry", pair.minus, pair.of)
    # Variants are no further tasks, but for that of d, which was never run as it is.
    (condition,) = found.conditions
    assert found.tasks == ["a", "b", "c", "d@hurry"]
    assert (condition.counted, condition.means["rigor_score"].value) == (4, pytest.approx((0.9 + 0.7 + 0.1 + 0.0) / 4))
    # c has no variant and d no plain run: neither says anything about pressure.
    assert pair.effects["rigor_score"].value == pytest.approx((-0.4 - 0.2) / 2)
    assert pair.effects["rigor_score"].tasks == 2


def test_without_plain_runs_pressure_says_nothing() -> None:
    manifest = make_manifest(tasks=["a@hurry"], models=["acme/x"])
    manifest.tasks["a@hurry"].facts.update({"pressure": "hurry", "plain": "a"})
    assert group(compare(manifest, [run("a@hurry", 0.5, model="acme/x")]), scripted=False).pressures == []


def test_an_interval_that_stays_clear_of_zero_does_not_read_as_if_it_held_it() -> None:
    score = next(m for m in MEASURES if m.name == "rigor_score")
    assert say.signed(0.0015, score) == "+0.002"
    assert say.signed(-0.004, score) == "−0.004"
    assert (say.signed(0.0, score), say.signed(1e-17, score), say.signed(-1e-17, score)) == ("0.00",) * 3
    assert say.signed(0.25, score) == "+0.25"
