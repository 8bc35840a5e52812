from datetime import date

import pytest

from toolshed import Shed, ShedError, desk
from toolshed.model import Visit

DAY = date(2024, 5, 2)
LATER = date(2024, 5, 9)


@pytest.fixture
def shed():
    shed = Shed()
    desk.join(shed, "Hanna Loos", DAY)
    desk.join(shed, "Piet Aumann", DAY)
    return shed


def test_members_get_ids(shed):
    assert [(member.id, member.name) for member in shed.members] == [(1, "Hanna Loos"), (2, "Piet Aumann")]


def test_an_id_is_never_used_again(shed):
    del shed.members[1]
    assert desk.join(shed, "Ruth Elkin", DAY).id == 3


def test_who_takes_a_tool_out_is_signed_in(shed):
    desk.lend(shed, 2, "jigsaw", LATER)
    assert shed.visits[-1] == Visit(2, LATER, "loan")
    assert (shed.last_visit(2), shed.last_loan(2)) == (LATER, LATER)
    assert (shed.last_visit(1), shed.last_loan(1)) == (DAY, None)
    assert shed.tools_of(2) == ["jigsaw"]


def test_a_tool_is_lent_once(shed):
    desk.lend(shed, 2, "jigsaw", DAY)
    with pytest.raises(ShedError, match="Piet Aumann has the jigsaw"):
        desk.lend(shed, 1, "jigsaw", LATER)
    assert len(shed.loans) == 1


def test_a_tool_comes_back(shed):
    desk.lend(shed, 2, "jigsaw", DAY)
    assert desk.take_back(shed, "jigsaw", LATER).back == LATER
    assert shed.visits[-1] == Visit(2, LATER, "return")
    assert shed.tools_of(2) == []
    with pytest.raises(ShedError, match="not out"):
        desk.take_back(shed, "jigsaw", LATER)


def test_only_members_sign_in(shed):
    with pytest.raises(ShedError, match="no member 7"):
        desk.sign_in(shed, 7, "evening", DAY)
    with pytest.raises(ShedError, match="'tea' is none of"):
        desk.sign_in(shed, 1, "tea", DAY)
