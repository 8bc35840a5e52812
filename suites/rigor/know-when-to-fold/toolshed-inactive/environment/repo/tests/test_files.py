from datetime import date

import pytest

from toolshed import Loan, Member, Shed, ShedError, Visit, load, save

SHED = Shed(
    [Member(1, "Hanna Loos", date(2024, 5, 2)), Member(2, 'Piet "Pit" Aumann', date(2024, 5, 3))],
    [Visit(1, date(2024, 5, 2), "evening")],
    [Loan(2, "drill, cordless", date(2024, 5, 4)), Loan(1, "jigsaw", date(2024, 5, 4), date(2024, 5, 11))],
)


def test_what_is_saved_can_be_loaded(tmp_path):
    save(SHED, tmp_path)
    assert load(tmp_path) == SHED


def test_missing_files_are_empty(tmp_path):
    assert load(tmp_path) == Shed()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("members.csv", "id,name\n", "members.csv: the columns must be id, name, joined"),
        ("members.csv", "id,name,joined\nx,Hanna,2024-05-02\n", "members.csv:2: invalid literal"),
        ("visits.csv", "member,day,reason\n1,2024-05-02,tea\n", "visits.csv:2: 'tea' is none of"),
        ("loans.csv", "member,tool,out,back\n1,jigsaw,soon,\n", "loans.csv:2: Invalid isoformat"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(ShedError, match=message):
        load(tmp_path)
