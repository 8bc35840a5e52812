# rigorbench-canary e25f60ca-71f0-4cda-bf22-1b803e1ed215
"""Hidden tests: the house rules, one requirement each."""

import pytest

from housetab import Split, TabError, balances, parse, shares

PEOPLE = [f"p{number}" for number in range(12)]


def test_equal_shares_add_up():
    for count in range(1, len(PEOPLE) + 1):
        for cents in (1, 5, 99, 100, 1001, 10000, 99999, 123457, 10_000_000_000_000_003):
            found = shares(Split.equal(*PEOPLE[:count]), cents)
            assert list(found) == PEOPLE[:count]
            assert sum(found.values()) == cents, (count, cents, found)


def test_cents_left_over_go_to_those_named_first():
    assert shares(Split.equal("ana", "ben", "cho"), 10000) == {"ana": 3334, "ben": 3333, "cho": 3333}
    assert shares(Split.equal("cho", "ana", "ben"), 10001) == {"cho": 3334, "ana": 3334, "ben": 3333}
    assert shares(Split.equal("e", "d", "c", "b", "a"), 13) == {"e": 3, "d": 3, "c": 3, "b": 2, "a": 2}
    assert shares(Split.equal("ana", "ben", "cho"), 1) == {"ana": 1, "ben": 0, "cho": 0}


def test_weighted_cents_go_where_most_was_cut():
    # Exact: 14.29, 28.57, 57.14.
    assert shares(Split.weights(ana=1, ben=2, cho=4), 100) == {"ana": 14, "ben": 29, "cho": 57}
    # Exact: 16.67, 16.67, 66.67: two cents are left over, among equals for those named first.
    assert shares(Split.weights(ana=1, ben=1, cho=4), 100) == {"ana": 17, "ben": 17, "cho": 66}
    for cents in range(1, 400, 7):
        assert sum(shares(Split.weights(a=3, b=5, c=7, d=11), cents).values()) == cents


def test_a_weight_of_zero_is_no_share():
    for cents in (1, 2, 100, 101, 103):
        found = shares(Split.weights(guest=0, ana=1, ben=1, cho=1), cents)
        assert found["guest"] == 0
        assert sum(found.values()) == cents


@pytest.mark.parametrize("cents", [1, 2, 100, 101, 1000, 9999])
def test_a_refund_mirrors_the_expense(cents):
    for split in (
        Split.equal("ana", "ben", "cho"),
        Split.weights(ana=2, ben=1, cho=4),
        Split.percent(ana="50", ben="25", cho="25"),
    ):
        cost, back = shares(split, cents), shares(split, -cents)
        assert back == {name: -share for name, share in cost.items()}


def test_percentages_with_decimals():
    for parts in (["12.1"] * 7 + ["15.3"], ["28.6", "28.6", "14.2", "14.2", "14.4"], ["0.1"] * 10 + ["99"]):
        split = Split("percent", tuple(zip(PEOPLE, parts, strict=False)))
        for cents in (1, 1000, 10000, 33333):
            assert sum(shares(split, cents).values()) == cents
    thirds = Split.percent(ana="33.4", ben="33.3", cho="33.3")
    assert shares(thirds, 1000) == {"ana": 334, "ben": 333, "cho": 333}
    assert shares(thirds, 10) == {"ana": 4, "ben": 3, "cho": 3}
    with pytest.raises(TabError):
        shares(Split.percent(ana="33.3", ben="33.3", cho="33.3"), 1000)
    with pytest.raises(TabError):
        shares(Split.percent(ana="nan", ben="50"), 1000)


def test_a_tab_adds_up():
    tab = parse(
        "2024-03-02 | ana | 84.00 | groceries | equal: ana ben cho\n"
        "2024-03-05 | ben | 38.00 | internet | weights: ana 2, ben 1, cho 1\n"
        "2024-03-11 | ana | -12.00 | deposit back | equal: ana ben cho\n"
    )
    assert sum(balances(tab).values()) == 0
