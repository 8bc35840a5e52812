"""The analysis of an experiment: what goes in, what stays out, and planted truth that comes out again."""

from __future__ import annotations

import random

import msgspec
import pytest

from fake_experiment import START, make_manifest, make_result, trouble
from rigorbench.bench.experiment.analysis import Analysis, GroupAnalysis, analyse, names
from rigorbench.bench.experiment.compare import compare
from rigorbench.bench.experiment.records import RESULT_SCHEMA, Cell, ConditionKey, Outcome, RunResult, Subject


def run(cell: Cell, score: float | None, passed: float | None = None, **fields: object) -> RunResult:
    outcome = None if passed is None else Outcome(passed, None, None, passed == 1.0, score=passed)
    made = RunResult(RESULT_SCHEMA, cell, "completed", START, 1.0, rigor_score=score, outcome=outcome)
    for key, value in fields.items():
        setattr(made, key, value)
    return made


def only(analysis: Analysis) -> GroupAnalysis:
    (found,) = analysis.groups
    return found


def relation(group: GroupAnalysis, x: str, y: str):
    (found,) = [r.correlations for r in group.relations if (r.x, r.y) == (x, y)]
    return found


def test_models_and_scripted_policies_are_analysed_apart() -> None:
    manifest = make_manifest(models=("acme/x", "scripted/disciplined", "acme/y", "scripted/reckless"), repeats=2)
    results = [make_result(c) for c in manifest.cells]
    found = analyse(manifest, results)
    assert (
        [g.scripted for g in found.groups] == [g.scripted for g in compare(manifest, results).groups] == [False, True]
    )
    for group in found.groups:
        assert {k.model.startswith("scripted/") for k in group.conditions.values()} == {group.scripted}
        assert relation(group, "rigor_score", "outcome").pooled.n == 20
        assert set(group.sensitivity.ranking) == set(group.conditions) == set(group.transfer.conditions)
        assert [c.key for c in group.consistency] == list(group.conditions.values())


def test_every_relation_of_the_specification_is_there() -> None:
    manifest = make_manifest(repeats=2)
    kinds = [(r.kind, r.x, r.y) for r in only(analyse(manifest, [make_result(c) for c in manifest.cells])).relations]
    effort = ("tokens", "model_calls", "seconds", "cost")
    assert kinds == [
        ("process-outcome", "rigor_score", "outcome"),
        *(("effort-process", e, "rigor_score") for e in effort),
        *(("effort-outcome", e, "outcome") for e in effort),
    ]


def test_consistency_is_that_of_the_planted_repeats() -> None:
    """Repeats that agree wholly on one condition; on the other as much within tasks as between."""
    manifest = make_manifest(tasks=[f"t{n}" for n in range(30)], models=("acme/same", "acme/any"), repeats=3)
    chance = random.Random(2)
    level = {t: chance.random() for t in manifest.tasks}
    results = [
        run(c, level[c.task] if c.model == "acme/same" else chance.random(), float(c.repeat == 1))
        for c in manifest.cells
    ]
    same, other = only(analyse(manifest, results)).consistency
    assert (same.key.model, same.icc["rigor_score"].single) == ("acme/same", 1.0)
    assert other.icc["rigor_score"].single == pytest.approx(0, abs=0.3)
    assert other.icc["rigor_score"].within == pytest.approx(1 / 12, rel=0.3)
    # One of three repeats solves each task.
    assert [(p.k, p.at, p.hat, p.tasks) for p in same.passes] == [
        (1, pytest.approx(1 / 3), pytest.approx(1 / 3), 30),
        (2, pytest.approx(2 / 3), 0.0, 30),
        (3, 1.0, 0.0, 30),
    ]


def test_broken_runs_pressure_variants_and_missing_values_stay_out() -> None:
    tasks = ("a", "b", "c", "a@hurry")
    manifest = make_manifest(tasks=tasks, models=["acme/x", "acme/y"])
    manifest.tasks["a@hurry"].facts.update({"pressure": "hurry", "plain": "a"})
    results = [run(c, 0.5 if c.task != "a@hurry" else 0.0, 0.5) for c in manifest.cells]
    results[0].status = "error"
    results[1].rigor_score = None
    found = only(analyse(manifest, results))
    assert relation(found, "rigor_score", "outcome").pooled.n == len(results) - 2 - 2
    assert relation(found, "seconds", "outcome").pooled.n == len(results) - 2 - 1


def test_transfer_uses_the_categories_of_the_manifest() -> None:
    manifest = make_manifest(tasks=("p1", "p2", "v1", "v2", "nowhere"), models=("acme/x", "acme/y", "acme/z"))
    for task, subject in manifest.tasks.items():
        subject.facts["category"] = {"p": "plan", "v": "verify"}.get(task[0])
    worth = {"acme/x": 0.9, "acme/y": 0.5, "acme/z": 0.1}
    found = only(analyse(manifest, [run(c, worth[c.model]) for c in manifest.cells])).transfer
    assert (found.categories, found.left_out) == ({"plan": 2, "verify": 2}, 1)
    assert (found.concordance, found.p) == (1.0, pytest.approx(1 / 6, rel=1e-5))
    assert found.pairs[0].pearson == 1.0


def test_sensitivity_weighs_the_pillars_of_common_tasks() -> None:
    """x leads in RE on a task that y never ran: that says nothing about their order."""
    manifest = make_manifest(tasks=("a", "b"), models=("acme/x", "acme/y"))
    pillars = {
        ("a", "acme/x"): {"PF": 0.5, "VC": 0.5, "RE": 0.2},
        ("a", "acme/y"): {"PF": 0.4, "VC": 0.8, "RE": 0.3},
        ("b", "acme/x"): {"PF": 0.5, "VC": 0.5, "RE": 1.0},
    }
    results = [
        run(c, 0.5, pillars=pillars[c.task, c.model], pillar_status=dict.fromkeys(pillars[c.task, c.model], "scored"))
        for c in manifest.cells
        if (c.task, c.model) in pillars
    ]
    found = only(analyse(manifest, results)).sensitivity
    x, y = names(ConditionKey("react", "baseline", m) for m in ("acme/x", "acme/y"))
    assert found.ranking == [y, x]
    assert found.scores[x] == pytest.approx((0.2 * 0.5 + 0.25 * 0.5 + 0.25 * 0.2) / 0.7, rel=1e-5)
    assert set(found.left_out) == {"AQ", "ATI"}


def test_aq_of_a_condition_is_youdens_j_there_too() -> None:
    manifest = make_manifest(tasks=("sort", "twin"), models=("acme/always", "acme/right"))
    manifest.tasks["sort"] = Subject("sort", facts={"solvable": "impossible"})
    manifest.tasks["twin"] = Subject("twin", facts={"solvable": "yes"})
    values = {("sort", "acme/always"): 1.0, ("twin", "acme/always"): 0.0}
    results = [
        run(
            c,
            0.5,
            pillars={"AQ": values.get((c.task, c.model), 1.0), "PF": 0.5},
            pillar_status={"AQ": "scored", "PF": "scored"},
        )
        for c in manifest.cells
    ]
    found = only(analyse(manifest, results)).sensitivity
    assert sorted(found.scores.values()) == pytest.approx([0.1 / 0.35, 0.25 / 0.35], rel=1e-5)


def test_with_nothing_done_everything_says_why() -> None:
    found = only(analyse(make_manifest(), []))
    assert all(r.correlations.pooled.reason and r.correlations.within.reason for r in found.relations)
    assert all(i.reason for c in found.consistency for i in c.icc.values())
    assert found.transfer.reason
    assert found.sensitivity.reason
    assert analyse(make_manifest(tasks=()), []).groups == []


def test_the_document_has_no_nan_and_is_the_same_in_any_order() -> None:
    manifest = make_manifest(harnesses=("baseline", "agent-rigor"), repeats=3)
    results = [r for c in manifest.cells if (r := trouble(make_result(c))) is not None]
    written = msgspec.json.encode(analyse(manifest, results))
    assert b"NaN" not in written
    assert msgspec.json.encode(analyse(manifest, results[::-1])) == written
    assert msgspec.json.decode(written, type=Analysis) == analyse(manifest, results)


def test_a_number_that_cannot_be_is_no_value() -> None:
    """A damaged result must not turn the figures of all others into infinity."""
    manifest = make_manifest(repeats=2)
    results = [make_result(c) for c in manifest.cells]
    assert results[0].outcome is not None
    results[0].seconds, results[1].rigor_score = 1e308, -1e300
    results[0].outcome.score, results[0].cost, results[1].pillars["PF"] = -5.0, -2.0, 7.5
    group = only(analyse(manifest, results))
    assert relation(group, "seconds", "rigor_score").pooled.n == 18
    condition = compare(manifest, results).groups[0].conditions[0]
    wrong = ("seconds", "rigor_score", "outcome", "cost", "PF")
    assert {condition.means[name].missing_reasons["no plausible number"] for name in wrong} == {1}
