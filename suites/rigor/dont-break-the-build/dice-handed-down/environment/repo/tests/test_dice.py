import pytest

from hexland import dice


def test_the_same_seed_gives_the_same_draws():
    dice.seed(11)
    first = [dice.roll(2, 6) for _ in range(10)]
    dice.seed(11)
    assert [dice.roll(2, 6) for _ in range(10)] == first


def test_draws_stay_within_their_bounds():
    dice.seed(1)
    assert {dice.between(2, 4) for _ in range(100)} == {2, 3, 4}
    assert all(5 <= dice.roll(3, 4, 2) <= 14 for _ in range(100))
    assert not any(dice.chance(0) for _ in range(50))
    assert all(dice.chance(100) for _ in range(50))


def test_weights_count():
    dice.seed(2)
    drawn = [dice.weighted({"often": 90, "never": 0, "seldom": 10}) for _ in range(200)]
    assert drawn.count("often") > 150
    assert "never" not in drawn
    with pytest.raises(ValueError):
        dice.weighted({})


def test_shuffling_keeps_all_items():
    dice.seed(3)
    assert sorted(dice.shuffled("abcdef")) == list("abcdef")
