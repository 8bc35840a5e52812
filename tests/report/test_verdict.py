"""The first sentences of an experiment: they claim what the adjusted test supports, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from fake_experiment import make_manifest, make_result, write_experiment
from rigorbench.bench.experiment.compare import ConditionGroup, Effect, compare
from rigorbench.bench.experiment.records import Breach, Outcome, RunResult
from rigorbench.bench.pages.experiment import figures
from rigorbench.bench.pages.experiment.site import write_site
from rigorbench.bench.pages.text import experiment as say
from rigorbench.bench.pages.text.experiment import problem_text, verdict

from .test_experiment_site import words

Score = Callable[[RunResult], float | None]


def group_of(tasks: int, score: Score, models: tuple[str, ...] = ("acme/x", "acme/y")) -> ConditionGroup:
    manifest = make_manifest(tasks=[f"t{n}" for n in range(tasks)], models=models)
    results = []
    for cell in manifest.cells:
        run = make_result(cell)
        value = score(run)
        results.append(replace(run, rigor_score=value, outcome=Outcome(value, None, None, None, score=value)))
    (group,) = compare(manifest, results).groups
    return group


def hash_of(run: RunResult) -> int:
    """The same as often above as below that of another model."""
    return (int(run.cell.task[1:]) + ord(run.cell.model[-1])) % 2


def apart(gap: float) -> Score:
    """x above y by about ``gap`` on every task."""
    return lambda run: round(0.2 + (gap if run.cell.model == "acme/x" else 0.0) + int(run.cell.task[1:]) / 200, 4)


def test_a_difference_that_the_test_supports_is_claimed() -> None:
    def score(run: RunResult) -> float:
        return apart(0.5)(run) + (int(run.cell.task[1:]) % 3 / 50 if run.cell.model == "acme/x" else 0.0)

    first, outcome = verdict(group_of(12, score))
    assert first.startswith("acme/x beats acme/y by 0.52 of RigorScore on 12 tasks (0.75 against 0.23; ")
    assert first.endswith("adjusted p = 0.001).")
    assert outcome == "Outcome score: 0.75 for acme/x, 0.23 for acme/y (adjusted p = 0.001)."


@pytest.mark.parametrize(("models", "needed"), [(2, 7), (3, 8), (4, 9)])
def test_too_few_tasks_are_said_with_how_many_a_test_of_so_many_pairs_takes(models: int, needed: int) -> None:
    names = tuple(f"acme/{letter}" for letter in "xyzw"[:models])
    group = group_of(
        5, lambda run: apart(0.5)(run) + int(run.cell.task[1:]) % 3 / 50 * (run.cell.model == names[0]), names
    )
    found = verdict(group)
    assert found[0].startswith("acme/x scored 0.52 more than acme/y on 5 tasks (")
    assert found[0].endswith(f"); it was better on 5 of them; too few for a test ({needed} needed).")
    assert len(found) == 2
    for pair in group.pairs:
        assert {(e.p, e.p_adjusted) for e in pair.effects.values()} == {(None, None)}


def test_with_as_many_tasks_as_are_needed_there_is_a_test() -> None:
    (pair,) = group_of(7, apart(0.5)).pairs
    effect = pair.effects["rigor_score"]
    assert (effect.needed, effect.p, effect.p_adjusted) == (0, 2 / 2**7, 4 / 2**7)


def test_scripted_policies_are_not_tested() -> None:
    names = ("scripted/good", "scripted/bad")
    group = group_of(30, lambda run: apart(0.5)(run) + 0.3 * (run.cell.model == names[0]), names)
    first, outcome = verdict(group)
    assert first == "good scored 0.30 more than bad on 30 tasks (0.57 against 0.27); it was better on 30 of them."
    assert outcome == "Outcome score: 0.57 for good, 0.27 for bad."
    effects = [e for pair in group.pairs for e in pair.effects.values()]
    assert all((e.p, e.p_adjusted, e.needed) == (None, None, 0) for e in effects)


def test_what_may_be_chance_is_no_claim() -> None:
    def score(run: RunResult) -> float:
        number = int(run.cell.task[1:])
        return 0.5 + (0.3 if number % 2 else -0.28) if run.cell.model == "acme/x" else 0.5

    first, needed, _ = verdict(group_of(12, score))
    assert first.startswith("acme/x scored 0.01 more than acme/y on 12 tasks (0.51 against 0.50): it may be chance")
    assert needed.startswith("About ")
    assert int(needed.split()[1].replace(",", "")) > 1_000


@pytest.mark.parametrize(
    ("tasks", "score", "says"),
    [
        (6, lambda run: 0.5, "acme/x and acme/y have the same RigorScore on 6 tasks: 0.50."),
        (2, apart(0.3), "acme/x scored 0.30 more than acme/y on 2 tasks (0.50 against 0.20); it was"),
        (3, lambda run: 0.4 if run.cell.model == "acme/x" else None, "acme/x has a RigorScore of 0.40 on 3 tasks and"),
    ],
)
def test_without_a_test_nothing_is_claimed(tasks: int, score: Score, says: str) -> None:
    first = verdict(group_of(tasks, score))[0]
    assert first.startswith(says)
    assert "beats" not in first


def test_of_many_conditions_the_two_best_are_named_and_the_pairs_counted() -> None:
    scores = {"acme/x": 0.9, "acme/y": 0.2, "acme/z": 0.5}
    found = verdict(group_of(4, lambda run: scores[run.cell.model], tuple(scores)))
    assert found[0].startswith("acme/x scored 0.40 more than acme/z on 4 tasks")
    mixed = verdict(group_of(8, lambda run: 0.5 + hash_of(run) / 100, tuple(scores)))
    assert mixed[-1] == "In none of the 3 pairs of conditions is a difference in RigorScore certain."


def test_one_run_is_told_in_one_sentence_and_a_short_page(tmp_path: Path) -> None:
    manifest = make_manifest(tasks=("t0",), models=("acme/x",))

    def change(run: RunResult) -> RunResult:
        tests = Outcome(0.25, None, None, False, score=0.25)
        return replace(run, rigor_score=0.4, outcome=tests, breaches=[Breach("test-deleted", "gone", [])])

    index = write_site(tmp_path, manifest, write_experiment(tmp_path, manifest, change))
    text = words(index)
    assert "acme/x has a RigorScore of 0.40 on t0, has an Outcome score of 0.25 and did not solve the task." in text
    assert "Seen in this run: removed existing tests that fail on its code." in text
    for absent in ("Differences", "By task", "Correlations", "Not available", "Repeats", "stronger colour"):
        assert absent not in text


def test_nothing_done_says_why() -> None:
    manifest = make_manifest(tasks=("a", "b"), models=("acme/x",))
    broke = RunResult("rigor-run/1", manifest.cells[0], "error", 0.0, 0.0, error="no sandbox")
    (group,) = compare(manifest, [broke]).groups
    assert verdict(group) == ["No run counts: 1 broke, 1 have no result yet."]


def test_what_went_wrong_is_counted_for_each_condition() -> None:
    manifest = make_manifest(tasks=("a", "b"), models=("acme/x", "acme/y"))
    results = [make_result(c) for c in manifest.cells]
    for run in results:
        if run.cell.model == "acme/y":
            run.breaches = [Breach("test-deleted", "gone", [])]
    (group,) = compare(manifest, results).groups
    table = figures.flag_table(group, results, {})
    assert table.heads == [("removed existing tests that fail on its code", "")]
    assert table.rows == [("acme/x", [(0, 2)]), ("acme/y", [(2, 2)])]
    assert table.summary == "2 of 4 runs did something forbidden or have a flag of the review, all of acme/y."


def test_runs_on_a_solvable_twin_are_none_of_those_that_the_flags_are_counted_in() -> None:
    manifest = make_manifest(tasks=("a", "b", "twin"), models=("acme/x", "acme/y"))
    manifest.tasks["twin"].facts.update(solvable="yes", twin="a")
    results = [make_result(c) for c in manifest.cells]
    for run in results:
        if run.cell.task in ("b", "twin"):
            run.breaches = [Breach("test-deleted", "gone", [])]
    (group,) = compare(manifest, results).groups
    assert [c.counted for c in group.conditions] == [2, 2]
    table = figures.flag_table(group, results, {})
    assert [seen for _, seen in table.rows] == [[(1, 2)], [(1, 2)]]
    assert table.summary.startswith("2 of 4 runs did something forbidden")
    (problem,) = compare(manifest, results).problems
    assert len(problem.cells) == 4
    assert problem_text(problem, manifest).endswith("fail on its code (2 of them on solvable twins)")


def test_the_chart_has_the_best_condition_first_and_a_dot_for_each_task() -> None:
    scores = {"acme/x": 0.2, "acme/y": 0.9}
    first, second = figures.ranked(group_of(3, lambda run: scores[run.cell.model]))
    assert (first.key.model, second.key.model) == ("acme/y", "acme/x")
    assert [figures.of_tasks(first, measure) for measure in figures.PRIMARY] == [[0.9] * 3] * 2


def test_an_effect_size_of_few_tasks_is_not_shown() -> None:
    few, enough = (Effect(0.8, 0.7, 0.9, n, 2 * n, size=56.2) for n in (9, 10))
    assert (say.effect_size(few), say.effect_size(enough)) == ("–", "+56.20")


@pytest.mark.parametrize(("p", "text"), [(0.0312, "p = 0.031"), (0.0004, "p < 0.001")])
def test_a_small_p_has_one_sign(p: float, text: str) -> None:
    assert say.p_equals(p) == text


def test_a_first_line_that_goes_on_ends_with_an_ellipsis() -> None:
    assert say.lead("The shares do not always add up to its") == "The shares do not always add up to its …"
    assert say.lead("Fix it.") == "Fix it."
