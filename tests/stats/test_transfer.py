"""Transfer between categories and the weights of pillars, with planted truth."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rigorbench.base.stats.transfer import transfer

CATEGORIES = ("plan", "verify", "loop", "fold", "build")


def experiment(chance: np.random.Generator, conditions: int, own: float, shared: float, tasks: int = 6) -> tuple:
    """Scores = level of the task + ``shared`` x skill + ``own`` x skill in the category + noise of the task."""
    names = [f"{c}{n}" for c in CATEGORIES for n in range(tasks)]
    level = dict(zip(names, chance.normal(0, 1, len(names)), strict=True))
    scores = {}
    for condition in range(conditions):
        skill, skills = chance.normal(), dict(zip(CATEGORIES, chance.normal(size=5), strict=True))
        scores[f"c{condition}"] = {
            t: level[t] + shared * skill + own * skills[t.rstrip("0123456789")] + chance.normal(0, 0.02) for t in names
        }
    return scores, {t: t.rstrip("0123456789") for t in names}


def test_a_skill_that_all_categories_share_transfers() -> None:
    scores, category = experiment(np.random.default_rng(1), 6, own=0.02, shared=1.0)
    found = transfer(scores, category)
    assert found.concordance > 0.95
    assert found.p == 1 / 10_001
    assert not found.exact
    assert found.categories == dict.fromkeys(sorted(CATEGORIES), 6)
    assert all(pair.spearman is not None and pair.spearman > 0.9 for pair in found.pairs)
    assert all(held.tau is not None and held.tau > 0.8 for held in found.held_out)
    assert len(found.pairs) == 10
    assert found.reason == ""


def test_the_exact_p_is_that_of_all_exchanges() -> None:
    """Two conditions on three categories, by hand: one leads in the first two by .5 and .1, and falls back by .3."""
    scores = {"a": {"p": 0.9, "v": 0.6, "l": 0.1}, "b": {"p": 0.4, "v": 0.5, "l": 0.4}}
    found = transfer(scores, {"p": "plan", "v": "verify", "l": "loop"})

    def concordance(gaps: tuple[float, ...]) -> float:
        return sum((sum(gaps) - g) * g > 0 for g in gaps) / 3

    gaps = (0.5, 0.1, -0.3)
    ways = [
        concordance(tuple(s * g for s, g in zip(signs, gaps, strict=True)))
        for signs in itertools.product((1, -1), repeat=3)
    ]
    assert found.concordance == pytest.approx(concordance(gaps))
    assert found.p == sum(w >= concordance(gaps) for w in ways) / 8
    assert found.reason == "2 conditions on 3 categories: no p-value under 0.25 is possible"
    assert {pair.reason for pair in found.pairs} == {"too few conditions (2)"}


def test_only_tasks_that_all_conditions_have_count() -> None:
    """An easy task that only one of them was run on cannot carry it to the top of a category."""
    scores = {"a": {"p1": 0.2, "p2": 1.0, "v1": 0.2}, "b": {"p1": 0.4, "v1": 0.6}, "nothing": {}}
    found = transfer(scores, {"p1": "plan", "p2": "plan", "v1": "verify"})
    assert found.conditions == ["a", "b"]
    assert found.scores == {"a": {"plan": 0.2, "verify": 0.2}, "b": {"plan": 0.4, "verify": 0.6}}
    assert (found.left_out, found.concordance) == (1, 1.0)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ({}, "fewer than two conditions with values on the same tasks"),
        ({"a": {"p": 1.0, "v": 0.0}}, "fewer than two conditions with values on the same tasks"),
        ({"a": {"p": 1.0}, "b": {"p": 0.0, "v": 1.0}}, "fewer than two categories with values on the same tasks"),
        ({"a": {"p": 1.0, "?": 1}, "b": {"p": 0.0, "?": 1}}, "fewer than two categories with values on the same tasks"),
    ],
)
def test_what_cannot_be_said_says_why(scores: dict, reason: str) -> None:
    found = transfer(scores, {"p": "plan", "v": "verify"})
    assert (found.concordance, found.p, found.reason) == (None, None, reason)


def test_conditions_that_score_the_same_have_no_order() -> None:
    found = transfer({c: {"p": 0.5, "v": 0.5} for c in "abc"}, {"p": "plan", "v": "verify"})
    assert (found.concordance, found.p) == (0.5, 1.0)
    assert all(held.tau is None and held.reason for held in found.held_out)
    assert all(pair.pearson is None and pair.reason for pair in found.pairs)
