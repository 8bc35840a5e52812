"""The registry of sub-metrics: its rows are complete, and what lists sub-metrics elsewhere does not drift from it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from rigorbench.bench.corpus.schema import EXTENDED as CORPUS_EXTENDED
from rigorbench.bench.rigorscore.combining import load
from rigorbench.bench.tasks.policies.policy import TARGETS
from rigorbench.review.pillars import EXTENDED, PILLARS, SUBMETRICS, SubMetricSpec

ROOT = Path(__file__).parents[2]
CONCEPTS, SCORING = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("concepts.md", "scoring.md"))
NAMES = {(spec.pillar, spec.name) for spec in SUBMETRICS}


@pytest.mark.parametrize("spec", SUBMETRICS, ids=lambda spec: spec.name)
def test_every_function_of_a_row_exists_and_takes_what_it_is_given(spec: SubMetricSpec) -> None:
    def parameters(function: str) -> list[str]:
        return [p.annotation for p in inspect.signature(load(function)).parameters.values()]

    assert parameters(spec.compute) == ["Session"]
    assert parameters(spec.reward) == ["View", "SubMetric"]
    from_hidden_tests = {"f(RAC)", "1-TWR"}  # they are known to the session, beside the replay
    assert (spec.replayed is not None or spec.name in from_hidden_tests) == ("replayed" in spec.methods)
    if spec.replayed is not None:
        assert parameters(spec.replayed) == ["ReplayResult"]


def test_every_measure_of_the_extended_profile_is_a_function_of_the_session() -> None:
    for function in EXTENDED.values():
        assert [p.annotation for p in inspect.signature(load(function)).parameters.values()] == ["Session"]
    # Quantities of the paper's later version are no columns of a corpus, whose schema does not change for them.
    assert tuple(EXTENDED)[: len(CORPUS_EXTENDED)] == CORPUS_EXTENDED


def test_names_are_unique_and_every_pillar_has_sub_metrics() -> None:
    assert len({spec.name for spec in SUBMETRICS}) == len(SUBMETRICS)
    assert [p.name for p in PILLARS] == list(dict.fromkeys(spec.pillar for spec in SUBMETRICS))


def test_the_targets_of_task_categories_are_sub_metrics() -> None:
    for targets in TARGETS.values():
        assert {(pillar, name) for pillar, names in targets.items() for name in names} <= NAMES


def test_scoring_md_has_a_section_for_every_sub_metric_under_its_title() -> None:
    headings = dict(re.findall(r"^### (\S+): (.+)$", SCORING, re.MULTILINE))
    for spec in SUBMETRICS:
        assert spec.title.startswith(headings[spec.name]), spec.name
    for name in EXTENDED:
        assert f"| `{name}` |" in SCORING


def test_the_table_of_the_concepts_lists_every_pillar_and_sub_metric() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in CONCEPTS.splitlines() if "|" in line]
    for pillar in PILLARS:
        row = next(row for row in rows if row[0] == f"{pillar.name} {pillar.title}")
        assert float(row[1]) == pillar.weight
        for spec in SUBMETRICS:
            if spec.pillar == pillar.name:
                assert re.search(rf"(?:^|· ){re.escape(spec.name)} ", row[2]), spec.name
