import pytest

from ferrydesk import NotFound
from ferrydesk.model import Booking, Deck


def test_a_full_deck_lets_vehicles_wait():
    deck = Deck("sat-0830", 1)
    assert deck.add(1, "A-1") == Booking(1, "A-1", "sat-0830")
    assert deck.add(2, "B-2") == Booking(2, "B-2", "sat-0830", True)
    assert deck.full


def test_vehicles_leave_the_deck_or_the_waiting_list():
    deck = Deck("sat-0830", 1, [(1, "A-1")], [(2, "B-2"), (3, "C-3")])
    assert deck.remove(3).waiting
    assert not deck.remove(1).waiting
    with pytest.raises(NotFound, match="no booking 1 on sat-0830"):
        deck.remove(1)


def test_the_longest_waiting_are_promoted():
    deck = Deck("sat-0830", 2, [], [(2, "B-2"), (3, "C-3"), (4, "D-4")])
    assert [booking.number for booking in deck.promote()] == [2, 3]
    assert deck.waiting == [(4, "D-4")]


def test_a_deck_survives_its_state():
    deck = Deck("sat-0830", 2, [(1, "A-1")], [(2, "B-2")])
    assert Deck.from_state("sat-0830", deck.to_state()) == deck
