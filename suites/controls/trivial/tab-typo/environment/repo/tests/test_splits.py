import pytest

from housetab.model import Split, TabError
from housetab.splits import shares


def test_everybody_pays_the_same():
    assert shares(Split.equal("ana", "ben", "cho"), 8400) == {"ana": 2800, "ben": 2800, "cho": 2800}


def test_weights_count():
    assert shares(Split.weights(ana=2, ben=1, cho=1), 4000) == {"ana": 2000, "ben": 1000, "cho": 1000}


def test_percentages_count():
    assert shares(Split.percent(ana="50", ben="25", cho="25"), 25000) == {"ana": 12500, "ben": 6250, "cho": 6250}


def test_percentages_must_add_up():
    with pytest.raises(TabError, match="not to 100"):
        shares(Split.percent(ana="50", ben="40"), 1000)


def test_weights_must_be_whole_numbers():
    with pytest.raises(TabError, match="weight of ana"):
        shares(Split("weights", (("ana", "1.5"), ("ben", "1"))), 1000)


def test_somebody_must_have_a_weight():
    with pytest.raises(TabError, match="all weights are 0"):
        shares(Split.weights(ana=0, ben=0), 1000)


def test_a_percentage_is_a_number():
    with pytest.raises(TabError, match="percentage of ana"):
        shares(Split.percent(ana="half", ben="50"), 1000)


def test_a_refund_is_shared():
    assert shares(Split.equal("ana", "ben"), -1200) == {"ana": -600, "ben": -600}


def test_nobody_is_named_twice():
    with pytest.raises(TabError, match="ana is named twice"):
        Split.equal("ana", "ben", "ana")
