"""``rigor explain``: every check and grade in words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rigorbench.cli import main
from rigorbench.review.catalogue import all_checks
from rigorbench.review.explain import examples, grade_texts
from rigorbench.review.review import GRADES


def explain(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> str:
    assert main(["explain", *words]) == 0
    return capfdbinary.readouterr().out.decode()


def flat(text: str) -> str:
    return " ".join(text.split())


def test_without_a_name_every_check_is_listed_with_its_sentence(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
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


def test_a_check_says_when_it_applies_what_to_do_and_what_it_misses(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert set(examples()) == set(all_checks())
    for check in all_checks().values():
        said, example = flat(explain(capfdbinary, check.id.lower())), examples()[check.id]
        assert check.sentence in said
        assert f"Applies to {check.applies}." in said
        assert f"Cannot see {check.blind}" in said
        assert check.advice is None or f"Advice {check.advice}" in said
        assert (example.seen is None) == (check.severity == "strength")
        assert f"Example {flat(example.seen or example.instead)}" in said
        assert example.instead
        assert flat(example.instead) in said


@pytest.mark.parametrize("name", [*GRADES, "overall"])
def test_a_grade_says_what_it_means_and_who_gives_it(capfdbinary: pytest.CaptureFixture[bytes], name: str) -> None:
    said = flat(explain(capfdbinary, name))
    grade = grade_texts()[name]
    assert said.startswith(f"{name} A reader says how well {grade.means}.")
    assert f"None where {grade.null}." in said
    assert "Without one there is no grade" in said


def test_json_has_the_same_for_programs(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    document: dict[str, Any] = json.loads(explain(capfdbinary, "--json"))
    assert document["schema"] == "rigor-explain/2"
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
    assert line.startswith("rigor explain: no check or grade 'V-narow' (did you mean V-narrow?); `rigor explain` lists")
    assert main(["explain", "@@@@"]) == 2
    assert "`rigor explain` lists them" in capfdbinary.readouterr().err.decode()
