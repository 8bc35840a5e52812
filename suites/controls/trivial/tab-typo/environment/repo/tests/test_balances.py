import datetime

from housetab.balances import Transfer, balances, remainder, settle
from housetab.model import Expense, Split

DAY = datetime.date(2024, 3, 2)


def test_who_paid_gets_money_back():
    expense = Expense(DAY, "ana", 8400, "groceries", Split.equal("ana", "ben", "cho"))
    assert balances([expense]) == {"ana": 5600, "ben": -2800, "cho": -2800}


def test_a_payer_without_a_share():
    expense = Expense(DAY, "dee", 1000, "pizza", Split.equal("ana", "ben"))
    assert balances([expense]) == {"dee": 1000, "ana": -500, "ben": -500}


def test_an_even_tab_has_no_remainder():
    assert remainder({"ana": 5600, "ben": -2800, "cho": -2800}) == 0


def test_debts_are_settled_with_few_transfers():
    found = {"ana": 5600, "ben": -2800, "cho": -2800}
    assert settle(found) == [Transfer("ben", "ana", 2800), Transfer("cho", "ana", 2800)]


def test_nothing_to_settle():
    assert settle({"ana": 0, "ben": 0}) == []
    assert settle({}) == []
