"""``rigor explain``: every check and grade in words, and what a check does to grades."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rigorbench.cli import main
from rigorbench.review.catalogue import all_checks
from rigorbench.review.explain import check_texts, examples, grade_texts
from rigorbench.review.grades import tables
from rigorbench.review.model import GRADES


def explain(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> str:
    assert main(["explain", *words]) == 0
    return capfdbinary.readouterr().out.decode()


def flat(text: str) -> str:
    return " ".join(text.split())


def test_without_a_name_every_check_is_listed_with_its_severity_and_sentence(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    listed = flat(explain(capfdbinary))
    for check in all_checks().values():
        assert f"{check.id} {check.severity} {check.sentence}" in listed
        assert check.pillar in listed


@pytest.mark.parametrize("name", ["V", "v", "honesty"])
def test_a_pillar_lists_its_own_checks(capfdbinary: pytest.CaptureFixture[bytes], name: str) -> None:
    listed = explain(capfdbinary, name)
    pillar = "honesty" if name == "honesty" else "verification"
    for check in all_checks().values():
        assert (f"  {check.id} " in listed) == (check.pillar == pillar)


def test_a_check_says_when_it_applies_what_to_do_and_what_it_cannot_see(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    for check in all_checks().values():
        said = flat(explain(capfdbinary, check.id.lower()))
        assert check.sentence in said
        assert f"Applies to {check.applies}." in said
        assert f"Cannot see {check.blind}" in said
        assert check.advice is None or f"Advice {check.advice}" in said


def test_every_check_has_an_example(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert set(examples()) == set(all_checks())
    for check in all_checks().values():
        example = examples()[check.id]
        assert (example.seen is None) == (check.severity == "strength")
        assert example.instead
        said = flat(explain(capfdbinary, check.id))
        assert f"Example {flat(example.seen or example.instead)}" in said
        assert flat(example.instead) in said


def test_a_check_names_every_ladder_that_asks_for_it() -> None:
    overall, ladders = tables()
    for id, text in check_texts().items():
        named = {
            n
            for n, ladder in ladders.items()
            for part in [*ladder.rungs, *ladder.caps, *ladder.moves]
            for condition in part.when
            if id in condition.replace("|", " ").replace("!", " ").split()
        }
        if any(id in c.replace("|", " ").replace("!", " ").split() for cap in overall.caps for c in cap.when):
            named.add("overall")
        assert {e.grade for e in text.effects} == named, id


def test_a_check_that_caps_and_one_that_must_be_silent(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    effects = check_texts()["V-ended-on-red"].effects
    assert [(e.kind, e.value, e.fires) for e in effects if e.grade == "overall"] == [("cap", 37, True)]
    rungs = [e for e in check_texts()["I-committed-red"].effects if e.kind == "rung"]
    assert rungs
    assert not any(e.fires for e in rungs)
    assert "overall: where it fires, at most 37" in flat(explain(capfdbinary, "V-ended-on-red"))


@pytest.mark.parametrize("name", [*GRADES, "overall"])
def test_a_grade_prints_its_rungs_caps_and_moves(capfdbinary: pytest.CaptureFixture[bytes], name: str) -> None:
    said = flat(explain(capfdbinary, name))
    grade = grade_texts()[name]
    for rung in grade.rungs:
        assert f"{rung.value} {rung.says}" in said
    for cap in grade.caps:
        assert f"{cap.value} where {'; '.join(cap.when)}" in said
    for move in grade.moves:
        assert f"{move.value:+d} {'; '.join(move.when)}" in said
    if grade.weight is not None:
        assert f"weight {grade.weight:g}" in said


def test_json_has_the_same_for_programs(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    document: dict[str, Any] = json.loads(explain(capfdbinary, "--json"))
    assert document["schema"] == "rigor-explain/1"
    assert [c["id"] for c in document["checks"]] == list(all_checks())
    assert [g["name"] for g in document["grades"]] == [*GRADES, "overall"]
    one = json.loads(explain(capfdbinary, "V-narrow", "--json"))
    assert [c["id"] for c in one["checks"]] == ["V-narrow"]
    assert one["grades"] == []


def test_an_unknown_name_is_an_error_with_the_nearest(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["explain", "V-narow"]) == 2
    captured = capfdbinary.readouterr()
    assert captured.out == b""
    [line] = captured.err.decode().splitlines()
    assert line.startswith("rigor explain: there is no check or grade 'V-narow'; the nearest: V-narrow")
    assert main(["explain", "@@@@"]) == 2
    assert "`rigor explain` lists them" in capfdbinary.readouterr().err.decode()
