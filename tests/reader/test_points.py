"""Further points of a request: what is asked, how it is marked, and which answers have the form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import Session
from judged_answers import Scripted, answer
from rigorbench.base.points import Given, JudgePoint, Points, judged
from rigorbench.evidence.walk.extract import extract
from rigorbench.review.reader.ask import Readers
from rigorbench.review.reader.digest import digest
from rigorbench.review.reader.request import AnswerError, build, build_points, parse, parse_points
from rigorbench.review.reader.store import AnswerStore

SESSION = Session("Fix total").edit("a.py", "return 0\n", "return sum(items)\n").say("Done.").build()
ASKS = Points(
    (Given("Why the task cannot be done", "The list is sealed."),),
    (
        JudgePoint("declines", "AQ", "Does it decline?", "it leaves it.", "it does not."),
        JudgePoint("single", "DQ", "One piece of work?", "one.", "several.", ("Write a test", "Apply the rate")),
    ),
)


def said(**points: Any) -> str:
    request = build_points(ASKS, "")
    return json.dumps({"points": {**answer(request)["points"], **points}})


def test_a_request_with_points_has_a_schema_and_a_digest_of_its_own() -> None:
    text = digest(extract(SESSION))
    plain, asked = build(text), build(text, ASKS)
    assert plain.digest_sha256 == text.sha256 != asked.digest_sha256
    assert "points" not in plain.schema["properties"]
    assert list(asked.schema["properties"]["points"]["properties"]) == ["declines", "single"]
    assert asked.schema["properties"]["points"]["properties"]["single"]["properties"]["items"]["required"] == ["1", "2"]
    assert "| The list is sealed." in asked.user
    assert build(text, ASKS) == asked
    assert build(text, Points((), ())) == plain


def test_answers_are_by_key() -> None:
    found = parse_points(said(single={"why": "w", "items": {"1": "no", "2": "unknown"}}), ASKS).points
    assert found == {"declines": True, "single/1": False, "single/2": None}
    both = judged(ASKS, [found, {"declines": True, "single/1": True, "single/2": True}])
    assert [(p.key, p.item, p.majority) for p in both] == [
        ("declines", "", True),
        ("single/1", "Write a test", None),
        ("single/2", "Apply the rate", True),
    ]


@pytest.mark.parametrize(
    ("points", "wrong"),
    [
        ({"declines": {"why": "w"}}, "points.declines is none of yes, no, unknown"),
        ({"declines": "yes"}, "points.declines is none of"),
        ({"single": {"why": "w", "items": {"1": "yes"}}}, "points.single/2 is none of"),
        ({"single": {"why": "w", "value": "yes"}}, "points.single/1 is none of"),
        ({"single": {"why": "w", "items": ["yes", "no"]}}, "points.single/1 is none of"),
    ],
)
def test_what_has_not_the_form_is_told(points: dict[str, Any], wrong: str) -> None:
    with pytest.raises(AnswerError, match=wrong.replace(".", r"\.")):
        parse_points(said(**points), ASKS)


def test_an_answer_without_the_points_that_were_asked_does_not_count() -> None:
    whole = answer(build(digest(extract(SESSION)), ASKS))
    assert parse(json.dumps(whole), ASKS).points == {"declines": True, "single/1": True, "single/2": True}
    del whole["points"]
    assert parse(json.dumps(whole)).points == {}
    with pytest.raises(AnswerError, match=r"points\.declines"):
        parse(json.dumps(whole), ASKS)


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_can_look_like_a_line_of_ours(text: str, item: str) -> None:
    points = Points((Given("Text", text),), (JudgePoint("p", "DQ", "?", "y.", "n.", (item, "x")),))
    lines = points.text.split("\n")
    theirs = [line for line in lines if line.startswith("| ")]
    ours = Points((Given("Text", "a"),), (JudgePoint("p", "DQ", "?", "y.", "n.", ("a", "x")),)).text.split("\n")
    assert [line for line in lines if not line.startswith("| ")] == [line for line in ours if not line.startswith("| ")]
    assert len(theirs) >= 3


def test_secrets_are_masked_in_what_is_given() -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    points = Points((Given("Commit", f"Use {key}"),), (JudgePoint("p", "CH", "?", "y.", "n.", (f"token {key}",)),))
    assert key not in points.text
    assert points.text.count("<masked ") == 2


def test_answers_to_points_are_stored_apart_from_those_to_the_session_alone(tmp_path: Path) -> None:
    backend = Scripted("r", answer)
    readers = Readers(["r"], lambda _: backend, AnswerStore(tmp_path))
    evidence = extract(SESSION)
    for _ in range(2):
        assert readers.read(evidence).points is None
        asked = readers.read(evidence, ASKS)
        assert asked.answers[0].points["declines"] is True
        assert asked.by == ["r"]
    assert len(backend.requests) == 2
