import pytest

from bibline import EntryError, Register, Runner

NOOR = Runner(12, "Noor Visser", "AV Duinloop", 1991)


def test_runners_come_by_bib_number():
    register = Register([NOOR, Runner(7, "Hendrik de Wit", "", 1984)])
    assert [runner.bib for runner in register] == [7, 12]
    assert len(register) == 2
    assert register.get(12) is NOOR
    assert register.get(13) is None


def test_names_are_found_in_any_case():
    register = Register([NOOR, Runner(13, "NOOR VISSER", "", 2001)])
    assert [runner.bib for runner in register.find("noor visser")] == [12, 13]
    assert register.find("Noor") == []


def test_nobody_is_entered_twice():
    register = Register([NOOR])
    with pytest.raises(EntryError, match="with bib 12"):
        register.add(Runner(13, "Noor Visser", "another club", 1991))
    with pytest.raises(EntryError, match="bib 12 is taken"):
        register.add(Runner(12, "Marta Kowalska", "", 2003))
    register.add(Runner(13, "Noor Visser", "", 2001))


@pytest.mark.parametrize("fields", [(0, "A", "", 1990), (100000, "A", "", 1990), (1, " ", "", 1990), (1, "A", "", 190)])
def test_runners_that_cannot_be(fields):
    with pytest.raises(EntryError):
        Runner(*fields)
