"""The questions: complete, anchored, and such that a change of them invalidates the votes given to the old ones."""

from __future__ import annotations

import re

import pytest
from msgspec import structs

from rigorbench.panel.model import Kind
from rigorbench.panel.rubrics import RUBRICS


@pytest.mark.parametrize("kind", RUBRICS)
def test_every_question_is_a_question_with_two_anchors(kind: Kind) -> None:
    rubric = RUBRICS[kind]
    assert rubric.kind == kind
    ids = [q.id for q in rubric.questions]
    assert len(set(ids)) == len(ids) >= 2
    for question in rubric.questions:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", question.id)
        assert question.text.endswith("?")
        assert " and " not in question.text.removesuffix("?") or kind == "test_link", "a single thing is asked"
        assert question.yes.endswith(".")
        assert question.no.endswith(".")
        assert question.yes != question.no


@pytest.mark.parametrize("kind", RUBRICS)
def test_any_change_of_a_question_makes_another_rubric(kind: Kind) -> None:
    rubric = RUBRICS[kind]
    digests = {rubric.digest, structs.replace(rubric, version=rubric.version + 1).digest}
    first = rubric.questions[0]
    for name in ("id", "text", "yes", "no"):
        changed = structs.replace(first, **{name: getattr(first, name) + "x"})
        digests.add(structs.replace(rubric, questions=(changed, *rubric.questions[1:])).digest)
    digests.add(structs.replace(rubric, questions=rubric.questions[::-1]).digest)
    assert len(digests) == 7
